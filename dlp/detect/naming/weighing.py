"""How sure a run of words is a person: by the words around it, then by the dictionaries.

In: View, Run, the cues before and behind.  Out: a confidence; 0 when it is nobody.
"""

from __future__ import annotations

from dlp.detect.naming.known_words import MOSTLY_FIRST
from dlp.detect.naming.lexicon import ANY, CLEAR, EPONYM, PARTICLE, STREET, THING, Cue
from dlp.detect.naming.page import CAPS, LOW, PLAIN
from dlp.detect.naming.runs import LONELY, Run, View, heads_address
from dlp.detect.naming.surname_first import HARDLY, SURE, begins_entry, is_shouted
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    CAPITAL,
    COMMA,
    DOT,
    HYPHEN,
    MIXED,
    POSSESSIVE,
    SINGLE,
    SPACE,
)
from dlp.knowledge.names import FIRST, LAST, PLACE, WORD

LONGEST_STRANGE = 3  # words
HALF_A_WORD = 0.6  # ordinary in fewer uses than this: a first name that an unheard word makes clear
LAST_RESORT = 0.85  # ordinary in fewer uses than this: a nickname, where only people do as it does
SHORTEST = 3  # letters of a name that stands alone
EVEN_A_TOWN = 0.75  # confidence above that of a town of the gazetteer
EVERYDAY = 0.985  # ordinary in more uses than this: no last name even behind an initial
LIST_LETTERS = frozenset("ABCDEFI")


def weigh(view: View, run: Run, cue: Cue | None, after: Cue | None, *, credential: bool) -> float:
    """How sure: what the surroundings say, then what the dictionaries know."""
    whole, known, clear = told_apart(view, run)
    if holds_acronym(view, run, whole) or is_saint(view, run):
        return 0.0
    if cue and whole and cue.needs != CLEAR and not doubtful(view, run, cue):
        initialled = (view.shapes[run.first] & SINGLE and view.gaps[run.first] == DOT) or (
            view.shapes[run.last - 1] & SINGLE and len(whole) == 1
        )
        if (
            cue.evidence == "label"
            and not (initialled and known)  # "name: L. Wise", "name: WISE L"
            and not any(is_likely(view, at) for at in whole)
        ):
            return 0.0  # "name: Creative Commons"
        first = view.word(whole[0]).lower()
        if len(first) > 1 and first == first[0] * len(first):
            return 0.0  # XXXXX
        enough = 0 if cue.evidence == "kinship" else 1
        strange = len(whole) > enough and not any(view.names[at] & WORD for at in whole)
        if cue.needs == ANY or known or strange:
            return 0.95 if known else 0.8
    paired = 0.0
    if run.last - run.first > 1:
        paired = pair(view, run, whole, clear)
        if paired < EVEN_A_TOWN:
            paired = max(paired, in_company(view, run, whole, after, cue))
    if cue and clear:
        if paired:
            return paired
        if view.names[clear[0]] & FIRST and fits_alone(view, clear[0]):
            return 0.6
    if credential and known:
        return 0.9
    if after and after.role and clear:
        return 0.85
    return paired or alone(view, whole, after, cue)


def holds_acronym(view: View, run: Run, whole: list[int]) -> bool:
    """ "RACF Brisbane": capitals that are no known name, beside words that are no first name."""
    if view.modes[run.first] != PLAIN or len(whole) < 2:
        return False
    shouted = [at for at in whole if view.shapes[at] & ALL_CAPS]
    if not 0 < len(shouted) < len(whole):
        return False
    return not any(
        view.names[at] & (FIRST | LAST if at in shouted else MOSTLY_FIRST) for at in whole
    )


def is_saint(view: View, run: Run) -> bool:
    """ "St Margaret's": a church, a school or a hospital; "Ian St John" begins otherwise."""
    return view.word(run.first).lower() in {"st", "saint"}


def is_likely(view: View, at: int) -> bool:
    """A name more often than a word, or a word that English does not know."""
    if view.names[at] & (FIRST | LAST):
        return view.ordinary[at] < HALF_A_WORD or bool(view.names[at] & MOSTLY_FIRST)
    return not view.names[at] & WORD


