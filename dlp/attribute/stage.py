"""Attribute every health fact and identifier of a file to the person it belongs to.

In: Case with findings and mentions.  Out: facts["subjects"] and facts["links"], findings that name
their person.

A fact goes to the candidate whose link is most likely; a person's chance is that of the best link.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from dlp.attribute.chance import Features, Weights, load_weights
from dlp.attribute.gathered import gather, join_writer
from dlp.attribute.identity import is_unnamed
from dlp.attribute.links import (
    ABBREVIATED,
    OF_FAMILY,
    Candidates,
    Link,
    Page,
    is_eligible,
    is_faint,
    of_person,
)
from dlp.attribute.ownership import Ownership, note_evidence
from dlp.attribute.people import LOOSE, Individual, Joining, is_personal, is_speech, note_roles
from dlp.attribute.pointing import is_patients_turn
from dlp.attribute.records import HEALTH, WORK, Entry, Records, read_records, value_at
from dlp.attribute.scopes import Scopes, Span, with_tables
from dlp.attribute.subjects import announces, described, fact_of, subject_of
from dlp.attribute.wording import HEALTH as HEALTH_SIGN
from dlp.attribute.wording import PERSON as PERSON_SIGN
from dlp.attribute.wording import Mask, load_clauses, load_reader, load_wording, phrases
from dlp.knowledge.person_tags import traces_of
from dlp.languages import languages, read_later, spoken_in
from dlp.model import (
    HEALTH_KINDS,
    RECORDED,
    Case,
    Context,
    Fact,
    Finding,
    Kind,
    Mention,
    MentionForm,
    PartRole,
)
from dlp.text.gloss import InEnglish, load_gloss
from dlp.text.reader import read_structure
from dlp.text.structure import BlockKind

INSTITUTIONS = frozenset({Kind.ORGANISATION, Kind.PROVIDER})
READ = frozenset({"en", "und", None, ""})
BESIDE = frozenset({PartRole.PROPERTY, PartRole.MAIL_HEADER, PartRole.FILE_NAME})
HOUSE = re.compile(r"(?:^|[\s,;|])\d{1,5}[a-z]?[ \t]+(?:[NSEW]\.?[ \t]+|\w{1,10}[ \t]+)?$")
STREET = 60  # characters from the name of a street to the town or postcode
OWNED = frozenset({"number", "handle"})  # ownership.py gives those that are findings to somebody
MOST_TOLD = 20  # people whose best link is explained
FEW_WORDS = 12  # a shorter text says nothing of its language
MOST_FACTS = 3000  # of running text; a longer one repeats itself
# Contexts in which a health word states nothing about a person of the file, whatever else speaks
# for a link: denied, a figure of speech, an animal's; printed on a form, unless its own sentence
# names somebody (links.py then marks it apart).
NOT_SAID = frozenset({Context.NEGATED, Context.FIGURATIVE, Context.ANIMAL})
PRINTED = "said_template"
FILE_MAKERS = frozenset({"author", "labelled_staff", "listed_staff", "in_post", "other"})
# Properties that say what a document is about.
TOPICS = frozenset({"title", "subject", "keywords", "description", "comments", "category"})
TITLE = re.compile(r"[^\n]{4,79}[^\s.?!,;:]")  # a line that ends as no sentence does
# A letter that names nobody where it greets.
DEAR = re.compile(
    r"^\W{0,8}Dear (?:patient|sir|madam|sir or madam|member|client|customer|resident|colleague"
    r"|parent|guardian|applicant|claimant|policy ?holder|tenant|occupier|service user|friend)\b",
    re.IGNORECASE | re.MULTILINE,
)
BELIEVED = 0.3  # chance below which a fact stays nobody's
AT_HOME = "place-at-home"  # the rule for whatever somebody lives in
OF_TOWN = re.compile(r"\s(?:of|from)\s")


class Attribute:
    name = "attribute.links"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(self, key: bytes) -> None:
        self._key = key

    def preload(self) -> None:
        load_weights()
        load_wording()
        load_clauses()
        load_reader()
        read_later(load_gloss)

    def __call__(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        if not speaks_of_somebody(case):
            return case.but(facts={**case.facts, "subjects": (), "links": ()})
        return Attribution(case).concluded(self._key)


def speaks_of_somebody(case: Case) -> bool:
    """A name, labelled fields or an identifier; most files have none and cost nothing."""
    assert case.document
    if case.facts.get("unnamed"):
        return True
    if any(mention.kind is Kind.PERSON for mention in case.facts.get("mentions", ())):
        return True
    if any(is_personal(finding) for finding in case.findings):
        return True
    return any(part.fields is not None for part in case.document.parts)


class Attribution:
    """The people of one document, and which facts are theirs."""

    def __init__(self, case: Case, weights: Weights | None = None) -> None:
        assert case.document
        self._original = case
        if spoken_in(case):
            case = InEnglish(case).case
        assert case.document
        self.case = case
        self.weights = weights or load_weights()
        self.parts = [with_tables(part) for part in case.document.parts]
        mentions: Sequence[Mention] = case.facts.get("mentions", ())
        unnamed: Sequence[Mention] = case.facts.get("unnamed", ())
        self._joining = Joining([part.text for part in self.parts])
        self._records: list[Records | None] = []
        self._entries: dict[tuple[int, int], Individual] = {}
        self._posters: dict[Mention, Individual] = {}
        self._spelt = {(one.part, one.start): (one.first, one.last) for one in unnamed}
        self._read_records(mentions)
        self._addresses: dict[int, list[int]] = {}
        self._owned: dict[int, list[tuple[int, int]]] = {}
        for finding in case.findings:
            if is_personal(finding) and finding.rule_id not in LOOSE:
                self._owned.setdefault(finding.part, []).append((finding.start, finding.end))
        for finding in case.findings:
            if finding.kind is Kind.ADDRESS:
                self._addresses.setdefault(finding.part, []).append(finding.start)
        for starts in self._addresses.values():
            starts.sort()
        joined = self._joining.add_all(
            [one for one in mentions if self._stands_alone(one)],
            [self._said_by(one) for one in unnamed if self._is_apart(one)],
        )
        joined |= self._posters
        self.people = self._joining.people
        self.pages = [
            Page(Scopes(part.text), part.role, is_table=part.fields is not None)
            for part in self.parts
        ]
        for mention, person in joined.items():
            page = self.pages[mention.part]
            page.places.append((mention.start, mention, person))
            person.parts.add(page.role)
            if mention.form is not MentionForm.FIRST_PERSON and mention not in self._posters:
                note_roles(person, mention, page.scopes.text)
                if page.role is PartRole.PROPERTY:
                    person.roles.add(property_role(page.scopes.text, mention.start))
                if page.role is PartRole.BODY and heads_text(page.scopes, mention):
                    person.roles.add("headed")
        for person in self.people:
            if "titled" in person.roles or person.parts != {PartRole.PROPERTY}:
                person.roles.discard("keeps_file")
            if "titled" in person.roles and person.parts == {PartRole.PROPERTY}:
                person.roles -= FILE_MAKERS  # whom a file is about is often given as its author
        self._arrange()
        self.owner: list[Individual | None] = [None] * len(case.findings)
        self._own_identifiers(joined)

    # -- people

    def _read_records(self, mentions: Sequence[Mention]) -> None:
        """People whom the fields of a structured part describe."""
        by_part: dict[int, list[Mention]] = {}
        for mention in mentions:
            if mention.kind is Kind.PERSON:
                by_part.setdefault(mention.part, []).append(mention)
        for number, part in enumerate(self.parts):
            told = part.role not in BESIDE
            records = read_records(part, by_part.get(number, ())) if told else None
            self._records.append(records)
            for entry in records.entries if records else ():
                assert records
                self._entries[number, entry.record] = self._person_of(number, entry, records)

    def _person_of(self, part: int, entry: Entry, records: Records) -> Individual:
        first, last = (
            name if any(map(str.isalpha, name)) else "" for name in names_of(entry.values)
        )
        if not (first or last):
            first, last = self._spelt.get((part, entry.spans.get("handle", (-1, 0))[0]), ("", ""))
        sex = {"f": "f", "m": "m"}.get(entry.values.get("sex", "")[:1].lower(), "")
        role = "author" if records.said and entry.posts else "patient"
        form = MentionForm.FULL_NAME if first or last else MentionForm.NUMBER
        mention = Mention(
            Kind.PERSON, part, entry.start, entry.end, 1.0, "record", ("field",), role,
            first, last, sex, entry.record, form,
        )  # fmt: skip
        person = next(iter(self._joining.add_all([mention]).values()), None)
        if person is None:  # a placeholder in the field of the name
            person = Individual(len(self._joining.people), MentionForm.ROLE)
            self._joining.people.append(person)
        if role == "author":
            start, end = entry.spans["handle"]
            self._posters[mention._replace(start=start, end=end)] = person
        else:
            person.roles |= {"patient", "record"}
        note_evidence(person, entry.values)
        return person

    def _stands_alone(self, mention: Mention) -> bool:
        """A person of running text: in no record, no speaker's first word, no street."""
        if mention.kind is not Kind.PERSON or self._entry_at(mention.part, mention.start):
            return False
        text = self.parts[mention.part].text
        return not is_speech(mention, text) and not self._is_street(mention, text)

    def _is_apart(self, mention: Mention) -> bool:
        """Somebody without a name, in no record; numbers and mail that are findings have owners."""
        if self._entry_at(mention.part, mention.start) is not None:
            return False
        if mention.form is MentionForm.FIRST_PERSON and is_patients_turn(
            read_structure(self.parts[mention.part].text), mention.start
        ):
            return False
        return mention.rule_id not in OWNED or not any(
            mention.start < end and start < mention.end
            for start, end in self._owned.get(mention.part, ())
        )

    def _said_by(self, mention: Mention) -> Mention:
        """The "I" of a message is its poster."""
        records = self._records[mention.part]
        if mention.form is not MentionForm.FIRST_PERSON or records is None:
            return mention
        entry = records.of(mention.start)
        if entry is None or not value_at(records.said, mention.start):
            return mention
        poster = self._entries[mention.part, entry.record]
        return mention._replace(first=poster.first, last=poster.last)

    def _is_street(self, mention: Mention, text: str) -> bool:
        """A house number before it and the rest of an address behind it, or an address over it."""
        if HOUSE.search(text, max(0, mention.start - 12), mention.start) is None:
            return False
        starts = self._addresses.get(mention.part, [])
        at = bisect_left(starts, mention.start - 12)
        return at < len(starts) and starts[at] < mention.end + STREET

    def _arrange(self) -> None:
        for page in self.pages:
            page.places.sort(key=lambda place: place[0])
            page.starts = [place[0] for place in page.places]
        towns = {(f.part, f.start): f.end for f in self.case.findings if f.kind is Kind.PLACE}
        for finding in self.case.findings:
            page = self.pages[finding.part]
            if finding.kind in HEALTH_KINDS:
                page.health.append(finding.start)
                page.masks.append((finding.start, finding.end, HEALTH_SIGN))
            elif finding.kind is Kind.PERSON:
                # "Tom of Reno, Nevada, is" reads as "Tom is": the town is part of the naming
                behind = OF_TOWN.match(page.scopes.text, finding.end)
                end = towns.get((finding.part, behind.end()), 0) if behind else 0
                page.masks.append((finding.start, max(end, finding.end), PERSON_SIGN))
            elif finding.kind in INSTITUTIONS:
                page.titles.append((finding.start, finding.end))
        for page, records in zip(self.pages, self._records, strict=True):
            page.health.sort()
            page.titles.sort()
            if records and records.rows:
                records.note_health(page.health, page.scopes.text)

    def _own_identifiers(self, joined: dict[Mention, Individual]) -> None:
        at = {(m.part, m.start): person for m, person in joined.items()}
        ownership = Ownership(self.pages, self.people)
        for index, finding in enumerate(self.case.findings):
            if finding.kind in HEALTH_KINDS:
                continue
            if finding.kind is Kind.PERSON:
                self.owner[index] = at.get((finding.part, finding.start)) or self._in_record(
                    finding
                )
                continue
            holder = self._in_record(finding)
            if holder is not None:
                text = self.parts[finding.part].text[finding.start : finding.end]
                ownership.give(holder, finding, text)
                self.owner[index] = holder
            else:
                self.owner[index] = ownership.take(finding)
        towns = [(f.part, f.start, f.end) for f in self.case.findings if f.kind is Kind.PLACE]
        for finding in self.case.facts.get("quasi", ()):
            if finding.rule_id == AT_HOME and any(
                finding.part == part and finding.start < end and start < finding.end
                for part, start, end in towns
            ):
                continue  # the list of places knows better what it is called
            holder = self._in_record(finding)
            if holder is not None:
                text = self.parts[finding.part].text[finding.start : finding.end]
                ownership.give(holder, finding, text)
            else:
                ownership.take(finding)
        self._arrange_starts()
        merged = gather(self.pages, self.people)
        merged |= join_writer(self.pages, self.people)
        self.owner = [one and merged.get(one.number, one) for one in self.owner]
        ownership.give_rest()
        for page in self.pages:
            page.masks += unnamed_masks(page)
            page.masks = phrases(page.scopes.text, sorted(page.masks))
            page.telling = [mask[0] for mask in page.masks]

    def _arrange_starts(self) -> None:
        """Ownership adds people who are known by a number alone."""
        for page in self.pages:
            page.places.sort(key=lambda place: place[0])
            page.starts = [place[0] for place in page.places]

    def _in_record(self, finding: Finding) -> Individual | None:
        entry = self._entry_at(finding.part, finding.start)
        return self._entries[finding.part, entry.record] if entry else None

    def _entry_at(self, part: int, position: int) -> Entry | None:
        records = self._records[part]
        if records is None or value_at(records.said, position):
            return None
        return records.of(position)

    # -- facts

    def links(self) -> list[list[Link]]:
        """For every health finding the candidate links, most likely first."""
        self._note_reader()
        candidates = Candidates(self.pages, self.people)
        words = sum(len(part.text.split(maxsplit=FEW_WORDS)) for part in self.parts)
        read = self.case.language in READ or self.case.language in languages()
        foreign = not read and words > FEW_WORDS
        by_gloss = bool(spoken_in(self.case))
        known: dict[tuple[object, ...], Features] = {}
        found: list[list[Link]] = []
        for index, finding in enumerate(self.case.findings):
            if finding.kind not in HEALTH_KINDS or len(found) >= MOST_FACTS:
                continue
            if finding.context & NOT_SAID or self._is_initials(finding):
                continue
            links = self._of_record(index, finding, known) or candidates.links(index, finding)
            if Context.TEMPLATE in finding.context:
                links = [link for link in links if PRINTED not in link.features]
            for link in links:
                if foreign:
                    link.features["language_foreign"] = 1.0
                elif by_gloss:
                    link.features["read_by_gloss"] = 1.0
                link.chance = self.weights.chance(link.features)
            links.sort(key=lambda link: -link.chance)
            if links:
                found.append(links)
        return found

    def _note_reader(self) -> None:
        """ "Dear patient": the only person a letter can be about is whom it is written to."""
        one = next((one for one in self.people if is_eligible(one)), None)
        if one is None or any(two is not one and is_eligible(two) for two in self.people):
            return
        if any(page.role is PartRole.BODY and DEAR.search(page.scopes.text) for page in self.pages):
            one.roles.add("written_to")

    def _is_initials(self, finding: Finding) -> bool:
        """ "F.C. (born 3 May 1961)": letters that stand for somebody here are no health term."""
        places = self.pages[finding.part].between(Span(finding.start, finding.start + 1))
        return any(m and m.form is MentionForm.INITIALS for _, m, _ in places)

    def _of_record(
        self, index: int, finding: Finding, known: dict[tuple[object, ...], Features]
    ) -> list[Link]:
        """The fact of a cell belongs to its row, that of a record to its patient."""
        records, person = self._records[finding.part], self._in_record(finding)
        if person is None or records is None:
            return []
        column = records.column(finding.start)
        length = finding.end - finding.start
        page = self.pages[finding.part]
        # how the text around reads, for a document; a row of a table has nothing around it
        block = Span(0, 0) if records.rows else page.scopes.block(finding.start)[1]
        key = (
            block.start,
            finding.kind,
            finding.context,
            column,
            records.telling(finding.start),
            fills := records.fills_cell(finding.start, finding.end),
            finding.confidence,
            person.number,
            length < 5,
        )
        features = known.get(key)
        if features is None:
            features = {f"fact_{finding.kind}": 1.0, "link_record": 1.0, **of_person(person)}
            features["fact_doubted"] = 1.0 - finding.confidence
            for context in finding.context:
                features[f"said_{context}"] = 1.0
            if column in {HEALTH, WORK}:
                features[f"column_{column}"] = 1.0
            if share := records.telling(finding.start):
                features["column_of_terms"] = share
            if records.of_staff:
                features["record_of_staff"] = 1.0
            elif fills and records.rows:
                features["fact_fills_cell"] = 1.0
            if not records.rows:
                features["record_of_one"] = 1.0
                features["fact_wording"] = page.wording(block)
                features["reading"] = page.reading(block)
                for genre, share in page.genre(block).items():
                    features[f"near_{genre}"] = share
            if ABBREVIATED.fullmatch(self.parts[finding.part].text, finding.start, finding.end):
                features["fact_abbreviated"] = 1.0
            known[key] = features
        return [Link(index, person, "record", dict(features))]

    # -- results

    def concluded(self, key: bytes) -> Case:
        case, findings = self._original, self._original.findings
        links: dict[int, list[Link]] = {}
        facts: dict[int, list[Fact]] = {}
        kin = [f for f in findings if Context.FAMILY in f.context and f.concept != OF_FAMILY]
        for some in self.links():
            best = some[0]
            if best.chance < BELIEVED:
                continue
            finding = findings[best.fact]
            if best.step == "record":
                finding = finding._replace(context=finding.context | {RECORDED})
            self.owner[best.fact] = best.person
            links.setdefault(best.person.number, []).append(best)
            if not announces(finding, kin):
                facts.setdefault(best.person.number, []).append(fact_of(finding, best.chance))
        place = repr(case.ref.path)
        subjects = {}
        for person in self.people:
            mine = links.get(person.number, [])
            told = facts.get(person.number, [])
            subjects[person.number] = subject_of(person, (mine, told), self.weights, key, place)
        told_findings = tuple([
            finding if owner is None else finding.about(subjects[owner.number].id)
            for finding, owner in zip(findings, self.owner, strict=True)
        ])  # fmt: skip
        explained = tuple(
            self._told(subjects[number].id, max(some, key=lambda link: link.chance))
            for number, some in islice(links.items(), MOST_TOLD)
        )
        named = frozenset(n for n, records in enumerate(self._records) if records)
        more = {"subjects": tuple(subjects.values()), "links": explained, "named": named,
                "traces": traces_of(key, map(described, self.people)).tobytes()}  # fmt: skip
        return case.but(findings=told_findings, facts={**case.facts, **more})

    def _told(self, person: str, link: Link) -> dict[str, Any]:
        """A link as `dlp explain` shows it; no content."""
        finding = self._original.findings[link.fact]
        speaks_for, against = self.weights.reasons(link.features)
        return {
            "person": person, "kind": finding.kind.value, "concept": finding.concept,
            "part": self.parts[finding.part].locator, "start": finding.start, "end": finding.end,
            "scope": link.step.replace("_", " "), "chance": round(link.chance, 4),
            "for": list(speaks_for), "against": list(against),
        }  # fmt: skip


