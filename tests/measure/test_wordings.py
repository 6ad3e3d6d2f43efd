"""What a text says of somebody counts in every wording: names, places and values drawn, one scan."""

import json
import random
import subprocess
import sys

import pytest

from bench.orderings import PLACE

SCAN = [sys.executable, "-m", "dlp", "scan", "--full", "--format", "jsonl", "--no-catalogue", "--no-progress"]  # fmt: skip
R = random.Random(2026)
SAFE = ["Nadia Garcia", "Joachim Brown", "Esther Lopez", "Bertram Jones", "Lucinda Davis"]


def name():
    return R.choice(SAFE)


def initial_and_last(who):
    return f"{who[0]}. {who.split()[1]}"


# Pairs: the second text says more, or a rarer or graver thing.
MORE = {}
for place in R.sample(PLACE["us"], 5) + R.sample(PLACE["world"], 3):
    who, region = name(), place.partition(", ")[2]
    MORE[f"city and state: {place}"] = (
        f"{who} of {region} has gout.",
        f"{who} of {place}, has gout.",
    )
    MORE[f"a place: {place}"] = (f"{who} has gout.", f"{who} of {region} has gout.")
for place in ("New York", "Georgia", "Tuvalu", "Jordan", "Nova Scotia", "Hungary"):
    who = name()
    MORE[f"a place that is a name or a word: {place}"] = (
        f"{who} has gout.",
        f"{who} of {place} has gout.",
    )
for born, finer in [
    ("1962", "June 1962"),
    ("June 1962", "14-Jun-62"),
    ("1962", "14JUN1962"),
    ("1971", "14/06/1971"),
]:
    who = name()
    MORE[f"a birth date: {finer}"] = (
        f"Patient: {who}\nBorn: {born}\nDiagnosis: gout",
        f"Patient: {who}\nBorn: {finer}\nDiagnosis: gout",
    )
for age in (
    "92M",
    "(45)",
    "a ninety-four-year-old",
    "in her nineties",
    "8 months",
    "b. 14/06/1962",
    "45",
):
    who, gap = name(), "" if age[0] == "(" else ","
    MORE[f"an age: {age}"] = (f"{who} has gout.", f"{who}{gap} {age}{gap} has gout.")
for what in (
    "works as a welder",
    "works for Halberd Freight",
    "attends Milford High School",
    "is a schoolteacher",
):
    who = name()
    MORE[what] = (f"{who} has gout.", f"{who} {what} and has gout.")
for label, born in [
    ("Birthdate", "June 1962"), ("Birthday", "06/1962"), ("Geb.", "1962"), ("Birth date", "1962"),
]:  # fmt: skip
    who = name()
    MORE[f"{label}: {born}"] = (
        f"Patient: {who}\nDiagnosis: gout",
        f"Patient: {who}\n{label}: {born}\nDiagnosis: gout",
    )
for behind in (
    ", born on Thursday 14 June 1962,", ", born in the summer of 1962,", ", born in '62,", " (1962)",
    " (*14.6.1962)", ", aged forty-five,", ", who is 45,", ", 45 yrs,", ", a teenager,", ", F, 45,",
    ", 45/F,", ", at 92,", ", a woman of 92,", ", who lives in NV,", ", who lives in Ravensmoor, Ohio,",
):  # fmt: skip
    who = name()
    MORE[f"behind a name: {behind}"] = (f"{who} has gout.", f"{who}{behind} has gout.")
for does in (
    "has a job as a florist", "is a firefighter", "runs a bakery", "retired from the post office",
    "works in a bank", "is employed by Halberd Freight", "works for Merlin Freight", "is the mayor",
):  # fmt: skip
    who = name()
    MORE[does] = (f"{who} has gout.", f"{who} {does} and has gout.")
    MORE[f"in a further sentence: {does}"] = (
        f"{who} has gout.",
        f"{who} has gout. {who.split()[0]} {does}.",
    )
for title in ("The florist", "Our beekeeper", "The deputy sheriff"):
    who = name()
    MORE[title] = (f"{who} has gout.", f"{title} {who} has gout.")
who = name()
MORE["a town below a signature"] = (
    f"I have gout.\n\nBest,\n{who}\n",
    f"I have gout.\n\nBest,\n{who}\nElko, Nevada\n",
)
for aside in ("a welder", "a retired farmer"):
    who = name()
    MORE[f"beside the name: {aside}"] = (f"{who} has gout.", f"{who}, {aside}, has gout.")
