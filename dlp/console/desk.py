"""Everything the pages work with, opened once.

In: settings.  Out: the stores, the knowledge and the people who may sign in.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine

from dlp.config import Settings
from dlp.console.reading import Reader
from dlp.console.sessions import Sessions, Throttle
from dlp.console.timing import listen
from dlp.engine.responder import Keeping, ShareActions, actions_on, open_keeping
from dlp.intent import Intent
from dlp.knowledge.inference import Inference, load_inference
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.sensitivity import Sensitivity, load_sensitivity
from dlp.measure.levels import level_of
from dlp.measure.sensitivity import Weigh
from dlp.store.database import writing
from dlp.store.intent import Journal
from dlp.store.reviews import Reviews
from dlp.store.users import Users
from dlp.store.witness import Fault


@dataclass(frozen=True, slots=True)
class Checked:
    """The last reading of the ledger against its chain."""

    at: float
    records: int
    faults: tuple[Fault, ...]


@dataclass
class Desk:
    settings: Settings
    keeping: Keeping
    users: Users
    sessions: Sessions
    throttle: Throttle
    reader: Reader
    clock: Callable[[], float] = time.time
    tls: bool = False
    demo: bool = False
    checked: Checked | None = None
    closed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)  # one change of values at a time

    @property
    def engine(self) -> Engine:
        return self.keeping.engine

    def level(self, privacy: float, people: int = 1) -> str:
        return level_of(privacy, people, self.settings.measure.profile)

    def reviews(self, user: str) -> Reviews:
        return Reviews(self.engine, self.keeping.ledger, who=f"console {user}", clock=self.clock)

    def journal(self, user: str) -> Journal:
        return Journal(self.engine, self.keeping.ledger, who=f"console {user}", clock=self.clock)

    def note(self, user: str, what: str, *, item: str = "", why: str = "") -> None:
        """What was only looked at is written down too."""
        with writing(self.engine) as connection:
            who = f"console {user}"
            self.keeping.ledger.append(connection, who=who, what=what, item=item, why=why)
        self.keeping.ledger.anchor()

    @contextmanager
    def share_of(self, intent: Intent, user: str) -> Iterator[ShareActions]:
        """The actions of a case's share, under the name of whoever asked."""
        kept = self.keeping
        mine = Keeping(kept.engine, kept.ledger, self.journal(user), kept.vault, kept.outbox)
        with actions_on(intent.share, self.settings, mine) as actions:
            yield actions

    @functools.cached_property
    def mesh(self) -> Mesh:
        return load_mesh()

    @property
    def sensitivity(self) -> Sensitivity:
        return load_sensitivity()

    @functools.cached_property
    def inference(self) -> Inference:
        return load_inference()

    def weigh(self, table: Sensitivity | None = None) -> Weigh:
        return Weigh(self.mesh, table or self.sensitivity, self.inference)

    def concept_name(self, concept: str | None) -> str:
        if concept and concept in self.mesh:
            return self.mesh.name(self.mesh.index(concept))
        return concept or ""

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.reader.close()
            self.keeping.close()


def open_desk(settings: Settings, *, tls: bool = False, demo: bool = False, **parts: Any) -> Desk:
    keeping = open_keeping(settings, who="console")
    listen(keeping.engine)
    return Desk(
        settings,
        keeping,
        Users(keeping.engine),
        Sessions(),
        Throttle(),
        Reader(settings),
        tls=tls,
        demo=demo,
        **parts,
    )
