"""Abbreviations a text defines itself ("chronic kidney disease (CKD)"), applied to its terms.

In: text and hits.  Out: hits; a defined short form means its long form and nothing else.

The rule is that of Schwartz and Hearst (2003): every letter of the short form must appear in the
words before the bracket, in order, its first letter at the start of a word.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from dlp.knowledge.hits import Flag, Sense, TermHit
from dlp.model import Kind

_BRACKET = re.compile(r"\(\s*([^()\[\]\n]{2,60}?)\s*[);,]")
_SHORT = re.compile(r"[A-Za-z0-9][A-Za-z0-9/&.+-]{0,8}[A-Za-z0-9+]s?")
_TOKEN = re.compile(r"[^\s]+")
_STOP = re.compile(r"[.;:!?]\s|\n\s*\n")
REACH = 160  # characters; a long form has at most min(|s| + 5, 2|s|) words
LONGEST = 10  # characters of a short form

Bracket = tuple[int, int, int]  # where it opens, and the bounds of what it holds


def brackets(text: str) -> list[Bracket]:
    """The brackets that may hold a short form, and some more."""
    return [(bracket.start(), *bracket.span(1)) for bracket in _BRACKET.finditer(text)]


def find_abbreviations(text: str, seen: list[Bracket] | None = None) -> dict[str, tuple[int, int]]:
    """Short form -> (start, end) of the long form; the first definition wins."""
    seen = brackets(text) if seen is None else seen
    found: dict[str, tuple[int, int]] = {}
    for bracket, start, end in seen:
        short = text[start:end]
        if not _SHORT.fullmatch(short) or not _plausible(short) or short in found:
            continue
        span = _long_form(text, bracket, short)
        if span is not None:
            found[short] = span
    return found


def _plausible(short: str) -> bool:
    letters = sum(map(str.isalpha, short))
    return letters >= 1 and len(short) <= LONGEST and sum(map(str.isupper, short)) * 2 >= letters


def _long_form(text: str, bracket: int, short: str) -> tuple[int, int] | None:
    floor = max(0, bracket - REACH)
    stops = [stop.end() for stop in _STOP.finditer(text, floor, bracket)]
    floor = stops[-1] if stops else floor
    end = bracket
    while end > floor and text[end - 1].isspace():
        end -= 1
    words = [word.start() for word in _TOKEN.finditer(text, floor, end)]
    limit = min(len(short) + 5, 2 * len(short))
    words = words[-limit:]
    if not words:
        return None
    start = _match_letters(text, words[0], end, short)
    if start is None or end - start <= len(short):
        return None
    return start, end


def _match_letters(text: str, floor: int, end: int, short: str) -> int | None:
    """Walk back through both; the first letter must open a word."""
    letters = [c.lower() for c in short if c.isalnum()]
    if len(letters) > 2 and letters[-1] == "s" and short[-1] == "s" and short[-2].isupper():
        letters.pop()  # plural of the short form
    position = end
    for place in range(len(letters) - 1, -1, -1):
        position -= 1
        while position >= floor and (
            text[position].lower() != letters[place]
            or (place == 0 and position > floor and text[position - 1].isalnum())
        ):
            position -= 1
        if position < floor:
            return None
    return position


# How much of a long form a term must cover to give it its meaning: "acute renal failure" is one
# when only "renal failure" is known, "patients with acute renal failure" is too.
_COVER = 0.5
_BRACKETED = re.compile(r"\s?\(\s*([A-Z][A-Za-z0-9-]{1,7})\s*[);,]")
# "von Hippel-Lindau (VHL) disease": the long form lacks the head that makes it a term.
_TAILS = ("disease", "syndrome")
_WORD = re.compile(r"\w+")

# Plain integers: an operation on an enumeration costs as much as a hit.
_AMBIGUOUS, _DEFINED = int(Flag.AMBIGUOUS), int(Flag.DEFINED)
_START, _END = itemgetter(0), itemgetter(1)
Meaning = tuple[Kind, tuple[str, ...], int]
Sensing = Callable[[str], Sense | None]


def follow_definitions(text: str, hits: list[TermHit], sense: Sensing) -> list[TermHit]:
    if "(" not in text or not (defined := _definitions(text, hits, sense)):
        return hits
    meanings = sorted(defined.items())
    shorts = [short for short, _ in meanings]
    for (_, meaning), places in zip(meanings, _places(text, shorts), strict=True):
        if places:
            hits = _redefined(hits, places, meaning)
    return hits


def _redefined(
    hits: list[TermHit], places: list[tuple[int, int]], meaning: Meaning | None
) -> list[TermHit]:
    """The hits, but where a short form stands; there what it means, if it is a term."""
    replaced = _replaced(hits, [*map(_START, hits)], places)
    kept = [hit for at, hit in enumerate(hits) if at not in replaced]
    if meaning is not None:
        kind, concepts, term = meaning
        free = _free(places, kept, [*map(_START, kept)])
        kept += [TermHit(*span, kind, concepts, term, _DEFINED) for span in free]
        kept.sort(key=_START)
    return kept


def _definitions(text: str, hits: Sequence[TermHit], sense: Sensing) -> dict[str, Meaning | None]:
    """Short forms with their meaning; None where they stand for something else."""
    found: dict[str, Meaning | None] = {}
    seen = brackets(text)
    if not seen:
        return found
    ends = [*map(_END, hits)]
    for short, (start, end) in find_abbreviations(text, seen).items():
        hit = _meaning(hits, ends, start, end)
        found[short] = (hit.kind, hit.concepts, hit.term_index) if hit else None
        for tail in _TAILS if hit is None else ():
            known = sense(f"{text[start:end]} {tail}")
            if known is not None:
                found[short] = (known.kind, known.concepts, -1)
                break
    for hit in _before(seen, hits, ends):
        # "myotonic dystrophy (DM)": the right letters in another order
        bracket = _BRACKETED.match(text, hit.end)
        if not bracket or hit.flags & _AMBIGUOUS:
            continue
        short = bracket[1]
        if found.get(short) is None and _has_initials(text[hit.start : hit.end], short):
            found[short] = (hit.kind, hit.concepts, hit.term_index)
    return found


def _has_initials(words: str, short: str) -> bool:
    """Whether each letter of a short form begins a word of its own, in any order."""
    initials = [word[0].lower() for word in _WORD.findall(words)]
    for letter in short:
        if letter.isalpha():
            if letter.lower() not in initials:
                return False
            initials.remove(letter.lower())
    return True


def _before(
    seen: Sequence[Bracket], hits: Sequence[TermHit], ends: Sequence[int]
) -> Iterator[TermHit]:
    """The terms, in order, behind which a bracket opens at once or after one more character."""
    done = 0
    for opens, _, _ in seen:
        first = max(done, bisect_left(ends, opens - 1))
        done = bisect_right(ends, opens, first)
        yield from hits[first:done]


def _places(text: str, shorts: list[str]) -> Sequence[list[tuple[int, int]]]:
    """Where each short form stands as a word of its own, in the plural too."""
    return [_places_of(text, short) for short in shorts]


def _places_of(text: str, short: str) -> list[tuple[int, int]]:
    places = []
    start = text.find(short)
    while start >= 0:
        end = start + len(short)
        before, after = text[start - 1 : start], text[end : end + 2]
        ends = not _in_word(after[:1]) or (after[:1] == "s" and not _in_word(after[1:]))
        if ends and before != "-" and not _in_word(before):
            places.append((start, end))
        start = text.find(short, end if places and places[-1][0] == start else start + 1)
    return places


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _replaced(
    hits: Sequence[TermHit], starts: Sequence[int], places: Sequence[tuple[int, int]]
) -> set[int]:
    """The numbers of the terms that lie within a place; both are apart and in order."""
    return {
        at
        for start, end in places
        for at in range(bisect_left(starts, start), bisect_right(starts, end))
        if hits[at].end <= end + 1
    }


def _free(
    places: Sequence[tuple[int, int]], hits: Sequence[TermHit], starts: Sequence[int]
) -> list[tuple[int, int]]:
    """The places that touch no term; both are apart and in order."""
    before = (bisect_left(starts, end) - 1 for _, end in places)
    return [
        span for span, at in zip(places, before, strict=True) if at < 0 or hits[at].end <= span[0]
    ]


def _meaning(hits: Sequence[TermHit], ends: Sequence[int], start: int, end: int) -> TermHit | None:
    """The term that ends a long form, where it covers most of it; no two hits overlap."""
    for hit in hits[bisect_left(ends, end - 1) : bisect_right(ends, end + 1)]:
        if min(hit.end, end) - max(hit.start, start) >= _COVER * (end - start):
            return hit
    return None
