"""Candidates for each health fact, going outward from it, and the features of each candidate link.

In: the people and scopes of a document, and a health finding.  Out: Links with named features.

Steps outward: same record, same sentence, same block, same message, the document's subject, another
part. The nearest person of each step is a candidate; the features say how far away the person is,
who stands nearer, what the words between say and how the text around reads.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dlp.attribute.chance import Features, load_weights
from dlp.attribute.genre import NEAR, Genre, Narrative, has_few_digits, load_genres
from dlp.attribute.identity import identity_of, is_unnamed
from dlp.attribute.people import LOOSE, OF_OTHERS, Individual
from dlp.attribute.pointing import (
    HE,
    OUTRIGHT,
    OWNED,
    REPORTING,
    SECOND,
    SHE,
    THEIR_KIN,
    YOUR_APPOINTMENT,
    Pointing,
    is_patients_turn,
    pointing_of,
    says_of_self,
)
from dlp.attribute.records import AT_WORK
from dlp.attribute.scopes import Scopes, Span
from dlp.attribute.wording import (
    Mask,
    grams,
    load_clauses,
    load_reader,
    load_wording,
    masked,
    sides,
    squashed,
)
from dlp.model import Finding, Kind, Mention, MentionForm, PartRole
from dlp.text.apposition import APPOSED
from dlp.text.field_labels import meaning_of
from dlp.text.stating import BEING, STATING
from dlp.text.structure import BlockKind

# These are tried on text in small letters: an alternative that begins with a fixed letter is passed
# by at a glance, one that begins with a letter of either case is not.
HAVING = re.compile(
    r"\b(?:has|had|have|having|with|suffer\w*|diagnos\w+|develop\w+|takes?|taking|took|on|under\w+"
    r"|present\w*|test\w*|treat\w+|for|because|due|of|complain\w*|living|lives|recover\w*|surviv\w+"
    r"|die[ds]|dying|start\w*|receiv\w+|admitted|attend\w*|referr\w+|prescribed|is|was|got|fighting"
    r"|off|needs?|battling|after|since|history|undergo\w*|reports?|back|home|sick)\b",
)
JOINING = re.compile(r"[\s:\-–—|,;(\[\t/*_.=\"'#0-9xX☒☑✓]{1,40}")
# Forms whose doubt is whether the word is a name at all.
NAMED = frozenset({
    MentionForm.FULL_NAME, MentionForm.TITLE_SURNAME, MentionForm.SURNAME, MentionForm.FIRST_NAME,
    MentionForm.INITIALS, MentionForm.NICKNAME, MentionForm.HANDLE,
})  # fmt: skip
MOST_AGAIN = 4
SHARED = 0.4  # identity up to which a mention without a name singles nobody out
GENERIC = re.compile(
    r"\b(?:people|patients|children|women|men|those|anyone|many|most|adults|persons|individuals"
    r"|everyone|cases|often|usually|commonly|may|can cause|include|including|such as|e\.g"
    r"|causes?(?! of death)"
    r"|risk of|prevent\w*|(?<!in )(?<!in the )(?:clinic|department|unit)|(?<!on the )ward"
    r"|centre|center|association|society|foundation"
    r"|charity|research|institute|study|studies|trial|campaign|course|training|conference|project"
    r"|essay|paper|article|book|novel|film|poster|leaflet|lecture|talk|workshop|awareness|fundrais\w*)\b",
)
SUBJECT_ROLES = frozenset({"patient", "labelled_subject", "aged", "record"})
STANDING_BY = frozenset(
    {
        *("historical", "clinician", "public", "fictional", "labelled_staff", "in_post"),
        *("credential", "signs", "keeps_file"),
    }
)
ON_DUTY = frozenset({"clinician", "staff", "public"})
AUTHORS = frozenset({"author", "signs", "signature"})
ADDRESSED = frozenset({"correspondent", "salutation"})
WRITTEN_TO = ADDRESSED | {"written_to"}  # "Dear patient", where one person can be meant
SUBJECT_LABELS = frozenset({"label", "labelled", "labelled_subject"})
PARTS = (
    ("record", frozenset({"record"})),
    ("historical", frozenset({"historical"})),
    ("clinician", frozenset({"clinician", "credential"})),
    ("subject", frozenset({"labelled_subject", "aged"})),
    ("public", frozenset({"public", "fictional"})),
    ("staff", frozenset({"labelled_staff", "in_post"})),
    ("subject", frozenset({"patient"})),
    ("relative", frozenset({"relative"})),
    ("writer", frozenset({"author", "signs", "signature", "keeps_file"})),
    ("addressee", ADDRESSED),
    ("number", frozenset({"only_id"})),
    ("contact", frozenset({"only_email", "only_phone", "only_address"})),
)
NOT_THEIRS = LOOSE | OF_OTHERS  # numbers of things, firms and professions
# Parts that say nothing against somebody; one who has no name is weighed by what singles them out.
NOTHING_ELSE = frozenset({"subject", "plain", "number", "contact"})
OWNERS = NOTHING_ELSE | {"relative", "unnamed"}
PARTIES = frozenset({"writer", "addressee"})  # of a mail or a letter
WITHOUT_NAME = frozenset({"unnamed", "contact"})
IDENTIFYING = frozenset({"birth", Kind.AGE, Kind.ID, Kind.PHONE, Kind.EMAIL, Kind.ADDRESS})
LOOSELY = frozenset({"name_before", "name_has", "name_reports"})
NEAREST = frozenset({"name_states", "name_has", "name_joins_fact", "fact_of_name"})
POINTED = frozenset(
    {"block_before", "block_after", "group_before", "group_after", "message_before",
     "message_after", "document", "other_part"}
)  # fmt: skip
BY_PRONOUN = frozenset(
    f"{scope}_before_pronoun" for scope in ("sentence", "block", "group", "message")
)
FAR = POINTED | {f"{one}_{how}" for one in POINTED for how in ("pronoun", "noun")}
FAR = frozenset(one for one in FAR if not one.startswith(("block_before", "group_before")))
ABOVE = frozenset({"block_before", "group_before"})
OF_NAME = re.compile(r"\b(?:for|of|in|by)\s+(?:mr|mrs|ms|miss|our|the|my)?\.?\W*$")
BLOCKS = frozenset({BlockKind.ROW, BlockKind.LIST_ITEM, BlockKind.FORM_LINE, BlockKind.HEADING})
# "HIV clinic", "stroke nurse": what a house treats, or whom somebody works with.
DEPARTMENT = re.compile(
    r"\s?(?:teams?|units?|clinics?|services?|nurses?|wards?|department|centre|center|outpatients?"
    r"|lead|specialists?|consultants?|helpline|group|coordinator|department)\b",
    re.IGNORECASE,
)
VALUE = re.compile(r"\d")
OF_FAMILY = "D020022"  # MeSH: what relatives have is the named person's own risk
ABBREVIATED = re.compile(r"[A-Z][A-Z0-9/&]{0,3}")
OWN_ROLE = {
    "is_written_to": ("is_addressee", "is_staff"), "writes_of_self": ("is_writer", "is_staff")
}  # fmt: skip
APPOSITION = 200  # characters behind a person in which an apposition ends
BESIDE = 60  # characters on either side of a fact or a person in which its nearest words stand
AROUND = 250  # characters on either side of a block, up to a blank line, whose words count
FEW = 3  # health terms in a paragraph that need no explanation
STATED = frozenset({
    "name_states", "name_has", "name_joins_fact", "fact_of_name", "number_has", "writes_of_self",
    "is_written_to",
})  # fmt: skip
FARTHEST = 2000  # characters between a person and a fact; farther is as far
ABOUT = 60  # characters before a fact that can make it general
ONE_CUE = 0.25  # of a genre
DENYING = frozenset(
    {"negated", "template", "general", "figurative", "animal", "hypothetical", "family"}
)
GENERAL = frozenset({"general", "template"})
MOST_BETWEEN = 160  # characters between a person and a fact that are read
OUTSIDE = frozenset({PartRole.PROPERTY, PartRole.FILE_NAME, PartRole.HEADER_FOOTER})
Place = tuple[int, Mention | None, Individual]  # where a person stands in a part


@dataclass(slots=True)
class Link:
    """A person who may have a fact."""

    fact: int  # index of the finding
    person: Individual
    step: str
    features: Features = field(repr=False)
    chance: float = 0.0
    mention: Mention | None = None  # the one that made the link, in the part of the fact


@dataclass(slots=True)
class Page:
    """One part with its scopes and the people in it, in order of place."""

    scopes: Scopes
    role: PartRole
    places: list[Place] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    genres: dict[int, Genre] = field(default_factory=dict)
    health: list[int] = field(default_factory=list)  # starts of the health findings
    titles: list[tuple[int, int]] = field(default_factory=list)  # names of institutions
    masks: list[Mask] = field(default_factory=list)  # names and health terms, for the wording
    telling: list[int] = field(default_factory=list)  # starts of `masks`
    worded: dict[int, float] = field(default_factory=dict)
    read: dict[int, float] = field(default_factory=dict)
    claused: dict[tuple[str, int], float] = field(default_factory=dict)
    is_table: bool = False
    narrative: Narrative | None = None

    def between(self, span: Span) -> list[Place]:
        low, high = bisect_left(self.starts, span.start), bisect_left(self.starts, span.end)
        return self.places[low:high]

    def has_fact(self, start: int, end: int) -> bool:
        """Whether a health finding starts between two places."""
        low = bisect_left(self.health, start)
        return low < len(self.health) and self.health[low] < end

    def around_name(self, position: int) -> int:
        """Where the name over a position starts: the point of an initial ends no sentence."""
        at = bisect_left(self.starts, position) - 1
        if at < 0 or (mention := self.places[at][1]) is None or mention.end <= position:
            return position
        return mention.start

    def first_between(self, start: int, end: int, most: int) -> list[Place]:
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return self.places[low : min(high, low + most)]

    def last_between(self, start: int, end: int, most: int) -> list[Place]:
        """The last first."""
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return self.places[max(low, high - most) : high][::-1]

    def last_subject(self, start: int, end: int) -> Place | None:
        """The last place between two where the text names whom it calls its subject."""
        for number in range(bisect_left(self.starts, end) - 1, -1, -1):
            place = self.places[number]
            if place[0] < start:
                return None
            if place[2].roles & SUBJECT_ROLES:
                return place
        return None

    def words(self, block: Span) -> set[str]:
        """Masked words and pairs of a block and its neighbourhood."""
        return grams(self.around(block))

    def around(self, block: Span) -> str:
        """A block and its neighbourhood without names and health terms."""
        return self.masked(self.scopes.neighbourhood(block, AROUND, self.telling))

    def reading(self, block: Span) -> float:
        """How far the neighbourhood of a block reads unlike a leak."""
        if block.start not in self.read:
            self.read[block.start] = load_reader().score(self.around(block))
        return self.read[block.start]

    def masked(self, span: Span) -> str:
        """A stretch of text without its names and health terms."""
        low = bisect_left(self.masks, (span.start, 0, ""))
        high = bisect_left(self.masks, (span.end, 0, ""))
        return masked(self.scopes.text, *span, self.masks[low:high])

    def wording(self, block: Span) -> float:
        known = self.worded.get(block.start)
        if known is None:
            known = self.worded[block.start] = load_wording().score(self.words(block))
        return known

    def sides(self, sign: str, inside: Span, scope: Span) -> set[str]:
        """The words before and behind a fact or a person, no farther than its scope."""
        low, high = max(scope.start, inside.start - BESIDE), min(scope.end, inside.end + APPOSITION)
        first = bisect_left(self.masks, (low, 0, ""))
        last = bisect_left(self.masks, (high, 0, ""))
        masks = self.masks[first:last]
        before = masked(self.scopes.text, low, inside.start, masks)
        after = [mask for mask in masks if mask[0] >= inside.end]
        behind = masked(self.scopes.text, inside.end, high, after)
        return sides(sign, before, APPOSED.sub(" ", behind, count=1)[:BESIDE])

    def phrase(self, finding: Finding) -> Span:
        """A fact with those that are listed with it."""
        at = bisect_right(self.telling, finding.start) - 1
        start, end, _ = self.masks[at] if at >= 0 else (finding.start, finding.end, "")
        return Span(start, end) if end >= finding.end else Span(finding.start, finding.end)

    def around_person(self, mention: Mention) -> set[str]:
        text = self.scopes.text
        low = text.rfind("\n", max(0, mention.start - BESIDE), mention.start) + 1
        high = text.find("\n", mention.end, mention.end + BESIDE)
        scope = Span(
            low or max(0, mention.start - BESIDE), high if high >= 0 else self.scopes.length
        )
        return self.sides("p", Span(mention.start, mention.end), scope)

    def person_said(self, mention: Mention) -> float:
        """What the words beside a mention say for somebody private whom the text is about."""
        key = ("p", mention.start)
        if key not in self.claused:
            self.claused[key] = load_clauses().total(self.around_person(mention))
        return self.claused[key]

    def genre(self, block: Span) -> Genre:
        known = self.genres.get(block.start)
        if known is None:
            start, end = self.scopes.neighbourhood(block, NEAR, self.telling)
            near = self.scopes.text[start:end]
            known = load_genres().of(near)
            if has_few_digits(near) and (story := self._story(start)):
                known = {**known, "story": story}
            self.genres[block.start] = known
        return known

    def _story(self, position: int) -> float:
        """How far a place stands in a long story, of which it must be a part itself."""
        if self.narrative is None:
            self.narrative = Narrative(self.scopes.text)
        return self.narrative.at(position)


def is_eligible(person: Individual) -> bool:
    """Whether nothing speaks against this person being whom a text is about."""
    if person.roles & {"clinician", "credential"}:
        return False
    return bool(person.roles & SUBJECT_ROLES) or not person.roles & STANDING_BY


def is_described(person: Individual) -> bool:
    """Whether the text calls somebody its patient, or gives a number, a birth date or an age."""
    if person.roles & {"clinician", "credential", "public", "fictional"}:
        return False
    return bool(person.roles & SUBJECT_ROLES) or any(
        "birth" in one.rule_id or (one.kind in {Kind.ID, Kind.AGE} and one.rule_id not in LOOSE)
        for one in person.found
    )


class Candidates:
    """Who can have the facts of one document."""

    def __init__(self, pages: Sequence[Page], people: Sequence[Individual]) -> None:
        self._pages = pages
        self._people = people
        self._seen: dict[int, Seen] = {}
        self._subjects = [one for one in people if one.roles & SUBJECT_ROLES]
        self._eligible = [one for one in people if is_eligible(one)]
        self._only_contacts = all(map(is_contact, self._eligible))
        self._where = {
            one.number: {
                n for n, page in enumerate(pages) for _, _, two in page.places if two is one
            }
            for one in (self._subjects or self._eligible)[:8]
        }

    def links(self, index: int, finding: Finding) -> list[Link]:
        page = self._pages[finding.part]
        view = View(page, finding, self._seen)
        found: dict[int, Link] = {}
        for step, places in view.steps():
            for rank, where in enumerate(places):
                person = where[2]
                if person.number not in found and self._may_be_far(step, person):
                    rivals = len({one.number for _, _, one in places})
                    features = view.features(step, where, rank, rivals)
                    found[person.number] = Link(index, person, step, features, 0.0, where[1])
        subjects = self._subjects or self._eligible
        for person in subjects[:4]:
            if person.number not in found and self._may_be_far("document", person):
                parts = self._where.get(person.number, set())
                step = "document" if finding.part in parts else "other_part"
                features = view.features(step, (0, None, person), 0, len(subjects))
                found[person.number] = Link(index, person, step, features)
        only = self._eligible[0].number if len(self._eligible) == 1 else -1
        near = [STEP_RANK[one.step] // 2 for one in found.values() if is_eligible(one.person)]
        nearest = min(near, default=len(STEPS))
        for link in found.values():
            if link.person.number == only:
                link.features["only_person"] = 1.0
                note_only_one(link)
            if nearest < STEP_RANK[link.step] // 2:
                link.features["nearer_person"] = 1.0
        return list(found.values())

    def _may_be_far(self, step: str, person: Individual) -> bool:
        """A bare telephone number is whom a text is about only where nobody else is.

        Somebody shown by a room or a post alone is meant only by what stands beside it.
        """
        if step in BESIDE_STEPS:
            return True
        if is_faint(person):
            return False
        if step not in OUTER:
            return True
        return self._only_contacts or not is_contact(person)


STEPS = (
    "sentence_before", "sentence_after", "block_before", "block_after", "group_before",
    "group_after", "message_before", "message_after", "document", "other_part",
)  # fmt: skip
FAINT = 0.6  # identity; one who is shown by less is meant only by what stands beside
STEP_RANK = {step: rank for rank, step in enumerate(STEPS)}
BESIDE_STEPS = frozenset({"sentence_before", "sentence_after", "block_before"})
OUTER = frozenset(STEPS[STEPS.index("message_before") :])
CIRCLE = frozenset({MentionForm.KINSHIP, MentionForm.ROLE})
OWN_CIRCLE = frozenset({"own-kin", "own-role"})
CONTACT = frozenset({"only_phone", "only_email", "only_address"})
NO_CONTACT = SUBJECT_ROLES | {"only_id", "only_date", "at_home", "initials"}


def is_faint(person: Individual) -> bool:
    """Shown by so little that only what stands beside can be theirs, and no label says whose."""
    if not is_unnamed(person) or "labelled_subject" in person.roles:
        return False
    return identity_of(person, load_weights()) < FAINT


def is_of_own_circle(person: Individual) -> bool:
    """ "Mum", "our night porter": who writes and whoever reads it know who that is."""
    return person.form in CIRCLE and any(
        OWN_CIRCLE & {*mention.evidence} for mention in person.mentions
    )


def is_contact(person: Individual) -> bool:
    """Somebody of whom only a telephone, an address or a mailbox is known, and no label says whose.

    Far from a fact it is as likely a letterhead's: it is a person's where they stand together.
    """
    if not person.roles & CONTACT or person.roles & NO_CONTACT:
        return False
    return MentionForm.INITIALS not in person.shown


def note_only_one(link: Link) -> None:
    """A text about one person without a name, and one name that nobody else in the file can have.

    Where the name stands makes no difference: below, in a comment, in the title of the file.
    """
    relation = next((name for name in link.features if name.startswith("link_")), "")
    if relation.removeprefix("link_") in FAR and not is_unnamed(link.person):
        pointed = relation.endswith(("_pronoun", "_noun"))
        near = 1.0 - link.features.get("distance", 0.0)
        link.features["far_only_pointed" if pointed else "far_only_person"] = near


class Seen(NamedTuple):
    """What a person brings to all their links."""

    features: Features
    part: str
    is_described: bool


class View:
    """The surroundings of one fact."""

    def __init__(self, page: Page, finding: Finding, people: dict[int, Seen]) -> None:
        self._people = people
        self.page = page
        self.finding = finding
        scopes = page.scopes
        self.text = scopes.text
        self.kind, self.block, self.group = scopes.block(finding.start)
        sentence = scopes.sentence(finding.start)
        start = max(page.around_name(sentence.start), self.block.start)
        self.sentence = Span(start, min(sentence.end, self.block.end))
        self.message = scopes.message(finding.start)
        self.phrase = page.phrase(finding)
        self.text_end = scopes.length
        self._fact: Features | None = None
        self._of_label = -1  # where the label ends that names somebody
        self._pointing: Pointing | None = None
        self._words: float | None = None
        self._owner: str | None = None  # sex of whom the fact is called

    def steps(self) -> list[tuple[str, list[Place]]]:
        """The people of each scope around the fact, nearest first."""
        at = self.finding.start
        named: list[tuple[str, list[Place]]] = []
        inner = Span(at, at)
        for name, scope, most in (
            ("sentence", self.sentence, 3), ("block", self.block, 2), ("group", self.group, 2),
            ("message", self.message, 2),
        ):  # fmt: skip
            before = self.page.last_between(scope.start, inner.start, most + 1)
            if name == "message" and before:
                # the last whom the text calls its subject, however far above
                subject = self.page.last_subject(scope.start, inner.start)
                before = before[:most] if subject is None else [*before[:most], subject]
            more = most if name == "sentence" else 1
            named.append((f"{name}_before", before))
            named.append((f"{name}_after", self.page.first_between(inner.end, scope.end, more)))
            inner = scope
        return [(name, places) for name, places in named if places]

    def features(self, step: str, where: Place, rank: int, rivals: int) -> Features:
        place, mention, person = where
        seen = self._seen(person)
        told, part = {**self._of_fact(), **seen.features}, seen.part
        relation = self._relation(told, step, where)
        told[f"link_{relation}"] = 1.0
        if relation in BY_PRONOUN and (self._pronoun_states() or self._is_owned_by(person)):
            told["person_in_statement"] = told["fact_in_statement"] = told["pronoun_states"] = 1.0
        said = self._said()
        if mention is not None:
            said += self.page.person_said(mention)
        told["person_clause"] = told["fact_clause"] = squashed(said)
        self._drop_own_role(told, where, relation, said)
        if relation == "name_states" and is_of_own_circle(person):
            told["own_circle_stated"] = 1.0
        self._weigh_generality(told, step, relation, person)
        if relation in STATED:
            # a sentence that says it makes both sure: that it is a person, and that it is a fact
            told["person_in_statement"] = told["fact_in_statement"] = 1.0
        if relation == "name_states" and self.finding.context.isdisjoint(DENYING):
            told["fact_is_stated"] = 1.0
            told.pop("reading", None)  # said outright, whatever the words around
            if told.get("near_animal", 0.0) <= ONE_CUE:
                told.pop("near_animal", None)  # a cat in the garden of somebody who is ill
        if relation in FAR:
            told[f"far_{part}"] = 1.0
            if step.startswith("message"):
                told["distance"] = min(1.0, abs(self.finding.start - place) / FARTHEST)
            if rivals > 1:
                told["rivals"] = min(math.log2(rivals), 3) / 3
        else:
            if relation in ABOVE and part in ON_DUTY:
                told[f"above_{part}"] = 1.0
            if rank:
                told["behind_another"] = min(rank, 2) / 2
        return told

    def _seen(self, person: Individual) -> Seen:
        if (seen := self._people.get(person.number)) is None:
            seen = Seen(of_person(person), part_of(person), is_described(person))
            self._people[person.number] = seen
        return seen

    def _relation(self, told: Features, step: str, where: Place) -> str:
        """How the text joins a person of a scope and the fact."""
        place, mention, person = where
        relation = step
        if mention is not None and step.startswith("sentence"):
            relation = self._read_between(mention, place)
        elif step.startswith("sentence"):
            between = self.text[place : self.finding.start][:MOST_BETWEEN]
            relation = "number_has" if HAVING.search(between.lower()) else "sentence_number"
        relation = self._refer(told, person, relation)
        part = self._seen(person).part
        if relation not in LOOSELY or part not in OWNERS or not self._owner_sex():
            return relation
        if not self._is_owned_by(person):
            told["owned_by_other_sex"] = 1.0
            return relation
        nearer = self.page.between(Span(place + 1, self.finding.start))
        theirs = any(one is not person and self._is_owned_by(one) for _, _, one in nearer)
        return relation if theirs else "name_states"

    def _drop_own_role(self, told: Features, where: Place, relation: str, said: float) -> None:
        """Whoever is written to or says "I" is meant, not a bystander."""
        _, mention, person = where
        says_i = mention is not None and mention.form is MentionForm.FIRST_PERSON
        states = relation == "name_states" or (relation in NEAREST and said > 0)
        if mention is not None and self.block.start <= mention.start < self._of_label:
            told.pop("is_addressee", None)  # "Ruth: bad. asthma": who speaks, whoever greeted her
        of_self = says_i and bool(person.first or person.last) and states
        for role in OWN_ROLE.get("writes_of_self" if of_self else relation, ()):
            told.pop(role, None)

    def _weigh_generality(
        self, told: Features, step: str, relation: str, person: Individual
    ) -> None:
        """A sentence that names its patient is about that patient, however generally it asks."""
        described = self._seen(person).is_described
        if step.startswith("sentence") and (relation in STATED or described):
            whose = "of_subject" if described else "of_named"
            for context in GENERAL & self.finding.context:
                told[f"said_{context}_{whose}"] = told.pop(f"said_{context}")
        if relation == "is_written_to" and YOUR_APPOINTMENT.search(self._sentence_text()):
            told.pop("sentence_general", None)
        if relation in STATED and "sentence_general" in told:
            told["sentence_general_stated"] = told.pop("sentence_general")

    def _sentence_text(self) -> str:
        return self.text[self.sentence.start : self.sentence.end].lower()

    def _pronoun_states(self) -> bool:
        """ "Mr Hale came late. He has asthma.": the sentence says it outright of he or she."""
        head = self.text[self.sentence.start : self.phrase.start][-MOST_BETWEEN:].lower()
        return says_of_self(head)

    def _owner_sex(self) -> str:
        """Of whose the fact is called: "because of her arthritis"; "any" for "their"."""
        if self._owner is None:
            head = self.text[self.sentence.start : self.phrase.start][-OUTRIGHT:].lower()
            found = OWNED.search(head)
            self._owner = {"his": "m", "her": "f", "their": "any"}[found[1]] if found else ""
        return self._owner

    def _is_owned_by(self, person: Individual) -> bool:
        sex = self._owner_sex()
        return bool(sex) and (sex in {"any", person.sex} or not person.sex)

    def around_fact(self) -> set[str]:
        return self.page.sides("f", self.phrase, self.sentence)

    def _said(self) -> float:
        """What the words beside the fact say for its being told of somebody."""
        if self._words is None:
            self._words = load_clauses().total(self.around_fact())
        return self._words

    def _of_fact(self) -> Features:
        """What does not depend on the person; worked out once."""
        if self._fact is None:
            finding = self.finding
            told: Features = {f"fact_{finding.kind}": 1.0}
            for context in finding.context:
                told[f"said_{context}"] = 1.0
            told["fact_doubted"] = 1.0 - finding.confidence
            if finding.kind is Kind.TEST and VALUE.search(self.text, finding.start, finding.end):
                told["fact_measured"] = 1.0  # a result is somebody's; a test's name is anybody's
            if finding.concept == OF_FAMILY:
                told["fact_of_family"] = 1.0
            low = bisect_left(self.page.health, self.block.start)
            listed = bisect_left(self.page.health, self.block.end) - low
            if listed > FEW:
                told["facts_in_block"] = min(math.log2(listed / FEW), 4) / 4
            score = self.page.wording(self.block)
            told["person_wording"] = told["fact_wording"] = score
            told["reading"] = self.page.reading(self.block)
            for genre, share in self.page.genre(self.block).items():
                told[f"near_{genre}"] = share
            if ABBREVIATED.fullmatch(self.text, finding.start, finding.end):
                told["fact_abbreviated"] = 1.0
            low = bisect_right(self.page.titles, (finding.start, self.text_end)) - 1
            if low >= 0 and self.page.titles[low][1] >= finding.end:
                told["fact_in_institution"] = 1.0
            if is_department(self.text, finding):
                told["fact_of_department"] = 1.0
            if self.page.role in OUTSIDE:
                told["fact_outside_body"] = 1.0
            self._note_field(told)
            sentence = self.text[self.sentence.start : self.sentence.end]
            low = max(self.sentence.start, finding.start - ABOUT)
            high = min(self.sentence.end, finding.end + ABOUT // 2)
            if GENERIC.search(self.page.masked(Span(low, high)).lower()):  # Freya Ward is no ward
                told["sentence_general"] = 1.0
            if "near_news" in told and "news" in load_genres().of(sentence):
                told["sentence_news"] = 1.0
            if sentence.rstrip().endswith("?"):
                told["sentence_asks"] = 1.0
            self._fact = told
        return self._fact

    def _note_field(self, told: Features) -> None:
        """The kind of block a fact stands in, and what the label of its field says."""
        if self.kind in BLOCKS:
            told[f"in_{self.kind}"] = 1.0
        structure = self.page.scopes.structure
        if (labelled := structure.field_at(self.finding.start)) is not None:
            meaning = meaning_of(structure.label_of(labelled).strip())
            label = Span(labelled.label_start, labelled.label_end)
            if not meaning.what and self.page.between(label):
                told["field_of_person"] = 1.0  # "Ann Lee: asthma"
                self._of_label = labelled.label_end
            elif not meaning.what and self.page.between(Span(label.end, self.finding.start)):
                return  # "Noted: Ann Lee has asthma": a sentence behind a label
            elif meaning.owner == "relative":
                told["field_of_relative"] = 1.0
            elif AT_WORK.search(structure.label_of(labelled)):
                told["field_of_work"] = 1.0
            elif meaning.what == "health":
                told["field_of_health"] = 1.0
            else:
                told["field_of_other"] = 1.0

    def _read_between(self, mention: Mention, place: int) -> str:
        """How the words between a person and a fact of one sentence join them."""
        phrase = self.phrase
        if place >= phrase.start:
            between = self.text[phrase.end : mention.start][:MOST_BETWEEN]
            if OF_NAME.search(between.lower()):
                return "fact_of_name"
            return "fact_joins_name" if JOINING.fullmatch(between) else "name_after"
        between = APPOSED.sub(" ", self.text[mention.end : phrase.start][:MOST_BETWEEN], count=1)
        if THEIR_KIN.match(between):
            return "of_their_relative"
        if JOINING.fullmatch(between):
            return "name_joins_fact"
        low = between.lower()
        if REPORTING.search(low):
            return "name_states" if says_of_self(low) else "name_reports"
        if len(between) <= OUTRIGHT and STATING.search(low):
            return "name_states"
        if self.finding.kind is Kind.DISEASE and BEING.fullmatch(low):
            return "name_states"
        return "name_has" if HAVING.search(low) else "name_before"

    def _refer(self, told: Features, person: Individual, relation: str) -> str:
        """Whom the sentence points at by a pronoun or a noun; a pointed one is a relation apart."""
        if self._pointing is None:
            start, end = self.sentence.start, self.finding.end
            head = self.text[max(start, end - MOST_BETWEEN) : end]
            self._pointing = pointing_of(head, head[: self.phrase.start - end])
            if self._pointing.first and is_patients_turn(
                self.page.scopes.structure, self.finding.start
            ):
                self._pointing = self._pointing._replace(first=False, noun=True)
        pointing = self._pointing
        if pointing.kin and "relative" not in person.roles:
            told["sentence_of_relative"] = 1.0
        if pointing.first:
            if "speaker" in person.roles and not self._is_own_turn(person):
                told["said_by_another"] = 1.0
                return relation
            told["first_person"] = 1.0
            if person.roles & AUTHORS or person.form is MentionForm.FIRST_PERSON:
                if pointing.owned and "fact_abbreviated" not in told:
                    return "name_states"  # "my MUA" is as often a thing
                if relation not in NEAREST:
                    return "writes_of_self"
        elif pointing.second:
            if person.roles & WRITTEN_TO and relation not in NEAREST and not self._asks_to_act():
                return "is_written_to"
            told["second_person"] = 1.0
        third = bool(pointing.pronouns) or pointing.noun
        party = self._seen(person).part in PARTIES
        if third and not pointing.first and relation in POINTED and party:
            told["writes_of_another"] = 1.0  # "he" and "the patient" are not whose mail this is
        elif relation in POINTED:
            if pointing.pronouns:
                she, he = bool(pointing.pronouns & SHE), bool(pointing.pronouns & HE)
                if (person.sex == "m" and she and not he) or (person.sex == "f" and he and not she):
                    told["pronoun_clashes"] = 1.0
                else:
                    return f"{relation}_pronoun"
            elif pointing.noun:
                return f"{relation}_noun"
        return relation

    def _asks_to_act(self) -> bool:
        """ "You are invited to speak on asthma": no illness of whoever is written to."""
        head = self.text[self.sentence.start : self.finding.start][-MOST_BETWEEN:].lower()
        behind = SECOND.split(head)[-1]
        return REPORTING.search(behind) is not None and "your" not in head[-OUTRIGHT:].split()

    def _is_own_turn(self, person: Individual) -> bool:
        """Whether the line of a dialogue that a fact stands in is this speaker's."""
        return any(one is person for _, _, one in self.page.between(self.block))


