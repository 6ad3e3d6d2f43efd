# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""Judge the words of a page that may be people, places or houses: the finders, compiled.

In: a Cut (words.pyx: the words of a page), tables of cues, lists of places and houses.
Out: Mentions, as names.py, weighing.py, localities.py and institutions.py of dlp/detect/naming make
them one by one.

The twin is the reference: whoever changes a rule there changes it here, under the same name.
"""

from operator import itemgetter

import numpy as np

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from dlp.native.lists cimport Hasher, Listed
from dlp.native.marking cimport Marker
from dlp.native.records cimport check_record, field, new_record, set_field
from dlp.native.words cimport (
    HALF_A_WORD,
    HARDLY,
    LONELY,
    SURE,
    UNHEARD,
    Cut,
    Memory,
    Word,
    border,
)

cdef extern from *:
    """
    #define DLP_Q 0xC2B2AE3D27D4EB4FULL
    """
    const uint64_t Q "DLP_Q"  # the base of a phrase's hash, as in hashing.py

cdef enum:  # bits of the lexicon (lexicon.py)
    TITLE = 1
    BEFORE = 2
    AFTER = 4
    PARTICLE = 16
    THING = 32
    EPONYM = 64
    STREET = 128
    INSTITUTION = 256
    CREDENTIAL = 512
    PLACE_CUE = 1024
    VAGUE = 1 << 12
    MONTH = 1 << 15
    NEVER = 8

cdef enum:  # bits of the lists of names (knowledge/names.py, known_words.py)
    FIRST = 1
    LAST = 2
    WORD = 4
    PLACE = 8
    MOSTLY_FIRST = 16

cdef enum:  # shapes of a word (tokens.py)
    CAPITAL = 1
    ALL_CAPS = 2
    NUMBER = 4
    POSSESSIVE = 8
    SINGLE = 16
    MIXED = 32

cdef enum:  # what stands behind a word (tokens.py)
    SPACE = 0
    DOT = 1
    COMMA = 2
    COLON = 3
    LINE = 4
    HYPHEN = 5
    OTHER = 6
    PART = 7

cdef enum:  # how a line is written (page.py)
    PLAIN = 0
    LOW = 1
    CAPS = 2

cdef enum:
    MOST = 16  # words of a run that is judged here
    SHORTEST = 3  # letters of a name that stands alone
    SHOUTED = 4  # letters of a last name in capitals
    LONGEST_STRANGE = 3  # words
    STATE_LETTERS = 2
    LONGEST_HOUSE = 8  # words
    SHORTEST_HOUSE = 3  # letters
    OLDEST = 125  # years
    REMEMBERED = 4096  # sexes of first names, and sizes of places, that are at hand
    STARTER_SHIFT = 48  # the leading bits of a hash that choose a starter (gazetteer.py)
    CAPITAL_CITY = 128  # a bit of the kind of a place (places.py)
    LANDMARK = 4
    WIDEST_KIND = 1  # countries and states are too wide to narrow a person down
    JOINING = 1 << SPACE | 1 << HYPHEN | 1 << DOT  # what stands between the words of one name
    MENTION = 12  # fields of a Mention
    START_AT = 2  # where one begins, among them
    FINDING = 11  # fields of a Finding
    HOUSE = 4  # fields of a House
    MENTIONS = 256  # of a document, for whom there is room at once
    NEAR = 4  # mentions that are passed one by one
    SINGLE_BITS = 11  # leading bits of a hash that say where a single word is remembered
    SPREAD = 13  # leading bits of a hash that say whether a name may be on the roll

cdef Py_ssize_t FAR = 1 << 62  # beyond any text
cdef tuple AGAIN = ("again",)
cdef str NO_WORD = ""
cdef object NO_RECORD = -1
cdef object NOTHING = frozenset(), START = itemgetter(2), BEGIN = itemgetter(3)
cdef double HALF = 0.5
cdef double FLOOR = 0.5
cdef double CLEAR_PLACE = 0.3
cdef double PLAIN_PLACE = 0.75
cdef double WIDE_CONFIDENCE = 0.4
cdef double CLEAR_TOWN = 0.5


def constants():
    """What this file repeats of its twins, for a test to compare."""
    return {
        "lexicon": {
            "TITLE": TITLE, "BEFORE": BEFORE, "AFTER": AFTER, "PARTICLE": PARTICLE, "THING": THING,
            "EPONYM": EPONYM, "STREET": STREET, "INSTITUTION": INSTITUTION,
            "CREDENTIAL": CREDENTIAL, "PLACE_CUE": PLACE_CUE, "MONTH": MONTH, "NEVER": NEVER,
            "VAGUE": VAGUE,
        },
        "tokens": {
            "CAPITAL": CAPITAL, "ALL_CAPS": ALL_CAPS, "NUMBER": NUMBER, "POSSESSIVE": POSSESSIVE,
            "SINGLE": SINGLE, "MIXED": MIXED, "SPACE": SPACE, "DOT": DOT, "COMMA": COMMA,
            "COLON": COLON, "LINE": LINE, "HYPHEN": HYPHEN, "OTHER": OTHER, "PART": PART,
        },
        "page": {"PLAIN": PLAIN, "LOW": LOW, "CAPS": CAPS},
        "turned": {"SURE": border(SURE), "HARDLY": border(HARDLY), "SHOUTED": SHOUTED},
        "runs": {"LONELY": border(LONELY)},
        "weighing": {
            "FIRST": FIRST, "LAST": LAST, "WORD": WORD, "PLACE": PLACE,
            "MOSTLY_FIRST": MOSTLY_FIRST, "HALF_A_WORD": border(HALF_A_WORD), "SHORTEST": SHORTEST,
            "LONGEST_STRANGE": LONGEST_STRANGE,
        },
        "names": {"HALF": HALF, "FLOOR": FLOOR},
        "institutions": {
            "LONGEST": LONGEST_HOUSE, "SHORTEST": SHORTEST_HOUSE, "CLEAR_TOWN": CLEAR_TOWN,
        },
        "surroundings": {"OLDEST": OLDEST},
        "localities": {
            "CLEAR": CLEAR_PLACE, "PLAIN": PLAIN_PLACE, "WIDE_CONFIDENCE": WIDE_CONFIDENCE,
            "STATE_LETTERS": STATE_LETTERS,
        },
    }


# Named tuples are filled where they stand: a text makes thousands, and a constructor is dearer.


cdef list SHARES = [number / 100 for number in range(101)]


cdef inline object share_of(double share):
    """A number as Python holds it: nearly all are whole hundredths, which are at hand."""
    cdef int number = <int>(share * 100 + HALF) if 0 <= share <= 1 else 0
    known = SHARES[number]
    return known if <double>known == share else share


cdef inline object mention_of(
    type made, object kind, object part, Py_ssize_t start, Py_ssize_t end, double confidence,
    str rule, tuple evidence, str role, str first, str last, str sex, object record
):
    """A Mention (mention.py)."""
    cdef tuple one = new_record(made, MENTION)
    set_field(one, 0, kind)
    set_field(one, 1, part)
    set_field(one, 2, start)
    set_field(one, 3, end)
    set_field(one, 4, share_of(confidence))
    set_field(one, 5, rule)
    set_field(one, 6, evidence)
    set_field(one, 7, role)
    set_field(one, 8, first)
    set_field(one, 9, last)
    set_field(one, 10, sex)
    set_field(one, 11, record)
    return one


cdef inline object finding_of(type made, tuple mention, object print_):
    """A Finding (model.py) of a Mention, whose length was compared."""
    cdef tuple one = new_record(made, FINDING)
    set_field(one, 0, field(mention, 0))
    set_field(one, 1, field(mention, 5))
    set_field(one, 2, field(mention, 1))
    set_field(one, 3, field(mention, 2))
    set_field(one, 4, field(mention, 3))
    set_field(one, 5, field(mention, 4))
    set_field(one, 6, field(mention, 6))
    set_field(one, 7, NO_WORD)
    set_field(one, 8, NO_WORD)
    set_field(one, 9, print_)
    set_field(one, 10, NOTHING)
    return one


@cython.final
cdef class Told:
    """A cue, with what is asked of it most as numbers."""

    cdef str evidence, role, sex, rule
    cdef tuple only  # it as evidence, if nothing else speaks
    cdef bint any, clear  # what it needs of a name
    cdef bint speech, kinship, clinician, firm, title
    cdef int gaps  # one bit for each

    def __init__(self, cue):
        self.evidence, self.role, self.sex = cue.evidence, cue.role, cue.sex
        self.only, self.rule = (cue.evidence,), f"name-{cue.evidence}"
        self.any, self.clear = cue.needs == "any", cue.needs == "clear"
        self.speech = cue.evidence == "speech"
        self.kinship = cue.evidence == "kinship"
        self.clinician = cue.evidence == "clinician"
        self.title = cue.evidence == "title"
        self.firm = cue.evidence in {"title", "kinship", "self", "salutation"}
        self.gaps = 0
        for gap in cue.gaps:
            self.gaps |= 1 << gap

    cdef bint holds(self, int gap):
        return self.gaps >> gap & 1


@cython.final
cdef class Keyed:
    """What stands under a word of the lexicon, in letters as plain as its hash tells."""

    cdef Py_ssize_t letters
    cdef Py_ssize_t longest  # words of the longest cue it stands at the end of
    cdef tuple cues  # under this word alone
    cdef uint64_t beside  # a bit for the first six bits of the hash of each word beside it in a cue

    def __init__(self, word, longest, cues, beside):
        cdef uint64_t key
        self.letters, self.longest, self.beside = len(word), longest, 0
        for key in beside:
            self.beside |= <uint64_t>1 << (key >> 58)
        self.cues = tuple([Told(cue) if hasattr(cue, "evidence") else cue for cue in cues])


cdef Keyed keyed(Cut on, Py_ssize_t at, list table):
    """What stands under a word, if its letters need not be looked at."""
    cdef uint32_t key = on.row[at].key
    if not key or on.row[at].shape & POSSESSIVE:
        return None
    cdef Keyed found = table[key - 1]
    if found is None or letters(on, at) != found.letters or not is_plain(on, at, at + 1):
        return None
    return found


cdef bint stands_alone(Keyed known, Cut on, Py_ssize_t beside):
    """Whether no longer cue can be meant: none has the word that stands beside this one."""
    if known.longest == 1 or not 0 <= beside < on.count:
        return True
    return not known.beside >> (on.whole(beside) >> 58) & 1


cdef dict as_told(cues):
    """Tables of cues as tables of Told; one cue or several stand under a word."""
    return {
        word: Told(some) if hasattr(some, "evidence") else tuple([Told(one) for one in some])
        for word, some in cues.items()
    }


cdef inline int check_page(Cut on) except -1:
    if on is None:
        raise TypeError("no page")
    return 0


cdef inline Py_ssize_t letters(Cut on, Py_ssize_t at) except -1:
    return on.row[at].end - on.row[at].start


cdef inline bint listed(Cut on, Py_ssize_t at) except -1:
    return on.row[at].name & (FIRST | LAST) != 0


# The words of a run that are no initials and no particles, as `told_apart` gives them.
cdef struct Apart:
    int whole[MOST]
    int wholes
    int knowns
    int clear[MOST]
    int clears


# What stands beside a name: surroundings.py and turned.py.


cdef bint speaks(Cut on, Py_ssize_t first, Py_ssize_t last):
    if last - first > 1 or not on.row[first].name & FIRST:
        return False
    cdef Py_ssize_t before = first - 1
    if before >= 0 and on.row[before].gap != LINE and on.row[before].gap != PART:
        if not before or not on.row[before].shape & NUMBER or on.row[before].gap != OTHER:
            return False
    return not on.row[first].name & WORD


cdef int gap_behind(Cut on, Py_ssize_t at):
    cdef Py_ssize_t behind = on.row[at].end + 1
    if not (on.row[at].shape & SINGLE and on.dotted(at)):
        return on.row[at].gap
    if behind >= len(on.text):
        return OTHER
    return SPACE if on.text[behind] == u" " else COMMA if on.text[behind] == u"," else OTHER


cdef bint is_wide(Cut on, Py_ssize_t at):
    """Two blanks or more before a word."""
    cdef Py_ssize_t place, end = on.row[at - 1].end
    if on.row[at].start - end <= 1:
        return False
    for place in range(end, on.row[at].start):
        if on.text[place] != u" " and on.text[place] != u"\t":
            return False
    return True


cdef bint asks_widely(Cut on, Py_ssize_t place, Py_ssize_t at):
    if on.row[at - 1].gap != SPACE and on.row[at - 1].gap != OTHER:
        return False
    return is_wide(on, at) and (not place or on.row[place - 1].gap == LINE or is_wide(on, place))


cdef bint is_shouted(Cut on, Py_ssize_t last, Py_ssize_t first):
    if first - last != 1 or letters(on, last) < SHOUTED:
        return False
    if on.row[last].gap != SPACE and on.row[last].gap != COMMA:
        return False
    if not on.row[last].shape & ALL_CAPS or on.row[first].shape & (ALL_CAPS | SINGLE):
        return False
    cdef bint family = on.row[last].name & LAST or not on.row[last].name & WORD
    if on.row[last].gap == COMMA and last and on.row[last - 1].gap == SPACE:
        family = on.row[last].name & LAST
    if not family or not on.row[first].name & MOSTLY_FIRST or on.row[first].ordinary >= SURE:
        return False
    return not on.row[last].says & (THING | TITLE | INSTITUTION)


# Runs: runs.py.


cdef bint heads_address(Cut on, Py_ssize_t first, Py_ssize_t last):
    if last >= on.count or on.row[last - 1].gap != LINE or not on.row[last].shape & NUMBER:
        return False
    if first and on.row[first - 1].gap != LINE and on.row[first - 1].gap != PART:
        return False
    cdef Py_ssize_t start = on.row[last].start
    return on.is_house(on.text[start : min(start + 16, len(on.text))]) is not None


cdef bint worth_a_look(Cut on, Py_ssize_t first, Py_ssize_t last):
    if first and on.row[first - 1].says & BEFORE:
        return True
    cdef Py_ssize_t at
    for at in range(first, last):
        if listed(on, at):
            return True
    if last - first == 1:
        if last >= on.count or not on.row[last].says & AFTER:
            return False
        return on.row[first].gap == SPACE and on.is_english(first)
    return on.is_english(first) or heads_address(on, first, last)


cdef bint is_thing(Cut on, Py_ssize_t first, Py_ssize_t last):
    cdef int what = on.row[last - 1].says
    if what & (THING | INSTITUTION):
        return True
    if last < on.count and on.row[last].says & (THING | STREET | INSTITUTION):
        if on.row[last - 1].gap == SPACE or on.row[last - 1].gap == HYPHEN:
            return True
    if not what & STREET or last - first < 2 or not first:
        return False
    return on.row[first - 1].shape & NUMBER and on.row[first - 1].gap == SPACE


cdef bint hardly(Cut on, Py_ssize_t at):
    if on.row[at].shape & SINGLE or listed(on, at):
        return False
    return on.row[at].name & (WORD | PLACE) != 0


cdef bint leads_in(Cut on, Py_ssize_t first, Py_ssize_t last):
    if last - first <= 2 or on.row[first].ordinary < HARDLY or on.row[first].gap != SPACE:
        return False
    return on.row[first + 1].name & FIRST and on.row[first + 1].ordinary < SURE


cdef bint asks_for_last(Cut on, Py_ssize_t first, bint bold):
    if bold:
        return on.row[first].name & MOSTLY_FIRST != 0
    if not on.row[first].name & FIRST or on.row[first].ordinary >= SURE:
        return False
    if on.row[first + 1].shape & (CAPITAL | ALL_CAPS) != CAPITAL or on.row[first].mode != PLAIN:
        return False
    return on.row[first + 1].start - on.row[first].end == 1


cdef (Py_ssize_t, Py_ssize_t) trimmed(
    Cut on, Py_ssize_t first, Py_ssize_t last, bint bold, bint cued
):
    if last - first == 1:
        return (first, last) if bold or not hardly(on, first) else (last, last)
    while first < last and not bold and (hardly(on, first) or leads_in(on, first, last)):
        first += 1
    while last > first + 2 and on.row[last - 1].shape & ALL_CAPS and (
        not on.row[last - 2].shape & (ALL_CAPS | SINGLE)
    ):
        last -= 1
    while last > first + 1 and hardly(on, last - 1) and on.row[last - 2].gap != HYPHEN:
        if last - first == 2 and (bold or cued) and asks_for_last(on, first, bold):
            break
        last -= 1
    return first, last


# How sure: weighing.py.


cdef double weigh(
    Cut on, Py_ssize_t first, Py_ssize_t last, Told cue, Told after, bint credential
):
    cdef Apart told = told_apart(on, first, last)
    cdef bint strange
    cdef int at
    if cue is not None and told.wholes and not cue.clear and not doubtful(on, first, last, cue):
        strange = told.wholes > (0 if cue.kinship else 1)
        for at in told.whole[: told.wholes]:
            strange = strange and not on.row[at].name & WORD
        if cue.any or told.knowns or strange:
            return 0.95 if told.knowns else 0.8
    cdef double paired = pair(on, first, last, &told) if last - first > 1 else 0.0
    if cue is not None and told.clears:
        if paired:
            return paired
        if on.row[told.clear[0]].name & FIRST and fits_alone(on, told.clear[0]):
            return 0.6
    if credential and told.knowns:
        return 0.9
    if after is not None and after.role and told.clears:
        return 0.85
    if paired or told.wholes != 1:
        return paired
    return alone(on, told.whole[0], after, cue)


cdef Apart told_apart(Cut on, Py_ssize_t first, Py_ssize_t last):
    """`first` to `last` are MOST words at most."""
    cdef Apart told
    cdef Py_ssize_t at
    told.wholes = told.knowns = told.clears = 0
    for at in range(first, last):
        if on.row[at].shape & SINGLE or on.row[at].says & PARTICLE:
            continue
        told.whole[told.wholes] = at
        told.wholes += 1
        if listed(on, at):
            told.knowns += 1
            if on.row[at].ordinary < SURE:
                told.clear[told.clears] = at
                told.clears += 1
    return told


cdef bint doubtful(Cut on, Py_ssize_t first, Py_ssize_t last, Told cue):
    if last - first != 1 or cue.firm:
        return False
    if cue.any:
        return not listed(on, first) and on.row[first].name & WORD
    return on.row[first].ordinary > HARDLY or (cue.clinician and on.row[first].says & EPONYM)


cdef bint fits_alone(Cut on, Py_ssize_t at):
    if on.row[at].says & EPONYM or letters(on, at) < SHORTEST:
        return False
    return on.row[at].mode != PLAIN or not on.row[at].shape & (ALL_CAPS | MIXED)


cdef double alone(Cut on, Py_ssize_t at, Told after, Told before):
    if on.row[at].mode != PLAIN:
        return 0.5 if stands_in_any_case(on, at, after is not None) else 0.0
    if on.row[at].shape & ALL_CAPS or letters(on, at) < SHORTEST:
        return 0.0
    cdef int names = on.row[at].name
    if (after is not None and after.speech) or (before is not None and before.speech):
        if listed(on, at) or not on.row[at].says & EPONYM:
            if not names & WORD and on.is_english(at):
                return 0.6 if listed(on, at) else 0.5
    if not names & FIRST or on.row[at].ordinary >= SURE:
        return 0.0
    if not names & MOSTLY_FIRST or on.row[at].says & EPONYM:
        return 0.0
    return 0.55 if after is not None else 0.5 if on.row[at].ordinary < LONELY else 0.0


cdef bint stands_in_any_case(Cut on, Py_ssize_t at, bint told):
    if not on.row[at].name & MOSTLY_FIRST or on.row[at].ordinary >= LONELY or not fits_alone(on, at):
        return False
    if not (told or on.is_english(at)):
        return False
    if on.row[at].gap == HYPHEN or (at and on.row[at - 1].gap == HYPHEN):
        return False
    if letters(on, at) <= SHORTEST and not (told and on.row[at].mode == LOW):
        return False
    return not (at and on.row[at - 1].says & STREET)


cdef double pair(Cut on, Py_ssize_t first, Py_ssize_t last, Apart *told):
    if told.wholes < 2:
        return with_initial(on, first, last, told)
    if hyphens(on, first, last) == last - 1 - first:
        return 0.0
    cdef int head = told.whole[0], tail = told.whole[told.wholes - 1], at
    if letters(on, head) == letters(on, tail) and on.word(head) == on.word(tail):
        return 0.0
    if on.row[head].gap == COMMA:
        head, tail = told.whole[1], told.whole[0]
        if on.row[head].name & PLACE and on.row[tail].name & PLACE:
            return 0.0
    if told.wholes == 2 and is_shouted(on, told.whole[0], told.whole[1]):
        return 0.8
    if not (told.clears and on.row[head].name & FIRST and on.row[tail].name & LAST):
        return strangers(on, first, last, told)
    cdef bint head_clear = False, tail_clear = False
    for at in told.clear[: told.clears]:
        head_clear = head_clear or at == head
        tail_clear = tail_clear or at == tail
    if head_clear and tail_clear:
        return 0.85
    return 0.7 if head_clear or on.row[head].ordinary < HARDLY else 0.0


cdef Py_ssize_t hyphens(Cut on, Py_ssize_t first, Py_ssize_t last):
    """How many stand within a run."""
    cdef Py_ssize_t at, found = 0
    for at in range(first, last - 1):
        found += on.row[at].gap == HYPHEN
    return found


cdef double with_initial(Cut on, Py_ssize_t first, Py_ssize_t last, Apart *told):
    if not told.clears or last - first == 1 or on.row[told.clear[0]].shape & POSSESSIVE:
        return 0.0
    if hyphens(on, first, last):
        return 0.0
    cdef int clear = told.clear[0]
    if on.row[first].shape & SINGLE:
        return 0.6 if on.row[first].gap == DOT and on.row[clear].name & LAST else 0.0
    if not on.row[clear].name & FIRST or (on.row[clear].says & EPONYM and not on.dotted(last - 1)):
        return 0.0
    return 0.75


cdef bint is_rare_last(Cut on, Py_ssize_t head, Py_ssize_t tail):
    cdef bint loud = on.row[head].mode == CAPS
    if not on.row[head].name & MOSTLY_FIRST:
        return False
    if on.row[head].ordinary >= (SURE if loud else HALF_A_WORD):
        return False
    if on.row[head].gap != SPACE or on.row[head].mode == LOW:
        return False
    if on.row[tail].name or on.row[tail].ordinary > UNHEARD:
        return False
    return not (on.row[head].shape | on.row[tail].shape) & (MIXED if loud else ALL_CAPS | MIXED)


cdef double strangers(Cut on, Py_ssize_t first, Py_ssize_t last, Apart *told):
    cdef int head = told.whole[0], tail = told.whole[told.wholes - 1], at
    cdef bint given = on.row[head].name & MOSTLY_FIRST and on.row[head].ordinary < LONELY
    if told.wholes == 2 and not given and is_rare_last(on, head, tail):
        return 0.6
    if told.wholes > LONGEST_STRANGE or not (on.row[first].mode == PLAIN or given):
        return 0.0
    if given and told.wholes == 2 and on.row[head].gap == SPACE:
        return 0.65
    cdef bint places = True
    for at in told.whole[: told.wholes]:
        if on.row[at].name & WORD or on.row[at].shape & ALL_CAPS or on.row[at].says & (EPONYM | THING):
            return 0.0
        if on.row[at].shape & MIXED and not listed(on, at):
            return 0.0
        places = places and on.row[at].name & (PLACE | MOSTLY_FIRST) == PLACE
    if places:
        return 0.0
    if last - first > told.wholes:
        return 0.75
    if on.row[head].name & FIRST:
        return 0.65
    if on.row[tail].name & LAST or on.row[head].name & LAST:
        return 0.6
    return 0.55 if on.is_english(first) or heads_address(on, first, last) else 0.0


# Lists of places and houses: gazetteer.py and places.py.


cdef struct Standing:
    bint known
    int kind  # as in KINDS of places.py
    int64_t population
    double ambiguity


cdef inline uint64_t marks_of(uint64_t run) noexcept:
    """Three of 64 bits, by bits that a list keeps of a hash: its first forty."""
    cdef uint64_t one = 1
    return one << (run >> 24 & 63) | one << (run >> 30 & 63) | one << (run >> 36 & 63)


@cython.final
cdef class Catalogue:
    """A Gazetteer: names of several words."""

    cdef Listed table
    cdef readonly const uint8_t[::1] starters
    cdef uint64_t[::1] marks  # by the leading bits of an entry: three bits by some of the others
    cdef int shift
    cdef Py_ssize_t longest  # words of a name
    cdef object longest_first, without_overlap

    def __init__(self, Listed table, starters, longest_first, without_overlap):
        cdef Py_ssize_t at
        cdef uint64_t entry
        self.table, self.starters = table, starters
        self.longest_first, self.without_overlap = longest_first, without_overlap
        self.longest = starters.max(initial=0)
        self.shift = 64 - max(1, int(table.high.shape[0]).bit_length() - 3)  # about six to a number
        self.marks = np.zeros(1 << 64 - self.shift, np.uint64)
        for at in range(table.high.shape[0]):
            entry = <uint64_t>table.high[at] << 32 | <uint64_t>table.low[at] << 24
            self.marks[<Py_ssize_t>(entry >> self.shift)] |= marks_of(entry)

    cdef inline int64_t place(self, uint64_t run) except? -2:
        """Where a name stands, or -1: hardly any run of words has three marks and is none."""
        cdef uint64_t marks = marks_of(run)
        if self.marks[<Py_ssize_t>(run >> self.shift)] & marks != marks:
            return -1
        return self.table.place(run)

    cdef inline uint64_t begun(self, Cut on, Py_ssize_t first) except? 0:
        """The hash of a word, with its 's."""
        return on.whole(first) if on.row[first].shape & POSSESSIVE else on.row[first].hash

    cdef list around(self, Cut on, list work):
        """Names that begin near some words, in order, the longest of those that overlap."""
        cdef list found = []
        cdef set asked = set()
        cdef Py_ssize_t number, first, near
        while work:
            number = work.pop()
            first, near = on.begun_at[number], number
            while near > 0 and first - on.begun_at[near - 1] < self.longest:
                near -= 1
            while near < on.begun and on.begun_at[near] - first < self.longest:
                if near not in asked:
                    asked.add(near)
                    if self.names_at(on, near, found):
                        work.append(near)
                near += 1
        return self.without_overlap(found) if found else found

    cdef bint is_here(self, Cut on, Py_ssize_t number) except -1:
        """Whether a name begins at a word whose last word is written as a name's is."""
        cdef Py_ssize_t first = on.begun_at[number], at = first
        cdef uint64_t run = self.begun(on, first)
        cdef Py_ssize_t end = first + self.starters[<Py_ssize_t>(run >> STARTER_SHIFT)]
        cdef bint low = on.row[first].mode == LOW
        cdef int gap
        while True:
            if (low or on.row[at].shape & (CAPITAL | NUMBER)) and self.place(run) >= 0:
                return True
            gap = on.row[at].gap
            at += 1
            if at >= end or at >= on.count or (gap != SPACE and gap != HYPHEN and gap != DOT):
                return False
            run = run * Q + self.begun(on, at)

    cdef bint names_at(self, Cut on, Py_ssize_t number, list found) except -1:
        """All names that begin at a word; whether there is one."""
        cdef Py_ssize_t first = on.begun_at[number], at = first, before = len(found)
        cdef uint64_t run = self.begun(on, first)
        cdef Py_ssize_t end = first + self.starters[<Py_ssize_t>(run >> STARTER_SHIFT)]
        cdef int64_t place
        end = min(end, on.count)
        while at < end:
            if at > first and on.row[at - 1].gap == PART:
                break
            if at > first:
                run = run * Q + self.begun(on, at)
            place = self.place(run)
            at += 1
            if place >= 0:
                found.append((first, at, place))
        return len(found) > before


