"""Rewrite every file of a folder with some of its own words replaced, and count what is left.

In: a folder of files.  Out: a table by format: rewritten, refused, left behind, unstable, ms.

    python -m bench.sanitise_documents FOLDER
"""

import collections
import io
import os
import random
import re
import sys
import time

from dlp.decode.extract import read
from dlp.decode.identify import identify
from dlp.errors import SanitiseError
from dlp.sanitise.documents.format_rewriter import rewrite, supported
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.value_search import replacing

WORD = re.compile(r"\b[A-Z][a-z]{5,14}\b")
BIGGEST = 20_000_000


def files(folder):
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(parent, name)
            if os.path.getsize(path) <= BIGGEST:
                yield path


def words_of(data, name):
    """Up to five words of the file itself, from wherever our readers see words."""
    parts = read(io.BytesIO(data), name).document.parts
    found = sorted(
        {w for part in parts if part.locator.startswith("body") for w in WORD.findall(part.text)}
    )
    return random.Random(0).sample(found, min(5, len(found)))


def differs(out, kind, edit, path):
    try:
        same = rewrite(out, kind, edit).data == out
    except SanitiseError:
        same = False
    if not same and "-v" in sys.argv:
        print(path, "second pass differs")
    return not same


def main():
    rows = collections.defaultdict(collections.Counter)
    for path in files(sys.argv[1]):
        with open(path, "rb") as source:
            data = source.read()
        kind = identify(io.BytesIO(data), os.path.basename(path)).media_type
        if kind not in supported():
            continue
        row = rows[kind]
        row["files"] += 1
        values = words_of(data, os.path.basename(path))
        edit = replacing([(value, "[GONE]") for value in values])
        started = time.process_time()
        try:
            out = rewrite(data, kind, edit).data
        except SanitiseError as error:
            row["refused"] += 1
            if "-v" in sys.argv:
                print(path, error.what)
            continue
        except Exception as error:  # noqa: BLE001 - a crash is what this measures
            row["crashed"] += 1
            print(path, type(error).__name__, error)
            continue
        row["ms"] += round(1000 * (time.process_time() - started))
        row["rewritten"] += 1
        left = leftovers(out, kind, values)
        row["left"] += bool(left)
        row["unstable"] += differs(out, kind, edit, path)
        if left and "-v" in sys.argv:
            print(path, left[:4])
    print("| type | files | rewritten | refused | value left | second pass differs | ms a file |")
    print("|---|---|---|---|---|---|---|")
    for kind, row in sorted(rows.items()):
        mean = row["ms"] / max(1, row["rewritten"])
        print(
            f"| {kind} | {row['files']} | {row['rewritten']} | {row['refused']} | {row['left']}"
            f" | {row['unstable']} | {mean:.0f} |"
        )


if __name__ == "__main__":
    main()
