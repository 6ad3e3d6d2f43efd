"""A replacement reads as if it had always stood there."""

import pytest

from dlp.sanitise.replacement_grammar import fit


@pytest.mark.parametrize(
    "text, term, phrase, result",
    [
        ("She has a tumour.", "tumour", "infection", "She has an infection."),
        ("An ulcer healed.", "ulcer", "skin disease", "A skin disease healed."),
        ("many ulcers here", "ulcers", "skin disease", "many skin diseases here"),
        ("She had Graves disease.", "Graves disease", "gland disease", "She had a gland disease."),
        ("She has HIV.", "HIV", "infection", "She has an infection."),
        ("Syphilis is old.", "Syphilis", "infection", "Infection is old."),
        ("the HIV clinic", "HIV", "infection", "the infection clinic"),
        ("HISTORY OF HIV.", "HIV", "infection", "HISTORY OF AN INFECTION."),
        ("an AIDS ward", "AIDS", "RNA virus infection", "an RNA virus infection ward"),
        ("Painkillers help.", "Painkillers", "therapeutic uses", "Therapeutic uses help."),
        ("an analgesic helps", "analgesic", "therapeutic uses", "a therapeutic use helps"),
        ("She has chemotherapy.", "chemotherapy", "therapeutics", "She has therapeutics."),
        ("a HIV test", "HIV", "uterine disease", "a uterine disease test"),
    ],
)
def test_number_article_and_capitals(text, term, phrase, result):
    start = text.index(term)
    begin, words = fit(text, start, start + len(term), phrase)
    made = text[:begin] + words + text[start + len(term) :]
    assert made == result
