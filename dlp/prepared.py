"""What was worked out from the rules beforehand, so that a scan need not do it again.

In: the text of a rule file, or a pattern.  Out: what follows from it; None when it is another text.

Every line of the artefact names the hash of the text it was made from and of what it says itself.
Where either differs (a rule was edited, a byte is damaged) the rules are read as people wrote them:
`dlp rules prepare` saves time and decides nothing.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dlp.resources import artefacts_folder

FILE = "prepared.rules"
MODEL = "prepared.model"  # what dlp/detect/naming/learned knows of a language model


class Prepared(NamedTuple):
    """What follows from the pattern of an identifier rule, which RE2 has accepted."""

    loosened: str  # dlp/detect/identify/loosen.py
    needs_digit: bool  # dlp/detect/identify/digits.py
    steps: int  # of the looser pattern, as RE2 counts them
    alike: str  # dlp/detect/identify/alike.py, in hexadecimal; empty where nobody asks


def read_table(path: Path) -> dict[str, Any]:
    """A TOML file as a table; raises what reading and parsing it raise."""
    found = answer(path.read_bytes())
    if isinstance(found, dict):
        return found
    import tomllib  # noqa: PLC0415 - what was prepared needs none of it

    return tomllib.loads(path.read_text(encoding="utf-8"))


def of_pattern(pattern: str) -> Prepared | None:
    found = answer(pattern.encode())
    fits = isinstance(found, list) and len(found) == len(Prepared._fields)
    return Prepared(*found) if fits else None


def answer(text: bytes, file: str = FILE) -> Any:
    """A fresh copy each time: whoever asks may change it."""
    line = known_lines(file).get(hash_of(text))
    if line is None:
        return None
    said, _, stated = line.partition(b" ")
    return json.loads(stated) if said == hash_of(stated) else None


def line_of(text: bytes, stated: Any) -> bytes:
    """One line of the artefact: hash of the text, hash of what follows from it, and that."""
    written = json.dumps(stated, ensure_ascii=False, separators=(",", ":")).encode()
    return b"%s %s %s\n" % (hash_of(text), hash_of(written), written)


@functools.cache
def known_lines(file: str = FILE) -> Mapping[bytes, bytes]:
    try:
        raw = (artefacts_folder() / file).read_bytes()
    except OSError:
        return {}
    pairs = (line.partition(b" ") for line in raw.split(b"\n"))
    return {key: rest for key, _, rest in pairs}


def hash_of(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()
