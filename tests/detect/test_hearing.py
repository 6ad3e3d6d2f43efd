"""The kernel hears the cues of genres as RE2 does, whatever the text is."""

import random
import re
from pathlib import Path

import pytest
import re2

from dlp import demo_share
from dlp.detect.linking import cue_tables, genre, hearing, intimates
from dlp.detect.linking.cue_states import Machine, classes_of
from dlp.detect.linking.cue_steps import Alphabet, Steps, UnreadableError, characters_in, parsed
from dlp.detect.linking.genre import Genres, load_genres, read_cues
from dlp.prepared import answer

compiled = pytest.mark.skipif(hearing.KERNEL is None, reason="the kernels are not compiled")
CUES = [cue for cues in read_cues().values() for cue in cues]
SIGNS = [
    *" \n\r\t.,:;!?-_/([{<>)]}'\"|\u2013\u2014\u201d\u2019\xa9\u2610\u2764é\u017f\u212a\x0b\x85\u2028İ\u9ad8\U0001f618"
]
BREAKS = [
    " ",
    " ",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    ": ",
    ", ",
    "",
    "_____",
    "........",
    "12:30 ",
    "\ud800",
]


def pieces():
    """The words of the cues, and what else they are made of."""
    words = re.findall(r"[^\W\d_]+|\d+", " ".join(CUES))
    return [*dict.fromkeys(words), "Ada", "Hale", "7", "14", "1999", "[[", "]]", "{{", "</", "(c)"]


def examples(source, number):
    """Words of cues in any order, as people and machines write them."""
    words = pieces()
    for _ in range(number):
        text = ""
        for _ in range(source.randrange(1, 40)):
            word = source.choice(words)
            text += source.choice([word, word, word.upper(), word.capitalize()])
            text += source.choice(BREAKS if source.random() < 0.7 else SIGNS)
        yield text


def torn(source, number):
    """Pages of which some characters were exchanged, lost or doubled."""
    pages = [demo_share.DISCHARGE, demo_share.SHORTHAND, demo_share.LEAFLET, demo_share.RESUME]
    for _ in range(number):
        page = source.choice(pages)
        start = source.randrange(len(page))
        text = [*page[start : start + source.randrange(400)]]
        for _ in range(source.randrange(12)):
            place = source.randrange(len(text) + 1)
            text[place : place + source.randrange(2)] = source.choice(SIGNS)
        yield "".join(text)


@compiled
@pytest.mark.parametrize("texts", [examples, torn], ids=["words", "torn"])
def test_the_kernel_hears_what_re2_hears(texts):
    genres = load_genres()
    for text in texts(random.Random(texts.__name__), 1500):
        assert genres.of(text) == genres._heard_by_re2(text), repr(text)


@compiled
@pytest.mark.parametrize("number", range(len(CUES)))
def test_each_cue_is_heard_alone(number):
    """Every cue by itself, in what is written like it and in what is nearly that."""
    source = random.Random(number)
    genres = load_genres()
    words = [
        *re.findall(r"[^\W_]+", CUES[number]),
        *"0127",
        " ",
        " ",
        "\n",
        "-",
        ".",
        ":",
        ", ",
        "[",
    ]
    for _ in range(60):
        text = "".join(source.choices(words, k=source.randrange(1, 12)))
        text = source.choice(["", "x ", "\n", "x"]) + text + source.choice(["", " x", "\n", "x"])
        assert genres.of(text) == genres._heard_by_re2(text), repr(text)


@compiled
def test_a_chat_is_heard_only_where_re2_agrees():
    chat = "[12:30] Ada Hale: hi\n[12:31] Tom: yes\n[12:32] Ada Hale: ok\n"
    for text in (chat, chat.replace("Hale", "H" * 40), chat.replace("12:32", "x" * 30)):
        assert load_genres().of(text) == load_genres()._heard_by_re2(text)


@compiled
@pytest.mark.parametrize(
    "text", ["\n" * 30_000, "[[" * 15_000, "my " * 10_000, ". " * 15_000, "12:30 a" * 4000]
)
def test_hostile_text_is_heard_in_time(text):
    genres = load_genres()
    assert genres.of(text) == genres._heard_by_re2(text)


