"""How sensitive a condition is: look it up, try another value, see what moves, save it.

In: a term and a value.  Out: the effect on the ranking before anything is saved; then the site's
own table, new scores and a record in the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

from rapidfuzz import process
from sqlalchemy import Connection, func, insert, select, update
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.render import as_csv, html
from dlp.console.request_context import RequestContext, page
from dlp.console.services import Services
from dlp.errors import KnowledgeError
from dlp.knowledge.concept_lookup import known_meanings
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.sensitivity import (
    CATEGORIES,
    FILE,
    Judgement,
    Sensitivity,
    load_sensitivity,
    opinions,
    read_experts,
    read_judgements,
)
from dlp.knowledge.site_knowledge import site_folder, site_has
from dlp.private_files import whole_file
from dlp.store.catalogue import as_person
from dlp.store.database import writing
from dlp.store.reviews import score_again
from dlp.store.schema import files, history, persons, topics
from dlp.store.verdict_writer import score_of

CSV = ("concept", "name", "value", "category", "reason", "site")
CHILDREN = 12
LONGEST = 100
SUGGESTED, LIKE = 5, 60.0

LOOKED_AT = 200  # the worst files; a preview must not read the whole catalogue
SHOWN = 10
EXPERTS_SHOWN = 100  # concepts, those on which they disagree most
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


def concepts_touched(services: Services, change: Change) -> list[str]:
    """Of all that files speak of: what has another value now, or implies something that has."""
    before, after = services.sensitivity, change.after
    with services.engine.connect() as connection:
        said = list(connection.scalars(select(topics.c.concept).distinct()))

    def differs(concept: str) -> bool:
        return abs(before.of(concept) - after.of(concept)) > 1e-9

    return [
        concept
        for concept in said
        if differs(concept) or any(differs(d) for d, _ in services.inference.implied(concept))
    ]


def effect_of(services: Services, change: Change) -> Effect:
    """The new order among the worst files and those that change."""
    concepts = concepts_touched(services, change)
    weigh = weigher(services, change.after)
    order = (files.c.risk.desc(), files.c.id.desc())
    with services.engine.connect() as connection:
        touched = set(numbers(connection, concepts, LOOKED_AT))
        worst = [dict(r) for r in connection.execute(
            select(files).order_by(*order).limit(LOOKED_AT)).mappings()]  # fmt: skip
        more = touched - {row["id"] for row in worst}
        for some in pieces(sorted(more)):
            query = select(files).where(files.c.id.in_(some))
            worst += [dict(row) for row in connection.execute(query).mappings()]
        worst.sort(key=lambda row: (-row["risk"], -row["id"]))
        people = read_people(connection, sorted(touched))
        for place, row in enumerate(worst, 1):
            row |= {"place": place, "after": row["privacy"], "risk_after": row["risk"]}
            if row["id"] in touched:
                score = score_of(weighed(people.get(row["id"], []), weigh))
                row |= {"after": score["privacy"], "risk_after": score["harm"] * row["readers"]}
        total = how_many(connection, concepts)
    worst.sort(key=lambda row: (-row["risk_after"], -row["id"]))
    for place, row in enumerate(worst, 1):
        row["new_place"] = place
    movers = [row for row in worst if abs(row["risk_after"] - row["risk"]) > 1e-9]
    return Effect(total, tuple(movers[:SHOWN]), len(concepts))


def numbers(connection: Connection, concepts: list[str], most: int | None = None) -> Iterator[int]:
    """Files that speak of one of the concepts, the worst first."""
    if not concepts:
        return
    about = select(topics.c.file).where(topics.c.concept.in_(concepts[:2000]))
    query = select(files.c.id).where(files.c.id.in_(about))
    query = query.order_by(files.c.risk.desc(), files.c.id.desc()).limit(most)
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


def weigher(services: Services, table: Sensitivity | None = None) -> Weigher:
    """Weighs a burden, and the same burden of somebody else for nothing."""
    weigh = services.weigh(table)

    @lru_cache(maxsize=4096)
    def value(burden: str) -> float:
        return float(weigh.of_weights(json.loads(burden)).sensitivity)

    return value


def save(services: Services, user: str, change: Change, why: str) -> int:
    """The site's file first, then the scores: a crash between them is mended by saving again."""
    concepts = concepts_touched(services, change)
    write_table(site_folder() / FILE, services.mesh, change.changed)
    load_sensitivity.cache_clear()
    weigh = weigher(services)
    with services.engine.connect() as connection:
        touched = list(numbers(connection, concepts))
    for some in pieces(touched):
        with writing(services.engine) as connection:
            for file in some:
                again(connection, file, weigh, services.clock())
    name = services.concept_name(change.concept)
    value = services.sensitivity.of(change.concept)
    what = f"sensitivity of {name} set from {change.before:.2f} to {value:.2f}"
    services.note(user, what, item=change.concept, why=why)
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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, 0o640) as out:
            out.write(("\n".join(lines) + "\n").encode())
            out.flush()
            read_judgements(Path(out.name), mesh)  # never put one in place that would not load
    except OSError as error:
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


