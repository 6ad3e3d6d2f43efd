"""Join mentions of one document into people, each with its roles and what identifies it.

In: mentions, findings that name one person alone, texts.  Out: Individuals.

A role is evidence, not a gate: a clinician can be a patient, it is only less likely. A person shown
by a weak form (initials, a number, a first name) is a person with less identity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import re2

from dlp.model import USER_SIGN, Evidence, Finding, Kind, Mention, MentionForm, PartRole

LABEL = 25  # characters of a label that has a line of its own
TURNS = 3  # lines of one speaker, words of one turn
LINE = 60  # characters of its line before a name in which a label can stand
# RE2 reads long lists of words four times as quickly.
SUBJECT_LABEL = re2.compile(
    r"(?i)"
    r"(?:\b(?:patient|pt|client|resident|claimant|employee|member|insured|subscriber|pupil|student"
    r"|child|camper|participant|applicant|beneficiary|detainee|inmate|tenant|appellant|donor"
    r"|sticker|deceased|casualty|passenger|traveller|worker|athlete|veteran|customer|user|subject|person)"
    r"(?:['’]?s)?(?: (?:full |legal )?name| details| label| id)?|\b(?:full |legal |print |pt |last "
    r"|first |given |family )?(?:sur|fore)?names?(?: of [a-z ]{3,25})?|\bre|\bregarding"
    r"|\bconcerning)(?: \([^)\n]{0,30}\))?[*_ \t]*(?:[:=|#]|\.{3,}|\t)[*_ \t|\"]*$"
)
STAFF_LABEL = re2.compile(
    r"(?i)"
    r"(?:\b(?:surgeon|an(?:a)?esthetist|consultant|gp|physician|provider|prescriber|clinician|nurse"
    r"|doctor|therapist|practitioner|author|manager|supervisor|officer|case ?worker|key ?worker"
    r"|contact|witness|requester|referrer|cc|attorney|solicitor|teacher|coach|trainer|tutor|crew"
    r"|interpreter|editor|chair(?:man|person)?|present|attendees|participants|apologies|attending"
    r"|next of kin|nok|ice|attn|organi[sz]er|owner|host|speaker|presenter|lead|assigned|agent)\b"
    r"[^:\n]{0,18}[:|–-]"
    r"|\b(?:request|report|dictat|sign|see|review|authori[sz]|approv|prepar|complet|collect|check"
    r"|tak|refer|witness|interview|record|transcrib|reconcil|issu|verifi|assess|discuss|writt|chair"
    r"|l|hand)(?:ed|en|n|red) (?:by|with):?|\bcop(?:y|ied) to:?|\belectronically signed:?"
    r"|\bdictated but not read,?|\b(?:nurse|sister|matron|constable|officer|midwife))"
    r"[*_ \t]*(?:\n[ \t]*){0,2}$"
)
# What each of the two cannot do without: a thousand names stand behind words of prose.
SUBJECT_SIGNS = frozenset(":=|#.\t")
STAFF_ENDS = (
    *":|–-,", "by", "with", "to", "signed", "read", "nurse", "sister", "matron", "constable",
    "officer", "midwife",
)  # fmt: skip
# Everybody behind such a label is there for a post: "Speakers: Ann Lee (asthma), Tom Reid".
LISTING = re2.compile(
    r"(?i)^\W*(?:[\w&' -]{0,24} )?(?:speakers?|presenters?|trustees?|attendees|in attendance"
    r"|committee|chairs?|moderators?|panel(?:l?ists)?|editors?|reviewers?|authors?|contacts?|staff|team"
    r"|instructors?|trainers?|tutors?|teachers?|coaches|volunteers?|organi[sz]ers?|on call|on duty"
    r"|investigators?|cc|distribution|signatories)\b[^:\n.]{0,25}:"
    r"(?:[^.!?\n]*(?:[,;&/]|\band))?\s*(?:[A-Z][a-z]{1,4}\.? )?$"
)
LISTED = 200  # characters of its line before a name in which such a label can stand
# "Discharge summary for Ann Lee", "Visit note - Ann Lee - 3 May", "Ann Lee's care plan": the first
# line says of whom the file is.
PAPER = (
    r"(?:notes?|summary|report|plan|letter|file|record|interview|assessment|review|chart|form|log"
    r"|statement|handover|discharge|referral|prescription|appraisal|feedback|supervision|history"
    r"|profile|card|update|recording|transcript|consultation|appointment|session)"
)
OF_WHOM = re2.compile(
    rf"(?i)\b{PAPER}\b[^\n]*(?:\b(?:for|of|on|about|re|regarding|concerning|with)|[:–—-])"
    r"\s*(?:m(?:r|rs|s|iss)\.?\s)?$"
)
WHOSE = re2.compile(rf"(?i)^(?:['’]s?\s|\s*[-–—:|]\s*)(?:[\w-]+\s){{0,2}}{PAPER}\b")
MADE_BY = re2.compile(r"(?i)\b(?:by|from|author|dictated|prepared|template)\b")
CLOSES = re2.compile(r"^\s*(?:$|[,;(|–—-]|\d)")
TITLE = 90  # characters of such a line
CREDENTIAL = re.compile(
    r",?[ \t]{0,2}\(?(?:M\.?D\.?|D\.?O\.?|R\.?N\.?|N\.?P\.?|P\.?A\.?(?:-C)?|Ph\.?D\.?|FRC[A-Z]{1,4}"
    r"|MRC[A-Z]{1,4}|MB ?BS|MB ?ChB|RGN|SRN|RMN|LCSW|LPC|LMFT|DDS|DMD|BDS|PT|OT|RPh|PharmD|CNM|RDN?"
    r"|JD|Esq|consultant|registrar|nurse|physiotherapist|surgeon|chair|manager|director|editor"
    r"|HR|reporter|correspondent|counsel)\b"
)
AGED = re.compile(
    r"[ \t]*(?:,|\(|is|was|aged?|-)[ \t]*(?:an?[ \t])?(?:aged?[ \t]|very[ \t]|pleasant[ \t])*"
    r"\d{1,3}[ \t]?-?[ \t]?"
    r"(?:y\b|yo\b|y/o|yrs?\b|years?|months?|weeks?|m\b|f\b|/[mf]\b|,|\)|mos?\b)"
    # nothing else than a birth date stands in brackets behind a name and fills its line
    r"|[ \t]*\((?:\d{1,2}[/.-](?:\d{1,2}|[a-z]{3,9})[/.-](?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d"
    r"|\d{1,2} [a-z]{3,9} (?:19|20)\d\d)\)[ \t]*(?:\n|$)",
    re.IGNORECASE,
)
SIGNING = re.compile(
    r"(?:^|\n)[ \t>]*(?:(?:kind|best|warm)(?:est)? |yours |many |lots of |all my )?"
    r"(?:regards|sincerely|faithfully|truly|love|thanks|cheers|best|wishes"
    r"|respectfully|signed)[,. !]{0,3}\n\s{0,40}$",
    re.IGNORECASE,
)
# Somebody born or dead so long ago that nobody alive is meant: (1867-1934), b. 1829, d. in 1901.
LONG_AGO = re.compile(
    r"[^\n.;]{0,30}?(?:\b(?:born|b|d|died|in|c|ca|circa|fl|on)\b\.?[ \t(,]*"
    r"|\([ \t]*|[-–][ \t]?)(?:\d{1,2} )?(?:[A-Z][a-z]{2,8},? )?"
    r"(?:1[0-8]\d\d|190\d|191[0-4])\b(?![/-]\d\d[/-])"
)
# The running line of a page: a name and a number, a birth date or the page, and nothing else.
RUNNING = re2.compile(
    r"(?i)^[ \t]*(?:[/|,;·–-]|\(|\t)[ \t]*(?:(?:mrn|dob|nhs|id|no|hosp|born|d\.o\.b)\b[^\n]{0,30}"
    r"|[A-Z]{0,3}[-#]?\d[\d /.-]{3,14})[^\n]{0,30}\bpage \d+|^[ \t]*[/|,;–-]?[ \t]*page \d+ of \d+"
    r"|^[ \t]*[/|,;·(–-]+[ \t]*(?:strictly )?(?:private|confidential|in confidence|restricted)\b"
)
# "Recording with Ada Hale" right above the lines of a consultation.
ABOVE_TALK = re2.compile(
    r"(?i)^[^\n:]{0,40}\n\s{0,4}[*_]{0,2}(?:doctor|dr|clinician|nurse|therapist|patient|pt|client"
    r"|interviewer|counsell?or|gp|physician|d|p)[*_]{0,2}:"
)
UNKNOWN = frozenset(["doe", "roe"])
# "PS: this is about X", "the above concerns X", "I mean X", "the patient is X"; "X is meant above".
MEANS = re2.compile(
    r"(?i)(?:\b(?:this|it|that|above|note|letter|text|message|report|all)\b[^.\n]{0,24}"
    r"\b(?:about|concern(?:s|ing)|refers? to|relates? to|regards)|\bI mean"
    r"|\b(?:it|this|that) (?:is|was)"
    r"|\b(?:thank(?:s| you) for|pleasure of|asked (?:me |us )?to) (?:seeing|see|referring|accepting"
    r"|reviewing|review|assessing|assess|meeting)"
    r"|\b(?:printed|dictated|recorded|is this|this is|notes?) for|\bsubject of (?:this|the) \w+:"
    r"|\b(?:patient|person|client|individual|subject)(?: named| meant| described| shown)? above is"
    r"|\b(?:the|above) (?:patient|person|client|name)(?: (?:is|was|meant is)|[ \t]*[=:]))[ \t]*$"
)
MEANS_ENDS = (
    "seeing", "see", "referring", "accepting", "reviewing", "review", "assessing", "assess",
    "meeting", "for", "about", "ncerns", "ncerning", " to", "regards", "mean", "is", "was", *"=:",
)  # fmt: skip
MEANT = re.compile(
    r"(?:,? who)?,? (?:is|was) (?:the )?(?:(?:person|patient|one|client)[^.\n]{0,12})?"
    r"(?:meant|concerned|referred to|in question|I (?:am|was) (?:writing|talking) about)\b",
    re.IGNORECASE,
)
# Evidence of a mention that is a role of its own.
TOLD_BY_NAME = (
    "label", "labelled", "aged", "title", "credential", "signature", "salutation", "only_one",
    "speaker", "roster-certain", "roster-likely",
)  # fmt: skip
INVENTED = frozenset(["john", "jane", "baby", "richard"])  # Doe and Roe, of lawyers and teachers
SUBJECT_LINE = frozenset(["re", "fw", "aw", "wg", "rv", "tr"])  # answers and forwarded mail
# Identifiers that lead to one person; the rest may be a firm's, a thing's or a payment's.
OF_OTHERS = frozenset([
    "us-npi", "us-dea", "us-ein", "uk-utr", "licence-number", "vin", "licence-plate",
    "device-serial", "udi", "imei", "mac", "iban", "swift-bic", "us-routing-number",
    "account-number", "payment-card", "payment-card-labelled",
])  # fmt: skip
LOOSE = frozenset(["labelled-id", "number-sign", "id-then-code"])
ALONE = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE, Kind.ADDRESS})


@dataclass(slots=True)
class Individual:
    """One person of one document."""

    number: int
    form: MentionForm = MentionForm.FULL_NAME
    first: str = field(default="", repr=False)
    last: str = field(default="", repr=False)
    sex: str = ""
    roles: set[str] = field(default_factory=set)
    mentions: list[Mention] = field(default_factory=list, repr=False)
    evidence: list[Evidence] = field(default_factory=list, repr=False)
    found: list[Finding] = field(default_factory=list, repr=False)  # the findings of `evidence`
    parts: set[PartRole] = field(default_factory=set)  # in which kinds of parts they are named
    record: int = -1  # row or resource of a structured part that describes this person
    shown: set[MentionForm] = field(default_factory=set)  # every form in which they are shown

    @property
    def is_named(self) -> bool:
        return bool(self.first or (self.last and self.last[0] != USER_SIGN))


def is_nobody(mention: Mention) -> bool:
    """A placeholder: Jane Doe, XXXX, ABC."""
    first, last = mention.first.lower(), mention.last.lower()
    if (last or first) in UNKNOWN and (first or last) in INVENTED:
        return True
    if form_of(mention) is MentionForm.INITIALS and first + last in SUBJECT_LINE:
        return True
    return any(is_placeholder(word) for word in (first, last) if word)


def is_placeholder(word: str) -> bool:
    """ABC, XYZ, XXXX, 12345: what stands where a name or a number was taken out."""
    if len(word) <= 2 or ord(word[1]) - ord(word[0]) not in {0, 1} or not word.isalnum():
        return False
    return {ord(after) - ord(before) for before, after in pairwise(word)} <= {0, 1}


def is_speech(mention: Mention, text: str) -> bool:
    """ "Patient: Oh well, I have had it for years": who speaks is labelled, not named."""
    if not any(one in mention.evidence for one in ("label", "labelled", "patient")):
        return False
    line = text.rfind("\n", 0, mention.start) + 1
    label = text[line : mention.start].strip()
    if not label.endswith(":") or text.count(f"\n{label}") < TURNS:
        return False
    end = text.find("\n", mention.end)
    return len(text[mention.end : end if end >= 0 else len(text)].split()) >= TURNS


def form_of(mention: Mention) -> MentionForm:
    """The form as the finder says it, or by which names it holds."""
    if mention.form is not MentionForm.FULL_NAME:
        return mention.form
    first, last = mention.first, mention.last
    if len(first) > 1 and len(last) > 1:
        return MentionForm.FULL_NAME
    if not first and not last:
        return MentionForm.FULL_NAME if mention.rule_id == "name-field" else MentionForm.ROLE
    if last and len(last) > 1:
        return MentionForm.SURNAME if not first and "title" not in mention.evidence else (
            MentionForm.TITLE_SURNAME
        )  # fmt: skip
    return MentionForm.FIRST_NAME if len(first) > 2 else MentionForm.INITIALS


STRENGTH = {form: rank for rank, form in enumerate(reversed(MentionForm))}
STRENGTH[MentionForm.FULL_NAME] = 99


class Joining:
    """Mentions that can be the same person become one individual."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.people: list[Individual] = []
        self._texts = texts
        self._by_last: dict[str, list[Individual]] = {}
        self._by_first: dict[str, list[Individual]] = {}
        self._by_words: dict[str, Individual] = {}

    def add_all(
        self, mentions: Sequence[Mention], unnamed: Sequence[Mention] = ()
    ) -> dict[Mention, Individual]:
        """Full names first, so that a later "Mr Hale" finds its Tom Hale."""
        joined: dict[Mention, Individual] = {}
        people = [m for m in mentions if m.kind is Kind.PERSON and not is_nobody(m)]
        for whole in (True, False):
            for mention in people:
                if bool(len(mention.first) > 1 and len(mention.last) > 1) is whole:
                    joined[mention] = self._add(mention)
        for mention in unnamed:
            if not is_nobody(mention):
                joined[mention] = self._add(mention)
        return joined

    def _add(self, mention: Mention) -> Individual:
        form = form_of(mention)
        named = bool(mention.first or mention.last)
        words = "" if named or mention.rule_id == "record" else self._words(mention, form)
        one = self._same(mention) if named else self._by_words.get(words)
        if one is None or (not named and not words):
            one = Individual(len(self.people), form, mention.first, mention.last, mention.sex)
            self.people.append(one)
            if mention.last:
                self._by_last.setdefault(mention.last.lower(), []).append(one)
            if len(mention.first) > 1:
                self._by_first.setdefault(mention.first.lower(), []).append(one)
            if words:
                self._by_words[words] = one
        if mention.role:
            one.roles.add(mention.role)
        if mention.role == "other" and "noun" in mention.evidence:
            one.roles.add("in_post")  # a noun beside the name says so: "Adjuster: ..."
        one.mentions.append(mention)
        one.shown.add(form)
        one.sex = one.sex or mention.sex
        if STRENGTH[form] > STRENGTH[one.form]:
            one.form = form
        return one

    def _words(self, mention: Mention, form: MentionForm) -> str:
        """What makes two mentions without a name the same person."""
        if form is MentionForm.FIRST_PERSON:
            return "i"
        text = self._texts[mention.part][mention.start : mention.end].lower()
        return text.split()[-1] if form is MentionForm.KINSHIP and text else text

    def _same(self, mention: Mention) -> Individual | None:
        first, last = mention.first.lower(), mention.last.lower()
        if last:
            alike = self._by_last.get(last, ())
        elif first:
            alike = self._by_first.get(first, ())
        else:
            return None
        for one in alike:
            if mention.sex and one.sex and mention.sex != one.sex:
                continue  # Mr Hale is not Mrs Hale
            theirs = one.first.lower()
            if not first or not theirs or first == theirs:
                return one
            if last and (len(first) == 1 or len(theirs) == 1) and first[0] == theirs[0]:
                return one
        turned = self._by_last.get(first, ()) if last else ()  # "hale ada" is Ada Hale
        return next((one for one in turned if one.first.lower() == last), None)


