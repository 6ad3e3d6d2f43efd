"""Who may sign in to the console: a name, a role, a password as scrypt keeps it.

In: names and passwords.  Out: rows; a password can be checked, never read back.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Engine, delete, insert, select, update

from dlp.errors import StoreError
from dlp.store.database import writing
from dlp.store.schema import users

ROLES = ("viewer", "reviewer", "officer", "admin")  # each may do what those before it may
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}\Z")
SHORTEST = 12
LONGEST = 1024  # scrypt of a megabyte is a way to keep a server busy
# OWASP's minimum: 64 MiB for about a fifth of a second.
COST, BLOCK, LANES = 2**16, 8, 1
MEMORY = 2 * 128 * COST * BLOCK


class User(NamedTuple):
    name: str
    role: str
    changed_at: float
    disabled: bool

    def may(self, role: str) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


class Users:
    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock
        self._nobody = sealed(secrets.token_hex(16))

    def add(self, name: str, role: str, password: str) -> None:
        check(name, role, password)
        now = self._clock()
        row = {"name": name, "role": role, "secret": sealed(password), "made_at": now,
               "changed_at": now, "disabled": 0}  # fmt: skip
        with writing(self._engine) as connection:
            known = connection.execute(select(users.c.name).where(users.c.name == name)).first()
            if known:
                raise StoreError(f"there is a user {name}", fix="dlp console user set changes one")
            connection.execute(insert(users).values(row))

    def change(self, name: str, *, role: str = "", password: str = "", disabled: int = -1) -> None:
        values: dict[str, object] = {"changed_at": self._clock()}
        if role:
            check(name, role, "x" * SHORTEST)
            values["role"] = role
        if password:
            check(name, "viewer", password)
            values["secret"] = sealed(password)
        if disabled >= 0:
            values["disabled"] = disabled
        with writing(self._engine) as connection:
            done = connection.execute(update(users).where(users.c.name == name).values(values))
            if not done.rowcount:
                raise StoreError(f"no user {name[:64]}", fix="dlp console user list shows them")

    def remove(self, name: str) -> None:
        with writing(self._engine) as connection:
            if not connection.execute(delete(users).where(users.c.name == name)).rowcount:
                raise StoreError(f"no user {name[:64]}", fix="dlp console user list shows them")

    def all(self) -> list[User]:
        with self._engine.connect() as connection:
            rows = connection.execute(select(users).order_by(users.c.name)).mappings()
            return [User(r["name"], r["role"], r["changed_at"], bool(r["disabled"])) for r in rows]

    def get(self, name: str) -> User | None:
        with self._engine.connect() as connection:
            found = connection.execute(select(users).where(users.c.name == name)).mappings().first()
        if found is None:
            return None
        return User(name, found["role"], found["changed_at"], bool(found["disabled"]))

    def checked(self, name: str, password: str) -> User | None:
        """The user, if the password is theirs. A name nobody has takes as long as a wrong one."""
        with self._engine.connect() as connection:
            found = connection.execute(select(users.c.secret).where(users.c.name == name)).scalar()
        fits = matches(found or self._nobody, password[:LONGEST])
        user = self.get(name) if found and fits else None
        return user if user and not user.disabled else None


def check(name: str, role: str, password: str) -> None:
    if not NAME.match(name):
        raise StoreError("a user's name is lower-case letters, digits, dots and dashes, up to 64")
    if role not in ROLES:
        raise StoreError(f"no role {role[:20]}", fix=f"choose one of {', '.join(ROLES)}")
    if not SHORTEST <= len(password) <= LONGEST:
        raise StoreError(f"a password has {SHORTEST} characters or more")


def sealed(password: str) -> str:
    salt = secrets.token_bytes(16)
    return f"scrypt${COST}${BLOCK}${LANES}${salt.hex()}${derived(password, salt).hex()}"


def matches(secret: str, password: str) -> bool:
    _, cost, block, lanes, salt, wanted = secret.split("$")
    found = derived(password, bytes.fromhex(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(found.hex(), wanted)


def derived(
    password: str, salt: bytes, cost: int = COST, block: int = BLOCK, lanes: int = LANES
) -> bytes:
    text = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(text, salt=salt, n=cost, r=block, p=lanes, maxmem=MEMORY, dklen=32)
