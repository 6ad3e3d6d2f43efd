"""What the words around a name say of the part its bearer plays: pet, cited author, long dead.

In: text, Mentions of people.  Out: the same Mentions, some with another role and its evidence.

Evidence is the kind of word beside the name (an animal, an office, a year), not lists of names.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence

from dlp.detect.naming.mention import (
    ANIMAL,
    CLINICIAN,
    FICTIONAL,
    OTHER,
    PATIENT,
    PUBLIC,
    RELATIVE,
    Mention,
)
from dlp.detect.naming.person_nouns import acts_for_others, is_animal, is_clinical
from dlp.knowledge.people import load_people
from dlp.model import Kind, MentionForm
from dlp.resources import rules_folder
from dlp.rulebook import read_toml
from dlp.text.reader import read_structure

NEAR = 40  # characters on either side
FAR = 90  # characters before a name in which a line says what to ask its bearer
# Roles that a label or a title gave are not changed by looser evidence.
OPEN = frozenset({"", OTHER, PATIENT})
NEVER_PATIENTS = frozenset({ANIMAL, PUBLIC})
ANY_CASE = re.IGNORECASE
YEARS = re.compile(r"\s*\(\s*(?:born |b\. ?|c\. ?)?(\d{4})\s*[-–—]\s*(?:d\. ?)?(\d{4})\s*\)")
CITED = re.compile(r"\s*(?:et al\b|,? ?\(?(?:19|20)\d\d[a-z]?\)[.:,]?)")
LISTED = re.compile(r"[.,;]?\s*(?:,|&|;|and)\s*$")
REFERENCE = re.compile(
    r"(?:19|20)\d\d\s*[;:(]\s*\d+|\bdoi\b|\bpp?\. ?\d|\bet al\b|\bvol\. ?\d", ANY_CASE
)
BYLINE = re.compile(r"(?:^|\n)\s*(?:(?:story|words|text|photo|written) )?by\s+$", ANY_CASE)
# Both begin with a set of letters, which `re` skips to: a name stands at a thousand places.
PRINTED = re.compile(
    r"[cC©(mM](?:(?<=[cC])(?i:opyright|ontributors?)|(?<=©)|(?<=\()[cC]\)|(?<=[mM])(?i:aintainer))"
    r"[^\n.;]{0,24}$"
)
OWNER = r"my|our|his|her|their|your"
OWN_NOUN = re.compile(
    r"([mohtyMOHTY](?<!\w.)(?i:(?<=m)y|(?<=o)ur|(?<=h)(?:is|er)|(?<=t)he(?:ir)?|(?<=y)our))"
    r"\s+(?:[\w-]+\s+){0,2}?([\w-]+)(?i:,| called| named)?\s+$"
)
APPOSED = re.compile(rf",?\s+(?:\(|is |was )?({OWNER}|the|an?)\s+((?:[\w-]+\s*){{1,4}})", ANY_CASE)
LABELLED = re.compile(
    r"(?:^|[\s;,(|])([\w-]+(?: [\w-]+)?)\s*:\s*(?:(?:mr|mrs|ms|miss)\.?\s+)?$", ANY_CASE
)
TITLED = 8  # characters of a field's value before the name: a title
# "Questions about this form? Contact ...", "For further information call ...".
DIRECTING = re.compile(
    r"\b(?:quer(?:y|ies)|questions?|[ei]nquir(?:y|ies)|information|details|help|comments?|feedback"
    r"|appointments?|assistance)\b[^\n]{0,50}\b(?:contact|call|ring|phone|e-?mail|to|ask(?: for)?"
    r"|speak (?:to|with)|see)\s+$",
    ANY_CASE,
)
DIRECTS = (
    "contact",
    "call",
    "ring",
    "phone",
    "mail",
    "to",
    "ask",
    "for",
    "with",
    "see",
)  # its ends
# "Ann Lee, Records Officer, 12 Elm Road": the post of whom to write to.
IN_POST_BEHIND = re.compile(
    r",\s([A-Z][a-z]+(?: [A-Za-z]+){0,3}),?\s*(?:$|\n|\d|[(+]\d|(?:tel|phone|e-?mail|on|at|ext)\b)"
)
# "Ann Lee (pharmacist)", "Tom Reid, moderator".
BARE_POST = re.compile(r"\s?(?:\(|, )([a-z][a-z-]+(?: [a-z][a-z-]+){0,2})\s*(?:[),.;]|$|\n)")
# The line below a name in a signature: "Clinical Nurse Specialist".
BELOW = re.compile(r"(?:,[ \t]*)?[ \t]*\n[ \t]*([A-Z][a-z]+(?: [A-Za-z]+){0,4})[ \t]*(?:[\n,]|$)")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
ENDS = frozenset({"of", "with", "on", "at", "who", "in", "from", "for", "and", "has", "had", "was"})
HISTORICAL = 1900
BY_LABEL = "noun"
LABELS = frozenset({"label", "labelled", "aged"})
IN_POST = "agent"  # a noun of the group "work"


def with_parts(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    for mention in mentions:
        open_to_more = mention.kind is Kind.PERSON and mention.role in OPEN
        if open_to_more and "field" not in mention.evidence:
            role, evidence = part_of(text, mention)
            if role and (mention.role != PATIENT or outweighs(mention, role, evidence)):
                told = (*mention.evidence, evidence)
                mention = mention._replace(role=role, evidence=told)  # noqa: PLW2901
        yield mention


def outweighs(mention: Mention, role: str, evidence: str) -> bool:
    """Whether a role takes the place of a patient's: a label does, unless one said patient."""
    by_label = evidence == BY_LABEL and LABELS.isdisjoint(mention.evidence)
    return role in NEVER_PATIENTS or by_label


