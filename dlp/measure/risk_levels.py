"""From a number to a word that people act on.

In: risk, the harm expected if everybody who can read it does.  Out: a level.

Default: risk = (sum of the expected losses of the people in it) × (people who can read it); the
bounds are argued in docs/explanation/exposure.md. `geng2011` is the paper's threshold on the
privacy of the worst person, whoever can read it.
"""

from __future__ import annotations

from dlp.model import LEVELS

# One person's gravest secret before one reader is 1. Each step is twenty times the one before.
BOUNDS = (0.0, 1.0, 20.0, 400.0)
PAPER = 5e-5


def level_of(risk: float, privacy: float, profile: str = "default") -> str:
    if profile == "geng2011":
        return "high" if privacy > PAPER else "none"
    return LEVELS[sum(risk > bound for bound in BOUNDS)]
