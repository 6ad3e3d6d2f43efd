"""The compiled judges of names, places and houses say what their twins in Python say."""

import gc
import importlib
from contextlib import contextmanager, nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.naming import claims, roll
from dlp.detect.naming.institutions import InstitutionFinder
from dlp.detect.naming.lexicon import load_lexicon
from dlp.detect.naming.localities import PlaceFinder
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.mentions import MentionFinder
from dlp.detect.naming.names import NameFinder
from dlp.detect.naming.page import PageReader, page_of
from dlp.detect.naming.runs import View
from dlp.detect.overlap import resolve
from dlp.model import Finding, Kind, Part
from dlp.native import kernel

pytestmark = pytest.mark.skipif(kernel("naming") is None, reason="no kernel is compiled")

NAMES = (
    "Ada Robert Vera Grace June May Hale Fraser Smith Brown Parkinson Foley Young Hollingdrake "
    "Trivomir Zebrowiak Eun ji Jean luc O'Brien McKay LigaSure van de la von bin D'Souza Ångström"
)
PLACES = "Toronto Ontario Paris Nice Springfield Boston San Francisco New Zealand IL ON St Lima"
HOUSES = "Hospital Clinic University of Mercy General Center Children's Health Inc Street Ave"
PLAIN = (
    "the patient was seen in at to and said says lives died born on a an Re Dear Sincerely Mr Mrs "
    "Dr Nurse President nurse MD RN PA-C M.D. Name Patient mother sister daughter my name is "
    "disease catheter syndrome with by from ask 45-year-old 45M 79 (45) 12 1998 x I A B"
)
SIGNS = (" ", " ", " ", " ", "  ", "   ", ". ", ", ", ",", ": ", ":", "-", "\n", "\n\n", "'s ",
         " & ", "...... ", "_", "\t", ".", " (", ") ", "; ", "\u00ad", "\U0001f600")  # fmt: skip
CUES = sorted({*load_lexicon().before, *load_lexicon().after, *load_lexicon().titles})
PIECES = st.sampled_from(f"{NAMES} {NAMES} {PLACES} {HOUSES} {PLAIN}".split())
WORDS = st.one_of(
    PIECES, PIECES, PIECES, PIECES.map(str.upper), PIECES.map(str.lower), PIECES.map(str.title),
    st.sampled_from(CUES), st.text(max_size=3), st.just("\ud800"), st.just("Q" * 300),
)  # fmt: skip
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from(SIGNS)), max_size=24).map(
    lambda pairs: "".join(word + sign for word, sign in pairs)
)


def without_kernel(finder):
    """One that judges in Python."""
    finder._kernel = None
    return finder


NAMING, TWIN = NameFinder(), without_kernel(NameFinder())
HOUSING, HOUSING_TWIN = InstitutionFinder(), without_kernel(InstitutionFinder())
PLACING, PLACING_TWIN = PlaceFinder(), without_kernel(PlaceFinder())
FINDER = MentionFinder(NAMING, PLACING, HOUSING)


@contextmanager
def in_python():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(roll, "_K", None)
        patch.setattr(claims, "_K", None)
        yield


def views(text, *, borders=()):
    reader = PageReader()
    return [View(reader.read(text, starts=borders))] if borders else map(View, reader.pages(text))


def shown(mentions):
    return [tuple(mention) for mention in mentions]


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_people_places_and_houses(text):
    for view in views(text):
        assert shown(NAMING.find_in(view, 3)) == shown(TWIN.find_in(view, 3))
        assert shown(PLACING.find(view, 3)) == shown(PLACING_TWIN.find(view, 3))
        assert shown(HOUSING.find(view, 3)) == shown(HOUSING_TWIN.find(view, 3))


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_parts_read_together(left, right):
    for view in views(left + "\n\n" + right, borders=(0, len(left) + 2)):
        assert shown(NAMING.find_in(view, 3)) == shown(TWIN.find_in(view, 3))
        assert shown(PLACING.find(view, 3)) == shown(PLACING_TWIN.find(view, 3))
        assert shown(HOUSING.find(view, 3)) == shown(HOUSING_TWIN.find(view, 3))


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(st.booleans(), max_size=30))
def test_names_found_once_are_found_again(text, keep):
    """Some mentions stand already, the others are found by the names they teach."""
    found = resolve([m for view in views(text) for m in NAMING.find_in(view)])
    taken = [(m.start, m.end) for m, kept in zip(found, keep, strict=False) if kept]
    answers = []
    for look in (nullcontext, in_python):
        with look():
            known = roll.Roll()
            known.enrol(found)
            again = [m for view in views(text) for m in known.again(view, 2, taken)]
            answers.append((list(known._known.items()), shown(again)))
    assert answers[0] == answers[1]


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_one_page_is_looked_at_as_several_are(text):
    """All finders at once, and whom they find looked for again, where a text is one page."""
    cut = PageReader().cut(text)
    finders = (NAMING, PLACING, HOUSING)
    found = kernel("naming").look(*(one.compiled for one in finders), cut, 0)
    assert shown(found) == [tuple(m) for one in finders for m in one.compiled.find(cut, 0)]
    found = claims.resolved(found)
    known = roll.Roll()
    known.enrol(found)
    taken = [(m.start, m.end) for m in found]
    again = known.again(View(page_of(cut)), 0, taken)
    assert shown(FINDER.find_at_once([Part("body", text)])) == shown(claims.in_order(found + again))


