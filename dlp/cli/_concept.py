"""Facts about one concept, as a mapping for machines and as a small tree picture for people.

In: a meaning of a term.  Out: a dictionary; lines of text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dlp.knowledge.cooccurrence import load_cooccurrence
from dlp.knowledge.inference import load_inference
from dlp.knowledge.lookup import Meaning
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.knowledge.sensitivity import Sensitivity, load_sensitivity

POSITIONS = 3  # tree positions drawn; some headings have a dozen
CHILDREN = 8
SYNONYMS = 12
HERE = "◀"


def facts(meaning: Meaning) -> dict[str, Any]:
    """All that is known about a concept."""
    mesh, table, rules = load_mesh(), load_sensitivity(), load_inference()
    own = meaning.concept in mesh
    node = meaning.nodes[0]
    implication = rules.explain(meaning.concept)
    judged = table.of(meaning.concept)
    inferred = rules.sensitivity(meaning.concept, table)
    source = table.source(mesh.ids[node])
    if inferred > judged:
        source = f"implied conditions ({implication.source})"
    elif not own:
        source = f"heading {mesh.name(node)}: {source}"
    return {
        "id": meaning.concept,
        "name": meaning.name,
        "found_as": meaning.how,
        "headings": [mesh.name(n) for n in meaning.nodes],
        "synonyms": list(mesh.terms(node)) if own else [],
        "tree_numbers": [t for n in meaning.nodes for t in mesh.tree_numbers(n)],
        "depth": mesh.depth(node),
        "parents": [mesh.name(p) for p in mesh.parents(node).tolist()] if own else [],
        "children": [mesh.name(c) for c in mesh.children(node).tolist()] if own else [],
        "sensitivity": round(max(judged, inferred), 6),
        "sensitivity_source": source,
        "category": table.category(meaning.concept) or rules.category(meaning.concept, table),
        "implies": [
            {"id": d, "name": mesh.name(mesh.index(d)), "share": round(share, 4)}
            for d, share in implication.pairs
            if d in mesh
        ],
        "implies_source": implication.source,
        "frequency": frequency(meaning),
    }


def frequency(meaning: Meaning) -> dict[str, Any]:
    """How often records name the concept or one below it; rarer ones tell more."""
    statistics = load_cooccurrence()
    node = meaning.nodes[0]
    return {
        "records": statistics.count(node),
        "of": statistics.records,
        "information_bits": round(statistics.ic(node), 2),
        "pubmed": statistics.pubmed(node),
    }


def picture(meaning: Meaning) -> Iterator[str]:
    """The ways from the top of the trees to the concept, with what lies right below it."""
    mesh, table = load_mesh(), load_sensitivity()
    positions = [(n, tree) for n in meaning.nodes for tree in mesh.tree_numbers(n)]
    for number, (node, tree) in enumerate(positions[:POSITIONS]):
        way = way_down(mesh, node, tree)
        for depth, step in enumerate(way):
            bend = "   " * (depth - 1) + "└─ " if depth else ""
            mark = f"  {HERE}" if step == node and meaning.concept in mesh else ""
            yield f"  {bend}{mesh.name(step)}  {_value(table, step)}{mark}"
        below = [] if meaning.concept in mesh else [f"{meaning.name} {meaning.concept}  {HERE}"]
        if meaning.concept in mesh and not number:  # the same ones lie below every position
            below = [f"{mesh.name(c)}  {_value(table, c)}" for c in mesh.children(node).tolist()]
        yield from _branches(below, len(way))
    if len(positions) > POSITIONS:
        yield f"  … and {len(positions) - POSITIONS} more positions"


def way_down(mesh: Mesh, node: int, tree: str) -> list[int]:
    """The headings from the top of a tree to one of its positions."""
    way = [node]
    while "." in tree:
        tree = tree.rpartition(".")[0]
        above = (p for p in mesh.parents(way[-1]).tolist() if tree in mesh.tree_numbers(p))
        step = next(above, None)
        if step is None:  # an edge left out because it closes a circle
            break
        way.append(step)
    return way[::-1]


def _branches(names: list[str], depth: int) -> Iterator[str]:
    shown = names[:CHILDREN]
    more = [f"… {len(names) - CHILDREN} more"] if len(names) > CHILDREN else []
    last = len(shown) + len(more) - 1
    for number, name in enumerate([*shown, *more]):
        yield f"  {'   ' * (depth - 1)}{'└─' if number == last else '├─'} {name}"


def _value(table: Sensitivity, node: int) -> str:
    return f"{table.values[node]:.2f}"
