"""The kernel of all values finds what Python finds block by block, and lets the same ones stand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dlp.detect.fingerprint import fingerprint, marker
from dlp.detect.identify import prefilter
from dlp.detect.identify.finder import FLOOR, PROOFS, Finder, Hit, default_finder
from dlp.detect.identify.identifiers import Telling, telling_by
from dlp.detect.overlap import resolve, settle_numbers
from dlp.model import Finding, Kind
from dlp.native import kernel

KERNEL = kernel("spotting")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="no compiler was at hand")
FINDER = default_finder()
EXAMPLES = [one.text for rule in FINDER.rules for one in rule.match]
EXAMPLES += [text for rule in FINDER.rules for text in rule.reject]
FILLER = (
    *("", " ", "\n", ", ", "word ", "é", "\u200b", "\u017f", "\u212a", "漢字", "\ud800", "1", "-"),
    *(
        "lorem ipsum dolor sit amet " * 40,
        "12-lead ",
        "4O1-33-22l7 ",
        "version ",
        "born ",
        "\u00ad",
    ),
)


@pytest.fixture(scope="module")
def twin() -> Finder:
    """The same rules and places, put together in Python and asked of RE2."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefilter, "SPOTTING", None)
        finder = Finder(FINDER.rules)
    assert finder._spotter is None
    return finder


@st.composite
def pages(draw: st.DrawFn) -> str:
    pieces = st.one_of(st.sampled_from(EXAMPLES), st.sampled_from(FILLER))
    text = draw(st.sampled_from(("", " ", "\n"))).join(draw(st.lists(pieces, max_size=12)))
    signs = st.sampled_from("0159aAkKlOxX -./:,@#'\"\n_éß\u2007\u200b")
    for place in draw(st.sets(st.integers(0, max(0, len(text) - 1)), max_size=6)):
        text = text[:place] + draw(signs) + text[place + 1 :]
    return text


@settings(deadline=None, max_examples=500)
@given(text=st.one_of(pages(), st.text(max_size=200)), floor=st.sampled_from((0.0, FLOOR, 0.9)))
@example(text="DOB 03/07/1961 " + "word " * 2000 + "SSN 4O1-33-22l7", floor=0.0)
@example(text="é" * 5000 + " DOB 03/07/1961\u200b " + "é" * 300, floor=0.0)
def test_the_same_is_found_in_one_go(twin: Finder, text: str, floor: float) -> None:
    assert FINDER._spotter is not None
    assert FINDER.find(text, floor) == twin.find(text, floor)


def test_a_long_text_is_read_in_stretches(twin: Finder) -> None:
    text = "é seen 03/07/1961, MRN: 481902 \u200b" * 10_000
    found = FINDER.find(text, 0.0)
    assert found == twin.find(text, 0.0)
    assert len(found) == 20_000


def test_proofs_end_where_they_end_in_python(twin: Finder) -> None:
    text = " ".join(f"NHS number {943_476_0000 + 7 * one}" for one in range(PROOFS + 200))
    assert FINDER.find(text, 0.0) == twin.find(text, 0.0)


def test_nothing_of_a_text_is_kept() -> None:
    FINDER.find("DOB: 03/07/1961", 0.0)
    assert not any(isinstance(one, bytes) and one for one in vars_of(FINDER._spotter))


def vars_of(kernel_object: object) -> list[object]:
    names = (name for name in dir(kernel_object) if not name.startswith("__"))
    return [getattr(kernel_object, name) for name in names]


def test_both_count_alike() -> None:
    assert {name: getattr(prefilter, name) for name in KERNEL.limits} == KERNEL.limits


spans = st.tuples(st.integers(0, 60), st.integers(1, 9), st.sampled_from((0.5, 0.85, 0.9)))


@given(st.lists(spans, max_size=80))
@example([(one, 9, 0.5) for one in range(60)])
def test_the_same_ones_stand(claims: list[tuple[int, int, float]]) -> None:
    hits = [
        Hit(Kind.ID, str(number), start, start + length, sure, (), "")
        for number, (start, length, sure) in enumerate(claims)
    ]
    weights = [(hit.confidence, (), "") for hit in hits]
    columns = [hit.start for hit in hits], [hit.end for hit in hits], weights
    won = KERNEL.winners(*columns, settle_numbers)
    assert [hits[one] for one in won] == resolve(hits)


@pytest.mark.parametrize("mark", [marker(bytes(32)), partial(fingerprint, bytes(32))])
def test_findings_are_the_hits_without_their_values(mark: Callable[[Kind, str], str]) -> None:
    texts = ("DOB: 03/07/1961, seen 03/07/1961, MRN: KV-481902, aged 44", "DOB: 03/07/1961")
    kernel_s, by_spotter, twin = telling_by(mark), telling_by(mark), Telling(mark)
    for part, text in enumerate(texts):
        hits = FINDER.find(text, 0.0)
        kernel_s.tell(hits, part)
        FINDER.tell(text, by_spotter, part)
        twin.tell(hits, part)
    assert kernel_s.sure == by_spotter.sure == twin.sure
    assert kernel_s.weak == by_spotter.weak == twin.weak
    made = (*kernel_s.sure, *by_spotter.sure, *kernel_s.weak, *by_spotter.weak)
    assert made
    assert {type(one) for one in made} == {Finding}