def unnamed_masks(page: Page) -> Iterator[Mask]:
    """Where people without a name stand, for the wording: it reads as if a name stood there."""
    taken = sorted(page.masks)
    for _, mention, person in page.places:
        if mention is None or not is_unnamed(person) or is_faint(person):
            continue
        at = bisect_left(taken, (mention.end, 0, ""))
        if at == 0 or taken[at - 1][1] <= mention.start:
            yield mention.start, mention.end, PERSON_SIGN


def property_role(text: str, position: int) -> str:
    """A title or a subject says whom a file is about; creator, editor and manager made it."""
    line = text.rfind("\n", 0, position) + 1
    label = text[line:position].partition(":")[0].strip().lower()
    return "titled" if label in TOPICS else "keeps_file"


def heads_text(scopes: Scopes, mention: Mention) -> bool:
    """Whether a name stands in a heading, or in a short line above a text that is no sentence."""
    kind, block, _ = scopes.block(mention.start)
    if kind is BlockKind.HEADING:
        return True
    text = scopes.text
    start = text.rfind("\n", 0, mention.start) + 1
    end = text.find("\n", mention.end)
    line = text[start:end].rstrip() if end >= 0 else ""
    return kind is BlockKind.PARAGRAPH and bool(TITLE.fullmatch(line)) and start == block.start


def names_of(values: dict[str, str]) -> tuple[str, str]:
    """First and last name of a record; HL7 writes Last^First, lists write Last, First."""
    if "name" in values and "last" not in values:
        last, comma, first = values["name"].replace("^", ", ", 1).partition(",")
        words = values["name"].split()
        if comma:
            return (first.split()[0] if first.split() else "", last.strip())
        return (words[0], words[-1]) if len(words) > 1 else ("", values["name"])
    return values.get("first", ""), values.get("last", "")
