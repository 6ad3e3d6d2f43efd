"""How sensitive a condition is: look it up, try another value, see what moves, save it.

In: a term and a value.  Out: the effect on the ranking before anything is saved; then the change.
"""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import Any

from rapidfuzz import process
from sqlalchemy import func, select
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.pages.decisions import reason
from dlp.console.render import as_csv, html
from dlp.console.request_context import Visit, page
from dlp.console.sensitivity_changes import change_of, effect_of, save
from dlp.knowledge.lookup import known_meanings
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.sensitivity import CATEGORIES, FILE, Judgement, read_judgements
from dlp.knowledge.site import site_folder, site_has
from dlp.store.schema import topics

CSV = ("concept", "name", "value", "category", "reason", "site")
CHILDREN = 12
LONGEST = 100
SUGGESTED, LIKE = 5, 60.0


def show(visit: Visit) -> Response:
    own = site_values(visit)
    if visit.query.get("format") == "csv":
        return as_csv("sensitivity", CSV, all_values(visit, own))
    term = visit.query.get("term", "").strip()[:LONGEST]
    concept, nearest = look_up(visit, term)
    shown: dict[str, Any] = {"change": None, "effect": None, "value": visit.query.get("value", "")}
    if concept and (value := value_of(shown["value"])) is not None:
        change = change_of(visit.desk.sensitivity, concept["id"], value)
        shown |= {"change": change, "effect": effect_of(visit.desk, change), "new": value}
    return html(
        visit, "sensitivity.html", term=term, concept=concept, nearest=nearest, own=own,
        categories=sorted(CATEGORIES), judged=len(visit.desk.sensitivity.judgements), **shown,
    )  # fmt: skip


def site_values(visit: Visit) -> list[Judgement]:
    return read_judgements(site_folder() / FILE, visit.desk.mesh) if site_has(FILE) else []


def all_values(visit: Visit, own: list[Judgement]) -> Any:
    ours = {judgement.concept for judgement in own}
    table = visit.desk.sensitivity.judgements.values()
    for one in sorted(table, key=lambda j: (-j.value, j.name)):
        yield {"concept": one.concept, "name": one.name, "value": one.value,
               "category": one.category, "reason": one.reason,
               "site": "yes" if one.concept in ours else ""}  # fmt: skip


def look_up(visit: Visit, term: str) -> tuple[dict[str, Any] | None, list[str]]:
    if not term:
        return None, []
    found = [m for m in known_meanings(term) if m.concept in visit.desk.mesh]
    if found:
        return facts(visit, found[0].concept), []
    near = process.extract(term, headings(), limit=SUGGESTED, score_cutoff=LIKE)
    return None, [name for name, *_ in near]


@cache
def headings() -> list[str]:
    """Of conditions: what a person looks up here is one."""
    mesh = load_mesh()
    kinds = ("C", "F03")
    nodes = range(len(mesh))
    return [mesh.name(n) for n in nodes if any(t.startswith(kinds) for t in mesh.tree_numbers(n))]


def facts(visit: Visit, concept: str) -> dict[str, Any]:
    mesh, table = visit.desk.mesh, visit.desk.sensitivity
    node = mesh.index(concept)

    def near(nodes: list[int]) -> list[dict[str, Any]]:
        grave = sorted(nodes, key=lambda n: -float(table.values[n]))[:CHILDREN]
        return [{"name": mesh.name(n), "value": float(table.values[n])} for n in grave]

    below = [mesh.ids[n] for n in (node, *mesh.descendants(node).tolist())][:2000]
    with visit.desk.engine.connect() as connection:
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


def store(visit: Visit) -> Response:
    concept, value = visit.form.get("concept", ""), value_of(visit.form.get("value", ""))
    if concept not in visit.desk.mesh or value is None:
        raise HTTPException(400)
    why = reason(visit)
    with visit.desk.lock:
        change = change_of(visit.desk.sensitivity, concept, value)
        touched = save(visit.desk, visit.user.name, change, why)
    name = visit.desk.concept_name(concept)
    visit.say(f"Saved: {name} is {value:.2f} now; {touched:,} files were scored again.")
    return visit.back(f"/sensitivity?term={concept}")


ROUTES = (
    page("/sensitivity", show),
    page("/sensitivity/save", store, role="officer", changes=True),
)
