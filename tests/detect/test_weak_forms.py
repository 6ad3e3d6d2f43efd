"""People with a weak or unusual form of identity are mentions, each with its form and role.

Names are drawn from the dictionaries, so no sentence is known by its name.
"""

from __future__ import annotations

import random

import pytest

from dlp.detect.identify.identifiers import FindIdentifiers
from dlp.detect.naming.file_names import in_file_name
from dlp.detect.naming.handles import handle_of
from dlp.detect.naming.mentions import FindMentions
from dlp.detect.naming.names import default_names
from dlp.knowledge.people import load_people
from dlp.model import Case, Document, FileRef, Kind, Mention, MentionForm, Part

KEY = bytes(32)
FIRST = ("Tamsin", "Colin", "Nadia", "Ngozi", "Marcelle", "Gareth", "Ottilie", "Deepak", "Rosalind")
LAST = ("Oyelaran", "Pryce", "Petrova", "Lindqvist", "Okonkwo", "Duarte", "Haddon", "Kowalski")
DRAWS = range(6)


@pytest.fixture(scope="module")
def stage() -> FindMentions:
    return FindMentions(KEY)


def people(stage: FindMentions, text: str, name: bytes = b"x.txt") -> list[tuple[Mention, str]]:
    case = Case(FileRef("", name), Document("text/plain", (Part("body", text),)))
    facts = stage(FindIdentifiers(KEY)(case)).facts
    found = (*facts["mentions"], *facts["unnamed"])
    return [(m, text[m.start : m.end]) for m in found if m.kind is Kind.PERSON]


def drawn(seed: int) -> tuple[str, str]:
    draw = random.Random(seed)
    return draw.choice(FIRST), draw.choice(LAST)


WRITTEN = [
    ("Mrs {last}, a 70-year-old woman, has gout.", MentionForm.TITLE_SURNAME, "", "{last}"),
    ("Patient name: Ms {last}\nDx: asthma", MentionForm.TITLE_SURNAME, "", "{last}"),
    ("Patient: {first} {last}, Boston\nAsthma", MentionForm.FULL_NAME, "{first}", "{last}"),
    ("{upper}, {first} was seen.", MentionForm.FULL_NAME, "{first}", "{upper}"),
    ("{last}, {first} – eczema – cream", MentionForm.FULL_NAME, "{first}", "{last}"),
    ("{last}, {initial}. was seen with asthma.", MentionForm.SURNAME, "{initial}", "{last}"),
    ("{initial}. {last} was seen with asthma.", MentionForm.SURNAME, "{initial}", "{last}"),
    ("1. {last} {initial} : 39F wound infection", MentionForm.SURNAME, "{initial}", "{last}"),
    ("Surname: {last}\nForename(s): {first}\n", MentionForm.FULL_NAME, "{first}", "{last}"),
    ("Last name\t{last}\nFirst name\t{first}\n", MentionForm.FULL_NAME, "{first}", "{last}"),
    ("Note for {upper}^{first}^M today.", MentionForm.FULL_NAME, "{first}", "{upper}"),
    ('{first} "Smudge" {last} has gout.', MentionForm.FULL_NAME, "{first}", "{last}"),
    ("the name is spelt {spelt} on the card", MentionForm.SURNAME, "", "{last}"),
]


@pytest.mark.parametrize("seed", DRAWS)
@pytest.mark.parametrize("text, form, first, last", WRITTEN)
def test_a_name_has_its_form(stage, text, form, first, last, seed):
    given, family = drawn(seed)
    words = {"first": given, "last": family, "upper": family.upper(), "initial": given[0],
             "spelt": "-".join(family.upper())}  # fmt: skip
    found = people(stage, text.format(**words))
    told = {(m.form, m.first, m.last) for m, _ in found}
    assert (form, first.format(**words), last.format(**words)) in told


@pytest.mark.parametrize(
    "text, form, said",
    [
        ("Seen: J.S. (room 12) with pneumonia.", MentionForm.INITIALS, "J.S."),
        ("Bed 4, K.M. - pneumonia", MentionForm.INITIALS, "K.M."),
        ("Cabin 7 is isolating with norovirus.", MentionForm.UNIT, "Cabin 7"),
        ("Bib 1423 collapsed at mile 9.", MentionForm.NUMBER, "1423"),
        ("Employee E10442 is on sick leave", MentionForm.NUMBER, "E10442"),
        ("my late father had gout", MentionForm.KINSHIP, "my late father"),
        ("We took Dad to the clinic.", MentionForm.KINSHIP, "Dad"),
        ("and our night porter is in rehab", MentionForm.ROLE, "our night porter"),
        ("It was me: I have lupus.", MentionForm.FIRST_PERSON, "I"),
        ("write to nina.hale@mail.example", MentionForm.HANDLE, "nina.hale@mail.example"),
        ("user: tborowski wrote", MentionForm.HANDLE, "tborowski"),
    ],
)
def test_people_without_a_name_have_a_form(stage, text, form, said):
    assert (form, said) in {(m.form, words.strip()) for m, words in people(stage, text)}


