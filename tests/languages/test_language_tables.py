"""The tables of a language name descriptors that exist, hold nothing twice, and fit each other."""

import random
import re
import tomllib

import pytest

from dlp.detect.naming.lexicon import load_lexicon
from dlp.knowledge.foreign_terms import load_terms
from dlp.knowledge.mesh import load_mesh
from dlp.languages import language_table, languages
from dlp.model import Case, Document, FileRef, Finding, Gap, GapCode, Kind, Part
from dlp.resources import rules_folder
from dlp.text.context import load_contexts, spelt_out
from dlp.text.folding import fold
from dlp.text.gloss import Glossed, InEnglish, load_gloss


def rows(code):
    raw = language_table(code, "terms")
    for kind, table in raw["terms"].items():
        for concept, words in table.items():
            yield kind, concept, [*spelt_out(words, raw.get("classes", {}), code)]


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
    gloss = language_table(code, "gloss")
    for english, phrases in gloss["phrases"].items():
        for phrase in phrases:
            assert load_gloss(code).written(phrase).lower() == english.lower(), phrase


@pytest.mark.parametrize("code", languages())
def test_the_heading_of_its_descriptor_stands_behind_every_row(code):
    mesh, lines = load_mesh(), (rules_folder() / "languages" / code / "terms.toml").read_text()
    told = re.findall(r"^(D\d+) = .*\]  # (.*)$", lines, re.MULTILINE)
    concepts = [concept for _, concept, _ in rows(code) if concept != "none"]
    assert [concept for concept, _ in told] == concepts
    assert [name for concept, name in told if name != mesh.name(mesh.index(concept))] == []


@pytest.mark.parametrize("code", languages())
def test_a_gloss_keeps_names_and_their_places(code):
    draw = random.Random(code)
    phrases = [one for many in language_table(code, "gloss")["phrases"].values() for one in many]
    for _ in range(200):
        name = (
            "".join(draw.choices("KLMNRT", k=2)) + "xvq Zqo" + "".join(draw.choices("aeiou", k=3))
        )
        before, behind = (" ".join(draw.sample(phrases, 3)) for _ in range(2))
        text = f"{before} {name} {behind}"
        start = len(before) + 1
        person = Finding(Kind.PERSON, "test", 0, start, start + len(name), 1.0)
        gap = Gap(GapCode.LANGUAGE, f"language:{code}")
        document = Document("text/plain", (Part("body", text),))
        case = Case(FileRef("", b"x"), document, findings=(person,), gaps=(gap,))
        english = InEnglish(case)
        (moved,) = english.case.findings
        assert english.case.document.parts[0].text[moved.start : moved.end] == name
        assert [*english.back([moved])] == [person]


def test_an_article_before_a_name_is_left_out():
    text = "Gestern hat der Uwe Stolz gefehlt"
    place = text.index("Uwe")
    gloss = load_gloss("de")
    phrases = gloss.phrases_in(text, [(place, place + 9)], [place])
    assert Glossed(text, phrases).text.startswith("Yesterday has Uwe Stolz")
