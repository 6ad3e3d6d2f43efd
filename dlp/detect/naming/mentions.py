"""The stage that finds people, places and organisations.

In: Document.  Out: findings of persons, places and organisations, and the mentions behind them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from dlp.detect.bundle import Bundle, bundles
from dlp.detect.naming.beside_facts import BESIDE_FACT, people_beside
from dlp.detect.naming.cells import find_in_cells
from dlp.detect.naming.claim_resolution import (
    Prints,
    in_order,
    outside_firms,
    outside_names,
    resolved,
    without,
)
from dlp.detect.naming.doubt import Spans, ask_model, identifying_places, names_nobody
from dlp.detect.naming.file_names import in_file_name
from dlp.detect.naming.institutions import InstitutionFinder, default_institutions
from dlp.detect.naming.labelled import find_behind_labels
from dlp.detect.naming.lexicon import load_lexicon
from dlp.detect.naming.localities import PlaceFinder, default_places
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.model_reader import Reader, later_model, load_model
from dlp.detect.naming.names import NameFinder, default_names
from dlp.detect.naming.on_roster import Look, joined, with_numbers
from dlp.detect.naming.page import PageReader
from dlp.detect.naming.parts_played import all_parts, nouns
from dlp.detect.naming.roll import Roll
from dlp.detect.naming.runs import View
from dlp.detect.naming.unnamed import unnamed_people
from dlp.detect.naming.writings import named_in
from dlp.detect.overlap import resolve
from dlp.knowledge.roster import Rosters
from dlp.languages import language_table, read_later, spoken_in
from dlp.model import HEALTH_KINDS, Case, Document, FileRef, Finding, Kind, Part, PartRole
from dlp.text.gloss import InEnglish

MOST = 50_000  # mentions of one document; a list of a million names is told by fewer
KEPT = 1_000_000  # characters of a document that is not cut into words a second time
TIED = 1 << 15  # characters of a part that is read together with its neighbours
# What loads each dictionary once: names, places, houses, nouns for people and animals.
WARM_UP = (
    "Dear John Smith of Toronto, at Mercy Hospital, ask Mrs. Unheard Name, her boss, Tom Hale, and"
    " our night porter about my dad; our terrier Rex is fine."
)
BUDGET = 1500  # characters the model reads of one file


class Reading(NamedTuple):
    """What was found in each part, and bundles of parts cut into words unless they are long."""

    parts: Sequence[Part]
    found: list[list[Mention]]
    bundles: list[Bundle]
    pages: list[list[View]] | None


class MentionFinder:
    """People, places and organisations of a text."""

    def __init__(
        self,
        names: NameFinder | None = None,
        places: PlaceFinder | None = None,
        institutions: InstitutionFinder | None = None,
        *,
        model: Reader | None = None,
        language: str = "",
    ) -> None:
        lexicon = load_lexicon(language) if language else None
        self._reader = PageReader(lexicon=lexicon)
        self.names = names or (NameFinder(lexicon=lexicon) if lexicon else default_names())
        self._places = places or (PlaceFinder(lexicon=lexicon) if lexicon else default_places())
        self._institutions = institutions or default_institutions()
        self.model = model

    def find(self, text: str) -> list[Mention]:
        """All mentions of one text, none overlapping another, in order."""
        return self.find_all([Part("body", text)])[0]

    def find_all(self, parts: Sequence[Part], *, ask: bool = False) -> list[list[Mention]]:
        """Mentions of each part; a name one part teaches is found in all of them.

        With `ask` the model reads every sentence in doubt.
        """
        return self.read(parts, ask=ask).found

    def read(
        self, parts: Sequence[Part], *, ask: bool = False, limit: int = MOST,
        look: Look | None = None,
    ) -> Reading:  # fmt: skip
        """`look`: what the rosters of patients say of the document."""
        roll = Roll()
        found: list[list[Mention]] = []
        keep = sum(len(part.text) for part in parts) <= KEPT
        tied = list(bundles([part.text for part in parts], TIED))
        reading = Reading(parts, found, tied, [] if keep else None)
        for bundle in tied:
            here = {n: find_in_fields(parts[n], n, limit) for n in bundle.parts}
            kept, listed = [], []
            for page in self._pages(bundle):
                if limit <= sum(map(len, here.values())):
                    break
                looked = self._first_look(page, bundle.parts[0], ask=ask)
                if look is not None:
                    listed += look.names(page, bundle)
                if len(bundle.parts) == 1:
                    here[bundle.parts[0]] += looked
                else:
                    for mention in moved(looked, bundle):
                        here[mention.part].append(mention)
                if keep:
                    kept.append(page)
            if reading.pages is not None:
                reading.pages.append(kept)
            theirs = [*moved(listed, bundle)]
            for number, mentions in here.items():
                if theirs:
                    mentions = joined(mentions, [m for m in theirs if m.part == number])  # noqa: PLW2901
                found.append(resolved(mentions))
                limit -= len(found[-1])
                roll.enrol(found[-1])
        if limit > 0:
            self._second_look(reading, roll)
        found[:] = all_parts([part.text for part in parts], found)
        return reading

    def ask_about(self, reading: Reading, places: Mapping[int, Spans]) -> None:
        """Have the model read what is in doubt at some places of each part, within a budget."""
        assert self.model
        budget, roll = BUDGET, Roll()
        for number, spans in places.items():
            for view in map(View, self._reader.pages(reading.parts[number].text)):
                if view.english and budget > 0:
                    known = reading.found[number]
                    more, read = ask_model(
                        view, known, self.model, number, places=spans, budget=budget
                    )
                    budget -= read
                    reading.found[number] = resolve(known + more)
                    roll.enrol(more)
        self._second_look(reading, roll)

    def look_beside(self, reading: Reading, health: Sequence[list[Finding]]) -> None:
        """Add the people that health terms tell of, here and wherever they are named again."""
        roll = Roll()
        for number, findings in enumerate(health):
            if findings:
                known = reading.found[number]
                both = people_beside(reading.parts[number].text, findings, known)
                reading.found[number] = both
                if both is not known:
                    roll.enrol([one for one in both if one.rule_id == BESIDE_FACT])
        self._second_look(reading, roll)

    def _pages(self, bundle: Bundle) -> Iterable[View]:
        single = len(bundle.parts) == 1
        if single:
            return map(View, self._reader.pages(bundle.text))
        return [View(self._reader.read(bundle.text, starts=bundle.starts))]

    def _second_look(self, reading: Reading, roll: Roll) -> None:
        """Add the people the document knows by now, where nothing was found before."""
        if not len(roll):
            return
        reading.found[:] = map(roll.filled_in, reading.found)
        for number, bundle in enumerate(reading.bundles):
            taken = [
                (start + mention.start, start + mention.end)
                for part, start in zip(bundle.parts, bundle.starts, strict=True)
                for mention in reading.found[part]
            ]
            pages = self._pages(bundle) if reading.pages is None else reading.pages[number]
            again = [m for page in pages for m in roll.again(page, bundle.parts[0], taken)]
            more: dict[int, list[Mention]] = {}
            for mention in again if len(bundle.parts) == 1 else moved(again, bundle):
                more.setdefault(mention.part, []).append(mention)
            for part, mentions in more.items():
                reading.found[part] = in_order(reading.found[part] + mentions)

    def _first_look(self, page: View, part: int, *, ask: bool) -> list[Mention]:
        found = self.names.find_in(page, part)
        found += self._places.find(page, part)
        found += self._institutions.find(page, part)
        if self.model is not None and ask and page.english:
            found += ask_model(page, found, self.model, part)[0]
        return found


def find_in_fields(part: Part, number: int, limit: int) -> list[Mention]:
    """Names in labelled fields: those of the format, or those that the text draws itself."""
    if part.fields is not None:
        return find_in_cells(part, number, limit)
    found = find_behind_labels(part.text, number).named[:limit]
    return [*found, *islice(named_in(part.text, number), max(0, limit - len(found)))]


def moved(mentions: Iterable[Mention], bundle: Bundle) -> Iterator[Mention]:
    """From places in a bundle to places in its parts."""
    for mention in mentions:
        part, begin = bundle.place(mention.start)
        if begin or part != mention.part:
            start, end = mention.start - begin, mention.end - begin
            mention = mention._replace(part=part, start=start, end=end)  # noqa: PLW2901
        yield mention


@functools.cache
def mention_finder(model: str = "never", language: str = "") -> MentionFinder:
    """The finder every worker shares, with or without a language model.

    `language` is that of a text beside English; the model reads English only.
    """
    if model == "never" or language:
        return MentionFinder(language=language)
    return MentionFinder(model=load_model() if model == "always" else later_model())


def finder_for(language: str) -> MentionFinder:
    return mention_finder(language=language)


def find_mentions(text: str) -> list[Mention]:
    """The people, places and organisations of a text, by the finder that every worker shares."""
    return mention_finder().find(text)


def find_names(text: str) -> list[Mention]:
    """Only the people."""
    return [mention for mention in find_mentions(text) if mention.kind is Kind.PERSON]


class FindMentions:
    name = "detect.mentions"
    requires = frozenset({"document"})
    provides = frozenset({"findings"})

    def __init__(
        self, key: bytes, finder: MentionFinder | None = None, *, model: str = "never",
        rosters: Rosters | None = None,
    ) -> None:  # fmt: skip
        self._rosters = rosters
        self._key = key
        self._prints = Prints(key)
        self._finder = finder or mention_finder(model)
        self._always = model == "always"

    def preload(self) -> None:
        """Load the dictionaries before a sandbox closes the disk."""
        text = f"{WARM_UP}\nPt: KM (bed 4), employee E1042, user: ada_hale"
        warm = Case(FileRef("", b"hale ada.txt"), Document("text/plain", (Part("body", text),)))
        self(warm)
        read_later(finder_for)
        read_later(elisions)
        nouns()

    def __call__(self, case: Case) -> Case:
        """Add findings and, for the worker only, facts["mentions"] and facts["unnamed"]."""
        named = self._named(case)
        unnamed = unnamed_in(named)
        assert case.document
        told = in_file_name(case.ref.path, self._finder.names)
        for number, part in enumerate(case.document.parts if told else ()):
            if part.role is PartRole.FILE_NAME:  # the place where it stands, if it is a part
                told = [told[0]._replace(part=number, end=len(part.text))]
        unnamed = (*told, *unnamed)
        return named.but(facts={**named.facts, "unnamed": unnamed})

    def _named(self, case: Case) -> Case:
        assert case.document  # requires= promised it
        document, spoken = case.document, next(iter(spoken_in(case)), "")
        finder = finder_for(spoken) if spoken else self._finder
        parts = [without_elisions(part, spoken) for part in document.parts]
        look = Look(self._rosters, case, self._key) if self._rosters else None
        reading = finder.read(parts, ask=self._always, look=look)
        if look is not None and (numbers := look.findings()):
            case = case.but(findings=with_numbers(case.findings, numbers))
        if finder.model and not self._always and names_nobody(case, reading.found):
            finder.ask_about(reading, identifying_places(case))
        finder.look_beside(reading, health_by_part(case))
        found = with_english_parts(case, reading.found) if spoken else reading.found
        found = outside_firms(case.facts.get("quasi", ()), found)
        if len(found) == 1 or not any(found):
            return self._settled(case, found[0] if found else [])
        prints = Prints(self._key)
        earlier, mentions, findings = outside_names(case.findings, found), [], []
        quasi = [*case.facts.get("quasi", ())]
        taken = by_part(earlier, len(found))
        for part, some, busy in zip(document.parts, found, taken, strict=True):
            kept = without(some, busy)
            mentions += kept
            findings += prints.findings_of(kept, part.text)
            quasi += prints.narrowing(kept, part.text)
        facts = {**case.facts, "mentions": tuple(mentions), "quasi": tuple(quasi)}
        return case.but(findings=(*earlier, *findings), facts=facts)

    def _settled(self, case: Case, found: list[Mention]) -> Case:
        """The same for mentions of one part, or none."""
        if not found:
            return case.but(facts={**case.facts, "mentions": ()})
        assert case.document
        text = case.document.parts[0].text
        mentions, findings = self._prints.settle(case.findings, found, text)
        wide = Prints(self._key).narrowing(mentions, text)
        quasi = (*case.facts.get("quasi", ()), *wide)
        return case.but(
            findings=findings, facts={**case.facts, "mentions": mentions, "quasi": quasi}
        )


def health_by_part(case: Case) -> list[list[Finding]]:
    assert case.document
    health = [finding for finding in case.findings if finding.kind in HEALTH_KINDS]
    return by_part(health, len(case.document.parts)) if health else []


def without_elisions(part: Part, language: str) -> Part:
    """ "d'Elvire", "dell'Anna": the name begins behind the apostrophe; every place is kept."""
    pattern = elisions(language) if language else None
    if pattern is None or not pattern.search(part.text):
        return part
    return replace(part, text=pattern.sub(r"\1 ", part.text))


@functools.cache
def elisions(language: str) -> re.Pattern[str] | None:
    words = language_table(language, "names")["words"].get("elisions", ())
    return re.compile(rf"\b({'|'.join(words)})['’](?=[^\W\d_])", re.IGNORECASE) if words else None


def with_english_parts(case: Case, found: list[list[Mention]]) -> list[list[Mention]]:
    """The mentions of a text in another language, with the parts its English reading tells."""
    english = InEnglish(case, [one for some in found for one in some])
    assert english.case.document
    texts = [part.text for part in english.case.document.parts]
    told = all_parts(texts, [list(english.moved(some)) for some in found])
    return [
        [one._replace(role=of.role, evidence=of.evidence) for one, of in zip(*both, strict=True)]
        for both in zip(found, told, strict=True)
    ]


def unnamed_in(case: Case) -> tuple[Mention, ...]:
    """People without a name; what shows them in another language is told from its English."""
    if not spoken_in(case):
        return unnamed_people(case, case.facts["mentions"])
    english = InEnglish(case, case.facts["mentions"])
    told = unnamed_people(english.case, english.case.facts["mentions"])
    return tuple(english.back(told))


def by_part(findings: list[Finding], parts: int) -> list[list[Finding]]:
    taken: list[list[Finding]] = [[] for _ in range(parts)]
    for finding in findings:
        taken[finding.part].append(finding)
    return taken
