"""Labels and names that a scanner misread mean what they would mean if it had read them well."""

import io
import random

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef
from dlp.text.field_labels import meaning_of
from dlp.text.labels import is_caption
from dlp.text.misread_labels import meant, with_letters

LOOKS = {"a": "o", "e": "c", "o": "0", "i": "1", "l": "1", "m": "rn", "s": "5"}
LABELS = [
    "Patient name",
    "Patient",
    "Date of birth",
    "Surname",
    "First name",
    "Address",
    "Telephone",
]
FIRST = ["Ottoline", "Casimir", "Delphine", "Marcel", "Salome", "Leonie"]
LAST = ["Maclaren", "Oldacre", "Simmons", "Callaway", "Melrose", "Esposito"]


def misread(words, chance, letters=LOOKS):
    return "".join(
        letters[char.lower()] if char.lower() in letters and chance.random() < 0.3 else char
        for char in words
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_misread_label_means_what_was_printed(seed):
    chance = random.Random(seed)
    label = chance.choice(LABELS)
    written = misread(label, chance)
    assert meaning_of(written) == meaning_of(label)
    assert is_caption(written) == is_caption(label)


@pytest.mark.parametrize(
    "word", ["came", "data", "sox", "lame", "cage", "soc", "Acme", "Bath", "note", "dote", "nome"]
)
def test_a_word_that_only_looks_alike_stays(word):
    assert meant(word) == word


def test_figures_within_a_name_are_letters():
    assert with_letters("Wa1ter 0liveira") == "Walter oliveira"
    assert with_letters("Room 10") == "Room 10"
    assert with_letters("Unit 5B") == "Unit 5B"


@pytest.fixture(scope="module")
def analysis():
    return Analysis(Settings())


@pytest.mark.parametrize("seed", range(12))
def test_a_misread_form_leaks_as_the_clear_one_does(analysis, seed):
    chance = random.Random(seed)
    name = f"{chance.choice(FIRST)} {chance.choice(LAST)}"
    labels = ("Patient name", "Date of birth")
    for read in (lambda words: words, lambda words: misread(words, chance)):
        text = f"{read(labels[0])}   {read(name)}\n{read(labels[1])}   14 June 1961\n\nRx: levetiracetam 500 mg BID.\n"
        record = analysis(FileRef("share", b"sheet.txt"), io.BytesIO(text.encode()))
        assert record["container"] == "phi", text
