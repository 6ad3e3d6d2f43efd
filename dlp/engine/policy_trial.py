"""What a policy would do about files, by the very rules the daemon acts by; nothing is touched.

In: settings with the policy to try; the catalogue, or records of a scan.  Out: Trial for each file.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Engine, and_, select

from dlp.config import Policy, Settings, Share
from dlp.engine.policy_responder import ignore_lines
from dlp.engine.verdict_actions import verdict_of
from dlp.judge.ignore import Ignore
from dlp.judge.policy import MOVES, decide
from dlp.measure.risk_levels import level_of
from dlp.model import Container, Gap, GapCode, Person, Verdict
from dlp.respond.quarantine import ALLOWED
from dlp.store.database import server_name
from dlp.store.reviews import active_suppressions
from dlp.store.schema import allowed, files, persons

ROWS_AT_ONCE = 2_000


class Trial(NamedTuple):
    """What would be done about one file, and why."""

    share: str
    path: bytes
    action: str
    why: str
    level: str
    people: frozenset[str]  # keyed ids
    size_bytes: int


class Found(NamedTuple):
    """A file on record or just judged."""

    path: bytes
    owner: int
    people: frozenset[str]
    size_bytes: int
    sha256: str


@dataclass(slots=True)
class Outline:
    """All files of a trial by what would be done about them."""

    files: Counter[str] = field(default_factory=Counter)
    size_bytes: Counter[str] = field(default_factory=Counter)
    people: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, trial: Trial) -> None:
        self.files[trial.action] += 1
        self.size_bytes[trial.action] += trial.size_bytes
        self.people[trial.action] |= trial.people

    def moved(self) -> int:
        return sum(self.files[action] for action in MOVES)


class Guarded:
    """A share with the policy that would hold there."""

    def __init__(self, share: Share, policy: Policy) -> None:
        self.name, self.policy = share.name, policy
        self.top = os.fsencode(share.path).rstrip(b"/")
        lines = b""
        if policy.ignore_file:
            root = os.open(self.top or b"/", os.O_RDONLY | os.O_DIRECTORY)
            try:
                lines = ignore_lines(root)
            finally:
                os.close(root)
        self.ignore = Ignore(lines)


class PolicyTrial:
    def __init__(self, settings: Settings, engine: Engine | None, *, now: float) -> None:
        """Without `engine` nothing was called harmless or given back before."""
        marks = active_suppressions(engine, now) if engine is not None else ()
        self._engine, self._settings = engine, settings
        self._today = datetime.fromtimestamp(now, UTC).date()
        self._level = partial(level_of, profile=settings.measure.profile)
        self._shares = [
            Guarded(share, policy.model_copy(update={"suppress": (*policy.suppress, *marks)}))
            for share in settings.share
            for policy in (share.policy or settings.policy,)
        ]
        self._given_back = given_back(engine) if engine is not None else frozenset()

    def on_record(self) -> Iterator[Trial]:
        """Everything the catalogue holds of the shares."""
        assert self._engine is not None
        server = server_name(self._engine, self._settings.store.server)
        for share in self._shares:
            yield from (self._of_row(share, row, people)
                        for row, people in rows_of(self._engine, share.top, server))  # fmt: skip

    def of_records(self, records: Iterable[Mapping[str, Any]]) -> Iterator[Trial]:
        """Files as a scan has just judged them; those of no share are passed by."""
        for record in records:
            path = os.path.abspath(os.fsencode(record["path"]))
            share = next((s for s in self._shares if path.startswith(s.top + b"/")), None)
            if share is None:
                continue
            owner = (record.get("exposure") or {}).get("owner", -1)
            people = frozenset(person["id"] for person in record["persons"])
            found = Found(path, owner, people, record["size_bytes"], record["sha256"])
            yield self._of(share, found, verdict_of(record))

    def _of_row(self, share: Guarded, row: Any, people: list[Any]) -> Trial:
        told = tuple(
            Person(one.person, frozenset(one.prints.split()), one.identifiability, one.sensitivity)
            for one in people
        )
        hidden = any(one.suppressed_until for one in people)
        verdict = Verdict(
            Container(row.container), row.reason, told,
            tuple(Gap(GapCode(code), "") for code in row.gaps.split()), row.rules_version,
            row.privacy, unlisted=0 if hidden else max(0, row.people - len(told)),
            readers=row.readers,
        )  # fmt: skip
        names = frozenset(one.identity or one.person for one in people)
        found = Found(bytes(row.path), row.owner, names, row.size_bytes, row.sha256)
        return self._of(share, found, verdict)

    def _of(self, share: Guarded, found: Found, verdict: Verdict) -> Trial:
        inside = found.path[len(share.top) + 1 :]
        decision = decide(
            share.policy, verdict, path=inside, owner=found.owner, today=self._today,
            level_of=self._level, ignored=inside in share.ignore, top=share.top,
        )  # fmt: skip
        action, why = decision.action, decision.why
        if action in MOVES and (share.name, found.sha256) in self._given_back:
            action, why = "observe", ALLOWED
        return Trial(share.name, found.path, action, why, decision.level, found.people,
                     found.size_bytes)  # fmt: skip


def given_back(engine: Engine) -> frozenset[tuple[str, str]]:
    with engine.connect() as connection:
        query = select(allowed.c.share, allowed.c.sha256)
        return frozenset((share, sha256) for share, sha256 in connection.execute(query))


def rows_of(engine: Engine, top: bytes, server: str) -> Iterator[tuple[Any, list[Any]]]:
    """Files beneath a folder, each with its persons, as two listings side by side."""
    f, p = files.c, persons.c
    # "0" follows "/" in the order of bytes.
    here = and_(f.server == server, f.path >= top + b"/", f.path < top + b"0")
    columns = (f.id, f.path, f.container, f.reason, f.gaps, f.rules_version, f.privacy, f.people,
               f.readers, f.owner, f.size_bytes, f.sha256)  # fmt: skip
    told = (p.file, p.person, p.prints, p.identifiability, p.sensitivity, p.suppressed_until,
            p.identity)  # fmt: skip
    of_people = select(*told).join(files, p.file == f.id).where(here).order_by(p.file, p.id)
    with engine.connect() as one, engine.connect() as other:
        people = other.execution_options(yield_per=ROWS_AT_ONCE).execute(of_people)
        groups = groupby(people, key=itemgetter(0))
        number, group = next(groups, (None, iter(())))
        listing = select(*columns).where(here).order_by(f.id)
        for row in one.execution_options(yield_per=ROWS_AT_ONCE).execute(listing):
            mine: list[Any] = []
            if row.id == number:
                mine = list(group)
                number, group = next(groups, (None, iter(())))
            yield row, mine
