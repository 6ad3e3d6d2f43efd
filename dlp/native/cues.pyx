# cython: boundscheck=True, wraparound=False, language_level=3
"""Find the words of many lists in a text by reading it once, or only what stands near some spans.

In: phrases by their first word (lower case: letters and digits, or one other sign), UTF-8 bytes, a
window.  Out: which lists have a phrase in the window; or where the phrases of one list stand.

A phrase is written in ASCII and lower case, a blank in it stands for one to three white spaces. The
twin is the pattern of cues.any_word: of phrases that begin at one place the first in a list counts.
"""

cimport cython

from dlp.native.columns cimport first_at_least, longer, room_for

cdef enum:
    FEW = 64  # spans there is room for at first

cdef unsigned char IN_WORD[256]
cdef unsigned char IS_SPACE[256]
cdef unsigned char IN_SMALL[256]
for _one in range(256):
    IN_WORD[_one] = _one < 0x80 and (chr(_one).isalnum() or _one == 95)
    IS_SPACE[_one] = _one in b"\t\n\f\r "  # as RE2 has it
    IN_SMALL[_one] = _one + 32 if 65 <= _one <= 90 else _one


cdef inline unsigned int slot_of(unsigned int first, unsigned int second, unsigned int last, unsigned int size):
    return (first * 1031 + second * 193 + last * 29 + size * 569) % SLOTS


@cython.final
cdef class Spans:
    def __init__(self, pairs=()):
        self.starts, self.ends = room_for(FEW), room_for(FEW)
        for start, end in pairs:
            self.add(start, end)

    cdef int add(self, Py_ssize_t start, Py_ssize_t end) except -1:
        if self.many == len(self.starts):
            self.starts, self.ends = longer(self.starts), longer(self.ends)
        self.starts[self.many], self.ends[self.many] = start, end
        self.many += 1
        return 0

    cdef bint near(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t reach, Py_ssize_t after) except -1:
        """Whether one of these stands so near before a span or behind it; the twin is Words.near."""
        cdef Py_ssize_t place = first_at_least(self.ends, self.many, start + 1)
        if place > 0 and self.starts[place - 1] >= start - reach:
            return True
        place = first_at_least(self.starts, self.many, end)
        return place < self.many and self.ends[place] <= end + after


