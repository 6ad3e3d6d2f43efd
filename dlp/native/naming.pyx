# cython: language_level=3, boundscheck=True, wraparound=False
"""Judge the runs of words of a page that may be people: the loop of NameFinder, compiled.

In: a View (text, bytes and views of numbers over its words), runs of words, tables of cues.
Out: Mentions of persons, as dlp/detect/naming/names.py and weighing.py make them one by one.

The twin is the reference: whoever changes a rule there changes it here, under the same name. What
few runs ask for (an age, a wide blank) is asked of the twin; so is a run longer than MOST words.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t

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
    SPREAD = 13  # leading bits of a hash that say whether a name may be on the roll

cdef Py_ssize_t FAR = 1 << 62  # beyond any text
cdef double SURE = 0.35
cdef double HARDLY = 0.75
cdef double LONELY = 0.15
cdef double HALF_A_WORD = 0.6
cdef double HALF = 0.5
cdef double FLOOR = 0.5
cdef double CLEAR_PLACE = 0.3
cdef double PLAIN_PLACE = 0.75
cdef double WIDE_CONFIDENCE = 0.4


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
        "turned": {"SURE": SURE, "HARDLY": HARDLY, "SHOUTED": SHOUTED},
        "runs": {"LONELY": LONELY},
        "weighing": {
            "FIRST": FIRST, "LAST": LAST, "WORD": WORD, "PLACE": PLACE,
            "MOSTLY_FIRST": MOSTLY_FIRST, "HALF_A_WORD": HALF_A_WORD, "SHORTEST": SHORTEST,
            "LONGEST_STRANGE": LONGEST_STRANGE,
        },
        "names": {"HALF": HALF, "FLOOR": FLOOR},
        "institutions": {"LONGEST": LONGEST_HOUSE, "SHORTEST": SHORTEST_HOUSE},
        "localities": {
            "CLEAR": CLEAR_PLACE, "PLAIN": PLAIN_PLACE, "WIDE_CONFIDENCE": WIDE_CONFIDENCE,
            "STATE_LETTERS": STATE_LETTERS,
        },
    }


cdef class Told:
    """A cue, with what is asked of it most as numbers."""

    cdef str evidence, role, sex, rule
    cdef tuple only  # it as evidence, if nothing else speaks
    cdef bint any, clear  # what it needs of a name
    cdef bint speech, kinship, clinician, firm
    cdef int gaps  # one bit for each

    def __init__(self, cue):
        self.evidence, self.role, self.sex = cue.evidence, cue.role, cue.sex
        self.only, self.rule = (cue.evidence,), f"name-{cue.evidence}"
        self.any, self.clear = cue.needs == "any", cue.needs == "clear"
        self.speech = cue.evidence == "speech"
        self.kinship = cue.evidence == "kinship"
        self.clinician = cue.evidence == "clinician"
        self.firm = cue.evidence in {"title", "kinship", "self", "salutation"}
        self.gaps = 0
        for gap in cue.gaps:
            self.gaps |= 1 << gap

    cdef bint holds(self, int gap):
        return self.gaps >> gap & 1


cdef dict as_told(cues):
    """Tables of cues as tables of Told; one cue or several stand under a word."""
    return {
        word: Told(some) if hasattr(some, "evidence") else tuple([Told(one) for one in some])
        for word, some in cues.items()
    }


cdef class Words:
    """The lists of one View."""

    cdef object view, page, house
    cdef str text
    cdef bytes gaps, shapes, names, modes
    cdef const int64_t[:] starts
    cdef const int64_t[:] ends
    cdef const uint16_t[:] words
    cdef const double[:] ordinary
    cdef Py_ssize_t count, offset
    cdef bint moved, whole, english

    def __init__(self, view):
        self.page, self.text = view.page, view.text
        self.gaps, self.shapes, self.names = view.gaps, view.shapes, view.names
        self.modes = view.modes
        self.starts, self.ends, self.words = view.starts, view.ends, view.words
        self.ordinary = view.ordinary
        self.count, self.offset = view.count, self.page.offset
        self.moved = self.page.folded.positions is not None
        self.whole, self.english = len(self.page.borders) == 0, view.english

    cdef bint is_english(self, Py_ssize_t at):
        return self.english if self.whole else self.view.is_english(at)

    cdef str word(self, Py_ssize_t at):
        return self.text[self.starts[at] : self.ends[at]]

    cdef str phrase(self, Py_ssize_t first, Py_ssize_t last):
        if last - first == 1 and not self.shapes[first] & POSSESSIVE:
            return self.text[self.starts[first] : self.ends[first]].lower()
        cdef list words = []
        cdef Py_ssize_t at, end
        for at in range(first, last):
            end = self.ends[at] + (2 if self.shapes[at] & POSSESSIVE else 0)
            words.append(self.text[self.starts[at] : min(end, len(self.text))])
        return " ".join(words).lower()

    cdef Py_ssize_t letters(self, Py_ssize_t at):
        return self.ends[at] - self.starts[at]

    cdef bint dotted(self, Py_ssize_t at):
        """Whether a full stop stands right behind a word."""
        cdef Py_ssize_t end = self.ends[at]
        return end < len(self.text) and self.text[end] == u"."

    cdef bint listed(self, Py_ssize_t at):
        return self.names[at] & (FIRST | LAST) != 0

    cdef (Py_ssize_t, Py_ssize_t) original(self, Py_ssize_t start, Py_ssize_t end):
        """Where something of the page stands in its part."""
        if self.moved:
            return self.page.original(start, end)
        return start + self.offset, end + self.offset


cdef Words words_of(view, house):
    """The lists of a View, made once; whoever is done with them lets go of the View again.

    A View that is held by what it holds would outlive its page.
    """
    if view.on is None:
        view.on = Words(view)
    cdef Words on = view.on
    on.view, on.house = view, house
    return on


# The words of a run that are no initials and no particles, as `told_apart` gives them.
cdef struct Apart:
    int whole[MOST]
    int wholes
    int knowns
    int clear[MOST]
    int clears


# What stands beside a name: surroundings.py and turned.py.


cdef bint speaks(Words on, Py_ssize_t first, Py_ssize_t last):
    if last - first > 1 or not on.names[first] & FIRST:
        return False
    cdef Py_ssize_t before = first - 1
    if before >= 0 and on.gaps[before] != LINE and on.gaps[before] != PART:
        if not before or not on.shapes[before] & NUMBER or on.gaps[before] != OTHER:
            return False
    return not on.names[first] & WORD


cdef int gap_behind(Words on, Py_ssize_t at):
    cdef Py_ssize_t behind = on.ends[at] + 1
    if not (on.shapes[at] & SINGLE and on.dotted(at)):
        return on.gaps[at]
    if behind >= len(on.text):
        return OTHER
    return SPACE if on.text[behind] == u" " else COMMA if on.text[behind] == u"," else OTHER


cdef bint is_shouted(Words on, Py_ssize_t last, Py_ssize_t first):
    if first - last != 1 or on.letters(last) < SHOUTED:
        return False
    if on.gaps[last] != SPACE and on.gaps[last] != COMMA:
        return False
    if not on.shapes[last] & ALL_CAPS or on.shapes[first] & (ALL_CAPS | SINGLE):
        return False
    cdef bint family = on.names[last] & LAST or not on.names[last] & WORD
    if on.gaps[last] == COMMA and last and on.gaps[last - 1] == SPACE:
        family = on.names[last] & LAST
    if not family or not on.names[first] & MOSTLY_FIRST or on.ordinary[first] >= SURE:
        return False
    return not on.words[last] & (THING | TITLE | INSTITUTION)


# Runs: runs.py.


cdef bint heads_address(Words on, Py_ssize_t first, Py_ssize_t last):
    if last >= on.count or on.gaps[last - 1] != LINE or not on.shapes[last] & NUMBER:
        return False
    if first and on.gaps[first - 1] != LINE and on.gaps[first - 1] != PART:
        return False
    cdef Py_ssize_t start = on.starts[last]
    return on.house(on.text[start : min(start + 16, len(on.text))]) is not None


cdef bint worth_a_look(Words on, Py_ssize_t first, Py_ssize_t last):
    if first and on.words[first - 1] & BEFORE:
        return True
    cdef Py_ssize_t at
    for at in range(first, last):
        if on.listed(at):
            return True
    if last - first == 1:
        if last >= on.count or not on.words[last] & AFTER:
            return False
        return on.gaps[first] == SPACE and on.is_english(first)
    return on.is_english(first) or heads_address(on, first, last)


cdef bint is_thing(Words on, Py_ssize_t first, Py_ssize_t last):
    cdef int what = on.words[last - 1]
    if what & (THING | INSTITUTION):
        return True
    if last < on.count and on.words[last] & (THING | STREET | INSTITUTION):
        if on.gaps[last - 1] == SPACE or on.gaps[last - 1] == HYPHEN:
            return True
    if not what & STREET or last - first < 2 or not first:
        return False
    return on.shapes[first - 1] & NUMBER and on.gaps[first - 1] == SPACE


cdef bint hardly(Words on, Py_ssize_t at):
    if on.shapes[at] & SINGLE or on.listed(at):
        return False
    return on.names[at] & (WORD | PLACE) != 0


cdef bint leads_in(Words on, Py_ssize_t first, Py_ssize_t last):
    if last - first <= 2 or on.ordinary[first] < HARDLY or on.gaps[first] != SPACE:
        return False
    return on.names[first + 1] & FIRST and on.ordinary[first + 1] < SURE


cdef bint asks_for_last(Words on, Py_ssize_t first, bint bold):
    if bold:
        return on.names[first] & MOSTLY_FIRST != 0
    if not on.names[first] & FIRST or on.ordinary[first] >= SURE:
        return False
    if on.shapes[first + 1] & (CAPITAL | ALL_CAPS) != CAPITAL or on.modes[first] != PLAIN:
        return False
    return on.starts[first + 1] - on.ends[first] == 1


cdef (Py_ssize_t, Py_ssize_t) trimmed(
    Words on, Py_ssize_t first, Py_ssize_t last, bint bold, bint cued
):
    if last - first == 1:
        return (first, last) if bold or not hardly(on, first) else (last, last)
    while first < last and not bold and (hardly(on, first) or leads_in(on, first, last)):
        first += 1
    while last > first + 2 and on.shapes[last - 1] & ALL_CAPS and (
        not on.shapes[last - 2] & (ALL_CAPS | SINGLE)
    ):
        last -= 1
    while last > first + 1 and hardly(on, last - 1) and on.gaps[last - 2] != HYPHEN:
        if last - first == 2 and (bold or cued) and asks_for_last(on, first, bold):
            break
        last -= 1
    return first, last


# How sure: weighing.py.


cdef double weigh(
    Words on, Py_ssize_t first, Py_ssize_t last, Told cue, Told after, bint credential
):
    cdef Apart told = told_apart(on, first, last)
    cdef bint strange
    cdef int at
    if cue is not None and told.wholes and not cue.clear and not doubtful(on, first, last, cue):
        strange = told.wholes > (0 if cue.kinship else 1)
        for at in told.whole[: told.wholes]:
            strange = strange and not on.names[at] & WORD
        if cue.any or told.knowns or strange:
            return 0.95 if told.knowns else 0.8
    cdef double paired = pair(on, first, last, &told) if last - first > 1 else 0.0
    if cue is not None and told.clears:
        if paired:
            return paired
        if on.names[told.clear[0]] & FIRST and fits_alone(on, told.clear[0]):
            return 0.6
    if credential and told.knowns:
        return 0.9
    if after is not None and after.role and told.clears:
        return 0.85
    if paired or told.wholes != 1:
        return paired
    return alone(on, told.whole[0], after, cue)


cdef Apart told_apart(Words on, Py_ssize_t first, Py_ssize_t last):
    """`first` to `last` are MOST words at most."""
    cdef Apart told
    cdef Py_ssize_t at
    told.wholes = told.knowns = told.clears = 0
    for at in range(first, last):
        if on.shapes[at] & SINGLE or on.words[at] & PARTICLE:
            continue
        told.whole[told.wholes] = at
        told.wholes += 1
        if on.listed(at):
            told.knowns += 1
            if on.ordinary[at] < SURE:
                told.clear[told.clears] = at
                told.clears += 1
    return told


cdef bint doubtful(Words on, Py_ssize_t first, Py_ssize_t last, Told cue):
    if last - first != 1 or cue.firm:
        return False
    if cue.any:
        return not on.listed(first) and on.names[first] & WORD
    return on.ordinary[first] > HARDLY or (cue.clinician and on.words[first] & EPONYM)


cdef bint fits_alone(Words on, Py_ssize_t at):
    if on.words[at] & EPONYM or on.letters(at) < SHORTEST:
        return False
    return on.modes[at] != PLAIN or not on.shapes[at] & (ALL_CAPS | MIXED)


cdef double alone(Words on, Py_ssize_t at, Told after, Told before):
    if on.modes[at] != PLAIN:
        return 0.5 if stands_in_any_case(on, at, after is not None) else 0.0
    if on.shapes[at] & ALL_CAPS or on.letters(at) < SHORTEST:
        return 0.0
    cdef int names = on.names[at]
    if (after is not None and after.speech) or (before is not None and before.speech):
        if on.listed(at) or not on.words[at] & EPONYM:
            if not names & WORD and on.is_english(at):
                return 0.6 if on.listed(at) else 0.5
    if not names & FIRST or on.ordinary[at] >= SURE:
        return 0.0
    if not names & MOSTLY_FIRST or on.words[at] & EPONYM:
        return 0.0
    return 0.55 if after is not None else 0.5 if on.ordinary[at] < LONELY else 0.0


cdef bint stands_in_any_case(Words on, Py_ssize_t at, bint told):
    if not on.names[at] & MOSTLY_FIRST or on.ordinary[at] >= LONELY or not fits_alone(on, at):
        return False
    if not (told or on.is_english(at)):
        return False
    if on.gaps[at] == HYPHEN or (at and on.gaps[at - 1] == HYPHEN):
        return False
    if on.letters(at) <= SHORTEST and not (told and on.modes[at] == LOW):
        return False
    return not (at and on.words[at - 1] & STREET)


cdef double pair(Words on, Py_ssize_t first, Py_ssize_t last, Apart *told):
    if told.wholes < 2:
        return with_initial(on, first, last, told)
    if hyphens(on, first, last) == last - 1 - first:
        return 0.0
    cdef int head = told.whole[0], tail = told.whole[told.wholes - 1], at
    if on.letters(head) == on.letters(tail) and on.word(head) == on.word(tail):
        return 0.0
    if on.gaps[head] == COMMA:
        head, tail = told.whole[1], told.whole[0]
        if on.names[head] & PLACE and on.names[tail] & PLACE:
            return 0.0
    if told.wholes == 2 and is_shouted(on, told.whole[0], told.whole[1]):
        return 0.8
    if not (told.clears and on.names[head] & FIRST and on.names[tail] & LAST):
        return strangers(on, first, last, told)
    cdef bint head_clear = False, tail_clear = False
    for at in told.clear[: told.clears]:
        head_clear = head_clear or at == head
        tail_clear = tail_clear or at == tail
    if head_clear and tail_clear:
        return 0.85
    return 0.7 if head_clear or on.ordinary[head] < HARDLY else 0.0


cdef Py_ssize_t hyphens(Words on, Py_ssize_t first, Py_ssize_t last):
    """How many stand within a run."""
    cdef Py_ssize_t at, found = 0
    for at in range(first, last - 1):
        found += on.gaps[at] == HYPHEN
    return found


cdef double with_initial(Words on, Py_ssize_t first, Py_ssize_t last, Apart *told):
    if not told.clears or last - first == 1 or on.shapes[told.clear[0]] & POSSESSIVE:
        return 0.0
    if hyphens(on, first, last):
        return 0.0
    cdef int clear = told.clear[0]
    if on.shapes[first] & SINGLE:
        return 0.6 if on.gaps[first] == DOT and on.names[clear] & LAST else 0.0
    if not on.names[clear] & FIRST or (on.words[clear] & EPONYM and not on.dotted(last - 1)):
        return 0.0
    return 0.75


cdef bint is_rare_last(Words on, Py_ssize_t head, Py_ssize_t tail):
    cdef bint loud = on.modes[head] == CAPS
    if not on.names[head] & MOSTLY_FIRST:
        return False
    if on.ordinary[head] >= (SURE if loud else HALF_A_WORD):
        return False
    if on.gaps[head] != SPACE or on.modes[head] == LOW:
        return False
    if on.names[tail] or on.ordinary[tail]:
        return False
    return not (on.shapes[head] | on.shapes[tail]) & (MIXED if loud else ALL_CAPS | MIXED)


cdef double strangers(Words on, Py_ssize_t first, Py_ssize_t last, Apart *told):
    cdef int head = told.whole[0], tail = told.whole[told.wholes - 1], at
    cdef bint given = on.names[head] & MOSTLY_FIRST and on.ordinary[head] < LONELY
    if told.wholes == 2 and not given and is_rare_last(on, head, tail):
        return 0.6
    if told.wholes > LONGEST_STRANGE or not (on.modes[first] == PLAIN or given):
        return 0.0
    if given and told.wholes == 2 and on.gaps[head] == SPACE:
        return 0.65
    cdef bint places = True
    for at in told.whole[: told.wholes]:
        if on.names[at] & WORD or on.shapes[at] & ALL_CAPS or on.words[at] & (EPONYM | THING):
            return 0.0
        if on.shapes[at] & MIXED and not on.listed(at):
            return 0.0
        places = places and on.names[at] & (PLACE | MOSTLY_FIRST) == PLACE
    if places:
        return 0.0
    if last - first > told.wholes:
        return 0.75
    if on.names[head] & FIRST:
        return 0.65
    if on.names[tail] & LAST or on.names[head] & LAST:
        return 0.6
    return 0.55 if on.is_english(first) or heads_address(on, first, last) else 0.0


# The judge: names.py.


cdef bint is_hopeless(Words on, Py_ssize_t at, Told cue):
    if on.listed(at) and on.ordinary[at] < SURE:
        return False
    if (cue is not None and cue.speech) or on.gaps[at] == COLON:
        return False
    return at + 1 == on.count or not on.words[at + 1] & (AFTER | CREDENTIAL)


cdef tuple given_and_family(Words on, Py_ssize_t first, Py_ssize_t last, bint titled):
    cdef Py_ssize_t at
    cdef int whole[MOST]
    cdef int wholes = 0
    for at in range(first, last):
        if last - first == 1 or on.shapes[at] & CAPITAL or not on.words[at] & PARTICLE:
            whole[wholes] = at
            wholes += 1
    if wholes > 1:
        if on.gaps[whole[0]] == COMMA or is_shouted(on, whole[0], whole[1]):
            return on.word(whole[1]), on.word(whole[0])
        return on.word(whole[0]), on.word(whole[wholes - 1])
    at = whole[0] if wholes else first
    return (on.word(at), "") if on.names[at] & FIRST and not titled else ("", on.word(at))


cdef class Judge:
    """NameFinder's judgement; what it is made of comes from there."""

    cdef dict titles, before, after, longest_before, longest_after, healers
    cdef tuple dictionary  # the evidence when nothing else speaks
    cdef object known, sex, twin, is_age, asks_widely, house, mention, kind
    cdef frozenset short_titles, articles
    cdef str clinician
    cdef Told speaker, aged

    def __init__(self, *, titles, before, after, longest_before, longest_after, healers, known,
                 sex, twin, is_age, asks_widely, house, mention, kind, short_titles, articles,
                 clinician, speaker, aged):
        self.titles, self.before, self.after = as_told(titles), as_told(before), as_told(after)
        self.longest_before, self.longest_after = longest_before, longest_after
        self.healers, self.known, self.sex, self.twin = healers, known, sex, twin
        self.is_age, self.asks_widely, self.house = is_age, asks_widely, house
        self.mention, self.kind = mention, kind
        self.short_titles, self.articles, self.clinician = short_titles, articles, clinician
        self.speaker, self.aged = Told(speaker), Told(aged)
        self.dictionary = ("dictionary",)

    def find(self, view, runs, part):
        """A Mention for each run that is somebody."""
        found = []
        if not view.count:
            return found
        cdef Words on = words_of(view, self.house)
        cdef Py_ssize_t first, last
        for run in runs:
            first, last = run
            one = self.judge(on, first, last, part) if last - first <= MOST else (
                self.twin(view, run, part)
            )
            if one is not None:
                found.append(one)
        on.view = None
        return found

    cdef object judge(self, Words on, Py_ssize_t first, Py_ssize_t last, object part):
        cdef Py_ssize_t begun = first
        cdef int before = on.words[first - 1] if first else 0
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
        cdef int behind = on.words[last] if last < on.count else 0
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

    cdef str role(self, Words on, Py_ssize_t first, Told cue, Told after, Told title,
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

    cdef object made(self, Words on, Py_ssize_t first, Py_ssize_t last, object part,
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
        given, family = given_and_family(on, first, last, cue is not None and cue.evidence == "title")
        cdef str sex = cue.sex if cue is not None else ""
        if not sex and given:
            sex = self.sex(given)
        cdef Py_ssize_t start = on.starts[first], end = on.ends[last - 1]
        if last - first > 1 and on.shapes[last - 1] & SINGLE and on.dotted(last - 1):
            end += 1
        start, end = on.original(start, end)
        return tuple.__new__(self.mention, (
            self.kind, part, start, end, confidence, rule, evidence, role, given, family, sex, -1,
        ))

    cdef bint is_place(self, Words on, Py_ssize_t first, Py_ssize_t last):
        cdef Py_ssize_t at
        if on.modes[first] != PLAIN and last - first == 1 and first and (
            on.gaps[first - 1] == SPACE
        ):
            if self.known(on.phrase(first - 1, last)) is not None:
                return True
        for at in range(first, last):
            if on.names[at] & PLACE:
                known = self.known(on.phrase(first, last))
                return known is not None and known.ambiguity < (HALF if last - first == 1 else 1)
        return False

    cdef Told title(self, Words on, Py_ssize_t at):
        if not at or not on.words[at - 1] & TITLE:
            return None
        if on.gaps[at - 1] != SPACE and on.gaps[at - 1] != DOT:
            return None
        if at > 1 and on.shapes[at - 2] & NUMBER and on.shapes[at - 1] & ALL_CAPS:
            return None
        cdef str word = on.word(at - 1)
        if not on.shapes[at - 1] & CAPITAL and on.modes[at - 1] != LOW:
            if word not in self.short_titles:
                return None
        return self.titles.get(word.lower())

    cdef Told cue_before(self, Words on, Py_ssize_t at):
        if not at or not on.words[at - 1] & BEFORE:
            return None
        cdef str phrase = on.phrase(at - 1, at)
        cdef Py_ssize_t reach = self.longest_before.get(phrase, 0)
        cdef Py_ssize_t place = at - 1, furthest = max(0, at - reach)
        cdef int gap = on.gaps[at - 1]
        cdef Told longest = None, cue
        while place >= furthest:
            for cue in self.before.get(phrase, ()):
                if cue.holds(gap) or (
                    cue.holds(COLON) and (gap == SPACE or gap == OTHER)
                    and self.asks_widely(on.view, place, at)
                ):
                    longest = cue
                    break
            place -= 1
            if place < furthest or on.gaps[place] == PART:
                break
            phrase = f"{on.phrase(place, place + 1)} {phrase}"
        return longest

    cdef Told cue_after(self, Words on, Py_ssize_t first, Py_ssize_t last):
        cdef Py_ssize_t at = last, size, longest
        if at >= on.count:
            return None
        if on.gaps[at - 1] == COLON and speaks(on, first, last):
            return self.speaker
        cdef bint said = on.words[at] & AFTER
        cdef bint next_is_number = at + 1 < on.count and on.shapes[at + 1] & NUMBER
        if not said and not next_is_number and not on.shapes[at] & NUMBER:
            return None
        cdef int gap = gap_behind(on, at - 1)
        cdef Told cue
        if said:
            longest = self.longest_after.get(on.phrase(at, at + 1), 0)
            for size in range(min(longest, on.count - at), 0, -1):
                for cue in self.after.get(on.phrase(at, at + size), ()):
                    if cue.holds(gap):
                        return cue
        if next_is_number and on.word(at).lower() in self.articles:
            at += 1
        if on.shapes[at] & NUMBER and gap != LINE and gap != DOT and gap != PART:
            return self.aged if self.is_age(on.view, at) else None
        return None

    cdef bint healer(self, Words on, Py_ssize_t at):
        if on.gaps[at - 1] != SPACE and on.gaps[at - 1] != COMMA:
            return False
        cdef Py_ssize_t start = on.starts[at], end = on.ends[at], more
        for more in (3, 2, 0):
            known = self.healers.get(on.text[start : min(end + more, len(on.text))])
            if known is not None:
                return known
        return False


# Places: localities.py.


cdef bint one_name(Words on, Py_ssize_t first, Py_ssize_t last, frozenset saints):
    cdef Py_ssize_t at
    cdef int gap
    for at in range(first, last - 1):
        gap = on.gaps[at]
        if gap != SPACE and gap != HYPHEN:
            if gap != DOT or on.word(at).lower() not in saints:
                return False
    return on.modes[first] == LOW or on.shapes[last - 1] & (CAPITAL | NUMBER)


cdef bint is_told(Words on, Py_ssize_t first, Py_ssize_t last):
    if first and (on.gaps[first - 1] == COLON or on.words[first - 1] & PLACE_CUE):
        return True
    if last >= on.count or not on.shapes[last] & CAPITAL:
        return False
    return on.gaps[last - 1] == COMMA or on.gaps[last - 1] == SPACE


cdef class Localities:
    """PlaceFinder's judgement; what it is made of comes from there."""

    cdef object known, is_state, mention, kind
    cdef frozenset cues, labels, wide, saints
    cdef dict longest_cue, rules

    def __init__(self, *, known, is_state, mention, kind, cues, labels, wide, saints, longest_cue):
        self.known, self.is_state, self.mention, self.kind = known, is_state, mention, kind
        self.cues, self.labels, self.wide, self.saints = cues, labels, wide, saints
        self.longest_cue = longest_cue
        self.rules = {}

    def find(self, view, spans, part):
        """A Mention for each listed name that is a place here."""
        found = []
        if not spans:
            return found
        cdef Words on = words_of(view, None)
        cdef Py_ssize_t first, last
        for first, last in spans:
            one = self.judge(on, first, last, part)
            if one is not None:
                found.append(one)
        on.view = None
        return found

    cdef object judge(self, Words on, Py_ssize_t first, Py_ssize_t last, object part):
        cdef int behind = 0
        if not one_name(on, first, last, self.saints):
            return None
        if last - first == 1:
            if on.words[first] & (NEVER | STREET):
                return None
            if on.shapes[first] & ALL_CAPS and on.modes[first] == PLAIN:
                return None
        known = self.known(on.phrase(first, last))
        if known is None:
            return None
        cdef double ambiguity = known.ambiguity
        if ambiguity >= CLEAR_PLACE and not is_told(on, first, last):
            return None
        if last < on.count and (on.gaps[last - 1] == SPACE or on.gaps[last - 1] == HYPHEN):
            behind = on.words[last]
        if behind & (STREET | THING) or (behind & INSTITUTION and on.shapes[last] & CAPITAL):
            if on.modes[first] != LOW:
                return None
        cdef Py_ssize_t state = self.state_behind(on, last)
        cdef str kind = known.kind
        why, confidence = self.evidence(on, first, kind, ambiguity, state > last)
        if why is None:
            return None
        if state == last and kind in self.wide:
            confidence = min(confidence, WIDE_CONFIDENCE)
        start, end = on.original(on.starts[first], on.ends[state - 1])
        rule = self.rules.get(kind)
        if rule is None:
            rule = self.rules[kind] = f"place-{kind}"
        evidence = (why, kind, f"population {known.population}")
        return tuple.__new__(self.mention, (
            self.kind, part, start, end, confidence, rule, evidence, "", "", "", "", -1,
        ))

    cdef tuple evidence(self, Words on, Py_ssize_t first, str kind, double ambiguity, bint state):
        """Why it is a place, or None, and how sure."""
        cdef bint low = on.modes[first] == LOW
        if state and not low and kind != "country":
            return "state", 0.9
        if first and on.gaps[first - 1] == COLON and self.labelled(on, first):
            return "label", 0.9
        if ambiguity < (CLEAR_PLACE if low else PLAIN_PLACE) and self.cued(on, first):
            return "preposition", 0.85
        if low or ambiguity >= CLEAR_PLACE:
            return None, 0.0
        if on.modes[first] == CAPS and ambiguity > CLEAR_PLACE / 2:
            return None, 0.0
        return "gazetteer", 0.7

    cdef bint cued(self, Words on, Py_ssize_t first):
        if not first or not on.words[first - 1] & PLACE_CUE or on.gaps[first - 1] != SPACE:
            return False
        cdef Py_ssize_t size, longest = self.longest_cue.get(on.phrase(first - 1, first), 0)
        for size in range(1, min(longest, first) + 1):
            if on.phrase(first - size, first) in self.cues:
                return True
        return False

    cdef bint labelled(self, Words on, Py_ssize_t first):
        cdef Py_ssize_t size
        for size in range(1, min(3, first) + 1):
            if on.phrase(first - size, first) in self.labels:
                return True
        return False

    cdef Py_ssize_t state_behind(self, Words on, Py_ssize_t last):
        cdef Py_ssize_t size
        if last >= on.count or not on.shapes[last] & CAPITAL:
            return last
        if on.gaps[last - 1] != COMMA and on.gaps[last - 1] != SPACE:
            return last
        if on.shapes[last] & ALL_CAPS and on.letters(last) == STATE_LETTERS:
            return last + 1 if self.is_state(on.word(last)) else last
        if on.gaps[last - 1] != COMMA:
            return last
        for size in (2, 1):
            if last + size <= on.count and one_name(on, last, last + size, self.saints):
                known = self.known(on.phrase(last, last + size))
                if known is not None and known.kind in self.wide:
                    return last + size
        return last


# Houses: institutions.py.


cdef class Houses:
    """InstitutionFinder's names made of "Hospital" or "University of"; its lists come from there."""

    cdef object institution
    cdef frozenset saints, connectors, leading, firms, centres, town_houses

    def __init__(self, *, institution, saints, connectors, leading, firms, centres, town_houses):
        self.institution, self.saints, self.connectors = institution, saints, connectors
        self.leading, self.firms, self.centres = leading, firms, centres
        self.town_houses = town_houses

    def find(self, view):
        """First and last word (half open) and kind of each; words that are saints with a house."""
        cdef Words on = words_of(view, None)
        told = self.made(on), self.saints_in(on)
        on.view = None
        return told

    cdef list made(self, Words on):
        found = []
        cdef Py_ssize_t at, first, last, done = -1
        for at in range(on.count):
            if not on.words[at] & INSTITUTION or at < done or on.letters(at) < SHORTEST_HOUSE:
                continue
            if not on.shapes[at] & CAPITAL and not self.belongs_to_town(on, at):
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

    cdef list saints_in(self, Words on):
        found = []
        cdef Py_ssize_t at
        for at in range(1, on.count):
            if on.shapes[at] & (POSSESSIVE | CAPITAL) == POSSESSIVE | CAPITAL:
                if on.gaps[at - 1] == SPACE or on.gaps[at - 1] == DOT:
                    if on.word(at - 1) in ("St", "Saint"):
                        found.append(at)
        return found

    cdef bint belongs_to_town(self, Words on, Py_ssize_t at):
        if not at or on.names[at - 1] & (PLACE | WORD) != PLACE:
            return False
        if on.modes[at] != PLAIN or on.gaps[at - 1] != SPACE:
            return False
        return on.word(at) in self.town_houses

    cdef bint tied(self, Words on, Py_ssize_t at):
        cdef int gap = on.gaps[at]
        if gap == SPACE or gap == HYPHEN:
            return True
        if gap == DOT:
            return on.word(at).lower() in self.saints
        return gap == OTHER and on.text[on.ends[at] : on.starts[at + 1]].strip() == "&"

    cdef Py_ssize_t leftwards(self, Words on, Py_ssize_t at):
        cdef Py_ssize_t first = at, before
        while first > 0 and at - first < LONGEST_HOUSE and self.tied(on, first - 1):
            before = first - 1
            if on.shapes[before] & (CAPITAL | NUMBER) == CAPITAL:
                first = before
            elif (before > 0 and on.shapes[before - 1] & CAPITAL and self.tied(on, before - 1)
                  and on.word(before) in self.connectors):
                first = before - 1
            else:
                break
        while first < at and on.word(first).lower() in self.leading:
            first += 1
        return first

    cdef Py_ssize_t rightwards(self, Words on, Py_ssize_t at):
        cdef Py_ssize_t last = at + 1
        while last < on.count and last - at < LONGEST_HOUSE and self.tied(on, last - 1):
            if on.shapes[last] & CAPITAL and (
                on.words[last] & INSTITUTION
                or on.names[last] & PLACE
                or on.word(last) in ("Health", "Medicine")
            ):
                last += 1
            elif (last + 1 < on.count and on.shapes[last + 1] & CAPITAL
                  and on.word(last) in ("of", "for") and self.tied(on, last)):
                last += 2
            else:
                break
        if last < on.count and on.gaps[last - 1] == COMMA and on.word(last).lower() in self.firms:
            last += 1
        return last

    cdef Py_ssize_t onwards(self, Words on, Py_ssize_t at):
        cdef Py_ssize_t last = at + 1
        while last < on.count and last - at < LONGEST_HOUSE and self.tied(on, last - 1):
            if on.shapes[last] & CAPITAL:
                if on.words[last] & (STREET | TITLE):
                    break
            elif not on.words[last] & PARTICLE:
                break
            last += 1
        while last > at + 1 and not on.shapes[last - 1] & CAPITAL:
            last -= 1
        return last

    cdef bint distinctive(self, Words on, Py_ssize_t first, Py_ssize_t last):
        cdef Py_ssize_t at
        for at in range(first, last):
            if not on.shapes[at] & CAPITAL or on.words[at] & (INSTITUTION | VAGUE):
                continue
            if on.modes[at] == CAPS or on.shapes[last - 1] & ALL_CAPS:
                if on.names[at] & WORD or not on.names[at] & (PLACE | FIRST | LAST):
                    continue
            if on.word(at).lower() not in self.connectors:
                return True
        return False


cdef bint visited(Words on, Py_ssize_t first, Py_ssize_t last):
    if last - first < 2 or not first or on.modes[first] != PLAIN:
        return False
    if on.shapes[last - 1] & ALL_CAPS or not on.shapes[first] & CAPITAL:
        return False
    return on.gaps[first - 1] == SPACE and on.word(first - 1) in ("at", "to")


# What is made of all mentions of a part: claims.py.


cdef tuple as_tuple(object one):
    """A named tuple, to be asked by place."""
    if not isinstance(one, tuple):
        raise TypeError(type(one))
    return <tuple>one


def findings(list mentions, str text, dict prints, double floor, finding, fingerprint, key):
    """A Finding for each Mention that is sure enough; `prints` remembers those of each name."""
    found = []
    cdef tuple one
    cdef str first, last
    for mention in mentions:
        one = as_tuple(mention)
        if one[4] < floor:
            continue
        kind, start, end, first, last = one[0], one[2], one[3], one[8], one[9]
        if first or last:
            known = (kind, first, last)
        else:
            known = (kind, text[start:end])
        seen = prints.get(known)
        if seen is None:
            value = f"{first} {last}".strip() if first or last else text[start:end]
            seen = prints[known] = fingerprint(key, kind, value)
        found.append(tuple.__new__(finding, (
            kind, one[5], one[1], start, end, one[4], one[6], "", "", seen, frozenset(),
        )))
    return found


def outside_names(findings, list found, frozenset kinds, person, double loose):
    """Findings but for those of some kinds that are only a word of somebody's name.

    `found` has the Mentions of each part, in order and none over another.
    """
    kept = []
    cdef list mentions
    cdef tuple one, name
    cdef Py_ssize_t low, high, middle, start, end
    for finding in findings:
        one = as_tuple(finding)
        if one[0] in kinds:
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
                if covers(name, start, end) and name[0] is person and name[4] > loose:
                    continue
        kept.append(finding)
    return kept


cdef bint covers(tuple name, Py_ssize_t start, Py_ssize_t end):
    """Whether a mention reaches to the end of something shorter."""
    cdef Py_ssize_t begun = name[2], ended = name[3]
    return ended >= end and ended - begun > end - start


# Who was named before: roll.py.


def taught(mentions, person, double enrolled, Py_ssize_t shortest):
    """First and last names of sure mentions of people, and who bore each first."""
    found = {}
    cdef tuple one
    for mention in mentions:
        one = as_tuple(mention)
        if one[0] is person and one[4] >= enrolled:
            for word in (one[9], one[8]):
                if len(<str?>word) >= shortest:
                    found.setdefault(word, mention)
    return found


cdef bint fits(Words on, Py_ssize_t at, is_month):
    cdef int word = on.words[at]
    if word & NEVER:
        return False
    if at + 1 < on.count and on.words[at + 1] & (THING | STREET | INSTITUTION):
        if on.gaps[at] == SPACE or on.gaps[at] == HYPHEN:
            return False
    if word & MONTH and is_month(on.view, at):
        return False
    if on.modes[at] != PLAIN:
        return on.ordinary[at] < SURE
    if not on.shapes[at] & CAPITAL:
        return False
    return on.ordinary[at] < HARDLY or (at and on.gaps[at - 1] == SPACE)


def again(view, part, list taken, dict known, double confidence, mention, is_month):
    """Mentions of the known (by hashes of their names), where no span of `taken` stands."""
    found = []
    cdef Words on = words_of(view, None)
    cdef const uint64_t[:] hashes = view.page.tokens.hashes
    cdef bytes asked = view.page.asked.tobytes()
    cdef bytearray maybe = bytearray(1 << SPREAD)
    cdef Py_ssize_t at, start, end
    cdef Py_ssize_t place = 0, reach = -1, next_ = taken[0][0] if taken else FAR
    cdef uint64_t key
    cdef tuple who
    for key in known:
        maybe[<Py_ssize_t>(key >> (64 - SPREAD))] = 1
    for at in range(on.count):
        if not asked[at]:
            continue
        key = hashes[at]
        if not maybe[<Py_ssize_t>(key >> (64 - SPREAD))]:
            continue
        start, end = on.original(on.starts[at], on.ends[at])
        while next_ <= start:
            reach = taken[place][1]
            place += 1
            next_ = taken[place][0] if place < len(taken) else FAR
        if reach > start or next_ < end:
            continue
        one = known.get(key)
        if one is None:
            continue
        if not fits(on, at, is_month):
            continue
        who = as_tuple(one)
        found.append(tuple.__new__(mention, (
            who[0], part, start, end, confidence, "name-again", ("again",), who[7], who[8], who[9],
            who[10], who[11],
        )))
    on.view = None
    return found
