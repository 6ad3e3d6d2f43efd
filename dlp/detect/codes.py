"""Diagnosis codes in columns that say they hold them.

In: a part with labelled fields.  Out: findings with the concept that a code stands for.

"250.00" is any number; under "ICD9" or "Dx 1" it is diabetes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from dlp.knowledge.icd import load_icd
from dlp.model import Finding, Kind, Part

ANNOUNCES = re.compile(
    r"(?:.* )?(?:icd(?: ?(?:9|10))?(?: ?cm)?|dx|diag(?:nos[ie]s)?)(?: ?(?:codes?|cd))?(?: ?\d+)?"
)
PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
LONGEST = 8  # characters of a code with its dot
SURE = 0.9
RULE = "icd-code"


def find_codes(part: Part, number: int) -> Iterator[Finding]:
    if part.fields is None:
        return
    asked = {label for label in part.fields.labels if announces(label)}
    if not asked:
        return
    find = load_icd().find
    known: dict[str, tuple[str, ...] | None] = {}
    for label, start, end, _ in part.fields:
        if label not in asked or end - start > LONGEST:
            continue
        code = part.text[start:end]
        if code not in known:
            found = find(code.strip())
            known[code] = found.concepts if found else None
        if (concepts := known[code]) is not None:
            concept = concepts[0] if concepts else ""
            yield Finding(Kind.DISEASE, RULE, number, start, end, SURE, ("field",), concept)


@lru_cache(maxsize=4096)
def announces(label: str) -> bool:
    plain = " ".join(filter(None, PARTS.split(label))).lower()
    return ANNOUNCES.fullmatch(plain) is not None
