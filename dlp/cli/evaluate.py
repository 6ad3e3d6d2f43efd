"""`dlp evaluate`: scan a labelled share and measure how right the verdicts are.

In: a share and labels.tsv.  Out: TDP, FRP, precision, recall, the funnel, every mistake.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dlp.evaluate import Evaluation


@click.command()
@click.argument("share", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("labels", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Everything, as one object.")
@click.option("--threshold", is_flag=True, help="Precision, recall and F over thresholds.")
@click.option("--jobs", type=click.IntRange(min=1))
@click.option("--profile", help="Rule set: default, sokolova2009, sokolova2009-weighted or -mesh.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(
    share: Path,
    labels: Path,
    *,
    as_json: bool,
    threshold: bool,
    jobs: int | None,
    profile: str | None,
    config: Path | None,
) -> None:
    """Measure verdicts on SHARE against LABELS (tab-separated: file, label)."""
    from dlp.config import load
    from dlp.engine.scanning import Scan
    from dlp.evaluate import evaluate, read_labels

    scan = Scan(load(config), jobs=jobs, profile=profile)
    root = os.fsencode(share)
    records = ((os.path.relpath(r["path"], share), r) for r in scan.records((root,)))
    result = evaluate(records, read_labels(labels))
    if as_json:
        click.echo(json.dumps(result.as_object(), indent=1))
    else:
        click.echo(report(result))
        if threshold:
            click.echo("\n".join(table(result)))


def table(result: Evaluation) -> Iterator[str]:
    """As the papers print it: what each threshold alone would decide."""
    yield "measure   threshold   TP    FP    FN    TN  precision  recall      F"
    for cut in result.cuts():
        counts = f"{cut.found:5} {cut.alarms:5} {cut.missed:5} {cut.passed:5}"
        rates = f"{cut.precision:9.3f} {cut.recall:7.3f} {cut.f:6.3f}"
        yield f"{cut.measure:<9} {cut.threshold:9.6g} {counts}  {rates}"


def report(result: Evaluation) -> str:
    head = f"{result.files} files, {result.leaks} PHI"
    lines = [f"{head}: {result.found} found, {result.alarms} false alarms"]
    lines += [
        f"  {name:<10}{share.value:8.2%}   (95 %: {share.low:.2%} – {share.high:.2%})"
        for name, share in result.measures().items()
    ]
    if result.leaks_apart:
        lines.append(f"  other languages: {result.found_apart} of {result.leaks_apart} found")
    lines.append("funnel")
    lines += [f"  {count:6}  {step}" for step, count in result.steps()]
    for title, mistakes in (("missed", result.misses), ("false alarms", result.false_alarms)):
        if mistakes:
            lines.append(title)
        lines += [
            f"  {one.file!a}  [{one.label}] {one.container}: {one.reason} ({one.stage})"
            for one in mistakes
        ]
    if result.unlabelled or result.missing:
        unlabelled, missing = len(result.unlabelled), len(result.missing)
        lines.append(f"{unlabelled} files have no label, {missing} labels have no file")
    return "\n".join(lines)