def part_of(text: str, mention: Mention) -> tuple[str, str]:
    """A role and what speaks for it; nothing where nothing does."""
    before = text[max(0, mention.start - NEAR) : mention.start]
    behind = text[mention.end : mention.end + NEAR]
    dates = YEARS.match(behind)
    if dates and int(dates[1]) < HISTORICAL:
        return PUBLIC, "long-dead"
    if is_byline(before) or PRINTED.search(before):
        return PUBLIC, "byline"
    if is_cited(text, mention, before, behind):
        return PUBLIC, "cited"
    if label := label_of(text, mention, before):
        role = role_of_noun(post_or(label))
        if role:
            return role, BY_LABEL
    far = max(0, mention.start - FAR)
    if before.rstrip().lower().endswith(DIRECTS) and DIRECTING.search(text, far, mention.start):
        return OTHER, "noun"
    for noun, owned in nouns_beside(before, behind):
        role = role_of_noun(noun)
        # "a driver with asthma" is whom the text is about, "her driver" is not
        if role and (owned or role not in {OTHER, RELATIVE}):
            return role, "noun"
    return "", ""


def label_of(text: str, mention: Mention, before: str) -> str:
    """The last word of the label whose value begins with the name, or nothing."""
    if ":" in before and (found := LABELLED.search(before)):
        return found[1].lower().split()[-1]
    structure = read_structure(text)
    one = structure.field_at(mention.start)
    if one is None or mention.start - one.start > TITLED:
        return ""
    words = CAMEL.sub(" ", structure.label_of(one)).lower().split()
    return words[-1].strip(".:*_") if words else ""


def is_byline(before: str) -> bool:
    return before.rstrip()[-2:].lower() == "by" and BYLINE.search(before) is not None


def nouns_beside(before: str, behind: str) -> Iterator[tuple[str, bool]]:
    """ "Our labrador Rex", "Tom, her boss", "Mother: Ruth": and whether it is somebody's."""
    own = OWN_NOUN.search(before) if before[-1:].isspace() else None
    if own:
        yield own[2].lower(), own[1].lower() != "the"
    if titled := IN_POST_BEHIND.match(behind):
        noun = titled[1].lower().split()[-1]
        if post_or(noun) == IN_POST:
            yield IN_POST, True
    if not before.rpartition("\n")[2].strip() and (line := BELOW.match(behind)):
        yield post_or(line[1].lower().split()[-1]), True
    if bare := BARE_POST.match(behind):
        yield post_or(bare[1].split()[-1]), True
    apposed = APPOSED.match(behind)
    if apposed:
        owned = apposed[1].lower() not in {"the", "a", "an"}
        for word in apposed[2].lower().split():
            if word in ENDS:
                break
            yield word, owned


def post_or(noun: str) -> str:
    """What stands for any post, or the noun itself; "Collected by: ..." names who did it."""
    in_post = noun == "by" or (acts_for_others(noun) and not role_of_noun(noun))
    return IN_POST if in_post else noun


@functools.lru_cache(maxsize=4096)
def role_of_noun(noun: str) -> str:
    """The part that a noun beside a name gives to its bearer."""
    if noun in load_people().kinship:
        return RELATIVE
    for role, words in nouns().items():
        if noun in words:
            return role
    if is_animal(noun):
        return ANIMAL
    return CLINICIAN if is_clinical(noun) else ""


@functools.cache
def nouns() -> dict[str, frozenset[str]]:
    book = read_toml(rules_folder() / "mentions" / "en.toml")["parts"]
    roles = {"work": OTHER, "office": PUBLIC, "story": FICTIONAL, "pets": ANIMAL}
    return {role: frozenset(book[group]) for group, role in roles.items()}


def is_cited(text: str, mention: Mention, before: str, behind: str) -> bool:
    """ "Hale (2019)", "Hale et al.", "Hale A, Reid B. ... 2019;12:33": an author of print."""
    if mention.form is MentionForm.SURNAME and CITED.match(behind):
        return True
    if mention.form is not MentionForm.SURNAME or not mention.first:
        return False
    listed = re.match(r"\.?,\s+[A-Z]", behind) or LISTED.search(before)
    line = text.find("\n", mention.end)
    rest = text[mention.end : min(line if line >= 0 else len(text), mention.end + 400)]
    return bool(listed) and bool(REFERENCE.search(rest))


def all_parts(texts: Sequence[str], found: Sequence[list[Mention]]) -> list[list[Mention]]:
    return [list(with_parts(text, some)) for text, some in zip(texts, found, strict=True)]