def is_department(text: str, finding: Finding) -> bool:
    """Whether a term is, or is followed by, the word for a department or a post."""
    last = text.rfind(" ", finding.start, finding.end)
    own = last >= 0 and DEPARTMENT.match(text, last, finding.end) is not None
    return own or DEPARTMENT.match(text, finding.end) is not None


def part_of(person: Individual) -> str:
    """One word for the part a person plays, the strongest evidence first."""
    roles = person.roles
    part = next((part for part, some in PARTS if roles & some), "plain")
    if part in NOTHING_ELSE and is_unnamed(person):
        return "contact" if is_contact(person) else "unnamed"
    return "unnamed" if part == "record" and is_unnamed(person) else part


def of_person(person: Individual) -> Features:
    if part_of(person) in WITHOUT_NAME:
        return of_unnamed(person)
    told: Features = {f"form_{person.form}": 1.0, f"is_{part_of(person)}": 1.0}
    if person.form is MentionForm.SURNAME and person.first:
        told = {**told, "form_surname": 0.5, "form_full_name": 0.5}  # "J. Smith" is in between
    if "headed" in person.roles:
        told["is_in_heading"] = 1.0
    if "listed_staff" in person.roles:
        told["listed_in_post"] = 1.0
    if person.mentions:
        if person.form in NAMED:
            doubt = 1.0 - max(mention.confidence for mention in person.mentions)
            told[f"name_doubted_{person.form}"] = doubt
            told["named_again"] = min(len(person.mentions) - 1, MOST_AGAIN) / MOST_AGAIN
        if person.roles & SUBJECT_LABELS:
            told["labelled_subject"] = 1.0
    if person.parts and PartRole.BODY not in person.parts:
        for role in person.parts:
            told["only_in_title" if "titled" in person.roles else f"only_in_{role}"] = 1.0
    # Letters and forms give the telephone and the number of those who treat, work or publish.
    for finding in () if part_of(person) in ON_DUTY else person.found:
        what = "birth" if "birth" in finding.rule_id else finding.kind
        if what in IDENTIFYING and finding.rule_id not in NOT_THEIRS:
            told[f"has_{what}"] = 1.0
    return told


def singled_out(identity: float) -> float:
    """0 for what many people share, as a kinship or a role alone; 1 for what tells one apart."""
    return max(0.0, identity - SHARED) / (1.0 - SHARED)


def of_unnamed(person: Individual) -> Features:
    """A person without a name counts by how far everything together tells who it is.

    What is known of them enters by that sum alone, so that further evidence never speaks against.
    """
    told = {"is_unnamed": 1.0, "singled_out": singled_out(identity_of(person, load_weights()))}
    if MentionForm.FIRST_PERSON in person.shown:
        told["is_writer"] = 1.0  # whose mailbox it is writes of much else
    if person.roles & SUBJECT_LABELS:
        told["labelled_subject"] = 1.0
    if person.parts and PartRole.BODY not in person.parts:
        for role in person.parts:
            told[f"only_in_{role}"] = 1.0
    return told