cdef struct Worked:  # what is worked out of a name, when it is asked for
    double ambiguity  # of a name of one word; below 0: not worked out yet
    uint32_t population  # of the largest place of that name
    int32_t kind


WORKED = np.dtype([("ambiguity", "f8"), ("population", "u4"), ("kind", "i4")])


@cython.final
cdef class Towns:
    """Places by the hashes of their names: Places.standing."""

    cdef readonly tuple kinds
    cdef Listed table
    cdef Memory memory
    cdef const int64_t[::1] ends  # where the places of one name end
    cdef const uint8_t[::1] kind
    cdef const uint32_t[::1] population
    cdef const uint8_t[::1] country
    cdef const uint8_t[::1] home  # of countries
    cdef Worked[::1] worked
    cdef object known  # the same by the name itself
    cdef tuple rates  # how often a place is named: at home, a capital, any other

    def __init__(self, *, kinds, table, memory, ends, kind, population, country, home, known, rates):
        self.kinds, self.table, self.memory = kinds, table, memory
        self.ends, self.kind, self.population = ends, kind, population
        self.country, self.home, self.known, self.rates = country, home, known, rates
        worked = np.zeros(len(ends), WORKED)
        worked["ambiguity"] = -1.0
        self.worked = worked

    def told(self, Cut on not None, Py_ssize_t first, Py_ssize_t last):
        """Kind, population and ambiguity of the place that some words name, or None."""
        cdef Standing known = self.named(on, first, last)
        if not known.known:
            return None
        return self.kinds[known.kind], known.population, known.ambiguity

    cdef Standing named(self, Cut on, Py_ssize_t first, Py_ssize_t last) except *:
        """What is known of the place that some words name."""
        cdef Standing told
        cdef Py_ssize_t at
        cdef uint64_t run
        cdef int64_t place
        if not is_plain(on, first, last):
            return self.by_name(on.phrase(first, last))
        run = on.whole(first)
        for at in range(first + 1, last):
            run = run * Q + on.whole(at)
        place = self.table.place(run)
        if place < 0:
            told.known, told.kind, told.population, told.ambiguity = False, 0, 0, 0.0
            return told
        return self.listed(place, run, last - first == 1)

    cdef Standing listed(self, int64_t place, uint64_t key, bint single) except *:
        """What is known of a name by its place in the list; the key of a single word tells more."""
        cdef Standing told
        cdef Worked *one = &self.worked[place]
        if one.ambiguity < 0:
            self.work_out(place, key)
        told.known, told.kind, told.population = True, one.kind, one.population
        told.ambiguity = one.ambiguity if single else 0.0
        return told

    cdef Standing by_name(self, str name) except *:
        """The same, where words are written with signs that lists and Python see differently."""
        cdef Standing told
        known = self.known(name)
        told.known = known is not None
        told.kind, told.population, told.ambiguity = 0, 0, 0.0
        if told.known:
            told.kind, told.population = self.kinds.index(known.kind), known.population
            told.ambiguity = known.ambiguity
        return told

    cdef int work_out(self, int64_t place, uint64_t key) except -1:
        """The largest bearer of a name, and how likely the name is a word or a person instead."""
        cdef Py_ssize_t at, most = -1
        cdef int64_t people, best = -1, bearers
        cdef double mentions = 0, ordinary, at_home, capital, away, rate
        at_home, capital, away = self.rates
        for at in range(self.ends[place - 1] if place else 0, self.ends[place]):
            people = 0 if self.kind[at] == LANDMARK else self.population[at]
            if people > best:
                most, best = at, people
            rate = capital if self.kind[at] & CAPITAL_CITY else away
            mentions += people * (at_home if self.home[self.country[at]] else rate)
        ordinary, bearers = self.memory.standing(key)
        self.worked[place].kind = self.kind[most] & ~CAPITAL_CITY
        self.worked[place].population = <uint32_t>best
        self.worked[place].ambiguity = (
            ordinary + (1 - ordinary) * bearers / max(bearers + mentions, 1.0)
        )
        return 0


