"""How far a reader can tell who a person is, by all that a text shows of them.

In: an Individual, the tables [identity] and [identity_adds] of rules/attribution.toml.
Out: a share from 0 to 1.

The strongest form in which somebody is shown counts, and every further kind of evidence removes a
share of the doubt that is left: more evidence never makes anybody less identified.
"""

from __future__ import annotations

from dlp.attribute.chance import Weights
from dlp.attribute.people import LOOSE, Individual
from dlp.model import Finding, Kind, MentionForm

WHOLE = frozenset({MentionForm.FULL_NAME, MentionForm.INITIALS})  # hold both names by themselves
UNNAMED = frozenset({
    MentionForm.INITIALS, MentionForm.NUMBER, MentionForm.HANDLE, MentionForm.DESCRIBED,
    MentionForm.UNIT, MentionForm.ROLE,
})  # fmt: skip
DISTRICT = frozenset({"postcode", "zip", "postal"})  # of a rule that finds a district, no home


def is_unnamed(person: Individual) -> bool:
    """Shown by a number, initials, a room, a post, an address: by anything but a name."""
    named = person.is_named and person.form is not MentionForm.INITIALS
    return person.form in UNNAMED and not named


def identity_of(person: Individual, weights: Weights) -> float:
    shown = person.shown or {person.form}
    known = 1.0 - max(weights.identity[form.value] for form in shown | {person.form})
    for kind in {kind_of(one) for one in person.found} | beside(person):
        known *= 1.0 - weights.adds.get(kind, 0.0)
    if person.form not in WHOLE and person.first and person.last:
        known *= 1.0 - weights.adds.get("second_name", 0.0)
    return 1.0 - known


def kind_of(finding: Finding) -> str:
    """The row of [identity_adds] that a finding belongs to."""
    if "birth" in finding.rule_id:
        return "birth"
    if finding.kind is Kind.ADDRESS and DISTRICT & {*finding.rule_id.split("-")}:
        return "postcode"
    if finding.rule_id in LOOSE:
        return "loose_number"
    return str(finding.kind.value)


def beside(person: Individual) -> set[str]:
    """Which room, being the only one somewhere, being listed: evidence that is no finding."""
    told = {"unit"} if MentionForm.UNIT in person.shown - {person.form} else set()
    return told | ({"only_one", "roster-certain", "roster-likely"} & person.roles)
