"""Hear the cues of all genres in one walk over a text, where the kernel for it is at hand.

In: cues.  Out: the kernel with its tables, and the cues of which it hears only that they may be.

RE2 makes its states while it reads, and for cues that may begin anywhere it makes many, of half a
kilobyte each: among the other work of a scan they are never in the cache. The kernel begins a walk
only where three characters allow it, and its states are worked out with the rules (0047). Without
them, or for rules that were edited since, RE2 hears all of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from dlp.detect.linking.cue_states import Machine, classes_of
from dlp.detect.linking.cue_steps import Alphabet, Steps, UnreadableError, characters_in, parsed
from dlp.detect.linking.cue_tables import Tables, arranged
from dlp.knowledge.arrays import packed, unpacked
from dlp.native import kernel
from dlp.prepared import answer

KERNEL: Any = kernel("genres")
MOST_STATES = 30_000
FOR_ONE = 1000  # states of a cue by itself; one that needs more is heard loosely


def hearing_of(cues: Sequence[str], genres: Sequence[int]) -> tuple[Any, list[int]]:
    """The kernel, or None, and the cues that RE2 has to confirm; `genres`: each cue's."""
    stated = answer(key_of(cues)) if KERNEL is not None else None
    if stated is None:
        return None, []
    tables = Tables(*(unpacked(one) for one in stated["tables"]))
    try:
        heard = KERNEL.Hearing(tables, np.array(genres, np.uint8), stated["loose"])
    except ValueError:  # more cues or genres than it holds
        return None, []
    return heard, stated["loose"]


def key_of(cues: Sequence[str]) -> bytes:
    """What the tables follow from."""
    return json.dumps(["genres", *cues], ensure_ascii=False).encode()


def worked_out(cues: Sequence[str]) -> dict[str, Any] | None:
    """What `dlp rules prepare` writes down; nothing if only RE2 understands a cue."""
    try:
        tables, loose = tables_of(cues)
    except UnreadableError:
        return None
    return {"loose": loose, "tables": [packed(one) for one in tables]}


def tables_of(cues: Sequence[str]) -> tuple[Tables, list[int]]:
    alphabet = Alphabet(char for cue in cues for char in characters_in(parsed(cue)[0]))
    steps = Steps(alphabet)
    anywhere, at_lines, loosely, loose = list[int](), list[int](), list[int](), list[int]()
    for number, cue in enumerate(cues):
        try:
            alone = machine_of(alphabet, cue, loose=False)
        except UnreadableError:
            alone = machine_of(alphabet, cue, loose=True)
            loose.append(number)
        first = steps.add(number, cue, loose=number in loose)
        if not alone.begins_at_lines_only():
            anywhere.append(first)
        else:
            (loosely if number in loose else at_lines).append(first)
    classes = classes_of(steps)
    # apart, for what begins a line goes on in many ways that have nothing to do with each other
    machines = [
        Machine(steps, firsts, classes, MOST_STATES) for firsts in (anywhere, at_lines, loosely)
    ]
    return arranged(alphabet, classes, machines), loose


def machine_of(alphabet: Alphabet, cue: str, *, loose: bool) -> Machine:
    steps = Steps(alphabet)
    first = steps.add(0, cue, loose=loose)
    return Machine(steps, [first], classes_of(steps), FOR_ONE)
