"""Which telephone numbers, addresses and e-mail addresses in a file are an institution's own.

In: Case with its findings.  Out: the values (kind and text) that identify no patient.

A letterhead, a signature block, a line that names the clinic, a toll-free number or an account
like info@ belong to the institution, unless the words before the value call it a person's.
"""

from __future__ import annotations

import re

from dlp.model import Case, Finding, Kind, Part

Value = tuple[Kind, str]
OWNED = frozenset({Kind.PHONE, Kind.EMAIL, Kind.ADDRESS, Kind.URL})
ORGANISED = frozenset({Kind.ORGANISATION, Kind.PROVIDER})
ROLE_ACCOUNT = re.compile(
    r"(?i)^(?:info|contact|office|admin\w*|reception|front\.?desk|appointments?|scheduling|booking|"
    r"records|medical\.?records|billing|support|help\w*|no-?reply|hr|enquir\w+|inquir\w+|mail|"
    r"referrals?|radiology|lab\w*|pharmacy|clinic|hospital|team|service|ward\w*|dept\w*|press|"
    r"webmaster|privacy|feedback|volunteer\w*)[\d._+-]*@"
)
TOLL_FREE = re.compile(r"^\D{0,3}(?:1\D{0,2})?8(?:00|33|44|55|66|77|88)\D")
# Words before a value that say whose it is.
PERSONAL = re.compile(
    r"(?i)\b(?:home|cell|mobile|his|her|their|my|patient(?:'s)?|contact number|lives|living|"
    r"resid\w+|reached? (?:him|her|them|me)|next of kin|emergency contact|personal)\b[^\n]{0,24}$"
)
INSTITUTION = re.compile(
    r"(?i)\b(?:hospital|clinic|medical cent\w+|health cent\w+|infirmary|surgery|practice|pharmacy|"
    r"hospice|department|dept|ward|reception|switchboard|help ?line|hot ?line|our (?:office|number|"
    r"team|clinic)|call us|contact us|reach us|the office|appointments?|fax|laborator\w+|"
    r"university|institute|centre|center|foundation|ministry|trust|dental|dentistry|physio\w*|optician\w*|"
    r"optometr\w+|chiropract\w+|counsel\w+|therapy|rehab\w*|nursing|imaging|diagnostics|care|"
    r"services?|group|associates|agency|council|insurance|assurance|society|school|college|company|"
    r"llc|ltd|inc|plc|gmbh)\b"
)
WORD = r"(?:[A-Z&][\w.'’&-]*|of|and|for|the|at|in)"
BARE = re.compile(rf"\s*{WORD}(?:[\s,]+{WORD})*[\s,]*")
CONTACT_LINE = re.compile(r"(?i)\b(?:tel|phone|fax|e-?mail|web|www)\b|@|^\s*\d|\b[A-Z]{2}\s\d{5}\b")
LABELLED = re.compile(
    r"(?i)hospital|clinic(?!al)|practice|surgery|pharmac|facility|department|ward(?:s|_|\W|$)"
    r"|doctor|physician|provider|insurer|\bgp\b|gp_"
)
BEFORE = 60  # characters in which a word tells whose a value is
HEAD_LINES = 8  # of a letterhead
LONGEST_LINE = 200  # of a letterhead, in characters


def is_role_account(kind: Kind, text: str) -> bool:
    """Whether a value tells by itself that it is an institution's."""
    if kind is Kind.EMAIL:
        return bool(ROLE_ACCOUNT.match(text.strip()))
    return kind is Kind.PHONE and bool(TOLL_FREE.match(text.strip()))


def institutional_values(case: Case) -> frozenset[Value]:
    """The values of a file that are an institution's own wherever they stand."""
    document = case.document
    if document is None:
        return frozenset()
    found: set[Value] = set()
    personal: set[Value] = set()
    organised: dict[int, list[Finding]] = {}
    people: dict[int, list[Finding]] = {}
    for finding in case.findings:
        if finding.kind in ORGANISED:
            organised.setdefault(finding.part, []).append(finding)
        elif finding.kind is Kind.PERSON:
            people.setdefault(finding.part, []).append(finding)
    labelled = [fields_of_institutions(part) for part in document.parts]
    for finding in case.findings:
        if finding.kind not in OWNED:
            continue
        part = document.parts[finding.part]
        value = (finding.kind, part.text[finding.start : finding.end])
        named = people.get(finding.part, [])
        if any(start <= finding.start < end for start, end in labelled[finding.part]):
            found.add(value)
        elif part.fields is not None:
            continue
        elif is_institutional(part.text, finding, organised.get(finding.part, []), named):
            found.add(value)
        else:
            personal.add(value)
    return frozenset(found - personal)


def fields_of_institutions(part: Part) -> list[tuple[int, int]]:
    """The cells and elements whose label names an institution: hospital_phone, ClinicAddress."""
    fields = part.fields
    if not fields or not any(map(LABELLED.search, fields.labels)):
        return []
    return [(one.start, one.end) for one in fields if LABELLED.search(one.label)]


def is_institutional(
    text: str, finding: Finding, organised: list[Finding], people: list[Finding]
) -> bool:
    """Whether the words around a value say that it is an institution's."""
    start, end = finding.start, finding.end
    head = min((one.start for one in people), default=len(text))
    low = max(0, start - BEFORE)
    before = text[low:start]
    for one in people:
        if low < one.end <= start:  # Mrs. Ward is no ward
            first = max(one.start - low, 0)
            before = before[:first] + "~" * (one.end - low - first) + before[one.end - low :]
    line_start = text.rfind("\n", 0, start) + 1
    line = before.rpartition("\n")[2]
    if PERSONAL.search(line or before):
        return False
    if INSTITUTION.search(line.replace("_", " ")):
        return True
    if any(line_start <= one.start and one.end <= start for one in organised):
        return True
    if below_its_name(text, line_start, organised):
        return True
    return start < head and in_letterhead(text, start, end, organised)


def below_its_name(text: str, line_start: int, organised: list[Finding]) -> bool:
    """Under a line that holds nothing but an institution's name, but for other lines of contact."""
    for _ in range(HEAD_LINES):
        end = line_start - 1
        line_start = text.rfind("\n", 0, max(end, 0)) + 1
        line = text[line_start : max(end, 0)]
        if len(line) > LONGEST_LINE:
            return False
        if BARE.fullmatch(line):
            named = any(line_start <= one.start < end for one in organised)
            return named or bool(INSTITUTION.search(line))
        if not CONTACT_LINE.search(line):
            return False
    return False


def in_letterhead(text: str, start: int, end: int, organised: list[Finding]) -> bool:
    """Among the first lines, above everybody named, in a block that names an institution."""
    if text.count("\n", 0, start) >= HEAD_LINES:
        return False
    above = text[:start]
    if "\n" not in above:
        return False  # one running line is no letterhead
    block = above + text[start:end]
    return bool(INSTITUTION.search(block)) or any(one.end <= end for one in organised)
