"""A quasi-identifier made comparable: distinct values, a code per row, a scale.

In: the cells of a column and its kind.  Out: Column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dlp.errors import SanitiseError
from dlp.sanitise.tables.cells import (
    date_form,
    date_of,
    date_writer,
    number_form,
    number_writer,
    text_of,
)
from dlp.sanitise.tables.distance import MISSING, Codes, collect
from dlp.sanitise.tables.scale import (
    MATRIX_BYTES,
    EqualityScale,
    QuantityScale,
    Scale,
    SemanticScale,
)
from dlp.sanitise.tables.taxonomies import Known, Taxonomy, Unrelated, taxonomy_for

NUMERIC = frozenset({"number", "date"})


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: str
    codes: Codes
    scale: Scale
    distinct: int
    notes: tuple[str, ...] = ()

    def classic(self) -> Scale:
        """Equality and mode; a number is compared as a number in either form."""
        return self.scale if self.kind in NUMERIC else EqualityScale(self.distinct)


def build_column(
    name: str,
    kind: str,
    cells: Sequence[object],
    *,
    taxonomy: Taxonomy | None = None,
    limit_bytes: int = MATRIX_BYTES,
) -> Column:
    if kind in NUMERIC and taxonomy is None:
        return _quantities(name, kind, cells)
    return _values(name, kind, cells, taxonomy, limit_bytes)


def _values(
    name: str, kind: str, cells: Sequence[object], taxonomy: Taxonomy | None, limit_bytes: int
) -> Column:
    codes, number = _numbered(cells)
    if taxonomy is None:
        taxonomy = Unrelated() if kind == "category" else taxonomy_for(kind, list(number))
    known = Known(taxonomy)
    nodes = collect(list(number), known)
    notes = []
    if known.unknown:
        share = f"{len(known.unknown)} of {len(number)}"
        notes.append(f"{share} distinct values are not in {known.name}: compared by equality")
    return Column(name, kind, codes, SemanticScale(nodes, limit_bytes), len(number), tuple(notes))


def _numbered(cells: Sequence[object]) -> tuple[Codes, dict[str, int]]:
    """A number for each distinct text; every distinct cell is looked at once."""
    number: dict[str, int] = {}
    known: dict[object, int] = {}
    codes = np.empty(len(cells), dtype=np.int32)
    for at, cell in enumerate(cells):
        # 1, 1.0 and True are equal to a dictionary, but not as text.
        key = cell if isinstance(cell, str) else (type(cell), cell)
        code = known.get(key)
        if code is None:
            code = number.setdefault(text_of(cell) or MISSING, len(number))
            known[key] = code
        codes[at] = code
    return codes, number


def _quantities(name: str, kind: str, cells: Sequence[object]) -> Column:
    read: Callable[[object], float | None]
    if kind == "date":
        form = date_form(cells)
        if form is None:
            raise SanitiseError("no date format fits this column", where=name)
        read, write = (lambda cell: date_of(cell, form)), date_writer(form, cells)
    else:
        how = number_form(cells)
        read, write = how.read, number_writer(cells, how)
    known: dict[object, float] = {}
    strange = 0
    each = np.empty(len(cells))
    for at, cell in enumerate(cells):
        if cell not in known:
            found = read(cell)
            known[cell] = float("nan") if found is None else found
        each[at] = known[cell]
        strange += math.isnan(known[cell]) and bool(text_of(cell))
    values, codes = np.unique(each, return_inverse=True)
    notes = (f"{strange} cells are no {kind}: treated as missing",) if strange else ()
    scale = QuantityScale(values, write)
    return Column(name, kind, codes.astype(np.int32), scale, len(values), notes)