cdef bint is_plain(Cut on, Py_ssize_t first, Py_ssize_t last) except -1:
    """Whether all signs of some words are of the plainest kind."""
    cdef Py_ssize_t at, end
    if on.plain:
        return True
    end = on.row[last - 1].end + (2 if on.row[last - 1].shape & POSSESSIVE else 0)
    for at in range(on.row[first].start, min(end, len(on.text))):
        if on.text[at] > 127:
            return False
    return True


# The judge: names.py.


cdef bint is_hopeless(Cut on, Py_ssize_t at, Told cue):
    if listed(on, at) and on.row[at].ordinary < SURE:
        return False
    if (cue is not None and cue.speech) or on.row[at].gap == COLON:
        return False
    return at + 1 == on.count or not on.row[at + 1].says & (AFTER | CREDENTIAL)


cdef (Py_ssize_t, Py_ssize_t) given_and_family(
    Cut on, Py_ssize_t first, Py_ssize_t last, bint titled
) except *:
    """The words that are the first and the last name, or -1."""
    cdef Py_ssize_t at
    cdef int whole[MOST]
    cdef int wholes = 0
    for at in range(first, last):
        if last - first == 1 or on.row[at].shape & CAPITAL or not on.row[at].says & PARTICLE:
            whole[wholes] = at
            wholes += 1
    if wholes > 1:
        if on.row[whole[0]].gap == COMMA or is_shouted(on, whole[0], whole[1]):
            return whole[1], whole[0]
        return whole[0], whole[wholes - 1]
    at = whole[0] if wholes else first
    if on.row[at].name & FIRST and not titled:
        return at, -1
    return -1, at


