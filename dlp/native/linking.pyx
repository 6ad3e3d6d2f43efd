# cython: language_level=3, boundscheck=True, wraparound=False
"""Inner loops of dlp/detect/linking.

In: text, or findings and mentions.  Out: places, or the few findings that matter.

opening_runs(text, words): where those runs of letters and digits start that are among the words,
  without regard to case; its twin is opening_runs in dlp/detect/linking/asserting.py.
told_about(findings, owners, ids, cls): findings that name their person, given the key of a draft by
  their index and the ids of drafts; its twin is Finding.about.
sifted(findings, health, direct, loose, address): how many health findings are not general, where
  the first of them starts, and the findings that are personal; its twin is sifted in
  dlp/detect/linking/casting.py.
people_of(mentions, parts, person, faint, is_no_person): the persons of each part who are somebody,
  behind where they start; its twin is people_of in dlp/detect/linking/drafts.py.
join_all(people, again, drafts, by_name, key_of, named_at, strength, half, make): each mention is its
  person's; `half` finds the draft of the other field of a name, `make` one by its key. Its twin is
  Linking._join in dlp/detect/linking/subjects.py.
left_over(findings, closed, owner, named_at, person, health): gives findings of persons to whom they
  name and returns the places of all that are still to be given, those of health apart; its twin is
  Linking._left_over.
owners_of(findings, indices, standing, header): whoever is named nearest to each of these findings,
  given starts and keys of the people of each part, and its text; its twin is Whose.identifier.
"""

from cpython.unicode cimport PyUnicode_FindChar


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


def told_about(tuple findings, dict owners, dict ids, cls):
    if not owners:
        return findings
    cdef list all_of_them = list(findings)
    cdef tuple one
    for index, owner in owners.items():
        person = ids[owner]
        found = all_of_them[index]
        if not isinstance(found, tuple):
            raise TypeError("a finding is a tuple")
        one = <tuple> found  # of a class of its own, which Cython asks no further about
        all_of_them[index] = tuple.__new__(cls, (
            one[0], one[1], one[2], one[3], one[4], one[5], one[6], one[7], person, one[9], one[10],
        ))
    return tuple(all_of_them)


def sifted(tuple findings, frozenset health, frozenset direct, frozenset loose, address):
    cdef tuple one
    cdef Py_ssize_t count = 0
    cdef list personal = []
    first = None
    for found in findings:
        if not isinstance(found, tuple):
            raise TypeError("a finding is a tuple")
        one = <tuple> found
        kind, rule = one[0], one[1]
        if kind in health and "general" not in one[10]:
            count += 1
            if first is None or one[3] < first:
                first = one[3]
        if (kind in direct and rule not in loose) or kind is address or "birth" in rule:
            personal.append(found)
    return count, first or 0, personal


def people_of(tuple mentions, Py_ssize_t parts, person, double faint, is_no_person):
    cdef tuple one
    cdef list people = [], rows = [([], []) for _ in range(parts)]
    cdef set whole = set()
    for found in mentions:
        if not isinstance(found, tuple):
            raise TypeError("a mention is a tuple")
        one = <tuple> found
        if one[0] is person:
            people.append(found)
            if one[8] and one[9]:
                whole.add(one[8])
    for found in people:
        one = <tuple> found
        first, last = one[8], one[9]
        if is_no_person(first, last):
            continue
        if (first and last) or one[7] or not one[4] < (0.0 if first in whole else faint):
            starts, row = rows[one[1]]
            (<list> starts).append(one[2])
            (<list> row).append(found)
    return rows


cdef bint same_name(draft, str first, str last, str sex):
    """`first` and `last` in small letters."""
    cdef str known_sex = draft.sex, known_first = draft.first, known_last = draft.last
    if sex and known_sex and sex != known_sex:
        return False
    if first and last and known_first and not known_last:
        return first == known_first.lower()
    if last and known_last:
        if last != known_last.lower():
            return False
        return not first or not known_first or first[0] == known_first[0].lower()
    if first and known_first and not last:
        return first == known_first.lower()
    return False


cdef known_by(dict drafts, list keys, str first, str last, str sex):
    for key in keys:
        if same_name(drafts[key], first, last, sex):
            return key
    return None


cdef joined(found, tuple one, tuple written, dict drafts, dict by_name, dict again, half, make):
    cdef str first = written[0], last = written[1], sex = written[2]
    cdef str low_first = first.lower(), low_last = last.lower()
    cdef list bearers
    known = None
    for word in (low_last, low_first):
        if word and known is None:
            bearers = by_name.get(word)
            if bearers is not None:
                known = known_by(drafts, bearers, low_first, low_last, sex)
    key = known
    if key is None and bool(first) != bool(last) and "label" in one[6]:
        key = half(found)
    draft = make(f"m{len(drafts)}" if key is None else key, "")
    changed = False
    if not draft.first and first:
        draft.first = first
        changed = True
    if not draft.last and last:
        draft.last = last
        changed = True
    if not draft.sex and sex:
        draft.sex = sex
        changed = True
    own = draft.key
    for word in (low_last, low_first):
        if word:
            bearers = by_name.get(word)
            if bearers is None:
                by_name[word] = [own]
            elif own not in bearers:
                bearers.append(own)
    if key is not None and changed:
        again.clear()
    elif known is not None or (
        key is None and (first or last) and same_name(draft, low_first, low_last, sex)
    ):
        again[written] = draft
    return draft


def join_all(
    list people, dict again, dict drafts, dict by_name, dict key_of, dict named_at, dict strength,
    half, make
):
    cdef tuple one, written
    for found in people:
        if not isinstance(found, tuple):
            raise TypeError("a mention is a tuple")
        one = <tuple> found
        written = (one[8], one[9], one[10])
        draft = again.get(written)
        if draft is None:
            draft = joined(found, one, written, drafts, by_name, again, half, make)
        draft.mentions.append(found)
        key = draft.key
        key_of[found] = key
        named_at[one[1], one[2]] = key
        role, known = one[7], draft.role
        if role != known and strength.get(role, 1) > strength.get(known, 0):
            draft.role = role


def left_over(tuple findings, set closed, dict owner, dict named_at, person, frozenset health):
    cdef tuple one
    cdef list rest = [], told = []
    cdef Py_ssize_t index
    for index in range(len(findings)):
        found = findings[index]
        if not isinstance(found, tuple):
            raise TypeError("a finding is a tuple")
        one = <tuple> found
        if one[2] in closed or index in owner:
            continue
        if one[0] is person:
            key = named_at.get((one[2], one[3]))
            if key:
                owner[index] = key
        elif one[0] in health:
            told.append(index)
        else:
            rest.append(index)
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


def owners_of(tuple findings, list indices, list standing, Py_ssize_t header):
    """Pairs of an index and the key of whoever is named nearest."""
    cdef tuple one
    cdef list found = []
    cdef Py_ssize_t index
    for index in indices:
        told = findings[index]
        if not isinstance(told, tuple):
            raise TypeError("a finding is a tuple")
        one = <tuple> told
        starts, keys, text = standing[one[2]]
        key = nearest(starts, keys, text, one[3], header)
        if key is not None:
            found.append((index, key))
    return found
