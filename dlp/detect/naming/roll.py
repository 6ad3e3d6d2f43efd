"""The people a document has named so far: a name found once is found everywhere.

In: Mentions, then pages.  Out: Mentions of the same people by first or last name alone.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from dlp.detect.naming.lexicon import MONTH, NEVER
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.page import PLAIN, Page
from dlp.detect.naming.runs import View, is_called_after, is_month
from dlp.detect.naming.surname_first import HARDLY, SURE
from dlp.detect.naming.tokens import CAPITAL, SPACE
from dlp.knowledge.arrays import nonzero
from dlp.knowledge.hashing import Hashes, Positions, hash_word, hash_words
from dlp.model import Kind, MentionForm

ENROLLED = 0.6  # surer than this, a mention teaches the rest of the document a name
SHORTEST = 3
AGAIN = 0.7
FEW = 8  # words hashed one by one; more are quicker as an array
MOST = 100_000  # names one document can teach


class Roll:
    def __init__(self) -> None:
        self._known: dict[int, Mention] = {}
        self._keys: Hashes | None = None  # of the known, in order

    def __len__(self) -> int:
        return len(self._known)

    def enrol(self, mentions: list[Mention]) -> None:
        """Remember first and last names; who came first keeps a name that two people share."""
        taught = names_of(mentions)
        if not taught:
            return
        self._keys = None
        words = list(taught)[: MOST - len(self._known)]
        hashes = map(hash_word, words) if len(words) <= FEW else hash_words(words).tolist()
        for key, word in zip(hashes, words, strict=True):
            self._known.setdefault(key, taught[word])

    def again(self, view: View, part: int, taken: list[tuple[int, int]]) -> list[Mention]:
        """The same people once more, where no mention (sorted spans) stands yet."""
        if not self._known:
            return []
        page = view.page
        asked = nonzero(page.asked)
        asked = asked[self._among(page.tokens.hashes[asked])]
        starts, ends = originals(page, asked)
        free = nonzero(are_free(starts, ends, taken))
        keys = page.tokens.hashes[asked[free]].tolist()
        columns = (asked[free].tolist(), starts[free].tolist(), ends[free].tolist(), keys)
        found = []
        for at, start, end, key in zip(*columns, strict=True):
            if fits(view, at):
                known = self._known[key]
                found.append(Mention(
                    Kind.PERSON, part, start, end, AGAIN, "name-again", ("again",),
                    known.role, known.first, known.last, known.sex, known.record,
                    form_again(known, view.word(at)),
                ))  # fmt: skip
        return found

    def filled_in(self, mentions: list[Mention]) -> list[Mention]:
        """Mentions of one word and no role, with the name and the role of who is known by it."""
        return [self._filled_in(one) if is_bare(one) else one for one in mentions]

    def _filled_in(self, one: Mention) -> Mention:
        known = self._known.get(hash_word(one.last or one.first))
        if known is None or not known.role:
            return one
        return one._replace(
            role=known.role, first=known.first, last=known.last, sex=known.sex or one.sex
        )

    def _among(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        """Which words bear a known name, all at once: most bear none."""
        if self._keys is None:
            self._keys = np.fromiter(self._known, dtype=np.uint64, count=len(self._known))
            self._keys.sort()
        keys = self._keys
        at = np.minimum(keys.searchsorted(hashes), len(keys) - 1)
        return np.asarray(keys[at] == hashes)


def is_bare(one: Mention) -> bool:
    return one.kind is Kind.PERSON and not one.role and bool(one.first) != bool(one.last)


def form_again(known: Mention, word: str) -> MentionForm:
    """One word of a name that was met in full is a first or a last name here."""
    alone = word.lower() == known.first.lower()
    return MentionForm.FIRST_NAME if alone else MentionForm.SURNAME


def names_of(mentions: Iterable[Mention]) -> dict[str, Mention]:
    """First and last names of sure mentions, and who bore each first."""
    taught: dict[str, Mention] = {}
    for mention in mentions:
        if mention.kind is Kind.PERSON and mention.confidence >= ENROLLED:
            for word in (mention.last, mention.first):
                if len(word) >= SHORTEST:
                    taught.setdefault(word, mention)
    return taught


def originals(page: Page, words: Positions) -> tuple[Positions, Positions]:
    """Where words stand in the part, as `Page.original` says of one."""
    starts, ends = page.tokens.starts[words], page.tokens.ends[words]
    if (positions := page.folded.positions) is not None:
        starts, ends = positions[starts], positions[ends - 1] + 1
    return starts + page.offset, ends + page.offset


def are_free(
    starts: Positions, ends: Positions, taken: list[tuple[int, int]]
) -> npt.NDArray[np.bool_]:
    """Which spans touch none of these sorted, separate ones."""
    bounds = np.array([(-1, -1), *taken, (1 << 62, 1 << 62)], dtype=np.int64)
    after = bounds[:, 0].searchsorted(starts, side="right")
    return np.asarray((bounds[after - 1, 1] <= starts) & (bounds[after, 0] >= ends))


def fits(view: View, at: int) -> bool:
    """Whether a known word is used as a name here: capitalised, and no thing called after it."""
    word = view.words[at]
    if word & NEVER or is_called_after(view, at + 1) or (word & MONTH and is_month(view, at)):
        return False
    if view.modes[at] != PLAIN:
        return view.ordinary[at] < SURE
    if not view.shapes[at] & CAPITAL:
        return False
    begins = at == 0 or view.gaps[at - 1] != SPACE
    return view.ordinary[at] < HARDLY or not begins
