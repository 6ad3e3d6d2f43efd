"""The compiled judges of names, places and houses say what their twins in Python say."""

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.naming.lexicon import load_lexicon
from dlp.detect.naming.names import NameFinder
from dlp.detect.naming.page import PageReader
from dlp.detect.naming.runs import Run, View
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
PIECES = st.sampled_from(" ".join((NAMES, NAMES, PLACES, HOUSES, PLAIN)).split())
WORDS = st.one_of(
    PIECES, PIECES, PIECES, PIECES.map(str.upper), PIECES.map(str.lower), PIECES.map(str.title),
    st.sampled_from(CUES), st.text(max_size=3), st.just("\ud800"), st.just("Q" * 300),
)  # fmt: skip
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from(SIGNS)), max_size=24).map(
    lambda pairs: "".join(word + sign for word, sign in pairs)
)


def twin(finder):
    """The same finder without its kernel."""
    other = type(finder)()
    other._kernel = None
    return other


COMPILED = NameFinder()
TWIN = twin(COMPILED)


def views(text, *, borders=()):
    reader = PageReader()
    return [View(reader.read(text, starts=borders))] if borders else map(View, reader.pages(text))


def both(compiled, plain, text, **more):
    return [
        [tuple(m) for view in views(text, **more) for m in getattr(finder, name)(view, 3)]
        for finder, name in ((compiled, "find_in"), (plain, "find_in"))
    ]


@settings(max_examples=600, deadline=None)
@given(TEXTS)
def test_people(text):
    one, other = both(COMPILED, TWIN, text)
    assert one == other


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_people_of_parts_read_together(left, right):
    text = left + "\n\n" + right
    one, other = both(COMPILED, TWIN, text, borders=(0, len(left) + 2))
    assert one == other


def test_people_of_no_words():
    assert COMPILED.find("") == COMPILED.find(" \n") == []


def test_a_run_longer_than_any():
    view = next(iter(views("Dear " + "Ada Hale " * 20)))
    runs = [Run(1, 30), Run(1, 3)]
    found = COMPILED._kernel.find(view, runs, 0)
    assert found == [m for run in runs if (m := TWIN._judge(view, run, 0))]


def test_what_the_kernel_repeats_is_what_its_twins_say():
    for module, values in kernel("naming").constants().items():
        there = importlib.import_module(f"dlp.detect.naming.{module}")
        assert values == {name: getattr(there, name) for name in values}