cdef bint may_be_age(str text, Py_ssize_t place):
    """Whether a pattern of ages may fit: up to three digits, and one of a few signs behind them."""
    cdef Py_ssize_t size = len(text), most = place + 3
    while place < size and place < most and text[place].isdecimal():
        place += 1
    while place < size and (text[place] == u" " or text[place] == u"-"):
        place += 1
    return place < size and text[place] in u"yYmMfF),"


@cython.final
cdef class Judge:
    """NameFinder's judgement; what it is made of comes from there."""

    cdef dict titles, before, after, longest_before, longest_after, healers, sexes
    cdef list keyed_titles, keyed_before, keyed_after  # the same by keys of the lexicon
    cdef tuple dictionary  # the evidence when nothing else speaks
    cdef object sex, age, kind
    cdef type mention
    cdef Towns towns
    cdef frozenset short_titles, articles
    cdef str clinician
    cdef Told speaker, aged

    def __init__(self, *, titles, before, after, longest_before, longest_after, keyed, healers,
                 towns, sex, age, mention, kind, short_titles, articles, clinician, speaker, aged):
        self.titles, self.before, self.after = as_told(titles), as_told(before), as_told(after)
        self.longest_before, self.longest_after = longest_before, longest_after
        self.healers, self.towns, self.sex, self.age = healers, towns, sex, age
        self.mention, self.kind = mention, kind
        self.short_titles, self.articles, self.clinician = short_titles, articles, clinician
        self.speaker, self.aged = Told(speaker), Told(aged)
        self.dictionary = ("dictionary",)
        self.keyed_titles, self.keyed_before, self.keyed_after = (
            [one and Keyed(*one) for one in table] for table in keyed
        )
        self.sexes = {}

    cpdef list find(self, Cut on, object part):
        """A Mention for each run of words that is somebody."""
        check_page(on)
        cdef list found = []
        cdef Py_ssize_t place = 0, first = 0, last = 0
        on.fit()
        while True:
            place = on.next_run(place, False, &first, &last)
            if place < 0:
                return found
            if last - first > MOST:
                raise ValueError("a run longer than runs are")
            one = self.judge(on, first, last, part)
            if one is not None:
                found.append(one)

    cdef object judge(self, Cut on, Py_ssize_t first, Py_ssize_t last, object part):
        cdef Py_ssize_t begun = first
        cdef int before = on.row[first - 1].says if first else 0
        cdef Told title = self.title(on, first) if before & TITLE else None
        if title is None and (is_thing(on, first, last) or not worth_a_look(on, first, last)):
            return None
        cdef Told cue = title
        if cue is None and before & BEFORE:
            cue = self.cue_before(on, first)
        cdef bint cued = cue is not None and not cue.clear
        if last - first == 1 and not cued and is_hopeless(on, first, cue):
            return None
        first, last = trimmed(on, first, last, cue is not None and cue.any, cued)
        if first >= last:
            return None
        if first > begun:
            cue = self.title(on, first)
            if cue is None:
                cue = self.cue_before(on, first)
            cued = cue is not None and not cue.clear
        cdef int behind = on.row[last].says if last < on.count else 0
        cdef bint credential = behind & CREDENTIAL and self.healer(on, last)
        cdef Told after = None if credential else self.cue_after(on, first, last)
        cdef double confidence = weigh(on, first, last, cue, after, credential)
        if confidence < FLOOR:
            return None
        cdef bint does = after is not None and (after.role or after.speech)
        if not does and not cued and self.is_place(on, first, last):
            return None
        role = self.role(on, first, cue, after, title, credential)
        return self.made(on, first, last, part, confidence, cue, after, credential, role)

    cdef str role(self, Cut on, Py_ssize_t first, Told cue, Told after, Told title,
                  bint credential):
        if credential:
            return self.clinician
        if cue is not None and not cue.clear and cue.role:
            return cue.role
        if after is not None and after.role:
            return after.role
        if cue is not None and cue.role:
            return cue.role
        if title is None:
            return ""
        cdef Told asked = self.cue_before(on, first - 1)
        return asked.role if asked is not None and not asked.clear else ""

    cdef object made(self, Cut on, Py_ssize_t first, Py_ssize_t last, object part,
                     double confidence, Told cue, Told after, bint credential, str role):
        cdef bint cued = cue is not None and bool(cue.evidence)
        cdef bint does = after is not None and after.role and bool(after.evidence)
        cdef tuple evidence = cue.only if cued else ()
        cdef str rule = cue.rule if cued else after.rule if does else "name-dictionary"
        if credential:
            evidence += ("credential",)
            rule = cue.rule if cued else "name-credential"
        if does:
            evidence += after.only
        if not evidence:
            evidence = self.dictionary
        cdef Py_ssize_t given_at, family_at
        given_at, family_at = given_and_family(on, first, last, cue is not None and cue.title)
        cdef str given = on.word(given_at) if given_at >= 0 else NO_WORD
        cdef str family = on.word(family_at) if family_at >= 0 else NO_WORD
        cdef str sex = cue.sex if cue is not None else NO_WORD
        if not sex and given:
            sex = self.sexes.get(given)
            if sex is None:
                if len(self.sexes) >= REMEMBERED:
                    self.sexes.clear()
                sex = self.sexes[given] = self.sex(given)
        cdef Py_ssize_t start = on.row[first].start, end = on.row[last - 1].end
        if last - first > 1 and on.row[last - 1].shape & SINGLE and on.dotted(last - 1):
            end += 1
        start, end = on.original(start, end)
        return mention_of(
            self.mention, self.kind, part, start, end, confidence, rule, evidence, role, given,
            family, sex, NO_RECORD,
        )

    cdef bint is_place(self, Cut on, Py_ssize_t first, Py_ssize_t last):
        cdef Py_ssize_t at
        cdef Standing known
        if on.row[first].mode != PLAIN and last - first == 1 and first and (
            on.row[first - 1].gap == SPACE
        ):
            if self.towns.named(on, first - 1, last).known:
                return True
        for at in range(first, last):
            if on.row[at].name & PLACE:
                known = self.towns.named(on, first, last)
                return known.known and known.ambiguity < (HALF if last - first == 1 else 1)
        return False

    cdef Told title(self, Cut on, Py_ssize_t at):
        if not at or not on.row[at - 1].says & TITLE:
            return None
        if on.row[at - 1].gap != SPACE and on.row[at - 1].gap != DOT:
            return None
        if at > 1 and on.row[at - 2].shape & NUMBER and on.row[at - 1].shape & ALL_CAPS:
            return None
        cdef Keyed known
        cdef str word
        if on.row[at - 1].shape & CAPITAL or on.row[at - 1].mode == LOW:
            known = keyed(on, at - 1, self.keyed_titles)
            if known is not None:
                return known.cues[0]
            return self.titles.get(on.word(at - 1).lower())
        word = on.word(at - 1)
        return self.titles.get(word.lower()) if word in self.short_titles else None

    cdef Told cue_before(self, Cut on, Py_ssize_t at):
        if not at or not on.row[at - 1].says & BEFORE:
            return None
        cdef Keyed known = keyed(on, at - 1, self.keyed_before)
        if known is not None and stands_alone(known, on, at - 2):
            return self.fitting(on, known.cues, at - 1, at)
        cdef str phrase = on.phrase(at - 1, at)
        cdef Py_ssize_t reach = self.longest_before.get(phrase, 0)
        cdef Py_ssize_t place = at - 1, furthest = max(0, at - reach)
        cdef Told longest = None, cue
        while place >= furthest:
            cue = self.fitting(on, self.before.get(phrase, ()), place, at)
            if cue is not None:
                longest = cue
            place -= 1
            if place < furthest or on.row[place].gap == PART:
                break
            phrase = f"{on.phrase(place, place + 1)} {phrase}"
        return longest

    cdef Told fitting(self, Cut on, tuple cues, Py_ssize_t place, Py_ssize_t at):
        """The first of some cues from `place` that holds for what stands between it and a name."""
        cdef int gap = on.row[at - 1].gap
        cdef Told cue
        for cue in cues:
            if cue.holds(gap) or (
                cue.holds(COLON) and (gap == SPACE or gap == OTHER) and asks_widely(on, place, at)
            ):
                return cue
        return None

    cdef Told cue_after(self, Cut on, Py_ssize_t first, Py_ssize_t last):
        cdef Py_ssize_t at = last, size, longest
        if at >= on.count:
            return None
        if on.row[at - 1].gap == COLON and speaks(on, first, last):
            return self.speaker
        cdef bint said = on.row[at].says & AFTER
        cdef bint next_is_number = at + 1 < on.count and on.row[at + 1].shape & NUMBER
        if not said and not next_is_number and not on.row[at].shape & NUMBER:
            return None
        cdef int gap = gap_behind(on, at - 1)
        cdef Told cue
        cdef Keyed known = keyed(on, at, self.keyed_after) if said else None
        if known is not None and stands_alone(known, on, at + 1):
            for cue in known.cues:
                if cue.holds(gap):
                    return cue
        elif said:
            longest = self.longest_after.get(on.phrase(at, at + 1), 0)
            for size in range(min(longest, on.count - at), 0, -1):
                for cue in self.after.get(on.phrase(at, at + size), ()):
                    if cue.holds(gap):
                        return cue
        if next_is_number and on.word(at).lower() in self.articles:
            at += 1
        if on.row[at].shape & NUMBER and gap != LINE and gap != DOT and gap != PART:
            return self.aged if self.is_age(on, at) else None
        return None

    cdef bint is_age(self, Cut on, Py_ssize_t at):
        cdef Py_ssize_t start = on.row[at].start
        if not may_be_age(on.text, start):
            return False
        found = self.age(on.text[start : min(start + 16, len(on.text))])
        if found is None or int(found[1]) > OLDEST:
            return False
        if found[3]:
            return start > 1 and on.text[start - 2 : start] == ", "
        return not found[2] or (start > 0 and on.text[start - 1] == u"(")

    cdef bint healer(self, Cut on, Py_ssize_t at):
        if on.row[at - 1].gap != SPACE and on.row[at - 1].gap != COMMA:
            return False
        cdef Py_ssize_t start = on.row[at].start, end = on.row[at].end, more
        for more in (3, 2, 0):
            known = self.healers.get(on.text[start : min(end + more, len(on.text))])
            if known is not None:
                return known
        return False


