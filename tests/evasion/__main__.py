"""Measure: `python -m tests.evasion [--silent]` prints the counts as a table of Markdown."""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.evasion.measure import ANSWERS, measured

with tempfile.TemporaryDirectory() as folder:
    rows = measured(Path(folder))
if "--silent" in sys.argv:
    for case, answer, why in rows:
        if answer in ("silent", "probable"):
            print(f"{answer}: {case.technique.family}: {case.technique.name} ({case.path}) {why}")
counts = Counter((case.technique.family, answer) for case, answer, _ in rows)
print("| family | cases | " + " | ".join(ANSWERS) + " |\n|---|" + "---|" * (len(ANSWERS) + 1))
for family in [*dict.fromkeys(case.technique.family for case, _, _ in rows), "all"]:
    told = [
        sum(n for (f, a), n in counts.items() if a == answer and family in (f, "all"))
        for answer in ANSWERS
    ]
    print(f"| {family} | {sum(told)} | " + " | ".join(map(str, told)) + " |")
