"""The compiled search for health terms gives what the one in numpy gives, whatever the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge import abbreviations, defined, spans
from dlp.knowledge.abbreviations import find_abbreviations
from dlp.knowledge.defined import follow_definitions
from dlp.knowledge.health import BLOCK, load_health
from dlp.knowledge.phrases import fold_words, phrase_key
from dlp.knowledge.spans import widen
from dlp.native import kernel

LEXICON = load_health()
needs_terms = pytest.mark.skipif(kernel("terms") is None, reason="no kernel")
needs_defined = pytest.mark.skipif(kernel("defined") is None, reason="no kernel")
needs_hits = pytest.mark.skipif(kernel("hits") is None, reason="no kernel")

PIECES = (
    "type 2 diabetes mellitus", "diabetes mellitus, type 2", "fever, yellow", "yellow fever",
    "AIDS", "aids", "MS", "s/p", "s p", "h/o", "E. coli", "stroke of luck", "stroke", "COPD",
    "non-small-cell lung cancer", "breast and ovarian cancer", "heart", "failure", "heart failure",
    "Johnson syndrome", "Steven", "disease", "type II", "familial", "gastric cancer", "kidney",
    "chronic kidney disease (CKD)", "mass spectrometry (MS)", "(", ")", "(DM)", "( ARF ;", "(a+)",
    "myotonic dystrophy", "von Hippel-Lindau (VHL)", "HEART ATTACK", "Alzheimer's", "café", "and",
)  # fmt: skip
BETWEEN = (
    " ", "  ", "\n", "\n\n", "\n \n", ", ", ". ", ".", "; ", "-", "/", "\t", "\u00ad", "\u2019",
    "\u00a0", "\u2122", "\U0001d51e", "\U0001d400", "\U0001f600", "\ud800", "\u212a", "\u0301", "",
    "\u200b", "\x00", "\u0130", "ß", "ﬁ",
)  # fmt: skip
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(BETWEEN), st.text(max_size=4)), max_size=24
).map("".join)


@needs_terms
@given(TEXTS, st.integers(0, 99), st.integers(0, 120))
def test_a_block_has_the_same_terms(text, offset, border):
    border = min(border, len(text))
    assert LEXICON._scan_block(text, offset, border) == LEXICON._read_block(text, offset, border)


@needs_terms
@pytest.mark.parametrize(
    "text",
    [
        "", "a", "\ud800", "\U0010ffff" * 50, "x" * (BLOCK + 7), "heart " * 6000, "\u0301" * 900,
        "heart" + " " * 5000 + "failure", "e" + "\u0301" * 3000 + "czema", "AIDS " * 3000,
        "type 2 diabetes mellitus " * 2000, "İ" * 200 + "asthma", "ſtroke", "\x00asthma\x00",
    ],
)  # fmt: skip
def test_odd_texts_have_the_same_terms(text):
    assert LEXICON._scan_block(text, 0, len(text)) == LEXICON._read_block(text, 0, len(text))


LOUD = (
    "MS",
    "ms",
    "Ms",
    "mS",
    "ＭＳ",
    "ＭS",
    "ｍＳ",
    "ÁIDS",
    "áids",
    "AÏDS",
    "Ⅿs",
    "ⅯS",
    "all",
    "ALL",
)


@needs_terms
@given(st.lists(st.sampled_from((*LOUD, "is", "it", "́", "λ", "𝐀")), max_size=30))
def test_capitals_count_whatever_their_script(words):
    for text in (" ".join(words), " quiet words around ".join(words)):
        for _ in "twice":  # the second time, words are remembered
            found = LEXICON._scan_block(text, 0, len(text))
            assert found == LEXICON._read_block(text, 0, len(text))


@needs_terms
@given(st.integers(0, 140), st.sampled_from(["asthma", "Ⓐsthma", "heart failure", "x" * 70 + "MS"]))
def test_words_are_cut_alike_wherever_they_begin(before, term):
    for fill in ("a", "9", " ", "é", "—", "́"):
        text = fill * before + " " + term + " MS " + fill * 70
        found = LEXICON._scan_block(text, 0, len(text))
        assert found == LEXICON._read_block(text, 0, len(text))


@needs_terms
@given(TEXTS)
def test_a_term_has_the_same_row(text):
    assert LEXICON._compiled.row(text) == LEXICON._table.find_one(phrase_key(fold_words(text)))


DEFINING = (
    "chronic kidney disease", "(CKD)", "( CKDs )", "(ckd)", "(Ckd;", "(CK.D,", "(C+", "(C+)", "(K2)",
    "CKD", "CKDs", "-CKD", "xCKD", "C+", "K2", "disKease", "Kidney", "İ", "é", "_", "(",
    "deep vein thrombosis", "(DVT)", "DVT/PE", "(DVT/PE)", "DVT", "(A)", "(12)", "(A/A)", "A/A/A",
    "relapsing\n", "multiple sclerosis", "(MS)", "MS.", ". ", ";\t", "\n \n", "\n\n", "\x1c", " ",
)  # fmt: skip
DEFINITIONS = st.lists(
    st.one_of(st.sampled_from((*DEFINING, " ")), st.text(max_size=2)), max_size=40
).map("".join)


@needs_defined
@given(st.one_of(TEXTS, DEFINITIONS))
def test_the_same_short_forms_are_defined(text):
    hits = LEXICON._scan(text)
    with pytest.MonkeyPatch.context() as patch:
        compiled = find_abbreviations(text), follow_definitions(text, hits, LEXICON.sense)
        patch.setattr(abbreviations, "_KERNEL", None)
        patch.setattr(defined, "_KERNEL", None)
        assert (find_abbreviations(text), follow_definitions(text, hits, LEXICON.sense)) == compiled


SHORTS = ["CKD", "CKDs", "CK", "A/A", "A", "MS", "C+", "K2", "2", "DVT", "DVT/PE"]


@needs_defined
@given(DEFINITIONS, st.lists(st.sampled_from(SHORTS), unique=True))
def test_short_forms_stand_at_the_same_places(text, shorts):
    assert kernel("defined").places(text, shorts) == [
        defined._places_of(text, short) for short in shorts
    ]


@needs_hits
@given(TEXTS)
def test_the_same_mentions_are_widened(text):
    hits = LEXICON._scan(text)
    with pytest.MonkeyPatch.context() as patch:
        compiled = widen(text, list(hits), LEXICON.sense)
        patch.setattr(spans, "_KERNEL", None)
        assert widen(text, list(hits), LEXICON.sense) == compiled


@given(TEXTS)
def test_each_term_before_a_bracket_is_asked_once_and_in_order(text):
    hits = LEXICON._scan(text)
    seen = [(at, at, at) for at, sign in enumerate(text) if sign == "("]
    asked = list(defined._before(seen, hits, [hit.end for hit in hits]))
    assert asked == [hit for hit in hits if "(" in text[hit.end : hit.end + 2]]


@needs_terms
def test_words_that_were_refused_before_change_nothing():
    words = [f"unheard{number}" for number in range(9000)]  # more than are remembered
    text = " asthma ".join((*words, "heart failure", *words))
    assert LEXICON._scan_block(text, 0, len(text)) == LEXICON._read_block(text, 0, len(text))
    assert LEXICON._scan_block(text, 0, len(text)) == LEXICON._read_block(text, 0, len(text))
