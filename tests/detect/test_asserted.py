"""A health term holds as its box, answer, blank or column says."""

import io
import random

import pytest

from dlp.decode.extract import read
from dlp.detect.illness.health import FindHealth
from dlp.model import Case, FileRef

TERMS = ("asthma", "gout", "epilepsy", "migraine", "hepatitis", "glaucoma", "eczema", "malaria")
FIRST = ("Ada", "Bram", "Cleo", "Dov", "Edda", "Finn", "Greta", "Hugo")
LAST = ("Marsh", "Ortiz", "Quill", "Rowe", "Stone", "Tarn", "Vale", "Wren")
NOT_TOLD = {"negated", "template"}
FIND = FindHealth()


def name(draw):
    return f"{draw.choice(FIRST)} {draw.choice(LAST)}"


def told(data, file_name):
    """Pairs of the text of each finding that states a fact, and its line."""
    document = read(io.BytesIO(data), file_name).document
    case = FIND(Case(FileRef("s", b"x"), document=document, language="en"))
    found = []
    for one in case.findings:
        if not one.context & NOT_TOLD:
            text = document.parts[one.part].text
            line = text[text.rfind("\n", 0, one.start) + 1 :].split("\n")[0]
            found.append((text[one.start : one.end].lower(), line))
    return found


@pytest.mark.parametrize("signs", [("[x]", "[ ]"), ("☒", "☐"), ("(x)", "( )")])
@pytest.mark.parametrize("seed", range(5))
def test_only_ticked_items_are_facts(signs, seed):
    draw = random.Random(f"{signs}{seed}")
    terms = draw.sample(TERMS, 4)
    ticked = draw.choice(terms)
    boxes = "  ".join(f"{signs[term != ticked]} {term.capitalize()}" for term in terms)
    text = f"Health questionnaire\n\nName: {name(draw)}\nTick what applies: {boxes}\n"
    assert [term for term, _ in told(text.encode(), "a.txt")] == [ticked]


@pytest.mark.parametrize(
    "yes,no", [("1", "0"), ("Yes", "No"), ("Y", "N"), ("TRUE", "FALSE"), ("x", "")]
)
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("seed", range(3))
def test_a_column_of_answers_states_its_heading_row_by_row(yes, no, delimiter, seed):
    draw = random.Random(f"{yes}{delimiter}{seed}")
    terms = draw.sample(TERMS, 3)
    rows = [[name(draw), *(draw.choice((yes, no)) for _ in terms)] for _ in range(8)]
    rows[0][1:] = [yes, no, yes]
    lines = [delimiter.join(row) for row in [["name", *terms], *rows]]
    found = told("\n".join(lines).encode(), "a.csv")
    expected = [row[0] for row in rows for cell in row[1:] if cell == yes]
    assert sorted(line.split(delimiter)[0] for _, line in found) == sorted(expected)


def test_a_column_of_no_states_nothing():
    text = "name,asthma,gout\nAda Marsh,0,No\nBram Rowe,0,No\n"
    assert told(text.encode(), "a.csv") == []


def test_a_flag_in_json_states_its_key():
    text = '[{"name": "Ada Marsh", "hasAsthma": true, "hasGout": false}]'
    document = read(io.BytesIO(text.encode()), "a.json").document
    case = FIND(Case(FileRef("s", b"x"), document=document, language="en"))
    facts = [one for one in case.findings if not one.context & NOT_TOLD]
    lines = [text_before(document, one) for one in facts]
    assert len(lines) == 1
    assert "hasAsthma" in lines[0]


def text_before(document, one):
    """The line of a finding, up to it."""
    return document.parts[one.part].text[: one.start].rsplit("\n", 1)[-1]


def test_a_free_answer_under_a_health_heading_is_a_fact_in_any_words():
    text = "name,diagnosis\nAda Marsh,zork trouble\nBram Rowe,none\nCleo Vale,\n"
    assert [term for term, _ in told(text.encode(), "a.csv")] == ["zork trouble"]


def test_the_answer_settles_what_the_question_leaves_open():
    text = "Name: Ada Marsh\nAny history of asthma? Yes\nDo you suffer from gout? No\n"
    assert [term for term, _ in told(text.encode(), "a.txt")] == ["asthma"]


@pytest.mark.parametrize("title,found", [("Medical claim", ["zork trouble"]), ("Car sale", [])])
def test_a_condition_is_of_health_in_a_medical_form_only(title, found):
    text = f"{title}\n\nName: Ada Marsh\nCondition: zork trouble\n"
    assert [term for term, _ in told(text.encode(), "a.txt")] == found
