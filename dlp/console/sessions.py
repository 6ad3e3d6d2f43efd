"""Who is signed in, and who tries too often.

In: tokens and failures.  Out: sessions that end by themselves; a wait after wrong guesses.

Sessions live in memory: a restart signs everybody out, and no token ever lies on a disk.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

IDLE_SECONDS = 15 * 60.0
LONGEST_SECONDS = 8 * 3600.0
MOST = 1000
PER_MINUTE = 600  # requests of one session


@dataclass(slots=True)
class Session:
    user: str
    began: float
    seen: float
    said: str = ""  # shown once on the next page
    asked: deque[float] = field(default_factory=deque)


class Sessions:
    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._secret = secrets.token_bytes(32)
        self._live: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, user: str) -> str:
        """A new token at every sign-in: one planted before it is worth nothing."""
        token = secrets.token_urlsafe(32)
        now = self._clock()
        with self._lock:
            self._live[digest(token)] = Session(user, now, now)
            while len(self._live) > MOST:
                self._live.popitem(last=False)
        return token

    def get(self, token: str) -> Session | None:
        now = self._clock()
        with self._lock:
            found = self._live.get(digest(token))
            if found is None:
                return None
            if now - found.seen > IDLE_SECONDS or now - found.began > LONGEST_SECONDS:
                del self._live[digest(token)]
                return None
            found.seen = now
            return found

    def within_rate(self, session: Session) -> bool:
        now = self._clock()
        with self._lock:
            asked = session.asked
            while asked and now - asked[0] > 60.0:
                asked.popleft()
            asked.append(now)
            return len(asked) <= PER_MINUTE

    def end(self, token: str) -> None:
        with self._lock:
            self._live.pop(digest(token), None)

    def form_token(self, token: str) -> str:
        """What a form of ours carries and a form of theirs cannot know."""
        return hmac.new(self._secret, b"form:" + token.encode(), hashlib.sha256).hexdigest()

    def form_fits(self, token: str, sent: str) -> bool:
        return hmac.compare_digest(self.form_token(token).encode(), sent.encode("utf-8", "replace"))


def digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


KNOWN_BROWSER = "a browser of this user"  # in the place of an address


class Throttle:
    """Failures by name, by address and by both; each has its own patience."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._failed: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    @staticmethod
    def _keys(name: str, address: str) -> dict[tuple[str, str], int]:
        name = name[:64]
        if address == KNOWN_BROWSER:  # guesses elsewhere deny nothing to it
            return {(name, address): 10}
        return {("", address): 30, (name, address): 5, (name, ""): 50}

    def wait_seconds(self, name: str, address: str) -> int:
        """0: may try now."""
        now = self._clock()
        with self._lock:
            waits = [
                WINDOW - (now - times[0])
                for key, most in self._keys(name, address).items()
                if len(times := self._recent(key, now)) >= most
            ]
        return int(max(waits, default=-1.0)) + 1

    def failed(self, name: str, address: str) -> None:
        now = self._clock()
        with self._lock:
            for key in self._keys(name, address):
                self._recent(key, now).append(now)
                self._failed.move_to_end(key)
            while len(self._failed) > MOST * 10:
                self._failed.popitem(last=False)

    def succeeded(self, name: str, address: str) -> None:
        with self._lock:
            self._failed.pop((name[:64], address), None)

    def _recent(self, key: tuple[str, str], now: float) -> deque[float]:
        times = self._failed.setdefault(key, deque(maxlen=64))
        while times and now - times[0] > WINDOW:
            times.popleft()
        return times


WINDOW = 15 * 60.0
