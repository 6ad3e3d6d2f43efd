"""What stands right before and behind a name: a wide blank, a colon, a full stop, an age.

In: View of a page, words of it.  Out: answers to one question each.
"""

from __future__ import annotations

from dlp.detect.naming.lexicon import NEVER
from dlp.detect.naming.patterns import AGE
from dlp.detect.naming.runs import Run, View
from dlp.detect.naming.tokens import CAPITAL, COMMA, LINE, NUMBER, OTHER, PART, SINGLE, SPACE
from dlp.knowledge.names import FIRST, LAST, WORD

OLDEST = 125  # years
ORIGIN = frozenset({"of", "from"})


def is_wide(view: View, at: int) -> bool:
    """Two blanks or a tab: on a form they say what a colon says."""
    between = view.text[view.ends[at - 1] : view.starts[at]]
    return (len(between) > 1 or between == "\t") and not between.strip(" \t")


def asks_widely(view: View, place: int, at: int) -> bool:
    """Whether two blanks stand between a name and the label of a field, which begins at `place`."""
    return view.gaps[at - 1] in {SPACE, OTHER} and is_wide(view, at) and opens_field(view, place)


def opens_field(view: View, at: int) -> bool:
    """Whether a label begins here: a line, or another field of it."""
    return not at or view.gaps[at - 1] == LINE or is_wide(view, at)


def is_of_thing(view: View, at: int) -> bool:
    """ "Font name:", "Licence name:": a noun before the label says what has that name."""
    if not at or view.gaps[at - 1] != SPACE or opens_field(view, at):
        return False
    return not (view.words[at - 1] & NEVER or view.shapes[at - 1] & NUMBER)


def opens_next_label(view: View, run: Run) -> bool:
    """ "Surname:" and a new line with "First names:": the form is blank, the words a label."""
    between = view.text[view.ends[run.first - 1] : view.starts[run.first]]
    if "\n" not in between:
        return False
    end = view.text.find("\n", view.ends[run.last - 1])
    rest = view.text[view.ends[run.last - 1] : end if end >= 0 else None]
    return ":" in rest or bool(rest.strip())


def speaks(view: View, run: Run) -> bool:
    """A first name and a colon open a line: somebody speaks, in a play or a transcript."""
    if run.last - run.first > 1 or not view.names[run.first] & FIRST:
        return False
    before = run.first - 1
    stamped = before > 0 and bool(view.shapes[before] & NUMBER) and view.gaps[before] == OTHER
    opens = before < 0 or view.gaps[before] in {LINE, PART} or stamped  # "[21:04] Ada:"
    return opens and not view.names[run.first] & WORD


def gap_behind(view: View, at: int) -> int:
    """The gap behind a name; the full stop of an initial belongs to the name."""
    if view.shapes[at] & SINGLE and view.text[view.ends[at] : view.ends[at] + 1] == ".":
        follows = view.text[view.ends[at] + 1 : view.ends[at] + 2]
        return SPACE if follows == " " else COMMA if follows == "," else OTHER
    return view.gaps[at]


def is_age(view: View, at: int) -> bool:
    """45-year-old, 45M, 45 y/o, (45) right behind a name; (617) 555-0142 is a telephone."""
    start = view.starts[at]
    found = AGE.match(view.text[start : start + 16])
    if found is None or int(found[1]) > OLDEST:
        return False
    if found[3]:  # "Ada Hale, 79, lives alone"
        return view.text[start - 2 : start] == ", "
    return not found[2] or view.text[start - 1 : start] == "("


def is_origin(view: View, first: int) -> bool:
    """ "John Smith of Jordan": what stands behind "of" and a name is where its bearer lives."""
    at = first - 2
    if at < 0 or view.gaps[at] != SPACE or view.gaps[first - 1] != SPACE:
        return False
    if view.word(first - 1) not in ORIGIN or not view.shapes[at] & CAPITAL:
        return False
    # "from" also tells who sends: it takes a whole name
    whole = at and view.gaps[at - 1] == SPACE and view.shapes[at - 1] & CAPITAL
    enough = view.word(first - 1) == "of" or whole
    return bool(enough and view.names[at] & (FIRST | LAST))
