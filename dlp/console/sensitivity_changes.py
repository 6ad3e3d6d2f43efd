"""What a new sensitivity would change, and the change itself.

In: a concept and a value from 0 to 1.  Out: files that move in the ranking; then the site's own
table, the scores that rest on it, and a record in the ledger.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from dlp.console.services import Desk
from dlp.errors import KnowledgeError
from dlp.knowledge.sensitivity import (
    FILE,
    Judgement,
    Sensitivity,
    load_sensitivity,
    read_judgements,
)
from dlp.knowledge.site import site_folder
from dlp.store.batch import exposure
from dlp.store.catalogue import as_person
from dlp.store.database import writing
from dlp.store.reviews import score_again
from dlp.store.schema import files, history, persons, topics

LOOKED_AT = 200  # the worst files; a preview must not read the whole catalogue
SHOWN = 10
AT_ONCE = 200
BY_HAND = "set in the console"
Weigher = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Change:
    """A new value, and the expert values that must move with it to stay in order."""

    concept: str
    before: float
    after: Sensitivity
    changed: tuple[Judgement, ...]
    moved: tuple[tuple[str, float, float], ...]  # name, before, after


@dataclass(frozen=True, slots=True)
class Effect:
    touched: int
    rows: tuple[dict[str, Any], ...]  # the worst files afterwards, with their places
    concepts: int = 0
    looked_at: int = field(default=LOOKED_AT)


def change_of(table: Sensitivity, concept: str, value: float) -> Change:
    """A narrower heading is at least as sensitive as a broader one: what contradicts gives way."""
    mesh = table.mesh
    node = mesh.index(concept)
    own = table.judgements.get(concept) or Judgement(concept, mesh.name(node), value)
    changed = [replace(own, value=value, reason=BY_HAND)]
    moved = []
    for judgement in table.judgements.values():
        if judgement.concept == concept:
            continue
        other = mesh.index(judgement.concept)
        too_low = judgement.value < value and mesh.is_a(other, node)
        too_high = judgement.value > value and mesh.is_a(node, other)
        if too_low or too_high:
            changed.append(replace(judgement, value=value, reason=f"follows {mesh.name(node)}"))
            moved.append((mesh.name(other), judgement.value, value))
    together = {**table.judgements, **{j.concept: j for j in changed}}
    after = Sensitivity(together.values(), mesh)
    return Change(concept, table.of(concept), after, tuple(changed), tuple(sorted(moved)))


def concepts_touched(desk: Desk, change: Change) -> list[str]:
    """Of all that files speak of: what has another value now, or implies something that has."""
    before, after = desk.sensitivity, change.after
    with desk.engine.connect() as connection:
        said = list(connection.scalars(select(topics.c.concept).distinct()))

    def differs(concept: str) -> bool:
        return abs(before.of(concept) - after.of(concept)) > 1e-9

    return [
        concept
        for concept in said
        if differs(concept) or any(differs(d) for d, _ in desk.inference.implied(concept))
    ]


def effect_of(desk: Desk, change: Change) -> Effect:
    """The new order among the worst files and those that change."""
    concepts = concepts_touched(desk, change)
    weigh = weigher(desk, change.after)
    order = (files.c.privacy.desc(), files.c.id.desc())
    with desk.engine.connect() as connection:
        touched = set(numbers(connection, concepts, LOOKED_AT))
        worst = [dict(r) for r in connection.execute(
            select(files).order_by(*order).limit(LOOKED_AT)).mappings()]  # fmt: skip
        more = touched - {row["id"] for row in worst}
        for some in pieces(sorted(more)):
            query = select(files).where(files.c.id.in_(some))
            worst += [dict(row) for row in connection.execute(query).mappings()]
        worst.sort(key=lambda row: (-row["privacy"], -row["id"]))
        people = read_people(connection, sorted(touched))
        for place, row in enumerate(worst, 1):
            row |= {"place": place, "after": row["privacy"]}
            if row["id"] in touched:
                row["after"] = exposure(weighed(people.get(row["id"], []), weigh))["privacy"]
        total = how_many(connection, concepts)
    worst.sort(key=lambda row: (-row["after"], -row["id"]))
    for place, row in enumerate(worst, 1):
        row["new_place"] = place
    movers = [row for row in worst if abs(row["after"] - row["privacy"]) > 1e-9]
    return Effect(total, tuple(movers[:SHOWN]), len(concepts))


def numbers(connection: Connection, concepts: list[str], most: int | None = None) -> Iterator[int]:
    """Files that speak of one of the concepts, the worst first."""
    if not concepts:
        return
    about = select(topics.c.file).where(topics.c.concept.in_(concepts[:2000]))
    query = select(files.c.id).where(files.c.id.in_(about))
    query = query.order_by(files.c.privacy.desc(), files.c.id.desc()).limit(most)
    yield from connection.scalars(query)


def how_many(connection: Connection, concepts: list[str]) -> int:
    about = select(func.count(func.distinct(topics.c.file)))
    about = about.where(topics.c.concept.in_(concepts[:2000]))
    return connection.execute(about).scalar() or 0 if concepts else 0


def read_people(connection: Connection, numbers_: list[int]) -> dict[int, list[dict[str, Any]]]:
    """The persons that count, by file."""
    found: dict[int, list[dict[str, Any]]] = {}
    for some in pieces(numbers_):
        query = select(persons).where(persons.c.file.in_(some), persons.c.suppressed_until == 0)
        for row in connection.execute(query).mappings():
            found.setdefault(row["file"], []).append(as_person(row))
    return found


def weighed(people: Iterable[Mapping[str, Any]], weigh: Weigher) -> Iterator[dict[str, Any]]:
    for person in people:
        yield {**person, "sensitivity": weigh(json.dumps(person["burden"]))}


def weigher(desk: Desk, table: Sensitivity | None = None) -> Weigher:
    """Weighs a burden, and the same burden of somebody else for nothing."""
    weigh = desk.weigh(table)

    @lru_cache(maxsize=4096)
    def value(burden: str) -> float:
        return float(weigh.of_weights(json.loads(burden)).sensitivity)

    return value


def save(desk: Desk, user: str, change: Change, why: str) -> int:
    """The site's file first, then the scores: a crash between them is mended by saving again."""
    concepts = concepts_touched(desk, change)
    write_table(site_folder() / FILE, desk.mesh, change.changed)
    load_sensitivity.cache_clear()
    weigh = weigher(desk)
    with desk.engine.connect() as connection:
        touched = list(numbers(connection, concepts))
    for some in pieces(touched):
        with writing(desk.engine) as connection:
            for file in some:
                again(connection, file, weigh, desk.clock())
    name = desk.concept_name(change.concept)
    value = desk.sensitivity.of(change.concept)
    what = f"sensitivity of {name} set from {change.before:.2f} to {value:.2f}"
    desk.note(user, what, item=change.concept, why=why)
    return len(touched)


