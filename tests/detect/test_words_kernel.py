"""The kernel that cuts a page into words says of each what the arrays say."""

import importlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.fold import fold
from dlp.detect.naming.fitting import Fitting
from dlp.detect.naming.lexicon import load_lexicon
from dlp.detect.naming.overview import beginnings, english_parts
from dlp.detect.naming.page import PageReader
from dlp.detect.naming.runs import View, is_month, runs, runs_of_arrays
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.running import NO_BORDERS
from dlp.native import kernel

pytestmark = pytest.mark.skipif(kernel("words") is None, reason="no kernel is compiled")
PIECES = [
    "Ada",
    "Hale",
    "dr.",
    "Dr",
    "mrs",
    "Patient",
    "name",
    "my",
    "is",
    "the",
    "and",
    "of",
    "ELLA",
    "ella",
    "finch",
    "Tom",
    "baker",
    "b",
    "B.",
    "x",
    "MD,",
    "RN",
    "June",
    "May",
    "3",
    "2019",
    "40-year-old",
    "said",
    "lives",
    "in",
    "at",
    "Toronto",
    "new",
    "york",
    "Hospital",
    "St",
    "Mary's",
    "mary's",
    "MARY'S",
    "O'Brien",
    "d'arc",
    "'s",
    "S",
    "'",
    "''",
    "ADa'S",
    "Robert",
    "Fraser",
    "will",
    "Hope",
    "Trivomir",
    "Zoë",
    "Straße",
    "ñ",
    "1st",
    "HTN",
    "von",
    "de",
    "la",
    "Jean-luc",
    "Brown",
    "White",
    "doe",
    "Doe",
    "never",
    "mg",
    "rue",
    "street",
    "disease",
    "parkinson's",
]
SIGNS = (" ", " ", " ", "  ", "   ", "\t", "\n", "\n\n", ".", ". ", ", ", ",", ": ", " = ", "-", "_",
         " ....... ", " _____ ", " ..__ ", ";", " & ", "\r\n", "'", "\u2019", "\u00a0", "\u00ad",
         "\u0301", "\u4e2d", "\U0001f600", "\ud800", " " * 39 + ":", " " * 41 + ":", "")  # fmt: skip
TEXTS = st.lists(st.sampled_from([*PIECES, *SIGNS]) | st.sampled_from(SIGNS), max_size=60)
CASES = st.sampled_from([str, str.lower, str.upper, str.title])


@pytest.fixture(scope="module")
def reader():
    return PageReader()


def test_the_kernel_repeats_what_its_twins_say():
    told_of = {"dlp.detect.naming": "constants", "dlp.knowledge": "weighing"}
    for room, asked in told_of.items():
        for name, told in getattr(kernel("words"), asked)().items():
            twin = importlib.import_module(f"{room}.{name}")
            assert told == {one: getattr(twin, one) for one in told}


@given(text=TEXTS.map("".join) | st.text(max_size=40), case=CASES)
def test_the_kernel_cuts_and_asks_as_the_arrays_do(reader, text, case):
    compare(reader, case(text))


@given(words=st.lists(st.sampled_from(PIECES), max_size=40), sign=st.sampled_from([" ", ", "]))
def test_words_in_a_row(reader, words, sign):
    compare(reader, sign.join(words))


@pytest.mark.parametrize(
    "text",
    ["", "'", "a" * 9000, "A'" * 5000, "a " * 3000, "Ada " * 3000, "\u4e2d" * 50, "x\ud800y", "'s",
     "\u0301" * 300, ("a" * 5000 + "'s ") * 2, "Ada:" + " " * 37 + "b", "n" + "." * 60 + "Ada"],
)  # fmt: skip
def test_odd_texts(reader, text):
    compare(reader, text)


@pytest.mark.parametrize("beyond", ["", "é", "\u201c", "\U0001f600"])
@pytest.mark.parametrize("size", [1, 6, 7, 8, 9, 15, 16, 17, 24, 40])
def test_low_letters_side_by_side(reader, size, beyond):
    """They are read eight at a time, in texts of any width, and not beyond the end."""
    word = "etaoinshrdlucmfwypvbgkqjxz"[:size] + "az`{@[AZ"[: max(0, size - 26)]
    for text in (word, f"A{word}", f"{word}'s", f"x{beyond}{word}", f"{word}{beyond} {word}"):
        compare(reader, beyond + " " + text)
        compare(reader, text + " " + beyond + text.upper())


@given(parts=st.lists(TEXTS.map("".join), min_size=2, max_size=4))
def test_parts_of_a_bundle(reader, parts):
    starts = [0]
    for part in parts[:-1]:
        starts.append(starts[-1] + len(part) + 3)
    page = reader.read("\n \n".join(parts), 7, starts)
    compare(reader, "\n \n".join(parts), starts)
    assert page.offset == 7


def compare(reader, text, starts=()):
    arrays, cut = reader._read(fold(text), 0), reader.read(text, 0, starts)
    reader._part(arrays, starts)
    for name, expected in arrays.tokens._replace(lines=NO_BORDERS)._asdict().items():
        same(getattr(cut.tokens, name), expected)
    for name in ("words", "names", "ordinary", "modes", "asked", "borders"):
        same(getattr(cut, name), getattr(arrays, name))
    for found, expected in zip(cut.cut.beginnings(), beginnings(arrays), strict=True):
        same(found, expected)
    assert cut.cut.told_english() == english_parts(arrays)
    assert cut.cut.english == any(english_parts(arrays))
    able = nonzero(Fitting(arrays).can_be_name()).tolist()
    assert cut.cut.fitting() == [at for at in able if not is_month(View(arrays), at)]
    for every in (False, True):
        assert runs(View(cut), every=every) == [*runs_of_arrays(View(arrays), every=every)]


def same(found, expected):
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected)


def test_a_page_that_is_held_keeps_its_room():
    reading = PageReader()
    held = reading.cut("Ada Hale lives in Toronto")
    rows = held.table[: held.count].copy()
    later = [reading.cut("Bob Quist, of 12 Elm Street, is another"), reading.cut("ada")]
    assert [cut.count for cut in later] == [8, 1]
    assert np.array_equal(held.table[: held.count], rows)


def test_more_words_than_the_table_has_places_are_read_without_it():
    assert PageReader().kernel is not None  # ours find a place
    many = np.sort(np.random.default_rng(1).integers(1, 2**63, 6_000, dtype=np.uint64))
    lexicon = replace(load_lexicon(), keys=many, bits=np.zeros(len(many), np.uint16))
    reader = PageReader(lexicon=lexicon)
    assert reader.kernel is None
    assert len(reader.read("Mary Smith lives here.").words) == 4
