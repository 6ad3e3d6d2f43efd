"""Styles of writing for bench/orderings.py: each says all that is known of a person in its words.

In: Told.  Out: the text.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """What a text says; every style of writing says all of it in its own words."""

    first: str
    last: str
    conditions: tuple[str, ...]
    she: bool = False  # the pronoun, in styles that need one
    place: str = ""
    zip: str = ""
    born: str = ""  # "1962", "June 1962", "14 June 1962"
    age: str = ""
    phone: str = ""
    email: str = ""
    street: str = ""
    number: str = ""
    drug: str = ""
    employer: str = ""
    occupation: str = ""
    noise: tuple[str, ...] = ()
    head: str = ""  # of the institution
    swapped: bool = False

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}".strip()


Style = Callable[[Told], str]
LABELS = {
    "born": "Date of birth", "age": "Age", "place": "City", "zip": "ZIP", "phone": "Home phone",
    "email": "E-mail", "street": "Home address", "number": "MRN", "drug": "Medication",
    "occupation": "Occupation", "employer": "Employer",
}  # fmt: skip
KEYS = {"number": "mrn", "born": "birthDate", "place": "city", "street": "address"}
SENTENCES = {
    "place": "{who} lives in {it}.", "zip": "{who} has the ZIP code {it}.",
    "born": "{who} was born {it}.", "age": "{who} is {it} years old.",
    "phone": "The home phone of {name} is {it}.", "email": "{who} can be reached at {it}.",
    "street": "{who} lives at {it}.", "number": "{who} is registered under MRN {it}.",
    "drug": "{who} takes {it}.", "employer": "{who} works at {it}.",
    "occupation": "{who} works as {it}.",
}  # fmt: skip
BESIDE = {
    "age": "{it}", "born": "born {it}", "place": "of {it}", "zip": "ZIP {it}",
    "street": "living at {it}", "phone": "mobile {it}", "email": "e-mail {it}",
    "number": "MRN {it}", "employer": "who works at {it}", "occupation": "who works as {it}",
}  # fmt: skip


def on_date(born: str) -> str:
    return f"on {born}" if born[0].isdigit() and " " in born else f"in {born}"


def with_article(job: str) -> str:
    return f"an {job}" if job[0] in "aeiou" else f"a {job}"


def worded(told: Told, what: str) -> str:
    value = str(getattr(told, what))
    if what == "occupation":
        return with_article(value)
    return on_date(value) if what == "born" else value


def around(told: Told, lines: list[str], joint: str) -> str:
    """The lines, in turned order if wanted, below the head and above the noise."""
    if told.swapped:
        lines = [lines[0], *reversed(lines[1:])]
    head = f"{told.head}\n" if told.head else ""
    return f"{head}{joint.join([*lines, *told.noise])}\n"


def prose(verb: str, pronoun: bool = False, opening: str = "") -> Style:
    """A sentence for each thing; the subject is the name again, or a pronoun."""

    def write(told: Told) -> str:
        who = ("She" if told.she else "He") if pronoun else told.name
        lines = [f"{opening}{told.name} {verb} {' and '.join(told.conditions)}."]
        lines += [
            words.format(who=who, name=told.name, it=worded(told, what))
            for what, words in SENTENCES.items() if getattr(told, what)
        ]  # fmt: skip
        return around(told, lines, " ")

    return write


def form(name: str, condition: str, sign: str = ": ") -> Style:
    """A labelled line for each thing."""

    def write(told: Told) -> str:
        lines = [f"{name}{sign}{told.name}"]
        lines += [
            f"{label}{sign}{getattr(told, what)}"
            for what, label in LABELS.items() if getattr(told, what)
        ]  # fmt: skip
        lines += [f"{condition}{sign}{one}" for one in told.conditions]
        return around(told, lines, "\n")

    return write


def compact(opening: str, verb: str, closing: str = "") -> Style:
    """All in one sentence, as newspapers and letters have it."""

    def write(told: Told) -> str:
        beside = [
            words.format(it=with_article(told.occupation) if what == "occupation" else getattr(told, what))
            for what, words in BESIDE.items() if getattr(told, what)
        ]  # fmt: skip
        if told.swapped:
            beside.reverse()
        between = f", {', '.join(beside)}," if beside else ""
        drug = f" and takes {told.drug}" if told.drug else ""
        ills = " and ".join(told.conditions)
        line = f"{opening}{told.name}{between} {verb} {ills}{drug}.{closing}"
        head = f"{told.head}\n" if told.head else ""
        return f"{head}{' '.join([line, *told.noise])}\n"

    return write


def table(separator: str) -> Style:
    """A row under a header."""

    def write(told: Told) -> str:
        cells = {"Patient": told.name}
        cells |= {
            label: getattr(told, what) for what, label in LABELS.items() if getattr(told, what)
        }
        cells["Diagnosis"] = " and ".join(told.conditions)
        order = [*cells]
        if told.swapped:
            order = [order[0], *reversed(order[1:])]
        out = io.StringIO()
        rows = csv.writer(out, delimiter=separator, lineterminator="\n")
        rows.writerows([order, [cells[label] for label in order]])
        head = f"{told.head}\n" if told.head else ""
        return f"{head}{out.getvalue()}" + "".join(f"\n{one}\n" for one in told.noise)

    return write


def as_object(told: Told) -> str:
    """JSON as an export has it."""
    keys = {"name": told.name}
    keys |= {KEYS.get(what, what): getattr(told, what) for what in LABELS if getattr(told, what)}
    keys["diagnosis"] = " and ".join(told.conditions)
    order = [*keys]
    if told.swapped:
        order = [order[0], *reversed(order[1:])]
    noise = {f"remark{n}": one for n, one in enumerate(told.noise)}
    lines = told.head.split("\n")
    labels = ("hospital_name", "hospital_address", "hospital_phone")
    head = {label: line for label, line in zip(labels, lines, strict=False) if line}
    return json.dumps({**head, **{key: keys[key] for key in order}, **noise}, indent=1)


VERBS = (
    "has", "suffers from", "was diagnosed with", "is being treated for", "was admitted with",
    "has been living with", "was treated for", "has a diagnosis of", "presented with",
    "was found to have", "is under treatment for", "has had", "is followed for", "came in with",
)  # fmt: skip
PRONOUNS = (
    ("has", ""), ("was diagnosed with", "As discussed, "), ("is recovering from", "Update: "),
    ("is in treatment for", "For the file: "), ("was referred with", ""), ("struggles with", "FYI, "),
)  # fmt: skip
COMPACT = (
    ("", "has", ""), ("We heard that ", "was diagnosed with", ""),
    ("Dear colleague, thank you for seeing ", "who suffers from", ""),
    ("To: HR\nSubject: sick leave\n\nHi,\n\n", "is off work with", " Thanks"),
    ("Handover: ", "was admitted with", " Please check tomorrow."),
    ("Minutes: it was noted that ", "has", " No action."),
    ("- ", "has", ""), ("Prayer list: ", "is in hospital with", ""),
    ("I saw ", "in clinic today for", ""), ("Claim approved: ", "is treated for", " Regards"),
)  # fmt: skip
FORMS = (
    ("Patient", "Diagnosis"), ("Patient name", "Dx"), ("Name", "Diagnosis"), ("Pt", "Diagnosis"),
    ("Client", "Condition"), ("Employee", "Reason for absence"), ("Student", "Health condition"),
    ("Insured", "Diagnosis"), ("Full name", "Medical condition"), ("Resident", "Diagnosis"),
    ("Claimant", "Injury or illness"), ("Member", "Primary diagnosis"),
)  # fmt: skip
STYLES: dict[str, Style] = {
    **{f"prose: {verb}": prose(verb) for verb in VERBS},
    **{f"pronoun: {verb}": prose(verb, True, opening) for verb, opening in PRONOUNS},
    **{f"compact: {number}": compact(*words) for number, words in enumerate(COMPACT)},
    **{f"form: {name}/{what}": form(name, what) for name, what in FORMS},
    "form, dashes": form("Patient", "Diagnosis", " - "),
    "form, tabs": form("Patient", "Diagnosis", "\t"),
    "table, commas": table(","), "table, tabs": table("\t"), "table, bars": table("|"),
    "object": as_object,
}  # fmt: skip
