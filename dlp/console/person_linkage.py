"""Which persons of different files are one, over the whole catalogue, and how exposed each is.

In: rows of persons.  Out: rows of identities; every person row names its own.

Runs as a process of its own (`python -m dlp.console.person_linkage`): 100,000 persons take
seconds and memory that the pages must not feel.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, select

from dlp.config import Settings
from dlp.keys import state_folder
from dlp.measure.combined_score import load_combiner
from dlp.measure.linkage import Identity, identity_of, link
from dlp.store.catalogue import as_person
from dlp.store.migrations import open_database
from dlp.store.schema import files, persons
from dlp.store.summaries import replace_identities

SHORT, LONG = 6, 16  # hexadecimal digits of a pseudonym; the long form where two would be alike


def link_all(engine: Engine) -> int:
    """Names everybody anew; returns how many people there are."""
    rows: list[tuple[int, int, str, int, float, float]] = []
    identities: list[Identity] = []
    for person in counted(engine):
        identities.append(identity_of(str(person["id"]), person))
        rows.append((person["id"], person["file"], person["person"], person["readers"],
                     person["identifiability"], person["sensitivity"]))  # fmt: skip
    found: list[dict[str, Any]] = []
    members: dict[str, list[int]] = {}
    taken: set[str] = set()
    for group in link(identities):
        described = [rows[i] for i in group]
        name = pseudonym(min(row[2] for row in described), taken)
        taken.add(name)
        members[name] = [row[0] for row in described]
        found.append({"name": name, **together(engine, described)})
    replace_identities(engine, found, members)
    return len(found)


def counted(engine: Engine) -> Iterator[dict[str, Any]]:
    query = select(persons, files.c.readers).join(files, persons.c.file == files.c.id)
    query = query.where(persons.c.suppressed_until == 0).order_by(persons.c.id)
    with engine.connect().execution_options(stream_results=True) as connection:
        for row in connection.execute(query).mappings():
            yield as_person(row)


def pseudonym(person: str, taken: set[str]) -> str:
    """From the keyed id of one description, so that it stays the same from day to day."""
    short = f"P-{person[:SHORT].upper()}"
    if short not in taken:
        return short
    name = number = f"P-{person[:LONG].upper()}"
    while name in taken:
        name = f"{number}-{len(taken)}"
    return name


def together(engine: Engine, described: Sequence[tuple[int, int, str, int, float, float]]) -> Any:
    alone = max(p * s for *_, p, s in described)
    readers = max(row[3] for row in described)
    numbers = {"files": len({row[1] for row in described}), "alone": alone}
    if len(described) == 1:
        *_, p, s = described[0]
        return numbers | {"risk": p * s * readers, "privacy": p * s, "identifiability": p,
                          "sensitivity": s}  # fmt: skip
    score = load_combiner()(read(engine, [row[0] for row in described]))
    return numbers | {
        "risk": score.privacy * readers,
        "privacy": score.privacy,
        "identifiability": score.identifiability,
        "sensitivity": score.sensitivity,
    }


def read(engine: Engine, numbers: Sequence[int]) -> list[Mapping[str, Any]]:
    with engine.connect() as connection:
        query = select(persons).where(persons.c.id.in_(numbers))
        return [as_person(row) for row in connection.execute(query).mappings()]


def main() -> None:
    settings = Settings.model_validate_json(sys.stdin.read())
    engine = open_database(settings.store.database or state_folder() / "catalogue.db")
    link_all(engine)
    engine.dispose()


if __name__ == "__main__":
    main()