@pytest.mark.parametrize("seed", DRAWS)
@pytest.mark.parametrize(
    "text, role",
    [
        ("She asked whether her boss, {0}, knows.", "other"),
        ("Mother: {0}, breast cancer at 40", "relative"),
        ("Our spaniel called {1} has a limp.", "animal"),
        ("{0} (1809–1882) had vertigo.", "public"),
        ("By {0}\nThe town hall was full.", "public"),
        ("{0}, a nurse on ward 4, said so.", "clinician"),
        ("Signed by {0}, MD", "clinician"),
    ],
)
def test_words_beside_a_name_give_its_role(stage, text, role, seed):
    first, last = drawn(seed)
    roles = [m.role for m, _ in people(stage, text.format(f"{first} {last}", first)) if m.first]
    assert roles == [role]


def test_a_list_of_names_is_many_people(stage):
    text = "Present: Tamsin Pryce, Colin Haddon, Nadia Duarte"
    names = {(m.first, m.last) for m, _ in people(stage, text)}
    assert names == {("Tamsin", "Pryce"), ("Colin", "Haddon"), ("Nadia", "Duarte")}


@pytest.mark.parametrize(
    "text",
    [
        "Surname:\nFirst names:\nDate of birth:\nAddress:\n",
        "Resident parking is free. General public welcome.",
        "Attending Physician's Statement of Disability",
        "short name: OASIS IPR\nname: Creative Commons Attribution\n",
        "articles about Albania Europe",
        "Patient name\t(removed)\nEDD\t18 March\n",
        "Patient name: XXXXX\nExam: knee\n",
        'press the "red" button',
        "font name: HelveticaNeueLT Outln",
        "the user guide and account settings",
        "type I diabetes and phase I trials",
    ],
)
def test_labels_headings_and_products_are_nobody(stage, text):
    assert people(stage, text) == []


@pytest.mark.parametrize(
    "name, told",
    [
        (b"share/pryce_colin_mri.pdf", ("Colin", "Pryce")),
        (b"Sick note - Nadia Petrova.docx", ("Nadia", "Petrova")),
        (b"DUARTE R 1979.odt", ("R", "Duarte")),
        (b"annual report 2019.docx", None),
        (b"budget_final_v2.xlsx", None),
    ],
)
def test_a_file_name_may_tell_a_person(name, told):
    found = in_file_name(name, default_names())
    assert [(m.first, m.last) for m in found] == ([told] if told else [])


@pytest.mark.parametrize(
    "handle, told",
    [
        ("colin.haddon", ("Colin", "Haddon")),
        ("haddon_colin84", ("Colin", "Haddon")),
        ("chaddon", ("C", "Haddon")),
        ("svc_backup", ("", "")),
        ("noreply", ("", "")),
    ],
)
def test_a_handle_may_spell_a_name(handle, told):
    assert handle_of(handle) == told


@pytest.mark.parametrize("seed", DRAWS)
@pytest.mark.parametrize(
    "text, shown",
    [
        ("The ferry pilot in berth {n} has gout.", "The ferry pilot"),
        ("The sexton of {last} parish has gout.", "The sexton"),
        ("The {n}-year-old beekeeper of Elko has gout.", "The {n}-year-old beekeeper"),
        ("The milk-float owner on round {n} has gout.", "The milk-float owner"),
        ("Minutes: zorv_quelt{n} needs a chair for his gout.", "zorv_quelt{n}"),
    ],
)
def test_a_post_that_a_place_or_a_number_singles_out_is_somebody(
    stage: FindMentions, seed: int, text: str, shown: str
) -> None:
    _, last = drawn(seed)
    filled = {"last": last, "n": 20 + seed}
    weak = {written for one, written in people(stage, text.format(**filled)) if not one.first}
    assert shown.format(**filled) in weak


@pytest.mark.parametrize("seed", DRAWS)
def test_what_opens_a_line_behind_a_time_is_no_part_of_the_next_word(
    stage: FindMentions, seed: int
) -> None:
    first, last = drawn(seed)
    said = ("The bus is late", f"Mabel {last} has gout", "Just saying")
    text = "\n".join(f"(1{n}:05) {first} {line}" for n, line in enumerate(said))
    named = {(one.first, one.last) for one, _ in people(stage, text)}
    assert ("Mabel", last) in named
    assert named.isdisjoint({(first, "The"), (first, "Mabel"), (first, "Just")})


@pytest.mark.parametrize(
    "text", ["Dear Sir or Madam,\nI have gout.", "I have gout.\nSigned, 3-Nov-2011"]
)
def test_neither_a_greeting_of_nobody_nor_a_date_is_a_name(stage: FindMentions, text: str) -> None:
    assert not [one for one, _ in people(stage, text) if one.first or one.last]


@pytest.mark.parametrize("seed", DRAWS)
def test_a_file_name_of_a_last_name_and_an_initial(stage: FindMentions, seed: int) -> None:
    _, last = drawn(seed)
    found = people(stage, "He has gout.", f"{last.upper()} J 1961.txt".encode())
    assert ("J", last) in {(one.first, one.last) for one, _ in found}


@pytest.mark.parametrize("gap", [" ", "  ", "\n", " \n "])
def test_a_kinship_of_several_words_may_break_over_lines(stage: FindMentions, gap: str) -> None:
    words = sorted(word for word in load_people().kinship if " " in word)
    assert words
    for word in words:
        written = word.replace(" ", gap)
        found = people(stage, f"We wrote to her {written} on Monday about the asthma.")
        assert any(m.form is MentionForm.KINSHIP for m, _ in found), word
