"""What a labelled field holds: whose name, which date, an address, a diagnosis.

In: a label as a format gives it ("Patient.name.family", "PID-5", "birth_date", "Dx").
Out: Meaning: whose it is and what it is.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

import re2

from dlp.languages import language_table, languages
from dlp.text.folding import fold
from dlp.text.labels import is_caption
from dlp.text.misread_labels import meant

PATIENT, CLINICIAN, RELATIVE = "patient", "clinician", "relative"

CLINICIANS = """
    practitioner author performer provider physician clinician doctor authenticator surgeon
    attending referring ordering prescriber pharmacist nurse custodian organization organisation
    informant facility hospital clinic participant assigned performing requesting operators reading
    serviceprovider managing recipient payer insurer location software device manufacturer
    pi investigator speaker presenter lecturer trainer instructor teacher tutor therapist editor
    reviewer chair assignee byline manager supervisor moderator adjuster ordered requested created
    entered reviewed approved prepared
"""
RELATIVES = """
    guardian contact related kin guarantor emergency mother father spouse nok subscriber
    policyholder participantrole
"""
# What has a name and is nobody: the field of a questionnaire, an item of a formulary.
THINGS = frozenset(
    """
    field input column element attribute param parameter option property question variable item
    product drug medicine medication test course event file tag key section form service plan
    """.split()  # noqa: SIM905 - a list of words is read more easily
)
OWNERS = (
    (CLINICIAN, frozenset(CLINICIANS.split())),
    (RELATIVE, frozenset(RELATIVES.split())),
)
# HL7 v2 and DICOM name their fields by number or keyword; the rest is words.
EXACT = {
    "PID-3": "id", "PID-2": "id", "PID-4": "id", "PID-18": "id", "PID-19": "id", "PID-5": "name",
    "PID-7": "birth", "PID-8": "sex", "PID-11": "address", "PID-13": "phone", "PID-14": "phone",
    "DG1-3": "health", "DG1-4": "health", "OBX-5": "health", "AL1-3": "health", "RXE-2": "health",
    "PR1-3": "health", "PR1-4": "health", "RXA-5": "health", "OBR-4": "health", "OBX-3": "health",
    "PatientName": "name", "PatientID": "id", "PatientBirthDate": "birth", "PatientSex": "sex",
    "PatientAge": "age", "PatientAddress": "address", "OtherPatientIDs": "id",
    "OtherPatientNames": "name", "PatientTelephoneNumbers": "phone", "StudyDescription": "health",
}  # fmt: skip
WHOSE = (
    r"(?:(?:patient|pt|member|mem|client|subscriber|sub|insured|guarantor|employee|student|mother|father"
    r"|spouse|guardian|contact|provider|physician|doctor)(?:'?s)? )?"
)
# What the end of a label means; the first line that fits the whole of it counts.
PHRASES = {
    "first": WHOSE + r"(?:(?:given|first|fore)( ?names?)?|f ?name|nombre)",
    "last": WHOSE + r"(?:(?:family|last|sur)( ?names?)?|l ?name|maiden( name)?|apellidos?)",
    "middle": WHOSE + r"(?:middle( ?(?:name|initial))?|mi|m ?name)",
    "name": r"(?:full |patient |client |member |employee |legal )?name|patient|client|person"
    r"|employee|proposer|life (?:to be )?(?:assured|insured)"
    r"|(?:proposed |named |primary )?insured(?: person)?"
    r"|student|pupil|resident|member|participant|claimant|camper|child"
    r"|pt( name)?",
    "birth": r"(?:date of |d ?o ?)?birth( ?(?:date|day|time|dt))?|b ?day|d ?o ?b|born|birthdate"
    r"|fecha (?:de )?nacimiento",
    "age": r"age( .*)?|edad",
    "sex": r"sex|gender( .*)?|administrative gender code|sexo",
    "address": r"(?:home |street |mailing )?address( ?line)?( ?\d)?|addr( ?\d)?|line"
    r"|street( ?address ?line)?( ?\d)?|direccion|domicilio",
    "city": r"city|town|municipality|ciudad|localidad",
    "state": r"state|province|region",
    "zip": r"zip( ?code)?|post(?:al)? ?code|plz|cp",
    "phone": r"(?:home |work |cell |mobile )?(?:tele)?phone( ?(?:number|no))?|tel|mobile|cell"
    r"|telecom",
    "email": r"e ?mail( address)?",
    "handle": r"user( ?(?:name|id))?|login( ?name)?|screen ?name|handle|nick(?:name)?|account name",
    "occupation": r"occupation|profession|job( title)?",
    "employer": r"(?:name of )?employer( name)?|workplace|school( name)?",
    "id": r"(?:patient |member |medical record |chart |health ?card |insurance )(?:id|no|num)"
    r"|mrn|ssn|sin|nhs( number)?|medical ?record( .*)?|health ?card|ohip|policy( .*)?"
    r"|patient identifier value|patient role id extension|nss|nhc|subscriber id",
    "health": r".*(?:diagnos[ei]s|dx|condition|disease|illness|problem|medication|meds|drug|rx"
    r"|prescription"
    r"|treatment|procedure|allerg|symptom|complaint|finding|history|notes?|comments?|remarks?"
    r"|reason|cause|impression|assessment|lab|test|result|vaccin|immuni[sz]ation|icd|snomed|surgery"
    r"|therapy|diagnostico|observation|code display|description|injur|disabilit|ailment"
    r"|vulnerabilit|\bhealth(?! ?(?:card|plan|visitor|cent|insur|authority|board|service|care"
    r"|worker|num|no\b|id\b))|\bmedical(?! ?(?:record|school|cent|director|officer|staff|secretary"
    r"|insur|num|no\b|id\b))).*",
    "date": r".*(?:date|time|admitted|discharged).*",
}


LOOKED_FOR = ("health", "date")  # anywhere in a label; all others are the whole of it
WHOLE = re.compile(
    "|".join(f"(?P<{what}>{phrase})" for what, phrase in PHRASES.items() if what not in LOOKED_FOR),
    re.IGNORECASE,
)
INNER = {what: PHRASES[what].removeprefix(".*").removesuffix(".*") for what in LOOKED_FOR}
ANYWHERE = tuple((what, re.compile(inner, re.IGNORECASE)) for what, inner in INNER.items())
# What `re` tries word by word at each letter, RE2 sees in one pass, without what must not follow;
# beyond ASCII they fold letters differently.
UNLESS = re.compile(r"\(\?!(?:[^()]|\((?:[^()])*\))*\)")
EITHER = re2.compile(f"(?i){'|'.join(UNLESS.sub('', inner) for inner in INNER.values())}")
STEPS = re.compile(r"[./]")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\-\s]+")


class Meaning(NamedTuple):
    owner: str
    what: str  # one of PHRASES, or nothing known


@lru_cache(maxsize=4096)
def meaning_of(label: str) -> Meaning:
    """Read a label once; a table of a million rows has a dozen of them."""
    if label in EXACT:
        return Meaning(PATIENT, EXACT[label])
    label = meant(in_english(label))
    steps = [" ".join(CAMEL.split(step)).lower().strip() for step in STEPS.split(label)]
    words = {word for step in steps for word in step.split()}
    owner = next((who for who, cues in OWNERS if words & cues), PATIENT)
    if words == {"participant"}:  # of a course or a study; in FHIR whoever takes part in a visit
        owner = PATIENT
    if len(steps) > 1 and steps[-1] == "name" and steps[-2].removesuffix("s") in THINGS:
        return Meaning(owner, "")
    for depth in range(1, min(3, len(steps)) + 1):
        if what := what_is(" ".join(steps[-depth:]).strip()):
            return Meaning(owner, what)
    return Meaning(owner, "")


@cache
def english_labels() -> dict[str, str]:
    """What the labels of other languages say; none is an English word."""
    tables = (language_table(code, "gloss")["labels"] for code in languages())
    return {fold(label): name for table in tables for label, name in table.items()}


def in_english(label: str) -> str:
    """A label of another language as English has it, or the label."""
    known = fold(label)
    return english_labels().get(known) or english_labels().get(known.replace("_", " "), label)


def what_is(leaf: str) -> str:
    """The first of PHRASES that fits."""
    if found := WHOLE.fullmatch(leaf):
        return found.lastgroup or ""
    if leaf.isascii() and EITHER.search(leaf.encode()) is None:
        return ""
    return next((what for what, pattern in ANYWHERE if pattern.search(leaf)), "")


def names_field(label: str) -> bool:
    """Whether words by themselves are the label of a field, whatever sign stands behind them."""
    return is_caption(label) or meaning_of(label.strip(" :*")).what != ""
