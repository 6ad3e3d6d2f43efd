"""People that a text shows otherwise than by a name: by number, bed, kinship, role or as "I".

In: a case with findings and named mentions.  Out: Mentions whose form says how each is shown.

They are no findings of their own: a number is a finding already, and "my dad" is nothing to mask.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import re2

from dlp.detect.naming.forms import form_of_number
from dlp.detect.naming.handles import handle_of, user_of
from dlp.detect.naming.labelled import find_behind_labels, shown_in_cells
from dlp.detect.naming.mention import AUTHOR, CLINICIAN, RELATIVE, Mention
from dlp.detect.naming.person_nouns import is_clinical, is_person
from dlp.detect.naming.writers import Writers
from dlp.detect.naming.writings import initials_in
from dlp.detect.overlap import is_free
from dlp.detect.spans import Together
from dlp.knowledge.hashing import hash_word
from dlp.knowledge.marks import KIND_MARKS
from dlp.knowledge.names import WORD, load_names
from dlp.knowledge.people import load_people
from dlp.knowledge.wordnet import load_wordnet
from dlp.model import HEALTH_KINDS, Case, Finding, Kind, MentionForm, Part, PartRole
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

MOST = 400  # of one part: a long story says "I" ten thousand times
LONGEST = 1 << 18  # characters of a part that is searched
WEAK, FAIR = 0.3, 0.45  # below the floor of findings
AT, USER, WRITER, FIGURED, HAVE, BARE = range(1, 7)  # groups of the pattern of handles
Spans = list[tuple[int, int]]
# What only people do, behind a user name: words with figures are bays, versions and products too.
DOES = (
    r"takes|took|suffers|suffered|wrote|writes|posted|posts|asked|asks|replied|says|said"
    r"|was (?:diagnosed|admitted|treated|given|told|off)"
    r"|is (?:on|being|HIV|off|allergic|recovering)"
    r"|needs|reported|reports|disclosed|declared|tested|attends|goes to|collects|collected"
    r"|stopped|started|lost|weighs|cannot|can't|feels|felt|wants|told|rang|called|came off"
    r"|can no longer"
)
WRITES = re.compile(r"[ \t]*(?::|(?:wrote|writes|posted|posts|asked|asks|replied|says|said)\b)")
OF_ANYTHING = frozenset(["labelled-id", "id-then-code"])  # "id: 197321" is a row as often as not
OWNS = re.compile(r" (?:his|her|their|my|the flu|a fall|to go to (?:the )?(?:hospital|doctor))\b")
COUNTING = frozenset({MentionForm.NUMBER, MentionForm.UNIT})
# Of such there is one in a place.
ONLY = frozenset([
    "only", "one", "sole", "first", "former", "youngest", "oldest", "last", "new", "retired",
    "longest-serving", "current", "late", "local", "village",
])  # fmt: skip
OWNED_ONE = re.compile(rf"['’]s? (?:{'|'.join(sorted(ONLY))})")  # of "Leeds's only ferryman"
# "at the Grand", "in bay 3", "on route 17", "of the under-15s"
SINGLING = re.compile(
    r"\s+(?:at|of|on|in|from|for)\s+(?:the\s+|our\s+)?(?:[A-Z0-9]|[a-z]{2,12}[ -]\d)"
)
FARTHEST = 24  # characters behind a noun in which that may stand
LONGEST_OWNER = 5  # letters of "their"
TAKEN_OUT = f" {KIND_MARKS[Kind.PERSON]}"
# Numbers of clinicians, firms, things and money do not stand for the person a record is about.
NOT_OF_PEOPLE = frozenset([
    "us-npi", "us-dea", "us-ein", "uk-utr", "licence-number", "vin", "licence-plate",
    "device-serial", "udi", "imei", "mac", "iban", "swift-bic", "us-routing-number",
    "payment-card", "payment-card-labelled", "number-sign",
])  # fmt: skip


class Patterns(NamedTuple):
    rare: Together  # kin, called, unit, number, nickname
    role: re.Pattern[str]
    only_role: re.Pattern[str]
    first_person: re.Pattern[str]
    handle: Any
    owners: frozenset[str]
    counted: frozenset[str]
    general: frozenset[str]
    stops: frozenset[str]


def unnamed_people(case: Case, named: Sequence[Mention]) -> tuple[Mention, ...]:
    """All of a document, in order of place; spans of named people are left out."""
    assert case.document
    taken = sorted((m.part, m.start, m.end) for m in named if m.kind is Kind.PERSON)
    found = list(from_findings(case.document.parts, case.findings))
    busy = {(m.part, m.start) for m in found}
    health = [(f.part, f.start, f.end) for f in case.findings if f.kind in HEALTH_KINDS]
    parts = [
        (number, part) for number, part in enumerate(case.document.parts)
        if part.role is not PartRole.PROPERTY
    ]  # fmt: skip
    handles = {number: handles_of(part, number, health) for number, part in parts}
    author = author_of(named, parts, [*chain.from_iterable(handles.values())])
    for number, part in parts:
        fields = (
            find_behind_labels(part.text, number).unnamed
            if part.fields is None
            else shown_in_cells(part, number, MOST)
        )
        writers = Writers(part.text[:LONGEST], number, named, author)
        told = in_text(part.text[:LONGEST], number, writers)
        here = [*fields, *handles[number], *islice(told, MOST)]
        here += writers.mentions
        if part.role is PartRole.FILE_NAME:  # "record 2024", "file 12": of the file, not in it
            here = [one for one in here if one.form not in COUNTING]
        for mention in here:
            if (number, mention.start) not in busy:
                busy.add((number, mention.start))
                found.append(mention)
    kept = [mention for mention in found if not is_named(mention, taken)]
    return tuple(sorted(kept, key=lambda m: (m.part, m.start)))


def is_named(mention: Mention, taken: list[tuple[int, int, int]]) -> bool:
    """Whether a name stands at the same place (sorted spans); an e-mail address may hold one."""
    if mention.form is MentionForm.HANDLE:
        return False
    place = bisect_left(taken, (mention.part, mention.end)) - 1
    if place < 0:
        return False
    part, _, end = taken[place]
    return part == mention.part and end > mention.start


def author_of(
    named: Sequence[Mention], parts: Iterable[tuple[int, Part]], handles: Sequence[Mention]
) -> tuple[str, str]:
    """Who writes: the only author that is named, or that a user name or its label shows."""
    if found := only_author(named) or only_author(handles) or introduced(named):
        return found
    labelled = {
        (one.first, one.last)
        for number, part in parts if part.fields is None
        for one in find_behind_labels(part.text, number).unnamed
        if one.form is MentionForm.HANDLE
    }  # fmt: skip
    shown = labelled | {(one.first, one.last) for one in handles}
    if labelled and len(shown) == 1:
        return shown.pop()
    return named_by_file(named, parts) if not handles else ("", "")


def introduced(named: Iterable[Mention]) -> tuple[str, str] | None:
    """ "My name is Ann Lee", "this is Ann Lee from number 4": the only one who is named so."""
    who = {(m.first, m.last) for m in named if m.kind is Kind.PERSON and "self" in m.evidence}
    return who.pop() if len(who) == 1 else None


def named_by_file(named: Iterable[Mention], parts: Iterable[tuple[int, Part]]) -> tuple[str, str]:
    """Who says "I" in a statement that is called after its author and names nobody else."""
    people = [m for m in named if m.kind is Kind.PERSON]
    names = {number for number, part in parts if part.role is PartRole.FILE_NAME}
    who = {(m.first, m.last) for m in people}
    first, last = who.pop() if len(who) == 1 else ("", "")
    return (first, last) if last and {m.part for m in people} <= names else ("", "")


def only_author(shown: Iterable[Mention]) -> tuple[str, str] | None:
    """First and last name of the one who writes, if just one author is shown."""
    authors = {(m.first, m.last) for m in shown if m.kind is Kind.PERSON and m.role == AUTHOR}
    full = {one for one in authors if all(one)} or authors
    return full.pop() if len(full) == 1 else None


def from_findings(parts: Sequence[Part], findings: Iterable[Finding]) -> Iterator[Mention]:
    """Numbers and addresses that earlier stages found, each as the person it stands for."""
    for finding in findings:
        if finding.rule_id in NOT_OF_PEOPLE:
            continue
        text = parts[finding.part].text[finding.start : finding.end]
        if finding.kind in {Kind.ID, Kind.PHONE}:
            yield Mention(Kind.PERSON, finding.part, finding.start, finding.end,
                          min(finding.confidence, FAIR), "number", (finding.rule_id,),
                          form=MentionForm.UNIT if finding.rule_id in OF_ANYTHING
                          else form_of_number(text))  # fmt: skip
        elif finding.kind is Kind.EMAIL:
            first, last = handle_of(text.partition("@")[0])
            yield Mention(Kind.PERSON, finding.part, finding.start, finding.end, FAIR, "handle",
                          ("e-mail",), "", first, last, form=MentionForm.HANDLE)  # fmt: skip


def in_text(text: str, part: int, writers: Writers) -> Iterator[Mention]:
    rules = patterns()
    rare = rules.rare.matches(text)
    yield from initials_in(text, part)
    yield from kin_in(text, part, rare, rules.owners)
    yield from units_and_numbers(part, rare)
    yield from roles_in(text, part, rules)
    yield from nicknames_in(part, rare)
    if TAKEN_OUT in text:
        return  # a sanitised copy: who writes was taken out as well
    for found in rules.first_person.finditer(text):
        if word_before(text, found.start()) not in rules.counted:
            yield Mention(Kind.PERSON, part, found.start(), found.end(), WEAK, "first-person",
                          ("first-person",), AUTHOR, *writers.of(found.start()),
                          form=MentionForm.FIRST_PERSON)  # fmt: skip


def handles_of(part: Part, place: int, health: Iterable[tuple[int, int, int]]) -> list[Mention]:
    """User names of one part; "covid19 has" is an illness."""
    ill: Spans = sorted((start, end) for number, start, end in health if number == place)
    found = islice(handles_in(part, place, ill, patterns()), MOST)
    return [one for one in found if is_free(one.start, one.end, ill)]


def followed(ill: Spans, at: int) -> bool:
    """Whether an illness stands right behind: "moonflower88 has a severe asthma"."""
    place = bisect_left(ill, (at, 0))
    return place < len(ill) and ill[place][0] <= at + FARTHEST


def handles_in(part: Part, place: int, ill: Spans, rules: Patterns) -> Iterator[Mention]:
    text = part.text[:LONGEST]
    for found in rules.handle.finditer(text):
        what = next(kind for kind in (AT, USER, WRITER, FIGURED, BARE) if found[kind])
        start, end = found.span(what)
        before, behind = text[max(0, found.start() - 1) : found.start()], text[end : end + 1]
        # a piece of an address, of a path or of a longer name
        if what in {AT, FIGURED, BARE} and (before.isalnum() or (before and before in "_.@/\\-")):
            continue
        if what == BARE and (behind and behind in "@/\\-_("):
            continue
        first, last = user_of(found[what])
        if what == USER and is_word(found[what]):  # "account number", "user guide"
            continue
        if what == BARE and not first:
            continue
        if what in {WRITER, FIGURED} and part.fields is not None:
            continue  # a label, "PID12:"
        if what == FIGURED and text[end : end + 1] == ":" and not found[what][-1].isdigit():
            continue  # a label, "name-last:"
        if what == FIGURED and found[HAVE]:
            end_of_verb = found.end(HAVE)
            if not OWNS.match(text, end_of_verb) and not followed(ill, end_of_verb):
                continue
        role = AUTHOR if what == WRITER or WRITES.match(text, end) else ""
        yield Mention(Kind.PERSON, place, start, end, WEAK if what == BARE else FAIR, "handle",
                      ("handle",), role, first, last, form=MentionForm.HANDLE)  # fmt: skip


def is_word(handle: str) -> bool:
    """Letters only, and English knows them: "user guide" names no user."""
    if not handle.isalpha():
        return False
    bits, ordinary, _ = load_names().bits_of_one(hash_word(handle.lower()))
    return bool(bits & WORD) or ordinary > 0


def kin_in(
    text: str, part: int, rare: Mapping[str, Iterator[Any]], owners: frozenset[str]
) -> Iterator[Mention]:
    """ "My late father", "Tom's wife", "Dad": evidence says whose relative it is."""
    kinship = load_people().kinship
    for found in rare["kin"]:
        if text.startswith(TAKEN_OUT, found.end()):
            continue  # "my husband [name]": a sanitiser took out who it was
        owner = found[1].lower()
        evidence = "own-kin" if owner in {"my", "our"} else "kin"
        # "Tom's wife" begins behind Tom, who is a mention of his own
        start = (
            found.start(2) if owner.endswith("s") and len(owner) > LONGEST_OWNER else found.start()
        )
        yield Mention(Kind.PERSON, part, start, found.end(), WEAK, "kinship", (evidence,),
                      RELATIVE, sex=kinship[" ".join(found[2].lower().split())].sex,
                      form=MentionForm.KINSHIP)  # fmt: skip
    for found in rare["called"]:
        signs = (
            text[max(0, found.start() - 1) : found.start()] + text[found.end() : found.end() + 1]
        )
        if "-" not in signs and word_before(text, found.start()) not in owners:
            known = kinship.get(found[0].lower())
            yield Mention(Kind.PERSON, part, found.start(), found.end(), WEAK, "kinship",
                          ("own-kin", "called"), RELATIVE, sex=known.sex if known else "",
                          form=MentionForm.KINSHIP)  # fmt: skip


def units_and_numbers(part: int, rare: Mapping[str, Iterator[Any]]) -> Iterator[Mention]:
    for found in rare["unit"]:
        yield Mention(Kind.PERSON, part, found.start(), found.end(), WEAK, "unit", ("unit",),
                      form=MentionForm.UNIT)  # fmt: skip
    for found in rare["number"]:
        yield Mention(Kind.PERSON, part, found.start(2), found.end(2), WEAK, "number",
                      ("label", found[1].lower()), form=form_of_number(found[2]))  # fmt: skip


def roles_in(text: str, part: int, rules: Patterns) -> Iterator[Mention]:
    """ "Our night porter", "the organist at St Olave's": one person of a known circle."""
    only = rules.only_role.finditer(text) if OWNED_ONE.search(text) else ()
    for found in chain(rules.role.finditer(text), only):
        owned = found[0][0] not in "Tt"
        first = found.start("words")
        words = found["words"].split()
        head = head_of(words, rules)
        if head < 0:
            continue
        end = first + sum(len(word) + 1 for word in words[: head + 1]) - 1
        if text.startswith(TAKEN_OUT, end):
            continue  # "my son [name]"
        placed = singled_out(text, end)
        alone = placed or not ONLY.isdisjoint(word.lower() for word in words[:head])
        if not owned and not (placed or (head and words[0][0].isupper())):
            continue
        role = CLINICIAN if is_clinical(words[head].lower()) else ""
        kind = "own-role" if owned else "role"
        evidence = (kind, "only_one") if alone else (kind,)
        yield Mention(Kind.PERSON, part, found.start(), end, WEAK, "role", evidence, role,
                      form=MentionForm.ROLE)  # fmt: skip


def nicknames_in(part: int, rare: Mapping[str, Iterator[Any]]) -> Iterator[Mention]:
    """ "Big Dave from the loading bay": what somebody is called, and where everybody finds them."""
    for found in rare["nickname"]:
        start, end = found.span(1)
        yield Mention(Kind.PERSON, part, start, end, FAIR, "nickname", ("nickname",), "",
                      found[1].split()[-1], form=MentionForm.NICKNAME)  # fmt: skip


def head_of(words: Sequence[str], rules: Patterns) -> int:
    """Which of the words behind "our" is the noun for a person; -1 where none is."""
    last = -1
    for at, word in enumerate(words):
        low = word.lower()
        if low in rules.stops:
            break
        if is_person(low) and (low not in rules.general or is_compound(words[:at])):
            last = at
        elif last >= 0:
            break
    return last


def is_compound(before: Sequence[str]) -> bool:
    """ "The bus driver", "the ice-cream-van owner": a noun says which kind of driver or owner."""
    if not before or before[-1].lower() in ONLY:
        return False
    noun = before[-1].lower().rpartition("-")[2]
    return noun != "old" and bool(load_wordnet().synsets(noun)) and not is_person(noun)


def singled_out(text: str, end: int) -> bool:
    """Whether a place, a house or a number behind it says which one."""
    return SINGLING.match(text, end, end + FARTHEST) is not None


def word_before(text: str, at: int) -> str:
    before = text[max(0, at - 24) : at].rstrip(" \t\n")
    start = len(before)
    while start and (before[start - 1].isalnum() or before[start - 1] in "_'’"):
        start -= 1
    return before[start:].lower()


@functools.cache
def patterns() -> Patterns:
    """RE2 reads long lists of words in one pass; it has no look behind, so signs are checked after.

    The two short patterns stay with `re`.
    """
    book = read_toml(rules_folder() / "mentions" / "en.toml")["unnamed"]
    own = r"my|our|his|her|their|your|[A-Z][\w'’-]+['’]s"
    between = rf"(?:(?:{either(book['kin_before'])})\s+){{0,2}}"
    place = (
        r"(?:[ \t]*(?:no|number)\b\.?|\s*#|\.|[ \t]*:)?[ \t]*"
        r"(?:[ \t][A-Za-z]?|#|:)\d{1,4}[A-Za-z]?"
    )
    mark = r"\s*(?:(?:number|num|no|nr|id|code|ref)\b\.?)?\s*[:#]?\s*"
    value = r"[A-Za-z]{0,4}[-/]?\d[\dA-Za-z]+(?:[-/][\dA-Za-z]+){0,3}"
    account = r"\b(?:user ?name|user|login|account|handle|screen name|logged in as)\s*[:=]?\s+"
    rare = {
        "kin": rf"(?i)\b({own})\s+{between}({either(load_people().kinship)})\b",
        "called": rf"(?i)\b(?:{either(book['called'])})\b",
        "unit": rf"(?i)\b(?:{either(book['units'])}){place}\b",
        "number": rf"(?i)\b({either(book['numbered'])}){mark}({value})\b",
        "nickname": (
            r"\b([A-Z][a-z]{2,15}(?: [A-Z][a-z]{2,15})?),? (?i:(?:from|in|at|on|over in)"
            rf" (?:the |our )?(?:{either(book['whereabouts'])}))\b"
        ),
    }
    return Patterns(
        Together(rare),
        # In both a set of letters comes first, which `re` skips to, and no letter stands before it.
        role=re.compile(
            r"[omtOMT](?<!\w.)(?:(?<=[oO])[uU][rR]|(?<=[mM])[yY]|(?<=[tT])[hH][eE]"
            rf"(?= [\w'’-]+(?: [\w'’-]+){{0,4}}?{SINGLING.pattern}))"
            r" (?=(?P<words>[\w'’-]+(?: [\w'’-]+){0,4}))"
        ),
        # "Leeds's only ferryman"
        only_role=re.compile(
            rf"[A-Z](?<!\w.)[\w-]{{2,24}}['’]s? (?=(?P<words>(?:{either(ONLY)})"
            r"(?: [\w'’-]+){1,3}))"
        ),
        first_person=re.compile(
            r"[IiMm](?<!\w.)(?:(?<=I)(?:['’](?:m|ve|d|ll))?\b(?= [a-z])"
            r"|(?<=i)(?:['’]?m|['’]?ve)? (?=(?:am|have|had|was|got|take|need|feel|still|just|been"
            r"|can|cannot|can't)\b)|(?<=[Mm])y (?=[\w-]+))"
        ),
        handle=re2.compile(
            rf"@([A-Za-z][\w.-]*\w)|(?i:{account}|\b(?:user|login|member|name)=['\"]?)"
            r"([A-Za-z][\w.-]*\w)"
            r"|(?m:^[ \t>]*(?i:posted|asked|written|started|submitted|review|comment|by"
            r"|poster|author|nickname|member|from|sender)(?i: by)?(?::[ \t]*|[ \t]+)@?"
            r"([A-Za-z]\w*[\d_]\w*))"
            r"|\b([A-Za-z]{2,20}(?:[_.-][A-Za-z]{2,20}\d{0,5}|[_.-]?\d{2,5}))"
            rf"(?: (?:{DOES})\b| (has|had)\b|:)"
            r"|\b([a-z]+[._][a-z]+\d{0,4})\b"
        ),
        owners=frozenset(book["owners"]),
        counted=frozenset(book["counted"]),
        general=frozenset(book["general"]),
        stops=frozenset(book["stops"]),
    )


def either(words: Iterable[str]) -> str:
    """The words of a list, the longest first."""
    return "|".join(
        re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)
    )
