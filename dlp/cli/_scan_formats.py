"""The formats of `dlp scan`: those that need no more than records, and those that need levels.

In: the name of a format.  Out: what makes its writer on a stream.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click

EVENTS = ("sarif", "ocsf")


def writer_of(name: str, config: Path | None) -> Callable[[TextIO], Any]:
    from dlp.report.writers import WRITERS

    if name in WRITERS:
        return WRITERS[name]
    if name not in {*EVENTS, "html"}:
        known = ", ".join((*WRITERS, "html", *EVENTS))
        raise click.BadParameter(f"choose one of {known}", param_hint="--format")
    from dlp.config import load
    from dlp.measure.levels import level_of
    from dlp.report.exports import TELLERS, Told

    profile = load(config).measure.profile

    def level(privacy: float, people: int) -> str:
        return level_of(privacy, people, profile)

    if name == "html":
        return lambda out: Page(out, level)
    return lambda out: Told(TELLERS[name](out), level)


class Page:
    """Keeps what the page needs of each record, and draws it at the end."""

    def __init__(self, out: TextIO, level: Callable[[float, int], str]) -> None:
        self._out = out
        self._level = level
        self._files: list[dict[str, Any]] = []
        self._people: list[dict[str, Any]] = []

    def add(self, record: dict[str, Any]) -> None:
        from dlp.slices import people_in

        path, now = os.fsencode(record["path"]), time.time()
        kept = ("container", "reason", "privacy", "identifiability", "sensitivity", "size_bytes",
                "media_type", "rules_version")  # fmt: skip
        row = {key: record[key] for key in kept}
        codes = " ".join(sorted({gap["code"] for gap in record["gaps"]}))
        row |= {"path": path, "server": "", "people": people_in(record), "gaps": codes}
        self._files.append(row | {"judged_at": now})
        for person in record["persons"]:
            told = {key: person[key] for key in ("identifiability", "bits")}
            told["sensitivity"] = person["sensitivity"] * person["chance"]
            told |= {"person": person["id"], "prints": person["fingerprints"], "path": path}
            self._people.append(told | {"burden": person["burden"], "server": ""})

    def close(self) -> None:
        from dlp.cli.rank import combiner, link_people
        from dlp.report.html_page import page
        from dlp.report.overview import Knowledge, look_over

        knowledge = Knowledge(self._level, link_people, combiner())
        self._out.write(page(look_over(self._files, self._people, knowledge, at=time.time())))