def note_roles(person: Individual, mention: Mention, text: str) -> None:
    """What the words directly before and after a mention say about the person's part."""
    for one in TOLD_BY_NAME:
        if one in mention.evidence:
            person.roles.add(one)
    start, end = mention.start, mention.end
    line = max(text.rfind("\n", max(0, start - LINE), start) + 1, start - LINE, 0)
    before = text[line:start] if text[line:start].strip() else label_above(text, line)
    stem = before.rstrip("*_ \t\n").lower()
    if MEANT.match(text, end, end + LINE) or (stem.endswith(MEANS_ENDS) and MEANS.search(before)):
        person.roles.add("labelled_subject")
    elif before:
        if stem.endswith(STAFF_ENDS) and STAFF_LABEL.search(before):
            person.roles.add("labelled_staff")
        elif not SUBJECT_SIGNS.isdisjoint(before) and SUBJECT_LABEL.search(before):
            person.roles.add("labelled_subject")
    if is_titled(text, start, end):
        person.roles.add("labelled_subject")
    if is_listed(text, start):
        person.roles |= {"labelled_staff", "listed_staff"}
    if not text[line:start].strip() and SIGNING.search(text, max(0, start - LINE), start):
        person.roles.add("signs")
    if CREDENTIAL.match(text, end):
        person.roles.add("credential")
    if AGED.match(text, end):
        person.roles.add("aged")
    if text.find("1", end, end + 2 * LINE) >= 0 and LONG_AGO.match(text, end):
        person.roles.add("historical")
    if ABOVE_TALK.search(text[end : end + LINE + LINE]):
        person.roles.add("labelled_subject")
    if not text[line:start].strip() and RUNNING.search(text[end : end + LINE]):
        person.roles.add("labelled_subject")