for _ in range(4):
    who = name()
    MORE[f"an initial: {who}"] = (f"{initial_and_last(who)} has gout.", f"{who} has gout.")
for less, more in [
    ("has pregnancy", "is pregnant and fifteen years old"),
    ("suffers from a cold", "has a heart disease"),
    ("has breast cancer", "has stage IV breast cancer"),
    ("takes ibuprofen", "attends a methadone clinic"),
    ("takes an opioid", "attends an opioid programme"),
    ("has measles", "has monkeypox"),
    ("has a cold", "has mpox"),
    ("has anxiety", "was involuntarily committed"),
    ("has anxiety", "was committed to a psychiatric hospital against her will"),
    ("has anxiety", "is being held involuntarily in a psychiatric ward"),
    ("has prostate cancer", "has prostate cancer that has spread to the bone"),
    ("has stage 2 CKD", "has stage 5 CKD"),
    ("has grade 1 glioma", "has grade IV glioma"),
    ("has T1N0M0 bladder cancer", "has T4N2M1 bladder cancer"),
    ("is pregnant", "is fifteen and pregnant"),
    ("has hypertension", "has Gaucher disease"),
    ("has gout", "has progeria"),
    ("has a family history of breast cancer", "has breast cancer"),
    ("takes efavirenz", "takes efavirenz and has gout"),
]:
    who = name()
    MORE[more] = (f"{who} {less}.", f"{who} {more}.")

# Each group says one thing in several ways, or adds what is nobody's.
ALIKE = {}
for ill in ("breast cancer", "HIV", "schizophrenia"):
    who = name()
    ALIKE[f"a relative's {ill}"] = (
        f"{who}'s mother had {ill}.",
        f"{who} has a family history of {ill}.",
        f"{who} says {ill} runs in the family.",
        f"{who} has an aunt with {ill}.",
        f"{who} has a brother who suffers from {ill}.",
        f"{who} comes from a family with {ill}.",
        f"There is {ill} in {who}'s family.",
        f"{who}: mother - {ill}",
        f"Patient: {who}\nFamily history: {ill} (mother)\n",
    )
for said in (
    "Schizophrenia affects one person in a hundred.",
    "HIV is spread by sex and shared needles.",
    "Doctors treat lung cancer with surgery.",
    "Depression can be treated with tablets.",
    "Epilepsy is a disorder of the brain.",
    "People with diabetes should check their feet.",
    "Learn the warning signs of a heart attack.",
    "1 in 8 women will get breast cancer.",
    "Vaccines protect against measles.",
):
    who = name()
    ALIKE[said] = (f"{who} has gout.", f"{who} has gout. {said}", f"{who} has gout.\n\n{said}\n")
who = name()
ALIKE["an institution's own"] = (
    f"Mercy General Hospital\n\nPatient: {who}\nDiagnosis: gout\n",
    f"Mercy General Hospital\n200 Main Street\nTel. (785) 555-0143\ninfo@mercy.example\n\nPatient: {who}\nDiagnosis: gout\n",
)
who, letter = (
    name(),
    "Dear Dr Poole,\n\nThank you for seeing {}, who has gout.\n\n{}\nDr A. Vance\n{}\n",
)
for house in ("Bright Smiles Dental Care", "Sunrise Physiotherapy"):
    ALIKE[f"below a signature: {house}"] = (
        letter.format(who, "Yours sincerely,", house),
        letter.format(
            who, "Yours sincerely,", f"{house}\nTel 0161 496 0123\nreception@example.org"
        ),
    )
