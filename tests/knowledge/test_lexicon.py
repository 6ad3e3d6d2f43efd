"""The lexicon finds whole terms, longest first, at the offsets of the original text, and only where they mean health."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.abbreviations import _places, find_abbreviations
from dlp.knowledge.belief import believe
from dlp.knowledge.health import BLOCK, load_health
from dlp.knowledge.hits import Flag
from dlp.model import Kind

LEXICON = load_health()


def found(text, **options):
    return [(text[h.start : h.end], h.kind) for h in LEXICON.scan(text, **options)]


def test_the_longest_term_wins():
    text = "He has type 2 diabetes mellitus and chronic kidney disease."
    assert [term for term, _ in found(text)] == [
        "type 2 diabetes mellitus",
        "chronic kidney disease",
    ]


def test_a_term_runs_over_a_line_break_and_hyphens_but_not_over_a_full_stop():
    assert found("congestive heart\n   failure")[0][0] == "congestive heart\n   failure"
    assert found("non-small-cell lung cancer")[0][0] == "non-small-cell lung cancer"
    assert all(term != "heart. Failure" for term, _ in found("Weak heart. Failure to thrive"))


def test_a_comma_joins_only_terms_written_with_one():
    assert found("diabetes mellitus, type 2")[0][0] == "diabetes mellitus, type 2"
    assert next(term for term, _ in found("She had fever, yellow sputum and a cough.")) == "fever"


def test_capitals_matter_for_acronyms():
    assert found("diagnosed with AIDS last year") == [("diagnosed with AIDS", Kind.DISEASE)]
    assert found("He aids the elderly") == []
    # without any capital, shorthand may be meant: belief decides, and does not here
    text = "he aids the elderly"
    assert believe(LEXICON.scan(text), text) == []


@given(st.text(), st.text())
def test_offsets_point_into_the_original_text(before, after):
    text = f"{before} İ ß asthma \n {after}"
    hits = LEXICON.scan(text)
    assert any(text[h.start : h.end] == "asthma" for h in hits) or before.strip() or after.strip()
    assert all(0 <= h.start < h.end <= len(text) for h in hits)
    assert all(a.end <= b.start for a, b in itertools.pairwise(hits))


@pytest.mark.parametrize("shift", range(-20, 20, 3))
def test_block_borders_cut_no_term(shift):
    filler = "word " * ((BLOCK + shift) // 5)
    text = (filler + "chronic obstructive pulmonary disease. ") * 3
    hits = LEXICON.scan(text)
    assert [text[h.start : h.end] for h in hits] == ["chronic obstructive pulmonary disease"] * 3


def test_an_abbreviation_means_what_the_text_says():
    text = "Chronic kidney disease (CKD) was found. Her CKD is stable."
    hits = LEXICON.scan(text, abbreviations=True)
    assert [text[h.start : h.end] for h in hits] == ["Chronic kidney disease", "CKD", "CKD"]
    assert len({h.concepts for h in hits}) == 1
    assert hits[-1].flags & Flag.DEFINED


def test_an_abbreviation_of_something_else_is_no_disease():
    text = "Samples went through mass spectrometry (MS). The MS was calibrated."
    assert all(term != "MS" for term, _ in found(text, abbreviations=True))


def test_definitions_are_found():
    text = "acute renal failure (ARF) and tumor necrosis factor (TNF) (see above)"
    spans = {s: text[a:b] for s, (a, b) in find_abbreviations(text).items()}
    assert spans == {"ARF": "acute renal failure", "TNF": "tumor necrosis factor"}


@given(st.text())
def test_definitions_lie_in_the_text(text):
    for short, (start, end) in find_abbreviations(text + " (AB) x (cd)").items():
        assert short
        assert 0 <= start < end


@pytest.mark.parametrize(
    "text, mention",
    [
        ("a family history of breast and ovarian cancer", "breast and ovarian cancer"),
        ("pleural and pericardial effusions", "pleural and pericardial effusions"),
        ("brain, breast, and prostate cancer", "brain, breast, and prostate cancer"),
        (
            "he has autosomal dominant retinitis pigmentosa",
            "autosomal dominant retinitis pigmentosa",
        ),
        ("familial gastric cancer", "familial gastric cancer"),
    ],
)
def test_a_mention_is_found_whole(text, mention):
    assert mention in [term for term, _ in found(text)]


def test_a_shared_head_gives_both_concepts():
    hit = LEXICON.scan("breast and ovarian cancer")[0]
    assert {"D001943", "D010051"} <= set(hit.concepts)


def test_a_neighbour_that_makes_no_term_is_left_alone():
    text = "rest and ovarian cancer"
    assert found(text)[0][0] == "ovarian cancer"


def test_a_phrase_that_hides_a_health_word_is_no_hit():
    assert found("a stroke of luck") == []
    assert LEXICON.sense("stroke of luck") is None


@given(st.text("AABBs-_ .1é", max_size=30), st.sampled_from(["AB", "A", "ABs", "A-B", "A1"]))
def test_a_short_form_is_found_as_a_word_of_its_own_only(text: str, short: str) -> None:
    specified = re.compile(rf"(?<![\w-])({re.escape(short)})s?(?!\w)")
    assert _places(text, [short]) == [[match.span(1) for match in specified.finditer(text)]]


@pytest.mark.parametrize("first", ["Stevens-", "Steven-", "Steven ", "Steven's "])
def test_a_misspelt_double_name_is_one_disease(first):
    whole = LEXICON.sense("Stevens-Johnson syndrome")
    text = f"She had {first}Johnson syndrome in May."
    (hit,) = LEXICON.scan(text)
    assert hit.concepts == whole.concepts
    assert text[hit.start : hit.end] == f"{first}Johnson syndrome"


def test_a_name_before_another_disease_is_left_alone():
    (hit,) = LEXICON.scan("Seen with Morgan Johnson syndrome is named after another.")
    assert hit.concepts == LEXICON.sense("Johnson syndrome").concepts