MAY_BE = st.sampled_from([Kind.PERSON, Kind.PLACE, Kind.PROVIDER, Kind.ORGANISATION])
KINDS = MAY_BE | st.sampled_from([Kind.DISEASE, Kind.DRUG, Kind.DATE])
PLACED = (st.integers(0, 40), st.integers(1, 9), st.sampled_from([0.4, 0.5, 0.9]))
TERMS, SPOTS = st.lists(st.tuples(KINDS, *PLACED)), st.lists(st.tuples(MAY_BE, *PLACED))
NAMED = st.sampled_from([("", ""), ("Ada", "Hale"), ("Zoë", ""), ("", "O'Neil Quist"), ("_", "ß")])


@given(TERMS, SPOTS, st.text(min_size=60, max_size=60), NAMED)
def test_claims(terms, spots, text, words):
    terms = [Finding(kind, "r", 0, at, at + size, sure) for kind, at, size, sure in terms]
    mentions = [
        Mention(kind, 0, at, at + size, sure, "r", ("e",), "", *words)
        for kind, at, size, sure in spots
    ]
    answers = []
    for look in (nullcontext, in_python):
        with look():
            stand = claims.resolved([*mentions])
            made = claims.Prints(b"key").findings_of(stand, text)
            kept = claims.without(stand, [*terms])
            sorted_ = claims.in_order([*mentions])
            outside = claims.outside_names(terms, [stand])
            prints = claims.Prints(b"key")
            settled = [prints.settle(terms, [*stand], text) for _ in range(2)]
            assert settled[0] == settled[1]
            over = prints.settle(terms, [*sorted_], text)  # some lie over others
            answers.append((stand, made, kept, outside, sorted_, settled[0], over))
    assert answers[0] == answers[1]
    assert all(type(finding) is Finding for finding in answers[0][1])


def test_what_is_found_is_no_part_of_a_cycle():
    """So that the collector need not walk through it."""
    found = FINDER.find_at_once([Part("body", "Ada Hale lives in Toronto. Ada said so.")])
    mentions, findings = claims.Prints(b"key").settle((), found, "Ada Hale lives in Toronto. Ada")
    assert len(mentions) == len(findings) == 3
    assert not any(map(gc.is_tracked, (*mentions, *findings)))


def test_no_page_is_refused():
    for finder in (NAMING, PLACING, HOUSING):
        with pytest.raises(TypeError):
            finder.compiled.find(None, 0)


def test_people_of_no_words():
    assert NAMING.find("") == NAMING.find(" \n") == []


@given(st.lists(st.sampled_from(f"{PLACES} {PLACES.lower()} Zürich İstanbul Mary's".split()),
                min_size=1, max_size=3))  # fmt: skip
def test_what_is_known_of_a_place(words):
    """By hashes, or by its letters where these are seen differently."""
    cut = PageReader().read(" ".join(words)).cut
    told = PLACING.towns.told(cut, 0, cut.count)
    known = PLACING.known(View(page_of(cut)).phrase(0, cut.count))
    assert told == (None if known is None else tuple(known))


def test_what_the_kernel_repeats_is_what_its_twins_say():
    for module, values in kernel("naming").constants().items():
        there = importlib.import_module(f"dlp.detect.naming.{module}")
        assert values == {name: getattr(there, name) for name in values}
