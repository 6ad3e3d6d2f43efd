"""Mentions reach findings without their values, once each, bounded whatever the text."""

import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.attribute.stage import Attribute
from dlp.detect.identify.identifiers import FindIdentifiers
from dlp.detect.illness.health import FindHealth
from dlp.detect.naming.mentions import (
    BUDGET,
    FindMentions,
    MentionFinder,
    find_mentions,
    find_names,
    mention_finder,
)
from dlp.detect.naming.model_reader import Entity, installed, load_model
from dlp.model import Case, Document, FieldMap, FileRef, Kind, Part

KEY = bytes(32)
FIRST = ["Jennifer", "Robert", "Imogen", "Carol", "Daniel", "Helen", "Kevin", "Martha"]
LAST = ["Kowalski", "Brennan", "Fraser", "Caldwell", "Okafor", "Lindqvist", "Moretti", "Hargreaves"]


def case_of(*parts):
    return Case(FileRef("", b"x"), Document("text/plain", parts))


def kinds(text):
    return {(text[m.start : m.end], m.kind.value) for m in find_mentions(text)}


def table(rows):
    fields = FieldMap()
    pieces, length = [], 0
    for number, row in enumerate(rows):
        for label, value in row.items():
            fields.add(label, length, length + len(value), number)
            pieces.append(value + "\t")
            length += len(value) + 1
        pieces[-1] = pieces[-1][:-1] + "\n"
    return Part("sheet:1", "".join(pieces), fields)


@pytest.mark.parametrize(
    "text, name, kind",
    [
        ("She lives in Boston with her cat.", "Boston", "place"),
        ("He came from Sunnyvale, CA last year.", "Sunnyvale, CA", "place"),
        ("City: Reading\n", "Reading", "place"),
        ("patient john smith, lives in boston", "boston", "place"),
        ("seen at Maple Grove Hospital today", "Maple Grove Hospital", "provider"),
        ("admitted to St. Vincent's on Monday", "St. Vincent's", "provider"),
        ("studied at the University of Toronto", "University of Toronto", "organisation"),
        (
            "a letter from Harbourview Insurance Group",
            "Harbourview Insurance Group",
            "organisation",
        ),
    ],
)
def test_places_and_houses_are_told_apart(text, name, kind):
    assert (name, kind) in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "He likes reading in the mobile home, in March.",
        "COURSE IN HOSPITAL: stable. INDICATIONS FOR SURGERY: pain.",
        "The Emergency Department and the Medical Center were full.",
        "LIMA and ICA were patent.",
    ],
)
def test_words_are_no_places(text):
    assert {kind for _, kind in kinds(text)} <= {"person"}
    assert find_names(text) == []


def test_a_wide_place_is_a_mention_but_no_finding():
    case = FindMentions(KEY)(case_of(Part("body", "She was born in Canada.")))
    assert [m.kind for m in case.facts["mentions"]] == [Kind.PLACE]
    assert "population" in " ".join(case.facts["mentions"][0].evidence)
    assert case.findings == ()


def test_a_name_found_once_is_found_everywhere_in_the_document():
    parts = Part("body", "Patient: Aoife Brennan\nBrennan slept well."), Part("note", "aoife ate. ")
    case = FindMentions(KEY)(case_of(*parts))
    found = [(m.part, parts[m.part].text[m.start : m.end], m.role) for m in case.facts["mentions"]]
    assert (0, "Brennan", "patient") in found
    assert (1, "aoife", "patient") in found


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(FIRST), st.sampled_from(LAST)), min_size=1, max_size=5))
def test_more_text_never_loses_a_name(people):
    """The dictionary of a document only grows."""
    start = "".join(f"Mrs. {first} {last} came.\n" for first, last in people[:1])
    whole = start + "".join(f"Mr. {first} {last} left.\n" for first, last in people[1:])
    before = {(m.start, m.end) for m in find_names(start)}
    assert before <= {(m.start, m.end) for m in find_names(whole)}


def test_findings_carry_fingerprints_and_no_names():
    case = FindMentions(KEY)(case_of(Part("body", "Dear Helen Fraser, and Mrs. Helen Fraser.")))
    people = [f for f in case.findings if f.kind is Kind.PERSON]
    assert len({f.fingerprint for f in people}) == 1
    assert "Fraser" not in repr(case.findings) + repr(case.facts["mentions"])


def test_health_terms_are_no_people():
    case = case_of(Part("body", "She takes Allegra for allergies. Ask Robert Fraser."))
    case = FindMentions(KEY)(FindHealth()(case))
    text = case.document.parts[0].text
    named = [text[f.start : f.end] for f in case.findings if f.kind is Kind.PERSON]
    assert named == ["Robert Fraser"]


def test_cells_are_people_by_their_column():
    part = table([{"Last Name": "Roe", "First Name": "Will", "City": "Hope", "Dx": "asthma"},
                  {"Last Name": "n/a", "First Name": "May", "City": "", "Dx": "none"}])  # fmt: skip
    case = FindMentions(KEY)(case_of(part))
    found = {
        (part.text[m.start : m.end], m.first, m.last, m.record): m for m in case.facts["mentions"]
    }
    assert found["Will", "Will", "Roe", 0].role == "patient"
    assert ("May", "May", "", 1) in found
    assert found["Hope", "", "", 0].kind is Kind.PLACE


