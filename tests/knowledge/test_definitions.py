"""The compiled search for health terms gives what the one in numpy gives, whatever the text."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge import abbreviations
from dlp.knowledge.health import load_health

LEXICON = load_health()

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


@given(TEXTS)
def test_each_term_before_a_bracket_is_asked_once_and_in_order(text):
    hits = LEXICON._scan(text)
    seen = [(at, at, at) for at, sign in enumerate(text) if sign == "("]
    asked = list(abbreviations._before(seen, hits, [hit.end for hit in hits]))
    assert asked == [hit for hit in hits if "(" in text[hit.end : hit.end + 2]]
