# cython: language_level=3, boundscheck=True, wraparound=False, nonecheck=True
"""Inner loops of dlp/detect/linking.

In: text, or findings and mentions.  Out: places, or the few findings that matter.

opening_runs(text, words): where those runs of letters and digits start that are among the words,
  without regard to case; its twin is opening_runs in dlp/detect/linking/asserting.py.
tell(findings, owned, said, drafts, owners, cls): facts of health for the drafts whose they are, with
  what is said of them; its twin is Linking._tell in dlp/detect/linking/subjects.py.
sifted(findings, health, direct, loose, address): how many health findings are not general, where
  the first of them starts, and the findings that are personal; its twin is sifted in
  dlp/detect/linking/personal.py.
people_of(mentions, parts, person, faint, no_names, unknown, invented): the persons of each part who are
  somebody, behind where they start; its twin is people_of in dlp/detect/linking/drafts.py.
likely(drafts, texts, uncast, reaches, old, cast): those with a whole name behind whose first mention a
  year or a bracket stands that may make them history; who may speak in lines of their own; who are
  named last at the end of a part; and before whom a label or a bed may stand. The twin is all of
  them in dlp/detect/linking/likely.py, and Casting has the last word. `old`: the first are wanted,
  `cast`: the others are. Then what keys_by_role says of them.
says_i(text): whether somebody speaks of themselves; its twin is the pattern FIRST_PERSON in
  dlp/detect/linking/casting.py.
Draft, keys_by_role(drafts), described(drafts, place): their twins are in dlp/detect/linking/drafts.py.
concluded(drafts, findings, owners, key, place, hashes, fingerprints, birth_of, kinds, slots): findings that
  name their person, given the key of each one's draft or None, and the subjects; its twin is in
  dlp/detect/linking/drafts.py. `hashes` makes ids of what the drafts are described by, `kinds` are
  the classes of a finding and a subject, `slots` the descriptors of the latter's fields.
join_all(people, again, drafts, by_name, strength, half): the key of each mention's person; `half`
  finds the key of whoever has the other half of a name, given the mention before and that one's
  key. Its twin is Joining._join in dlp/detect/linking/joining.py.
everybody(mentions, parts, person, faint, no_names, unknown, invented, drafts, strength, half): the two
  in one, for parts that are all running text; its twin is everybody in dlp/detect/linking/joining.py.
given_out(findings, owners, closed, people, keys, standing, drafts, kinds, health, prefixes, loose,
  header, learn): gives findings of persons to whom they name and what is not of health to whoever is
  named nearest, who learns it; returns the places of what is still to be given, those of health
  apart. Without `standing` only persons are given. Its twin is Linking._left_over in
  dlp/detect/linking/subjects.py, then owners_of and learn_all.
owners_of(findings, indices, standing, header): whoever is named nearest to each of these findings,
  given starts and keys of the people of each part, and its text; its twin is Whose.identifier.
standing(people, keys, texts, clinician, greeted): for each part where those are named who are no
  clinicians, whose they are, and its text; and whom the letters greet. Its twin is in
  dlp/detect/linking/joining.py.
learn_all(findings, owned, drafts, texts, kinds, prefixes, loose, learn): what findings tell of the
  person whose they are; ages and birth dates are left to `learn`, its twin, Linking._learn.
patients_of(findings, told, places, near, patients, not_theirs, header, kin): whose health each of these
  is in a text with patients; its twin is Whose.health. `kin`, where relatives are named: the people
  of each part and whose they are, its text, what finds its sentences, the drafts, and the roles of
  clinicians and relatives.
told_of(findings, told, people, keys, texts, sentences_of, drafts, not_theirs, clinician, chain, only,
  greets, ask): whose health each of these is in a text without patients, relatives and authors;
  `ask` is its twin, Whose.health, which is asked where nobody is named and a letter greets
  somebody, or where a pattern may take a letter for an i or an s.
pull_over(found, features, at_zero, farthest): what numbers of features pull beyond what they do at 0, up
  to rounding; its twin is Scale.pull_over in dlp/detect/linking/scale.py.
names_somebody(text): whether a name stands there that no dictionary has; its twin is the pattern NAME
  in dlp/detect/linking/weight.py.
"""

from operator import itemgetter

cimport cython
from cpython.object cimport PyTypeObject, Py_TYPE, descrsetfunc
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_FindChar,
    PyUnicode_KIND,
    PyUnicode_READ,
)

from dlp.native.records cimport check_record, field, new_record, set_field
from dlp.native.signs cimport Signs, sign_at, signs_of

cdef enum:
    FIELDS = 11  # of a finding; a mention has more
    PERSON = 8
    FACT = 4  # fields of a fact
    ID = 16  # letters of the id of a person
    MOST_KEYS = 4096  # that are kept ready
    LABEL = 8  # letters, more than any before a name has

PLACE = itemgetter(2)  # of a mention
cdef tuple LABELS = ("name", "patient", "client", "pt", "re")


@cython.final
cdef class Draft:
    """A subject in the making, whose fields the loops below read where they lie.

    Of most people nothing but the name is ever known: lists and sets are made when they are filled.
    """

    cdef public str key, role, first, last, sex, birth
    cdef public list mentions
    cdef public object age
    cdef public bint has_address
    cdef list _places, _facts
    cdef set _direct, _prints
    cdef str low_first, low_last  # the name in small letters, as far as it was joined

    def __init__(
        self, str key not None, str role not None="", str first not None="", str last not None="",
        str sex not None=""
    ):
        self.key, self.role, self.first, self.last, self.sex = key, role, first, last, sex
        self.birth = self.low_first = self.low_last = ""
        self.mentions = []

    @property
    def full_name(self):
        return is_whole(self)

    @property
    def places(self):
        return places_of(self)

    @places.setter
    def places(self, list given not None):
        self._places = given

    @property
    def facts(self):
        return facts_of(self)

    @property
    def direct(self):
        return direct_of(self)

    @direct.setter
    def direct(self, set given not None):
        self._direct = given

    @property
    def prints(self):
        return prints_of(self)