def test_a_big_table_is_bounded():
    part = table([{"name": f"{a} {b}", "dx": "asthma"} for a in FIRST for b in LAST] * 1600)
    started = time.process_time()
    case = FindMentions(KEY)(case_of(part))
    assert len(case.facts["mentions"]) >= 40_000
    assert time.process_time() - started < 20


def test_a_million_names_are_bounded():
    names = [f"{a} {b}" for a in FIRST for b in LAST]
    text = "\n".join(names * (1_000_000 // len(names)))
    started = time.process_time()
    found = find_names(text)
    assert 40_000 <= len(found) < 200_000
    assert time.process_time() - started < 30


@pytest.mark.parametrize(
    "piece",
    ["A", "A. ", "Mr. ", "St. ", "John, ", "John-", "d'", "O'", "de la ", "Hospital ", "X:", "'s ",
     "Dr. Dr. ", "of ", "in Paris, ", "University of ", "\u200b", "ß", "\U0001d400", "Name: "],
)  # fmt: skip
def test_hostile_text_takes_linear_time(piece):
    text = piece * (200_000 // len(piece))
    started = time.process_time()
    find_mentions(text)
    assert time.process_time() - started < 6


@given(st.text(alphabet=string.printable + "éßÅ’\u200b\u00ad", max_size=300))
def test_any_text_gives_ordered_spans(text):
    end = 0
    for mention in find_mentions(text):
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end


class Heard:
    """A reader that writes down what the real model is asked."""

    def __init__(self, model):
        self._model = model
        self.sentences = []

    def read(self, sentences):
        self.sentences += sentences
        return self._model.read(sentences)


def asked_with_model(text):
    heard = Heard(load_model())
    case = FindHealth()(FindIdentifiers(KEY)(case_of(Part("body", text))))
    finder = MentionFinder(model=heard)
    return heard, FindMentions(KEY, finder, model="auto")(case).facts["mentions"]


DOUBTFUL = "Follow up about the asthma with Grace Banks, who was wheezing a lot at night."
NUMBER = "\nMRN: 48213377\n"


@pytest.mark.skipif(installed() is None, reason="no English model is installed")
def test_the_model_is_asked_where_its_answer_could_make_somebody_a_patient():
    heard, asked = asked_with_model(DOUBTFUL + NUMBER)
    assert heard.sentences == [DOUBTFUL + "\n"]
    plain = find_mentions(DOUBTFUL + NUMBER)
    assert {(m.start, m.end) for m in plain} <= {(m.start, m.end) for m in asked}
    assert mention_finder("never").model is None


@pytest.mark.skipif(installed() is None, reason="no English model is installed")
@pytest.mark.parametrize(
    "text",
    [
        DOUBTFUL,  # nothing that would identify whoever it is
        DOUBTFUL + " The rain went on and on." * 60 + NUMBER,  # too far from the number
        DOUBTFUL.replace("asthma", "party").replace("wheezing", "singing") + NUMBER,  # no health
        "Patient: Helen Fraser\n" + DOUBTFUL + NUMBER,  # somebody is named already
        DOUBTFUL.replace("Grace Banks", "the man") + NUMBER,  # nothing is in doubt
    ],
)
def test_the_model_is_left_alone_where_its_answer_changes_nothing(text):
    assert asked_with_model(text)[0].sentences == []


@pytest.mark.skipif(installed() is None, reason="no English model is installed")
def test_the_model_reads_no_more_of_a_file_than_its_budget():
    heard, _ = asked_with_model((DOUBTFUL + " Call 416-555-0142. ") * 500)
    assert 0 < sum(map(len, heard.sentences)) <= BUDGET


@pytest.mark.skipif(installed() is None, reason="no English model is installed")
def test_a_name_the_model_teaches_is_found_everywhere():
    class Sure:
        def read(self, sentences):
            return [[Entity("person", s.index("Grace"), s.index("Banks") + 5)] for s in sentences]

    text = DOUBTFUL + NUMBER + "The rain went on and on. " * 60 + "Later Banks slept."
    case = FindHealth()(FindIdentifiers(KEY)(case_of(Part("body", text))))
    found = FindMentions(KEY, MentionFinder(model=Sure()), model="auto")(case).facts["mentions"]
    people = [text[m.start : m.end] for m in found if m.kind is Kind.PERSON]
    assert people == ["Grace Banks", "Banks"]


def test_a_name_belongs_to_whoever_bears_it_not_to_the_name_before():
    text = "Seen with Helen Fraser and Robert Quillfeather in the clinic.\n"
    case = Attribute(KEY)(FindMentions(KEY)(case_of(Part("body", text))))
    owners = {text[f.start : f.end]: f.person for f in case.findings if f.kind is Kind.PERSON}
    assert set(owners) == {"Helen Fraser", "Robert Quillfeather"}
    assert None not in owners.values()
    assert len(set(owners.values())) == 2
