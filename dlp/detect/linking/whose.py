"""Whose health, and whose number: tie a finding of running text to one of its people.

In: drafts with their roles, and a finding.  Out: the key of a draft, or nothing.

A patient of the document takes every fact that is not somebody else's; an author takes first-person
facts; a relative or a named person takes the facts of their sentence and of the sentences that go
on with a pronoun.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from dlp.detect.linking.casting import ANONYMOUS, CLINICAL, HEADER
from dlp.detect.linking.drafts import Draft, keys_by_role
from dlp.detect.linking.intimates import HEADERS, goes_on, relative_in
from dlp.detect.linking.joining import Keys, People, Standing, standing
from dlp.detect.linking.personal import is_personal
from dlp.detect.linking.pointing import FIRST_PERSON, MINE, PRONOUN, SHE, YOURS
from dlp.detect.naming.mention import (
    AUTHOR,
    CLINICIAN,
    CORRESPONDENT,
    OTHER,
    PATIENT,
    RELATIVE,
    Mention,
)
from dlp.detect.sentences import sentence_starts
from dlp.model import Document, Finding

NOT_THEIRS = frozenset({"general", "template"})
LETTER = "letter"  # reaches whom it greets, as a telephone would
PAGES = 5000  # characters; a longer text needs more than a cue or two to be clinical
CHAIN = 2  # sentences a pronoun may carry on
Named = tuple[Mention, str]


def told_of(people: Sequence[Named], finding: Finding) -> str:
    """Whoever is named last before a fact; "Ms Roe says that Tom has asthma" is about Tom."""
    before = [key for m, key in people if m.end <= finding.start]
    return before[-1] if before else people[0][1]


def is_kin(mention: Mention) -> bool:
    return "kinship" in mention.evidence


class Whose:
    def __init__(
        self,
        document: Document,
        people: People,
        keys: Keys,
        drafts: dict[str, Draft],
        genre: Mapping[str, int],
        *,
        roles: Mapping[str, list[str]] | None = None,
    ) -> None:
        """`roles`: the keys of drafts by their roles, where they are known."""
        self._document = document
        self._people = people
        self._keys = keys
        self._drafts = drafts
        self._genre = genre
        self._starts: dict[int, tuple[int, ...]] = {}  # of the parts that were asked for
        roles = keys_by_role(drafts) if roles is None else roles
        self._patients, self._authors = roles.get(PATIENT, []), roles.get(AUTHOR, [])
        self._relatives = RELATIVE in roles
        # a letter that names one other person, or a short text that names one, is about that one
        self._only: str | None = None
        if genre.get("private") or genre.get("short"):
            close = self._close(roles)
            self._only = close[0] if len(close) == 1 else None
        self._texts = [part.text for part in document.parts]
        self._standing, greeted = standing(people, keys, self._texts, CLINICIAN, CORRESPONDENT)
        self._addressed = next(iter(greeted)) if len(greeted) == 1 else None
        self._anonymous = ANONYMOUS in drafts

    def _close(self, roles: Mapping[str, list[str]]) -> list[str]:
        """Whom a letter, or a short text, may be about."""
        drafts = self._drafts
        if not self._genre.get("private"):
            return [k for k in roles.get(OTHER, ()) if drafts[k].full_name]
        kin = roles.get(RELATIVE, ())
        return [k for k in kin if any(m.role != CORRESPONDENT for m in drafts[k].mentions)]

    @property
    def standing(self) -> Standing | None:
        """Where somebody is named to whom a number may belong, unless all are the unnamed one's."""
        return None if self._anonymous else self._standing

    @cached_property
    def _patient_places(self) -> list[tuple[list[int], list[str]]]:
        """Where each part names a patient, and which."""
        patients = set(self._patients)
        kept = (
            [(start, key) for start, key in zip(starts, keys, strict=True) if key in patients]
            for (starts, _), keys in zip(self._people, self._keys, strict=True)
        )
        return [([start for start, _ in row], [key for _, key in row if key]) for row in kept]

    @cached_property
    def _one_patient(self) -> str | None:
        """Whom all of a clinical text is about."""
        alone = len(self._patients) == 1 and self._genre["clinical"] >= CLINICAL
        return self._patients[0] if alone else None

    def is_nobodys(self, part: int) -> bool:
        """Whether a part names nobody and no patient or author can claim what it says."""
        somebody = self._patients or self._authors or self._anonymous
        return not somebody and not self._people[part][1]

    def health_of(self, findings: tuple[Finding, ...], told: list[int]) -> list[tuple[int, str]]:
        """Whose each of these findings of health is, as far as it is anybody's."""
        return [(n, key) for n in told if (key := self.health(findings[n]))]

    def health(self, finding: Finding) -> str | None:
        if finding.context & NOT_THEIRS:
            return None
        if not self._people[finding.part][1]:  # then no sentence names anybody
            if "family" in finding.context or not (self._patients or self._authors):
                return None
            if self._patients:
                return self._nearest_patient(finding)
        if self._patients and not self._relatives:  # whoever else the sentence names
            if "family" in finding.context:
                return None
            return self._one_patient or self._nearest_patient(finding)
        sentence = self._sentence(finding)
        here = [one for one in self._named_in(finding.part, sentence) if one[0].role != CLINICIAN]
        close = [one for one in here if self._drafts[one[1]].role == RELATIVE]
        if close:
            return told_of(close, finding)
        if self._patients:
            return None if "family" in finding.context else self._nearest_patient(finding)
        if kin := self._relative_called(finding, sentence):
            return kin
        if "family" in finding.context:
            return None
        text = self._document.parts[finding.part].text[slice(*sentence)]
        if self._authors and MINE.search(text[: finding.start - sentence[0]]):
            return self._speaker(finding)
        if here:
            whole = [one for one in here if self._drafts[one[1]].full_name]
            # "He told Marcy he has ..." is not about Marcy
            spoken_of = None if whole else self._carried_on(finding, sentence)
            return spoken_of or told_of(whole or here, finding)
        if self._addressed and YOURS.search(text[: finding.start - sentence[0]]):
            self._drafts[self._addressed].direct.add(LETTER)
            return self._addressed
        if self._authors and FIRST_PERSON.search(text):
            return self._speaker(finding)
        return self._carried_on(finding, sentence) or self._only or self._one_of_the_family(text)

    def _one_of_the_family(self, sentence: str) -> str | None:
        """ "The biopsy came back, she starts on Monday": of the one aunt that a letter names."""
        letter = self._genre.get("private")
        if not self._relatives or not (letter or self._genre.get("short")) or not goes_on(sentence):
            return None
        close = [d for d in self._drafts.values() if d.role == RELATIVE]
        kin = [d.key for d in close if (any(map(is_kin, d.mentions)) if letter else d.full_name)]
        return kin[0] if len(kin) == 1 else None

    def identifiers(
        self, findings: tuple[Finding, ...], indices: list[int]
    ) -> list[tuple[int, str]]:
        """Whose each of these findings is, as far as it is anybody's."""
        owners = ((index, self.identifier(findings[index])) for index in indices)
        return [(index, key) for index, key in owners if key]

    def identifier(self, finding: Finding) -> str | None:
        """Whoever is named nearest, in the header it stands in."""
        if self._anonymous:
            return ANONYMOUS if is_personal(finding) else None
        place = finding.start
        starts, keys, text = self._standing[finding.part]
        behind = bisect_left(starts, place)  # the first who is named here or later
        after = starts[behind] - place if behind < len(starts) else HEADER
        before = place - starts[behind - 1] if behind else HEADER + 1
        # "Camper: A  Born: 2012" is A's birth, whoever the next line names
        if before <= HEADER and (before <= after or "\n" not in text[place - before : place]):
            return keys[bisect_left(starts, place - before)]
        return keys[behind] if after < HEADER else None

    def _speaker(self, finding: Finding) -> str:
        """Who says "I" here: in a chat whoever the line belongs to."""
        before = self._named_in(finding.part, (0, finding.start))
        said = (key for _, key in reversed(before) if key in self._authors)
        return next(said, self._authors[0])

    def _relative_called(self, finding: Finding, sentence: tuple[int, int]) -> str | None:
        """ "Dad", "my wife": somebody's relative in a letter, here or in the sentences before."""
        if not self._genre.get("private") or not self._authors:
            return None
        text = self._document.parts[finding.part].text
        word = relative_in(text[slice(*sentence)])
        if not word and goes_on(text[slice(*sentence)]):
            before = (relative_in(text[slice(*one)]) for one in self._before(finding, sentence))
            word = next(filter(None, before), "") or relative_in(self._title())
        if not word:
            return None
        return self._drafts.setdefault(f"kin:{word}", Draft(f"kin:{word}", RELATIVE)).key

    def _title(self) -> str:
        """The subject line of a mail: "Mum"."""
        heads = (part.text for part in self._document.parts if part.locator == HEADERS)
        lines = (line for head in heads for line in head.splitlines())
        return next((line for line in lines if line.lower().startswith("subject")), "")

    def _carried_on(self, finding: Finding, sentence: tuple[int, int]) -> str | None:
        """ "She has ..." goes on about whom the sentences before named last."""
        said = self._document.parts[finding.part].text[sentence[0] : finding.start]
        if not (SHE.search(said) or PRONOUN.match(said)):
            return None
        for one in self._before(finding, sentence):
            named = self._named_in(finding.part, one)
            for mention, key in reversed(named):
                if mention.role != CLINICIAN:
                    return key
        return None

    def _nearest_patient(self, finding: Finding) -> str | None:
        """Everything in a clinical text is about its patient; elsewhere only what stands near."""
        key = self._nearest(self._patients, finding)
        cues, length = self._genre["clinical"], len(self._document.parts[finding.part].text)
        if cues >= CLINICAL or (cues and length < PAGES) or not self._drafts[key].mentions:
            return key
        around = self._named_in(finding.part, (finding.start - HEADER, finding.start + HEADER))
        return key if any(other == key for _, other in around) else None

    def _nearest(self, keys: list[str], finding: Finding) -> str:
        if len(keys) == 1:
            return keys[0]
        starts, owners = self._patient_places[finding.part]
        before = bisect_right(starts, finding.start)
        return owners[before - 1] if before else keys[0]

    # -- sentences

    def _before(self, finding: Finding, sentence: tuple[int, int]) -> list[tuple[int, int]]:
        """The sentences before, the nearest first."""
        starts = self._sentences(finding.part)
        number = bisect_right(starts, sentence[0]) - 1
        earlier = range(number - 1, max(-1, number - 1 - CHAIN), -1)
        return [(starts[place], starts[place + 1]) for place in earlier]

    def _sentence(self, finding: Finding) -> tuple[int, int]:
        starts = self._sentences(finding.part)
        number = bisect_right(starts, finding.start) - 1
        length = len(self._document.parts[finding.part].text)
        return starts[number], starts[number + 1] if number + 1 < len(starts) else length

    def _sentences(self, part: int) -> tuple[int, ...]:
        if part not in self._starts:
            self._starts[part] = sentence_starts(self._document.parts[part].text)
        return self._starts[part]

    def _named_in(self, part: int, span: tuple[int, int]) -> list[Named]:
        """Of a part that is running text, where everybody has a draft."""
        starts, people = self._people[part]
        here = range(bisect_left(starts, span[0]), bisect_left(starts, span[1]))
        keys = self._keys[part]
        return [(people[n], key) for n in here if (key := keys[n])]
