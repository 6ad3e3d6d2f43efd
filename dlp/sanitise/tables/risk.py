"""How easily rows of a table are found again: k, uniques, expected re-identifications.

In: the codes of the quasi-identifiers of each row.  Out: Risk.

Prosecutor: the attacker knows the person is in the table, so a row in a class of f rows is found
with chance 1/f. Journalist: the person comes from a population of which the table is a sample;
the chance is E[1/F] where the class has F people there, F - f negative binomial given f.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dlp.sanitise.tables.distance import Codes
from dlp.sanitise.tables.records import Rows
from dlp.sanitise.tables.scale import Points

_STEPS = 4000  # of the integral; four digits
_EXACT = 1000  # class sizes computed exactly


@dataclass(frozen=True, slots=True)
class Risk:
    rows: int
    classes: int
    k: int  # the smallest class
    unique: int  # rows alone in their class
    at_risk: int  # rows in a class below the k asked for
    largest: int
    prosecutor: float  # expected re-identifications, in rows
    journalist: float
    highest: float  # of one row, prosecutor

    @property
    def unique_share(self) -> float:
        return self.unique / self.rows if self.rows else 0.0

    def as_object(self) -> dict[str, Any]:
        return {**asdict(self), "unique_share": round(self.unique_share, 6)}


def assess_classes(counts: Rows, k: int, population: int | None = None) -> Risk:
    rows = int(counts.sum())
    sizes, how_many = np.unique(counts, return_counts=True)
    fraction = min(1.0, rows / population) if population else 1.0
    found = _found_again(sizes, fraction)
    return Risk(
        rows=rows,
        classes=len(counts),
        k=int(sizes[0]),
        unique=int(how_many[sizes == 1].sum()),
        at_risk=int((sizes * how_many)[sizes < k].sum()),
        largest=int(sizes[-1]),
        prosecutor=float(len(counts)),  # f rows of a class, each with chance 1/f
        journalist=float((found * sizes * how_many).sum()),
        highest=1.0 / int(sizes[0]),
    )


def _found_again(sizes: Rows, fraction: float) -> Points:
    """E[1/F | f] = π ∫ u^(f-1) / (π + (1 - π)u) du over u from 0 to 1."""
    if fraction >= 1.0:
        return 1.0 / sizes
    if fraction > 0.5:  # smooth there, and the recursion below would add up its errors
        u = (np.arange(_STEPS) + 0.5) / _STEPS
        weight = fraction / (fraction + (1 - fraction) * u)
        return np.array([float((u ** (f - 1) * weight).mean()) for f in sizes.tolist()])
    rest = 1 - fraction
    integral = [0.0, -math.log(fraction) / rest]
    for f in range(2, min(int(sizes[-1]), _EXACT) + 1):
        integral.append((1 / (f - 1) - fraction * integral[-1]) / rest)
    # In big classes F is f / π as good as certainly.
    return np.array([fraction * (integral[f] if f <= _EXACT else 1 / f) for f in sizes.tolist()])


def number_cells(column: Sequence[object]) -> Codes:
    """A number for each different cell, in order of appearance."""
    number: dict[object, int] = {}
    return np.fromiter(
        (number.setdefault(cell, len(number)) for cell in column), np.int32, len(column)
    )
