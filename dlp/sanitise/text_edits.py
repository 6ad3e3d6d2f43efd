"""Change a text in rounds, and say in the end what changed where in the original.

In: a text, rounds of edits in places of the text as it stands.  Out: the text, edits of the first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from dlp.sanitise.plan import Edit


def apart(edits: Iterable[Edit]) -> list[Edit]:
    """In order and without overlap: the earlier one wins, then the longer; insertions are none."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, -e.end)):
        if edit.start < edit.end and (not kept or edit.start >= kept[-1].end):
            kept.append(edit)
    return kept


def apply(text: str, edits: Sequence[Edit]) -> str:
    pieces: list[str] = []
    place = 0
    for edit in edits:
        pieces += (text[place : edit.start], edit.text)
        place = edit.end
    return "".join((*pieces, text[place:]))


class Stretches:
    """Stretches of a text, asked about one place at a time; a book has tens of thousands."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = [end for _, end in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def meet(self, start: int, end: int) -> bool:
        """Whether one of them has a character of this stretch."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._reach[before - 1] > start

    def hold(self, start: int, end: int) -> bool:
        """Whether one of them has all of it."""
        before = bisect_right(self._starts, start)
        return before > 0 and self._reach[before - 1] >= end

    def around(self, start: int, end: int) -> tuple[int, int]:
        """The stretch together with those of them that have a character of it."""
        at = bisect_left(self._starts, end) - 1
        first, last = start, end
        while at >= 0 and self._reach[at] > start:
            if self._ends[at] > start:
                first, last = min(first, self._starts[at]), max(last, self._ends[at])
            at -= 1
        return first, last


class Draft:
    """A text under change: edited pieces, with untouched stretches of the original between."""

    def __init__(self, text: str) -> None:
        self._original = text
        self.text = text
        self._pieces: list[Edit | range] = [range(len(text))]

    def change(self, edits: Iterable[Edit]) -> None:
        """Apply edits in places of the present text; what they touch is absorbed."""
        todo = self._pieces[::-1]
        done: list[Edit | range] = []
        place = 0
        ordered = apart(edits)
        for edit in ordered:
            while todo and place + _size(todo[-1]) <= edit.start:
                place += _size(todo[-1])
                done.append(todo.pop())
            if edit.start > place:
                left, right = _cut(todo.pop(), edit.start - place)
                done.append(left)
                todo.append(right)
                place = edit.start
            place = self._consume(edit, place, todo, done)
        self._pieces = [*done, *todo[::-1]]
        self.text = apply(self.text, ordered)

    @staticmethod
    def _consume(edit: Edit, place: int, todo: list[Edit | range], done: list[Edit | range]) -> int:
        start, end, before = None, 0, edit.before
        while place < edit.end:
            piece = todo.pop()
            if place + _size(piece) > edit.end:
                piece, rest = _cut(piece, edit.end - place)
                todo.append(rest)
            start = _start(piece) if start is None else start
            end = _end(piece)
            if isinstance(piece, Edit):
                before = max(before, piece.before)
            place += _size(piece)
        done.append(replace(edit, start=start or 0, end=end, before=before))
        return place

    def written(self) -> Iterator[tuple[int, int, Edit]]:
        """Edited pieces, in places of the present text."""
        place = 0
        for piece in self._pieces:
            if isinstance(piece, Edit):
                yield place, place + len(piece.text), piece
            place += _size(piece)

    def edits(self) -> list[Edit]:
        """What changed, in places of the original; neighbours that share a stretch are one."""
        found: list[Edit] = []
        glued = False
        for piece in self._pieces:
            if isinstance(piece, range):
                glued = glued and not piece
            elif glued and found[-1].end >= piece.start:
                last = found.pop()
                strong = last if last.kind else piece
                found.append(
                    replace(
                        strong,
                        start=last.start,
                        end=max(last.end, piece.end),
                        text=last.text + piece.text,
                        before=max(last.before, piece.before),
                    )
                )
            else:
                found.append(piece)
                glued = True
        return [e for e in found if self._original[e.start : e.end] != e.text]


def _size(piece: Edit | range) -> int:
    return len(piece) if isinstance(piece, range) else len(piece.text)


def _start(piece: Edit | range) -> int:
    return piece.start


def _end(piece: Edit | range) -> int:
    return piece.stop if isinstance(piece, range) else piece.end


def _cut(piece: Edit | range, at: int) -> tuple[Edit | range, Edit | range]:
    """Two pieces; of an edited one, the left keeps the original stretch."""
    if isinstance(piece, range):
        return piece[:at], piece[at:]
    right = replace(piece, start=piece.end, text=piece.text[at:], before=0.0, after=0.0)
    return replace(piece, text=piece.text[:at]), right
