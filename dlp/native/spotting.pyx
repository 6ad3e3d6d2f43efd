# cython: boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True, language_level=3
"""Find the values of all rules in a text: where they may begin, whether they match, what is near.

In: UTF-8 bytes.  Out: hits in the order of their places.

The places come from starts.pyx. At each the machine of the rule (detect/identify/machine.py) is
walked byte by byte; RE2 is asked where a rule has none and where a letter beyond ASCII may go on.
Words near a value are those of cues.pyx, its neighbours those of sifting.pyx. What a validator
answers is Python's affair, once for each value. The twins are Gate.batches, finder.sifted and
finder.weight_of; of `winners` it is overlap.resolve.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from dlp.native.columns cimport first_at_least
from dlp.native.cues cimport Index, Spans
from dlp.native.marking cimport Marker
from dlp.native.records cimport check_record, new_record, set_field
from dlp.native.sifting cimport edges_of, touches
from dlp.native.signs cimport lowest
from dlp.native.starts cimport PARTS, Walk

cdef enum:
    MOST_RULES = 64 * PARTS
    BLOCK = 4096  # as prefilter.py has them; a test compares
    LEAD = 96
    TAIL = 640
    AFTER = 24
    RIGHT_AFTER = 16
    DEAD = 0  # as machine.py has them
    ASK = 1
    FIRST = 2
    MATCHED = 0x8000
    SYMBOLS = 130
    NOTHING = 129
    UNASKED = -1  # how the letters of a block are: nobody has looked,
    STRANGE = 0  # some count as s and k,
    FOREIGN = 1  # some are beyond ASCII,
    PLAIN = 2  # none is
    FEW = 32  # values that hang together and are settled here
    SOME = 64  # values that are put in order here
    OF_HIT = 7  # fields
    OF_FINDING = 11

limits = {"BLOCK": BLOCK, "LEAD": LEAD, "TAIL": TAIL, "AFTER": AFTER, "RIGHT_AFTER": RIGHT_AFTER}
states = {"DEAD": DEAD, "ASK": ASK, "MATCHED": MATCHED, "SYMBOLS": SYMBOLS, "NOTHING": NOTHING}

cdef unsigned char IN_WORD[256]
for _one in range(256):
    IN_WORD[_one] = _one < 0x80 and (chr(_one).isalnum() or _one == 95)


@cython.final
cdef class Spotter:
    cdef Walk starts
    cdef object cues, mended
    cdef object answer, doubt, proofs  # what weighing needs
    cdef list validators, costly, alone, in_context, evidence
    cdef unsigned int pairs[32]  # by the first letter of these words: a bit for each second one
    cdef list unless  # words without which a validator says yes; None: it says so of no value unasked
    cdef list known
    cdef type hit
    cdef Index index
    cdef list values, quick, context
    cdef list alike, places  # what is known of values within matches (values.py)
    cdef int edges[MOST_RULES]
    cdef const unsigned short[::1] table  # of all machines, by state and column
    cdef const unsigned char[:, ::1] classes  # by rule and byte: the column
    cdef Py_ssize_t first[MOST_RULES]  # where the states of a rule begin; -1: it has no machine
    cdef Py_ssize_t width[MOST_RULES]
    cdef Py_ssize_t nothing[MOST_RULES]  # the column of the end of a text
    cdef Py_ssize_t reach[MOST_RULES]
    cdef bint needy[MOST_RULES]
    cdef bint grouped[MOST_RULES]  # the value is a part of the match
    cdef signed char letters[2 * MOST_RULES]  # what a list needs for its words to be found here
    cdef bint apart[2 * MOST_RULES]  # no word of a list may begin within another
    cdef Py_ssize_t longest[2 * MOST_RULES]  # bytes of a word of a list, at most
    cdef int rules
    cdef public Py_ssize_t block  # bytes that are read at a time
    # of the text that is read
    cdef bytes raw
    cdef const unsigned char[::1] text
    cdef Py_ssize_t start, stop  # the block and what is near it
    cdef int letters_here
    cdef object reading
    # by rule: what is known of one value (it, whether context is near, its weight), or of many (by the
    # value, without context and with it); None: nobody has asked
    cdef list asked
    cdef unsigned long long asked_of[PARTS]  # a bit for each rule of which anything is known
    cdef Spans spans  # of one rule in a block,
    cdef Spans speaking, refusing  # the words for it and against it
    cdef Spans found  # of all rules in all blocks,
    cdef list weights  # and for each its confidence, evidence, value, kind and rule

    def __init__(self, starts, cues, list values not None, list machines not None, rules, weighing, mended, type hit):
        """`machines`: columns by symbol, their number and the table, or None, in the order of rules.

        `weighing` is finder.Weighing; `mended` reads letters as digits where they stand for some;
        `hit` is what is found in the end.
        """
        cdef Py_ssize_t rule, place = 0
        if len(rules) > MOST_RULES or not len(rules) == len(values) == len(machines):
            raise ValueError("too many rules")
        self.starts, self.cues, self.values = starts, cues, values
        self.spans, self.speaking, self.refusing, self.found = Spans(), Spans(), Spans(), Spans()
        self.answer, self.doubt, self.proofs, costly, evidence, unless = weighing
        self.unless = [[word.encode() for word in unless.get(one.validator, ())] or None for one in rules]
        for place in range(32):
            self.pairs[place] = 0
        for words in unless.values():
            for word in words:
                self.pairs[ord(word[0]) & 31] |= <unsigned int>1 << (ord(word[1]) & 31)
        place = 0
        self.evidence = [evidence[known, proven] for known in (False, True) for proven in (False, True)]
        self.validators = [one.validator for one in rules]
        self.costly = [one.validator in costly for one in rules]
        self.alone, self.in_context = [one.alone for one in rules], [one.in_context for one in rules]
        check_record(hit, OF_HIT)
        self.mended, self.hit = mended, hit
        self.known = [(one.kind, one.id) for one in rules]
        self.index, self.rules, self.block = cues.index, len(rules), BLOCK
        self.asked = [None] * self.rules
        for place in range(PARTS):
            self.asked_of[place] = 0
        place = 0
        self.quick = [one.quick for one in values]
        self.alike, self.places = [one.alike for one in values], [one.places for one in values]
        self.context = cues.plain
        classes = bytearray(256 * len(rules))
        joined, length = [], 0
        for rule in range(self.rules):
            self.reach[rule], self.needy[rule] = rules[rule].reach, not rules[rule].alone
            self.edges[rule] = edges_of(rules[rule].edges)
            self.grouped[rule] = values[rule].grouped
            self.first[rule] = -1
            if machines[rule] is not None:
                columns, self.width[rule], steps = machines[rule]
                self.first[rule], self.nothing[rule] = length // 2, columns[NOTHING]
                classes[256 * rule : 256 * (rule + 1)] = columns[:128] + columns[128:129] * 128
                joined.append(steps)
                length += len(steps)
        for place in range(2 * self.rules):
            self.letters[place], self.longest[place] = letters_needed(cues, place), cues.longest[place]
            self.apart[place] = cues.apart[place]
        self.table = memoryview(b"".join(joined)).cast("H")
        self.classes = memoryview(bytes(classes)).cast("B", (self.rules, 256))

    def find(self, bytes raw not None, tuple apart, Py_ssize_t offset, double floor, settle):
        """The hits in a text; with `settle`, none that overlaps another which is surer.

        `apart`: where bytes and characters run apart, as folding.pyx has it; None: nowhere.
        """
        cdef list hits = []
        cdef Py_ssize_t one
        cdef tuple weight, made
        try:
            for one in self.places_in(raw, apart, floor, settle):
                weight = self.weights[one]  # confidence, evidence, value, kind and rule
                made = new_record(self.hit, OF_HIT)
                set_field(made, 0, weight[3])
                set_field(made, 1, weight[4])
                set_field(made, 2, offset + self.found.starts[one])
                set_field(made, 3, offset + self.found.ends[one])
                set_field(made, 4, weight[0])
                set_field(made, 5, weight[1])
                set_field(made, 6, weight[2])
                hits.append(made)
        finally:
            self.forget()
        return hits

    def tell(self, bytes raw not None, tuple apart, settle, Telling telling not None, Py_ssize_t part):
        """Tell of all that `find` finds in a text, however weak, without making hits of it first."""
        cdef Py_ssize_t one
        cdef tuple weight
        try:
            for one in self.places_in(raw, apart, 0.0, settle):
                weight = self.weights[one]
                telling.add(weight[3], weight[4], part, self.found.starts[one], self.found.ends[one],
                            weight[0], weight[1], weight[2])
        finally:
            self.forget()

    cdef int forget(self) except -1:
        """Nobody keeps a text longer than it is read."""
        self.raw, self.text, self.reading, self.weights = b"", NO_TEXT, None, None
        self.forget_weights()
        return 0

    cdef int forget_weights(self) except -1:
        cdef int part
        for part in range(PARTS):
            while self.asked_of[part]:
                self.asked[64 * part + lowest(self.asked_of[part])] = None
                self.asked_of[part] &= self.asked_of[part] - 1
        return 0

    cdef list places_in(self, bytes raw, tuple apart, double floor, settle):
        """The numbers of those found that stand, in order where `settle` is there to settle."""
        self.read(raw, floor, apart is None)
        if apart is not None and self.found.many:
            lead_back(apart[0], apart[1], self.found)
        return list(range(self.found.many)) if settle is None else in_order(self.found, self.weights, settle)

    cdef int read(self, bytes raw, double floor, bint plain, bint is_mended=False) except -1:
        """Note all values of at least this confidence, and their weights; `plain`: all is ASCII."""
        cdef Py_ssize_t start = 0, end, last, size = len(raw)
        cdef Py_ssize_t reached[MOST_RULES]
        cdef unsigned long long bits
        cdef int rule, part
        plain = plain or raw.isascii()
        for rule in range(self.rules):
            reached[rule] = 0
        self.raw, self.text = raw, raw
        self.weights = []
        self.forget_weights()
        self.found.many = 0
        while start < size:
            end = block_end(raw, start, self.block)
            self.start, self.stop = max(<Py_ssize_t>0, start - LEAD), min(size, end + TAIL)
            self.letters_here = PLAIN if plain else UNASKED
            self.reading = None
            self.starts.read_block(self.text, start, end)
            if self.starts.mixed and not is_mended:
                mended = self.mended(raw)
                if mended is not raw:
                    return self.read(mended, floor, plain, True)
                is_mended = True
            for part in range(PARTS):
                bits = self.starts.asked[part]
                while bits:
                    rule = 64 * part + lowest(bits)
                    bits &= bits - 1
                    # what starts behind the block, label and all, belongs to the next one
                    self.match(rule, max(start, reached[rule]))
                    if not self.spans.many:
                        continue
                    last = self.spans.ends[self.spans.many - 1]
                    # without a word near it a needy value means nothing, wherever else one stands;
                    # but one that reaches into the next block counts there, unless there is none
                    if last > end and self.needy[rule] and not self.read_by_python().has(rule):
                        continue
                    reached[rule] = last
                    self.sift(rule, floor)
            start = end
        return 0

    cdef read_by_python(self):
        if self.reading is None:
            self.reading = self.cues.of(self.raw, (self.start, self.stop))
        return self.reading

    cdef int match(self, int rule, Py_ssize_t start) except -1:
        """Leave in `spans` the values of a rule at the places where it may begin, from `start` on."""
        cdef Py_ssize_t place, end, number = self.starts.opening_of[rule]
        cdef bint is_host = self.quick[rule] is not None and rule == self.starts.host
        self.spans.many = 0
        while number >= 0:
            place = self.starts.places[number]
            number = self.starts.behind[number]
            if place < start:
                continue
            if is_host:
                end = self.starts.end_of_host(self.text, place, self.stop)
            else:
                end = self.end_of(rule, place) if self.first[rule] >= 0 else -2
                if end == -2:
                    end = self.values[rule].end_at(self.raw, place, self.stop)
            if end >= 0:
                start = end
                if self.grouped[rule]:
                    place, end = self.value(rule, place, end)
                self.spans.add(place, end)
        return 0

    cdef (Py_ssize_t, Py_ssize_t) value(self, int rule, Py_ssize_t start, Py_ssize_t end) except *:
        """The value within a match, which is where it is in all that the pattern cannot tell apart."""
        cdef int borders = 2 * (start == 0) + (end >= len(self.raw))
        cdef bytes key = self.raw[max(<Py_ssize_t>0, start - 1) : end + 1].translate(self.alike[rule])
        place = (<dict>(<tuple>self.places[rule])[borders]).get(key)
        if place is None:
            return self.values[rule].value(self.raw, (start, end))
        return start + <Py_ssize_t>(<tuple>place)[0], start + <Py_ssize_t>(<tuple>place)[1]

    cdef Py_ssize_t end_of(self, int rule, Py_ssize_t place) except -3:
        """Where the match that begins here ends; -1: there is none, -2: RE2 knows."""
        cdef Py_ssize_t first = self.first[rule], width = self.width[rule], end = -1
        cdef Py_ssize_t limit = self.stop, column
        cdef unsigned int step, state = FIRST
        cdef const unsigned char *text = &self.text[0]
        if place > 0 and IN_WORD[self.text[place - 1]]:
            state += 1
        while place < limit:  # which is in the text
            step = self.table[first + state * width + self.classes[rule, text[place]]]
            if step & MATCHED:
                end = place
            state = step & (MATCHED - 1)
            if state <= ASK:
                return end if state == DEAD else -2
            place += 1
        column = self.classes[rule, self.text[limit]] if limit < len(self.text) else self.nothing[rule]
        return limit if self.table[first + state * width + column] & MATCHED else end

    cdef int sift(self, int rule, double floor) except -1:
        """Note the spans that stand free and mean something."""
        cdef Py_ssize_t one, start, end, reach = self.reach[rule]
        cdef tuple weight
        cdef bint known
        if not self.leave_untouched(rule):
            return 0
        self.words_near(rule, rule, AFTER, self.speaking)
        self.words_near(self.rules + rule, rule, RIGHT_AFTER, self.refusing)
        for one in range(self.spans.many):
            start, end = self.spans.starts[one], self.spans.ends[one]
            if self.refusing.many and self.refusing.near(start, end, reach, RIGHT_AFTER):
                continue
            known = self.speaking.many and self.speaking.near(start, end, reach, AFTER)
            if not known and self.needy[rule] and not (self.costly[rule] and self.read_by_python().has(rule)):
                continue  # it counts among those weighed only where others may be told of
            weight = self.weight_of(rule, self.raw[start:end], known, floor)
            if weight is not None:
                self.found.add(start, end)
                self.weights.append(weight)
        return 0

    cdef tuple weight_of(self, int rule, bytes value, bint known, double floor):
        """What a value weighs; values repeat where they are many."""
        cdef tuple asked = self.asked[rule], weight
        cdef dict weights
        if asked is None:
            weight = self.weigh(rule, value, known, floor, 0)
            self.asked[rule] = (value, known, weight)
            self.asked_of[rule // 64] |= <unsigned long long>1 << rule % 64
            return weight
        if len(asked) == 3:
            if asked[0] == value and asked[1] == known:
                return asked[2]
            asked = self.asked[rule] = ({}, {asked[0]: asked[2]}) if asked[1] else ({asked[0]: asked[2]}, {})
        weights = asked[known]
        found = weights.get(value, self)
        if found is not self:
            return found
        weight = weights[value] = self.weigh(rule, value, known, floor, len(<dict>asked[0]) + len(<dict>asked[1]))
        return weight

    cdef Py_ssize_t leave_untouched(self, int rule) except -1:
        """Leave the spans that touch nothing; words are read near them alone."""
        cdef Py_ssize_t one, many = 0
        for one in range(self.spans.many):
            if not touches(self.raw, self.spans.starts[one], self.spans.ends[one], self.edges[rule]):
                self.spans.starts[many], self.spans.ends[many] = self.spans.starts[one], self.spans.ends[one]
                many += 1
        self.spans.many = many
        return many

    cdef tuple weigh(self, int rule, bytes value, bint known, double floor, Py_ssize_t others):
        """How sure surroundings and validator make a value; None: not at all.

        `others`: different values of the rule that were weighed before.
        """
        cdef object confidence = self.in_context[rule] if known else self.alone[rule]
        cdef object proven = None
        cdef bint tired = others >= <Py_ssize_t>self.proofs and self.costly[rule]
        if confidence < floor or not confidence:
            return None
        if not tired:
            if self.unless[rule] is not None and self.holds_none(value, self.unless[rule]):
                proven = True
            else:
                proven = self.answer(self.validators[rule], value)
            if not proven:
                confidence *= self.doubt
                if proven is False or confidence < floor:
                    return None
        kind, rule_id = <tuple>self.known[rule]
        evidence = self.evidence[2 * known + (1 if proven else 0)]
        return confidence, evidence, value.decode("utf-8", "replace"), kind, rule_id

    cdef bint holds_none(self, bytes value, list words) except -1:
        """Whether a value is of ASCII and none of the words, in small letters, stands in it in any case."""
        cdef const unsigned char *signs = <const unsigned char *>PyBytes_AS_STRING(value)
        cdef Py_ssize_t place, size = PyBytes_GET_SIZE(value)
        for place in range(size):
            if signs[place] >= 0x80:
                return False
            if place + 1 < size and self.pairs[signs[place] & 31] >> (signs[place + 1] & 31) & 1:
                if stands_at(signs, place, size, words):
                    return False
        return True

    cdef int words_near(self, int number, int rule, Py_ssize_t after, Spans found) except -1:
        """Leave in `found` the words of a list that stand near the spans."""
        cdef Py_ssize_t one
        found.many = 0
        if self.letters[number] > PLAIN:
            return 0
        if self.letters[number] >= 0:
            if self.apart[number] and (
                self.letters_here >= self.letters[number] or self.is_plain_near(rule, after, self.longest[number])
                or self.has_letters(number)
            ):
                return self.index.note_near(
                    self.raw, self.start, self.stop, self.spans, self.reach[rule], after, self.context[number], found)
            if not self.apart[number] and self.has_letters(number):
                self.index.between(
                    self.raw, self.start, self.stop, self.stop, self.context[number], found, True)
                return 0
        spans = [(self.spans.starts[one], self.spans.ends[one]) for one in range(self.spans.many)]
        for start, end in self.read_by_python().near(number, spans, self.reach[rule], after):
            found.add(start, end)
        return 0

    cdef bint has_letters(self, int number) except -1:
        """Whether all letters of the block are such that a list can be looked up here."""
        if self.letters_here == UNASKED:
            self.letters_here = letters_in(self.text, self.start, self.stop)
        return self.letters_here >= self.letters[number]

    cdef bint is_plain_near(self, int rule, Py_ssize_t after, Py_ssize_t longest) except -1:
        """Whether no letter beyond ASCII stands near the spans, nor where a word may begin or end that is near."""
        cdef Py_ssize_t one, place, stop, read = self.start
        for one in range(self.spans.many):
            place = max(read, self.spans.starts[one] - self.reach[rule] - longest)
            stop = min(self.stop, self.spans.ends[one] + after + longest)
            while place < stop:
                if self.text[place] >= 0x80:
                    return False
                place += 1
            read = max(read, place)
        return True


cdef const unsigned char[::1] NO_TEXT = b""


cdef bint stands_at(const unsigned char *signs, Py_ssize_t at, Py_ssize_t size, list words) except -1:
    """Whether one of the words begins at a place below the size, in any case."""
    cdef bytes word
    cdef const unsigned char *wanted
    cdef Py_ssize_t place, length
    for word in words:
        wanted, length = <const unsigned char *>PyBytes_AS_STRING(word), PyBytes_GET_SIZE(word)
        place = 0
        while place < length and at + place < size and in_small(signs[at + place]) == wanted[place]:
            place += 1
        if place == length:
            return True
    return False


cdef inline unsigned char in_small(unsigned char sign) noexcept:
    return sign + 32 if 65 <= sign <= 90 else sign


cdef int letters_needed(cues, Py_ssize_t number) except -2:
    """Which letters a block may hold for a list to be looked up here; -1: Python looks."""
    if not cues.longest[number]:
        return PLAIN + 1
    if cues.plain[number] is None:
        return -1
    return PLAIN if cues.wide[number] else FOREIGN


cdef int letters_in(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except -2:
    cdef Py_ssize_t place
    cdef int found = PLAIN
    for place in range(start, stop):
        if text[place] >= 0x80:
            found = FOREIGN
            if text[place] == 0xC5 and place + 1 < stop and text[place + 1] == 0xBF:
                return STRANGE  # the long s
            if text[place] == 0xE2 and place + 2 < stop and text[place + 1] == 0x84 and text[place + 2] == 0xAA:
                return STRANGE  # the sign of the kelvin
    return found


cdef Py_ssize_t block_end(bytes raw, Py_ssize_t start, Py_ssize_t most) except -1:
    """A block ends at white space where there is any."""
    cdef Py_ssize_t end = min(<Py_ssize_t>len(raw), start + max(<Py_ssize_t>1, most)), gap
    if end == len(raw):
        return end
    gap = max(<Py_ssize_t>raw.rfind(b"\n", start + most // 2, end), <Py_ssize_t>raw.rfind(b" ", end - 256, end))
    return gap + 1 if gap > start else end


cdef int lead_back(const long long[::1] places, const long long[::1] shifts, Spans found) except -1:
    """Lead spans of bytes back to characters of the text as it came."""
    cdef Py_ssize_t one, place
    for one in range(found.many):
        # the last character counts with all that was hidden in it
        place = first_at_least(places, len(places), found.starts[one] + 1)
        if place > 0:
            found.starts[one] -= shifts[place - 1]
        place = first_at_least(places, len(places), found.ends[one])
        if place > 0:
            found.ends[one] -= shifts[place - 1]
    return 0


cdef struct Claim:
    Py_ssize_t start, end
    double confidence
    Py_ssize_t number


cdef inline bint is_better(Claim one, Claim other) noexcept:
    """More confident, else longer, else first; of one place and length, the one noted first."""
    if one.confidence != other.confidence:
        return one.confidence > other.confidence
    if one.end - one.start != other.end - other.start:
        return one.end - one.start > other.end - other.start
    if one.start != other.start:
        return one.start < other.start
    return one.number < other.number


def winners(list starts not None, list ends not None, list weights not None, settle):
    """The numbers of those that stand, in order of place; `settle` is asked where many overlap."""
    return in_order(Spans(zip(starts, ends)), weights, settle)


cdef list in_order(Spans found, list weights, settle):
    cdef Py_ssize_t reach = -1, one
    cdef list won = [], cluster = []
    for one in by_place(found):
        if found.starts[one] < reach:
            cluster.append(one)
            reach = max(reach, found.ends[one])
            continue
        add_settled(won, cluster, found, weights, settle)
        cluster = [one]
        reach = found.ends[one]
    add_settled(won, cluster, found, weights, settle)
    return won


cdef list by_place(Spans found):
    """The numbers of spans in the order of their starts; of one place, the one noted first."""
    cdef Py_ssize_t order[SOME]
    cdef Py_ssize_t one, place
    if found.many > SOME:
        starts = [found.starts[one] for one in range(found.many)]
        return sorted(range(found.many), key=starts.__getitem__)
    for one in range(found.many):
        place = one
        while place > 0 and found.starts[order[place - 1]] > found.starts[one]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = one
    return [order[one] for one in range(found.many)]


cdef int add_settled(list won, list cluster, Spans found, list weights, settle) except -1:
    cdef Claim ranked[FEW]
    cdef Claim claim
    cdef Py_ssize_t many = len(cluster), place, other, chosen = 0
    if many < 2:
        won += cluster
        return 0
    if many > FEW:
        starts, ends = [found.starts[place] for place in cluster], [found.ends[place] for place in cluster]
        best = settle(list(range(many)), starts, ends, [weights[place] for place in cluster])
        won += [cluster[place] for place in best]
        return 0
    for place in range(many):  # the best first
        claim.number = cluster[place]
        claim.start, claim.end = found.starts[claim.number], found.ends[claim.number]
        claim.confidence = (<tuple>weights[claim.number])[0]
        other = place
        while other > 0 and is_better(claim, ranked[other - 1]):
            ranked[other] = ranked[other - 1]
            other -= 1
        ranked[other] = claim
    for place in range(many):  # and what overlaps none of the chosen, in order of place
        claim = ranked[place]
        other = chosen
        while other > 0 and ranked[other - 1].start >= claim.end:
            other -= 1
        if other > 0 and ranked[other - 1].end > claim.start:
            continue
        claim_at(ranked, other, chosen, claim)
        chosen += 1
    for place in range(chosen):
        won.append(ranked[place].number)
    return 0


cdef int claim_at(Claim[FEW] chosen, Py_ssize_t place, Py_ssize_t many, Claim claim) except -1:
    """Put a claim between those chosen; there are never more of them than were looked at."""
    cdef Py_ssize_t one = many
    if not 0 <= place <= many < FEW:
        raise IndexError("claim_at")
    while one > place:
        chosen[one] = chosen[one - 1]
        one -= 1
    chosen[place] = claim
    return 0


@cython.final
cdef class Telling:
    """What is told of hits: all but their values, of which a mark is left.

    The twin is identifiers.Telling. `rest`: what stands before and behind the mark.
    """
    cdef readonly list sure, weak
    cdef dict marks  # by kind and value: those that were there before
    cdef object mark_of, floor, nothing, nothing_said
    cdef Marker marker
    cdef type finding

    def __init__(self, mark_of, type finding not None, floor, tuple rest not None):
        check_record(finding, OF_FINDING)
        self.sure, self.weak, self.marks = [], [], {}
        self.mark_of, self.finding, self.floor = mark_of, finding, floor
        self.marker = mark_of if isinstance(mark_of, Marker) else None
        self.nothing, self.nothing_said = rest

    def tell(self, list hits not None, Py_ssize_t part):
        for kind, rule_id, start, end, confidence, evidence, value in hits:
            self.add(kind, rule_id, part, start, end, confidence, evidence, value)

    cdef int add(self, kind, rule_id, Py_ssize_t part, Py_ssize_t start, Py_ssize_t end,
                 confidence, evidence, value) except -1:
        cdef tuple known = (kind, value), made
        mark = self.marks.get(known)
        if mark is None:
            mark = self.mark_of(kind, value) if self.marker is None else self.marker.mark(kind, value)
            self.marks[known] = mark
        made = new_record(self.finding, OF_FINDING)
        set_field(made, 0, kind)
        set_field(made, 1, rule_id)
        set_field(made, 2, part)
        set_field(made, 3, start)
        set_field(made, 4, end)
        set_field(made, 5, confidence)
        set_field(made, 6, evidence)
        set_field(made, 7, self.nothing)
        set_field(made, 8, self.nothing)
        set_field(made, 9, mark)
        set_field(made, 10, self.nothing_said)
        (self.sure if confidence >= self.floor else self.weak).append(made)
        return 0
