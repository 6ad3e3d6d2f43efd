"""Put a verdict into words and arithmetic: how identifying, how grave, what follows from what.

In: a file's persons as the store keeps them.  Out: lines and a tree for the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from markupsafe import Markup

from dlp.console.chart_views import Branch, tree
from dlp.console.render import figure
from dlp.console.services import Services

WEIGHED = re.compile(r": \d\.\d\d$")  # a step of the sensitivity, not of the crowd
SHOWN = 12
IMPLIED = 4
PRECIOUS = ("id", "email", "phone", "name", "address", "birth")  # the surest mark first
MARKS = {
    "id": "a number", "email": "an e-mail address", "phone": "a telephone number",
    "name": "a name", "sound": "the sound of a name", "birth": "a birth date",
    "address": "an address", "place": "a place", "sex": "a sex",
}  # fmt: skip


def person_view(
    services: Services, person: Mapping[str, Any], why: Mapping[str, Any]
) -> dict[str, Any]:
    steps = why["explanations"].get(person["person"], [])
    crowd = [step for step in steps if not WEIGHED.search(step)]
    burden = services.weigh().of_weights(person["burden"])
    p, s = person["identifiability"], person["sensitivity"]
    return {
        **person,
        "privacy": p * s,
        "crowd": crowd,
        "p_line": f"p = 1 ÷ {people_left(p)} = {figure(p)}",
        "s_line": arithmetic(burden.steps, s),
        "tree": tree_of(services, person["burden"], s),
        "marks": marks_of(person["prints"]),
        "findings": [f for f in why["findings"] if f["person"] == person["person"]],
        "pseudonym": person["identity"] or pseudonym(person["person"]),
    }


def pseudonym(person: str) -> str:
    """A name for people to use among themselves; the keyed id behind it tells nobody anything."""
    return f"P-{person[:6].upper()}"


def people_left(p: float) -> str:
    return f"{1 / p:,.0f}" if p > 0 else "∞"


def arithmetic(steps: Sequence[str], s: float) -> str:
    """s = 1 − (1 − 0.90) × (1 − 0.35) = 0.94, as far as it fits a line."""
    values = [float(step.rpartition(": ")[2]) for step in steps if WEIGHED.search(step)]
    if not values:
        return f"s = {figure(s)}"
    if len(values) == 1:
        return f"s = {figure(values[0])}" if abs(values[0] - s) < 0.005 else f"s = {figure(s)}"
    shown = " × ".join(f"(1 − {value:.2f})" for value in values[:6])
    if len(values) > 6:
        shown += f" × {prod(1 - value for value in values[6:]):.2f}"
    return f"s = 1 − {shown} = {figure(s)}"


def tree_of(services: Services, burden: Sequence[Sequence[Any]], s: float) -> Markup:
    table, inference = services.sensitivity, services.inference
    branches = []
    for kind, concept, weight in burden:
        implied = sorted(
            ((disease, share) for disease, share in inference.implied(concept)),
            key=lambda pair: -pair[1] * table.of(pair[0]),
        )
        children = tuple(
            Branch(f"{services.concept_name(d)} {share:.0%}", "implied", figure(table.of(d)))
            for d, share in implied[:IMPLIED]
            if kind in {"drug", "procedure", "test"} and table.of(d) > 0
        )
        value = table.of(concept) or inference.sensitivity(concept, table)
        branches.append((value * weight, Branch(services.concept_name(concept), kind,
                                                figure(value * weight), children)))  # fmt: skip
    branches.sort(key=lambda pair: -pair[0])
    grave = tuple(branch for value, branch in branches if value > 0)[:SHOWN]
    return tree(Branch("s", "sum", figure(s), grave)) if grave else Markup("")


def marks_of(prints: Sequence[str]) -> list[dict[str, str]]:
    """By what a person can be called harmless: the surest mark first."""
    found = []
    for one in prints:
        kind, _, value = one.partition(":")
        if kind in PRECIOUS:
            found.append({"print": one, "words": MARKS[kind], "short": value[:8], "kind": kind})
    return sorted(found, key=lambda mark: (PRECIOUS.index(mark["kind"]), mark["print"]))


def sentence(
    row: Mapping[str, Any], people: Sequence[Mapping[str, Any]], services: Services
) -> str:
    """The verdict in one sentence."""
    if row["container"] != "phi":
        return str(row["reason"]).capitalize() + "."
    worst = people[0] if people else None
    who = "one person" if row["people"] == 1 else f"{row['people']:,} people"
    text = f"This file says something about the health of {who}"
    if worst is None:
        return text + "."
    left = people_left(worst["identifiability"])
    found = (
        "leaves no doubt who it is" if left == "1" else f"leaves about {left} people in question"
    )
    gravest = sorted(worst["burden"], key=lambda b: -services.sensitivity.of(b[1]) * b[2])[:2]
    named = " and ".join(services.concept_name(b[1]) for b in gravest)
    text += f". For the one most at risk it {found}"
    return f"{text}, and speaks of {named}." if named else f"{text}."