# Places: localities.py.


cdef bint one_name(Cut on, Py_ssize_t first, Py_ssize_t last, frozenset saints):
    cdef Py_ssize_t at
    cdef int gap
    for at in range(first, last - 1):
        gap = on.row[at].gap
        if gap != SPACE and gap != HYPHEN:
            if gap != DOT or on.word(at).lower() not in saints:
                return False
    return on.row[first].mode == LOW or on.row[last - 1].shape & (CAPITAL | NUMBER)


cdef bint is_told(Cut on, Py_ssize_t first, Py_ssize_t last):
    if first and (on.row[first - 1].gap == COLON or on.row[first - 1].says & PLACE_CUE):
        return True
    if last >= on.count or not on.row[last].shape & CAPITAL:
        return False
    return on.row[last - 1].gap == COMMA or on.row[last - 1].gap == SPACE


cdef struct Single:  # a word that was met, and what it is as the name of a place
    uint64_t hash
    int64_t place  # in the list; -1: not there
    double ambiguity


cdef struct Hanging:  # the first of some names that hang together, and how far they go
    Py_ssize_t first
    Py_ssize_t last
    int64_t place
    Py_ssize_t reach
    Py_ssize_t done  # beginnings that were looked at


cdef tuple longer(tuple one, tuple other):
    """Of two names the longer, or the first."""
    cdef Py_ssize_t length = <Py_ssize_t>one[1] - <Py_ssize_t>one[0]
    return other if <Py_ssize_t>other[1] - <Py_ssize_t>other[0] > length else one


MET = np.dtype([("hash", "u8"), ("place", "i8"), ("ambiguity", "f8")])


@cython.final
cdef class Localities:
    """PlaceFinder's judgement; what it is made of comes from there."""

    cdef Towns towns
    cdef Catalogue names
    cdef object is_state, kind
    cdef type mention
    cdef dict peopled  # what is said of so many people
    cdef frozenset cues, labels, saints
    cdef dict longest_cue
    cdef list keyed_cues  # the same by keys of the lexicon
    cdef tuple rules
    cdef Single[::1] singles

    def __init__(self, *, towns, names, is_state, mention, kind, cues, labels, saints, longest_cue,
                 keyed):
        self.towns, self.names = towns, names
        self.is_state, self.mention, self.kind = is_state, mention, kind
        self.cues, self.labels, self.saints = cues, labels, saints
        self.longest_cue = longest_cue
        self.keyed_cues = [one and Keyed(*one) for one in keyed]
        self.peopled = {}
        singles = np.zeros(1 << SINGLE_BITS, MET)
        singles["place"] = -1  # no list holds the hash 0
        self.singles = singles
        self.rules = tuple([f"place-{kind}" for kind in self.towns.kinds])

    cpdef list find(self, Cut on, object part):
        """A Mention for each listed name that is a place here: the longest of those that overlap.

        A name of one word is one only where the page has not been told otherwise. What no sign tears
        is looked for first, for `judge` believes nothing else; all names only around such a one.
        """
        check_page(on)
        cdef list found = []
        cdef Hanging names = Hanging(-1, 0, -1, 0, 0)
        cdef list cluster = None  # two names or more that hang together
        cdef Py_ssize_t one, number, here, many = self.likely(on)
        for one in range(many):
            here = on.scratch[one]
            if here < names.done or not self.is_here(on, here):
                continue
            number = self.earliest_over(on, here, names.done)
            while number < on.begun and (number <= here or on.begun_at[number] < names.reach):
                cluster = self.names_at(on, number, &names, cluster, part, found)
                number += 1
            names.done = number
        self.settle(on, names.first, names.last, names.place, cluster, part, found)
        return found

    @property
    def first_words(self):
        """For each beginning of a hash: how many words the longest name has."""
        return self.names.starters

    cdef Py_ssize_t likely(self, Cut on) except -1:
        """Note the beginnings where a name may stand by their first word, and say how many.

        By themselves, and nothing depends on an answer: all are asked while the first is on its way.
        """
        cdef const uint8_t[::1] starters = self.names.starters
        cdef int32_t[::1] into = on.scratch
        cdef Word[::1] row = on.row
        cdef Word *word
        cdef Py_ssize_t number, many = 0
        cdef int longest
        cdef bint owned, alone
        for number in range(on.begun):
            word = &row[on.begun_at[number]]
            longest = starters[<Py_ssize_t>(word.hash >> STARTER_SHIFT)]
            owned = word.shape & POSSESSIVE != 0
            alone = (word.asked == 0) | (word.name & PLACE != 0)
            into[many] = <int32_t>number
            many += owned | (alone & (longest > 0)) | ((longest > 1) & (JOINING >> word.gap & 1))
        return many

    cdef inline bint may_stand_alone(self, Cut on, Py_ssize_t at) except -1:
        """A word that was asked for and is no place is none by itself."""
        cdef Word *word = &on.row[at]
        return not word.asked or word.name & PLACE or word.shape & POSSESSIVE

    cdef bint is_here(self, Cut on, Py_ssize_t number) except -1:
        """Whether a name begins at a word that no sign tears, written as a name is."""
        cdef Catalogue names = self.names
        cdef Py_ssize_t first = on.begun_at[number], at = first
        cdef uint64_t run = names.begun(on, first)
        cdef Py_ssize_t longest = names.starters[<Py_ssize_t>(run >> STARTER_SHIFT)]
        cdef bint low = on.row[first].mode == LOW
        cdef int gap
        if longest == 0:
            return False
        if self.may_stand_alone(on, first) and self.single(on, first, run) >= 0:
            return True
        while True:
            gap = on.row[at].gap
            at += 1
            if at >= first + longest or at >= on.count or (
                gap != SPACE and gap != HYPHEN and gap != DOT
            ):
                return False
            run = run * Q + names.begun(on, at)
            if (low or on.row[at].shape & (CAPITAL | NUMBER)) and names.place(run) >= 0:
                return True

    cdef Py_ssize_t earliest_over(self, Cut on, Py_ssize_t number, Py_ssize_t done) except -1:
        """The first beginning, not before `done`, of names that lie over each other and this one."""
        cdef Catalogue names = self.names
        cdef Py_ssize_t before = number, first = on.begun_at[number], at, end, start
        cdef uint64_t run
        while before > done and on.begun_at[before - 1] > first - names.longest:
            before -= 1
            start = at = on.begun_at[before]
            run = names.begun(on, start)
            end = start + names.starters[<Py_ssize_t>(run >> STARTER_SHIFT)]
            if end <= first:
                continue
            while at + 1 < end and at + 1 < on.count and on.row[at].gap != PART:
                at += 1
                run = run * Q + names.begun(on, at)
                if at >= first and names.place(run) >= 0:
                    number, first = before, start
                    break
        return number

    cdef list names_at(self, Cut on, Py_ssize_t number, Hanging *names, list cluster, object part,
                       list found):
        """Take the names that begin at a word; what they do not hang together with is settled."""
        cdef Py_ssize_t first = on.begun_at[number], at = first
        cdef uint64_t run = self.names.begun(on, first)
        cdef Py_ssize_t end = first + self.names.starters[<Py_ssize_t>(run >> STARTER_SHIFT)]
        cdef int64_t place
        while at < end and at < on.count and (at == first or on.row[at - 1].gap != PART):
            if at > first:
                run = run * Q + self.names.begun(on, at)
                place = self.names.place(run)
            else:
                place = self.single(on, first, run) if self.may_stand_alone(on, first) else -1
            at += 1
            if place < 0:
                continue
            if first >= names.reach:
                self.settle(on, names.first, names.last, names.place, cluster, part, found)
                names.first, names.last, names.place, cluster = first, at, place, None
            elif cluster is None:
                cluster = [(names.first, names.last, names.place), (first, at, place)]
            else:
                cluster.append((first, at, place))
            names.reach = max(names.reach, at)
        return cluster

    cdef int64_t single(self, Cut on, Py_ssize_t at, uint64_t run) except? -2:
        """Where a word by itself stands in the list; -1 too if it is as likely something else here.

        `judge` says so in the end, and of names that overlap a single word is never the longest.
        """
        cdef Single *one = &self.singles[<size_t>(run >> (64 - SINGLE_BITS))]
        if one.hash != run:
            one.hash, one.place, one.ambiguity = run, self.names.place(run), 0.0
            if one.place >= 0:
                one.ambiguity = self.towns.listed(one.place, run, True).ambiguity
        if one.ambiguity >= CLEAR_PLACE and is_plain(on, at, at + 1) and not is_told(on, at, at + 1):
            return -1
        return one.place

    cdef int settle(self, Cut on, Py_ssize_t first, Py_ssize_t last, int64_t place, list cluster,
                    object part, list found) except -1:
        """Judge one name, or the longest of some."""
        if cluster is None:
            if first >= 0:
                one = self.judge(on, first, last, place, part)
                if one is not None:
                    found.append(one)
            return 0
        if len(cluster) == 2:  # as nearly always; one of them lies over the other
            first, last, place = longer(cluster[0], cluster[1])
            return self.settle(on, first, last, place, None, part, found)
        for first, last, place in self.names.longest_first(cluster):
            self.settle(on, first, last, place, None, part, found)
        return 0

    cdef object judge(self, Cut on, Py_ssize_t first, Py_ssize_t last, int64_t place, object part):
        """A Mention of a name that stands at some place in the list, or None."""
        cdef int behind = 0
        cdef Standing known
        if not one_name(on, first, last, self.saints):
            return None
        if last - first == 1:
            if on.row[first].says & (NEVER | STREET):
                return None
            if on.row[first].shape & ALL_CAPS and on.row[first].mode == PLAIN:
                return None
        if is_plain(on, first, last):
            known = self.towns.listed(place, on.whole(first), last - first == 1)
        else:
            known = self.towns.by_name(on.phrase(first, last))
            if not known.known:
                return None
        if known.ambiguity >= CLEAR_PLACE and not is_told(on, first, last):
            return None
        if last < on.count and (on.row[last - 1].gap == SPACE or on.row[last - 1].gap == HYPHEN):
            behind = on.row[last].says
        if behind & (STREET | THING) or (behind & INSTITUTION and on.row[last].shape & CAPITAL):
            if on.row[first].mode != LOW:
                return None
        cdef Py_ssize_t state = self.state_behind(on, last)
        cdef str kind = self.towns.kinds[known.kind]
        why, confidence = self.evidence(on, first, kind, known.ambiguity, state > last)
        if why is None:
            return None
        if state == last and known.kind <= WIDEST_KIND:
            confidence = min(confidence, WIDE_CONFIDENCE)
        start, end = on.original(on.row[first].start, on.row[state - 1].end)
        told = self.peopled.get(known.population)
        if told is None:
            if len(self.peopled) >= REMEMBERED:
                self.peopled.clear()
            told = self.peopled[known.population] = f"population {known.population}"
        evidence = (why, kind, told)
        return mention_of(
            self.mention, self.kind, part, start, end, confidence, self.rules[known.kind], evidence,
            NO_WORD, NO_WORD, NO_WORD, NO_WORD, NO_RECORD,
        )

    cdef tuple evidence(self, Cut on, Py_ssize_t first, str kind, double ambiguity, bint state):
        """Why it is a place, or None, and how sure."""
        cdef bint low = on.row[first].mode == LOW
        if state and not low and kind != "country":
            return "state", 0.9
        if first and on.row[first - 1].gap == COLON and self.labelled(on, first):
            return "label", 0.9
        if ambiguity < (CLEAR_PLACE if low else PLAIN_PLACE) and self.cued(on, first):
            return "preposition", 0.85
        if low or ambiguity >= CLEAR_PLACE:
            return None, 0.0
        if on.row[first].mode == CAPS and ambiguity > CLEAR_PLACE / 2:
            return None, 0.0
        return "gazetteer", 0.7

    cdef bint cued(self, Cut on, Py_ssize_t first):
        if not first or not on.row[first - 1].says & PLACE_CUE or on.row[first - 1].gap != SPACE:
            return False
        cdef Keyed known = keyed(on, first - 1, self.keyed_cues)
        if known is not None and (known.longest == 1 or known.cues):
            return len(known.cues) > 0
        cdef Py_ssize_t size, longest = self.longest_cue.get(on.phrase(first - 1, first), 0)
        for size in range(1, min(longest, first) + 1):
            if on.phrase(first - size, first) in self.cues:
                return True
        return False

    cdef bint labelled(self, Cut on, Py_ssize_t first):
        cdef Py_ssize_t size
        for size in range(1, min(3, first) + 1):
            if on.phrase(first - size, first) in self.labels:
                return True
        return False

    cdef Py_ssize_t state_behind(self, Cut on, Py_ssize_t last):
        cdef Py_ssize_t size
        cdef Standing known
        if last >= on.count or not on.row[last].shape & CAPITAL:
            return last
        if on.row[last - 1].gap != COMMA and on.row[last - 1].gap != SPACE:
            return last
        if on.row[last].shape & ALL_CAPS and letters(on, last) == STATE_LETTERS:
            return last + 1 if self.is_state(on.word(last)) else last
        if on.row[last - 1].gap != COMMA:
            return last
        for size in (2, 1):
            if last + size <= on.count and one_name(on, last, last + size, self.saints):
                known = self.towns.named(on, last, last + size)
                if known.known and known.kind <= WIDEST_KIND:
                    return last + size
        return last


