"""Lay an edited text back over the runs it was joined from.

In: the runs of a paragraph and the edited paragraph.  Out: the new text of each run.

Whatever the alignment, the runs joined give the edited text: where a letter lands only decides how
it is formatted. What replaces something takes the format of the first run it touched.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Indel

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
MOST_TOKENS = 4_000  # beyond, the differing stretch counts as one change: alignment is quadratic


def changes(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, replacement) over `before`, left to right, whole words at a time."""
    old, new = TOKEN.findall(before), TOKEN.findall(after)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    starts = [0]
    for token in old:
        starts.append(starts[-1] + len(token))
    if max(len(middle_old), len(middle_new)) > MOST_TOKENS:
        yield starts[head], starts[len(old) - tail], "".join(middle_new)
        return
    start: int | None = None
    end = 0
    added: list[str] = []
    for code in Indel.opcodes(middle_old, middle_new):
        if code.tag == "equal":
            if start is not None:
                yield starts[head + start], starts[head + end], "".join(added)
            start, added = None, []
            continue
        start = code.src_start if start is None else start
        end = code.src_end
        added += middle_new[code.dest_start : code.dest_end]
    if start is not None:
        yield starts[head + start], starts[head + end], "".join(added)


def spread(runs: Sequence[str], edited: str, fixed: frozenset[int] = frozenset()) -> list[str]:
    """New text for each run; runs in `fixed` are marks such as tabs, which take no text."""
    before = "".join(runs)
    out: list[list[str]] = [[] for _ in runs]
    bounds = [0]
    for text in runs:
        bounds.append(bounds[-1] + len(text))
    edits = list(changes(before, edited))
    place = run = 0

    def copy_until(end: int) -> None:
        nonlocal place, run
        while place < end:
            while bounds[run + 1] <= place:
                run += 1
            stop = min(end, bounds[run + 1])
            out[run].append(before[place:stop])
            place = stop

    for start, end, replacement in edits:
        copy_until(start)
        if replacement and (home := home_of(start, bounds, fixed)) is not None:
            out[home].append(replacement)
        place = end
    copy_until(len(before))
    return ["".join(pieces) for pieces in out]


def home_of(start: int, bounds: Sequence[int], fixed: frozenset[int]) -> int | None:
    """The run a replacement goes to: the one it starts in, else the nearest that takes text."""
    count = len(bounds) - 1
    at = min(bisect_right(bounds, start) - 1, count - 1)
    order = [*range(at, count), *range(at - 1, -1, -1)]
    return next((candidate for candidate in order if candidate not in fixed), None)
