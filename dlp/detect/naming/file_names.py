"""The person that a file's name tells: "hale_ada_mri.pdf", "Sick note - Ada Hale.docx".

In: the path of a file.  Out: Mentions of part -1, as they stand in no text.
"""

from __future__ import annotations

import functools
import re
from pathlib import PurePosixPath

from dlp.detect.naming.forms import form_of_words
from dlp.detect.naming.handles import handle_of
from dlp.detect.naming.labelled import bits_of
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.names import NameFinder
from dlp.knowledge.names import LAST
from dlp.model import Kind
from dlp.resources import rules_folder
from dlp.rulebook import read_toml

PIECES = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LIKELY = 0.55
HARDLY_A_WORD = 0.6  # in fewer of its uses it is one
MOST_WORDS = 8


def in_file_name(path: bytes, names: NameFinder) -> list[Mention]:
    """At most one person; words for kinds of papers are left out first."""
    stem = PurePosixPath(path.decode("utf-8", "replace")).stem
    spaced = CAMEL.sub(" ", re.sub(r"[_+.]+|(?<=\d)-|-(?=\d)", " ", stem))
    words = [word for word in PIECES.findall(spaced) if not is_of_papers(word)]
    if not 0 < len(words) <= MOST_WORDS:
        return []
    comma = "," in spaced
    if len(words) == 1:
        first, last = handle_of(words[0]) if words[0].islower() else ("", "")
        return [told(first, last)] if first and last else []
    written = [word if word.isupper() and len(word) == 1 else word.capitalize() for word in words]
    found = best(" ".join(written), names)
    if found is None or (comma and len(words) == 2):
        found = (
            best(", ".join(written[:2]), names) or best(" ".join(written[1::-1]), names) or found
        )
    found = found or (with_initial(*words) if len(words) == 2 else None)
    return [found] if found else []


def with_initial(one: str, other: str) -> Mention | None:
    """ "HALE A 1961": a last name that is hardly a word, and one capital."""
    last, initial = (one, other) if len(other) == 1 else (other, one)
    bits, ordinary, _ = bits_of(last)
    if not (len(initial) == 1 and initial.isupper() and last[0].isupper()):
        return None
    known = bits & LAST and ordinary < HARDLY_A_WORD
    return told(initial, last.capitalize()) if known and len(last) > 1 else None


def best(text: str, names: NameFinder) -> Mention | None:
    """A first and a last name, or a last name with an initial."""
    for mention in names.find(f"{text}."):
        if mention.confidence >= LIKELY and mention.first and mention.last:
            return told(mention.first, mention.last, mention)
    return None


def told(first: str, last: str, like: Mention | None = None) -> Mention:
    if bits_of(last)[2] and not bits_of(first)[2] and len(first) > 1:
        first, last = last, first  # "hale_ada"
    sex = like.sex if like else ""
    form = form_of_words(first, last, titled=False)
    return Mention(Kind.PERSON, -1, 0, 0, LIKELY, "file-name", ("file-name",), "", first, last, sex,
                   form=form)  # fmt: skip


@functools.cache
def paper_words() -> tuple[frozenset[str], tuple[str, ...]]:
    """Words of papers and records, and stems of such words."""
    book = read_toml(rules_folder() / "titles.toml")
    screen = book["screen"]
    return frozenset([*book["ordinary"], *screen["exact"]]), tuple(screen["stems"])


def is_of_papers(word: str) -> bool:
    words, stems = paper_words()
    return word.lower() in words or word.lower().startswith(stems)