# Houses: institutions.py.


@cython.final
cdef class Houses:
    """InstitutionFinder: houses by their lists, their words and their saints."""

    cdef Towns towns
    cdef Catalogue facilities, known
    cdef const uint8_t[::1] starters  # of both lists: one bit each
    cdef list facility_kinds, known_kinds  # of each entry
    cdef object institution, merged, provider, organisation
    cdef type mention, house
    cdef dict provider_rules, other_rules  # by what speaks for a house
    cdef frozenset saints, connectors, leading, firms, centres, town_houses, carers, dull
    cdef tuple sure  # how sure: listed, dull, made of words, called after a saint

    def __init__(self, *, towns, listed, kinds, institution, house, merged, mention, provider,
                 organisation, saints, connectors, leading, firms, centres, town_houses, carers,
                 dull, sure):
        check_record(house, HOUSE)
        check_record(mention, MENTION)
        self.provider_rules, self.other_rules = {}, {}
        self.towns = towns
        self.facilities, self.known = listed
        of_facilities, of_known = (np.asarray(one.starters) != 0 for one in (
            self.facilities, self.known,
        ))
        self.starters = of_facilities.astype(np.uint8) | of_known.astype(np.uint8) << 1
        self.facility_kinds, self.known_kinds = kinds
        self.institution, self.house, self.merged, self.mention = institution, house, merged, mention
        self.provider, self.organisation = provider, organisation
        self.saints, self.connectors, self.leading, self.firms = saints, connectors, leading, firms
        self.centres, self.town_houses = centres, town_houses
        self.carers, self.dull, self.sure = carers, dull, sure

    cpdef list find(self, Cut on, object part):
        """Mentions of houses; what overlaps is one house."""
        check_page(on)
        cdef list houses = []
        cdef Py_ssize_t first, last
        self.in_lists(on, houses)
        for first, last, kind in self.made(on):
            houses.append(self.named(first, last, self.sure[2], ("institution", kind)))
        for first in self.saints_in(on):
            houses.append(self.named(first - 1, first + 1, self.sure[3], ("saint", "hospital")))
        if not houses:
            return houses
        if not are_apart(houses):
            houses = self.merged(houses)
        return [self.told(on, as_tuple(house), part) for house in houses]

    cdef object named(self, Py_ssize_t first, Py_ssize_t last, object sure, tuple evidence):
        """A House."""
        cdef tuple one = new_record(self.house, HOUSE)
        set_field(one, 0, first)
        set_field(one, 1, last)
        set_field(one, 2, sure)
        set_field(one, 3, evidence)
        return one

    cdef int in_lists(self, Cut on, list houses) except -1:
        """Listed names. Few texts hold one, so first those are looked for that no sign tears.

        Whether a longer one lies over such a name, torn or not, is asked only around it.
        """
        cdef list facilities = [], known = []
        cdef Py_ssize_t one, number, many = self.likely(on)
        cdef int either
        for one in range(many):
            number = on.scratch[one]
            either = self.starters[<Py_ssize_t>(
                self.known.begun(on, on.begun_at[number]) >> STARTER_SHIFT
            )]
            if either & 1 and self.facilities.is_here(on, number):
                facilities.append(number)
            if either & 2 and self.known.is_here(on, number):
                known.append(number)
        if facilities:
            self.listed(on, self.facilities.around(on, facilities), self.facility_kinds, houses)
        if known:
            self.listed(on, self.known.around(on, known), self.known_kinds, houses)
        return 0

    @property
    def first_words(self):
        """For each beginning of a hash: which lists have a name."""
        return self.starters

    cdef Py_ssize_t likely(self, Cut on) except -1:
        """Note the beginnings that the first word of a house may have, and say how many."""
        cdef int32_t[::1] into = on.scratch
        cdef Word[::1] row = on.row
        cdef Word *word
        cdef Py_ssize_t number, many = 0
        for number in range(on.begun):
            word = &row[on.begun_at[number]]
            into[many] = <int32_t>number
            many += (word.shape & POSSESSIVE != 0) | (
                self.starters[<Py_ssize_t>(word.hash >> STARTER_SHIFT)] != 0
            )
        return many

    cdef int listed(self, Cut on, list spans, list kinds, list houses) except -1:
        cdef Py_ssize_t first, last, row
        for first, last, row in spans:
            if one_name(on, first, last, self.saints) and believable(on, first, last):
                kind = kinds[row]
                if kind in self.dull:
                    houses.append(self.named(first, last, self.sure[1], ("listed", kind)))
                else:
                    last = self.rightwards(on, last - 1)
                    houses.append(self.named(first, last, self.sure[0], ("listed", kind)))
        return 0

    cdef object told(self, Cut on, tuple house, object part):
        """A house as a mention."""
        cdef Py_ssize_t last = self.with_town(on, house[1]), first = house[0]
        cdef Py_ssize_t start, end = on.row[last - 1].end
        cdef tuple evidence = house[3]
        if on.row[last - 1].shape & POSSESSIVE:
            end += 2
        start, end = on.original(on.row[first].start, end)
        cdef dict rules = self.other_rules
        kind = self.organisation
        if evidence[len(evidence) - 1] in self.carers:
            kind, rules = self.provider, self.provider_rules
        rule = rules.get(evidence[0])
        if rule is None:
            rule = rules[evidence[0]] = f"{kind.value}-{evidence[0]}"
        return mention_of(
            self.mention, kind, part, start, end, house[2], rule, evidence,
            NO_WORD, NO_WORD, NO_WORD, NO_WORD, NO_RECORD,
        )

    cdef Py_ssize_t with_town(self, Cut on, Py_ssize_t last):
        cdef Py_ssize_t size
        cdef Standing known
        if last >= on.count or on.row[last - 1].gap != COMMA or not on.row[last].shape & CAPITAL:
            return last
        for size in (2, 1):
            if last + size <= on.count and one_name(on, last, last + size, self.saints):
                known = self.towns.named(on, last, last + size)
                if known.known and known.ambiguity < CLEAR_TOWN:
                    return last + size
        return last

    cdef list made(self, Cut on):
        found = []
        cdef Py_ssize_t at, first, last, done = -1
        for at in on.houses:
            if at < done or letters(on, at) < SHORTEST_HOUSE:
                continue
            if not on.row[at].shape & CAPITAL and not self.belongs_to_town(on, at):
                continue
            first, last = self.leftwards(on, at), self.rightwards(on, at)
            if last == at + 1 and not on.is_english(at):
                last = self.onwards(on, at)
            if not self.distinctive(on, first, last) and not visited(on, first, last):
                continue
            kind = self.institution(on.phrase(first, last)) or self.institution(on.word(at))
            if kind is None and on.word(last - 1).lower() in self.centres:
                kind = "clinic"
            if kind is not None:
                found.append((first, last, kind))
                done = last
        return found

    cdef list saints_in(self, Cut on):
        found = []
        cdef Py_ssize_t at
        for at in on.owners:
            if at and (on.row[at - 1].gap == SPACE or on.row[at - 1].gap == DOT):
                if on.word(at - 1) in ("St", "Saint"):
                    found.append(at)
        return found

    cdef bint belongs_to_town(self, Cut on, Py_ssize_t at):
        if not at or on.row[at - 1].name & (PLACE | WORD) != PLACE:
            return False
        if on.row[at].mode != PLAIN or on.row[at - 1].gap != SPACE:
            return False
        return on.word(at) in self.town_houses

    cdef bint tied(self, Cut on, Py_ssize_t at):
        cdef int gap = on.row[at].gap
        if gap == SPACE or gap == HYPHEN:
            return True
        if gap == DOT:
            return on.word(at).lower() in self.saints
        return gap == OTHER and on.text[on.row[at].end : on.row[at + 1].start].strip() == "&"

    cdef Py_ssize_t leftwards(self, Cut on, Py_ssize_t at):
        cdef Py_ssize_t first = at, before
        while first > 0 and at - first < LONGEST_HOUSE and self.tied(on, first - 1):
            before = first - 1
            if on.row[before].shape & (CAPITAL | NUMBER) == CAPITAL:
                first = before
            elif (before > 0 and on.row[before - 1].shape & CAPITAL and self.tied(on, before - 1)
                  and on.word(before) in self.connectors):
                first = before - 1
            else:
                break
        while first < at and on.word(first).lower() in self.leading:
            first += 1
        return first

    cdef Py_ssize_t rightwards(self, Cut on, Py_ssize_t at):
        cdef Py_ssize_t last = at + 1
        while last < on.count and last - at < LONGEST_HOUSE and self.tied(on, last - 1):
            if on.row[last].shape & CAPITAL and (
                on.row[last].says & INSTITUTION
                or on.row[last].name & PLACE
                or on.word(last) in ("Health", "Medicine")
            ):
                last += 1
            elif (last + 1 < on.count and on.row[last + 1].shape & CAPITAL
                  and on.word(last) in ("of", "for") and self.tied(on, last)):
                last += 2
            else:
                break
        if last < on.count and on.row[last - 1].gap == COMMA and on.word(last).lower() in self.firms:
            last += 1
        return last

    cdef Py_ssize_t onwards(self, Cut on, Py_ssize_t at):
        cdef Py_ssize_t last = at + 1
        while last < on.count and last - at < LONGEST_HOUSE and self.tied(on, last - 1):
            if on.row[last].shape & CAPITAL:
                if on.row[last].says & (STREET | TITLE):
                    break
            elif not on.row[last].says & PARTICLE:
                break
            last += 1
        while last > at + 1 and not on.row[last - 1].shape & CAPITAL:
            last -= 1
        return last

    cdef bint distinctive(self, Cut on, Py_ssize_t first, Py_ssize_t last):
        cdef Py_ssize_t at
        for at in range(first, last):
            if not on.row[at].shape & CAPITAL or on.row[at].says & (INSTITUTION | VAGUE):
                continue
            if on.row[at].mode == CAPS or on.row[last - 1].shape & ALL_CAPS:
                if on.row[at].name & WORD or not on.row[at].name & (PLACE | FIRST | LAST):
                    continue
            if on.word(at).lower() not in self.connectors:
                return True
        return False