def told_apart(view: View, run: Run) -> tuple[list[int], list[int], list[int]]:
    """The whole words of a run; those of them that are known names; those that are little else."""
    names = view.names
    whole, known, clear = [], [], []
    for at in range(*run):
        if view.shapes[at] & SINGLE or view.words[at] & PARTICLE:
            continue
        whole.append(at)
        if names[at] & (FIRST | LAST):
            known.append(at)
            if view.ordinary[at] < SURE:
                clear.append(at)
    return whole, known, clear


def doubtful(view: View, run: Run, cue: Cue) -> bool:
    """One word that is no name by itself, and a cue that other things follow as well."""
    if run.last - run.first == 1 and cue.evidence == "title" and cue.needs != ANY:
        return view.ordinary[run.first] > HALF_A_WORD
    if run.last - run.first != 1 or cue.evidence in {"title", "kinship", "self", "salutation"}:
        return False
    at = run.first
    if cue.needs == ANY:
        return not view.names[at] & (FIRST | LAST) and bool(view.names[at] & WORD)
    eponym = view.words[at] & EPONYM and (
        cue.evidence == "clinician"
        or (cue.evidence == "patient" and not view.names[at] & MOSTLY_FIRST)
    )
    return view.ordinary[at] > HARDLY or bool(eponym)


def fits_alone(view: View, at: int) -> bool:
    if view.words[at] & EPONYM or view.ends[at] - view.starts[at] < SHORTEST:
        return False
    return view.modes[at] != PLAIN or not view.shapes[at] & (ALL_CAPS | MIXED)


def alone(view: View, whole: list[int], after: Cue | None, before: Cue | None) -> float:
    """A name by itself: what it does, or a first name that is hardly ever a word."""
    if len(whole) != 1:
        return 0.0
    at = whole[0]
    if view.modes[at] != PLAIN:
        return 0.5 if stands_in_any_case(view, at, told=after is not None) else 0.0
    if view.shapes[at] & ALL_CAPS or view.ends[at] - view.starts[at] < SHORTEST:
        return 0.0
    names = view.names[at]
    if after is not None and after.role and not names & WORD and not view.words[at] & EPONYM:
        return 0.55 if view.is_english(at) else 0.0  # "Suparmi was diagnosed"
    if after is not None and after.role and names & MOSTLY_FIRST and not view.words[at] & EPONYM:
        return 0.5 if view.ordinary[at] < LAST_RESORT else 0.0  # "Sunny was hospitalised"
    if speaks(after) or speaks(before):
        listed = names & (FIRST | LAST)
        named = listed or not view.words[at] & EPONYM
        if named and not names & WORD and view.is_english(at):
            return 0.6 if listed else 0.5
    if not names & FIRST or view.ordinary[at] >= SURE:
        return 0.0
    if not names & MOSTLY_FIRST or view.words[at] & EPONYM:
        return 0.0
    return 0.55 if after else 0.5 if view.ordinary[at] < LONELY else 0.0


def speaks(cue: Cue | None) -> bool:
    return cue is not None and cue.evidence == "speech"


def stands_in_any_case(view: View, at: int, *, told: bool) -> bool:
    """A first name that is hardly ever a word, where no capital helps; ADA and "st john's" are not.

    What a name does ("ada says") makes up for three letters.
    """
    first = view.names[at] & MOSTLY_FIRST and view.ordinary[at] < LONELY
    if not first or not fits_alone(view, at) or not (told or view.is_english(at)):
        return False
    if HYPHEN in {view.gaps[at], view.gaps[at - 1] if at else SPACE}:
        return False  # aria-label
    long = view.ends[at] - view.starts[at] > SHORTEST
    return (long or (told and view.modes[at] == LOW)) and not (at and view.words[at - 1] & STREET)