@cython.final
cdef class Index:
    def __init__(self, list words not None):
        cdef Py_ssize_t number
        cdef bytes word
        cdef unsigned int slot
        if len(words) > FULL:
            raise ValueError("too many words")
        self.words = words
        for number in range(SLOTS):
            self.slots[number] = 0
        for number in range(256):
            self.signs[number] = 0
        for number in range(len(words)):
            word = words[number]
            if not 0 < len(word) <= LONGEST:
                raise ValueError("a word too long")
            if len(word) == 1 and not IN_WORD[<unsigned char>word[0]]:
                self.signs[<unsigned char>word[0]] = <short>(number + 1)
                continue
            slot = slot_of(word[0], word[len(word) > 1], word[len(word) - 1], len(word))
            while self.slots[slot]:
                slot = (slot + 1) % SLOTS
            self.slots[slot] = <short>(number + 1)

    cdef int number_of(self, bytes raw, Py_ssize_t start, Py_ssize_t end, unsigned int slot) except -2:
        """Which word stands here; -1: none of them."""
        cdef bytes word
        cdef Py_ssize_t place
        while self.slots[slot]:
            word = self.words[self.slots[slot] - 1]
            if len(word) == end - start:
                place = 0
                while place < len(word) and IN_SMALL[<unsigned char>raw[start + place]] == <unsigned char>word[place]:
                    place += 1
                if place == len(word):
                    return self.slots[slot] - 1
            slot = (slot + 1) % SLOTS
        return -1

    def lists_with(self, bytes raw not None, Py_ssize_t start, Py_ssize_t end, list phrases not None):
        """The lists with a phrase in the window, one bit each; `phrases`: by first word, with bits."""
        cdef Py_ssize_t place = start
        cdef int number
        cdef object found = 0
        while True:
            number, place = self.next_word(raw, place, end)
            if number < 0:
                return found
            for phrase, bits in <list>phrases[number]:
                if found | bits != found and end_of(raw, place, end, phrase) >= 0:
                    found |= bits
            place += 1

    def near(
        self, bytes raw not None, Py_ssize_t start, Py_ssize_t end, list spans not None,
        Py_ssize_t reach, Py_ssize_t after, dict wanted not None,
    ):
        """Phrases of one list from `reach` before a span to `after` behind it; spans are in order."""
        cdef Spans found = Spans()
        cdef Py_ssize_t one
        self.note_near(raw, start, end, Spans(spans), reach, after, wanted, found)
        return [(found.starts[one], found.ends[one]) for one in range(found.many)]

    cdef int note_near(
        self, bytes raw, Py_ssize_t start, Py_ssize_t end, Spans spans,
        Py_ssize_t reach, Py_ssize_t after, dict wanted, Spans found,
    ) except -1:
        cdef Py_ssize_t place = start, one
        for one in range(spans.many):
            place = self.between(
                raw, max(place, spans.starts[one] - reach), spans.ends[one] + after, end, wanted, found, False)
        return 0

    cdef Py_ssize_t between(
        self, bytes raw, Py_ssize_t place, Py_ssize_t stop, Py_ssize_t end, dict wanted, Spans found,
        bint apart,
    ) except -1:
        """Note the phrases that begin before `stop`; say how far the text is read.

        `apart`: each from where the one before has ended.
        """
        cdef Py_ssize_t finish
        cdef int number
        stop = min(stop, end)
        while place < stop:
            number, place = self.next_word(raw, place, stop)
            if number < 0:
                break
            for phrase in <tuple>wanted.get(number, ()):
                finish = end_of(raw, place, end, phrase)
                if finish >= 0:
                    found.add(place, finish)
                    if apart:
                        place = finish - 1
                    break
            place += 1
        return max(place, stop)

    cdef (int, Py_ssize_t) next_word(self, bytes raw, Py_ssize_t place, Py_ssize_t stop) except *:
        """The next known word that begins at `place` or behind and before `stop`; -1: none."""
        cdef Py_ssize_t first, size = len(raw)
        cdef unsigned int slot
        cdef int number
        stop = min(stop, size)
        if 0 < place < stop and IN_WORD[<unsigned char>raw[place - 1]]:
            while place < stop and IN_WORD[<unsigned char>raw[place]]:
                place += 1
        while place < stop:
            first = place
            if not IN_WORD[<unsigned char>raw[place]]:
                number = self.signs[<unsigned char>raw[place]] - 1
                if number >= 0:
                    return number, first
                place += 1
                continue
            place += 1
            while place < size and place <= first + LONGEST and IN_WORD[<unsigned char>raw[place]]:
                place += 1
            slot = slot_of(
                IN_SMALL[<unsigned char>raw[first]],
                IN_SMALL[<unsigned char>raw[first + (place - first > 1)]],
                IN_SMALL[<unsigned char>raw[place - 1]],
                <unsigned int>(place - first),
            )
            if self.slots[slot]:
                number = self.number_of(raw, first, place, slot)
                if number >= 0:
                    return number, first
            while place < stop and IN_WORD[<unsigned char>raw[place]]:
                place += 1
        return -1, stop


cdef Py_ssize_t end_of(bytes raw, Py_ssize_t place, Py_ssize_t end, bytes phrase) except -2:
    """Where a phrase that begins here ends; -1: it does not stand here, or not whole."""
    cdef unsigned char sign = 32
    cdef Py_ssize_t most
    for sign in phrase:
        if sign == 32:
            most = min(end, place + 3)
            if place >= end or not IS_SPACE[<unsigned char>raw[place]]:
                return -1
            while place < most and IS_SPACE[<unsigned char>raw[place]]:
                place += 1
        elif place < end and IN_SMALL[<unsigned char>raw[place]] == sign:
            place += 1
        else:
            return -1
    if IN_WORD[sign] and place < len(raw) and IN_WORD[<unsigned char>raw[place]]:
        return -1
    return place
