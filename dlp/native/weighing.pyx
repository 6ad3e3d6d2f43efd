# cython: language_level=3, boundscheck=True, wraparound=False, cdivision=True
"""What the features of a short text pull together, but for its shapes and its plain words.

In: the text of a document of one part, its sentences, and what was found in it.  Out: a number.

The twin is Evidence.told in dlp/detect/linking/evidence.py, added up by Scale.pull_over, which is
what this is but for rounding: no feature becomes an entry of a dictionary on the way.
"""

cimport cython
from libc.math cimport log1p

from dlp.native.records cimport field

cdef enum:
    MOST_CLASSES = 64  # of words; a bit stands for each
    MOST_NAMED = 32  # features of one sort
    OF_FINDING = 11  # fields
    OF_MENTION = 12
    OF_FACT = 4

limits = {"classes": MOST_CLASSES, "named": MOST_NAMED}


cdef struct Feature:
    double weight, mean, spread, at_zero  # the last: what it pulls where it is 0


@cython.final
cdef class Weigher:
    cdef object sentenced, stems  # what reads words, of the kernel that counts them
    cdef double farthest
    cdef Py_ssize_t classes
    cdef bint[MOST_CLASSES] is_counted  # each time, not each different word
    cdef Feature[MOST_CLASSES] much, rate  # by class
    cdef unsigned long long ailing, ill, person, term, says  # bits of classes
    cdef unsigned long long kin
    cdef Py_ssize_t many_who, many_else  # whom and what else a sentence may speak of:
    cdef unsigned long long[MOST_NAMED] who_bits, else_bits
    cdef Feature[MOST_NAMED] who, who_ill, other
    cdef Feature told, loose
    cdef dict features, at_zero
    cdef tuple genres, kinds  # names of genres with their features' numbers, kinds with theirs
    cdef Feature[MOST_NAMED] like, has
    cdef dict single  # the number of every other feature
    cdef Feature[MOST_NAMED] one
    # constants of the twin
    cdef frozenset health, off, weak, general
    cdef object person_kind, clinician, asserted, recorded
    cdef double sure, most_cues, fewest_words, most_rate, rate_words
    cdef Py_ssize_t head, far, reach

    def __init__(self, lists not None, names not None, rules not None, features not None, at_zero not None):
        """`lists` are the words and stems of the classes in `names`; `rules` as Evidence has them."""
        cdef Py_ssize_t place
        whole, self.stems = lists
        self.sentenced = whole.sentenced
        self.features, self.at_zero = features, at_zero
        self.farthest = rules["farthest"]
        self.classes = len(names)
        bits = rules["bits"]
        if len(bits) > MOST_CLASSES or max(len(rules[one]) for one in ("who", "else", "like", "has", "single")) > MOST_NAMED:
            raise ValueError("too many features")
        for place in range(self.classes):
            self.is_counted[place] = names[place] in rules["counted"]
            self.much[place] = self.feature(names[place])
            self.rate[place] = self.feature(f"{names[place]}_rate")
        self.ailing = sum(bits[name] for name in rules["ailing"] if name in bits)
        self.ill = sum(bits[name] for name in rules["ill"] if name in bits)
        self.person, self.term = bits["person"], bits["term"]
        self.says, self.kin = bits.get("told", 0), bits.get("kin", 0)
        self.many_who, self.many_else = len(rules["who"]), len(rules["else"])
        for place, (name, meeting) in enumerate(rules["who"].items()):
            self.who_bits[place] = bits.get(name, 0)
            self.who[place] = self.feature(f"meet_{meeting}")
            self.who_ill[place] = self.feature(f"meet_{meeting}_ill")
        for place, (name, meeting) in enumerate(rules["else"].items()):
            self.else_bits[place] = bits.get(name, 0)
            self.other[place] = self.feature(f"meet_{meeting}")
        self.told, self.loose = self.feature("meet_told"), self.feature("meet_loose")
        self.genres = tuple([name for name, _ in rules["like"]])
        for place, (_, like) in enumerate(rules["like"]):
            self.like[place] = self.feature(like)
        self.kinds = tuple(rules["has"])
        for place, has in enumerate(rules["has"].values()):
            self.has[place] = self.feature(has)
        self.single = {name: place for place, name in enumerate(rules["single"])}
        for place, name in enumerate(rules["single"]):
            self.one[place] = self.feature(name)
        self.health, self.off, self.weak, self.general = rules["health"], rules["off"], rules["weak"], rules["general"]
        self.person_kind, self.clinician = rules["person"], rules["clinician"]
        self.asserted, self.recorded = rules["asserted"], rules["recorded"]
        self.sure, self.most_cues = rules["sure"], rules["most_cues"]
        self.fewest_words, self.most_rate, self.rate_words = rules["rates"]
        self.head, self.far, self.reach = rules["head"], rules["far"], rules["reach"]

    cdef Feature feature(self, name):
        """One that has no weight pulls nothing."""
        cdef Feature made
        made.weight, made.mean, made.spread, made.at_zero = 0, 0, 1, 0
        if name in self.features:
            made.weight, made.mean, made.spread = self.features[name]
            made.at_zero = self.at_zero[name]
        return made

    cdef inline double pull(self, Feature* feature, double value) noexcept:
        """What it pulls beyond what it does at 0."""
        cdef double away
        if value == 0:
            return 0
        away = (value - feature.mean) / feature.spread
        away = max(-self.farthest, min(self.farthest, away))
        return feature.weight * away - feature.at_zero

    cdef inline double pull_of(self, str name, double value) except? -1:
        """Of a feature that is one of a kind."""
        cdef Py_ssize_t place = self.single[name]
        if not 0 <= place < MOST_NAMED:
            raise IndexError(name)
        return self.pull(&self.one[place], value)

    def over(self, str text not None, starts not None, mentions not None, tuple findings not None,
             genre not None, subjects not None, bint is_table):
        """What all features pull together beyond what they do at 0."""
        cdef list people = [], told = [], firm = []
        cdef tuple one
        cdef double total
        for given in mentions:
            one = of_fields(given, OF_MENTION)
            if field(one, 0) is self.person_kind and field(one, 7) != self.clinician:
                people.append(one)
        for given in findings:
            one = of_fields(given, OF_FINDING)
            if field(one, 0) in self.health:
                told.append(one)
                if self.off.isdisjoint(field(one, 10)):
                    firm.append(one)
        total = self.worded(text, starts, people, firm)
        total += self.of_facts(told, firm) + self.of_people(mentions, people)
        total += self.of_links(subjects, people, firm) + self.of_genre(genre) + self.of_kinds(findings)
        return total + self.pull_of("table", is_table)

    cdef double worded(self, str text, starts, list people, list firm) except? -1:
        """Classes of words, and the sentences in which they meet somebody."""
        cdef list often, different, sentences
        cdef tuple begins = tuple(starts), one
        cdef Py_ssize_t words, place, ailing
        cdef unsigned long long marks
        cdef double total = 0, size, many
        cdef bint kin = bool(people)
        words, said, often, different, sentences = self.sentenced(self.stems, text, begins)
        ill = {word for word, marks in said.items() if marks & self.ailing}
        for given in firm:
            one = <tuple>given
            ill.add(text[field(one, 3) : field(one, 4)].lower())
        ailing = len(ill)
        for given in people:
            one = <tuple>given
            place = sentence_of(begins, field(one, 2))
            sentences[place] = <unsigned long long>sentences[place] | self.person
        for given in firm:
            one = <tuple>given
            place = sentence_of(begins, field(one, 3))
            sentences[place] = <unsigned long long>sentences[place] | self.term
        size = max(<double>words, self.fewest_words)
        for place in range(self.classes):
            many = often[place] if self.is_counted[place] else different[place]
            if many > 0:
                total += self.pull(&self.much[place], log1p(many))
                total += self.pull(&self.rate[place], min(self.most_rate, self.rate_words * many / size))
                kin = kin or self.kin >> place & 1
        total += self.met(sentences)
        total += self.pull_of("size", log1p(size)) + self.pull_of("lines", log1p(text.count(u"\n")))
        total += self.pull_of("beside", log1p(self.beside(text, people, firm)))
        return total + self.pull_of("ailing", log1p(ailing)) + self.pull_of("both", log1p(ailing) * kin)

    cdef double met(self, list sentences) except? -1:
        """Who and what else is in sentences that speak of a body, an illness or a treatment."""
        cdef Py_ssize_t[MOST_NAMED] who, who_ill, other
        cdef Py_ssize_t told = 0, loose = 0, place
        cdef unsigned long long marks
        cdef bint ill, somebody
        cdef double total = 0
        for place in range(MOST_NAMED):
            who[place] = who_ill[place] = other[place] = 0
        for known in sentences:
            marks = known
            if not marks & self.ailing:
                continue
            ill, somebody = (marks & self.ill) != 0, False
            for place in range(self.many_who):
                if marks & self.who_bits[place]:
                    somebody = True
                    if ill:
                        who_ill[place] += 1
                    else:
                        who[place] += 1
            for place in range(self.many_else):
                other[place] += (marks & self.else_bits[place]) != 0
            told += somebody and (marks & self.says) != 0
            loose += not somebody
        for place in range(self.many_who):
            total += self.pull(&self.who[place], log1p(who[place]))
            total += self.pull(&self.who_ill[place], log1p(who_ill[place]))
        for place in range(self.many_else):
            total += self.pull(&self.other[place], log1p(other[place]))
        return total + self.pull(&self.told, log1p(told)) + self.pull(&self.loose, log1p(loose))

    cdef Py_ssize_t beside(self, str text, list people, list firm) except -1:
        """People whose line goes on with an illness."""
        cdef Py_ssize_t count = 0, start, end, line, length = 0, size = len(text), other
        cdef list behind = [], places = [], sentences
        cdef tuple one, fact
        cdef bint goes_on
        for given in people:
            one = <tuple>given
            start = field(one, 3)
            line = text.find(u"\n", start)
            end = min(start + self.reach, size if line < 0 else line)
            goes_on = False
            for given in firm:
                fact = <tuple>given
                other = field(fact, 3)
                if start < other < end:
                    goes_on = True
                    break
            if goes_on:
                count += 1
            else:
                behind.append(text[start:end])
                places.append(length)
                length += max(<Py_ssize_t>0, end - start) + 1
        if behind:  # read together, a line each: no word runs across the end of one
            sentences = self.sentenced(self.stems, u"\n".join(behind), places)[4]
            for marks in sentences:
                count += (<unsigned long long>marks & self.ailing) != 0
        return count

    cdef double of_facts(self, list told, list firm) except? -1:
        cdef set strong = set(), weak = set()
        cdef Py_ssize_t doubtful = 0, general = 0, denied = 0
        cdef tuple one
        cdef double total
        for given in firm:
            one = <tuple>given
            if <double>field(one, 5) < self.sure:
                doubtful += 1
            elif field(one, 0) in self.weak:
                weak.add(field(one, 7) or field(one, 3))
            else:
                strong.add(field(one, 7) or field(one, 3))
        for given in told:
            one = <tuple>given
            context = field(one, 10)
            if context:
                general += not self.general.isdisjoint(context)
                denied += "negated" in context
        total = self.pull_of("facts_strong", log1p(len(strong))) + self.pull_of("facts_weak", log1p(len(weak)))
        total += self.pull_of("facts_doubtful", log1p(doubtful)) + self.pull_of("facts_general", log1p(general))
        return total + self.pull_of("facts_denied", log1p(denied)) + self.pull_of("facts_any", len(firm) > 0)

    cdef double of_people(self, mentions, list people) except? -1:
        cdef set full = set(), half = set(), staff = set(), called = set(), roles = set()
        cdef tuple one
        cdef bint is_first = False
        cdef double total
        for given in people:
            one = <tuple>given
            first, last = field(one, 8), field(one, 9)
            (full if len(first) > 1 and len(last) > 1 else half).add((first, last))
            called.add(first or last)
            roles.add(field(one, 7))
            is_first = is_first or (<Py_ssize_t>field(one, 2) < self.head and len(last) > 0)
        for given in mentions:
            one = <tuple>given
            if field(one, 7) == self.clinician:
                staff.add((field(one, 8), field(one, 9)))
        total = self.pull_of("people_full", log1p(len(full))) + self.pull_of("people_half", log1p(len(half)))
        total += self.pull_of("people_one", len(full) == 1) + self.pull_of("people_any", len(people) > 0)
        total += self.pull_of("people_staff", log1p(len(staff)))
        total += self.pull_of("people_again", len(called) < len(people)) + self.pull_of("people_first", is_first)
        total += self.pull_of("role_patient", "patient" in roles) + self.pull_of("role_relative", "relative" in roles)
        return total + self.pull_of("role_author", "author" in roles) + self.pull_of("role_greeted", "correspondent" in roles)

    cdef double of_links(self, subjects, list people, list firm) except? -1:
        cdef bint asserted = False, recorded = False
        cdef Py_ssize_t most = 0
        cdef tuple facts, fact
        cdef double total
        for subject in subjects:
            if subject.role == self.clinician:
                continue
            facts = subject.facts
            most = max(most, <Py_ssize_t>len(facts))
            for given in facts:
                fact = of_fields(given, OF_FACT)
                asserted = asserted or self.asserted in field(fact, 2)
                recorded = recorded or self.recorded in field(fact, 2)
        total = self.pull_of("link_asserted", asserted) + self.pull_of("link_recorded", recorded)
        total += self.pull_of("link_most", log1p(most))
        return total + self.pull_of("link_far", <double>self.nearest(people, firm) / 100)

    cdef Py_ssize_t nearest(self, list people, list firm) except? -1:
        """The fewest characters between a fact and a name, or as many as are far."""
        cdef Py_ssize_t least = self.far, start, end, fact_start, fact_end
        cdef tuple one, fact
        for given in firm:
            fact = <tuple>given
            fact_start, fact_end = field(fact, 3), field(fact, 4)
            for given in people:
                one = <tuple>given
                start, end = field(one, 2), field(one, 3)
                if end > fact_start - least and start < fact_end + least:
                    least = max(fact_start - end, start - fact_end)
        return least

    cdef double of_genre(self, genre) except? -1:
        cdef Py_ssize_t place
        cdef double total = 0, cues
        for place in range(len(self.genres)):
            heard = genre.get(self.genres[place])
            if heard:
                cues = heard
                total += self.pull(&self.like[place], min(cues, self.most_cues))
        return total

    cdef double of_kinds(self, tuple findings) except? -1:
        cdef set kinds = set()
        cdef Py_ssize_t place
        cdef tuple one
        cdef bint birth = False
        cdef double total = 0
        for given in findings:
            one = <tuple>given
            kinds.add(field(one, 0))
            birth = birth or u"birth" in <str>field(one, 1)
        for place in range(len(self.kinds)):
            if self.kinds[place] in kinds:
                total += self.pull(&self.has[place], 1)
        return total + self.pull_of("has_birth", birth)


cdef inline tuple of_fields(given, Py_ssize_t fields):
    """A named tuple, if it is one of so many fields."""
    if not isinstance(given, tuple) or len(<tuple>given) != fields:
        raise TypeError("another kind of record")
    return <tuple>given


cdef Py_ssize_t sentence_of(tuple begins, Py_ssize_t place) except -1:
    """The number of the last sentence that begins there or before; the first begins at 0."""
    cdef Py_ssize_t low = 0, high = len(begins), middle
    while low < high:
        middle = (low + high) // 2
        if <Py_ssize_t>begins[middle] <= place:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        raise IndexError("before the first sentence")
    return low - 1
