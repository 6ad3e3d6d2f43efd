"""Lines that name somebody and tell of their health are a list; prose and programmes are none."""

import re

from dlp.detect.linking.listed import listed
from dlp.detect.naming.mention import CLINICIAN, Mention
from dlp.model import Finding, Kind


def person(text, name, role=""):
    start = text.index(name)
    first, last = name.split()
    place = (start, start + len(name))
    return Mention(Kind.PERSON, 0, *place, 0.9, "name", ("dictionary",), role, first, last)


def owners(text, names, terms, role=""):
    people = sorted((person(text, name, role) for name in names), key=lambda one: one.start)
    findings = [
        Finding(Kind.DISEASE, "health-term", 0, found.start(), found.end(), 0.9)
        for term in terms
        for found in re.finditer(term, text)
    ]
    found = listed(text, people, findings)
    return {text[start : start + 4]: f"{m.first} {m.last}" for start, m in found.items()}


NAMES = ("Ada Hale", "Tom Reed")


def test_each_fact_belongs_to_the_person_of_its_line():
    text = "Bed 3 Ada Hale, asthma\nBed 4 Tom Reed - gout, waiting\n"
    assert owners(text, NAMES, ("asthma", "gout")) == {"asth": "Ada Hale", "gout": "Tom Reed"}


def test_one_line_is_no_list():
    assert owners("Ada Hale - asthma\nTom Reed - late\n", NAMES, ("asthma",)) == {}


def test_lines_of_prose_are_no_list():
    text = "said the minister, Ada Hale, of asthma\nand then Tom Reed spoke of gout\n"
    assert owners(text, NAMES, ("asthma", "gout")) == {}


def test_titles_of_talks_and_departments_are_not_said_of_anybody():
    text = "10:00 Ada Hale - Asthma today\n11:00 Tom Reed - gout clinic\n"
    assert owners(text, NAMES, ("Asthma", "gout")) == {}


def test_clinicians_are_not_on_the_list_of_patients():
    text = "Ada Hale - asthma\nTom Reed - gout\n"
    assert owners(text, NAMES, ("asthma", "gout"), CLINICIAN) == {}
