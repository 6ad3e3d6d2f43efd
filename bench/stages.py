"""Say how many files of a folder reach each stage of the cascade and what the stage costs them.

In: folders.  Out: a table on stdout: files, share of all, CPU seconds, share of the time, ms a file.

    python -m bench.stages FOLDER... [--model never]

One process without the sandbox, so that every second belongs to a stage; the RE2 states that a
worker builds from its first files are part of the price.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

from dlp.assembly import stages
from dlp.config import Settings
from dlp.decode import format_registry
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline, Stage


class Timed:
    """A stage that keeps count of its files and its CPU time."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.name, self.requires, self.provides = stage.name, stage.requires, stage.provides
        self.final = getattr(stage, "final", False)
        self.files = 0
        self.seconds = 0.0

    def preload(self) -> None:
        getattr(self._stage, "preload", lambda: None)()

    def __call__(self, case: Case) -> Case:
        started = time.process_time()
        try:
            return self._stage(case)
        finally:
            self.seconds += time.process_time() - started
            self.files += 1


def prepared(model: str) -> tuple[Pipeline, list[Timed]]:
    settings = Settings.model_validate({"detect": {"model": model}})
    format_registry.preload()
    timed = [Timed(stage) for stage in stages(settings, os.urandom(32))]
    pipeline = Pipeline(timed)
    pipeline.preload()
    return pipeline, timed


def judge(pipeline: Pipeline, path: Path) -> int:
    """Run one file; the number of characters that were read of it."""
    with path.open("rb") as source:
        ref = FileRef("", os.fsencode(path), size_bytes=path.stat().st_size)
        facts: dict[str, Any] = {"source": source}
        case = pipeline.run(Case(ref, facts=facts))
    return case.document.characters if case.document else 0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--model", default="never", choices=("never", "auto"))
    chosen = arguments.parse_args()
    pipeline, timed = prepared(chosen.model)
    ready = time.process_time()
    paths = sorted(p for folder in chosen.folders for p in folder.rglob("*") if p.is_file())
    characters = sum(judge(pipeline, path) for path in paths)
    spent = time.process_time() - ready
    print("| stage | files | of all | CPU s | of the time | ms a file |\n|---|---|---|---|---|---|")
    for one in timed:
        reached, share = one.files / len(paths), one.seconds / spent
        each = 1000 * one.seconds / max(1, one.files)
        row = f"| {one.name} | {one.files} | {reached:.0%} | {one.seconds:.2f} | {share:.0%}"
        print(f"{row} | {each:.2f} |")
    print(f"\n{len(paths)} files, {characters / 1e6:.1f} M characters: ", end="")
    rate = f"{len(paths) / spent:.0f} files/s, {characters / 1e6 / spent:.2f} M characters/s"
    print(f"start-up {ready:.1f} s, {spent:.1f} s of CPU, {rate} a core")


if __name__ == "__main__":
    main()