cdef bint are_apart(list houses) except -1:
    """Whether each begins where the one before ends, or later."""
    cdef Py_ssize_t reach = -1
    cdef tuple one
    for house in houses:
        one = as_tuple(house)
        if <Py_ssize_t>one[0] < reach:
            return False
        reach = one[1]
    return True


cdef bint believable(Cut on, Py_ssize_t first, Py_ssize_t last):
    cdef bint single = last - first == 1
    cdef bint cued = first > 0 and on.row[first - 1].says & PLACE_CUE and (
        on.row[first - 1].gap == SPACE
    )
    if on.row[first].mode == LOW:
        return cued and not single
    if single and not on.row[first].shape & ALL_CAPS:
        return cued and on.row[first].mode == PLAIN
    return True


cdef bint visited(Cut on, Py_ssize_t first, Py_ssize_t last):
    if last - first < 2 or not first or on.row[first].mode != PLAIN:
        return False
    if on.row[last - 1].shape & ALL_CAPS or not on.row[first].shape & CAPITAL:
        return False
    return on.row[first - 1].gap == SPACE and on.word(first - 1) in ("at", "to")


cpdef list look(Judge judge, Localities places, Houses houses, Cut on, object part):
    """People, places and houses, one after another."""
    cdef list found = judge.find(on, part)
    found += places.find(on, part)
    found += houses.find(on, part)
    return found


# What is made of all mentions of a part: claims.py.


cdef tuple as_tuple(object one):
    """A named tuple, to be asked by place."""
    if not isinstance(one, tuple):
        raise TypeError(type(one))
    return <tuple>one


cdef inline tuple fields_of(object one):
    """A Mention or a Finding, of which no field is asked beyond the least of both."""
    if not isinstance(one, tuple) or len(<tuple>one) < FINDING:
        raise TypeError(type(one))
    return <tuple>one


cdef struct Stand:  # a mention, and of what claims its place what goes furthest
    int64_t start
    int64_t end
    double confidence
    int64_t begun
    int64_t reach  # where it begins itself: nothing does
    double sure
    int64_t name  # whether it is of a person


STAND = np.dtype([
    ("start", "i8"), ("end", "i8"), ("confidence", "f8"), ("begun", "i8"), ("reach", "i8"),
    ("sure", "f8"), ("name", "i8"),
])


@cython.final
cdef class Prints:
    """Findings of the mentions of one document, each with the fingerprint of its name."""

    cdef Stand[::1] row  # room for the mentions of a document
    cdef dict others  # by kind and name: a name comes back more often than a new one
    cdef Marker marker
    cdef object person
    cdef type finding
    cdef dict people  # fingerprints by first and last name
    cdef dict families  # the last that bore a last name: first name and fingerprint

    def __init__(self, person, finding, Marker marker not None):
        self.people, self.families, self.others = {}, {}, {}
        check_record(finding, FINDING)
        self.person, self.finding, self.marker = person, finding, marker
        self.row = np.empty(MENTIONS, STAND)

    def settle(self, findings, list mentions not None, str text not None, frozenset kinds,
               double floor, double loose):
        """The mentions of a document that stand, and all findings: those that stand, and these."""
        cdef list told = None, kept = mentions
        if self.take(mentions):
            told = self.claimed(findings, len(mentions), kinds, loose)
            kept = self.unclaimed(mentions)
        else:
            told = outside_names(findings, [mentions], kinds, self.person, loose)
            kept = without(mentions, told[:]) if told else mentions
        self.add_findings(kept, text, floor, told)
        self.people.clear()  # the next document has names of its own
        self.families.clear()
        self.others.clear()
        return tuple(kept), tuple(told)

    cdef bint take(self, list mentions) except -1:
        """Note where mentions stand; whether they are in order, and none over another."""
        cdef Py_ssize_t at, count = len(mentions)
        cdef int64_t reach = 0
        cdef tuple one
        cdef Stand *stand
        if count > self.row.shape[0]:
            self.row = np.empty(2 * count, STAND)
        for at in range(count):
            one = fields_of(mentions[at])
            stand = &self.row[at]
            stand.start, stand.end = field(one, 2), field(one, 3)
            if stand.start < reach or stand.end < stand.start:
                return False
            reach = stand.end
            stand.confidence, stand.name = field(one, 4), field(one, 0) is self.person
            stand.begun, stand.reach, stand.sure = 0, stand.start, 0.0
        return True

    cdef list claimed(self, findings, Py_ssize_t count, frozenset kinds, double loose):
        """`outside_names` of one part, and what the findings that stand claim of its mentions."""
        cdef list told = []
        cdef tuple one
        cdef Py_ssize_t at = 0, near
        cdef int64_t start, end
        cdef Stand *stand
        cdef object kind, last_kind = None  # most are of the kind of the one before
        cdef bint asked = False
        for finding in findings:
            one = fields_of(finding)
            kind, start, end = field(one, 0), field(one, 3), field(one, 4)
            if kind is not last_kind:
                last_kind, asked = kind, kind in kinds
            at = self.begun_by(start, at, count)
            if at and asked:
                stand = &self.row[at - 1]
                if stand.end >= end and stand.end - stand.start > end - start and (
                    stand.name and stand.confidence > loose
                ):
                    continue
            told.append(finding)
            near = at - (at > 0)
            while near < count and self.row[near].start < end:
                stand = &self.row[near]
                if stand.end > start and (
                    end > stand.reach or (end == stand.reach and start < stand.begun)
                ):
                    stand.begun, stand.reach, stand.sure = start, end, field(one, 5)
                near += 1
        return told

    cdef inline Py_ssize_t begun_by(self, int64_t place, Py_ssize_t at, Py_ssize_t count) except -1:
        """How many mentions begin at a place or before, by how many did at another."""
        cdef Py_ssize_t low = at, high = count, middle
        if at and self.row[at - 1].start > place:
            low, high = 0, at
        else:  # most findings come in order
            while low < count and low < at + NEAR:
                if self.row[low].start > place:
                    return low
                low += 1
        while low < high:
            middle = (low + high) // 2
            if self.row[middle].start <= place:
                low = middle + 1
            else:
                high = middle
        return low

    cdef list unclaimed(self, list mentions):
        """Those that nothing surer claims; the list given if all are."""
        cdef Py_ssize_t at, count = len(mentions)
        cdef list kept = None
        cdef Stand *stand
        for at in range(count):
            stand = &self.row[at]
            if stand.reach > stand.start and not stand.sure < stand.confidence:
                if kept is None:
                    kept = mentions[:at]
            elif kept is not None:
                kept.append(mentions[at])
        return mentions if kept is None else kept

    cpdef list findings(self, list mentions, str text, double floor):
        """A Finding for each Mention that is sure enough."""
        cdef list found = []
        self.add_findings(mentions, text, floor, found)
        return found

    cdef int add_findings(self, list mentions, str text, double floor, list found) except -1:
        cdef tuple one
        cdef str first, last
        for mention in mentions:
            one = fields_of(mention)
            if <double>field(one, 4) < floor:
                continue
            kind, first, last = field(one, 0), field(one, 8), field(one, 9)
            if kind is self.person and (first or last):
                print_ = self.person_of(kind, first, last)
            else:
                known = (kind, (first + last) or text[field(one, 2) : field(one, 3)])
                print_ = self.others.get(known)
                if print_ is None:
                    print_ = self.others[known] = self.marker.mark(kind, known[1])
            found.append(finding_of(self.finding, one, print_))
        return 0

    cdef object person_of(self, object kind, str first, str last):
        """The fingerprint of somebody: most are called as the last one with that last name was."""
        cdef tuple family = self.families.get(last)
        if family is not None and <str>family[0] == first:
            return family[1]
        known = (first, last)
        print_ = self.people.get(known)
        if print_ is None:
            print_ = self.people[known] = self.marker.mark(kind, first + last)
        self.families[last] = (first, print_)
        return print_


