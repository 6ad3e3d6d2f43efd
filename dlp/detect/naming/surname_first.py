"""Names written last name first: "Hale, Ada" on a list, "HALE Ada" in a chart.

In: two words of a page.  Out: whether the first is a last name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlp.detect.naming.known_words import MOSTLY_FIRST
from dlp.detect.naming.lexicon import BEFORE, CREDENTIAL, INSTITUTION, STREET, THING, TITLE
from dlp.detect.naming.tokens import (
    ALL_CAPS,
    COLON,
    COMMA,
    LINE,
    NUMBER,
    OTHER,
    PART,
    SINGLE,
    SPACE,
)
from dlp.knowledge.names import FIRST, LAST, WORD

if TYPE_CHECKING:
    from dlp.detect.naming.runs import View

SURE = 0.35  # ordinary in fewer uses than this: a clear name
HARDLY = 0.75  # ordinary in more uses than this: needs a cue
SHOUTED = 4  # letters; a shorter word in capitals is mostly a sign of something


def is_turned(view: View, left: int, right: int) -> bool:
    """ "Last, First": both known, and the second a first name; a form may ask for any last name."""
    if view.words[right] & CREDENTIAL and view.shapes[right] & ALL_CAPS:
        return False
    if view.shapes[right] & SINGLE:  # "Hale, J."
        dotted = view.text[view.ends[right] : view.ends[right] + 1] == "."
        family = view.names[left] & LAST and view.ordinary[left] < HARDLY
        return bool(dotted and family and not view.words[left] & THING)
    if not view.names[right] & FIRST or view.words[right] & STREET:  # "Hale, St Olave's"
        return False
    if left and view.words[left - 1] & BEFORE and view.gaps[left - 1] == COLON:
        return view.ordinary[right] < HARDLY  # "Patient: Steel, Ada"
    if is_shouted(view, left, right):
        return True
    known = bool(view.names[left] & LAST)
    if view.ordinary[left] > HARDLY:  # "Cross, Ada - 54F": an entry of a list begins with it
        known = known or not view.names[left] & WORD
        known &= begins_entry(view, left) and ends_entry(view, right)
    return known and view.ordinary[right] <= SURE


def begins_entry(view: View, at: int) -> bool:
    """A line, a cell, or what follows the time or number of a list."""
    if not at or view.gaps[at - 1] in {LINE, PART}:
        return True
    wide = view.starts[at] - view.ends[at - 1] > 1
    return bool(wide and (view.shapes[at - 1] & NUMBER or view.gaps[at - 1] == OTHER))


def ends_entry(view: View, at: int) -> bool:
    """What follows does not go on as a sentence does."""
    behind = view.text[view.ends[at] : view.ends[at] + 4]
    return not behind.startswith(" ") or not behind[1:2].isalpha()


def is_shouted(view: View, last: int, first: int) -> bool:
    """ "HALE Ada", "HALE, Ada": charts write the last name first and in capitals."""
    if first - last != 1 or view.gaps[last] not in {SPACE, COMMA}:
        return False
    short = view.ends[last] - view.starts[last] < SHOUTED
    if short and not (view.names[last] & LAST and begins_entry(view, last)):
        return False
    loud = view.shapes[last] & ALL_CAPS and not view.shapes[first] & (ALL_CAPS | SINGLE)
    family = view.names[last] & LAST or not view.names[last] & WORD
    if view.gaps[last] == COMMA and last and view.gaps[last - 1] == SPACE:
        family = view.names[last] & LAST  # "with stage 3 COPD, Ada Hale" goes on with a name
    given = view.names[first] & MOSTLY_FIRST and view.ordinary[first] < SURE
    return bool(loud and family and given and not view.words[last] & (THING | TITLE | INSTITUTION))
