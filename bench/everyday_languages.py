"""Score everyday texts in six languages: leaks found and false alarms of each.

usage: python -m bench.everyday_languages [FOLDER]   (bench/languages)
In: files FOLDER/SET/CODE.txt, texts under "=== L name" (a leak) or "=== N name" (a near miss).
Out: a Markdown table on standard output.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

FOLDER = Path(__file__).parent / "languages"


def texts_of(path: Path) -> Iterator[tuple[str, str, str]]:
    """Label, name and text of each."""
    for chunk in path.read_text("utf-8").split("=== ")[1:]:
        head, body = chunk.split("\n", 1)
        label, name = head.split(" ", 1)
        yield label, name, body.rstrip() + "\n"


def main(folder: Path) -> None:
    analysis = Analysis(Settings(), key=bytes(32))
    print("| set | language | leaks found | false alarms | missed leaks without the gap |")
    print("|---|---|---|---|---|")
    for path in sorted(folder.glob("*/*.txt")):
        seen, found, silent = Counter[str](), Counter[str](), 0
        for label, name, text in texts_of(path):
            record = analysis(FileRef("share", name.encode()), io.BytesIO(text.encode()))
            flagged = record["container"] == "phi"
            seen[label] += 1
            found[label] += flagged
            gaps = {gap["code"] for gap in record["gaps"]}
            silent += label == "L" and not flagged and "language" not in gaps
        leaks, alarms = (f"{found[one]} of {seen[one]} ({found[one] / seen[one]:.2f})" for one in "LN")
        print(f"| {path.parent.name} | {path.stem} | {leaks} | {alarms} | {silent} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
