"""Which identifiers lead to one person, and which may be anybody's or anything's.

In: a finding, or all of them.  Out: yes or no; those that are somebody's.
"""

from __future__ import annotations

from dlp.model import HEALTH_KINDS, Finding, Kind

DIRECT_KINDS = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE})
# Numbers of clinicians, firms, things and money: in a note without a name not the patient's.
OF_OTHERS = frozenset([
    "us-npi", "us-dea", "us-ein", "uk-utr", "licence-number", "vin", "licence-plate",
    "device-serial", "udi", "imei", "mac", "iban", "swift-bic", "us-routing-number",
    "account-number", "payment-card", "payment-card-labelled", "email",
])  # fmt: skip
# Numbers that may be anybody's or anything's: they need a birth date beside them.
LOOSE = frozenset(["labelled-id", "number-sign", "id-then-code"])
SIFTED = (HEALTH_KINDS, DIRECT_KINDS, LOOSE, Kind.ADDRESS)
OF_ANYTHING = LOOSE | {"encounter-number", "us-ssn-last-four"}


def is_direct(finding: Finding) -> bool:
    """It leads to one person; a bare "id=" or "#" may be of anything."""
    return finding.kind in DIRECT_KINDS and finding.rule_id not in LOOSE


def is_patient_number(finding: Finding) -> bool:
    """A number that a hospital, a health plan or a state gives to one person."""
    return finding.kind is Kind.ID and is_personal(finding) and finding.rule_id not in OF_ANYTHING


def is_personal(finding: Finding) -> bool:
    return finding.rule_id not in OF_OTHERS


def sift(findings: tuple[Finding, ...]) -> tuple[int, int, list[Finding]]:
    """How much is told of somebody's health, where that begins, and what is personal."""
    return sifted(findings, *SIFTED)


def sifted(
    findings: tuple[Finding, ...],
    health: frozenset[Kind], direct: frozenset[Kind], loose: frozenset[str], address: Kind,
) -> tuple[int, int, list[Finding]]:  # fmt: skip
    told = [f.start for f in findings if f.kind in health and "general" not in f.context]
    personal = [
        f
        for f in findings
        if (f.kind in direct and f.rule_id not in loose)
        or f.kind is address
        or "birth" in f.rule_id
    ]
    return len(told), min(told, default=0), personal
