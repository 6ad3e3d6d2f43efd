"""Names and numbers of people behind the labels of a text: "Surname: ...", a column "Patient".

In: the text of a part.  Out: Mentions of named people; Mentions of people shown by number or user.

`dlp.text` says which words are a label and which its value, however the form or table is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import re2

from dlp.detect.naming.dialogue import spoken_labels
from dlp.detect.naming.forms import form_of_number, form_of_words
from dlp.detect.naming.handles import user_of
from dlp.detect.naming.lexicon import INSTITUTION, NEVER, THING, load_lexicon
from dlp.detect.naming.mention import CLINICIAN, PATIENT, RELATIVE, Mention
from dlp.knowledge.hashing import hash_word, words_of
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD, load_names
from dlp.knowledge.people import load_people
from dlp.model import Kind, MentionForm, Part
from dlp.text.instructions import EXAMPLE
from dlp.text.misread_labels import meant, with_letters
from dlp.text.reader import SHORT as SHORT_TEXT
from dlp.text.reader import read_structure

SURE = 0.96  # above what the words around a name can say
FAIR = 0.45
LONGEST, MOST_WORDS = 60, 6
SHORT = 3  # letters
HALF_A_WORD = 0.6  # in more uses than this a word among others is no name
EVERYDAY = 0.9  # in more uses than this a word is hardly ever a name
PAIR = 2
ORDINARY = 0.75  # in more uses than this a word by itself is no name
FARTHEST = 600  # characters from a first to a last name of one form
NAMES = {"name": PATIENT, "first_name": PATIENT, "last_name": PATIENT, "provider": CLINICIAN,
         "contact": RELATIVE}  # fmt: skip
SPLIT = frozenset({"first_name", "last_name"})
NUMBERS = frozenset({"record_number", "national_number", "insurance", "person_number"})
SHOWN = NUMBERS | {"user", "initials"}
FAMILY, GIVEN = 1, 2  # groups of
SPLIT_NAME = re2.compile(
    r"(?m)(?:^|[;,|])[ \t]*(?i:(?:last|family)(?: name)?|surname)[ \t]{1,12}"
    r"([A-Z][\w'’-]+)"
    r"|(?:^|[;,|])[ \t]*(?i:(?:first|given)(?: names?)?|forenames?(?:\(s\))?)[ \t]{1,12}"
    r"([A-Z][\w'’-]+)"
)
NUMBERED = re.compile(r"[A-Z][A-Z0-9]{2}-\d")  # PID-7: fields that a format counts
STEPS = re.compile(r"[./]")
ODD = re.compile(r"[@/\\<>{}\[\]=_|;:]|\d|\.\.")
NUMBER = re.compile(r"[A-Za-z]{0,5}[-/ ]?\d[\dA-Za-z]*(?:[-/ ][\dA-Za-z]+){0,5}")
HANDLE = re.compile(r"@?[A-Za-z][\w.-]{2,30}")
INITIAL = re.compile(r"[A-Z]\.")
INITIALS = re.compile(r"(?:[A-Z]\.? ?){2,3}")
PLURAL = re.compile(r"\(?s\)?$")


class Value(NamedTuple):
    group: str
    start: int
    end: int


class Named(NamedTuple):
    named: list[Mention]
    unnamed: list[Mention]


def find_behind_labels(text: str, part: int) -> Named:
    """Both kinds of mentions of one part; each kind is asked for in a turn of its own."""
    return (_of_short if len(text) <= SHORT_TEXT else _of_long)(text, part)


def find_afresh(text: str, part: int) -> Named:
    """The same without a cache."""
    found = Named([], [])
    structure = read_structure(text)
    waiting: dict[str, Mention] = {}  # a first name without its last name, and the reverse
    for field in structure.fields:
        group = group_of(structure.label_of(field))
        if not group or field.end - field.start > LONGEST:
            continue
        if group in NAMES and structure.label_of(field).strip().lower() in spoken_labels(text):
            continue
        value = text[field.start : field.end]
        start = field.start + len(value) - len(value.lstrip())
        one = Value(group, start, start + len(value.strip()))
        if group in NAMES:
            mention = named(text, one, part)
            if mention is not None:
                found.named.append(mention)
                pair_up(found.named, waiting, group)
        elif (shown := unnamed(text, one, part)) is not None:
            found.unnamed.append(shown)
    found.named.extend(split_names(text, part))
    return found


def split_names(text: str, part: int) -> Iterator[Mention]:
    """ "LAST Hale; FIRST Ada", "Surname Hale" over "Forename Ada": no sign behind the labels."""
    for one, other in pairwise(SPLIT_NAME.finditer(text)):
        family, given = one[FAMILY] or other[FAMILY], one[GIVEN] or other[GIVEN]
        if not (family and given) or text[one.end() : other.start()].strip(" \t\r\n;,|"):
            continue
        for hit in (one, other):
            start, end = hit.span(FAMILY if hit[FAMILY] else GIVEN)
            yield Mention(Kind.PERSON, part, start, end, SURE, "name-field", ("field", "name"),
                          PATIENT, given, family, form=MentionForm.FULL_NAME)  # fmt: skip


# Two caches bound the memory, as those of the structure do.
_of_short = lru_cache(maxsize=256)(find_afresh)
_of_long = lru_cache(maxsize=4)(find_afresh)


def shown_in_cells(part: Part, number: int, limit: int) -> list[Mention]:
    """People that the columns of a structured part show by number, user name or initials."""
    if part.fields is None:
        return []
    labels = [label for label in part.fields.labels if not NUMBERED.match(label)]
    groups = {label: group_of(STEPS.split(label)[-1]) for label in labels}
    groups = {label: group for label, group in groups.items() if group in SHOWN}
    found: list[Mention] = []
    for label, start, end, record in part.fields if groups else ():
        group = groups.get(label)
        if group is None or end - start > LONGEST:
            continue
        shown = unnamed(part.text, Value(group, start, end), number)
        if shown is not None:
            found.append(shown._replace(record=record))
            if len(found) >= limit:
                break
    return found


@lru_cache(maxsize=4096)
def group_of(label: str) -> str:
    """What a label asks for, as rules/people.toml groups its words."""
    words = [PLURAL.sub("", word) if "(" in word else word for word in label.lower().split()]
    plain = re.sub(r"[^\w&'/ ]+", " ", " ".join(words).replace("_", " ")).strip()
    labels = load_people().labels
    for wording in (plain, plain.removesuffix("s"), re.sub(r"\s*\d+$", "", plain), meant(plain)):
        known = labels.get(" ".join(wording.split()))
        if known is not None:
            return known.group
    return ""


def named(text: str, value: Value, part: int) -> Mention | None:
    """The name that fills a field, without a title before it or a place behind it."""
    said = with_letters(text[value.start : value.end])
    if EXAMPLE.match(said):
        return None
    start, titled, sex = after_title(said)
    words, end = name_in(said[start:])
    if not words or ODD.search(said[start : start + end]) or is_no_name(words, value.group):
        return None
    if value.group not in SPLIT and not is_likely(words):
        return None
    first, last = first_and_last(said[start : start + end], words, value.group, titled=titled)
    form = form_of_words(first, last, titled=titled)
    return Mention(Kind.PERSON, part, value.start + start, value.start + start + end, SURE,
                   "name-field", ("field", value.group), NAMES[value.group], first, last, sex,
                   form=form)  # fmt: skip


def after_title(said: str) -> tuple[int, bool, str]:
    """Where the name begins behind "Mrs." or "Dr", whether there is such a title, and its sex."""
    head = re.match(r"(\w+)\.?\s+", said)
    known = load_people().titles.get(head[1].lower()) if head else None
    if head is None or known is None:
        return 0, False, ""
    return head.end(), True, known.sex


def name_in(said: str) -> tuple[list[str], int]:
    """The words of the name, and where it ends: at a bracket, or a comma with a place behind it."""
    cut = re.search(r"\s*[(\[–—]|\s+-\s|\t|\s{3,}|\s*,(?=[^,]*,)", said)
    end = cut.start() if cut else len(said)
    family, comma, given = said[:end].partition(",")
    titles = load_people().titles
    behind = words_of(given.lower())
    no_given = not behind or behind[0] in titles or is_place_or_letters(family, given)
    if comma and (no_given or len(family.split()) > 2):
        end = len(family.rstrip())
    words = said[:end].replace(",", " ").split()
    credentials = load_people().credentials
    while len(words) > 1 and words[-1].isupper() and words[-1] in credentials:
        end = said.rindex(words.pop(), 0, end)  # "C. Hale RGN"
        end = len(said[:end].rstrip(" ,"))
    return (words if len(words) <= MOST_WORDS else []), end


def is_place_or_letters(family: str, given: str) -> bool:
    """ "Ada Hale, Boston", "Ada Hale, MD": what follows the comma is no first name."""
    word = words_of(given)[0]
    if word in load_people().credentials:
        return True
    bits, ordinary, mostly_first = bits_of(word)
    given_name = bits & FIRST and (mostly_first or not bits & PLACE)
    return len(family.split()) > 1 and not (given_name and ordinary < ORDINARY)


def is_no_name(words: list[str], group: str) -> bool:
    """A mask, another label, or letters in capitals that are short for something."""
    letters = "".join(words)
    if len(set(letters.lower())) == 1 or group_of(" ".join(words)):
        return True
    if any(is_marked(word.lower(), THING | INSTITUTION) for word in words[1:]):
        return True
    short = len(words) == 1 and letters.isupper() and len(letters) <= SHORT
    return short and (group == "name" or not bits_of(letters)[0] & (FIRST | LAST))


@lru_cache(maxsize=4096)
def is_marked(word: str, bits: int) -> bool:
    """Whether the lexicon says one of these things of a word."""
    found = load_lexicon().look_up(np.array([hash_word(word)], dtype=np.uint64))
    return bool(int(found[0]) & bits)


def is_likely(words: list[str]) -> bool:
    """Names more often than words, a first and a last name, or words English does not know."""
    if len(words) > 1 and bits_of(words[0])[2] and bits_of(words[-1])[0] & LAST:
        return True
    if len(words) == PAIR and (is_initialled(words) or is_pair_of_names(words)):
        return True
    enough = ORDINARY if len(words) == 1 else HALF_A_WORD
    return any(may_name(word, enough) for word in words)


def is_initialled(words: list[str]) -> bool:
    """ "L. Wise", "Wise L.": a dotted initial and a last name, whatever else that word means."""
    for initial, other in (words, words[::-1]):
        if INITIAL.fullmatch(initial) and len(other) > 1 and other.istitle():
            return bool(bits_of(other)[0] & LAST)
    return False


def is_pair_of_names(words: list[str]) -> bool:
    """ "Mai Do": a first and a last name with capitals, not both of them everyday words."""
    if not all(word.istitle() for word in words):
        return False
    (first, ordinary, _), (last, common, _) = map(bits_of, words)
    return bool(first & FIRST and last & LAST) and min(ordinary, common) < EVERYDAY


def may_name(word: str, enough: float) -> bool:
    """A name in enough of its uses, or a word that English does not know."""
    letters = words_of(word)
    if not letters or not letters[0][:1].isalpha() or is_marked(letters[-1].lower(), NEVER):
        return False
    bits, ordinary, _ = bits_of(letters[-1])
    if bits & (FIRST | LAST):
        return ordinary < enough
    return not bits & WORD and len(letters[-1]) > 1


def bits_of(word: str) -> tuple[int, float, bool]:
    bits, ordinary, mostly_first = load_names().bits_of_one(hash_word(word.lower()))
    return int(bits), float(ordinary), bool(mostly_first)


def first_and_last(said: str, words: list[str], group: str, *, titled: bool) -> tuple[str, str]:
    if group == "first_name":
        return words[0].strip(","), ""
    if group == "last_name" or (titled and len(words) == 1):
        return "", " ".join(words)
    family, comma, given = said.partition(",")
    if comma and given.split():
        return given.split()[0], family.strip()
    if len(words) == 1:
        return ("", words[0]) if not bits_of(words[0])[2] else (words[0], "")
    loud = len(words[0].rstrip(".")) > 1 and words[0].isupper() and not words[-1].isupper()
    if loud and len(words[-1]) > 1:
        return words[-1], words[0]
    if len(words[-1].rstrip(".")) == 1:  # "Hale A"
        return words[-1].rstrip("."), " ".join(words[:-1])
    return words[0].rstrip("."), words[-1]


def pair_up(named: list[Mention], waiting: dict[str, Mention], group: str) -> None:
    """Give the first and the last name of one form to both of its fields."""
    other = {"first_name": "last_name", "last_name": "first_name"}.get(group)
    if other is None:
        return
    mine, partner = named[-1], waiting.pop(other, None)
    if partner is None or mine.start - partner.end > FARTHEST:
        waiting[group] = mine
        return
    first, last = mine.first or partner.first, mine.last or partner.last
    for one in (mine, partner):
        full = one._replace(first=first, last=last, form=MentionForm.FULL_NAME)
        named[named.index(one)] = full


def unnamed(text: str, value: Value, part: int) -> Mention | None:
    said = text[value.start : value.end]
    form, evidence, first, last = None, value.group, "", ""
    if value.group in NUMBERS and NUMBER.fullmatch(said):
        form = form_of_number(said)
    elif value.group == "user" and HANDLE.fullmatch(said):
        form = MentionForm.HANDLE
        first, last = user_of(said)
    elif value.group == "initials" and INITIALS.fullmatch(said):
        form = MentionForm.INITIALS
        first, last = said[0], said.rstrip(". ")[-1]
    if form is None:
        return None
    return Mention(Kind.PERSON, part, value.start, value.end, FAIR, form.value, ("field", evidence),
                   PATIENT, first, last, form=form)  # fmt: skip
