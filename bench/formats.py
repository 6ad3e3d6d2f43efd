"""Count, over folders of real files, what is read and what is a gap, by media type.

In: folders.  Out: a table on standard output; exit 1 if a reader failed in a way it did not expect.

    python -m bench.formats FOLDER...
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from dlp.decode import format_registry
from dlp.decode.extract import read
from dlp.model import GapCode

# Not the reader's to mend: the file is locked, broken, or a picture without a reader.
EXCUSED = {GapCode.ENCRYPTED, GapCode.CORRUPT}
NOT_ITS_FILE = frozenset({"MANIFEST.tsv", "SOURCE.txt"})


@dataclass
class Row:
    files: int = 0
    whole: int = 0
    partly: int = 0
    gap_only: int = 0
    empty: int = 0
    seconds: float = 0.0
    bytes: int = 0
    codes: Counter = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)


def main(folders: list[str]) -> int:
    format_registry.preload()
    known = format_registry.registry().media_types
    rows: dict[str, Row] = defaultdict(Row)
    slowest: list[tuple[float, str]] = []
    for path in sorted(files_in(folders)):
        with open(path, "rb") as source:
            start = time.process_time()
            reading = read(source, os.path.basename(path))
            spent = time.process_time() - start
        add(rows[reading.document.media_type], reading, path, spent)
        slowest = sorted([*slowest, (spent, os.path.basename(path))], reverse=True)[:8]
    show(rows, known, slowest)
    return 1 if any(row.codes[GapCode.INTERNAL.value] for row in rows.values()) else 0


def files_in(folders):
    for folder in folders:
        for root, _, names in os.walk(folder):
            yield from (os.path.join(root, name) for name in names if name not in NOT_ITS_FILE)


def add(row: Row, reading, path: str, spent: float) -> None:
    row.files += 1
    row.seconds += spent
    row.bytes += os.path.getsize(path)
    codes = {gap.code for gap in reading.gaps}
    row.codes.update(code.value for code in codes)
    # Names of members alone are no content.
    read_text = any(not part.locator.endswith("names") for part in reading.document.parts)
    if read_text and not codes:
        row.whole += 1
    elif read_text:
        row.partly += 1
    elif codes:
        row.gap_only += 1
    else:
        row.empty += 1
    if not read_text and not codes & EXCUSED:
        row.unread.append(os.path.basename(path))


def show(rows: dict[str, Row], known: frozenset[str], slowest) -> None:
    print(
        "| media type | files | read whole | read, with gaps | gap only | empty | ms/file | gaps |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for supported in (True, False):
        chosen = {kind: row for kind, row in rows.items() if (kind in known) is supported}
        for kind, row in sorted(chosen.items(), key=lambda pair: -pair[1].files):
            gaps = ", ".join(f"{code} {count}" for code, count in row.codes.most_common())
            mark = "" if supported else " *"
            print(
                f"| {kind}{mark} | {row.files} | {row.whole} | {row.partly} | {row.gap_only} "
                f"| {row.empty} | {1000 * row.seconds / row.files:.1f} | {gaps} |"
            )
        total = sum(row.files for row in chosen.values())
        text = sum(row.whole + row.partly for row in chosen.values())
        missed = [name for row in chosen.values() for name in row.unread]
        name = "supported" if supported else "not supported"
        print(f"| **{name}** | {total} | text from {text} | | | | | |")
        if supported:
            share = 100 * text / max(1, text + len(missed))
            print(f"\nOf supported files neither locked nor damaged, {share:.1f} % give text;")
            print("without text: " + ", ".join(sorted(missed)) + "\n")
    print("\nslowest (CPU ms): " + ", ".join(f"{name} {1000 * s:.0f}" for s, name in slowest))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the process: {peak:.0f} MB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
