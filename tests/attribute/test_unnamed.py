"""People without a name: what singles somebody out decides, and more of it never lowers the chance."""

import io
import random

import pytest

from dlp.assembly import stages
from dlp.config import Settings
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline

KEY = b"0" * 32
FACTS = ("has asthma", "was diagnosed with epilepsy", "is on methotrexate for psoriasis",
         "came in with chest pain", "is being treated for hepatitis C")  # fmt: skip
ROUNDING = 1e-6


@pytest.fixture(scope="module")
def chance():
    every = stages(Settings(), KEY)
    last = next(n for n, stage in enumerate(every) if stage.name == "measure.privacy")
    pipeline = Pipeline(every[:last], full=False)

    def of(text, name="note.txt"):
        source = io.BytesIO(text.encode())
        case = pipeline.run(Case(FileRef("", name.encode()), facts={"source": source}))
        return case.facts.get("file_chance", 0.0)

    return of


def drawn(seed):
    rng = random.Random(seed)
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1930, 2010)
    letters = rng.choice("ABDEFGKLNST") + rng.choice("BCDFGHKLNSTW")
    return {
        "i": f"{letters[0]}.{letters[1]}.", "dob": f"{day:02}/{month:02}/{year}",
        "room": str(rng.randint(1, 60)), "mrn": str(rng.randint(100_000, 9_999_999)),
        "pc": rng.choice(("BS3 4TH", "LS6 2QA", "EH9 1PL", "CF24 3AB")), "fact": rng.choice(FACTS),
        "street": f"{rng.randint(2, 90)} {rng.choice(('Mill Lane', 'Oak Avenue', 'Elm Drive'))}",
        "last": rng.choice(("Huber", "Moretti", "Blythe", "Nowak", "Okafor")),
    }  # fmt: skip


MORE = {
    "a birth date": ("{i} in room {room} {fact}.", "{i} in room {room}, born {dob}, {fact}."),
    "a room": ("{i} (born {dob}) {fact}.", "{i} (born {dob}) in room {room} {fact}."),
    "a number": ("{i} (born {dob}) {fact}.", "{i} (born {dob}, MRN {mrn}) {fact}."),
    "a postcode": ("Client, born {dob}, {fact}.", "Client, born {dob}, of {pc}, {fact}."),
    "lines of a heading": (
        "Initials: {i}\n\nThe patient {fact}.", "Initials: {i}\nDOB: {dob}\n\nThe patient {fact}."
    ),
}  # fmt: skip


@pytest.mark.parametrize("less,more", MORE.values(), ids=MORE)
@pytest.mark.parametrize("seed", range(4))
def test_further_evidence_never_lowers_the_chance(chance, less, more, seed):
    values = drawn(seed)
    assert chance(more.format(**values)) >= chance(less.format(**values)) - ROUNDING


FOUND = {
    "initials and a birth date": "{i} (born {dob}) {fact}.",
    "initials and a room": "{i} in room {room} {fact}.",
    "a last name and a bed": "Bed {room} - {last} {fact}.",
    "a birth date and a postcode": "DOB: {dob}\nPostcode: {pc}\n\nThe patient {fact}.",
    "a heading of initials": "Initials: {i}\nDOB: {dob}\nRoom: {room}\n\nThe patient {fact}.",
    "the address of a home": "The tenant of {street}, Leeds {pc}, {fact}.",
    "a line below": "The patient {fact}.\n\nPS: this is about Anna {last}.",
    "a label below": "The patient {fact}.\n\nPatient label: Anna {last} (born {dob})",
}


@pytest.mark.parametrize("frame", FOUND.values(), ids=FOUND)
def test_somebody_is_found(chance, frame):
    found = [chance(frame.format(**drawn(seed))) >= 0.5 for seed in range(6)]
    assert sum(found) >= 5, found


NOBODY = {
    "no evidence": "A patient {fact}.",
    "a clinic": "Northgate Clinic\nTel: (312) 555-0142\n{street}, Leeds {pc}\n\nA patient {fact}.",
    "a room that is a room": "Room {room} is being painted. The leaflets on asthma are in room {room}.",
    "two beds": "Bed {room} is free. Bed 3 has a new mattress. A course on epilepsy is on Monday.",
    "a person without health": "{i} (born {dob}) moved to room {room} and paid the invoice.",
    "a file name that counts": "A patient {fact}.",
}  # fmt: skip


@pytest.mark.parametrize("frame", NOBODY.values(), ids=NOBODY)
def test_nobody_is_found(chance, frame):
    found = [chance(frame.format(**drawn(seed)), "record 2019.txt") >= 0.5 for seed in range(6)]
    assert sum(found) <= 1, found


def test_two_beds_are_two_people(chance):
    """A fact of one bed is not joined with the evidence of another."""
    values = drawn(1)
    apart = chance("Bed 3: {i}\nBed 4 {fact}.".format(**values))
    together = chance("Bed 3: {i} {fact}.".format(**values))
    assert apart < together
