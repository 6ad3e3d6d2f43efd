"""How right are the verdicts, by which rule set, and what does each stage of the cascade cost?

In: labelled shares (share/ and labels.tsv).  Out: Markdown tables on standard output.

    python -m bench.accuracy [--note FILE] SHARE...

The files are judged in this process, one after the other, so that the time of each stage can be
taken; `dlp evaluate` judges the same files in sandboxed workers.
"""

import os
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

from dlp.assembly import Analysis, stages
from dlp.config import Settings, Triage
from dlp.evaluate import Evaluation, read_labels
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline
from dlp.report.record import record_of

RULE_SETS = ("default", "sokolova2009", "sokolova2009-weighted")
NOTE_RUNS = 30


class Timed:
    """A stage that counts its calls and their CPU time."""

    def __init__(self, stage):
        self._stage = stage
        self.name, self.requires, self.provides = stage.name, stage.requires, stage.provides
        self.final = getattr(stage, "final", False)
        self.calls, self.spent, self.last = 0, 0.0, 0.0

    def __call__(self, case):
        started = time.process_time()
        try:
            return self._stage(case)
        finally:
            self.last = time.process_time() - started
            self.calls += 1
            self.spent += self.last


def timed_pipeline(rules):
    settings = Settings(triage=Triage(rules=rules))
    Analysis(settings).warm()
    timed = [Timed(stage) for stage in stages(settings, bytes(32))]
    return Pipeline(timed), timed


def run(pipeline, path):
    with path.open("rb") as source:
        return pipeline.run(Case(FileRef("share", os.fsencode(path)), facts={"source": source}))


def judge(pipeline, folder, result):
    for name, label in read_labels(folder / "labels.tsv").items():
        result.add(name, label, record_of(run(pipeline, folder / "share" / name), 0.0))


def measures(results):
    print(
        "| rule set | files | PHI | found | false alarms | TDP | TDP_i | FRP | precision | recall |"
    )
    print("|---" * 10 + "|")
    for rules, one in results.items():
        shares = one.measures()
        parts = [f"{shares[name].value:.2%}" for name in ("TDP", "TDP_i", "FRP")]
        parts += [
            f"{s.value:.3f} ({s.low:.3f}–{s.high:.3f})"
            for s in (shares["precision"], shares["recall"])
        ]
        counts = f"{one.files} | {one.leaks} | {one.found} | {one.alarms}"
        print(f"| {rules} | {counts} | {' | '.join(parts)} |")
    for rules, one in results.items():
        print(f"\n{rules}: other languages, {one.found_apart} of {one.leaks_apart} found.")


def funnel(results):
    steps = sorted({step for one in results.values() for step in one.funnel})
    print(f"\n| step that answered | {' | '.join(results)} |")
    print("|---" * (len(results) + 1) + "|")
    for step in steps:
        print(f"| {step} | {' | '.join(str(one.funnel[step]) for one in results.values())} |")


def costs(timed, files):
    print("\n| stage | files that reach it | CPU ms a file that reaches it | share of all CPU |")
    print("|---" * 4 + "|")
    whole = sum(stage.spent for stage in timed)
    for stage in timed:
        each = stage.spent / max(1, stage.calls) * 1000
        reach = stage.calls / files
        print(f"| {stage.name} | {reach:.1%} | {each:.2f} | {stage.spent / whole:.1%} |")
    print(f"\n{files} files in {whole:.1f} s of CPU: {files / whole:.0f} files/s a core.")


def causes(results):
    for rules, one in results.items():
        for title, mistakes in (("misses", one.misses), ("false alarms", one.false_alarms)):
            counts = Counter((m.label, m.container, m.stage) for m in mistakes)
            for (label, container, stage), count in counts.most_common():
                print(f"- {rules}, {title}: {count} × {label} judged {container} by {stage}")


def note_cost(path, pipeline, timed):
    """The median cost of one note, stage by stage."""
    spent = defaultdict(list)
    for _ in range(NOTE_RUNS):
        run(pipeline, path)
        for stage in timed:
            spent[stage.name].append(stage.last * 1000)
    detect = sum(median(times) for name, times in spent.items() if name.startswith("detect"))
    print(
        f"\nA note of {path.stat().st_size / 1000:.1f} kB: {detect:.2f} ms in all detect stages ("
    )
    print(", ".join(f"{name} {median(times):.2f}" for name, times in spent.items()) + ").")


def main(arguments):
    note = None
    if arguments[0] == "--note":
        note, arguments = Path(arguments[1]), arguments[2:]
    results, timed = {}, {}
    for rules in RULE_SETS:
        results[rules] = Evaluation()
        timed[rules] = timed_pipeline(rules)
        for folder in arguments:
            judge(timed[rules][0], Path(folder), results[rules])
    measures(results)
    funnel(results)
    costs(timed["default"][1], results["default"].files)
    causes(results)
    if note:
        note_cost(note, *timed["default"])


if __name__ == "__main__":
    main(sys.argv[1:])
