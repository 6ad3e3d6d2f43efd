"""Take away the least until the privacy of every person in a file is under a threshold.

In: the bytes of a file, a threshold, a reader.  Out: Outcome: new bytes with a certificate.

The values that tell who somebody is and what they have are tried one after the other: the one
whose loss lowers the worst privacy most goes, and the file is read anew. At the end each value is
put back that is not needed, so that no part of what was taken away can stand there again (Geng et
al. 2011). With many people the values of one kind go together.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dlp.errors import SanitiseError
from dlp.knowledge.marks import KIND_MARKS, REMOVED, mark_places
from dlp.model import HEALTH_KINDS, Case, Kind
from dlp.sanitise.certificate import FORMAT, HOLDS, knowledge_hashes, rules_read, seal
from dlp.sanitise.documents.contract import Rewritten
from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.value_search import pattern
from dlp.sanitise.plan import Plan
from dlp.sanitise.service import Examine, Outcome, read_whole, told

PROFILE = "below"
FEW = 3  # people; of more, all values of a kind go together
MOST_TRIED = 12  # values in one round
MOST_ROUNDS = 40
TELLING = frozenset({Kind.PERSON, Kind.ID, Kind.EMAIL, Kind.PHONE, Kind.ADDRESS, Kind.DATE})
NOT_CHECKED = (
    "what is said of nobody, or of somebody under the threshold, stays as it is",
    "what other files tell of the same people",
)


class Piece(NamedTuple):
    """What goes or stays as one: a name with its words, a date, a term, or all of one kind."""

    kind: Kind
    values: frozenset[str]


class Threshold:
    def __init__(self, plan: Plan, examine: Examine, threshold: float) -> None:
        self._plan = plan
        self._examine = examine
        self._threshold = threshold

    def rewrite(self, name: str, raw: bytes) -> Outcome:
        """Refused, with a reason, when the format has no rewriter or taking away does not help."""
        case = read_whole(self._examine, name, raw)
        search = Search(name, raw, case, self._plan, self._examine)
        if worst(case) <= self._threshold:
            gone: list[Piece] = []
        else:
            gone = self._needed(search, self._enough(search, case))
        made, after = search.without(gone)
        values = [value for piece in gone for value in piece.values]
        media_type = case.document.media_type if case.document else ""
        if places := leftovers(made.data, media_type, values):
            found = ", ".join(places[:3])
            raise SanitiseError(f"a value is left in {found}", where=name)
        certificate = self._certify(case, after, made, gone)
        return Outcome(name, made.data, None, certificate, facts=(f"below {self._threshold:g}",))

    def _enough(self, search: Search, case: Case) -> list[Piece]:
        """Pieces whose loss brings everybody under the threshold, the most helpful first."""
        gone: list[Piece] = []
        now, privacy = case, worst(case)
        for _ in range(MOST_ROUNDS):
            left = [piece for piece in pieces(now, self._threshold) if piece not in gone]
            tried = [
                (worst(search.without([*gone, piece])[1]), len(piece.values), number)
                for number, piece in enumerate(left[:MOST_TRIED])
            ]
            if not tried:
                break
            best, _, number = min(tried)
            gone.append(left[number])
            now, privacy = search.without(gone)[1], best
            if privacy <= self._threshold:
                return gone
        raise SanitiseError(
            f"somebody stays above {self._threshold:g}: {privacy:.2g}",
            where=search.name,
            fix="sanitise it without --below, or quarantine it",
        )

    def _needed(self, search: Search, gone: list[Piece]) -> list[Piece]:
        """The same without the pieces that can stay, the first taken ones asked first."""
        for piece in [*gone]:
            rest = [one for one in gone if one is not piece]
            if worst(search.without(rest)[1]) <= self._threshold:
                gone = rest
        return gone

    def _certify(
        self, before: Case, after: Case, made: Rewritten, gone: Sequence[Piece]
    ) -> dict[str, Any]:
        assert before.document
        kept = len(after.findings) / max(1, len(before.findings))
        body: dict[str, Any] = {
            "verdict": HOLDS,
            "format": FORMAT,
            "profile": PROFILE,
            "threshold": self._threshold,
            "people": len(before.persons or ()),
            "worst_before": worst(before),
            "worst_after": worst(after),
            "topics": [],
            "knowledge": dict(knowledge_hashes()),
            "rules": rules_read(),
            "output": {
                "sha256": hashlib.sha256(made.data).hexdigest(),
                "media_type": before.document.media_type,
            },
            "replacements": list(replaced(after, gone)),
            "utility": {"preserved": round(min(1.0, kept), 4)},
            "not_checked": [*NOT_CHECKED, *made.notes],
        }
        return {**body, "seal": seal(self._plan.key, body)} if self._plan.key else body


class Search:
    """One file without some of its pieces; each selection is read once."""

    def __init__(self, name: str, raw: bytes, case: Case, plan: Plan, examine: Examine) -> None:
        assert case.document
        self.name = name
        self._raw = raw
        self._media_type = case.document.media_type
        self._plan = plan
        self._examine = examine
        self._known: dict[frozenset[Piece], tuple[Rewritten, Case]] = {}

    def without(self, gone: Iterable[Piece]) -> tuple[Rewritten, Case]:
        chosen = frozenset(gone)
        if chosen not in self._known:
            made = self._rewritten(chosen)
            self._known[chosen] = made, self._examine(self.name, made.data)
        return self._known[chosen]

    def _rewritten(self, gone: frozenset[Piece]) -> Rewritten:
        if not gone:
            return Rewritten(self._raw)
        try:
            return rewrite(
                self._raw, self._media_type, editor(gone), key=self._plan.key,
                drop_signatures=self._plan.drop_signatures,
            )  # fmt: skip
        except SanitiseError as error:
            raise SanitiseError(error.what, where=self.name, fix=error.fix) from None


def worst(case: Case) -> float:
    return max((person.privacy for person in case.persons or ()), default=0.0)


def pieces(case: Case, threshold: float) -> list[Piece]:
    """What could be taken away of the people above a threshold, the likeliest to help first."""
    over = {one.id for one in case.persons or () if one.privacy > threshold}
    found: dict[tuple[Kind, str], set[str]] = {}
    for person, kind, value in told(case, over):
        key = person if kind is Kind.PERSON else value.casefold()
        key = key if len(over) <= FEW else ""
        found.setdefault((kind, key), set()).update(parts_of(kind, value))
    pieces = [Piece(kind, frozenset(values)) for (kind, _), values in found.items()]
    return sorted(pieces, key=lambda one: (one.kind not in TELLING, one.kind in HEALTH_KINDS))


def parts_of(kind: Kind, value: str) -> Iterator[str]:
    """A name also goes where one of its words stands alone."""
    yield value
    if kind is Kind.PERSON:
        yield from (word for word in re.findall(r"[^\W\d_][\w'’-]+", value) if word[0].isupper())


def editor(gone: Iterable[Piece]) -> Callable[[str], str]:
    marks: Mapping[str, str] = {
        value.casefold(): KIND_MARKS.get(piece.kind, REMOVED)
        for piece in gone for value in piece.values
    }  # fmt: skip
    longest = sorted({value for piece in gone for value in piece.values}, key=len, reverse=True)
    each = [(pattern([value]), marks[value.casefold()]) for value in longest]

    def edit(text: str) -> str:
        for wanted, mark in each:
            text = wanted.sub(mark, text)
        return text

    return edit


def replaced(after: Case, gone: Sequence[Piece]) -> Iterator[dict[str, Any]]:
    """Each mark with its place in the copy; what stood there is not told."""
    wanted = {KIND_MARKS.get(piece.kind, REMOVED): piece.kind.value for piece in gone}
    for number, part in enumerate(after.document.parts if after.document else ()):
        for start, end in mark_places(part.text):
            if (mark := part.text[start:end]) in wanted:
                yield {
                    "part": number, "start": start, "end": end, "kind": wanted[mark],
                    "reason": "threshold", "with": mark, "concept": "",
                }  # fmt: skip
