"""A small share with its journal, vault and ledger, and a checker that knows none of our code."""

import hashlib
import hmac
import json
import os
import sqlite3
import struct
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from dlp.model import FileRef
from dlp.respond.holding_folder import Place
from dlp.respond.quarantine import Quarantine, Terms
from dlp.respond.replace import Replace
from dlp.respond.restore import Purge, Recovery, Restore
from dlp.respond.system_calls import System
from dlp.respond.vault import Vault
from dlp.store.journal import Journal
from dlp.store.ledger import Ledger
from dlp.store.migrations import open_database

KEY = b"k" * 32
LEDGER_KEY = b"l" * 32


class Guard:
    """Everything opened anew, as after a start; `wrap` puts a saboteur before every call."""

    def __init__(self, base, *, wrap=lambda thing: thing, terms=None, vault=None, key=KEY, old=()):
        self.base = Path(base)
        self.root = self.base / "share"
        self.root.mkdir(exist_ok=True)
        self.engine = open_database(self.base / "state.db")
        self.ledger = Ledger(self.engine, LEDGER_KEY, self.base / "anchor")
        self.plain_journal = Journal(self.engine, self.ledger)
        self.journal = wrap(self.plain_journal)
        system = wrap(System())
        hold = os.fsencode(self.base / "hold")
        self.place = Place("clinic", os.fsencode(self.root), hold, system=system)
        folder = os.fsencode(vault or self.base / "vault")
        self.vault = Vault(folder, key, old, system=system)
        terms = terms or Terms(note=False)
        parts = (self.place, self.journal, self.vault)
        self.quarantine = Quarantine(*parts, terms)
        self.replace = Replace(*parts, terms)
        self.restore = Restore(*parts, terms.contact)
        self.purge = Purge(self.journal, self.vault)
        self.recovery = Recovery(self.quarantine, self.replace, self.restore, self.purge)

    def close(self):
        self.place.close()
        self.vault.close()
        self.engine.dispose()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def ref(self, name):
        return ref_of(self.root, os.fsencode(name))


def ref_of(root, path):
    seen = os.stat(os.path.join(os.fsencode(root), path), follow_symlinks=False)
    numbers = (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
    return FileRef("clinic", path, *numbers)


def digest(content):
    return hashlib.sha256(content).hexdigest()


def unsealed(path, key=KEY):
    """Open a blob from its description alone."""
    raw = Path(path).read_bytes()
    item = Path(path).name.removesuffix(".blob").encode()
    assert raw[:8] == b"DLPVLT1\n"
    assert raw[8:16] == hmac.new(key, b"vault key id", hashlib.sha256).digest()[:8]
    cipher = AESGCM(AESGCM(key).decrypt(raw[16:28], raw[28:76], b"DLPVLT1\n" + item))
    (length,) = struct.unpack(">I", raw[76:80])
    meta = json.loads(cipher.decrypt(bytes(12), raw[80 : 80 + length], item))
    rest, number, content = raw[80 + length :], 1, b""
    while True:
        piece, rest = rest[: (1 << 20) + 16], rest[(1 << 20) + 16 :]
        nonce = struct.pack(">Q", number) + bytes(3) + bytes([not rest])
        content += cipher.decrypt(nonce, piece, item)
        number += 1
        if not rest:
            return meta, content


def everywhere(base, vault=None):
    """Where each content lies now: {sha256: [place, ...]}, from the disk alone."""
    lies = {}
    base = Path(base)
    for place in ("share", "hold"):
        for path in sorted((base / place).rglob("*")):
            if path.is_file() and not path.is_symlink():
                lies.setdefault(digest(path.read_bytes()), []).append(place)
    for path in sorted(Path(vault or base / "vault").iterdir()):
        assert path.suffix == ".blob", "a partial copy is left"
        meta, content = unsealed(path)
        assert meta["sha256"] == digest(content)
        lies.setdefault(digest(content), []).append("vault")
    return lies


def recorded(base):
    """The journal's rows, read past our own code."""
    with sqlite3.connect(base / "state.db") as connection:
        rows = connection.execute("SELECT id, state, sha256, path, target FROM intents").fetchall()
        events = connection.execute("SELECT item, what FROM ledger").fetchall()
    connection.close()
    return rows, events
