"""Decide what is done about a judged file; when in doubt, nothing that moves it.

In: a verdict, where the file lies, whose it is, the share's policy.  Out: Decision.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from dlp.config import Policy, Suppress
from dlp.model import Container, GapCode, Person, Verdict

ANYONE = "any:00000000"  # as dlp.store.verdict_writer marks a file dismissed as a whole
MOVES = frozenset({"quarantine", "sanitise"})
LevelOf = Callable[[float, float], str]
# A file that changed while it was read: what was found may be gone.
UNSTABLE = frozenset({GapCode.CHANGED, GapCode.VANISHED})
# Containers that rest on findings. A part that a reader failed on does not take these back, or an
# attachment that breaks a reader would keep a leak in place.
FOUND = frozenset({Container.PHI, Container.PROBABLE})


@dataclass(frozen=True, slots=True)
class Decision:
    action: str
    why: str  # closed words: they go to the ledger and to logs
    level: str = "none"
    fallback: str = ""  # what is done where the action proves impossible


def decide(
    policy: Policy,
    verdict: Verdict,
    *,
    path: bytes,
    owner: int,
    today: date,
    level_of: LevelOf,
    ignored: bool = False,
    top: bytes = b"",
) -> Decision:
    """`path` is told from `top`, the share's own path, which entries for one file name too."""
    valid = [entry for entry in policy.suppress if covers(entry, path, top)]
    left = exposed(verdict.persons, valid, today)
    if verdict.persons and not left:
        return Decision("observe", "suppressed")
    losses = [person.privacy for person in left] or [verdict.privacy]
    harm = sum(losses) + verdict.unlisted * min(losses)
    level = level_of(harm * verdict.readers, max(losses))
    wished = wish(policy, verdict.container, level)
    wished, why = with_gaps(policy, wished, verdict, f"{verdict.container.value}/{level}")
    if wished == "observe":
        return Decision(wished, why, level)
    excuse = "ignored" if ignored else excused(policy, path, owner)
    if excuse:
        return Decision("observe", excuse, level)
    return Decision(wished, why, level, "quarantine" if wished == "sanitise" else "")


def covers(entry: Suppress, path: bytes, top: bytes) -> bool:
    """Whether an entry counts for this file at all."""
    if not entry.beneath:
        return True
    place, whole = os.fsencode(entry.beneath).rstrip(b"/"), top.rstrip(b"/") + b"/" + path
    return whole.startswith(place + b"/") if entry.whole_folder else whole == place


def exposed(
    persons: tuple[Person, ...], suppress: Sequence[Suppress], today: date
) -> tuple[Person, ...]:
    """The persons whom no valid suppression covers; one that has expired covers nobody."""
    known = {entry.fingerprint for entry in suppress if entry.expires >= today}
    if ANYONE in known:
        return ()
    return tuple(person for person in persons if known.isdisjoint(person.fingerprints))


def wish(policy: Policy, container: Container, level: str) -> str:
    if container is Container.IMPOSSIBLE:
        return "observe"
    answer = getattr(policy, container.value)
    if isinstance(answer, str):
        return answer
    assert isinstance(answer, dict)
    return str(answer.get(level, "observe"))


def wishes(policy: Policy) -> frozenset[str]:
    """Every action that some verdict asks of this policy."""
    answers = (policy.phi, policy.probable, policy.possible)
    each = (w for a in answers for w in ([a] if isinstance(a, str) else a.values()))
    return frozenset({*each, policy.gaps})


def moves(policy: Policy) -> bool:
    """Whether any verdict at all makes this policy touch a file."""
    return not MOVES.isdisjoint(wishes(policy))


def with_gaps(policy: Policy, wished: str, verdict: Verdict, why: str) -> tuple[str, str]:
    """What was found counts though part went unread; an error of ours alone moves no file."""
    gaps = verdict.gaps
    codes = {gap.code for gap in gaps}
    failed = GapCode.INTERNAL in codes and verdict.container not in FOUND
    if wished in MOVES and (failed or codes & UNSTABLE):
        return "notify", "unsure"
    if wished == "sanitise" and gaps:
        return "quarantine", f"{why}, not read in full"  # what is unread cannot be made clean
    if wished == "observe" and gaps:
        return policy.gaps, "not read in full"
    return wished, why


def excused(policy: Policy, path: bytes, owner: int) -> str:
    if owner in policy.permitted_owners:
        return "permitted owner"
    for folder in policy.permitted_folders:
        inside = folder.strip("/").encode("utf-8", "surrogateescape")
        if path == inside or path.startswith(inside + b"/"):
            return "permitted folder"
    return ""
