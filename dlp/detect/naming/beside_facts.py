"""Names that the dictionaries doubt, told by the health term behind them: "Hope takes lithium".

In: the text of a part, its health findings and mentions.  Out: the mentions and further people.

A first name that is a word ("Summer"), a name of which no half is listed, names in capitals or in
small letters: alone they are too doubtful. That somebody has, takes or is treated for a health term
right behind them is what only a person does.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from dlp.detect.naming.forms import form_of_words, sex_of
from dlp.detect.naming.labelled import bits_of, is_marked
from dlp.detect.naming.lexicon import INSTITUTION, MONTH, NEVER, STREET, THING, UNIT
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.person_nouns import is_animal, is_person
from dlp.detect.overlap import resolve
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD
from dlp.knowledge.people import load_people
from dlp.knowledge.places import load_places
from dlp.model import HEALTH_KINDS, Context, Finding, Kind
from dlp.text.apposition import LONGEST, length_of_apposition
from dlp.text.stating import STATING

BESIDE_FACT = "name-beside-fact"
REACH = 90  # characters of its line before a health term that are read
BETWEEN = 60  # characters between a name and a health term that is said of it
PARAGRAPH = 250  # characters before a health term in which somebody is introduced
MOST = 400  # health terms of one part
OUTRIGHT, SURE, FAIR = 0.8, 0.7, 0.65
COMMON = 0.6  # in more uses than this a word in small letters is no first name
ALIKE = 0.05  # of confidence
SHOUT = 4  # letters; so short a word in capitals is short for something on a plain line
OTHERWISE = NEVER | STREET | INSTITUTION | THING | UNIT
CAPITAL = r"(?:(?![a-zß-öø-ÿ])[^\W\d_][\w'’-]*?)"
PARTICLES = r"(?:(?:de|da|di|du|la|van|von|der|den|el|al|bin|ibn|dos) )*"
HAS = (
    r"(?:has(?: had| got)?|had|takes|took|is taking|(?:is|was|went)(?: back)? on|start(?:s|ed)"
    r"|stopped(?: taking)?|needs|uses|suffers from|lives with|died (?:of|from)"
    r"|passed away (?:from|with)|is (?:having|awaiting|recovering from|allergic to"
    r"|in hospital with|off(?: sick)? with|being treated for)"
    r"|(?:was|has been) (?:diagnosed with|treated for|found to have|given"
    r"|prescribed|admitted with)|tested positive for|came in with|presented with|developed|gets|got"
    r"|contracted|caught|(?:has|had) a history of)"
)
SAID = rf" (?:(?:also|still|now|currently|already|recently|just|again) )?{HAS} (?:[a-z]+ ){{0,2}}"
OWNED = r"['’]s? (?:[a-z]+ )?"
JOINED = r"(?:\s?[:–—/|;(]\s?| - |, )(?:an? |the )?"
BEHIND = rf"(?:(?P<said>{SAID})|(?P<owned>{OWNED})|(?P<joined>{JOINED})|(?P<bare> ))$"
BEFORE = re.compile(rf"(?<![\w'’&.-])(?P<name>{CAPITAL}(?: {PARTICLES}{CAPITAL}){{0,2}}){BEHIND}")
SMALL = re.compile(
    rf"(?<![\w'’&.-])(?P<name>[^\W\d_]{{2,}} [^\W\d_]{{2,}})(?:{BEHIND}|(?P<known> k/c/?o? )$)"
)
SAYING = re.compile(r".*(?:[.:;!?)>\]]|(?:^|\s)[-–—])\s+", re.DOTALL)  # what a line says last
TURNED = re.compile(rf"^\W*(?P<last>{CAPITAL}), (?P<first>{CAPITAL}){JOINED}$")
# Words side by side that may be a name, and where the sentence about it ends.
WHOLE = re.compile(rf"(?<![\w.'’-])((?:[A-Z]\. ){{0,2}}{CAPITAL}(?: {CAPITAL}){{0,2}})(?=[ ,])")
BREAK = re.compile(r"[.;:!?]\s")
IS_ONE = frozenset({"is", "was"})  # "Burt is HIV positive"
AT = (" of ", " from ", " in ", " at ", " near ")
WIDE = frozenset({"country", "state"})
INTRODUCED = re.compile(
    r"(?:^|[.!?:,]\s{1,2}|\n\s{0,4})([A-Z][a-z]{3,14}) (?:is|was|has|had|will|won't|would|can't"
    r"|cannot|came|went|got|said|rang|phoned|sends|needs|wants|asked|fell|broke|missed)\b"
)
THIRD = re.compile(r"\b[Ss]?[Hh]e(?:['’](?:s|ll|d))?\b")
OWN = re.compile(r"\b(?:his|her)\b")  # "Tomiwa has his inhaler"
STATES = re.compile(r"(?:has|had|tested|takes|is|was|on|suffer\w*|diagnosed)\b")
OPENS = re.compile(r"^\W*(?:\d{1,3}[.)]?\s)?\W*$")


def people_beside(text: str, findings: Sequence[Finding], known: list[Mention]) -> list[Mention]:
    """The mentions of a part and those that its health terms tell of."""
    more = []
    for finding in findings[:MOST]:
        if finding.kind not in HEALTH_KINDS or Context.FIGURATIVE in finding.context:
            continue
        low = max(0, finding.start - REACH - LONGEST)
        line = text.rfind("\n", low, finding.start) + 1 or low
        near = max(line, finding.start - REACH)
        one = named_in(text[near : finding.start], text, finding)
        if one is not None:
            line = near
        elif (one := told_of(text[line : finding.start])) is None:
            line = max(0, finding.start - PARAGRAPH)
            one = introduced(text[line : finding.start])
        if one is not None:
            moved = one._replace(part=finding.part, start=line + one.start, end=line + one.end)
            if adds(moved, known):
                more.append(moved)
    return resolve(known + more) if more else known


def adds(one: Mention, known: Sequence[Mention]) -> bool:
    """Whether nothing is known there, only a part of the name, or a place with less reason."""
    there = [two for two in known if two.start < one.end and one.start < two.end]
    return all(is_less(two, one) for two in there)


def is_less(two: Mention, one: Mention) -> bool:
    part = two.end - two.start < one.end - one.start
    if two.kind is Kind.PLACE:  # "Vera Oglethorpe": a town, and her last name
        return two.confidence < one.confidence + part * ALIKE
    return two.kind is Kind.PERSON and part and two.confidence < one.confidence


def named_in(before: str, text: str, finding: Finding) -> Mention | None:
    """The person at the end of a stretch of a line that a health term follows."""
    if len(before) <= 2:
        return None
    if turned := TURNED.search(before):
        return turned_name(turned)
    said = SAYING.match(before)
    since = said.end() if said else 0
    small = before.islower() or before[since:].islower()
    found = SMALL.search(before, since) if small else BEFORE.search(before)
    if found is None:
        return None
    says = (
        found["said"]
        or found.lastgroup == "known"
        or (found["bare"] and STATES.match(text, finding.start, finding.end) is not None)
    )
    start, end = found.span("name")
    words = found["name"].split()
    if not says and found["bare"] and not OPENS.match(before[:start]):
        return None
    plain = not before.isupper()
    if is_tail(before[:start]):
        return None
    how = "said" if says else found.lastgroup or ""
    sure = how_sure(words, how, plain=plain)
    if not sure and len(words) == 1 and OWN.search(before, end) and is_unheard(words[0]):
        sure = FAIR
    first, last = (words[0], words[-1]) if len(words) > 1 else (words[0], "")
    return mention(first, last, start, end, sure) if sure else None


def introduced(before: str) -> Mention | None:
    """ "Tomiwa will miss the match. She was": a word unheard of, a verb, he or she behind it."""
    for found in INTRODUCED.finditer(before):
        word, behind = found[1], before[found.end() :]
        goes_on = "\n\n" not in behind and THIRD.search(behind)
        if goes_on and is_unheard(word) and not is_marked(word.lower(), OTHERWISE):
            return mention(word, "", *found.span(1), FAIR)
    return None


def told_of(before: str) -> Mention | None:
    """ "Grace Young, of Elko, who was admitted with": whatever the halves of the name are as words.

    What stands behind "of" and "in" is a place: it is not New York that has asthma.
    """
    for found in reversed([*WHOLE.finditer(before)]):
        start, end = found.span(1)
        between = before[end + length_of_apposition(before, end) :].lower()
        if before.endswith(AT, 0, start) or len(between) > BETWEEN or BREAK.search(between):
            continue
        if between.strip() in IS_ONE or (between[:1] == " " and STATING.search(between)):
            words = found[1].split()
            while words:
                if is_name(words):
                    first, last = words[0].rstrip("."), words[-1] if len(words) > 1 else ""
                    return mention(first, last, start, end, OUTRIGHT)
                start += len(words.pop(0)) + 1
    return None


def is_name(words: list[str]) -> bool:
    """Both halves listed, an initial and a last name, or a first name that is no word."""
    first, last = words[0].rstrip("."), words[-1]
    standing = load_places().standing(" ".join(words).lower())
    if standing is not None and standing[0] in WIDE:
        return False
    given, family = bits_of(first)[0], bits_of(last)[0]
    if len(words) == 1:
        clear = given & FIRST and not given & WORD and len(first) > 2
        return bool(clear) and not is_marked(first.lower(), MONTH | OTHERWISE)
    if refused(last if len(first) == 1 else first, last):
        return False
    return bool(len(first) == 1 or given & FIRST) and bool(family & LAST or not family & WORD)


def turned_name(found: re.Match[str]) -> Mention | None:
    """ "Stone, Hope: ...": a last name and one that is mostly a first name."""
    last, first = found["last"], found["first"]
    family, given = bits_of(last), bits_of(first)
    if not (last[0].isupper() and first[0].isupper()) or refused(first, last):
        return None
    if not (given[2] and (family[0] & LAST or not family[0] & WORD)):
        return None
    return mention(first, last, found.start("last"), found.end("first"), FAIR)


def how_sure(words: list[str], how: str, *, plain: bool) -> float:
    """How sure a run of words is somebody's name, by how the fact is joined to it."""
    if plain and any(word.isupper() and len(word) <= SHOUT for word in words):
        return 0.0
    if refused(words[0], words[-1]):
        return 0.0
    if words[0].islower():
        return in_small_letters(words, says=how == "said")
    given, ordinary, mostly = bits_of(words[0])
    if len(words) == 1:
        named = mostly or (how == "said" and given & FIRST and is_marked(words[0].lower(), MONTH))
        return FAIR if how in {"said", "owned"} and named else 0.0
    family = bits_of(words[-1])[0]
    listed = bool((given | family) & (FIRST | LAST))
    strange = not given & WORD and not given & PLACE
    if how in {"said", "owned"}:
        fits = (mostly or strange) and (family & LAST or not family & WORD or ordinary < COMMON)
        return SURE if fits and (listed or how == "said") else 0.0
    if how == "bare":
        return FAIR if strange and listed and not family & (WORD | PLACE) else 0.0
    fits = (mostly and family & LAST) or (strange and listed and not family & WORD)
    return FAIR if fits and not is_marked(words[-1].lower(), STREET) else 0.0


