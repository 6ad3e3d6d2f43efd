"""Join weak mentions of one person: initials, a birth date, a number, a room that go together.

In: the pages of a document and its people.  Out: which people became another one.

None of them says who it is; together they often do. They go together in one line, in one sentence
or in the lines of one heading, with no health fact and nobody else between, and where no two of
them are of one kind: two rooms are two people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dlp.attribute.identity import is_unnamed, kind_of
from dlp.attribute.links import Page, Place
from dlp.attribute.people import STRENGTH, Individual
from dlp.model import Finding, Kind, Mention, MentionForm

BESIDE_NAME = frozenset({MentionForm.UNIT, MentionForm.ROLE})
FARTHEST = 80  # characters between two mentions that go together
# Between the lines of a heading: a label, a sign, a short value; no sentence ends.
HEADING = re.compile(r"[^.!?\n]{0,60}(?:\n[^.!?\n]{0,40}){0,2}")
ONE_LINE = re.compile(r"[^!?;\n]{0,80}")
ENDING = re.compile(r"[a-z)]\.\s+[A-Z]|\b(?:and|or|versus|vs|while|whereas|but)\b")
CLOSE = 24  # characters between pieces of evidence that are written as one
TIED = re.compile(r"[^.!?;\n]*")
CLOSING = re.compile(r"\)")
SENDER = re.compile(r"(?:\bfrom|\be-?mail|\bsender|\breply-to)\W*$", re.IGNORECASE)
LABEL = 16  # characters
BYSTANDING = frozenset({"clinician", "credential", "labelled_staff", "public", "fictional"})
# "Hale in bed 4", "Bed 4 - Hale", "our porter Tom Hale"
TOUCHING = re.compile(r"[\s,:;|/–—()-]{0,4}(?:(?:in|from|of|at)\s+)?(?:the\s+)?", re.IGNORECASE)


def gather(pages: Sequence[Page], people: list[Individual]) -> dict[int, Individual]:
    """Who was joined to whom, by number; those who were joined leave the people and the pages."""
    merged: dict[int, Individual] = {}
    for page in pages:
        before: Place | None = None
        for place in page.places:
            now = (place[0], place[1], merged.get(place[2].number, place[2]))
            if before is not None and before[2] is not now[2] and is_one(page, before, now):
                kept, other = stronger(before[2], now[2])
                absorb(kept, other)
                for number, one in merged.items():
                    merged[number] = kept if one is other else one
                merged[other.number] = kept
                now = (now[0], now[1], kept)
            before = now
    for page in pages:
        page.places = [(at, m, merged.get(one.number, one)) for at, m, one in page.places]
        page.places = list(apart(page))
        page.starts = [place[0] for place in page.places]
    if merged:
        people[:] = [one for one in people if one.number not in merged]
    return merged


def join_writer(pages: Sequence[Page], people: list[Individual]) -> dict[int, Individual]:
    """Who says "I" in a text that names nobody is whose mailbox stands behind From or E-mail."""
    writers = [one for one in people if one.shown == {MentionForm.FIRST_PERSON}]
    others = [one for one in people if one.is_named and not one.roles & BYSTANDING]
    senders = {
        one.number: one
        for page in pages
        for at, _, one in page.places
        if "only_email" in one.roles and SENDER.search(page.scopes.text[max(0, at - LABEL) : at])
    }
    if len(writers) != 1 or others or len(senders) != 1:
        return {}
    (writer,), (sender,) = writers, senders.values()
    absorb(sender, writer)
    sender.roles.discard("author")  # what they write is of themselves
    people.remove(writer)
    for page in pages:
        page.places = [(at, m, sender if one is writer else one) for at, m, one in page.places]
    return {writer.number: sender}


def apart(page: Page) -> Iterator[Place]:
    """The places, each as far as it goes, without those of the same person that one covers."""
    covered: dict[int, int] = {}
    for at, mention, person in page.places:
        if mention is not None and mention.end <= covered.get(person.number, 0):
            continue
        whole = as_far_as(page, mention, person)
        if whole is not None:
            covered[person.number] = whole.end
        yield at, whole, person


def as_far_as(page: Page, mention: Mention | None, person: Individual) -> Mention | None:
    """A mention up to the end of what stands with it: "T.R. (born 3 May 1961) in room 12".

    The words beside a person are those behind all that, whatever it holds.
    """
    if mention is None or not is_unnamed(person):
        return mention
    spans = [(one.start, one.end) for one in person.found if one.part == mention.part]
    spans += [(one.start, one.end) for one in person.mentions if one.part == mention.part]
    spans.sort()
    end = mention.end
    for start, until in spans:
        if not 0 <= start - end <= CLOSE or page.has_fact(end, until):
            continue
        if TIED.fullmatch(page.scopes.text, end, start):
            end = until
    if end > mention.end:
        closing = CLOSING.match(page.scopes.text, end)
        return mention._replace(end=closing.end() if closing else end)
    return mention


def is_one(page: Page, before: Place, now: Place) -> bool:
    (_, first, one), (end, second, other) = before, now
    if first is None or second is None or end - first.end > FARTHEST or end < first.end:
        return False
    if page.has_fact(first.end, end):
        return False
    between = page.scopes.text[first.end : end]
    if goes_with(one, other):
        if "\n" in between and MentionForm.ROLE in (one.form, other.form):
            return False  # "Seen by: R. Hale" and a line that begins "The lady at 4 Elm Road"
        return TOUCHING.fullmatch(between) is not None
    if not (is_weak(one) and is_weak(other)) or clash(one, other):
        return False
    if ENDING.search(between):
        return False
    return (HEADING if "\n" in between else ONE_LINE).fullmatch(between) is not None


def is_weak(one: Individual) -> bool:
    """Shown without a name; somebody who treats, works or writes is somebody apart."""
    apart = {"clinician", "credential", "labelled_staff", "author", "signs", "relative", "record"}
    if one.roles & apart:
        return False
    return is_unnamed(one)


def goes_with(one: Individual, other: Individual) -> bool:
    """A bed or a post beside a name."""
    weak, named = (one, other) if other.is_named else (other, one)
    if not named.is_named or named.form is MentionForm.INITIALS or weak.is_named:
        return False
    return weak.form in BESIDE_NAME and weak.form not in named.shown and is_weak(weak)


def clash(one: Individual, other: Individual) -> bool:
    """Both shown by initials, by a room, by a birth date, or by a number of the same kind."""
    if (one.shown & other.shown) - {MentionForm.NUMBER, MentionForm.DESCRIBED, MentionForm.HANDLE}:
        return True
    mine, theirs = ({slot_of(found) for found in each.found} for each in (one, other))
    return bool(mine & theirs)


def slot_of(finding: Finding) -> str:
    """What one person has once: one birth date, one number of each kind."""
    return finding.rule_id if finding.kind is Kind.ID else kind_of(finding)


def stronger(one: Individual, other: Individual) -> tuple[Individual, Individual]:
    """The one who is named, or shown by the stronger form, comes first."""
    named = one.is_named, STRENGTH[one.form]
    return (one, other) if named >= (other.is_named, STRENGTH[other.form]) else (other, one)


def absorb(kept: Individual, other: Individual) -> None:
    kept.roles |= other.roles
    kept.mentions += other.mentions
    kept.found += other.found
    kept.evidence += other.evidence
    kept.shown |= other.shown
    kept.parts |= other.parts
    kept.sex = kept.sex or other.sex
