"""Keys that tell copies: the same bytes, and what the 2009 study takes for the same file.

In: Case with a document.  Out: keys by which whoever sees all files can tell copies; a worker
never sees another worker's files.

A near key is a hint, not a proof: two letters from one form have one size, title, greeting and
signature, and two patients. Only the rule set `sokolova2009` computes it, to compare with the
study; a scan reuses a verdict for equal content alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from dlp.knowledge.titles import normalise
from dlp.model import Document

SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n\s*\n")
LOOK_CHARS = 1000  # a first or last sentence longer than this is cut; both copies are cut alike
FIELD_END = b"\x1f"


def content_key(sha256: str, document: Document) -> str:
    """The file's own hash where it is known, else one over all extracted text."""
    if sha256:
        return f"bytes:{sha256}"
    digest = hashlib.sha256()
    for part in document.parts:
        digest.update(part.locator.encode("utf-8", "replace") + FIELD_END)
        digest.update(part.text.encode("utf-8", "surrogatepass") + FIELD_END)
    return f"text:{digest.hexdigest()}"


def near_key(size_bytes: int, title: str, texts: Sequence[str]) -> str:
    """The study's key: size, title, first and last sentence; hashed, so that it says nothing."""
    fields = (str(size_bytes), normalise(title), first_sentence(texts), last_sentence(texts))
    digest = hashlib.blake2b(digest_size=16)
    for field in fields:
        digest.update(field.encode("utf-8", "replace") + FIELD_END)
    return f"near:{digest.hexdigest()}"


def first_sentence(texts: Sequence[str]) -> str:
    for text in texts:
        for sentence in SENTENCE_END.split(text.lstrip()[:LOOK_CHARS]):
            if sentence.strip():
                return squeeze(sentence)
    return ""


def last_sentence(texts: Sequence[str]) -> str:
    for text in reversed(texts):
        for sentence in reversed(SENTENCE_END.split(text.rstrip()[-LOOK_CHARS:])):
            if sentence.strip():
                return squeeze(sentence)
    return ""


def squeeze(sentence: str) -> str:
    return " ".join(sentence.split())
