"""`dlp roster`: lists of patients that scans know, kept as keyed tags without any value.

In: a CSV file with names, birth dates and numbers.  Out: a roster in the state folder; what it is.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dlp.knowledge.person_tags import Described

PARTS = ("first", "last", "name", "birth", "number")
# What the label of a column means, by the names under which texts are read.
MEANS = {"first": "first", "last": "last", "name": "name", "birth": "birth", "id": "number",
         "phone": "number"}  # fmt: skip
LOOKED_AT = 10_000  # characters that tell how columns are parted
SLASHED = re.compile(r"\s*(\d{1,2})\D(\d{1,2})\D\d{2,4}")
CONFIG = click.option(
    "--config", type=click.Path(exists=True, path_type=Path), help="TOML settings."
)
FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
COLUMNS = click.option(
    "--columns", default="", metavar="PART=COLUMN,...",
    help=f"What the columns hold, if their names do not tell: {', '.join(PARTS)}.",
)  # fmt: skip


@click.group()
def command() -> None:
    """Build and keep rosters of patients that scans recognise."""


@command.command()
@FILE
@COLUMNS
@click.option("--name", help="What to call it; default: the name of the file.")
@click.option("--days", type=click.IntRange(min=0), default=0, help="Expires then; 0: never.")
@CONFIG
def build(file: Path, columns: str, name: str | None, days: int, config: Path | None) -> None:
    """Make a roster of FILE, a CSV of patients, or replace the one of that name."""
    from dlp.cli._operator_stores import opened, settings_of
    from dlp.keys import fingerprint_key
    from dlp.knowledge.roster import build as write_roster
    from dlp.knowledge.roster_files import ROSTER_NAME, roster_folder
    from dlp.private_files import give_to_owner

    called = name or re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    if not ROSTER_NAME.fullmatch(called):
        raise click.UsageError("a roster is named with small letters, digits, - and _")
    settings = settings_of(config)
    people = list(people_of(file, asked(columns)))
    key = fingerprint_key(settings.keys.fingerprint)
    folder = roster_folder(settings.detect.rosters)
    with opened(config) as keeping:
        known = write_roster(folder, called, people, key, days=days)
        give_to_owner(folder, folder)
        keeping.note(f"built roster {called}: {known.patients} patients")
    until = f", until {known.expires}" if known.expires else ""
    click.echo(f"roster {called}: {known.patients} patients{until}")


@command.command("list")
@click.option("--json", "as_json", is_flag=True)
@CONFIG
def list_(config: Path | None, *, as_json: bool) -> None:
    """Show the rosters: patients, when made, until when, how numbers are written."""
    from dlp.knowledge.roster_files import known_in

    for known in known_in(folder_of(config)):
        row = {"name": known.name, "patients": known.patients, "made": known.made,
               "expires": known.expires, "in_force": known.in_force,
               "numbers": dict(known.shapes)}  # fmt: skip
        state = "" if known.in_force else "  EXPIRED"
        shapes = " ".join(known.shapes)
        click.echo(
            json.dumps(row) if as_json
            else f"{known.name}  {known.patients} patients  made {known.made}"
            f"  until {known.expires or 'removed'}{state}  numbers {shapes or 'none'}"
        )  # fmt: skip


@command.command()
@click.argument("name")
@CONFIG
def remove(name: str, config: Path | None) -> None:
    """Remove a roster; files that it made clear are judged again without it."""
    from dlp.cli._operator_stores import opened
    from dlp.errors import ConfigError
    from dlp.knowledge.roster_files import ROSTER_NAME
    from dlp.knowledge.roster_files import remove as remove_roster

    if not ROSTER_NAME.fullmatch(name) or not remove_roster(folder_of(config), name):
        raise ConfigError(f"there is no roster {name}", fix="`dlp roster list` names them")
    with opened(config) as keeping:
        keeping.note(f"removed roster {name}")
    click.echo(f"roster {name}: removed")


@command.command()
@click.argument("file", required=False, type=click.Path(exists=True, path_type=Path))
@COLUMNS
@CONFIG
def check(file: Path | None, columns: str, config: Path | None) -> None:
    """Check that the rosters are whole and of this key; with FILE, count its rows on them."""
    from dlp.cli._operator_stores import settings_of
    from dlp.keys import fingerprint_key
    from dlp.knowledge.roster import load_rosters

    settings = settings_of(config)
    found = load_rosters(settings.detect.rosters, fingerprint_key(settings.keys.fingerprint))
    if found is None:
        click.echo("no roster is in force")
        sys.exit(1 if file else 0)
    click.echo(f"{', '.join(found.names)}: whole, {found.patients} patients")
    if file is None:
        return
    rows = list(people_of(file, asked(columns)))
    known = sum(found.lists(person) for person in rows)
    click.echo(f"{known} of {len(rows)} rows of the file are listed")
    sys.exit(0 if known == len(rows) else 1)


def folder_of(config: Path | None) -> Path:
    from dlp.cli._operator_stores import settings_of
    from dlp.knowledge.roster_files import roster_folder

    return roster_folder(settings_of(config).detect.rosters)


def asked(columns: str) -> dict[str, str]:
    """From names of columns to what they hold."""
    wanted: dict[str, str] = {}
    for pair in filter(None, columns.split(",")):
        part, equals, column = pair.partition("=")
        if not equals or part.strip() not in PARTS:
            raise click.UsageError(f"--columns takes PART=COLUMN with a part of {', '.join(PARTS)}")
        wanted[column.strip()] = part.strip()
    return wanted


def people_of(file: Path, wanted: dict[str, str]) -> Iterator[Described]:
    """The rows of a table as people; a row that describes nobody is left out."""
    from dlp.detect.naming.labelled import first_and_last
    from dlp.knowledge.person_tags import Described, births_of

    rows = rows_of(file)
    header = next(rows, [])
    parts = parts_of(header, wanted)
    order = order_of_dates(list(islice(rows_of(file), 1, 5000)), parts)
    for row in rows:
        values: dict[str, list[str]] = {part: [] for part in PARTS}
        for part, value in zip(parts, row, strict=False):
            if part and value.strip():
                values[part].append(value.strip())
        first, last = " ".join(values["first"]), " ".join(values["last"])
        if values["name"] and not last:
            whole = values["name"][0]
            first, last = first_and_last(whole, whole.split(), "name", titled=False)
        births = tuple(
            day for one in values["birth"] for day in in_order(one, births_of(one), order)
        )
        if last or values["number"]:
            yield Described(first, last, births, tuple(values["number"]))


def rows_of(file: Path) -> Iterator[list[str]]:
    raw = file.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    head = text[:LOOKED_AT]
    return csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t|", key=head.count))


def parts_of(header: list[str], wanted: dict[str, str]) -> list[str]:
    """What each column holds: as asked, else as its name tells, else asked for on a terminal."""
    from dlp.errors import ConfigError
    from dlp.text.field_labels import meaning_of

    if missing := wanted.keys() - {name.strip() for name in header}:
        raise ConfigError(f"the file has no column {', '.join(sorted(missing))}")
    if not wanted:
        wanted = {name.strip(): MEANS.get(meaning_of(name.strip()).what, "") for name in header}
    if not {"last", "name", "number"} & set(wanted.values()) and sys.stdin.isatty():
        choice = click.Choice([*PARTS, "nothing"])
        for name in header:
            part = click.prompt(f"column {name!r} holds", type=choice, default="nothing")
            wanted[name.strip()] = "" if part == "nothing" else part
    parts = [wanted.get(name.strip(), "") for name in header]
    if not {"last", "name", "number"} & set(parts):
        raise ConfigError(
            "no column is known to hold names or numbers",
            fix="say so: --columns first=Given,last=Surname,birth=DOB,number=MRN",
        )
    return parts


def order_of_dates(rows: list[list[str]], parts: list[str]) -> str:
    """Whether days or months stand first, if some row of the column tells."""
    firsts, seconds = [0], [0]
    for row in rows:
        for part, value in zip(parts, row, strict=False):
            if part == "birth" and (found := SLASHED.match(value)):
                firsts.append(int(found[1]))
                seconds.append(int(found[2]))
    day_first, month_first = max(firsts) > 12, max(seconds) > 12
    return "" if day_first is month_first else "day" if day_first else "month"


def in_order(writing: str, births: tuple[int, ...], order: str) -> tuple[int, ...]:
    found = SLASHED.match(writing) if order and len(births) > 1 else None
    if found is None:
        return births
    month = int(found[2 if order == "day" else 1])
    return tuple(day for day in births if day // 100 % 100 == month)
