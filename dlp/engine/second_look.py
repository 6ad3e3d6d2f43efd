"""Look again at what was found before, when a share's policy has begun to ask for something else.

In: settings, what is known, the catalogue.  Out: files that the next sweep takes for unjudged.

Whoever observes first and then enforces means the files that made them do so. Only what the new
policy may ask something about is read again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping

from sqlalchemy import Engine, false, or_, select

from dlp.acquire.known import Known
from dlp.config import Policy, Settings
from dlp.store.backlog import Backlog
from dlp.store.database import server_name
from dlp.store.schema import files


def look_again(
    settings: Settings, known: Known, backlog: Backlog, database: Engine, roots: Mapping[str, bytes]
) -> None:
    """What is known and the new policy are kept in one step: a crash before it repeats all."""
    server = server_name(database, settings.store.server)
    for share in settings.share:
        policy = share.policy or settings.policy
        if not known.policy_changed(share.name, digest_of(policy)):
            continue
        top = roots[share.name].rstrip(b"/") + b"/"
        paths = list(found_beneath(database, server, top, policy))
        backlog.forget(share.name, paths)
        for path in paths:
            known.doubt(share.name, path.removeprefix(top))
    known.commit()


def digest_of(policy: Policy) -> str:
    return hashlib.sha256(policy.model_dump_json().encode()).hexdigest()


def asked_about(policy: Policy) -> list[str]:
    """The containers about which the policy wants more than to know."""
    each = ((name, getattr(policy, name)) for name in ("phi", "probable", "possible"))
    return [
        name
        for name, answer in each
        if {*(answer.values() if isinstance(answer, dict) else [answer])} - {"observe"}
    ]


def found_beneath(database: Engine, server: str, top: bytes, policy: Policy) -> Iterator[bytes]:
    after = top[:-1] + bytes([top[-1] + 1])  # the first name that no longer begins so
    query = select(files.c.path).where(
        files.c.server == server,
        files.c.path >= top,
        files.c.path < after,
        or_(
            files.c.container.in_(asked_about(policy)),
            (files.c.gaps != "") if policy.gaps != "observe" else false(),
        ),
    )
    with database.connect() as connection:
        yield from (os.fsencode(path) for (path,) in connection.execute(query))