@compiled
def test_kinds_of_characters_have_the_numbers_that_the_kernel_knows():
    source = (hearing.KERNEL.__file__).rpartition("/")[0] + "/genres.pyx"
    told = dict(re.findall(r"^    ([A-Z_]+) = (\d+)", Path(source).read_text(), re.MULTILINE))
    assert int(told["IN_NUMBERS"]) == int(told["IN_WORDS"]) == cue_tables.IN_NUMBERS
    assert int(told["AT_LINE_END"]) == cue_tables.LINE_END
    assert int(told["LENGTH"]) == cue_tables.LENGTH
    assert int(told["KINDS"]) == cue_tables.KINDS - 1


@compiled
def test_the_same_speak():
    source = random.Random("talk")
    parts = ["Ada", "Tom H", "Ada Hale", "T", "[", "]", "[12:30]", "[1]", "[" + "1" * 24 + "]", "["]
    parts += ["[" + "1" * 25 + "]", ": ", ": ", ":", " ", "\n", "\n", "\n", "É", "ada", "\ud800"]
    for _ in range(4000):
        text = "".join(source.choices(parts, k=source.randrange(40)))
        length = source.choice([len(text), source.randrange(60)])
        told = intimates.SPEAKER.findall("\n" + text[:length])
        assert intimates.KERNEL.speakers(text, length) == told, repr(text)
        assert intimates.speakers(text, length) in (told, [])


def test_what_is_prepared_is_for_these_cues():
    assert answer(hearing.key_of(CUES))
    assert answer(hearing.key_of(CUES[1:])) is None


@compiled
def test_edited_cues_are_heard_by_re2():
    edited = Genres({"clinical": [r"\bward round\b"], "letter": []})
    assert edited._kernel is None
    assert edited.of("On the ward round.") == {"clinical": 1, "letter": 0}


def test_a_cue_that_re2_refuses_is_said():
    with pytest.raises(genre.RuleError):
        Genres({"clinical": [r"(?<=x)y"]})


@pytest.mark.parametrize(
    "cue", [r"\bs/p\b|é", r"(?m)^k[a-c]{2,3}$", r"\A\s*x\z", r"[^a\n]\Bk.", r"\D\S\W{2}", r"s\w+\b"]
)
def test_states_accept_what_re2_accepts(cue):
    """Worked out here and walked in Python: every start of every text."""
    alphabet = Alphabet(characters_in(parsed(cue)[0]))
    steps = Steps(alphabet)
    first = steps.add(0, cue)
    classes = classes_of(steps)
    machine = Machine(steps, [first], classes, 1000)
    options = re2.Options()
    options.case_sensitive = False
    pattern = re2.compile(cue, options=options)
    source = random.Random(cue)
    for _ in range(400):
        text = "".join(source.choices("sS/pP kKabc\n xéÉ\u017f\u212a9", k=source.randrange(8)))
        found = any(
            walks(machine, alphabet, classes, text, start) for start in range(len(text) + 1)
        )
        assert found == (pattern.search(text) is not None), repr(text)


def walks(machine, alphabet, classes, text, start):
    """Whether a walk from here hears the cue."""
    before = 3
    if start == 0:
        before = 0
    elif text[start - 1] == "\n":
        before = 1
    elif text[start - 1].isascii() and (text[start - 1].isalnum() or text[start - 1] == "_"):
        before = 2
    state = machine.firsts[before]
    for char in (*text[start:], ""):
        if machine.heard[state]:
            return True
        state = machine.rows[state][class_of(alphabet, classes, char)]
    return bool(machine.heard[state])


def class_of(alphabet, classes, char):
    if not char:
        return len(classes)
    place = ord(char)
    if place >= 128:
        known = place in alphabet.beyond
        place = 128 + (alphabet.beyond.index(place) if known else len(alphabet.beyond))
    return next(number for number, bits in enumerate(classes) if bits >> place & 1)


@pytest.mark.parametrize("cue", [r"\pL", r"a*?b", r"(?i)x", "[à-ü]", "(?P<n>x)", "ß"])
def test_what_only_re2_understands_is_left_to_it(cue):
    assert hearing.worked_out([cue]) is None
    with pytest.raises(UnreadableError):
        hearing.tables_of([cue])
