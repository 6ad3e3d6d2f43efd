"""The compiled loops of linking answer as their Python twins do, whatever the text is."""

import hmac
import re
import sys
from collections import defaultdict

import pytest
from dlp.detect.linking import (
    asserting,
    casting,
    drafts,
    pasted,
    subjects,
)
from dlp.detect.linking.asserting import (
    OFTEN,
    is_regular,
    load_asserting,
)
from dlp.detect.linking.intimates import is_talk
from dlp.detect.linking.leads import LATIN, ODD_CASE
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.naming.mention import CLINICIAN, PATIENT, Mention
from dlp.keys import fingerprint
from dlp.model import Case, Document, FileRef, Finding, Kind, Part

WORDS = ["Hale", "Ada", "ada", "Tom", "T", "İbrahim", "Doe", "John", "Afro", "abc", ""]
words = st.sampled_from(WORDS)
mentions = st.lists(
    st.builds(
        Mention,
        kind=st.sampled_from([Kind.PERSON, Kind.PERSON, Kind.PLACE]),
        part=st.integers(0, 1),
        start=st.integers(0, 400),
        end=st.just(500),
        confidence=st.sampled_from([0.4, 0.55, 0.9]),
        rule_id=st.just("name"),
        evidence=st.sampled_from([(), ("label",), ("title",)]),
        role=st.sampled_from(["", PATIENT, CLINICIAN, "correspondent"]),
        first=words,
        last=words,
        sex=st.sampled_from(["", "f", "m"]),
    ),
    max_size=30,
    unique_by=lambda m: (m.part, m.start),
)


CELLS = [
    "name",
    "dob",
    "phone",
    "the patient",
    "Ada",
    "x" * 34,
    '"a',
    'b"',
    "1980",
    "born in",
    "é",
    " ",
]
rows = st.lists(st.sampled_from(CELLS), min_size=1, max_size=5)


def test_only_three_letters_have_an_odd_case():
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    small = [char for char in map(chr, range(256)) if LATIN.fullmatch(char) and char.islower()]
    for char in small:
        for other in re.findall(re.escape(char), everything, re.IGNORECASE):
            assert other.lower() == char or ODD_CASE.match(other)


@given(st.text(alphabet="Has got been onſİéıtratamiento y, :(", max_size=60))
def test_a_phrase_leads_up_as_the_whole_pattern_says(left):
    leads = load_asserting()._before
    assert leads.up_to(left) == (leads._any.search(left) is not None)


@given(st.text(alphabet="twice dailyprnmg 5x week_é.", max_size=60), st.integers(0, 9))
def test_how_often_is_found_by_either_engine(text, cut):
    end = max(cut, len(text) - cut)
    assert is_regular(text, cut, end) == (OFTEN.search(text, cut, end) is not None)


@given(st.text(alphabet="Trial of ſtudy propoSed \u0130guideline", max_size=40))
def test_a_plan_is_found_by_its_words(left):
    assert asserting.is_planned(left) == (asserting.PLAN.search(left) is not None)


@pytest.mark.parametrize(
    "plan", ["Trials of", "a study of", "PROPOSAL", "guideline for", "ſtudy of"]
)
def test_a_plan_is_a_plan(plan):
    assert asserting.is_planned(plan)


@given(st.text(alphabet="diagnosis: x.\t\n_", max_size=80), st.integers(0, 80))
def test_the_label_of_a_field_is_found_as_in_its_line(text, place):
    asserting = load_asserting()
    place = min(place, len(text))
    line = text.rfind("\n", 0, place) + 1
    told = asserting._field.search(text[line:place]) is not None
    assert asserting._is_field(text, line, place) == told


def test_a_talk_has_two_speakers_who_take_turns():
    assert is_talk("Ada: hello\nTom: yes\nAda: so\nTom: no\n")
    assert not is_talk("Ada: hello\nTom: yes\nAda: so\nAda: no\n")
    assert not is_talk("Note: one: two: three: four: ")


def test_sounds_leave_vowels_and_doubles_out():
    told = {drafts.sound("Ada", last) for last in ("O'Hallöran", "OHALLÖRAN", "Ohlorn")}
    assert drafts.sound("", "") == ""
    assert drafts.sound("Ada", "Hallee") == "ahl"
    assert len(told) > 1


def test_a_fingerprint_is_an_hmac():
    for key in (b"", bytes(32), b"k" * 64, b"k" * 100):
        told = hmac.digest(key, b"name:ada hale", "sha256").hex()[:32]
        assert fingerprint(key, "name", "ada hale") == told


def test_a_case_with_other_fields_is_as_replace_makes_it():
    case = Case(FileRef("s", b"p"), language="en")
    assert case.but(language="es", reason="r") == Case(FileRef("s", b"p"), None, "es", None, "r")
    assert case.language == "en"
    with pytest.raises(TypeError):
        case.but(colour="red")


def nearest(people, place, text):
    """As it is said: whoever is named last before it in its line, else whoever is nearest."""
    near = [
        m
        for m in people
        if m.role != CLINICIAN and -casting.HEADER <= m.start - place < casting.HEADER
    ]
    line = text.rfind("\n", 0, place)
    same = [m for m in near if line < m.start < place]
    return min(same or near, key=lambda m: abs(m.start - place), default=None)


@given(mentions, st.integers(0, 1200), st.lists(st.integers(0, 1199), max_size=20))
def test_an_identifier_is_of_whoever_is_nearest(found, place, ends):
    text = "".join("\n" if n in set(ends) else "x" for n in range(1200))
    people = [m for m in found if m.part == 0 and m.kind is Kind.PERSON]
    rows = drafts.people_of(people, 1, 0.0)
    rows[0].sort(key=lambda m: m.start)
    document = Document("text/plain", (Part("body", text),))
    starts, keys = [m.start for m in rows[0]], [str(m.start) for m in rows[0]]
    named = {key: drafts.Draft(key) for key in keys}
    genre = defaultdict(int)
    whose = subjects.Whose(document, [(starts, rows[0])], [keys], named, genre)
    one = Finding(Kind.PHONE, "phone", 0, place, place + 1, 0.9)
    who = nearest(rows[0], place, text)
    assert whose.identifier(one) == (str(who.start) if who else None)


def test_half_a_character_does_no_harm():
    assert pasted.pasted_table("name,\ud800,born\nAda,x,1980-02-03") is not None


@given(st.text(max_size=3), st.text(alphabet="HhaeLl'öÖİ-ſ ", max_size=12))
def test_a_sound_is_what_its_letters_say(first, last):
    letters = [char for char in last.lower() if char.isalpha()]
    skeleton = [c for i, c in enumerate(letters) if not i or c not in "aeiouyhw"]
    squeezed = [c for i, c in enumerate(skeleton) if not i or c != skeleton[i - 1]]
    assert drafts.sound(first, last) == f"{first[:1].lower()}{''.join(squeezed)}"