def again(connection: Connection, file: int, weigh: Weigher, now: float) -> None:
    """Score one file by the new values; its history says when and why it moved."""
    everybody = connection.execute(select(persons).where(persons.c.file == file)).mappings().all()
    for person in weighed(map(as_person, everybody), weigh):
        values = {"sensitivity": person["sensitivity"]}
        connection.execute(update(persons).where(persons.c.id == person["id"]).values(values))
    score_again(connection, file)
    row = connection.execute(select(files).where(files.c.id == file)).mappings().one()
    noted = {name: row[name] for name in ("path", "container", "privacy", "people")}
    connection.execute(insert(history).values(**noted, at=now, rules_version="new values"))


def write_table(path: Path, mesh: Any, changed: Iterable[Judgement]) -> None:
    """The site's own table with the new judgements in it: whole, or as it was."""
    known = {j.concept: j for j in read_judgements(path, mesh)} if path.is_file() else {}
    known |= {judgement.concept: judgement for judgement in changed}
    lines = ["# Sensitivities of this site; they stand before the bundled ones."]
    for one in sorted(known.values(), key=lambda j: j.name):
        lines += ["", "[[concept]]", f"id = {text(one.concept)}", f"name = {text(one.name)}",
                  f"value = {one.value:.4g}"]  # fmt: skip
        lines += [f"category = {text(one.category)}"] if one.category else []
        lines += [f"reason = {text(one.reason)}"] if one.reason else []
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
            out.flush()
            os.fsync(out.fileno())
        read_judgements(draft, mesh)  # never put a table in place that would not load
        os.replace(draft, path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise KnowledgeError(
            f"the site's table cannot be written: {error.strerror}",
            where=str(path),
            fix="let the console's user write there, or set DLP_KNOWLEDGE",
        ) from None


def text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def pieces(numbers_: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(numbers_), AT_ONCE):
        yield numbers_[start : start + AT_ONCE]
