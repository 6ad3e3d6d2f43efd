"""Which mentions are of one person: "Ada Hale", "Ms Hale", and the two fields of a form.

In: mentions of a text in order of place.  Out: the key of each one's draft.
"""

from __future__ import annotations

from collections.abc import Sequence

from dlp.detect.linking.casting import STRENGTH
from dlp.detect.linking.drafts import (
    Draft,
    people_by_part,
    same_name,
)
from dlp.detect.naming.mention import Mention

FIELD = 48  # characters from one field of a name to the next


People = list[tuple[list[int], list[Mention]]]  # of each part, by place
Keys = list[list[str | None]]  # of their drafts; a structured part has none
Standing = list[tuple[list[int], list[str | None], str]]  # places and keys of people, and the text


def everybody(
    mentions: tuple[Mention, ...], parts: int, faint: float, drafts: dict[str, Draft]
) -> tuple[People, Keys]:
    """Who is named in parts that are all running text, and the keys of the drafts made of them."""
    people, joining = people_by_part(mentions, parts, faint), Joining(drafts)
    return people, [joining.keys_of(row) for _, row in people]


def standing(
    people: People, keys: Keys, texts: Sequence[str], clinician: str, greeted: str
) -> tuple[Standing, set[str]]:
    """Where parts name people who are no clinicians, and whose they are; whom letters greet."""
    found, letters = [], set[str]()
    for (starts, row), named, text in zip(people, keys, texts, strict=True):
        kept = [n for n, mention in enumerate(row) if mention.role != clinician]
        found.append(([starts[n] for n in kept], [named[n] for n in kept], text))
        letters.update(key for m, key in zip(row, named, strict=True) if m.role == greeted and key)
    return found, letters


class Joining:
    def __init__(self, drafts: dict[str, Draft]) -> None:
        self._drafts = drafts
        self._by_name: dict[str, list[str]] = {}
        self._again: dict[tuple[str, str, str], Draft] = {}

    def keys_of(self, people: list[Mention]) -> list[str | None]:
        """Whose each mention of a part is; drafts are made of those who were not known."""
        keys = list[str | None]()
        before: Mention | None = None
        for mention in people:
            keys.append(self._join(mention, before, (keys and keys[-1]) or ""))
            before = mention
        return keys

    def _join(self, mention: Mention, before: Mention | None, key: str) -> str:
        """A mention belongs to the person of that name, or begins a new one."""
        written = (mention.first, mention.last, mention.sex)
        draft = self._again.get(written)
        if draft is None:
            draft = self._joined(mention, written, other_half(mention, before, key))
        draft.mentions.append(mention)
        stronger = STRENGTH.get(mention.role, 1) > STRENGTH.get(draft.role, 0)
        if mention.role != draft.role and stronger:
            draft.role = mention.role
        return draft.key

    def _joined(self, mention: Mention, written: tuple[str, str, str], half: str | None) -> Draft:
        """The person of a name that is read for the first time, or whose people have changed.

        Whom it leads to it leads to again: others of a word of it come later in their lists, and
        none of those before fits, unless somebody gets a name or a sex they had not.
        """
        words = [word.lower() for word in (mention.last, mention.first) if word]
        known = self._known_by(words, mention)
        key = known or half
        own = key or f"m{len(self._drafts)}"
        draft = self._drafts.setdefault(own, Draft(own)) if key is None else self._drafts[own]
        before = (draft.first, draft.last, draft.sex)
        draft.first = draft.first or mention.first
        draft.last = draft.last or mention.last
        draft.sex = draft.sex or mention.sex
        for word in words:
            bearers = self._by_name.setdefault(word, [])
            if draft.key not in bearers:
                bearers.append(draft.key)
        if key and (draft.first, draft.last, draft.sex) != before:
            self._again.clear()
        elif known or (not key and words and same_name(draft, mention)):
            self._again[written] = draft
        return draft

    def _known_by(self, words: list[str], mention: Mention) -> str | None:
        for word in words:
            for key in self._by_name.get(word, ()):
                if same_name(self._drafts[key], mention):
                    return key
        return None


def other_half(mention: Mention, before: Mention | None, key: str) -> str | None:
    """ "First name: Ada   Last name: Hale": two fields of one person, whose key is of the first."""
    if before is None or not is_half(mention) or not is_half(before):
        return None
    halves = bool(before.first) != bool(mention.first)
    return key if halves and 0 < mention.start - before.end < FIELD else None


def is_half(mention: Mention) -> bool:
    """A first or a last name alone, behind the label of a form."""
    return bool(mention.first) != bool(mention.last) and "label" in mention.evidence
