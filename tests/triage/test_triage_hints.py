"""Where a pattern of the cheap pass matches, the kernel that takes hints has one there.

The patterns are made to speak: each says texts that it matches, and the kernel must not miss one,
whatever stands before and behind it.
"""

import functools
import random
import re
from dataclasses import replace

import pytest

from dlp.triage import cheap as cheap_pass
from dlp.triage.cheap import CheapPass, compile_any, may_match
from dlp.triage.hints import KNOWN, hints_of, name_of
from dlp.triage.plain import plain_bytes
from dlp.triage.rules import read_cheap_rules

RULES = read_cheap_rules()
PATTERNS = (*RULES.direct, *RULES.contact, *RULES.shapes)
ACRONYMS = [word for word in RULES.strong if word.isupper()]
NEEDS_KERNEL = pytest.mark.skipif(cheap_pass.LISTENING is None, reason="nothing is compiled")
BEFORE = ["", " ", "x ", "\n", "é", "é ", "(", "1 ", "_", "-", "'", "Ab. ", "asthma ", "heart "]
BEHIND = ["", " ", "x", " x", "\n", "é", ".", ", ", "1", "_", ":", "\u2026", " heart failure"]
SIGNS = " \t#:=(-.\"<>/,abnMz019_'|\né№"


def said(steps, dice, blind):
    """A text that a parsed pattern matches, at random; what is about edges says nothing."""
    return "".join(one_said(str(kind), what, dice, blind) for kind, what in steps)


def one_said(kind, what, dice, blind):
    match kind:
        case "LITERAL":
            return in_any_case(chr(what), dice) if blind else chr(what)
        case "AT":
            return ""
        case "IN":
            return dice.choice(fitting(class_of(what), blind))
        case "NOT_LITERAL":
            return dice.choice(fitting(f"[^{re.escape(chr(what))}]", blind))
        case "BRANCH":
            return said(dice.choice(what[1]), dice, blind)
        case "SUBPATTERN":
            return said(what[3], dice, blind and not what[2] & re.IGNORECASE)
        case "MAX_REPEAT":
            least, most = int(what[0]), int(what[1])
            most = min(most, least + dice.choice([0, 1, 2, 20]))
            return "".join(said(what[2], dice, blind) for _ in range(dice.randint(least, most)))
    raise AssertionError(kind)


@functools.cache
def fitting(one, blind):
    pattern = re.compile(one, re.IGNORECASE if blind else 0)
    return [sign for sign in map(chr, range(1, 256)) if pattern.match(sign)]


def in_any_case(sign, dice):
    return dice.choice([sign, sign.upper(), sign.lower()])


def class_of(what):
    """The class as a pattern again."""
    told = []
    for kind, value in what:
        match str(kind):
            case "NEGATE":
                told.append("^")
            case "LITERAL":
                told.append(re.escape(chr(value)))
            case "RANGE":
                told.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
            case "CATEGORY":
                told.append({"CATEGORY_DIGIT": "0-9", "CATEGORY_WORD": "A-Za-z0-9_",
                             "CATEGORY_SPACE": "\t\n\f\r "}[str(value)])  # fmt: skip
    return f"[{''.join(told)}]"


def started(cheap, raw):
    hints = []
    list(cheap._words.places(raw, hints))
    return cheap._start(raw, hints)


def fits(cheap, text):
    """Nothing is heard before the first hint, or without one; whether there was anything to hear.

    What matches anywhere does so at a hint, each of the patterns that are told apart by itself.
    """
    raw = plain_bytes([text])
    first = cheap._anything.search(raw)
    if first is None:
        return False
    start, matched = started(cheap, raw)
    assert start is not None, ascii(text)
    assert start <= first.start(), ascii(text)
    for pattern in (cheap._direct, cheap._shapes, cheap._contact):
        assert not pattern.search(raw) or may_match(pattern, raw, matched), ascii(text)
    return True


@NEEDS_KERNEL
@pytest.mark.parametrize("pattern", PATTERNS, ids=name_of)
def test_every_match_has_a_hint(cheap, pattern):
    parsed = re._parser.parse(pattern.replace(r"\x27", "'"))
    dice = random.Random(pattern)
    found = 0
    for _ in range(3000):
        text = said(parsed, dice, blind=True)
        found += fits(cheap, dice.choice(BEFORE) + text + dice.choice(BEHIND))
    assert found > 300


@NEEDS_KERNEL
@pytest.mark.parametrize("pattern", PATTERNS, ids=name_of)
def test_torn_matches_have_a_hint_if_they_match(cheap, pattern):
    """A sign is lost, doubled, changed or put in: what matches still is not missed."""
    parsed = re._parser.parse(pattern.replace(r"\x27", "'"))
    dice = random.Random(pattern)
    for _ in range(3000):
        text = said(parsed, dice, blind=True)
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(text) + 1)
            piece = dice.choice(["", text[at : at + 1] * 2, dice.choice(SIGNS), " " * 20])
            text = text[:at] + piece + text[at + dice.randint(0, 1) :]
        fits(cheap, dice.choice(BEFORE) + text + dice.choice(BEHIND))


@NEEDS_KERNEL
@pytest.mark.parametrize("word", ACRONYMS)
def test_acronyms_are_hints_in_capitals_only(cheap, word):
    assert fits(cheap, f"of {word} it")
    assert started(cheap, f"of {word.lower()} it".encode())[0] is None


@NEEDS_KERNEL
def test_the_place_of_a_hint_does_not_matter(cheap):
    for text in ("MRN 447", "(613) 555-0142", "bursitis", "40 mg", "was prescribed", "K1A 0B1"):
        for before in range(140):
            assert fits(cheap, "-" * before + " " + text)
            assert fits(cheap, "x" * before + " " + text + " x" * 70)


@NEEDS_KERNEL
def test_too_many_hints_are_left_to_re2(cheap):
    assert fits(cheap, "type 1. " * 30 + "type 1 diabetes")
    assert fits(cheap, "type 1. " * 30 + "MRN 4471023")


def test_all_patterns_are_known_and_no_others():
    assert hints_of(RULES, ACRONYMS) is not None
    assert {*KNOWN} <= {*map(name_of, PATTERNS)}


@NEEDS_KERNEL
def test_a_pattern_that_is_not_known_is_found_without_hints():
    edited = replace(RULES, contact=(*RULES.contact, r"\bpager [0-9]{4}"))
    assert hints_of(edited, ACRONYMS) is None
    cheap = CheapPass(edited)
    assert not cheap._words.takes_hints
    assert not cheap.listen(["a fever, pager 1234"]).silent
    assert compile_any((r"\bpager [0-9]{4}",), "test").search(b"pager 1234")
