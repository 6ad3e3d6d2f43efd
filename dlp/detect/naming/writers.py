"""Who says "I" in a text: the speaker of a turn, who signs, whom the first line names.

In: the text of a part and the people named in it.  Out: Mentions of speakers and signatories that
no dictionary knows; for any place, the first and last name of the one who says "I" there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

import re2

from dlp.detect.naming.dialogue import is_speech, stamped_turns
from dlp.detect.naming.forms import form_of_words
from dlp.detect.naming.labelled import bits_of, is_marked
from dlp.detect.naming.lexicon import INSTITUTION, NEVER, PLACE_CUE, THING, TITLE
from dlp.detect.naming.mention import AUTHOR, CLINICIAN, CORRESPONDENT, PATIENT, Mention
from dlp.detect.naming.person_nouns import is_person
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD
from dlp.model import Kind
from dlp.text.field_labels import names_field

MOST = 400  # turns of one part
FAIR = 0.7
EVERYDAY = 0.9  # in more uses than this a word is no nickname
WORDS = 3  # of a speaker's name
LAST_LINE = 60  # characters at the end of a text in which somebody signs
HEAD = 160  # characters at the beginning in which the one who states something is named
Name = tuple[str, str]
NOBODY: Name = ("", "")
# "[12/07/2024, 06:41] Ada: ...", "09:14 - Ada H: ...", "<ada> ...", "Ada: ...".
TURN = re2.compile(
    r"(?m)^[ \t>*]{0,8}([\[(]?(?:\d[\d./-]{3,9},?[ T]+|(?:Mon|Tues?|Wed|Thu|Fri|Sat|Sun)\w* )?"
    r"\d{1,2}[:.]\d\d(?::\d\d)?(?: ?[apAP]\.?[mM]\.?)?[\])]?[ \t]*(?:[-–][ \t]*)?)?"
    r"\*{0,2}[~@<]?([A-Z][\w'’.-]{0,24}(?: [\w'’.-]{1,16}){0,2})\*{0,2}[:>]\*{0,2}"
    r"[ \t]*\n?[ \t]*(\S[^\n]*)$"
)
TIME, WHO, SAID = 1, 2, 3
SIGNED = re.compile(
    r"(?:(?:^|\n)[ \t]*|[.!?…)][ \t]+"
    r"|(?:[-–—~]|\b(?:PS|Rgds|Regards|Thanks|Thx|Cheers|Ta|Love|Diolch)\b,?)[ \t]*)"
    r"(?:(?:Mr|Mrs|Ms|Miss)\.? )?(?P<name>[A-Z](?:[^\W\d]|['’-](?!\d))*\.?"
    r"(?: [A-Z](?:[^\W\d]|['’-](?!\d))*\.?){0,2})"
    r"(?:,? (?:[a-z]+|\d{1,3}[A-Za-z]?|[A-Z][a-z]+)){0,2}[ \t.]*$"
)
BYSTANDERS = frozenset({CLINICIAN, CORRESPONDENT, "public", "fictional", "animal", "relative"})


class Turn(NamedTuple):
    start: int
    end: int
    name: Name


class Writers:
    """The people who say "I" in one part; it is read when the first "I" is met."""

    def __init__(self, text: str, part: int, named: Sequence[Mention], author: Name) -> None:
        """`author`: of the whole document, where one is known."""
        self._text, self._part = text, part
        self._all = named
        self.mentions: list[Mention] = []
        self._author = author
        self._turns: list[Turn] = []
        self._starts: list[int] | None = None

    def of(self, position: int) -> Name:
        if self._starts is None:
            self._read()
        at = bisect_right(self._starts or (), position) - 1
        if at >= 0 and position < self._turns[at].end:
            return self._turns[at].name
        return self._author

    def _read(self) -> None:
        self._named = [
            one for one in self._all if one.kind is Kind.PERSON and one.part == self._part
        ]
        self._turns = self._read_turns()
        self._starts = [turn.start for turn in self._turns]
        if self._author == NOBODY and not self._turns:
            self._author = self._signs() or self._opens() or NOBODY

    def _read_turns(self) -> list[Turn]:
        found = [*islice(TURN.finditer(self._text), MOST)]
        found = found or stamped_turns(self._text, MOST)
        if not is_dialogue(found):
            return []
        turns = []
        for one in found:
            if not may_speak(one[WHO]) or (one[WHO].isupper() and not one[TIME]):
                continue  # "ANNA: ..." is a part of a play
            start, end = one.span(WHO)
            turns.append(Turn(one.start(SAID), one.end(), self._name_at(start, end, "speaker")))
        return turns

    def _name_at(self, start: int, end: int, evidence: str) -> Name:
        """The name found at a place, or the words there as what everybody calls somebody."""
        for one in self._named:
            if one.start < end and start < one.end and (one.first or one.last):
                return one.first, one.last
        words = self._text[start:end].replace("<", "").split()
        first = words[0].strip("@~.")
        last = words[-1].strip(".") if len(words) > 1 else ""
        form = form_of_words(first, last, titled=False)
        self.mentions.append(Mention(Kind.PERSON, self._part, start, end, FAIR, "speaker",
                                     (evidence,), AUTHOR, first, last, form=form))  # fmt: skip
        return first, last

    def _signs(self) -> Name | None:
        """Whose name ends the text behind its last sentence, a dash or a greeting."""
        whole = self._text.rstrip()
        low = max(0, len(whole) - LAST_LINE)
        found = SIGNED.search(whole, low)
        if (
            found is None
            or low >= found.start("name") > 0
            or whole.count("\n") + whole.count(" ") < 6
        ):
            return None
        start, end = found.span("name")
        there = [one for one in self._named if one.start < end and start < one.end]
        if there:
            one = there[0]
            return (one.first, one.last) if one.role not in BYSTANDERS else None
        words = found["name"].split()
        bits, _, mostly = bits_of(words[-1])
        initials = all(len(word) == 2 and word[1] == "." for word in words[:-1])
        known = mostly if len(words) == 1 else bits & LAST
        if not initials or not (known or not bits & (WORD | PLACE)) or not may_speak(words[-1]):
            return None
        return self._name_at(start, end, "signature")

    def _opens(self) -> Name | None:
        """Whom the first lines name, if the text names nobody else who may be meant."""
        likely = [one for one in self._named if one.role not in BYSTANDERS]
        people = {(one.first, one.last) for one in likely}
        if len(people) != 1:
            return None
        first = likely[0]
        behind = self._text[first.end : first.end + HEAD].lstrip(" \t.,)")
        ends_line = behind.startswith("\n")
        labelled = first.role in {PATIENT, AUTHOR}
        return next(iter(people)) if first.start < HEAD and (ends_line or labelled) else None


def is_dialogue(turns: Sequence[Any]) -> bool:
    """Lines with a time and a name, or a name that comes back, and most of them speech."""
    if any(one[TIME] for one in turns):
        return True
    speech = sum(is_speech(one[SAID]) for one in turns)
    return 2 * speech > len(turns) > len({one[WHO] for one in turns})


def may_speak(who: str) -> bool:
    """Whether the words of a label may be what somebody is called, and are no field's label."""
    words = who.split()
    head = words[0].strip("@~.").lower()
    if len(words) > WORDS or len(head) < 2 or names_field(who):
        return False
    if is_marked(head, NEVER | THING | INSTITUTION | TITLE | PLACE_CUE):
        return False
    bits, ordinary, mostly = bits_of(head)
    named = mostly or not bits & WORD or bits & FIRST or ordinary < EVERYDAY
    return bool(named) and not is_person(words[-1].lower())
