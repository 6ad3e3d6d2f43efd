"""Find people by the words around a name and by the dictionaries of names.

In: text.  Out: Mentions of persons with role and evidence.

A run of capitalised words is a person when a title, a label, a relation, a salutation, an event or
a signature says so, or when its words are known as first and last name and hardly as ordinary
words. A name found once is found everywhere.
"""

from __future__ import annotations

import functools
from bisect import bisect_left

from dlp.detect.naming.dialogue import spoken_labels
from dlp.detect.naming.forms import form_of_words, sex_of
from dlp.detect.naming.known_words import MOSTLY_FIRST
from dlp.detect.naming.lexicon import (
    AFTER,
    ANY,
    BEFORE,
    CLEAR,
    CREDENTIAL,
    NEVER,
    PARTICLE,
    TITLE,
    Cue,
    Lexicon,
    load_lexicon,
    longest_cues,
)
from dlp.detect.naming.localities import default_places
from dlp.detect.naming.mention import CLINICIAN, PATIENT, Mention
from dlp.detect.naming.page import LOW, PLAIN, PageReader
from dlp.detect.naming.runs import Run, View, is_thing, runs, trimmed, worth_a_look
from dlp.detect.naming.surname_first import HARDLY, SURE, is_shouted
from dlp.detect.naming.surroundings import (
    asks_widely,
    gap_behind,
    is_age,
    is_of_thing,
    is_origin,
    opens_next_label,
    speaks,
)
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    COLON,
    COMMA,
    DOT,
    HYPHEN,
    LINE,
    NUMBER,
    PART,
    SINGLE,
    SPACE,
)
from dlp.detect.naming.weighing import weigh
from dlp.knowledge.names import FIRST, LAST, PLACE, Names, load_names
from dlp.knowledge.people import load_people
from dlp.model import Kind
from dlp.text.apposition import length_of_apposition
from dlp.text.misread_labels import meant

FLOOR = 0.5
HALF = 0.5
MOSTLY_PLACE = 0.15
SMALL_TOWN, MILLION = 20_000, 1_000_000  # people
ARTICLES = frozenset({"a", "an", "the"})
WORKS_AT = frozenset({"works at", "worked at", "working at", "employed at", "employed by"})
SHORT_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})
NO_PLACE = bytes(bits for bits in range(256) if not bits & PLACE)
HEALERS = frozenset({"medical", "nursing", "allied"})
SPEAKER = Cue("speech", "", CLEAR, frozenset())
AGED = Cue("aged", PATIENT, CLEAR, frozenset())


