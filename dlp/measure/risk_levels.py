"""From a number to a word that people act on.

In: privacy, and the number of people exposed.  Out: a level.

Default: what one person loses, and how many lose it. `geng2011` is the paper's single threshold.
"""

from __future__ import annotations

from dlp.model import LEVELS

# privacy of the worst person: common ills of someone hard to find, up to grave ones of someone
# found at once. Fifty people raise a level, because a breach of that size is reported.
BOUNDS = (0.0, 1e-4, 0.02, 0.3)
MANY = (50, 500)
PAPER = 5e-5


def level_of(privacy: float, people: int = 1, profile: str = "default") -> str:
    if profile == "geng2011":
        return "high" if privacy > PAPER else "none"
    if privacy <= 0:
        return LEVELS[0]
    level = sum(privacy > bound for bound in BOUNDS)
    level += sum(people >= many for many in MANY)
    return LEVELS[min(level, len(LEVELS) - 1)]