cdef inline list places_of(Draft draft):
    if draft._places is None:
        draft._places = []
    return draft._places


cdef inline list facts_of(Draft draft):
    if draft._facts is None:
        draft._facts = []
    return draft._facts


cdef inline set direct_of(Draft draft):
    if draft._direct is None:
        draft._direct = set()
    return draft._direct


cdef inline set prints_of(Draft draft):
    if draft._prints is None:
        draft._prints = set()
    return draft._prints


cdef Draft new_draft(str key, str first, str last, str sex):
    """As the constructor makes one of somebody without a role."""
    cdef Draft draft = Draft.__new__(Draft)
    draft.key, draft.role, draft.first, draft.last, draft.sex = key, "", first, last, sex
    draft.birth = draft.low_first = draft.low_last = ""
    draft.mentions = []
    return draft


cdef inline bint is_whole(Draft draft) except -1:
    return len(draft.first) > 1 and len(draft.last) > 1


cdef inline tuple mention_of(found):
    """Or a finding: a tuple of a class of its own, of which no field is asked beyond the least."""
    if not isinstance(found, tuple) or len(<tuple> found) < FIELDS:
        raise TypeError("a mention or a finding is a tuple of so many fields")
    return <tuple> found


def keys_by_role(dict drafts not None):
    cdef Draft draft
    cdef dict found = {}
    for key, draft in drafts.items():
        if draft.role:
            enter(found, draft.role, key)
    return found


cdef inline int enter(dict roles, str role, key) except -1:
    keys = roles.get(role)
    if keys is None:
        roles[role] = [key]
    else:
        (<list> keys).append(key)
    return 0


cdef bint may_speak(Draft draft, list texts, Py_ssize_t most) except -1:
    """Whether several colons stand behind the first mentions of somebody."""
    cdef Py_ssize_t number, end, colons = 0
    cdef str text
    cdef tuple one
    if len(draft.mentions) < 2:
        return False
    for number in range(min(most, len(draft.mentions))):
        one = mention_of(draft.mentions[number])
        text, end = texts[field(one, 1)], field(one, 3)
        colons += 0 <= end < len(text) and text[end] == u":"
    return colons > 1