def is_titled(text: str, start: int, end: int) -> bool:
    """Whether the first line of a text is the title of a paper about whom it names."""
    line = text.rfind("\n", 0, start) + 1
    if start > 2 * TITLE or text[:line].strip():
        return False
    stop = text.find("\n", end)
    before, after = text[line:start], text[end : stop if stop >= 0 else len(text)]
    if stop - line > TITLE or MADE_BY.search(before):
        return False
    if before.strip("#*_ \t"):
        return bool(OF_WHOM.search(before) and CLOSES.search(after))
    return WHOSE.search(after) is not None


def is_listed(text: str, start: int) -> bool:
    """Whether a name is listed behind the label of people in a post."""
    low = max(text.rfind("\n", max(0, start - LISTED), start) + 1, start - LISTED, 0)
    return text.find(":", low, start) >= 0 and LISTING.search(text[low:start]) is not None


def label_above(text: str, line: int) -> str:
    """The label of a value that stands on the next line: "Caseworker", "NAME"."""
    above = text[text.rfind("\n", 0, max(0, line - 1)) + 1 : max(0, line - 1)].strip(" \t\r*_:")
    return f"{above}:" if above and len(above) <= LABEL and above.count(" ") <= 2 else ""


def is_personal(finding: Finding) -> bool:
    """Whether an identifier can lead to one private person."""
    return finding.rule_id not in OF_OTHERS and finding.kind in ALONE


def numbered(findings: Iterable[Finding], number: int) -> Individual:
    """A person known only by identifiers."""
    some = list(findings)
    kinds = {finding.kind for finding in some}
    form = MentionForm.HANDLE if Kind.ID not in kinds else MentionForm.NUMBER
    return Individual(number, form, found=some)