def pair(view: View, run: Run, whole: list[int], clear: list[int]) -> float:
    """A first name with a last name or an initial, by the dictionaries alone."""
    if len(whole) < 2:
        return with_initial(view, run, clear) or behind_particle(view, run, whole)
    if view.shapes[run.first] & SINGLE and view.gaps[run.first] == DOT and whole[-1] in clear:
        return 0.65  # "H. Te Rangi"
    if view.gaps.count(HYPHEN, run.first, run.last - 1) == run.last - 1 - run.first:
        return 0.0  # Jackson-Pratt is one name, and mostly a thing
    head, tail = whole[0], whole[-1]
    if view.word(head) == view.word(tail):
        return 0.0
    if view.gaps[head] == COMMA:
        head, tail = whole[1], whole[0]
        given = view.names[head] & MOSTLY_FIRST and head in clear and not view.words[head] & EPONYM
        if view.names[head] & PLACE and view.names[tail] & PLACE and not given:
            return 0.0  # Toronto, Ontario
        if given and not view.names[tail] & WORD:
            return 0.7  # any last name
    if len(whole) == 2 and is_shouted(view, *whole):
        return 0.8
    if not (clear and view.names[head] & FIRST and view.names[tail] & LAST):
        return strangers(view, run, whole)
    if head in clear and tail in clear:
        return 0.85
    return 0.7 if head in clear or view.ordinary[head] < HARDLY else 0.0


def with_initial(view: View, run: Run, clear: list[int]) -> float:
    """Robert B. or J. Smith; Senna-S and Tanner V are something else."""
    if not clear or run.last - run.first == 1 or view.shapes[clear[0]] & POSSESSIVE:
        return 0.0
    if view.gaps.find(HYPHEN, run.first, run.last - 1) >= 0:
        return 0.0
    if view.shapes[run.first] & SINGLE:
        return 0.6 if view.gaps[run.first] == DOT and view.names[clear[0]] & LAST else 0.0
    dotted = view.text[view.ends[run.last - 1] : view.ends[run.last - 1] + 1] == "."
    if is_last_and_initial(view, run, clear[0]):
        return 0.65
    if not view.names[clear[0]] & FIRST or (view.words[clear[0]] & EPONYM and not dotted):
        return 0.0
    return 0.75


def behind_particle(view: View, run: Run, whole: list[int]) -> float:
    """ "B. Ó Lapáin", "H. van Aardt": an initial, a particle and a word that is nothing else."""
    if len(whole) != 1 or not view.shapes[run.first] & SINGLE or view.gaps[run.first] != DOT:
        return 0.0
    at = whole[0]
    strange = not view.names[at] & WORD and not view.shapes[at] & (ALL_CAPS | MIXED)
    return 0.6 if strange and at - run.first > 1 else 0.0


def in_company(
    view: View, run: Run, whole: list[int], after: Cue | None, before: Cue | None
) -> float:
    """Names that are words as well, but what they do, or a capital within a sentence, is not.

    "M. Rose says", "Ito H reported", "Just got Duc Phan's letter".
    """
    if view.modes[run.first] != PLAIN or any(view.words[at] & THING for at in whole):
        return 0.0
    does = after is not None and bool(after.role or after.evidence == "speech")
    particles = sum(
        bool(view.words[at] & PARTICLE) and not view.shapes[at] & SINGLE for at in range(*run)
    )
    if len(whole) == 1 and run.last - run.first == 2 + particles:
        at = whole[0]
        if not view.names[at] & LAST or view.gaps[run.first] == HYPHEN:
            return 0.0
        dotted = view.shapes[run.first] & SINGLE and view.gaps[run.first] == DOT
        if not dotted and (view.shapes[run.first] & SINGLE or view.words[at] & EPONYM):
            return 0.0
        enough = HALF_A_WORD if after or dotted else 0.0
        if dotted and (after or before):
            enough = 1.0 if does else HARDLY if may_count(view, run.first) else EVERYDAY
        fits = view.ordinary[at] <= enough and not view.shapes[at] & ALL_CAPS
        return (EVEN_A_TOWN if dotted and after else 0.6) if fits else 0.0
    if len(whole) != 2 or view.gaps[whole[0]] != SPACE or run.last - run.first != 2 + particles:
        return 0.0
    head, tail = whole
    odd = ALL_CAPS if view.names[tail] & LAST else ALL_CAPS | MIXED  # O'Callaghan
    if view.shapes[head] & (ALL_CAPS | MIXED) or view.shapes[tail] & odd:
        return 0.0
    listed = view.phrase(run.last, run.last + 1) == "and" if after else False
    if (before or (after and not listed)) and is_named_and_does(view, head, tail, after):
        return EVEN_A_TOWN if after else 0.6
    if (view.words[head] | view.words[tail]) & EPONYM or not view.names[tail] & LAST:
        return 0.0
    if not view.names[head] & MOSTLY_FIRST:  # "Gaz Haney mentioned"
        rare = view.ordinary[head] < HALF_A_WORD and view.ordinary[tail] < SURE
        return 0.55 if does and rare else 0.0
    within = head > 0 and view.gaps[head - 1] == SPACE and not view.shapes[head - 1] & CAPITAL
    within = within or bool(view.shapes[tail] & POSSESSIVE)  # "Attached: Duc Phan's file"
    enough = HARDLY if does else HALF_A_WORD if within or after else 0.0
    return 0.6 if max(view.ordinary[head], view.ordinary[tail]) < enough else 0.0


