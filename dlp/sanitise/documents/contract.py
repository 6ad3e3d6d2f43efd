"""What a rewritable format and the rewriter promise each other.

In: nothing.  Out: Edit, Rewritten, Job, Bounds and refuse().

A format is one module in dlp/sanitise/documents/formats/ with two names:

    MEDIA_TYPES = frozenset({"text/html"})
    def rewrite(data: bytes, job: Job) -> bytes: ...

It keeps what it knows, passes every text through `job.edit`, and drops the rest with a note.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from dlp.errors import SanitiseError

Edit = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much one file, with everything inside it, may ask of us."""

    inflated_bytes: int = 512_000_000
    entries: int = 20_000
    depth: int = 6
    pages: int = 5_000
    cpu_seconds: float = 300.0  # for the pages of one document


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file without what `edit` takes out, and what was dropped or not looked into."""

    data: bytes = field(repr=False)
    notes: tuple[str, ...] = ()  # closed words and places, never content


@dataclass(slots=True)
class Job:
    """One file on its way through the rewriter, with everything inside it."""

    edit: Edit
    inner: Callable[[bytes, str, str, Job], bytes | None]  # data, media type, name
    key: bytes = field(default=b"", repr=False)
    drop_signatures: bool = False
    bounds: Bounds = field(default_factory=Bounds)
    depth: int = 0
    notes: dict[str, None] = field(default_factory=dict)
    inflated: int = 0
    entries: int = 0

    def note(self, text: str) -> None:
        self.notes[text] = None

    def take(self, size_bytes: int) -> None:
        """Count something unpacked; refuse what would never end."""
        self.inflated += size_bytes
        self.entries += 1
        if self.inflated > self.bounds.inflated_bytes or self.entries > self.bounds.entries:
            raise refuse("the file unpacks to more than can be checked")

    def inside(self, data: bytes, media_type: str = "", name: str = "") -> bytes | None:
        """Rewrite a file inside this one; None when no module can, and the caller drops it."""
        if self.depth >= self.bounds.depth:
            raise refuse("files are nested too deeply")
        self.depth += 1
        try:
            return self.inner(data, media_type, name, self)
        finally:
            self.depth -= 1

    def digest(self, value: str) -> int:
        """A number that stands for a value; not to be guessed back without the key."""
        return int.from_bytes(hmac.digest(self.key, value.encode(), hashlib.sha256)[:12], "big")

    def number(self, value: str) -> str:
        """A name of letters for an identifier, the same wherever it stands; digits would look
        like a number again.
        """
        digest = self.digest(value)
        return "number-" + "".join(chr(97 + (digest >> 4 * n & 15)) for n in range(12))


NUMBER = re.compile(r"number-[a-p]{12}")  # what `Job.number` writes


def refuse(what: str, fix: str = "quarantine the file instead") -> SanitiseError:
    return SanitiseError(what, fix=fix)


_SIGNS = re.compile(r"[_/+.\-]+")
_JOINED = re.compile(r"(?<=[a-zà-þ])(?=[A-ZÀ-Þ])")  # "TamsinOyelaran"
LONGEST_ENDING = 8  # characters


def safe_name(name: str, edit: Edit, instead: str) -> str:
    """A name is not repaired but replaced: what is left of it would still say what was there."""
    stem, dot, ending = name.rpartition(".")
    known = bool(dot and stem) and ending.isalnum() and len(ending) <= LONGEST_ENDING
    bare = stem if known else name
    spoken = _SIGNS.sub(" ", bare)
    forms = {name, bare, spoken, _JOINED.sub(" ", bare), _JOINED.sub(" ", spoken)}
    if all(edit(form) == form for form in forms):
        return name
    return f"{instead}.{ending}" if known else instead