class NameFinder:
    def __init__(self, names: Names | None = None, lexicon: Lexicon | None = None) -> None:
        self._names = names or load_names()
        self._lexicon = lexicon or load_lexicon()
        self._reader = PageReader(self._names, self._lexicon)
        self._people = load_people()
        self._places = default_places()
        self._cues_before = self._lexicon.before
        self._longest_before = longest_cues(self._lexicon.before, last=True)
        self._longest_after = longest_cues(self._lexicon.after, last=False)

    def find(self, text: str, part: int = 0) -> list[Mention]:
        return [m for page in self._reader.pages(text) for m in self.find_in(View(page), part)]

    def find_in(self, view: View, part: int = 0) -> list[Mention]:
        return [m for run in runs(view) if (m := self._judge(view, run, part))]

    def _judge(self, view: View, run: Run, part: int) -> Mention | None:
        """Let the surroundings speak first, then the dictionaries."""
        first = run.first
        if begins_next_label(view, run):
            run = run._replace(last=run.last - 1)
        before = view.words[first - 1] if first else 0
        title = self._title(view, first) if before & TITLE else None
        if title is None and (is_thing(view, run) or not worth_a_look(view, run)):
            return None
        if is_numbered_thing(view, run) or is_product(view, run):
            return None
        if title is None and (is_employer(view, run) or is_greeted_title(view, run)):
            return None
        cue = title or (self._before(view, first) if before & BEFORE else None)
        if cue is not None and cue.evidence == "label":
            if opens_next_label(view, run):
                return None
            if view.gaps[first - 1] == COLON and view.phrase(first - 1, first) in spoken_labels(
                view.text
            ):
                cue = None  # a turn of a dialogue
        # only what asks for a person holds a doubtful last name: a label, a title, "Re:"
        cued = cue is not None and cue.needs != CLEAR
        if run.last - first == 1 and not cued and is_hopeless(view, first, cue):
            return None
        run = trimmed(view, run, bold=cue is not None and cue.needs == ANY, cued=cued)
        if run.first >= run.last:
            return None
        if run.first > first:
            cue = self._title(view, run.first) or self._before(view, run.first)
            cued = cue is not None and cue.needs != CLEAR
        behind = view.words[run.last] if run.last < view.count else 0
        credential = bool(behind & CREDENTIAL) and self._healer(view, run.last)
        after = None if credential else self._after(view, run)
        does = after is not None and (after.role or after.evidence == "speech")
        about = cue is not None and cue.evidence == "subject-line" and run.last - run.first == 1
        is_place = not does and (about or not cued) and self._is_place(view, run)
        if is_place and not (after and self._is_small_place(view, run)):
            return None  # also "Re: Barcelona"
        if self._is_home(view, run):
            return None
        if not cued and self._goes_on_from_place(view, run):
            return None
        confidence = weigh(view, run, cue, after, credential=credential)
        if confidence < FLOOR or (said := view.phrase(*run)) != meant(said):
            return None  # "Paticnt Namc" is a label
        role = CLINICIAN if credential else cue.role if cue and cued else ""
        role = role or (after.role if after else "") or (cue.role if cue else "")
        if title is not None and not role:
            # "Re: Mrs Hale", "Patient: Mr Hale": the title says nothing of their part
            asked = self._before(view, run.first - 1)
            role = asked.role if asked and asked.needs != CLEAR else ""
        evidence = evidence_of(cue, after, credential=credential)
        titled = cue is not None and cue.evidence == "title"
        given, family = given_and_family(view, run, titled=titled)
        sex = (cue.sex if cue else "") or sex_of(given)
        start, end = where(view, run)
        form = form_of_words(given, family, titled=titled)
        return Mention(Kind.PERSON, part, start, end, confidence, f"name-{evidence[0]}", evidence,
                       role, given, family, sex, form=form)  # fmt: skip

    def _is_place(self, view: View, run: Run) -> bool:
        """Santa Barbara, Indiana: names that more people live in than bear."""
        if view.modes[run.first] != PLAIN and self._ends_place(view, run):
            return True
        if not view.names[run.first : run.last].strip(NO_PLACE):
            return False
        known = self._places.known(view.phrase(*run))
        single = run.last - run.first == 1
        if known is None and not single and not view.names[run.last - 1] & LAST:
            known = self._places.known(view.phrase(run.first, run.first + 1))  # Albania Europe
            return known is not None and known.ambiguity < MOSTLY_PLACE
        return known is not None and known.ambiguity < (HALF if single else 1)

    def _is_small_place(self, view: View, run: Run) -> bool:
        """ "Tom Price has": a first and a last name, and a town that few live in."""
        first, last = run
        if last - first != 2 or not view.names[first] & MOSTLY_FIRST:
            return False
        clear = max(view.ordinary[first], view.ordinary[last - 1]) < SURE  # Juan Diaz
        known = self._places.known(view.phrase(*run))
        small = known is not None and known.population < (MILLION if clear else SMALL_TOWN)
        return small and bool(view.names[last - 1] & LAST)

    def _is_home(self, view: View, run: Run) -> bool:
        """ "John Smith of Jordan", "John Smith of New York": not Jordan or York has asthma."""
        for first in range(run.first, max(-1, run.first - 3), -1):
            if is_origin(view, first):
                return self._places.known(view.phrase(first, run.last)) is not None
        return False

    def _goes_on_from_place(self, view: View, run: Run) -> bool:
        """ "New York Times": the first word is the second of a place."""
        at = run.first
        if (
            run.last - at < 2
            or not at
            or view.gaps[at - 1] != SPACE
            or not view.words[at - 1] & NEVER
        ):
            return False
        return self._places.known(view.phrase(at - 1, at + 1)) is not None

    def _ends_place(self, view: View, run: Run) -> bool:
        """The second half of "new zealand", where no capital holds the two together."""
        at = run.first
        if run.last - at > 1 or not at or view.gaps[at - 1] != SPACE:
            return False
        return self._places.known(view.phrase(at - 1, run.last)) is not None

    def _title(self, view: View, at: int) -> Cue | None:
        if not at or not view.words[at - 1] & TITLE or view.gaps[at - 1] not in {SPACE, DOT}:
            return None
        word = view.word(at - 1)
        if at > 1 and view.shapes[at - 2] & NUMBER and view.shapes[at - 1] & ALL_CAPS:
            return None  # 400MG MR TABS: modified release
        if word == "MS" and not view.shapes[at] & ALL_CAPS and view.ordinary[at] > HARDLY:
            return None  # MS Supplemental License
        capital = view.shapes[at - 1] & CAPITAL or view.modes[at - 1] == LOW
        if not capital and word not in SHORT_TITLES:
            return None  # "a nurse Smith" is no title
        return self._lexicon.titles.get(word.lower())

    def _before(self, view: View, at: int) -> Cue | None:
        """The longest cue that ends right before the name."""
        if not at or not view.words[at - 1] & BEFORE:
            return None
        phrase = view.phrase(at - 1, at)
        reach = self._longest_before.get(phrase, 0)
        gap, longest = view.gaps[at - 1], None
        place, furthest = at - 1, max(0, at - reach)
        while place >= furthest:
            for cue in self._cues_before.get(phrase, ()):
                if gap in cue.gaps or (COLON in cue.gaps and asks_widely(view, place, at)):
                    longest = cue
                    if cue.evidence == "label" and is_of_thing(view, place):
                        longest = cue._replace(needs=CLEAR)
                    break
            place -= 1
            if place < furthest or view.gaps[place] == PART:
                break
            phrase = f"{view.phrase(place, place + 1)} {phrase}"
        return longest

    def _after(self, view: View, run: Run) -> Cue | None:
        at = run.last
        if at >= view.count:
            return None
        if view.gaps[at - 1] == COLON and speaks(view, run):
            return SPEAKER
        said = view.words[at] & AFTER
        next_is_number = at + 1 < view.count and view.shapes[at + 1] & NUMBER
        gap = gap_behind(view, at - 1)
        if said and (cue := self._cue_behind(view, at, gap)):
            # "who works as a cook" says that it is a person, and no more
            return cue if cue.role else self._behind_apposition(view, at) or cue
        if next_is_number and view.word(at).lower() in ARTICLES:
            at += 1
        if view.shapes[at] & NUMBER and gap not in {LINE, DOT, PART} and is_age(view, at):
            return AGED
        return self._behind_apposition(view, run.last)

    def _cue_behind(self, view: View, at: int, gap: int) -> Cue | None:
        """The longest cue that begins at a word."""
        longest = self._longest_after.get(view.phrase(at, at + 1), 0)
        for size in range(min(longest, view.count - at), 0, -1):
            for cue in self._lexicon.after.get(view.phrase(at, at + size), ()):
                if gap in cue.gaps:
                    return cue
        return None

    def _behind_apposition(self, view: View, at: int) -> Cue | None:
        """ "Ann Lee, who works as a cook, was admitted": what happened stands behind the aside."""
        if view.gaps[at - 1] != COMMA:
            return None
        end = view.ends[at - 1]
        length = length_of_apposition(view.text, end)
        on = bisect_left(view.starts, end + length) if length else view.count
        if on >= view.count or not view.words[on] & AFTER:
            return None
        return self._cue_behind(view, on, COMMA)

    def _healer(self, view: View, at: int) -> bool:
        """Whether letters behind a name say that it is a clinician's."""
        if view.gaps[at - 1] not in {SPACE, COMMA}:
            return False
        end = view.ends[at]
        for stop in (end + 3, end + 2, end):  # PA-C, M.D. and the like keep their signs
            known = self._people.credentials.get(view.text[view.starts[at] : stop])
            if known:
                return known.group in HEALERS
        return False