def is_named_and_does(view: View, head: int, tail: int, after: Cue | None) -> bool:
    """ "Hope Gunderson is", "Vera Young has": one of the two names is hardly a word.

    Of whom an event is told, as of a patient, the first name may be any.
    """
    if not view.names[head] & FIRST:
        return False
    plain = not view.names[tail] & WORD and not view.words[tail] & EPONYM
    if plain and view.ordinary[tail] < SURE:
        return True
    if not view.names[tail] & LAST or not view.names[head] & MOSTLY_FIRST:
        return False
    if after is not None and after.role and view.ordinary[tail] < HARDLY:
        return True
    if view.words[head] & EPONYM and view.ordinary[head] >= HALF_A_WORD:
        return False
    if speaks(after):
        return view.ordinary[head] < LAST_RESORT
    return view.ordinary[head] < HALF_A_WORD and not view.words[tail] & EPONYM


def may_count(view: View, at: int) -> bool:
    """ "B. Price is": a letter that may count the entries of a list."""
    opens = not at or view.gaps[at - 1] != SPACE
    return opens and view.word(at).upper() in LIST_LETTERS


def is_last_and_initial(view: View, run: Run, at: int) -> bool:
    """ "Tanaka Y" where an entry of a list, a cell or a line ends; "Vitamin D is" goes on."""
    if view.words[at] & EPONYM or not view.names[at] & LAST or view.modes[at] == LOW:
        return False
    opens = not run.first or view.gaps[run.first - 1] != SPACE or begins_entry(view, run.first)
    end = view.ends[run.last - 1]
    behind = view.text[end : end + 3].lstrip(".")
    return opens and (not behind.strip(" ") or not behind[:1].isspace() or behind[:2] == "  "
                      or not behind[1:2].isalpha())  # fmt: skip


def is_rare_last(view: View, head: int, tail: int) -> bool:
    """Vera Hollingdrake: a first name that may be a word, and a word that is nothing else."""
    loud = view.modes[head] == CAPS
    enough = SURE if loud else HALF_A_WORD
    given = view.names[head] & MOSTLY_FIRST and view.ordinary[head] < enough
    if not given or view.gaps[head] != SPACE or view.modes[head] == LOW:
        return False
    unheard = not view.names[tail] and not view.ordinary[tail]
    odd = MIXED if loud else ALL_CAPS | MIXED
    return unheard and not (view.shapes[head] | view.shapes[tail]) & odd


def strangers(view: View, run: Run, whole: list[int]) -> float:
    """Capitalised words side by side that English does not know: names from elsewhere, mostly."""
    given = view.names[whole[0]] & MOSTLY_FIRST and view.ordinary[whole[0]] < LONELY
    if len(whole) == 2 and is_rare_last(view, *whole) and not given:
        return 0.6
    if len(whole) > LONGEST_STRANGE or not (view.modes[run.first] == PLAIN or given):
        return 0.0
    if given and len(whole) == 2 and view.gaps[whole[0]] == SPACE:
        return 0.65
    for at in whole:
        if view.names[at] & WORD or view.shapes[at] & ALL_CAPS or view.words[at] & (EPONYM | THING):
            return 0.0
        if view.shapes[at] & MIXED and not view.names[at] & (FIRST | LAST):
            return 0.0  # LigaSure
    if all(view.names[at] & PLACE and not view.names[at] & MOSTLY_FIRST for at in whole):
        return 0.0  # Buenos Aires
    if run.last - run.first > len(whole):
        return 0.75  # an initial between or behind them
    if view.names[whole[0]] & FIRST:
        return 0.65
    known = view.names[whole[-1]] & LAST or view.names[whole[0]] & LAST
    return 0.6 if known else 0.55 if view.is_english(run.first) or heads_address(view, run) else 0.0
