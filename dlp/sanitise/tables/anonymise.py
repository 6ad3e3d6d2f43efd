"""A table made k-anonymous, with the figures before and after.

In: Table and Request.  Out: Result: the new table, or only the figures.

The promise is checked on the cells of the new table, not on the groups they came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dlp.errors import SanitiseError
from dlp.sanitise.tables.cells import number_form, text_of
from dlp.sanitise.tables.columns import NUMERIC, Column, build_column
from dlp.sanitise.tables.diversity import (
    Conditions,
    Sensitive,
    distances_to_all,
    distinct_values,
)
from dlp.sanitise.tables.grouping import Grouping, group_records
from dlp.sanitise.tables.loss import Loss, measure_loss
from dlp.sanitise.tables.records import Records, Rows, group_rows
from dlp.sanitise.tables.request import Request, check_request, roles_of
from dlp.sanitise.tables.risk import Risk, assess_classes, number_cells
from dlp.sanitise.tables.roles import DIRECT, OTHER, QUASI, SENSITIVE, Role, is_health
from dlp.sanitise.tables.table import Table, check
from dlp.sanitise.tables.table_rewrite import Groups, rewrite
from dlp.sanitise.tables.taxonomies import ANY

MATRIX_BYTES = 768 << 20  # for all columns together
_ONE_EACH = 0.95  # distinct values per row below which rows share people


@dataclass(frozen=True, slots=True)
class Protection:
    """The figures of one state of the table; l and t per sensitive column."""

    risk: Risk
    diversity: Mapping[str, int]
    closeness: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Result:
    request: Request
    roles: Mapping[str, Role]
    quasi: tuple[str, ...]
    before: Protection
    notes: tuple[str, ...]
    after: Protection | None = None
    loss: Loss | None = None
    table: Table | None = None
    sizes_before: Rows | None = None
    sizes_after: Rows | None = None
    blocks: int = 1


@dataclass(frozen=True, slots=True)
class _Prepared:
    columns: list[Column]
    records: Records
    record_of: Rows
    sensitive: list[Sensitive]
    people: Sensitive | None = None


def assess(table: Table, request: Request) -> Result:
    """Only measure: roles, and how exposed the table is as it stands."""
    check(table)
    roles = roles_of(request, table)
    names = _with_role(roles, QUASI)
    class_of, counts = _classes(table, names)
    before = _protection(counts, class_of, _sensitive(table, roles), request)
    notes = _notes_on_roles(table, roles, request)
    return Result(request, roles, names, before, notes, sizes_before=counts)


def anonymise(table: Table, request: Request) -> Result:
    check(table)
    check_request(request, table)
    roles = roles_of(request, table)
    ready = _prepare(table, request, roles)
    records, record_of = ready.records, ready.record_of
    before = _protection(records.weights, record_of, ready.sensitive, request)
    grouping = _group(ready, request)
    loss = measure_loss(records, grouping.group, grouping.points)
    _refuse_loss(loss, request)
    names = tuple(column.name for column in ready.columns)
    rows = grouping.group[record_of]
    groups = Groups(ready.columns, rows, grouping.points)
    written, notes = rewrite(table, roles, groups, request.sanitise_text)
    class_of, sizes = _classes(written, names)
    after = _protection(sizes, class_of, ready.sensitive, request)
    _verify(after, request, (one.name for one in ready.sensitive if one.enforced))
    _verify_people(ready.people, class_of, len(sizes), request)
    if not request.keep_order:
        written = _shuffled(written, roles, np.random.default_rng(request.seed))
    more = [*_homogeneous(ready.sensitive, class_of, len(sizes)), *_suppressed(written, names)]
    more += [f"{column.name}: {note}" for column in ready.columns for note in column.notes]
    if grouping.blocks > 1:
        more.append(f"{len(records):,} distinct records were grouped in {grouping.blocks} blocks")
    notes = (*_notes_on_roles(table, roles, request), *notes, *more)
    return Result(
        request, roles, names, before, notes, after, loss, written, records.weights, sizes,
        grouping.blocks,
    )  # fmt: skip


def _prepare(table: Table, request: Request, roles: Mapping[str, Role]) -> _Prepared:
    names = _with_role(roles, QUASI)
    limit = MATRIX_BYTES // len(names)
    columns = [
        build_column(
            name,
            roles[name].kind,
            table.column(name),
            taxonomy=request.hierarchies.get(name),
            limit_bytes=limit,
        )
        for name in names
    ]
    first, record_of, counts = group_rows([column.codes for column in columns], table.rows)
    codes = tuple(column.codes[first] for column in columns)
    records = Records(codes, counts, tuple(column.scale for column in columns))
    people = _coded(request.person, table.column(request.person)) if request.person else None
    return _Prepared(columns, records, record_of, _sensitive(table, roles), people)


def _group(ready: _Prepared, request: Request) -> Grouping:
    records = ready.records
    if request.classic:
        scales = tuple(column.classic() for column in ready.columns)
        records = Records(records.codes, records.weights, scales)
    conditions = None
    asked = request.diversity is not None or request.closeness is not None
    if asked or ready.people is not None:
        sensitive = [one for one in ready.sensitive if one.enforced]
        conditions = Conditions(
            sensitive, ready.record_of, request.diversity, request.closeness,
            ready.people, request.k,
        )  # fmt: skip
    return group_records(
        records,
        request.k,
        request.method,
        conditions=conditions,
        chance=np.random.default_rng(request.seed),
        block=request.block,
        refined=not request.classic,
    )


def _coded(name: str, cells: Sequence[object]) -> Sensitive:
    codes = np.unique(np.array(list(map(text_of, cells))), return_inverse=True)[1]
    return Sensitive(name, codes.astype(np.int64), ordered=False)


def _shuffled(table: Table, roles: Mapping[str, Role], chance: np.random.Generator) -> Table:
    """The rows in another order; pseudonyms of rows are numbered anew."""
    order = chance.permutation(table.rows)
    columns = []
    for name, column in zip(table.headers, table.columns, strict=True):
        # A direct identifier is only written as a number of its row.
        kept = roles[name].role == DIRECT
        columns.append(column if kept else [column[at] for at in order.tolist()])
    return Table(table.headers, tuple(columns))


def _homogeneous(sensitive: Sequence[Sensitive], class_of: Rows, count: int) -> list[str]:
    found = []
    for one in sensitive:
        alike = int((distinct_values(one, class_of, count) == 1).sum())
        if alike:
            found.append(
                f"WARNING {one.name}: {alike:,} of {count:,} groups have one value only, so "
                "everybody in them is known to have it; ask for --l 2 or more"
            )
    return found


def _suppressed(table: Table, names: Sequence[str]) -> list[str]:
    cells = table.rows * len(names)
    gone = sum(cell == ANY for name in names for cell in table.column(name))
    return [f"{gone / cells:.1%} of the cells of quasi-identifiers are suppressed ({ANY})"]


def _verify_people(people: Sensitive | None, class_of: Rows, count: int, request: Request) -> None:
    if people is not None and distinct_values(people, class_of, count).min() < request.k:
        raise SanitiseError(
            f"a group would hold fewer than {request.k} people: nothing is written",
            fix="this is a fault of the program; please report it",
        )


def _sensitive(table: Table, roles: Mapping[str, Role]) -> list[Sensitive]:
    """Sensitive columns, and columns about health that are kept: their l is always reported."""
    found = []
    kept = [n for n in _with_role(roles, OTHER) if is_health(n, roles[n].kind)]
    for name in (*_with_role(roles, SENSITIVE), *kept):
        cells = table.column(name)
        numbers = list(map(number_form(cells).read, cells))
        ordered = roles[name].kind in NUMERIC and None not in numbers
        values = np.array(numbers, dtype=float) if ordered else np.array(list(map(text_of, cells)))
        codes = np.unique(values, return_inverse=True)[1].astype(np.int64)
        found.append(Sensitive(name, codes, ordered, enforced=name not in kept))
    return found


def _protection(
    sizes: Rows, class_of: Rows, sensitive: Sequence[Sensitive], request: Request
) -> Protection:
    count = len(sizes)
    diversity = {one.name: int(distinct_values(one, class_of, count).min()) for one in sensitive}
    closeness = {one.name: float(distances_to_all(one, class_of, count).max()) for one in sensitive}
    risk = assess_classes(sizes, request.k, request.population)
    return Protection(risk, diversity, closeness)


def _refuse_loss(loss: Loss, request: Request) -> None:
    if request.max_loss is not None and loss.mean > request.max_loss:
        raise SanitiseError(
            f"the loss would be {loss.mean:.3f}, above the {request.max_loss} allowed",
            fix="a smaller --k, fewer --quasi, or another --method",
        )


def _classes(table: Table, names: Sequence[str]) -> tuple[Rows, Rows]:
    """The class of each row by what its cells say, and the size of each class.

    A suppressed cell is no missing one: a reader of the table can tell them apart.
    """
    columns = [
        [cell if cell == ANY else text_of(cell) for cell in table.column(name)] for name in names
    ]
    _, class_of, sizes = group_rows([number_cells(column) for column in columns], table.rows)
    return class_of, sizes


def _verify(after: Protection, request: Request, enforced: Iterable[str]) -> None:
    asked = set(enforced)
    least = min((v for name, v in after.diversity.items() if name in asked), default=0)
    most = max((v for name, v in after.closeness.items() if name in asked), default=0.0)
    if (
        after.risk.k < request.k
        or (request.diversity is not None and least < request.diversity)
        or (request.closeness is not None and most > request.closeness + 1e-6)
    ):
        raise SanitiseError(
            f"the result would not be {request.k}-anonymous as asked: nothing is written",
            fix="this is a fault of the program; please report it",
        )


def _with_role(roles: Mapping[str, Role], role: str) -> tuple[str, ...]:
    return tuple(name for name, found in roles.items() if found.role == role)


def _notes_on_roles(table: Table, roles: Mapping[str, Role], request: Request) -> tuple[str, ...]:
    """Rows of one person look like different people to k; say so when an identifier repeats."""
    counts = []
    for name in _with_role(roles, DIRECT):
        cells = [text for text in map(text_of, table.column(name)) if text]
        counts.append((len(set(cells)), len(cells), name))
    people, rows, name = max(counts, default=(0, 0, ""))
    if people >= rows * _ONE_EACH or request.person:
        return ()
    note = (
        f"{name}: {people:,} values in {rows:,} rows. k counts rows: if this column names people, "
        f"add --person {name}"
    )
    return (note,)
