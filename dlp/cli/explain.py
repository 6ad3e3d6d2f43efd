"""`dlp explain`: why a file got its verdict, without showing what it says.

In: a file.  Out: stages, findings (masked), persons with p and s, links, gaps.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

WEIGHED = re.compile(r": \d\.\d\d$")  # a step of the sensitivity, not of the crowd
SHOWN = 12  # findings per person and kind; the rest is counted


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The record with masks, as one object.")
@click.option("--full", is_flag=True, help="Every stage, even when the answer is known earlier.")
@click.option("--profile", help="Rule set: default, sokolova2009, sokolova2009-weighted or -mesh.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(
    file: Path, *, as_json: bool, full: bool, profile: str | None, config: Path | None
) -> None:
    """Say why FILE got its verdict."""
    from dlp.config import load
    from dlp.engine.scanning import Scan

    scan = Scan(load(config), jobs=1, full=full, masks=True, profile=profile)
    (record,) = scan.records((os.fsencode(file),))
    click.echo(json.dumps(record, indent=1) if as_json else "\n".join(explain(record)))


def explain(record: dict[str, Any]) -> Iterator[str]:
    from dlp.report.writers import printable

    yield printable(record["path"])
    yield f"  verdict     {record['container']}: {record['reason']}"
    p, s = record["identifiability"], record["sensitivity"]
    chance = f" × {record['privacy'] / (p * s):.2f} chance" if p * s > 0 else ""
    product = f"{p:.3g} identifiability × {s:.3g} sensitivity{chance}"
    yield f"  privacy     {record['privacy']:.3g} = {product}"
    yield f"  type        {record['media_type'] or 'unknown'}, language {record['language'] or '?'}"
    yield f"  stages      {' → '.join(record['trail'])}  ({record['ms']:.1f} ms)"
    for gap in record["gaps"]:
        yield f"  not read    {gap['code']} at {printable(gap['where'])}"
    for table in record.get("tables", ()):
        unique = f"{table['unique']:,} of {table['rows']:,} rows unique"
        few = f"{table['at_risk']:,} in groups below 5"
        columns = ", ".join(table["columns"])
        yield f"  table       {printable(table['part'])}: {unique} by {columns}; {few}"
    by_person: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for finding in record["findings"]:
        by_person[finding["person"] or ""].append(finding)
    linked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for link in record.get("links", ()):
        linked[link["person"]].append(link)
    for number, person in enumerate(record["persons"], 1):
        p, s = person["identifiability"], person["sensitivity"]
        yield f"  person {number}    p = {p:.3g}, s = {s:.3g}, chance = {person['chance']:.2f}"
        crowd = [line for line in person["explanation"] if not WEIGHED.search(line)]
        yield f"      {' → '.join(crowd)}"
        yield from (f"      {line}" for line in person["explanation"] if WEIGHED.search(line))
        yield from (line for link in linked.get(person["id"], ()) for line in link_lines(link))
        yield from findings(by_person.pop(person["id"], []))
    for rest in by_person.values():
        yield "  linked to nobody"
        yield from findings(rest)


def link_lines(link: dict[str, Any]) -> Iterator[str]:
    """The likeliest link of a person: fact, scope, chance, what speaks for and against it."""
    fact = concept_name(link["concept"]) if link["concept"] else link["kind"]
    place = f"{link['part']}:{link['start']}–{link['end']}"
    yield f"      has {fact} at {place}: chance {link['chance']:.2f}, scope: {link['scope']}"
    for sign, reasons in (("for", link["for"]), ("against", link["against"])):
        if reasons:
            yield f"        {sign}: {'; '.join(reasons)}"


def findings(found: list[dict[str, Any]]) -> Iterator[str]:
    counts = Counter(one["kind"] for one in found)
    for kind, count in counts.items():
        yield f"      {kind} ({count})"
        for one in [f for f in found if f["kind"] == kind][:SHOWN]:
            context = f" [{', '.join(one['context'])}]" if one["context"] else ""
            concept = f" {concept_name(one['concept'])}" if one["concept"] else ""
            place = f"{one['part']}:{one['start']}–{one['end']}"
            yield f"        {one.get('mask', ''):<26}{concept}{context}  {one['rule']}  at {place}"
        if count > SHOWN:
            yield f"        … and {count - SHOWN} more"


def concept_name(concept: str) -> str:
    from dlp.knowledge.sensitivity import name_of

    return name_of(concept)
