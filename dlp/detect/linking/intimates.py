"""Letters, mails, chats, memos and diaries: people known by a first name, or only as "Dad".

In: the genre of a text, and its sentences.  Out: whether it is personal; which relative is meant.

Whoever writes "Dad's cancer has spread" and signs it has told us whose cancer it is. In a clinical
note the same words are family history, and in print they are about nobody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from dlp.detect.linking.genre import load_genres
from dlp.knowledge.people import load_people
from dlp.model import Document

FOR_MANY = ("instructive", "published", "fiction", "resume", "template")
PERSONAL = 2  # different turns of phrase that make a text personal; bench/accuracy.py picked it
PAGE = 1800  # characters
PAGES = 5000  # characters of a long letter; whatever is longer must sound the more like one
# Relatives one calls by that word alone, with a capital.
CALLED = """mom mum mommy mummy mama mam mammy dad daddy papa pops grandma grandpa granny grandad
    gramps nana nanna nan gran granda abuela abuelo oma opa mamá papá"""
HEADERS = "headers"  # the part of a mail that says from whom and to whom
# a line that begins with a name; the search skips from one line end to the next
SPEAKER = re.compile(r"\n(?:\[[^\]\n]{4,24}\] ?)?([A-Z][a-z]+(?: [A-Z][a-z]*)?): ")
MOST = 200  # turns of a talk that is looked at
TURNS = 4  # two speakers, each of them twice
HE_OR_SHE = re.compile(r"\b(?:he|she|him|her|his|they)\b", re.IGNORECASE)


def genre_of(document: Document) -> dict[str, int]:
    """How many turns of phrase of each genre; "private": whether it is a letter among people."""
    # every mail has a head, whatever is mailed
    body = [part.text for part in document.parts if part.locator != HEADERS]
    text = "\n".join(body or [part.text for part in document.parts])
    genre = load_genres().of(text)
    if len(body) < len(document.parts) and len(text) < PAGE:
        genre["letter"] += 1  # a page or more may be anything that is passed on
    if is_talk(text):
        genre["letter"] += 1
    genre["private"] = int(is_personal_writing(genre, len(text)))
    return genre


def is_talk(text: str) -> bool:
    """Two speakers who take turns: a chat without its times, a conversation written down."""
    turns = speakers(text, PAGES)
    if not TURNS <= len(turns) < MOST:
        return False
    return len({one for one in turns if turns.count(one) > 1}) > 1


def speakers(text: str, length: int) -> list[str]:
    """Whom the lines in so many characters begin with."""
    head = text[:length]
    if head.count(": ") < TURNS or head.count("\n") < TURNS - 1:
        return []  # many a text, without a look at its lines
    return SPEAKER.findall("\n" + head)


def is_personal_writing(genre: Mapping[str, int], length: int) -> bool:
    """Written to or about people one knows, and not printed for many."""
    shape = genre.get("letter", 0)
    heard = shape + genre.get("personal", 0)
    enough = PERSONAL + length // PAGES
    shape = shape or (length < PAGE and genre.get("personal", 0) > PERSONAL)
    if not shape or heard < enough:
        return False
    return all(heard >= genre.get(rival, 0) for rival in FOR_MANY)


def is_for_many(genre: Mapping[str, int]) -> bool:
    """Whether a text reads like print, advice, a story, a working life or an empty form."""
    most = max(2, genre["clinical"])
    for name in FOR_MANY:  # noqa: SIM110 - asked of every text, and a generator takes twice as long
        if genre[name] > most:
            return True
    return False


def relative_in(sentence: str) -> str:
    """The relative a sentence of a letter speaks of, as a low word; empty if none."""
    found = kin_pattern().search(sentence)
    return next(word for word in found.groups() if word).lower() if found else ""


def goes_on(sentence: str) -> bool:
    """Whether it may speak of somebody named before."""
    return HE_OR_SHE.search(sentence) is not None


@cache
def kin_pattern() -> re.Pattern[str]:
    kin = "|".join(sorted(map(re.escape, load_people().kinship), key=len, reverse=True))
    called = "|".join(word.capitalize() for word in CALLED.split())
    own = rf"(?i:\b(?:my|our)\s+(?:\w+\s+){{0,2}}?({kin})\b)"
    return re.compile(rf"{own}|(?<![Hh]is )(?<![Hh]er )(?<![Yy]our )(?<![Tt]heir )\b({called})\b")
