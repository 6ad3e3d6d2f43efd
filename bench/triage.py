"""Count what triage settles as impossible, by label and reason, and how fast it is.

usage: python -m bench.triage FOLDER...   each with share/ and labels.tsv (columns file, label)
In: labelled shares.  Out: two Markdown tables a rule set on standard output.

Only the two triage stages are timed; reading the files is not.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter
from pathlib import Path

from dlp.decode.extract import read
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline
from dlp.triage.assemble import triage_stages
from dlp.triage.cheap import CheapPass, rare_health_words
from dlp.triage.rules import RULE_SETS, read_cheap_rules


def read_share(folder: Path) -> list[tuple[str, Case]]:
    cases = []
    with (folder / "labels.tsv").open(newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            path = folder / "share" / row["file"]
            with path.open("rb") as source:
                reading = read(source, path.name)
            ref = FileRef("share", row["file"].encode(), size_bytes=path.stat().st_size)
            cases.append((row["label"], Case(ref, reading.document, gaps=reading.gaps)))
    return cases


def outcome(case: Case) -> str:
    """What triage said; a file with gaps stays possible whatever the reason."""
    if not case.settled:
        return "carried on"
    return f"{case.reason}, but gaps" if case.gaps else case.reason


def measure(rule_set: str, cases: list[tuple[str, Case]]) -> None:
    pipeline = Pipeline(triage_stages(rule_set), given={"document"})
    for _, case in cases[:50]:
        pipeline.run(case)  # RE2 builds its states as it meets them
    started = time.process_time()
    judged = [(label, pipeline.run(case)) for label, case in cases]
    spent = time.process_time() - started
    table = Counter((label, outcome(case)) for label, case in judged)
    columns = sorted({said for _, said in table}, key=lambda said: (said == "carried on", said))
    print(f"\n### {rule_set}\n\n| label | files | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 2) + "|")
    for label in sorted({label for label, _ in table}):
        counts = [table[label, said] for said in columns]
        print(f"| {label} | {sum(counts)} | {' | '.join(map(str, counts))} |")
    megabytes = sum(case.document.characters for _, case in cases if case.document) / 1e6
    withheld = sum(bool(case.facts.get("withheld")) for _, case in judged)
    print(f"\n{len(cases)} files, {megabytes:.1f} MB of text in {spent:.2f} s of CPU: ", end="")
    print(f"{megabytes / spent:.1f} MB/s, {len(cases) / spent:.0f} files/s. ", end="")
    print(f"The cheap pass withheld a shortcut from {withheld} files.")


def measure_cheap(cases: list[tuple[str, Case]]) -> None:
    """Time the cheap pass alone, on the files it was made for and on one long quiet text."""
    cheap = CheapPass(read_cheap_rules(), rare_health_words())
    texts = [
        "\n".join(part.text for part in case.document.parts)
        for label, case in cases
        if label == "NOT_PERSONAL" and case.document
    ]
    quiet = "The lamp burned low while the carriage waited in the quiet lane by the sea. " * 65_000
    for name, sample in (("files without personal matter", texts), ("a quiet text", [quiet])):
        for text in sample:
            cheap.listen([text])
        started = time.process_time()
        silent = sum(cheap.listen([text]).silent for text in sample)
        spent = time.process_time() - started
        megabytes = sum(map(len, sample)) / 1e6
        print(f"\nCheap pass on {name}: {len(sample)}, {megabytes:.1f} MB, ", end="")
        print(f"{megabytes / spent:.0f} MB/s, {silent} silent.")


def main(folders: list[Path]) -> None:
    for folder in folders:
        cases = read_share(folder)
        print(f"\n## {folder.name}: {len(cases)} files")
        measure_cheap(cases)
        for rule_set in RULE_SETS:
            measure(rule_set, cases)


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