def show(context: RequestContext) -> Response:
    own = site_values(context)
    if context.query.get("format") == "csv":
        return as_csv("sensitivity", CSV, all_values(context, own))
    term = context.query.get("term", "").strip()[:LONGEST]
    concept, nearest = look_up(context, term)
    shown: dict[str, Any] = {
        "change": None,
        "effect": None,
        "value": context.query.get("value", ""),
    }
    if concept and (value := value_of(shown["value"])) is not None:
        change = change_of(context.services.sensitivity, concept["id"], value)
        shown |= {"change": change, "effect": effect_of(context.services, change), "new": value}
    return html(
        context, "sensitivity.html", term=term, concept=concept, nearest=nearest, own=own,
        experts=opinions(read_experts(context.services.mesh))[:EXPERTS_SHOWN],
        categories=sorted(CATEGORIES), judged=len(context.services.sensitivity.judgements), **shown,
    )  # fmt: skip


def site_values(context: RequestContext) -> list[Judgement]:
    return read_judgements(site_folder() / FILE, context.services.mesh) if site_has(FILE) else []


def all_values(context: RequestContext, own: list[Judgement]) -> Any:
    ours = {judgement.concept for judgement in own}
    table = context.services.sensitivity.judgements.values()
    for one in sorted(table, key=lambda j: (-j.value, j.name)):
        yield {"concept": one.concept, "name": one.name, "value": one.value,
               "category": one.category, "reason": one.reason,
               "site": "yes" if one.concept in ours else ""}  # fmt: skip


def look_up(context: RequestContext, term: str) -> tuple[dict[str, Any] | None, list[str]]:
    if not term:
        return None, []
    found = [m for m in known_meanings(term) if m.concept in context.services.mesh]
    if found:
        return facts(context, found[0].concept), []
    near = process.extract(term, headings(), limit=SUGGESTED, score_cutoff=LIKE)
    return None, [name for name, *_ in near]


@cache
def headings() -> list[str]:
    """Of conditions: what a person looks up here is one."""
    mesh = load_mesh()
    kinds = ("C", "F03")
    nodes = range(len(mesh))
    return [mesh.name(n) for n in nodes if any(t.startswith(kinds) for t in mesh.tree_numbers(n))]


def facts(context: RequestContext, concept: str) -> dict[str, Any]:
    mesh, table = context.services.mesh, context.services.sensitivity
    node = mesh.index(concept)

    def near(nodes: list[int]) -> list[dict[str, Any]]:
        grave = sorted(nodes, key=lambda n: -float(table.values[n]))[:CHILDREN]
        return [{"name": mesh.name(n), "value": float(table.values[n])} for n in grave]

    below = [mesh.ids[n] for n in (node, *mesh.descendants(node).tolist())][:2000]
    with context.services.engine.connect() as connection:
        distinct = func.count(func.distinct(topics.c.file))
        query = select(distinct).where(topics.c.concept.in_(below))
        used = connection.execute(query).scalar() or 0
    return {
        "id": concept, "name": mesh.name(node), "value": table.of(concept),
        "source": table.source(concept), "category": table.category(concept), "files": used,
        "parents": near(mesh.parents(node).tolist()),
        "children": near(mesh.children(node).tolist()),
    }  # fmt: skip


def value_of(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return round(value, 4) if isfinite(value) and 0 <= value <= 1 else None


def store(context: RequestContext) -> Response:
    concept, value = context.form.get("concept", ""), value_of(context.form.get("value", ""))
    if concept not in context.services.mesh or value is None:
        raise HTTPException(400)
    why = context.reason()
    with context.services.lock:
        change = change_of(context.services.sensitivity, concept, value)
        touched = save(context.services, context.user.name, change, why)
    name = context.services.concept_name(concept)
    context.say(f"Saved: {name} is {value:.2f} now; {touched:,} files were scored again.")
    return context.back(f"/sensitivity?term={concept}")


ROUTES = (
    page("/sensitivity", show),
    page("/sensitivity/save", store, role="officer", changes=True),
)
