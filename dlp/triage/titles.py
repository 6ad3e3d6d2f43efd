"""Match a file's titles against published works, and screen them for stems of evidence and care.

In: file name and document title.  Out: whether a published work is called so, or a record of care.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dlp.knowledge.titles import Table, catalogue, holds, normalise, says_enough, table_of
from dlp.triage.rules import TitleRules

# "copy of", "#11", "(2)", "01 -", ".final.": what people and machines add around a title
PREFIX = re.compile(
    r"^(?:copy of\s+|fwd?:\s*|re:\s*)+|^[#\[(]?\d{1,3}[\])]?\s*[-._)]+\s*", re.IGNORECASE
)
SUFFIX = re.compile(
    r"(?:[\s._-]+(?:e-?book|copy|final|draft|v\d+|retail|unabridged|\(\d+\)|\[\w+\]))+$",
    re.IGNORECASE,
)
LAST_OF_SUFFIX = frozenset("kyltdKYLTD0123456789)]")
FIRST_OF_PREFIX = frozenset("cfrCFR#[(0123456789")
EXTENSION = re.compile(r"^\.[A-Za-z0-9]{1,5}$")
DASH = re.compile(r"\s+[-\u2013\u2014]\s+|\.-\.?|_-_")
BY_AUTHOR = re.compile(r"^(.{4,}?)\s+by\s+[\w .'-]{3,}$", re.IGNORECASE)
MAX_TITLE_CHARS = 300  # longer is a sentence, not a title
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
normal = lru_cache(maxsize=8)(normalise)  # a title is asked for twice, mostly in one spelling


def name_of(path: bytes) -> str:
    """The file name without folders, readable even where it is not UTF-8."""
    return path.rpartition(b"/")[2].decode("utf-8", "replace")


def stem_of(path: bytes) -> str:
    """The same without its extension, or several."""
    name = name_of(path)
    stem, extension = os.path.splitext(name)
    while EXTENSION.match(extension):
        name = stem
        if "." not in name:
            break
        stem, extension = os.path.splitext(name)
        # "Abba.-The.Winner.Takes.It.All": dots between words are no extensions
        if "." in stem and " " not in name:
            break
    return name


def spellings(title: str) -> Sequence[str]:
    """What a file called so may be claiming to be, each once."""
    if len(title) > MAX_TITLE_CHARS:
        return ()
    bare = title.strip()
    # Of plain letters the first or last sign tells that there is nothing to take off.
    plain = bare.isascii() and bare
    ended = not plain or bare[-1] in LAST_OF_SUFFIX
    if not ended and bare == title and bare[0] not in FIRST_OF_PREFIX and "-" not in bare:
        by = "by" in bare.lower()
        return (title, *written_by(bare)) if by else (title,)  # as most are
    if ended:
        bare = SUFFIX.sub("", bare)
    spelt = [title, bare]
    if not plain or bare[:1] in FIRST_OF_PREFIX:
        spelt.append(PREFIX.sub("", bare))
    # "Author - Title" and "Title - Author"
    if not plain or "-" in bare:
        pieces = [piece for piece in DASH.split(bare) if piece]
        if len(pieces) > 1:
            spelt += pieces
    if not plain or "by" in bare.lower():
        spelt += written_by(bare)
    return tuple(dict.fromkeys(spelt))


def written_by(title: str) -> Sequence[str]:
    named = BY_AUTHOR.match(re.sub(r"[._]+", " ", title))
    return (named[1],) if named else ()


@dataclass(frozen=True, slots=True)
class Titles:
    """The product's catalogue and the site's own."""

    table: Table
    ordinary: frozenset[str]
    site: Table | None = None

    def know(self, title: str) -> bool:
        """Whether a published work is called so, exactly, after normalisation."""
        for spelling in spellings(title):
            name = normal(spelling)
            # The site's titles are asked too, so the word test is repeated here.
            if not says_enough(name, self.ordinary):
                continue
            if holds(self.table, name) or (self.site is not None and holds(self.site, name)):
                return True
        return False


def load_titles(rules: TitleRules, site: Iterable[str] = ()) -> Titles:
    """Open the shipped catalogue; `site` is any number of titles, one per line."""
    own = import_titles(site, rules.ordinary)
    return Titles(catalogue(), rules.ordinary, own if len(own) else None)


def import_titles(lines: Iterable[str], ordinary: frozenset[str] = frozenset()) -> Table:
    """Turn a site's list of titles into a table; blank lines, # comments and ordinary words go."""
    wanted = (normalise(line) for line in lines if line.strip() and not line.startswith("#"))
    table = table_of(title for title in wanted if says_enough(title, ordinary))
    return table.astype(np.uint64)


def promises_record(title: str, rules: TitleRules) -> bool:
    """Whether a title's words start with a stem of evidence or of health records.

    One run-together word ("JaneDoeDischarge") is taken apart at its capitals first.
    """
    apart = title if title.islower() else CAMEL.sub(" ", title)  # no capital, nothing to take apart
    for word in normal(apart).split():
        if word in rules.exact_words or word.startswith(rules.stems.get(word[0], ())):
            return True
    return False
