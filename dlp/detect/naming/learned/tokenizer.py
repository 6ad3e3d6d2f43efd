"""Cut a sentence into the tokens the model was trained on.

In: a sentence.  Out: its tokens with the place of each.

Its rules: between spaces, peel off signs from both ends until an exception or nothing is left to
peel, then cut what remains at signs inside. Exceptions that the peeling tears are put back after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

SPACE_OR_NOT = re.compile(r"\s+|\S+")
Pieces = Sequence[tuple[str, str]]  # text, and its norm where the exception names one


class Token(NamedTuple):
    text: str
    norm: str  # empty: that of the word
    start: int


class Rules(NamedTuple):
    """What the model's package says about tokens."""

    prefix: str
    suffix: str
    infix: str
    whole: str  # what is never cut: addresses of the web
    exceptions: Mapping[str, Pieces]
    torn: Sequence[Sequence[str]]  # exceptions as they look when cut like any other text


class Cutter:
    def __init__(self, rules: Rules) -> None:
        self._prefix = re.compile(rules.prefix).search
        self._suffix = re.compile(rules.suffix).search
        self._infixes = re.compile(rules.infix).finditer
        self._whole = re.compile(rules.whole).match
        self._exceptions = rules.exceptions
        self._torn: dict[str, list[Sequence[str]]] = {}
        for pieces in rules.torn:
            self._torn.setdefault(pieces[0], []).append(pieces)

    def cut(self, sentence: str) -> list[Token]:
        tokens: list[Token] = []
        for found in SPACE_OR_NOT.finditer(sentence):
            start, stretch = found.start(), found.group()
            if start and stretch[0] == " ":  # one space parts tokens, more of them are one
                start, stretch = start + 1, stretch[1:]
            for text, norm in self._pieces(stretch) if stretch else ():
                tokens.append(Token(text, norm, start))
                start += len(text)
        return self._mended(tokens)

    def _pieces(self, stretch: str) -> Iterator[tuple[str, str]]:
        if stretch in self._exceptions:
            yield from self._exceptions[stretch]
            return
        before, core, after = self._peeled(stretch)
        yield from ((text, "") for text in before)
        if core in self._exceptions:
            yield from self._exceptions[core]
        elif core:
            yield from ((text, "") for text in self._inside(core))
        yield from ((text, "") for text in reversed(after))

    def _peeled(self, core: str) -> tuple[list[str], str, list[str]]:
        """What stands before, what is left, and what stands behind, the outermost first."""
        before: list[str] = []
        after: list[str] = []
        left = 0
        while core and len(core) != left and core not in self._exceptions:
            left = len(core)
            first = length_of(self._prefix(core))
            if first and core[first:] in self._exceptions:
                before.append(core[:first])
                return before, core[first:], after
            last = length_of(self._suffix(core[first:]))
            if last and core[:-last] in self._exceptions:
                after.append(core[-last:])
                return before, core[:-last], after
            if first:
                before.append(core[:first])
            if last and (not first or first + last <= left):
                after.append(core[-last:])
                core = core[first:-last]
            else:
                core = core[first:]
        return before, core, after

    def _inside(self, core: str) -> Iterator[str]:
        if self._whole(core):
            yield core
            return
        at = 0
        for sign in self._infixes(core):
            if sign.start() == 0:
                continue
            if sign.start() != at:
                yield core[at : sign.start()]
            if sign.group():
                yield sign.group()
            at = sign.end()
        if core[at:]:
            yield core[at:]

    def _mended(self, tokens: list[Token]) -> list[Token]:
        """Put torn exceptions back: of those that overlap the longest, then the first."""
        spans = [
            (len(pieces), at)
            for at, token in enumerate(tokens)
            for pieces in self._torn.get(token.text, ())
            if [one.text for one in tokens[at : at + len(pieces)]] == list(pieces)
        ]
        taken: set[int] = set()
        mended: dict[int, int] = {}
        for length, at in sorted(spans, key=lambda span: (-span[0], span[1])):
            if at not in taken and at + length - 1 not in taken:
                mended[at] = length
            taken.update(range(at, at + length))
        return list(self._put_back(tokens, mended)) if mended else tokens

    def _put_back(self, tokens: list[Token], mended: Mapping[int, int]) -> Iterator[Token]:
        at = 0
        while at < len(tokens):
            length = mended.get(at, 1)
            torn = tokens[at : at + length]
            start, end = torn[0].start, torn[-1].start + len(torn[-1].text)
            whole = "".join(one.text for one in torn)
            if at in mended and len(whole) == end - start and whole in self._exceptions:
                for text, norm in self._exceptions[whole]:
                    yield Token(text, norm, start)
                    start += len(text)
            else:
                yield from torn
            at += length


def length_of(found: re.Match[str] | None) -> int:
    return found.end() - found.start() if found else 0
