"""A published title is known however a file name spells it; an ordinary word is never one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.titles import normalise, says_enough, table_of
from dlp.triage.rules import read_title_rules
from dlp.triage.titles import import_titles, load_titles, promises_record, stem_of

RULES = read_title_rules()
TITLES = load_titles(RULES)


@pytest.mark.parametrize(
    "name",
    [
        "Pride and Prejudice.txt",
        "pride_and_prejudice.pdf",
        "PRIDE.AND.PREJUDICE.epub",
        "Copy of Pride and Prejudice.doc",
        "03 - Pride and Prejudice.txt",
        "Jane Austen - Pride and Prejudice.txt",
        "Pride and Prejudice by Jane Austen.txt",
        "Pride and Prejudice (1813).txt",
        "Pride and Prejudice - ebook.txt",
        "Da Vinci Code, The.txt",
        "New York New York.mp3.txt",
    ],
)
def test_a_title_survives_its_file_name(name):
    assert TITLES.know(stem_of(f"folder/{name}".encode()))


@pytest.mark.parametrize(
    "name",
    [
        *("Letter.doc", "The Letter.txt", "Notes.txt", "Report.pdf", "Untitled.txt", "scan 3.pdf"),
        *("My Family.doc", "Family Letters.doc", "Annual Report.xls", "Statement.pdf", "a.txt"),
        *("12.txt", "Pride and Prejudice and my thoughts on it.txt", ".txt", "\udcff.txt"),
    ],
)
def test_an_ordinary_name_is_no_title(name):
    assert not TITLES.know(stem_of(name.encode("utf-8", "surrogateescape")))


def test_the_site_adds_its_own_titles():
    own = ["# our newsletter", "", "The Lakeside Quarterly Almanack", "Letter"]
    site = load_titles(RULES, own)
    assert site.know("lakeside quarterly almanack")
    assert not TITLES.know("lakeside quarterly almanack")
    assert len(import_titles(own, RULES.ordinary)) == 1


@pytest.mark.parametrize(
    "name",
    [
        *("Jane Doe letter of assessment", "My affidavit", "discharge_summary_7", "PatientChart"),
        *("hospital bill", "referral-Mbeki", "Consult note", "lab results", "intake form", "MRI"),
        *("PERMISSION SLIP", "witness statement", "hx and physical"),
    ],
)
def test_a_title_that_promises_a_record_is_noticed(name):
    assert promises_record(name, RULES)


@pytest.mark.parametrize("name", ["Labrador puppies", "Great Expectations", "chartreuse", "erode"])
def test_a_stem_inside_another_word_promises_nothing(name):
    assert not promises_record(name, RULES)


@given(st.text(max_size=80))
def test_normalising_twice_changes_nothing_more(title):
    once = normalise(title)
    assert normalise(once) == once


@given(st.lists(st.text(alphabet="abcdefg hij", min_size=1), max_size=30))
def test_every_imported_title_is_known_and_nothing_else(lines):
    kept = {normalise(line) for line in lines} - {""}
    kept = {title for title in kept if says_enough(title, frozenset())}
    assert set(import_titles(lines).tolist()) == set(table_of(kept).tolist())