def is_unheard(word: str) -> bool:
    """A word with one capital that English does not know: "Tomiwa has his inhaler"."""
    return len(word) > SHOUT - 1 and word.istitle() and not bits_of(word)[0] & (WORD | PLACE)


def in_small_letters(words: list[str], *, says: bool) -> float:
    """ "bruce foster has": a first name more often than a word, and a last name.

    Two words that English does not know will do where a sentence says it of them.
    """
    unknown = not any(bits_of(word)[0] & (WORD | PLACE) or len(word) < SHOUT for word in words)
    if says and unknown and not any(is_marked(word, OTHERWISE) for word in words):
        return FAIR
    _, ordinary, mostly = bits_of(words[0])
    return FAIR if mostly and ordinary < COMMON and bits_of(words[-1])[0] & LAST else 0.0


def is_tail(before: str) -> bool:
    """Whether a name would be the end of a longer run of words with capitals."""
    last = before.rpartition(" ")[0].rpartition(" ")[2] if before.endswith(" ") else ""
    return last[:1].isupper() and last[-1:].isalpha() and " " in before.strip()


@functools.lru_cache(maxsize=4096)
def refused(first: str, last: str) -> bool:
    """Whether the words are of a thing, an institution, a relative, a post or an animal."""
    head, tail = first.lower(), last.lower()
    if head in load_people().kinship or is_marked(head, OTHERWISE):
        return True
    if first != last:
        return is_marked(tail, THING | INSTITUTION)
    if (standing := load_places().standing(head)) is not None and standing[0] in WIDE:
        return True  # "Korea has measles"
    _, ordinary, mostly = bits_of(head)
    return (is_person(head) and not (mostly and ordinary < COMMON)) or (
        is_animal(head) and not mostly
    )


def mention(first: str, last: str, start: int, end: int, sure: float) -> Mention:
    return Mention(Kind.PERSON, 0, start, end, sure, BESIDE_FACT, ("beside-fact",), "",
                   first, last, sex_of(first),
                   form=form_of_words(first, last, titled=False))  # fmt: skip
