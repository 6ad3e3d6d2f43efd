"""Everything the pages work with, opened once.

In: settings.  Out: the stores, the knowledge and the people who may sign in.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from dlp.access import Accounts
from dlp.acquire.share_definitions import read_accounts
from dlp.config import Settings
from dlp.console.connections import PasswordChecks
from dlp.console.sessions import KNOWN_BROWSER, Sessions, Throttle
from dlp.engine.policy_responder import Keeping, ShareActions, actions_on, open_keeping
from dlp.errors import DlpError
from dlp.intent import Intent
from dlp.keys import secret_key
from dlp.knowledge.inference import Inference, load_inference
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.sensitivity import Sensitivity, load_sensitivity
from dlp.measure.risk_levels import level_of
from dlp.measure.sensitivity import Weigh
from dlp.resources import ourselves
from dlp.store.database import writing
from dlp.store.journal import Journal
from dlp.store.ledger import Fault
from dlp.store.reviews import Reviews
from dlp.store.users import User, Users

# Read a file again, because somebody asked to see what was found in it.
#
# The console has threads, and a worker is forked: so a process of its own forks it, started when
# first needed and ended when nobody asked for a while.

IDLE_SECONDS = 600.0
BUSY_SECONDS = 5  # then a password may be checked that found too many waiting
ACCOUNT_SECONDS = 60.0


class Reader:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._used = 0.0

    def ask(self, what: str, path: str, **more: Any) -> dict[str, Any]:
        """One question at a time: reading is rare and costs memory."""
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps({"what": what, "path": path, **more}) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
                answer: dict[str, Any] = json.loads(line)
            except (OSError, ValueError):
                self._end()
                raise DlpError(
                    "the file could not be read again", fix="try once more; see `dlp doctor`"
                ) from None
            self._used = time.monotonic()
        if "error" in answer:
            raise DlpError(answer["error"])
        return answer

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            settings = self._settings.model_dump_json()
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                ourselves("dlp.console.confined_reader"),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            assert self._process.stdin is not None
            self._process.stdin.write(settings + "\n")
        return self._process

    def rest(self) -> None:
        """Called now and then: give the memory back when nobody reads."""
        if self._process is not None and time.monotonic() - self._used > IDLE_SECONDS:
            with self._lock:
                self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def close(self) -> None:
        with self._lock:
            self._end()


@dataclass(frozen=True, slots=True)
class Checked:
    """The last reading of the ledger against its chain."""

    at: float
    records: int
    faults: tuple[Fault, ...]


@dataclass
class Services:
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
    checks: PasswordChecks = field(default_factory=PasswordChecks)
    lock: threading.Lock = field(default_factory=threading.Lock)  # one change of values at a time
    _accounts: tuple[float, Accounts] | None = None

    @property
    def engine(self) -> Engine:
        return self.keeping.engine

    def level(self, risk: float, privacy: float) -> str:
        return level_of(risk, privacy, self.settings.measure.profile)

    @property
    def accounts(self) -> Accounts:
        """Of this machine, looked up again after a minute."""
        if self._accounts is None or self.clock() - self._accounts[0] > ACCOUNT_SECONDS:
            self._accounts = (self.clock(), read_accounts())
        return self._accounts[1]

    def owner_name(self, uid: int) -> str:
        return next((name for name, one in self.accounts.users.items() if one == uid), str(uid))

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
        """The actions of a case's share, under the name of the user."""
        kept = self.keeping
        mine = Keeping(kept.engine, kept.ledger, self.journal(user), kept.vault, kept.outbox)
        with actions_on(intent.share, self.settings, mine) as actions:
            yield actions

    async def sign_in(
        self, name: str, password: str, address: str, browser: str = ""
    ) -> User | int | None:
        """The user; the seconds to wait after too many tries; None where they do not match.

        `browser`: the mark of one in which this user has signed in before. Guesses made elsewhere
        do not lock it out.
        """
        found = await self.checks.run(
            address, lambda: self._sign_in(name, password, address, browser)
        )
        return BUSY_SECONDS if found is None else found[0]

    def _sign_in(
        self, name: str, password: str, address: str, browser: str
    ) -> tuple[User | int | None]:
        if browser and hmac.compare_digest(browser, self.browser_mark(name)):
            address = KNOWN_BROWSER
        if wait := self.throttle.wait_seconds(name, address):
            return (wait,)
        user = self.users.checked(name, password)
        if user is None:
            self.throttle.failed(name, address)
            if self.throttle.wait_seconds(name, address):
                self.note("", "sign-in blocked after wrong passwords", why=f"from {address}")
            return (None,)
        self.throttle.succeeded(name, address)
        return (user,)

    def browser_mark(self, name: str) -> str:
        """What a browser keeps of a sign-in, until the user's password or role changes."""
        user = self.users.get(name)
        key = secret_key("fingerprint", self.settings.keys.fingerprint)
        said = f"browser of {name} {user.changed_at if user else 0}"
        return hmac.new(key, said.encode("utf-8", "replace"), hashlib.sha256).hexdigest()

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


def open_services(
    settings: Settings, *, tls: bool = False, demo: bool = False, **parts: Any
) -> Services:
    keeping = open_keeping(settings, who="console")
    listen(keeping.engine)
    return Services(
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


class Spent:
    """Time and queries of one request; changed by the thread that serves it."""

    __slots__ = ("began", "database", "processor", "queries", "signed_in")

    def __init__(self, began: float) -> None:
        self.began = began
        self.database = 0.0
        self.processor = 0.0
        self.queries = 0
        self.signed_in = False

    def line(self) -> str:
        total = (time.perf_counter() - self.began) * 1000
        return (
            f'page;dur={total:.1f}, db;dur={self.database * 1000:.1f};desc="{self.queries}", '
            f"cpu;dur={self.processor * 1000:.1f}"
        )


spent: ContextVar[Spent | None] = ContextVar("spent", default=None)


class Timed:
    """A cursor whose fetching counts too: SQLite does most of its work there."""

    __slots__ = ("_cursor",)

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._cursor, name)
        if not name.startswith("fetch"):
            return found

        def timed(*given: Any) -> Any:
            began = time.perf_counter()
            try:
                return found(*given)
            finally:
                if (now := spent.get()) is not None:
                    now.database += time.perf_counter() - began

        return timed


def listen(engine: Engine) -> None:
    @event.listens_for(engine, "before_cursor_execute")
    def before(_c: Any, _cur: Any, _s: Any, _p: Any, context: Any, _m: Any) -> None:
        context.dlp_began = time.perf_counter()

    @event.listens_for(engine, "after_cursor_execute")
    def after(_c: Any, cursor: Any, _s: Any, _p: Any, context: Any, _m: Any) -> None:
        if (now := spent.get()) is not None:
            now.database += time.perf_counter() - context.dlp_began
            now.queries += 1
            if context.dialect.name == "sqlite":
                context.cursor = Timed(cursor)
