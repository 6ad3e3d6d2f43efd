"""The tables of a language name descriptors that exist, hold nothing twice, and fit each other."""

import tomllib

import pytest

from dlp.attribute.gloss import glossed, load_gloss
from dlp.detect.illness.foreign_terms import load_terms
from dlp.detect.naming.lexicon import load_lexicon
from dlp.knowledge.mesh import load_mesh
from dlp.languages import language_table, languages
from dlp.model import Part
from dlp.resources import rules_folder
from dlp.text.context import load_contexts
from dlp.text.folding import fold


def rows(code):
    for kind, table in language_table(code, "terms")["terms"].items():
        for concept, words in table.items():
            yield kind, concept, words


@pytest.mark.parametrize("code", languages())
def test_every_descriptor_exists_and_there_are_enough(code):
    mesh = load_mesh()
    concepts = {concept for _, concept, _ in rows(code)} - {"none"}
    assert [one for one in concepts if one not in mesh] == []
    assert len(concepts) >= 2000


@pytest.mark.parametrize("code", languages())
def test_every_protected_descriptor_has_words(code):
    with (rules_folder() / "sensitivity.toml").open("rb") as file:
        entries = tomllib.load(file)["concept"]
    protected = {one["id"]: one["name"] for one in entries if one.get("category", "none") != "none"}
    concepts = {concept for _, concept, _ in rows(code)}
    assert [name for ident, name in protected.items() if ident not in concepts] == []


@pytest.mark.parametrize("code", languages())
def test_no_word_stands_twice(code):
    words = [fold(word) for _, _, words in rows(code) for word in words]
    assert sorted(one for one in set(words) if words.count(one) > 1) == []


@pytest.mark.parametrize("code", languages())
def test_every_word_leads_back_to_its_descriptor(code):
    terms, capitals = load_terms(code), language_table(code, "terms")["capitals"]
    for _, concept, words in rows(code):
        for word in words:
            written = word.upper() if fold(word) in capitals else word
            told = [found.concept for found in terms.scan(written)]
            assert told == ["" if concept == "none" else concept], word


@pytest.mark.parametrize("code", languages())
def test_the_other_tables_load(code):
    load_contexts(code)
    load_lexicon(code)
    text = "x " + " / ".join(language_table(code, "gloss")["phrases"]) + " x"
    assert len(load_gloss(code).written(text)) == len(text)


def test_a_gloss_keeps_every_place():
    part = Part("body", "Frau Dörte Oertel leidet an Epilepsie.")
    english = glossed(part, ("de",)).text
    assert len(english) == len(part.text)
    assert english.index("Dörte Oertel") == part.text.index("Dörte Oertel")
    assert "suffers" in english
