"""Results that follow from rules, kept between runs in one cache file that rebuilds itself.

In: what a result follows from, and the function that works it out.  Out: the result.

A line of the file holds the hash of its key, the hash of its value, and the value as JSON. The key
is the very content the result follows from, with the code that works it out and the version of
Python: after an edit or an upgrade no old line answers, and the result is worked out and appended.
A damaged line is not believed, and a file that others could have written is not read. Without a
folder to write to everything is worked out at every start.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import sys
import tomllib
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dlp.resources import PACKAGE

FILE = "prepared.jsonl"
LARGEST_BYTES = 32 << 20  # of a file that is read; a larger one is begun anew
OTHERS_MAY_WRITE = 0o022


def prepared(key: bytes, work_out: Callable[[], Any], code: str = "") -> Any:
    """The value for a key; `code` is the folder of the package that works it out.

    A fresh copy each time, as JSON holds it: the caller may change it.
    """
    name = name_of(key, code)
    if (stated := stated_in(name)) is not None:
        return json.loads(stated)
    value = work_out()
    try:
        written = json.dumps(value, separators=(",", ":")).encode()
    except TypeError:  # a date in a site's own table: JSON has none
        return value
    keep(name, written)
    return json.loads(written)


def read_table(path: Path) -> dict[str, Any]:
    """A TOML file as a table; raises what reading and parsing it raise."""
    raw = path.read_bytes()
    found: dict[str, Any] = prepared(b"table " + raw, lambda: tomllib.loads(raw.decode("utf-8")))
    return found


def name_of(key: bytes, code: str) -> bytes:
    return hash_of(edition(code) + b" " + key)


@functools.cache
def edition(code: str) -> bytes:
    """Of Python, and of the sources that a result may depend on."""
    whole = hashlib.sha256(f"{sys.version} {unicodedata.unidata_version}".encode())
    for source in sorted((PACKAGE / code).glob("*.py")) if code else ():
        whole.update(hash_of(source.read_bytes()))
    return whole.hexdigest().encode()


def stated_in(name: bytes) -> bytes | None:
    line = lines().get(name)
    if line is None:
        return None
    said, _, stated = line.partition(b" ")
    return stated if said == hash_of(stated) else None


@functools.cache
def lines() -> dict[bytes, bytes]:
    """The file as this process found it, and what it has added since."""
    try:
        with cache_file().open("rb") as source:
            there = os.fstat(source.fileno())
            if there.st_uid != os.geteuid() or there.st_mode & OTHERS_MAY_WRITE:
                return {}
            if there.st_size > LARGEST_BYTES:
                cache_file().unlink()
                return {}
            raw = source.read()
    except OSError:
        return {}
    pairs = (line.partition(b" ") for line in raw.split(b"\n"))
    return {key: rest for key, _, rest in pairs if rest}


def keep(name: bytes, written: bytes) -> None:
    line = b"%s %s" % (hash_of(written), written)
    lines()[name] = line
    with contextlib.suppress(OSError):  # no home, a full disk, a confined worker
        file = cache_file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        with os.fdopen(os.open(file, flags, 0o600), "wb", buffering=0) as target:
            fcntl.flock(target, fcntl.LOCK_EX)
            # a line that somebody could not finish ends here
            target.write(b"\n%s %s\n" % (name, line))


def cache_file() -> Path:
    """The service's own folder (systemd's CacheDirectory), else the user's."""
    if given := os.environ.get("CACHE_DIRECTORY"):
        return Path(given.partition(":")[0], FILE)
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(home, "dlp", FILE)


def hash_of(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()
