"""A console to try out: an invented share, judged for real, some of it in quarantine.

In: an empty folder.  Out: settings of a small site that lives in it.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dlp import demo_office
from dlp.acquire.file_identity import open_file, sha256_of
from dlp.config import Policy, Settings, Share, Store
from dlp.console.person_linkage import link_all
from dlp.engine.responder import Responder, open_keeping
from dlp.engine.scanning import Scan
from dlp.engine.verdict_actions import verdict_of
from dlp.model import FileRef
from dlp.store.catalogue import Catalogue
from dlp.store.summaries import refresh_folders
from dlp.store.users import ROLES, Users

DAY = 86_400.0
TAKEN = ("exports/old backup.zip", "wards/scan0007.txt", "mail/fwd.eml")
USERS = {"vera": "viewer", "remy": "reviewer", "olga": "officer", "adam": "admin"}


def build(base: Path) -> tuple[Settings, dict[str, str]]:
    """Make the site; returns its settings and the passwords of its invented users."""
    os.environ["XDG_STATE_HOME"] = str(base / "state")  # keys, vault and ledger stay in the demo
    os.environ["DLP_KNOWLEDGE"] = str(base / "knowledge")
    os.environ.pop("STATE_DIRECTORY", None)
    share = base / "share"
    ages = demo_office.build(share)
    settings = Settings(
        store=Store(database=str(base / "state" / "dlp" / "catalogue.db")),
        share=(Share(name="demo", path=str(share), policy=Policy(phi="quarantine")),),
    )
    records = {
        os.path.relpath(record["path"], share): record
        for record in Scan(settings).records((os.fsencode(share),))
    }
    keeping = open_keeping(settings, who="daemon")
    for name, record in sorted(records.items(), key=lambda pair: -ages[pair[0]]):
        then = time.time() - ages[name] * DAY
        catalogue = Catalogue(keeping.engine, clock=lambda then=then: then)  # type: ignore[misc]
        catalogue.add(record)
        catalogue.flush()
    take(settings, keeping, records)
    refresh_folders(keeping.engine)
    link_all(keeping.engine)
    passwords = dict(sign_up(Users(keeping.engine)))
    keeping.close()
    return settings, passwords


def take(settings: Settings, keeping: Any, records: dict[str, Any]) -> None:
    """Quarantine a few files as the daemon would."""
    root = os.fsencode(settings.share[0].path)
    responder = Responder(settings, keeping)
    for name in TAKEN:
        path = os.fsencode(name)
        fd = open_file(root, path)
        seen = os.fstat(fd)
        ref = FileRef("demo", path, seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns,
                      seen.st_ctime_ns, sha256_of(fd))  # fmt: skip
        os.close(fd)
        responder.act(ref, verdict_of(records[name]), seen.st_uid)
    responder.close()


def sign_up(users: Users) -> Iterator[tuple[str, str]]:
    for name, role in USERS.items():
        assert role in ROLES
        password = secrets.token_urlsafe(9)
        users.add(name, role, password)
        yield name, password