cdef bint may_sign(
    Draft draft, list texts, Py_ssize_t signature, Py_ssize_t shortest
) except -1:
    """Whether somebody is named last at the end of a part."""
    cdef tuple one = mention_of(draft.mentions[len(draft.mentions) - 1])
    cdef Py_ssize_t length = len(<str> texts[field(one, 1)])
    return <Py_ssize_t> field(one, 2) > length - min(signature, max(shortest, length // 2))


cdef bint may_be_pointed_at(tuple one, str text, Py_ssize_t near) except -1:
    """Whether a colon or a digit stands before a mention."""
    cdef Py_ssize_t place
    cdef Py_UCS4 sign
    for place in range(max(0, <Py_ssize_t> field(one, 2) - near), min(len(text), <Py_ssize_t> field(one, 2))):
        sign = text[place]
        if sign == u":" or sign == u"=" or sign.isdecimal():
            return True
    return False


cdef bint may_be_bygone(tuple one, str text, Py_ssize_t reach) except -1:
    """Whether a year or a bracket stands behind a mention that may make somebody history."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, end, stop
    place = end = max(2, <Py_ssize_t> field(one, 3))
    stop = min(len(text), <Py_ssize_t> field(one, 3) + reach)
    while place < stop and PyUnicode_READ(kind, data, place).isspace():
        place += 1
    if place < stop and PyUnicode_READ(kind, data, place) == u"(":
        return True
    # "in 1", "since 1", "until 1"
    place = PyUnicode_FindChar(text, u"1", end, stop, 1) if end < stop else -1
    while place >= 0:
        if PyUnicode_READ(kind, data, place - 1) == u" " and (
            PyUnicode_READ(kind, data, place - 2) in u"nel"
        ):
            return True
        place = PyUnicode_FindChar(text, u"1", place + 1, stop, 1)
    return False


def likely(
    dict drafts not None, list texts not None, frozenset uncast not None, tuple reaches, bint old,
    bint cast_
):
    cdef Draft draft
    cdef Py_ssize_t life, lines, signature, shortest, near
    cdef tuple first
    cdef str text
    cdef bint whole
    cdef list bygone = [], speaking = [], at_ends = [], pointed_at = []
    cdef dict roles = {}
    life, lines, signature, shortest, near = reaches
    for key, draft in drafts.items():
        if draft.role:
            enter(roles, draft.role, key)
        if not draft.mentions:
            continue
        first = mention_of(draft.mentions[0])
        text, whole = texts[first[1]], is_whole(draft)
        if old and whole and may_be_bygone(first, text, life):
            bygone.append(draft)
        if not cast_ or (draft.role and draft.role not in uncast):
            continue
        if may_speak(draft, texts, lines):
            speaking.append(draft)
        if whole and may_sign(draft, texts, signature, shortest):
            at_ends.append(draft)
        if draft.last and may_be_pointed_at(first, text, near):
            pointed_at.append(draft)
    return bygone, speaking, at_ends, pointed_at, roles


def pull_over(dict found not None, dict features not None, dict at_zero not None, double farthest):
    cdef double value, weight, mean, spread, total = 0
    cdef tuple feature
    for name, number in found.items():
        value = number
        if value == 0:
            continue
        known = features.get(name)
        if known is None:
            continue
        if not isinstance(known, tuple):
            raise TypeError("a feature is a tuple")
        feature = <tuple> known
        weight, mean, spread = feature[0], feature[1], feature[2]
        value = max(-farthest, min(farthest, (value - mean) / spread))
        total += weight * value - <double> at_zero[name]
    return total


cdef inline bint in_word(int kind, void *data, Py_ssize_t length, Py_ssize_t place) noexcept:
    cdef Py_UCS4 sign
    if not 0 <= place < length:
        return False
    sign = PyUnicode_READ(kind, data, place)
    return sign.isalnum() or sign == u"_"


def says_i(str text not None):
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = len(text), place, end
    cdef Py_UCS4 sign, after
    for place in range(length):
        sign = PyUnicode_READ(kind, data, place)
        if sign != u"I" and sign != u"m" and sign != u"o" and sign != u"w":
            continue
        if in_word(kind, data, length, place - 1):
            continue
        end = place + 1
        after = PyUnicode_READ(kind, data, end) if end < length else u" "
        if sign == u"m" and (after == u"y" or after == u"e"):
            end += 1
        elif sign == u"w" and after == u"e":
            end += 1
        elif sign == u"o" and after == u"u":
            end += 2
            if end > length or PyUnicode_READ(kind, data, end - 1) != u"r":
                continue
        elif sign != u"I":
            continue
        if not in_word(kind, data, length, end):
            return True
    return False


cdef inline bint is_capital(Signs *signs, Py_ssize_t place) noexcept:
    return u"A" <= sign_at(signs, place) <= u"Z"


cdef inline bint is_small(Signs *signs, Py_ssize_t place) noexcept:
    return u"a" <= sign_at(signs, place) <= u"z"


cdef bint stands_alone(Signs *signs, Py_ssize_t place) noexcept:
    """Whether no letter, digit or _ stands before a place."""
    return not in_word(signs.kind, <void *> signs.data, signs.size, place - 1)


cdef bint is_initialled(Signs *signs, Py_ssize_t dot) noexcept:
    """ "Y. Brightmere", by its full stop."""
    cdef Py_ssize_t place = dot + 1
    if not is_capital(signs, dot - 1) or not stands_alone(signs, dot - 1):
        return False
    place += sign_at(signs, place) == u" "
    if not is_capital(signs, place):
        return False
    return is_small(signs, place + 1) and is_small(signs, place + 2) and is_small(signs, place + 3)


cdef bint is_turned(Signs *signs, Py_ssize_t comma) noexcept:
    """ "Brightmere, Y." and "BRIGHTMERE, Yorick", by the comma."""
    cdef Py_ssize_t place = comma - 1
    if sign_at(signs, comma + 1) != u" " or not is_capital(signs, comma + 2):
        return False
    if sign_at(signs, comma + 3) == u".":
        while is_small(signs, place):
            place -= 1
        return comma - place > 3 and is_capital(signs, place) and stands_alone(signs, place)
    if not is_small(signs, comma + 3):
        return False
    while is_capital(signs, place):
        place -= 1
    return comma - place > 4 and stands_alone(signs, place + 1)


cdef bint is_announced(Signs *signs, Py_ssize_t colon) noexcept:
    """ "patient: Yorick Brightmere", by the colon."""
    cdef Py_ssize_t place = colon + 1, end = colon, start
    cdef Py_UCS4 last
    place += place < signs.size and sign_at(signs, place).isspace()
    if not is_capital(signs, place) or not is_small(signs, place + 1):
        return False
    while is_small(signs, place + 1):
        place += 1
    if sign_at(signs, place + 1) != u" " or not is_capital(signs, place + 2):
        return False
    if not is_small(signs, place + 3):
        return False
    end -= end > 0 and sign_at(signs, end - 1).isspace()
    start = end
    while end - start < LABEL and is_small(signs, start - 1):
        start -= 1
    if not stands_alone(signs, start):
        return False
    for label in LABELS:
        if len(<str> label) == end - start and is_word(signs, start, label):
            return True
    return False


cdef bint is_word(Signs *signs, Py_ssize_t start, str word) noexcept:
    cdef Py_ssize_t place
    for place in range(len(word)):
        if sign_at(signs, start + place) != word[place]:
            return False
    return True


def names_somebody(str text not None):
    cdef Signs signs = signs_of(text)
    cdef Py_ssize_t place
    place = behind(text, u".", 0)
    while place:
        if is_initialled(&signs, place - 1):
            return True
        place = behind(text, u".", place)
    place = behind(text, u",", 0)
    while place:
        if is_turned(&signs, place - 1):
            return True
        place = behind(text, u",", place)
    place = behind(text, u":", 0)
    while place:
        if is_announced(&signs, place - 1):
            return True
        place = behind(text, u":", place)
    return False


cdef inline Py_ssize_t behind(str text, Py_UCS4 sign, Py_ssize_t start) noexcept:
    """The place behind the next such sign, or 0."""
    return PyUnicode_FindChar(text, sign, start, len(text), 1) + 1 if start < len(text) else 0


def concluded(
    dict drafts not None, tuple findings not None, list owners not None, bytes key, str place not None,
    hashes, fingerprints, birth_of, tuple kinds not None, tuple slots not None
):
    cdef list ids = hashes(key, described(drafts.values(), place))
    cdef dict known = {}
    cdef Py_ssize_t number = 0
    for own in drafts:
        known[own] = ids[number] = (<str?> ids[number])[:ID]
        number += 1
    found, subject = kinds
    return told_about(findings, owners, known, found), subjects_of(
        drafts, ids, key, fingerprints, birth_of, subject, slots
    )


cpdef list described(drafts, str place):
    cdef Draft draft
    cdef str named, basis
    cdef list found = []
    for draft in drafts:
        if draft.low_first and draft.low_last:  # of nearly everybody, and in small letters
            named = f"{draft.low_first} {draft.low_last}"
            if named[0].isspace() or named[len(named) - 1].isspace():
                named = named.strip()
        else:
            named = f"{draft.first} {draft.last}".strip().lower()
        basis = min(draft._prints) if draft._prints else ""
        if not basis:
            basis = named or f"{place}:{draft.key}"
        found.append(f"person:{named}|{basis}".encode("utf-8"))
    return found


cdef frozenset NOTHING = frozenset()


@cython.final
cdef class Unprinted:
    """The fingerprints of a draft, worked out by whoever calls it: of most people nobody does."""

    cdef object fingerprints, draft, birth, key

    def __call__(self):
        return self.fingerprints(self.draft, self.birth, self.key)


cdef Unprinted unprinted(fingerprints, Draft draft, birth, key):
    cdef Unprinted late = Unprinted.__new__(Unprinted)
    late.fingerprints, late.draft, late.birth, late.key = fingerprints, draft, birth, key
    return late


cdef inline int fill(object made, object slot, object value) except -1:
    """A field of a value that nobody has seen yet, by the descriptor of its slot."""
    cdef descrsetfunc setting = (<PyTypeObject *> Py_TYPE(slot)).tp_descr_set
    if setting is NULL:
        raise TypeError("a field without a slot")
    return setting(slot, made, value)


cdef tuple subjects_of(
    dict drafts, list ids, bytes key, fingerprints, birth_of, type cls, tuple slots
):
    cdef Draft draft
    cdef Py_ssize_t number = 0, place
    cdef list found = []
    cdef tuple values
    for draft in drafts.values():
        birth = birth_of(draft.birth) if draft.birth else ""
        values = (
            ids[number], draft.role, draft.first, draft.last, draft.sex, birth, draft.age,
            tuple(dict.fromkeys(draft._places)) if draft._places else (), draft.has_address,
            frozenset(draft._direct) if draft._direct else NOTHING, "",
            unprinted(fingerprints, draft, birth, key), tuple(draft._facts) if draft._facts else (),
        )
        if len(values) != len(slots):
            raise TypeError("a subject has other fields")
        made = cls.__new__(cls)
        for place in range(len(values)):
            fill(made, slots[place], values[place])
        found.append(made)
        number += 1
    return tuple(found)


def opening_runs(str text, frozenset words):
    cdef Py_ssize_t length = len(text), place, start = -1
    cdef Py_UCS4 char
    cdef list found = []
    for place in range(length + 1):
        char = text[place] if place < length else u' '
        if char.isalnum() or char == u'_':
            if start < 0:
                start = place
        elif start >= 0:
            word = text[start:place].lower()
            if word in words:
                found.append((start, word))
            start = -1
    return found


cdef tuple told_about(tuple findings, list owners, dict ids, cls):
    cdef list all_of_them = None
    cdef tuple one, about
    cdef Py_ssize_t place, index
    cdef object before = None, person = None
    check_record(cls, FIELDS)
    if len(owners) != len(findings):
        raise TypeError("a finding has a place for its owner")
    for index in range(len(owners)):
        owner = owners[index]
        if owner is None:
            continue
        if all_of_them is None:
            all_of_them = list(findings)
        if owner is not before:  # many in a row are of one person
            before, person = owner, ids[owner]
        found = findings[index]
        if not isinstance(found, tuple) or len(<tuple>found) != FIELDS:
            raise TypeError("a finding is a tuple")
        one = <tuple> found  # of a class of its own, which Cython asks no further about
        about = new_record(cls, FIELDS)
        for place in range(PERSON):
            set_field(about, place, field(one, place))
        set_field(about, PERSON, person)
        for place in range(PERSON + 1, FIELDS):
            set_field(about, place, field(one, place))
        all_of_them[index] = about
    return findings if all_of_them is None else tuple(all_of_them)


def tell(tuple findings, list owned, list said, dict drafts, list owners, cls):
    cdef tuple one, pair, fact
    cdef Py_ssize_t number, index
    cdef Draft draft
    check_record(cls, FACT)
    for number in range(len(owned)):
        pair = owned[number]
        index, key = pair[0], pair[1]
        one = mention_of(findings[index])
        owners[index] = key
        draft = drafts[key]
        more, context = said[number], field(one, 10)
        fact = new_record(cls, FACT)
        set_field(fact, 0, field(one, 0))
        set_field(fact, 1, field(one, 7) or field(one, 1))
        set_field(fact, 2, context | more if more else context)
        set_field(fact, 3, field(one, 5))
        facts_of(draft).append(fact)


def sifted(tuple findings, frozenset health, frozenset direct, frozenset loose, address):
    cdef tuple one
    cdef Py_ssize_t count = 0, first = 0, place
    cdef list personal = []
    cdef bint told = False, own = False
    known = last = None
    for found in findings:
        one = mention_of(found)
        kind, rule = field(one, 0), field(one, 1)
        if kind is not last or rule is not known:  # findings of one rule follow each other
            last, known, told = kind, rule, kind in health
            own = "birth" in rule or kind is address or (kind in direct and rule not in loose)
        if told and (not field(one, 10) or "general" not in field(one, 10)):
            place = field(one, 3)
            if count == 0 or place < first:
                first = place
            count += 1
        if own:
            personal.append(found)
    return count, first, personal


cdef bint is_placeholder(str word):
    """ABC, XYZ, XXXX, 12345."""
    cdef Py_ssize_t place, length = len(word)
    cdef unsigned int step
    if length <= 2:
        return False
    for place in range(1, length):
        step = <unsigned int>word[place] - <unsigned int>word[place - 1]
        if step > 1:  # or less than nothing
            return False
    return word.isalnum()


cdef bint is_no_person(str fore, str sur, frozenset no_names, frozenset unknown, frozenset invented):
    """By a name in small letters."""
    if fore and (fore in no_names or is_placeholder(fore)):
        return True
    if sur and (sur in no_names or is_placeholder(sur)):
        return True
    return (sur or fore) in unknown and (fore or sur) in invented


cdef set first_names(tuple mentions, person):
    """Of those who are named in full."""
    cdef tuple one
    cdef set whole = set()
    for found in mentions:
        one = mention_of(found)
        if field(one, 0) is person and field(one, 8) and field(one, 9):
            whole.add(field(one, 8))
    return whole


@cython.final
cdef class Crowd:
    """Those who are somebody, as they are met; each joins the draft of their name."""

    cdef tuple mentions
    cdef object person, half
    cdef double faint
    cdef frozenset no_names, unknown, invented
    cdef dict drafts, strength, again, by_name
    cdef set whole
    cdef list starts, named, keys  # of a part
    cdef object last
    cdef str last_key
    # whom the name of the mention before was known by: many are named twice in a row
    cdef str first_before, last_before, sex_before
    cdef Draft draft_before

    cdef int begin(self) except -1:
        """Another part."""
        self.starts, self.named, self.keys = [], [], []
        self.last, self.last_key = None, ""
        return 0

    cdef int meet(self, tuple one) except -1:
        cdef str first = field(one, 8), last = field(one, 9), sex, fore, sur
        cdef Draft draft
        if not (first and last) and not field(one, 7) and field(one, 4) < self.faint:
            if self.whole is None:
                self.whole = first_names(self.mentions, self.person)
            if first not in self.whole:
                return 0
        sex = field(one, 10)
        if first is self.first_before and last is self.last_before and sex is self.sex_before:
            draft = self.draft_before
        else:
            draft = known_again(self.again, first, last, sex)
            self.first_before, self.last_before, self.sex_before = first, last, sex
            self.draft_before = draft
        if draft is None:
            self.first_before = None  # names may lead to others from here on
            fore, sur = first.lower(), last.lower()
            if is_no_person(fore, sur, self.no_names, self.unknown, self.invented):
                return 0
            key = None
            if bool(first) != bool(last) and "label" in field(one, 6):
                key = self.half(one, self.last, self.last_key)
            draft = joined(first, last, sex, fore, sur, self.drafts, self.by_name, self.again, key)
        take(draft, one, field(one, 7), self.strength)
        self.last, self.last_key = one, draft.key
        self.starts.append(field(one, 2))
        self.named.append(one)
        self.keys.append(self.last_key)
        return 0

    cdef bint meet_in_order(self) except -1:
        """All of one part; False where they do not come by place."""
        cdef tuple one
        cdef Py_ssize_t place, reached = 0
        self.begin()
        for found in self.mentions:
            one = mention_of(found)
            if field(one, 0) is not self.person:
                continue
            place = field(one, 2)
            if place < reached or field(one, 1) != 0:
                return False
            reached = place
            self.meet(one)
        return True


def everybody(
    tuple mentions not None, Py_ssize_t parts, person, double faint, frozenset no_names not None,
    frozenset unknown not None, frozenset invented not None, dict drafts not None,
    dict strength not None, half
):
    cdef Crowd crowd = Crowd.__new__(Crowd)
    cdef list rows, people = [], owners = []
    crowd.mentions, crowd.person, crowd.half, crowd.faint = mentions, person, half, faint
    crowd.no_names, crowd.unknown, crowd.invented = no_names, unknown, invented
    crowd.drafts, crowd.strength, crowd.again, crowd.by_name = drafts, strength, {}, {}
    # nearly always: they are looked at once, while they are in the cache
    if parts == 1 and not drafts:
        if crowd.meet_in_order():
            return [(crowd.starts, crowd.named)], [crowd.keys]
        crowd.again, crowd.by_name, crowd.first_before = {}, {}, None
        drafts.clear()
    rows = [[] for _ in range(parts)]
    for found in mentions:
        if field(mention_of(found), 0) is person:
            (<list> rows[<Py_ssize_t> field(<tuple> found, 1)]).append(found)
    for row in rows:
        row.sort(key=PLACE)  # in no time where they come in order
        crowd.begin()
        for found in row:
            crowd.meet(<tuple> found)
        people.append((crowd.starts, crowd.named))
        owners.append(crowd.keys)
    return people, owners


cdef inline int take(Draft draft, found, role, dict strength) except -1:
    """Another mention of somebody, who has the strongest of their roles."""
    draft.mentions.append(found)
    if role is not draft.role and role != draft.role:
        if strength.get(role, 1) > strength.get(draft.role, 0):
            draft.role = role
    return 0


def people_of(
    tuple mentions, Py_ssize_t parts, person, double faint, frozenset no_names, frozenset unknown,
    frozenset invented
):
    cdef tuple one, written
    cdef list people = [], rows = [([], []) for _ in range(parts)], starts = None, row = None
    cdef set whole = set()
    cdef dict known = {}
    cdef str first, last
    cdef Py_ssize_t part, before = -1
    for found in mentions:
        one = mention_of(found)
        if field(one, 0) is person:
            people.append(found)
            if field(one, 8) and field(one, 9):
                whole.add(field(one, 8))
    for found in people:
        one = <tuple> found
        written = (field(one, 8), field(one, 9))
        nobody = known.get(written)
        first, last = field(one, 8), field(one, 9)
        if nobody is None:
            nobody = known[written] = is_no_person(
                first.lower(), last.lower(), no_names, unknown, invented
            )
        if nobody:
            continue
        if (first and last) or field(one, 7) or not field(one, 4) < (0.0 if first in whole else faint):
            part = field(one, 1)
            if part != before:
                before = part
                starts, row = rows[part]
            starts.append(field(one, 2))
            row.append(found)
    return rows


cdef bint same_name(Draft draft, str first, str last, str sex):
    """`first` and `last` in small letters."""
    if sex and draft.sex and sex != draft.sex:
        return False
    if first and last and draft.first and not draft.last:
        return first == draft.low_first
    if last and draft.last:
        if last != draft.low_last:
            return False
        return not first or not draft.first or first[0] == first_letter(draft)
    if first and draft.first and not last:
        return first == draft.low_first
    return False


cdef inline Py_UCS4 first_letter(Draft draft) except? 0:
    """Of the first name, by itself in small letters: of some that is two."""
    cdef Py_UCS4 letter = draft.first[0]
    if letter < 128:
        return draft.low_first[0]
    cdef str low = (<str> draft.first[:1]).lower()
    return low[0] if len(low) == 1 else 0


cdef Draft known_by(bearers, str first, str last, str sex):
    """`bearers`: the draft that has a word of the name, or a list of several."""
    cdef Draft draft
    if isinstance(bearers, Draft):
        draft = <Draft> bearers
        return draft if same_name(draft, first, last, sex) else None
    for one in <list> bearers:
        draft = one
        if same_name(draft, first, last, sex):
            return draft
    return None


cdef int bear(dict by_name, str word, Draft draft) except -1:
    """Note that somebody has a word of a name."""
    bearers = by_name.get(word)
    if bearers is None:
        by_name[word] = draft
    elif isinstance(bearers, Draft):
        if bearers is not draft:
            by_name[word] = [bearers, draft]
    else:
        for one in <list> bearers:
            if one is draft:
                return 0
        (<list> bearers).append(draft)
    return 0


cdef list KEYS = []  # of those who are joined, as they come


cdef str key_of(Py_ssize_t number):
    while len(KEYS) <= number < MOST_KEYS:
        KEYS.append(f"m{len(KEYS)}")
    return KEYS[number] if number < MOST_KEYS else f"m{number}"


cdef inline Draft known_again(dict again, str first, str last, str sex):
    """Whoever was written so before: by the sex, then by the last name, then by the first."""
    known = again.get(sex)
    if known is not None:
        known = (<dict> known).get(last)
    if known is None:
        return None
    draft = (<dict> known).get(first)
    return None if draft is None else <Draft?> draft


cdef int know_again(dict again, str first, str last, str sex, Draft draft) except -1:
    of_sex = again.get(sex)
    if of_sex is None:
        of_sex = again[sex] = {}
    known = (<dict> of_sex).get(last)
    if known is None:
        known = (<dict> of_sex)[last] = {}
    (<dict> known)[first] = draft
    return 0


cdef Draft joined(
    str first, str last, str sex, str low_first, str low_last, dict drafts, dict by_name, dict again,
    key
):
    """`key` is of the draft of the other half of its name, or None."""
    cdef Draft draft = None
    cdef bint fits = True, known
    if low_last:
        bearers = by_name.get(low_last)
        if bearers is not None:
            draft = known_by(bearers, low_first, low_last, sex)
    if draft is None and low_first:
        bearers = by_name.get(low_first)
        if bearers is not None:
            draft = known_by(bearers, low_first, low_last, sex)
    known = draft is not None
    if draft is None and key is None:
        draft = new_draft(key_of(len(drafts)), first, last, sex)
        draft.low_first, draft.low_last = low_first, low_last
        drafts[draft.key] = draft
        # it fits itself, unless a first letter has no small one of its own
        fits = bool(first or last) and (
            not (first and last) or first[0] < 128 or low_first[0] == first[0].lower()
        )
    else:
        fits = known
        if draft is None:
            draft = drafts[key]
        if (first and not draft.first) or (last and not draft.last) or (sex and not draft.sex):
            if not draft.first:
                draft.first, draft.low_first = first, low_first
            if not draft.last:
                draft.last, draft.low_last = last, low_last
            draft.sex = draft.sex or sex
            again.clear()
            fits = False
    if low_last:
        bear(by_name, low_last, draft)
    if low_first:
        bear(by_name, low_first, draft)
    if fits:
        know_again(again, first, last, sex, draft)
    return draft


def join_all(list people, dict again, dict drafts, dict by_name, dict strength, half):
    cdef tuple one
    cdef list keys = []
    cdef Draft draft
    cdef str first, last_name, sex
    last, last_key = None, ""
    for found in people:
        one = mention_of(found)
        first, last_name, sex = field(one, 8), field(one, 9), field(one, 10)
        draft = known_again(again, first, last_name, sex)
        if draft is None:
            key = None
            if bool(first) != bool(last_name) and "label" in field(one, 6):
                key = half(found, last, last_key)
            draft = joined(
                first, last_name, sex, first.lower(), last_name.lower(), drafts, by_name, again, key
            )
        take(draft, found, field(one, 7), strength)
        keys.append(draft.key)
        last, last_key = found, draft.key
    return keys


def given_out(
    tuple findings, list owners, set closed, list people, list keys, list standing, dict drafts,
    tuple kinds, frozenset health, dict prefixes, frozenset loose, Py_ssize_t header, learn
):
    cdef tuple one
    cdef list rest = [], told = [], starts = None, row = None, places = None, named = None
    cdef Py_ssize_t index, part, known = -1, place, at = 0
    cdef bint open_ = False, of_health = False
    cdef str text = None
    last = None
    person, kinds = kinds[0], kinds[1:]
    if len(owners) != len(findings):
        raise IndexError("a finding has a place for its owner")
    for index in range(len(findings)):
        one = mention_of(findings[index])
        part = field(one, 2)
        if part != known:
            known = part
            open_ = part not in closed
            starts, row = people[part][0], keys[part]
            if standing is not None:
                places, named, text = standing[part]
            at = 0
        if not open_ or owners[index] is not None:
            continue
        kind, place = field(one, 0), field(one, 3)
        if kind is person:
            if at >= len(starts) or <Py_ssize_t> starts[at] != place:
                at = at_or_after(starts, place)
            # the last of several who are named there
            while at + 1 < len(starts) and <Py_ssize_t> starts[at + 1] == place:
                at += 1
            if at < len(starts) and <Py_ssize_t> starts[at] == place:
                owners[index] = row[at] or None
                at += 1
            continue
        if kind is not last:
            last, of_health = kind, kind in health
        if of_health:
            told.append(index)
        elif standing is None:
            rest.append(index)
        else:
            key = nearest(places, named, text, place, header)
            if key is not None:
                owners[index] = key
                learnt(drafts[key], one, text, kinds, prefixes, loose, learn)
    return told, rest


cdef Py_ssize_t at_or_after(list starts, Py_ssize_t place):
    """As bisect_left."""
    cdef Py_ssize_t low = 0, high = len(starts), middle
    while low < high:
        middle = (low + high) // 2
        if <Py_ssize_t> starts[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low


cdef nearest(list starts, list keys, str text, Py_ssize_t place, Py_ssize_t header):
    cdef Py_ssize_t behind = at_or_after(starts, place), after = header, before
    if behind < len(starts):
        after = <Py_ssize_t> starts[behind] - place
    if behind > 0:
        before = place - <Py_ssize_t> starts[behind - 1]
        if before <= header and (
            before <= after or PyUnicode_FindChar(text, u'\n', place - before, place, 1) < 0
        ):
            return keys[at_or_after(starts, place - before)]
    return keys[behind] if after < header else None


def standing(list people, list keys, list texts, str clinician, str greeted):
    cdef Py_ssize_t part, at
    cdef list found = [], starts, row, named, kept, left
    cdef set letters = set()
    cdef bint all_stand
    for part in range(len(people)):
        starts, row = people[part]
        named = keys[part]
        all_stand = True
        for at in range(len(row)):
            role = field(mention_of(row[at]), 7)
            if role:
                if role == clinician:
                    all_stand = False
                elif role == greeted and named[at]:
                    letters.add(named[at])
        if all_stand:
            found.append((starts, named, texts[part]))
            continue
        kept, left = [], []
        for at in range(len(row)):
            if field(<tuple>row[at], 7) != clinician:
                kept.append(starts[at])
                left.append(named[at])
        found.append((kept, left, texts[part]))
    return found, letters


def owners_of(tuple findings, list indices, list standing, Py_ssize_t header):
    """Pairs of an index and the key of whoever is named nearest."""
    cdef tuple one
    cdef list found = []
    cdef Py_ssize_t index
    for index in indices:
        told = findings[index]
        one = mention_of(told)
        starts, keys, text = standing[field(one, 2)]
        key = nearest(starts, keys, text, field(one, 3), header)
        if key is not None:
            found.append((index, key))
    return found


cdef int learnt(
    Draft draft, tuple one, str text, tuple kinds, dict prefixes, frozenset loose, learn
) except -1:
    """What a finding tells of its person."""
    cdef str printed, rule
    kind = field(one, 0)
    if kind is kinds[2] or kind is kinds[3]:
        rule = field(one, 1)
        if kind is kinds[2] or "birth" in rule:
            learn(draft, one)
        return 0
    known = prefixes.get(kind)
    if known is None:
        return 0
    printed, rule = field(one, 9), field(one, 1)
    if printed:
        prints_of(draft).add(<str>(<tuple>known)[0] + printed)
    if kind is kinds[0]:
        places_of(draft).append(text[<Py_ssize_t>field(one, 3):<Py_ssize_t>field(one, 4)])
    elif (<tuple>known)[1] and rule not in loose:
        direct_of(draft).add(rule)
    elif kind is kinds[1]:
        draft.has_address = True
    return 0


def learn_all(
    tuple findings, list owned, dict drafts, list texts, tuple kinds, dict prefixes,
    frozenset loose, learn
):
    """`kinds`: place, address, age and date; `prefixes`: how a kind that is printed is named, and
    whether it is direct."""
    cdef tuple one
    cdef Py_ssize_t index
    for index, key in owned:
        one = mention_of(findings[index])
        learnt(drafts[key], one, texts[field(one, 2)], kinds, prefixes, loose, learn)


def patients_of(
    tuple findings, list told, list places, list near, list patients, frozenset not_theirs,
    Py_ssize_t header, tuple kin
):
    """`near`: the patients of a part who must be named near by."""
    cdef tuple one
    cdef list owned = [], starts, keys
    cdef Py_ssize_t index, place, at
    cdef bint several = len(patients) > 1
    cdef Kin relatives = None if kin is None else Kin(*kin)
    first = patients[0]
    for index in told:
        found = findings[index]
        one = mention_of(found)
        context = field(one, 10)
        if context and not not_theirs.isdisjoint(context):
            continue
        if relatives is not None:
            key = relatives.told_of(field(one, 2), field(one, 3))
            if key is not None:
                owned.append((index, key))
                continue
        if context and "family" in context:
            continue
        key = first
        asked = near[field(one, 2)]
        if several or asked:
            starts, keys = places[field(one, 2)]
            place = field(one, 3)
            if several:
                at = at_or_after(starts, place + 1)
                key = keys[at - 1] if at > 0 else first
            if key in asked:
                at = at_or_after(starts, place - header)
                while at < len(starts) and <Py_ssize_t> starts[at] < place + header:
                    if keys[at] == key:
                        break
                    at += 1
                else:
                    continue
        owned.append((index, key))
    return owned


cdef enum:
    HE = 1  # or she
    THEY = 2  # or another pronoun


cdef inline int pronoun(int kind, void *data, Py_ssize_t start, Py_ssize_t end) noexcept:
    """Of a run of ASCII letters, of a text at least so long."""
    cdef unsigned int word = 0, sign
    cdef Py_ssize_t place
    if end - start < 2 or end - start > 5:
        return 0
    for place in range(start, end):
        sign = <unsigned int>PyUnicode_READ(kind, data, place) | 32
        if sign < 97 or sign > 122:
            return 0
        word = word << 5 | (sign & 31)
    if word == HE_WORD or word == SHE_WORD:
        return HE
    return THEY if word in (THEY_WORD, HIS_WORD, HER_WORD, THEIR_WORD) else 0


cdef unsigned int packed(str word):
    cdef unsigned int told = 0
    for sign in word:
        told = told << 5 | (<unsigned int>ord(sign) & 31)
    return told


cdef unsigned int HE_WORD = packed("he"), SHE_WORD = packed("she"), THEY_WORD = packed("they")
cdef unsigned int HIS_WORD = packed("his"), HER_WORD = packed("her"), THEIR_WORD = packed("their")


cdef class Sentences:
    """The sentences of a part, read once from the first to the last; the way back costs more."""

    cdef str text
    cdef tuple starts
    cdef Py_ssize_t number, read, run  # the sentence, how far it was read, where a word begins
    cdef bint spoken, odd, began

    def __cinit__(self, str text, tuple starts):
        self.text, self.starts = text, starts
        self.number = -1
        self.begin(0)

    cdef begin(self, Py_ssize_t number):
        if number != self.number:
            self.number = number
            self.read = <Py_ssize_t>self.starts[number]
            self.run = -1
            self.spoken = self.odd = self.began = False

    cdef int seek(self, Py_ssize_t place) except -1:
        """Go to the sentence of a place."""
        cdef Py_ssize_t low = self.number, high = len(self.starts), middle
        if low < 0 or <Py_ssize_t>self.starts[low] > place:
            low = 0
        elif low + 1 >= high or <Py_ssize_t>self.starts[low + 1] > place:
            if place < self.read:
                self.number = -1
            self.begin(low)
            return 0
        while low < high:
            middle = (low + high) // 2
            if place < <Py_ssize_t>self.starts[middle]:
                high = middle
            else:
                low = middle + 1
        self.begin(low - 1)
        return 0

    cdef Py_ssize_t first(self) except -1:
        return <Py_ssize_t>self.starts[self.number]

    cdef Py_ssize_t last(self) except -1:
        if self.number + 1 < len(self.starts):
            return <Py_ssize_t>self.starts[self.number + 1]
        return len(self.text)

    cdef int goes_on(self, Py_ssize_t place) except -2:
        """Whether a pronoun stands before a place of the sentence; -1 where a letter may be an i or s."""
        cdef int kind = PyUnicode_KIND(self.text), word
        cdef void *data = PyUnicode_DATA(self.text)
        cdef Py_UCS4 sign
        if place > len(self.text):
            raise IndexError("a finding stands in its text")
        while self.read < place and not self.odd and not self.spoken:
            sign = PyUnicode_READ(kind, data, self.read)
            if sign > 127 and sign in u"\u0130\u0131\u017f":
                self.odd = True
            elif sign.isalnum() or sign == u'_':
                if self.run < 0:
                    self.run = self.read
            elif self.run >= 0:
                word = pronoun(kind, data, self.run, self.read)
                self.spoken = word == HE or (word == THEY and not self.began)
                self.began = True
                self.run = -1
            self.read += 1
        if self.odd:
            return -1
        if self.spoken:
            return 1
        if self.run >= 0:  # it ends here
            word = pronoun(kind, data, self.run, place)
            return word == HE or (word == THEY and not self.began)
        return 0


cdef str said_last(list row, list keys, Py_ssize_t first, Py_ssize_t last, str clinician):
    """Whoever is named last in a stretch and is no clinician."""
    cdef Py_ssize_t at
    for at in range(last - 1, first - 1, -1):
        if field(mention_of(row[at]), 7) != clinician:
            return keys[at]
    return None


cdef str named_here(
    list row, list keys, Py_ssize_t first, Py_ssize_t last, Py_ssize_t place, str clinician,
    dict drafts, bint whole
):
    """Whoever is named last before a place, else first, of those with a whole name or of all."""
    cdef Py_ssize_t at
    cdef str key, found = None
    for at in range(first, last):
        if field(mention_of(row[at]), 7) == clinician:
            continue
        key = keys[at]
        if whole and not is_whole(drafts[key]):
            continue
        if found is None or <Py_ssize_t>field(mention_of(row[at]), 3) <= place:
            found = key
    return found


cdef class Kin:
    """The relatives whom sentences name."""

    cdef list people, keys, texts
    cdef object sentences_of
    cdef dict drafts
    cdef str clinician, relative
    cdef Py_ssize_t part
    cdef Sentences here

    def __init__(
        self, list people not None, list keys not None, list texts not None, sentences_of,
        dict drafts not None, str clinician, str relative
    ):
        self.people, self.keys, self.texts, self.sentences_of = people, keys, texts, sentences_of
        self.drafts, self.clinician, self.relative, self.part = drafts, clinician, relative, -1

    cdef str told_of(self, Py_ssize_t part, Py_ssize_t place):
        """Whoever of them is named last before a place of a sentence, else first in it."""
        cdef list starts, row, keys
        cdef Py_ssize_t at, last
        cdef Draft draft
        cdef str found = None
        cdef tuple one
        starts, row = self.people[part]
        if not row:
            return None
        if part != self.part:
            self.part, self.here = part, Sentences(self.texts[part], self.sentences_of(part))
        self.here.seek(place)
        keys = self.keys[part]
        last = at_or_after(starts, self.here.last())
        for at in range(at_or_after(starts, self.here.first()), last):
            one = mention_of(row[at])
            if field(one, 7) == self.clinician or not keys[at]:
                continue
            draft = self.drafts[keys[at]]
            if draft.role != self.relative:
                continue
            if found is None or <Py_ssize_t> field(one, 3) <= place:
                found = keys[at]
        return found


def told_of(
    tuple findings, list told, list people, list keys, list texts, sentences_of, dict drafts,
    frozenset not_theirs, str clinician, Py_ssize_t chain, str only, bint greets, ask
):
    cdef tuple one
    cdef list owned = [], starts = None, row = None, named = None
    cdef Py_ssize_t index, part, known = -1, place, first = 0, last = 0, sentence = -1, number
    cdef int more
    cdef Sentences here = None
    cdef str key
    for index in told:
        found = findings[index]
        one = mention_of(found)
        context = field(one, 10)
        if context and ("family" in context or not not_theirs.isdisjoint(context)):
            continue
        part, place = field(one, 2), field(one, 3)
        if part != known:
            starts, row = people[part]
            if not row:
                continue
            known, named = part, keys[part]
            if len(row) != len(starts) or len(row) != len(named):
                raise IndexError("everybody has a place and a key")
            here = Sentences(texts[part], sentences_of(part))
            sentence = -1
        here.seek(place)
        if here.number != sentence:
            sentence = here.number
            first = at_or_after(starts, here.first())
            last = at_or_after(starts, here.last())
        key = named_here(row, named, first, last, place, clinician, drafts, True)
        if key is None:
            key = named_here(row, named, first, last, place, clinician, drafts, False)
            if key is None and greets:
                key = ask(found)
            else:
                more = here.goes_on(place)
                if more < 0:
                    key = ask(found)
                else:
                    number = sentence
                    while more and number > 0 and sentence - number < chain:
                        number -= 1
                        spoken = said_last(
                            row, named, at_or_after(starts, here.starts[number]),
                            at_or_after(starts, here.starts[number + 1]), clinician,
                        )
                        if spoken is not None:
                            key = spoken
                            break
                    if key is None:
                        key = only
        if key:
            owned.append((index, key))
    return owned