who = name()
ALIKE["diagnosed"] = (f"{who} has gout.", f"{who} was diagnosed with gout.")
ALIKE["initials"] = (
    "J. Lopez has gout.",
    "Lopez, J. has gout.",
    "Patient: J Lopez\nDiagnosis: gout",
)
NEVER_LESS = {
    f"a relative beside {said}": (f"{who} {said}.", f"{who} {said}. Her brother has HIV.")
    for said in ("takes efavirenz", "has HIV", "may have HIV", "takes lithium", "has gout")
}
BANDS = {  # what is said, and the sensitivity it has at least and at most
    "has HIV": (0.95, 0.95), "takes efavirenz": (0.9, 1), "has monkeypox": (0.6, 0.8), "has progeria": (0.65, 0.85),
    "is pregnant": (0.2, 0.4), "was involuntarily committed": (0.85, 1), "attends an opioid programme": (0.8, 1),
    "attends a methadone clinic": (0.8, 1), "has a family history of breast cancer": (0.15, 0.4),
    "is on cocktail treatment": (0.9, 1), "has a cold": (0.02, 0.12), "is a pregnant fifteen-year-old": (0.65, 0.85),
}  # fmt: skip
# A postal code is an area and no house, and the most usual names are many.
CROWDS = {
    "a ZIP code is an area": ("Patient: J. Brown\nZIP: 59330\nDiagnosis: gout", 1e-4, 0.95),
    "Wei Wang on Earth": ("Wei Wang has gout.", 3e-8, 1e-5),
    "J. Smith": ("J. Smith has gout.", 1e-8, 1e-5),
    "John Smith": ("John Smith has gout.", 1e-7, 1e-4),
}


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """The worst person of each text, by the command."""
    folder, texts = tmp_path_factory.mktemp("share"), {}
    told = [f"{name()} {said}." for said in BANDS]
    for group in (*MORE.values(), *ALIKE.values(), *NEVER_LESS.values(), told):
        texts |= dict.fromkeys(group)
    texts |= dict.fromkeys(text for text, *_ in CROWDS.values())
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text)
    out = subprocess.run([*SCAN, str(folder)], check=False, capture_output=True, text=True).stdout
    found, order = {}, list(texts)
    for record in map(json.loads, out.splitlines()):
        text = order[int(record["path"].rpartition("/")[2].removesuffix(".txt"))]
        worst = max(record["persons"], key=lambda one: one["privacy"], default=None)
        found[text] = worst or {"privacy": 0.0, "identifiability": 0.0, "sensitivity": 0.0}
    return {**found, "bands": dict(zip(BANDS, (found[text] for text in told), strict=True))}


@pytest.mark.parametrize("less,more", MORE.values(), ids=MORE)
def test_more_is_more(people, less, more):
    lower, higher = people[less], people[more]
    if lower["identifiability"] > 0.99:
        assert 0 < lower["privacy"] <= higher["privacy"]
    else:
        assert 0 < lower["privacy"] < higher["privacy"]


@pytest.mark.parametrize("texts", ALIKE.values(), ids=ALIKE)
def test_what_says_the_same_weighs_the_same(people, texts):
    first, *others = (people[text]["privacy"] for text in texts)
    assert first > 0
    assert others == pytest.approx([first] * len(others), rel=1e-3)


@pytest.mark.parametrize("less,more", NEVER_LESS.values(), ids=NEVER_LESS)
def test_a_fact_in_another_context_takes_nothing_away(people, less, more):
    assert people[more]["sensitivity"] >= people[less]["sensitivity"] - 1e-9


@pytest.mark.parametrize("said", BANDS)
def test_values_are_in_line(people, said):
    least, most = BANDS[said]
    assert least - 1e-9 <= people["bands"][said]["sensitivity"] <= most + 1e-9


@pytest.mark.parametrize("text,least,most", CROWDS.values(), ids=CROWDS)
def test_crowds_are_of_the_right_size(people, text, least, most):
    assert least <= people[text]["identifiability"] <= most


def test_confidence_is_a_factor_of_its_own(people):
    one = people["bands"]["has HIV"]
    product = one["chance"] * one["identifiability"] * one["sensitivity"]
    assert one["privacy"] == pytest.approx(product)
    assert one["sensitivity"] == pytest.approx(0.95)


def test_every_number_of_people_has_its_reason_and_its_range(people):
    for text in ("J. Smith has gout.", "John Smith has gout."):
        steps = people[text]["explanation"]
        assert steps[0].endswith("people in the world")
        assert any(step.startswith("plausibly from") and " to " in step for step in steps)


def test_explain_names_what_it_weighs(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("Esther Lopez of Elko, Nevada, takes efavirenz. Her brother had hepatitis C.")
    explain = [sys.executable, "-m", "dlp", "explain", str(path)]
    told = subprocess.run(explain, check=False, capture_output=True, text=True).stdout
    assert "Hepatitis C (0.70 × 0.30 for its context)" in told
    assert "in Nevada → " in told
    assert "plausibly from" in told
    assert not [word for word in told.split() if word[:1] in "CD" and word[1:].isdigit()]
