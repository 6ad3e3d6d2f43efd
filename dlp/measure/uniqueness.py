"""How many people a set of quasi-identifiers singles out, by the model's own figures.

In: populations of areas and the birth decades.  Out: the expected share of unique people.

People fall into cells (area × sex × day, month or year of birth) at random; somebody is unique
when nobody else falls into their cell. This is how the model is checked against the literature.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

SEXES = 2


def expected_unique_share(
    populations: npt.NDArray[np.float64], decades: Sequence[float], cells_a_year: float
) -> float:
    """The share of all people who are alone in their area, sex and stretch of the year."""
    people = populations[populations > 0]
    alone = 0.0
    for share in decades:
        chance = share / 10 / cells_a_year / SEXES  # of one other person falling into the cell
        alone += share * float(np.sum(people * np.exp(-chance * (people - 1))))
    return alone / float(people.sum())