def is_numbered_thing(view: View, run: Run) -> bool:
    """srv-lazarus-02: a number joined by a hyphen."""
    at = run.last
    return at < view.count and view.gaps[at - 1] == HYPHEN and bool(view.shapes[at] & NUMBER)


def is_greeted_title(view: View, run: Run) -> bool:
    """ "Dear Sir or Madam", "Dear Doctor": a title and no name."""
    first, last = run
    alone = last - first == 1 and view.words[first] & TITLE
    return bool(alone and first) and view.phrase(first - 1, first) == "dear"


def is_employer(view: View, run: Run) -> bool:
    """ "works at Walmart": one word behind a verb of work."""
    first, last = run
    if first < 2 or last - first != 1 or view.gaps[first - 1] != SPACE:
        return False
    return view.phrase(first - 2, first) in WORKS_AT


def is_product(view: View, run: Run) -> bool:
    """ "a newer version of Adobe Acrobat Reader": what there are versions of is nobody."""
    first = run.first
    return first > 1 and view.phrase(first - 2, first) in {"version of", "versions of"}


def begins_next_label(view: View, run: Run) -> bool:
    """ "From: Ada Hale Pages: 3": an ordinary word with a colon, in a line that opens with one."""
    first, last = run
    if last - first < 2 or not first or view.gaps[last - 1] != COLON:
        return False
    return view.gaps[first - 1] == COLON and view.ordinary[last - 1] > HARDLY