cpdef list in_order(list mentions):
    """Mentions sorted by where they start, of which the first many are in order as they come.

    People are found in order, and before all else; of two that start together the first stays first.
    """
    cdef Py_ssize_t at, start, before = -1, count = len(mentions)
    for at in range(count):
        start = as_tuple(mentions[at])[2]
        if start < before:
            break
        before = start
    else:
        return mentions
    cdef list first = mentions[:at], rest = mentions[at:], merged = []
    rest.sort(key=START)
    cdef Py_ssize_t place = 0, next_ = as_tuple(rest[0])[2]
    for one in first:
        start = as_tuple(one)[2]
        while next_ < start:
            merged.append(rest[place])
            place += 1
            next_ = as_tuple(rest[place])[2] if place < len(rest) else FAR
        merged.append(one)
    return merged + rest[place:]


cdef list united(list people, list places, list houses, object settle):
    """`resolved` of what three finders found, each in order: they are walked once, side by side."""
    cdef list winners = [], cluster = None  # two or more that hang together
    cdef Py_ssize_t person = 0, place = 0, house = 0
    cdef int64_t at_person = start_of(people, 0), at_place = start_of(places, 0)
    cdef int64_t at_house = start_of(houses, 0), start, end, reach = -1
    cdef object mention
    while True:
        # of those that start together people come first, and houses last
        if at_person <= at_place and at_person <= at_house:
            start = at_person
            if start == FAR:
                break
            mention = people[person]
            person += 1
            at_person = start_of(people, person)
            if at_person < start:
                return resolved(people + places + houses, settle)
        elif at_place <= at_house:
            start, mention = at_place, places[place]
            place += 1
            at_place = start_of(places, place)
            if at_place < start:
                return resolved(people + places + houses, settle)
        else:
            start, mention = at_house, houses[house]
            house += 1
            at_house = start_of(houses, house)
            if at_house < start:
                return resolved(people + places + houses, settle)
        end = field(<tuple>mention, 3)
        if start < reach:
            if cluster is None:
                cluster = [winners.pop()]
            cluster.append(mention)
            reach = max(reach, end)
            continue
        if cluster is not None:
            winners += settled(cluster, settle)
            cluster = None
        winners.append(mention)
        reach = end
    return winners if cluster is None else winners + settled(cluster, settle)


cdef inline int64_t start_of(list mentions, Py_ssize_t place) except -1:
    """Where a mention starts, or FAR behind the last."""
    return field(fields_of(mentions[place]), 2) if place < len(mentions) else FAR


cdef list settled(list cluster, object settle):
    """`settle` of overlap.py: of two that overlap the surer stands, then the longer, then the first."""
    if len(cluster) != 2:
        return settle(cluster)
    cdef tuple one = fields_of(cluster[0]), other = fields_of(cluster[1])
    cdef double sure = field(one, 4), as_sure = field(other, 4)
    cdef int64_t length = <int64_t>field(one, 3) - <int64_t>field(one, 2)
    cdef int64_t as_long = <int64_t>field(other, 3) - <int64_t>field(other, 2)
    if length <= 0 or as_long <= 0:
        return settle(cluster)
    if as_sure > sure or (as_sure == sure and as_long > length):
        return [cluster[1]]
    return [cluster[0]]


cpdef list resolved(list mentions, object settle):
    """Mentions in order, none over another: resolve of overlap.py, which settles what overlaps."""
    cdef list winners = [], cluster = None  # two or more that hang together
    cdef Py_ssize_t start, end, reach = -1
    cdef tuple one
    for mention in in_order(mentions):
        one = as_tuple(mention)
        start, end = one[2], one[3]
        if start < reach:
            if cluster is None:
                cluster = [winners.pop()]
            cluster.append(mention)
            reach = max(reach, end)
            continue
        if cluster is not None:
            winners += settled(cluster, settle)
            cluster = None
        winners.append(mention)
        reach = end
    return winners if cluster is None else winners + settled(cluster, settle)


cpdef list without(list mentions, list busy):
    """Mentions, but for those that something surer claims; both are walked once."""
    cdef list kept = []
    cdef tuple one
    cdef Py_ssize_t place = 0, reach = 0, end, next_ = FAR
    cdef double sure = 0.0
    busy.sort(key=BEGIN)
    if busy:
        next_ = as_tuple(busy[0])[3]
    for mention in mentions:
        one = as_tuple(mention)
        end = one[3]
        while next_ < end:
            claim = as_tuple(busy[place])
            if claim[4] > reach:
                reach, sure = claim[4], claim[5]
            place += 1
            next_ = as_tuple(busy[place])[3] if place < len(busy) else FAR
        if reach <= <Py_ssize_t>one[2] or sure < <double>one[4]:
            kept.append(mention)
    return kept


cpdef list outside_names(findings, list found, frozenset kinds, object person, double loose):
    """Findings but for those of some kinds that are only a word of somebody's name.

    `found` has the Mentions of each part, in order and none over another.
    """
    cdef list kept = [], mentions
    cdef tuple one, name
    cdef Py_ssize_t low = 0, high, middle, start, end
    cdef object kind, last_kind = None  # most are of the kind of the one before
    cdef bint asked = False
    for finding in findings:
        one = as_tuple(finding)
        kind = one[0]
        if kind is not last_kind:
            last_kind, asked = kind, kind in kinds
        if asked:
            mentions, start, end = found[one[2]], one[3], one[4]
            low, high = 0, len(mentions)
            while low < high:  # how many begin at `start` or before
                middle = (low + high) // 2
                if (<Py_ssize_t>as_tuple(mentions[middle])[2]) <= start:
                    low = middle + 1
                else:
                    high = middle
            if low:
                name = as_tuple(mentions[low - 1])
                if name[0] is person and covers(name, start, end) and name[4] > loose:
                    continue
        kept.append(finding)
    return kept


cdef bint covers(tuple name, Py_ssize_t start, Py_ssize_t end):
    """Whether a mention reaches to the end of something shorter."""
    cdef Py_ssize_t begun = name[2], ended = name[3]
    return ended >= end and ended - begun > end - start


# Who was named before: roll.py.


cdef bint fits(Cut on, Py_ssize_t at):
    cdef int word = on.row[at].says
    if word & NEVER:
        return False
    if at + 1 < on.count and on.row[at + 1].says & (THING | STREET | INSTITUTION):
        if on.row[at].gap == SPACE or on.row[at].gap == HYPHEN:
            return False
    if word & MONTH and on.is_month(at):
        return False
    if on.row[at].mode != PLAIN:
        return on.row[at].ordinary < SURE
    if not on.row[at].shape & CAPITAL:
        return False
    return on.row[at].ordinary < HARDLY or (at and on.row[at - 1].gap == SPACE)


@cython.final
cdef class Known:
    """The names a document has taught, by their hashes, and where its pages hold them again."""

    cdef dict known
    cdef bytearray maybe
    cdef Hasher hasher

    def __init__(self, dict known not None, Hasher hasher not None):
        self.known, self.hasher = known, hasher
        self.maybe = None

    cpdef enrol(self, list mentions, person, double enrolled, Py_ssize_t shortest, Py_ssize_t most):
        """First and last names of sure mentions of people; who bore a name first keeps it."""
        cdef tuple one
        cdef set taught = set()
        cdef object last = None, first = None  # of the one before: many are named twice in a row
        cdef Py_ssize_t room = most - len(self.known)
        for mention in mentions:
            one = fields_of(mention)
            if field(one, 0) is not person or <double>field(one, 4) < enrolled:
                continue
            if field(one, 9) is not last:
                last = field(one, 9)
                self.teach(last, mention, taught, shortest, room)
            if field(one, 8) is not first:
                first = field(one, 8)
                self.teach(first, mention, taught, shortest, room)

    cdef int teach(
        self, str word, object mention, set taught, Py_ssize_t shortest, Py_ssize_t room
    ) except -1:
        cdef uint64_t key
        if len(word) < shortest or word in taught or len(taught) >= room:
            return 0
        taught.add(word)
        key = self.hasher.of(word)
        self.known.setdefault(key, mention)
        if self.maybe is None:
            self.maybe = bytearray(1 << SPREAD)
        self.maybe[<Py_ssize_t>(key >> (64 - SPREAD))] = 1
        return 0

    cpdef list again(self, Cut on, object part, list taken, int start_at, double confidence,
                     type mention):
        """Mentions of the known, where none of `taken` stands: tuples with a start and an end."""
        check_page(on)
        cdef list found = []
        if self.maybe is None:
            return found
        cdef bytearray maybe = self.maybe
        cdef Py_ssize_t number, at, start, end, place = 0, reach = -1, next_ = FAR
        cdef uint64_t key
        cdef tuple who
        if taken:
            next_ = as_tuple(taken[0])[start_at]
        for number in range(on.able):
            at = on.able_at[number]
            key = on.row[at].hash
            if not maybe[<Py_ssize_t>(key >> (64 - SPREAD))]:
                continue
            start, end = on.row[at].start + on.offset, on.row[at].end + on.offset
            if on.moved:
                start, end = on.original(on.row[at].start, on.row[at].end)
            while next_ <= start:
                reach = as_tuple(taken[place])[start_at + 1]
                place += 1
                next_ = as_tuple(taken[place])[start_at] if place < len(taken) else FAR
            if reach > start or next_ < end:
                continue
            one = self.known.get(key)
            if one is None or not fits(on, at):
                continue
            who = as_tuple(one)
            found.append(mention_of(
                mention, who[0], part, start, end, confidence, "name-again", AGAIN, who[7], who[8],
                who[9], who[10], who[11],
            ))
        return found


@cython.final
cdef class Finder:
    """All that is asked of a text that is one page, in one call: most files are no more."""

    cdef Judge judge
    cdef Localities places
    cdef Houses houses
    cdef Hasher hasher
    cdef object read, settle, person, part
    cdef type mention
    cdef double enrolled, confidence
    cdef Py_ssize_t shortest, most

    def __init__(self, *, finders, read, hasher, settle, person, taught, again, mention):
        check_record(mention, MENTION)
        self.judge, self.places, self.houses = finders
        self.read, self.hasher, self.settle, self.person = read, hasher, settle, person
        self.enrolled, self.shortest, self.most = taught
        self.confidence, self.mention, self.part = again, mention, 0

    def find(self, folded, list known not None, Py_ssize_t limit):
        """Mentions in order, none over another, and whom they teach where the page has them again.

        Some are `known` before anybody looks.
        """
        cdef Cut on = self.read(folded, 0, [])
        cdef list found = known, again
        cdef Known roll
        if known:
            if len(known) < limit:
                found = known + look(self.judge, self.places, self.houses, on, self.part)
            if len(found) > 1:
                found = resolved(found, self.settle)
        elif limit > 0:
            found = united(
                self.judge.find(on, self.part), self.places.find(on, self.part),
                self.houses.find(on, self.part), self.settle,
            )
        if not found or len(found) >= limit:
            return found
        roll = Known({}, self.hasher)
        roll.enrol(found, self.person, self.enrolled, self.shortest, self.most)
        again = roll.again(on, self.part, found, START_AT, self.confidence, self.mention)
        return in_order(found + again) if again else found
