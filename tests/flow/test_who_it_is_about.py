"""Whose illness a file tells, by the label beside a name and by what is denied; real command.

Names, illnesses and labels are drawn afresh for every file; each family has near misses that differ
in one thing only.
"""

import json
import random

import pytest
from click.testing import CliRunner

from dlp.cli.main import main

FIRST = (
    "Helena",
    "Marcus",
    "Priya",
    "Tomasz",
    "Grace",
    "Yusuf",
    "Sofia",
    "Dermot",
    "Leila",
    "Ruth",
)
LAST = (
    "Brandt",
    "Oyelaran",
    "Nair",
    "Wilk",
    "Pritchard",
    "Demir",
    "Marchetti",
    "Gallagher",
    "Haddad",
)
ILLNESS = ("epilepsy", "multiple sclerosis", "hepatitis C", "bipolar disorder", "breast cancer")
# People in a post: the case is somebody else's.
POSTS = (
    "Sonographer", "Audiologist", "Physiotherapist", "Examiner", "Adjuster", "Registrar",
    "Instructor", "Receptionist", "Technician", "Translator", "Medical director", "Claims handler",
    "Administered by", "Released by", "Prescriber", "Midwife", "Study coordinator", "Interpreter",
)  # fmt: skip
# People whom a form is about.
SUBJECTS = (
    "Patient", "Employee", "Pupil", "Tenant", "Claimant", "Insured", "Resident", "Passenger",
    "Client", "Participant", "Inmate", "Member", "Service user", "Volunteer", "Guest", "Student",
)  # fmt: skip
TOLD = (
    "{name} has {illness}, so please cover the shift.",
    "{name} did not attend, she is being treated for {illness}.",
    "Could not file the result for {name} ({illness}), trying again.",
    "The resident, {name}, told us that he has {illness}.",
    "{name} is not coming on Monday, her {illness} is worse.",
)
DENIED = (
    "{name} does not have {illness}.",
    "{name} has never had {illness}.",
    "The doctors could not find {illness} in {name}.",
    "{name} was tested. No evidence of {illness}.",
)


def drawn(seed):
    dice = random.Random(seed)
    return f"{dice.choice(FIRST)} {dice.choice(LAST)}", dice.choice(ILLNESS)


def note(label, seed):
    name, illness = drawn(seed)
    return (
        f"Summary\n\n{label}: {name}\nDate: 3 March 2024\n\n"
        f"Findings: {illness}, moderate. Started on treatment. Review in six weeks.\n"
    )


def share_of_phi(folder, texts):
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text)
    told = CliRunner().invoke(main, ["scan", str(folder), "--no-catalogue", "--format", "jsonl"])
    records = [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]
    verdicts = [record["container"] for record in records if "container" in record]
    assert len(verdicts) == len(texts)
    return verdicts.count("phi") / len(verdicts)


@pytest.mark.parametrize("labels, low, high", [(POSTS, 0.0, 0.1), (SUBJECTS, 0.9, 1.0)])
def test_a_label_says_whose_case_it_is(tmp_path, labels, low, high):
    notes = [note(label, seed) for seed, label in enumerate(labels * 2)]
    assert low <= share_of_phi(tmp_path, notes) <= high


@pytest.mark.parametrize("frames, low, high", [(TOLD, 0.9, 1.0), (DENIED, 0.0, 0.0)])
def test_what_is_denied_is_nobodys_and_nothing_else_is_denied(tmp_path, frames, low, high):
    texts = []
    for seed, frame in enumerate(frames * 6):
        name, illness = drawn(seed)
        texts.append(frame.format(name=name, illness=illness))
    assert low <= share_of_phi(tmp_path, texts) <= high