def is_hopeless(view: View, at: int, cue: Cue | None) -> bool:
    """One word that is no clear name, and no word beside it can make it one: `weigh` gives 0."""
    if view.names[at] & (FIRST | LAST) and view.ordinary[at] < SURE:
        return False
    if cue is not None and cue.evidence == "speech":
        return False
    told = view.gaps[at] == COLON
    return not told and (at + 1 == view.count or not view.words[at + 1] & (AFTER | CREDENTIAL))


def evidence_of(cue: Cue | None, after: Cue | None, *, credential: bool) -> tuple[str, ...]:
    """What speaks for a name, the words before it first; the dictionaries when nothing else."""
    found = (cue.evidence,) if cue and cue.evidence else ()
    if credential:
        found = (*found, "credential")
    if after and after.role and after.evidence:
        found = (*found, after.evidence)
    return found or ("dictionary",)


def given_and_family(view: View, run: Run, *, titled: bool) -> tuple[str, str]:
    if run.last - run.first == 1:
        word = view.word(run.first)
        return (word, "") if view.names[run.first] & FIRST and not titled else ("", word)
    whole, words = whole_words(view, run)
    if len(whole) > 1:
        turned = view.gaps[whole[1] - 1] == COMMA or is_shouted(view, whole[0], whole[1])
        return (words[1], words[0]) if turned or ends_in_initial(view, run) else (
            words[0], words[-1])  # fmt: skip
    lonely_first = view.names[whole[0]] & FIRST and not titled
    return (words[0], "") if lonely_first else ("", words[0])


def whole_words(view: View, run: Run) -> tuple[list[int], list[str]]:
    """Where the words of a name begin, particles apart; "Reid-Hale" is one word."""
    whole: list[int] = []
    words: list[str] = []
    for at in range(*run):
        if not view.shapes[at] & CAPITAL and view.words[at] & PARTICLE:
            continue
        if whole and at > run.first and view.gaps[at - 1] == HYPHEN:
            words[-1] = view.text[view.starts[whole[-1]] : view.ends[at]]
        else:
            whole.append(at)
            words.append(view.word(at))
    return whole, words


def ends_in_initial(view: View, run: Run) -> bool:
    """ "Tanaka Y" is a last name and an initial, "Robert B." is not."""
    if run.last - run.first != 2 or not view.shapes[run.last - 1] & SINGLE:
        return False
    return bool(view.names[run.first] & LAST) and not view.names[run.first] & MOSTLY_FIRST


def where(view: View, run: Run) -> tuple[int, int]:
    """Where a name stands in the part; the full stop of a last initial belongs to it."""
    start, end = view.starts[run.first], view.ends[run.last - 1]
    initial = run.last - run.first > 1 and view.shapes[run.last - 1] & SINGLE
    if initial and view.text[end : end + 1] == ".":
        end += 1
    return view.page.original(start, end)


@functools.cache
def default_names() -> NameFinder:
    return NameFinder()
