"""Which person an identifier, a place, a date or an age belongs to.

In: people and scopes of a document, a finding that identifies.  Out: its owner, or a new person who
is known by that identifier alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence

from dlp.attribute.identity import is_unnamed
from dlp.attribute.links import SUBJECT_ROLES, Page, Place, is_eligible
from dlp.attribute.people import LOOSE, SUBJECT_LABEL, Individual, is_personal
from dlp.attribute.scopes import Span
from dlp.model import Evidence, Finding, Kind, Mention, MentionForm, PartRole

OFFICE = re.compile(r"\bfax\b|\bwww\.|\bswitchboard\b|\bopening hours\b", re.IGNORECASE)
BESIDE_IT = 100  # characters around the block of a letterhead
CONTACT = frozenset({Kind.PHONE, Kind.ADDRESS, Kind.EMAIL})
NEAR = 400  # characters between a name and the lines of a heading that go with it
BEHIND = 80  # a name so far behind a number; what is named farther behind is somebody else
CLOSE = frozenset({Kind.PLACE, Kind.ORGANISATION, Kind.PROVIDER, Kind.URL, Kind.IP})
FIELD_KINDS = {
    "birth": (Kind.DATE, "birth-date"), "age": (Kind.AGE, "age"), "city": (Kind.PLACE, "city"),
    "state": (Kind.PLACE, "state"), "zip": (Kind.PLACE, "zip"), "id": (Kind.ID, "field-id"),
    "address": (Kind.ADDRESS, "address"), "phone": (Kind.PHONE, "phone"),
    "email": (Kind.EMAIL, "email"), "occupation": (Kind.ORGANISATION, "occupation"),
    "employer": (Kind.ORGANISATION, "employer"),
}  # fmt: skip
NARROWING = frozenset({Kind.PLACE, Kind.AGE, Kind.ADDRESS})
AT_HOME = re.compile(
    r"\b(?:home|lives|living|lived|resid\w+|tenant|owner|occup\w+|visit(?:ed|ing)? to|address|flat"
    r"|moved|house|caller|lady|man|woman|family)\b[^\n.]{0,30}$",
    re.IGNORECASE,
)
OF_PLACE = re.compile(r",?\s(?:who lives |living |residing )?(?:at|of|in|from)\s(?:the\s)?")
FORMS = {
    Kind.ID: MentionForm.NUMBER, Kind.ADDRESS: MentionForm.DESCRIBED,
    Kind.DATE: MentionForm.DESCRIBED,
}  # fmt: skip
A_NAME = 40  # characters of a line that holds hardly more than a name
LONG_AGO = 1910  # a birth year of nobody alive
BESIDE = frozenset({PartRole.MAIL_HEADER, PartRole.PROPERTY, PartRole.FILE_NAME})


def note_evidence(person: Individual, values: Mapping[str, str]) -> None:
    """What the fields of a record say of a person, as evidence with its text."""
    for what, (kind, rule) in FIELD_KINDS.items():
        if values.get(what):
            finding = Finding(kind, rule, 0, 0, 0, 1.0)
            person.found.append(finding)
            person.evidence.append(Evidence(kind, rule, values[what]))


class Ownership:
    def __init__(self, pages: Sequence[Page], people: list[Individual]) -> None:
        self._pages = pages
        self._people = people
        self._subjects = [one for one in people if one.roles & SUBJECT_ROLES]
        self._alone: dict[str, Individual] = {}
        self._rest: list[Finding] = []  # what narrows down nobody who has a name

    def give(self, person: Individual, finding: Finding, text: str) -> None:
        person.found.append(finding)
        person.evidence.append(Evidence(finding.kind, finding.rule_id, text))

    def take(self, finding: Finding) -> Individual | None:
        """The owner, who now has this evidence."""
        page = self._pages[finding.part]
        text = page.scopes.text[finding.start : finding.end]
        is_birth = "birth" in finding.rule_id
        if finding.kind is Kind.DATE and not is_birth:
            return None  # of a letter, a visit, a meeting
        if finding.kind in CONTACT and is_office(page, finding):
            return None
        owner = within_role(page, finding)
        if owner is None and not is_told_before(page, finding):
            owner = self._nearest(page, finding)
        if owner is None and finding.kind in NARROWING:
            self._rest.append(finding)
        if owner is None and finding.kind in CLOSE:
            return None
        if owner is None and page.role not in BESIDE and (is_personal(finding) or is_birth):
            owner = self._unnamed(page, finding, text)
        if owner is not None:
            self.give(owner, finding, text)
        return owner

    def give_rest(self) -> None:
        """Postal codes, places and ages go to somebody without a name in the same lines."""
        for finding in self._rest:
            page = self._pages[finding.part]
            _, block, group = page.scopes.block(finding.start)
            reach = 0 if finding.kind in CLOSE else BEHIND
            near = Span(group.start - reach, group.end + reach)
            around = [place for place in page.between(near) if is_unnamed(place[2])]
            here = [place for place in around if block.start <= place[0] < block.end] or around
            if here:
                owner = min(here, key=lambda place: abs(place[0] - finding.start))[2]
                self.give(owner, finding, page.scopes.text[finding.start : finding.end])

    def _nearest(self, page: Page, finding: Finding) -> Individual | None:
        _, block, group = page.scopes.block(finding.start)
        if found := closest(possible(page, block, finding), finding.start):
            return found
        if group != block and (found := closest(possible(page, group, finding), finding.start)):
            return found
        if finding.kind in CLOSE:
            above = line_above(page.scopes.text, finding.start)
            return closest(possible(page, above, finding), finding.start)
        message = page.scopes.message(finding.start)
        near = Span(
            max(message.start, finding.start - NEAR), min(message.end, finding.end + BEHIND)
        )
        around = [place for place in page.between(near) if is_eligible(place[2])]
        found = closest(around, finding.start)
        if found is None and finding.kind in {Kind.DATE, Kind.AGE}:
            found = numbered(page.between(group), finding.start)
        return found

    def _unnamed(self, page: Page, finding: Finding, text: str) -> Individual | None:
        """A person known by this identifier; the same identifier again is the same person."""
        if finding.rule_id in LOOSE:
            return None  # may be the number of anything
        if finding.kind is Kind.ADDRESS and "address" not in finding.rule_id:
            return None  # a postal code is a district
        if finding.kind is Kind.DATE and (page.is_table or not is_of_living(finding, text)):
            return None  # rows without names are weighed by dlp/attribute/rows.py
        value = "".join(filter(str.isalnum, text)).lower()
        person = self._alone.get(value)
        if person is None:
            form = FORMS.get(finding.kind, MentionForm.HANDLE)
            person = Individual(len(self._people), form, shown={form})
            person.roles.add(f"only_{finding.kind}")
            line = page.scopes.text.rfind("\n", 0, finding.start) + 1
            if SUBJECT_LABEL.search(page.scopes.text[line : finding.start]):
                person.roles.add("labelled_subject")
            if AT_HOME.search(page.scopes.text[line : finding.start]):
                person.roles.add("at_home")
            self._people.append(person)
            self._alone[value] = person
        mention = Mention(
            Kind.PERSON, finding.part, finding.start, finding.end, finding.confidence,
            person.form.value, (finding.rule_id,), form=person.form,
        )  # fmt: skip
        person.mentions.append(mention)
        person.parts.add(page.role)
        where: Place = (finding.start, mention, person)
        at = bisect_left(page.starts, finding.start)
        page.places.insert(at, where)
        insort(page.starts, finding.start)
        return person


def within_role(page: Page, finding: Finding) -> Individual | None:
    """ "The 60-year-old bell-ringer of Elko": the age and the town are theirs."""
    at = bisect_left(page.starts, finding.start + 1) - 1
    if finding.kind not in NARROWING or at < 0:
        return None
    _, mention, person = page.places[at]
    if mention is None or mention.form is not MentionForm.ROLE or not is_unnamed(person):
        return None
    if finding.end <= mention.end:
        return person
    near = finding.kind is Kind.PLACE and finding.start >= mention.end
    touches = near and OF_PLACE.fullmatch(page.scopes.text, mention.end, finding.start)
    return person if touches else None


def is_told_before(page: Page, finding: Finding) -> bool:
    """ "The lady at 4 Elm Road": the address is hers, not of the person named in the next line."""
    at = bisect_left(page.starts, finding.start) - 1
    if finding.kind is not Kind.ADDRESS or at < 0:
        return False
    _, mention, person = page.places[at]
    if mention is None or mention.form is not MentionForm.ROLE or not is_unnamed(person):
        return False
    return OF_PLACE.fullmatch(page.scopes.text, mention.end, finding.start) is not None


def is_of_living(finding: Finding, text: str) -> bool:
    """A whole birth date, not of somebody who died long ago."""
    year = re.search(r"\d{4}", text)
    return finding.rule_id == "birth-date" and (year is None or int(year[0]) > LONG_AGO)


def is_office(page: Page, finding: Finding) -> bool:
    """The telephone or address of a letterhead: a fax, a web page or an institution beside it.

    An institution counts where nobody is named near it, or where both stand in one paragraph
    without anybody: the name behind the blank line is whom the letter is about.
    """
    _, block, _ = page.scopes.block(finding.start)
    low, high = max(0, block.start - BESIDE_IT), min(page.scopes.length, block.end + BESIDE_IT)
    text = page.scopes.text
    if OFFICE.search(text, low, high):
        return True
    start = text.rfind("\n\n", 0, finding.start) + 1
    end = text.find("\n\n", finding.end)
    paragraph = Span(start, end if end >= 0 else page.scopes.length)
    return any(
        has_title(page, near) and not is_somebodys(page, near)
        for near in (Span(low, high), paragraph)
    )


def is_somebodys(page: Page, span: Span) -> bool:
    """Whether somebody is named in a span who is not there to treat or to work."""
    return any(one.is_named and is_eligible(one) for _, _, one in page.between(span))


def has_title(page: Page, span: Span) -> bool:
    """Whether the name of an institution starts in a span."""
    at = bisect_left(page.titles, (span.start, 0))
    return at < len(page.titles) and page.titles[at][0] < span.end


def line_above(text: str, position: int) -> Span:
    """The line above a position that begins its own: a town below a name in a signature."""
    start = text.rfind("\n", 0, position) + 1
    if text[start:position].strip() or not start:
        return Span(position, position)
    above = text.rfind("\n", 0, start - 1) + 1
    return Span(above, start - 1) if start - 1 - above <= A_NAME else Span(position, position)


def numbered(places: Sequence[Place], position: int) -> Individual | None:
    """Somebody known by a number only, nearest: "Member ID: 4711, born 3 May 1961"."""
    found = [place for place in places if "only_id" in place[2].roles]
    return min(found, key=lambda place: abs(place[0] - position))[2] if found else None


def possible(page: Page, span: Span, finding: Finding) -> list[Place]:
    """Who can own what identifies: somebody beside the matter only what follows their name.

    "SSN 318-89-6540, signed Ada Hale MD", "Address: ... / GP: Dr Hale": it is not the clinician's.
    A birth date is never.
    """
    inside = range(finding.start, finding.end)  # a name inside one of a firm or a place
    places = [place for place in page.between(span) if place[0] not in inside]
    if finding.kind in CLOSE:
        return places
    is_birth = "birth" in finding.rule_id
    return [
        place for place in places
        if is_eligible(place[2]) or (not is_birth and place[0] <= finding.start)
    ]  # fmt: skip


def closest(places: Sequence[Place], position: int) -> Individual | None:
    """The person named last before a position, else first after it."""
    places = [place for place in places if place[2].is_named]
    before = [place for place in places if place[0] <= position]
    if before:
        return before[-1][2]
    return places[0][2] if places else None
