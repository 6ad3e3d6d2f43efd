"""`dlp anonymise`: make a table k-anonymous, or only say how exposed it is.

In: a csv, tsv, xlsx or parquet file.  Out: the table in OUT, figures as text, JSON or HTML.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

PATH = click.Path(path_type=Path)
METHODS = ("microaggregation", "recoding", "resampling", "suppression")


@click.command("anonymise")
@click.argument("source", metavar="TABLE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o", "--output", "target", type=PATH, help="The new table; its ending says which kind."
)
@click.option("--k", "k", type=int, default=5, show_default=True, help="Rows alike at least.")
@click.option("--method", type=click.Choice(METHODS), default=METHODS[0], show_default=True)
@click.option("--classic", is_flag=True, help="Compare by equality, not by meaning.")
@click.option("--quasi", multiple=True, metavar="COL", help="Exactly these quasi-identifiers.")
@click.option("--role", "roles", multiple=True, metavar="COL=ROLE[:KIND]", help="Set a role.")
@click.option("--hierarchy", multiple=True, metavar="COL=FILE", help="value;wider;wider still …")
@click.option("--sensitive", multiple=True, metavar="COL", help="Kept, and subject to --l and --t.")
@click.option("--l", "diversity", type=int, help="Different sensitive values per group.")
@click.option("--t", "closeness", type=float, help="Most distance of a group to the table.")
@click.option("--max-loss", type=float, metavar="X", help="Refuse to lose more, 0 to 1.")
@click.option("--population", type=int, help="People the rows are a sample of.")
@click.option("--sheet", metavar="NAME", help="Sheet of a workbook.")
@click.option("--text", type=click.Choice(["sanitise", "silence"]), default="sanitise")
@click.option("--person", metavar="COL", help="Names people: several rows of one count once.")
@click.option("--keep-order", is_flag=True, help="Do not shuffle; a sorted table tells who is who.")
@click.option("--seed", type=int, help="Repeat a resampling.")
@click.option("--report", type=PATH, metavar="FILE.html", help="Figures and plots as a page.")
@click.option("--assess", is_flag=True, help="Only measure; write no table.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(source: Path, target: Path | None, **options: Any) -> None:
    """Make TABLE k-anonymous by meaning: rows alike in what an attacker may know."""
    from dlp.cli._table_files import read_table, write_table
    from dlp.private_files import write_whole
    from dlp.sanitise.tables.anonymise import anonymise, assess
    from dlp.sanitise.tables.result_report import as_object, as_text, page

    if target is None and not options["assess"]:
        raise click.UsageError("say where to with -o OUT, or only measure with --assess")
    _check_target(source, target)
    table = read_table(source, options["sheet"])
    request = _request(options)
    result = assess(table, request) if options["assess"] else anonymise(table, request)
    if options["report"]:
        write_whole(options["report"], page(result, source.name).encode())
    if target is not None and result.table is not None:
        write_table(result.table, target, options["sheet"], like=source)
    if options["as_json"]:
        click.echo(json.dumps(as_object(result), indent=1))
    else:
        click.echo(as_text(result))


def _check_target(source: Path, target: Path | None) -> None:
    from dlp.cli._table_files import SUFFIXES

    if target is None:
        return
    if target.suffix.lower() not in SUFFIXES:
        raise click.UsageError(f"OUT must end in one of {', '.join(SUFFIXES)}")
    if target.exists() and target.samefile(source):
        raise click.UsageError("OUT is TABLE itself: the original is not overwritten")


def _request(options: dict[str, Any]) -> Any:
    from dlp.cli._table_files import CellSanitiser, read_rows
    from dlp.sanitise.tables.request import Request
    from dlp.sanitise.tables.taxonomies import Paths

    hierarchies = {
        column: Paths.from_rows(column, read_rows(Path(name)))
        for column, name in _pairs(options["hierarchy"], "--hierarchy COL=FILE")
    }
    return Request(
        k=options["k"],
        method=options["method"],
        classic=options["classic"],
        quasi=options["quasi"],
        roles=dict(_pairs(options["roles"], "--role COL=ROLE")),
        sensitive=options["sensitive"],
        diversity=options["diversity"],
        closeness=options["closeness"],
        max_loss=options["max_loss"],
        hierarchies=hierarchies,
        population=options["population"],
        seed=options["seed"],
        person=options["person"] or "",
        keep_order=options["keep_order"],
        sanitise_text=CellSanitiser() if options["text"] == "sanitise" else None,
    )


def _pairs(given: tuple[str, ...], usage: str) -> list[tuple[str, str]]:
    found = []
    for pair in given:
        column, equals, wish = pair.rpartition("=")
        if not equals or not column:
            raise click.UsageError(f"{pair!r}: write {usage}")
        found.append((column, wish))
    return found
