"""What is asked of a table, and the role of every column under it.

In: a table and wishes.  Out: roles with reasons; wishes that cannot be met are refused.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dlp.errors import SanitiseError
from dlp.sanitise.tables.grouping import METHODS
from dlp.sanitise.tables.roles import (
    DIRECT,
    KINDS,
    OTHER,
    QUASI,
    ROLES,
    SENSITIVE,
    TEXT,
    Role,
    find_role,
    kind_of,
)
from dlp.sanitise.tables.table import Table
from dlp.sanitise.tables.taxonomies import Taxonomy

MOST_QUASI = 64  # beyond, all rows differ in everything and no grouping keeps anything


@dataclass(frozen=True, slots=True)
class Request:
    k: int = 5
    method: str = "microaggregation"
    classic: bool = False
    quasi: tuple[str, ...] = ()  # exactly these; empty means as found
    roles: Mapping[str, str] = field(default_factory=dict)  # "quasi" or "quasi:icd9"
    sensitive: tuple[str, ...] = ()
    diversity: int | None = None
    closeness: float | None = None
    max_loss: float | None = None
    hierarchies: Mapping[str, Taxonomy] = field(default_factory=dict)
    population: int | None = None
    seed: int | None = None
    block: int | None = None
    sanitise_text: Callable[[str], str | None] | None = None
    person: str = ""  # the column that names people: their rows count once
    keep_order: bool = True  # the order of rows can tell who is who


def check_request(request: Request, table: Table) -> None:
    if request.method not in METHODS:
        raise SanitiseError(f"no method is called {request.method!r}", fix=", ".join(METHODS))
    if request.k < 2:
        raise SanitiseError("k must be 2 or more: a group of one hides nobody")
    if request.closeness is not None and not 0 <= request.closeness <= 1:
        raise SanitiseError("t lies between 0 and 1")
    if request.diversity is not None and request.diversity < 2:
        raise SanitiseError("l must be 2 or more")
    person = (request.person,) if request.person else ()
    named = (*request.quasi, *request.roles, *request.sensitive, *request.hierarchies, *person)
    for name in named:
        if name not in table.headers:
            near = difflib.get_close_matches(name, table.headers, 3, 0.5)
            raise SanitiseError(
                f"no column is called {name!r}",
                fix=f"did you mean: {', '.join(near)}" if near else "see --assess for the columns",
            )
    if request.k > table.rows:
        held = "1 row" if table.rows == 1 else f"{table.rows} rows"
        raise SanitiseError(
            f"k is {request.k}, but the table has only {held}",
            fix="ask for a smaller k; a table this small may be better suppressed whole",
        )


def roles_of(request: Request, table: Table) -> dict[str, Role]:
    """The role of each column: as asked, else as found."""
    wanted = dict(request.roles)
    if request.person:
        wanted[request.person] = DIRECT
    wanted |= dict.fromkeys(request.quasi, QUASI) | dict.fromkeys(request.sensitive, SENSITIVE)
    found: dict[str, Role] = {}
    many = 0
    for name, cells in zip(table.headers, table.columns, strict=True):
        if name in wanted:
            found[name] = _asked(name, wanted[name], cells)
        else:
            role = find_role(name, cells)
            if request.quasi and role.role == QUASI:
                role = Role(OTHER, role.kind, "not among the quasi-identifiers asked for; kept")
            found[name] = role
        many += found[name].role == QUASI
        _check_number(many)
    _check_roles(request, found)
    return found


def _asked(name: str, wish: str, cells: object) -> Role:
    role, _, kind = wish.partition(":")
    if role not in ROLES or (kind and kind not in KINDS):
        raise SanitiseError(
            f"{wish!r} is no role",
            where=name,
            fix=f"{', '.join(ROLES)}; a kind may follow, as quasi:{'|'.join(KINDS)}",
        )
    assert isinstance(cells, list | tuple)
    found = kind or kind_of(name, cells)
    return Role(role, "category" if found == TEXT and role != TEXT else found, "as asked")


def _check_number(many: int) -> None:
    """Stop at the first column too many: a table can have thousands."""
    if many > MOST_QUASI:
        raise SanitiseError(
            f"more than {MOST_QUASI} columns look like quasi-identifiers",
            fix="choose those an attacker can know with --quasi COLUMN",
        )


def _check_roles(request: Request, roles: Mapping[str, Role]) -> None:
    quasi = [name for name, role in roles.items() if role.role == QUASI]
    if not quasi:
        raise SanitiseError(
            "no quasi-identifiers found", fix="name them: --quasi COLUMN, or --role COLUMN=quasi"
        )
    wished = request.diversity is not None or request.closeness is not None
    if wished and not any(role.role == SENSITIVE for role in roles.values()):
        raise SanitiseError("l and t need a sensitive column", fix="name it: --sensitive COLUMN")
