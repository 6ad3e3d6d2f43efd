"""Grammar of a language as data: denials, things that ail, nouns before names, operations by organ.

Words are drawn afresh from the tables; nothing here repeats a row.
"""

import random

import pytest

from dlp.detect.naming.mentions import finder_for
from dlp.knowledge.foreign_terms import load_terms
from dlp.languages import language_table, languages
from dlp.model import Kind
from dlp.text.context import load_contexts, spelt_out
from tests.languages.blind import ILLNESSES
from tests.languages.texts import SENTENCES

NAMES = ("Marta Lindqvorn", "Irene Falkenholm", "Thomas Korvathen", "Peter Sorvarinen")


def said_of(code, before, term, behind=""):
    text = f"{before} {term}{behind}"
    start = text.index(term)
    (told,) = load_contexts(code).of(text, [(start, start + len(term))])
    return told


def drawn(code, name, count):
    draw = random.Random(f"{code} {name}")
    words = language_table(code, "cues")["classes"][name]
    return [
        (one, draw.choice(ILLNESSES[code])) for one in draw.sample(words, min(count, len(words)))
    ]


@pytest.mark.parametrize("code", languages())
def test_a_verb_behind_a_denial_belongs_to_it_and_one_of_its_own_ends_it(code):
    classes = language_table(code, "cues")["classes"]
    denial = classes["no"][0]
    for verb, term in drawn(code, "has", 4):
        assert "negated" in said_of(code, f"{denial} {verb}", term)
    (ability,) = random.Random(code).sample(language_table(code, "cues")["pseudo"]["words"], 1)
    assert "negated" not in said_of(code, ability, drawn(code, "has", 1)[0][1])


@pytest.mark.parametrize("code", languages())
def test_what_a_thing_suffers_from_is_a_figure_of_speech(code):
    (ill, term), *_ = drawn(code, "ill", 1)
    for thing, _ in drawn(code, "thing", 6):
        assert "figurative" in said_of(code, f"{thing} {ill}", term), thing
    for name in NAMES:
        assert "figurative" not in said_of(code, f"{name} {ill}", term)


@pytest.mark.parametrize("code", languages())
def test_a_talk_to_an_audience_tells_of_nobody(code):
    (about, term), *_ = drawn(code, "about", 1)
    for audience, _ in drawn(code, "audience", 4):
        assert "general" in said_of(code, f"{audience} {about}", term), audience


@pytest.mark.parametrize("code", languages())
def test_a_noun_before_a_name_is_none_of_it(code):
    draw, prose = random.Random(code), " ".join(SENTENCES[code][:2])
    for name in NAMES:
        noun = (
            "".join(draw.choices("BDFGLMRT", k=1)) + "".join(draw.choices("aeiou", k=2)) + "zqung"
        )
        text = f"{prose}\n{noun} {name}, {prose}"
        told = {
            text[one.start : one.end]
            for one in finder_for(code).find(text)
            if one.kind is Kind.PERSON
        }
        assert name in told, (noun, told)


@pytest.mark.parametrize("code", languages())
def test_an_operation_is_told_by_its_organ(code):
    raw, draw = language_table(code, "terms"), random.Random(code)
    patterns = [w for words in raw["terms"]["procedure"].values() for w in words if "{" in w]
    for phrase in draw.sample([*spelt_out(patterns, raw["classes"], code)], 8):
        told = load_terms(code).scan(f"{SENTENCES[code][0]} {phrase}.")
        assert "D013514" in {one.concept for one in told}, phrase
