"""The language model read by ourselves against its library: the same entities, and at what price?

In: folders of texts.  Out: sentences, entities, differences, CPU of both; exit 1 if any differs.

    python -m bench.learned FOLDER...
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in a scan

from dlp.detect.naming.doubt import LONGEST
from dlp.detect.naming.learned.library import load_library
from dlp.detect.naming.learned.package import open_model
from dlp.detect.naming.learned.places import folder_of
from dlp.detect.naming.learned.preparing import ask_library
from dlp.detect.naming.model_reader import installed
from dlp.text.sentences import sentence_starts

PER_TEXT = 40  # sentences


def main(folders: list[str]) -> int:
    name = installed()
    folder = folder_of(name) if name else None
    if name is None or folder is None:
        sys.exit("no English model is installed")
    started = time.process_time()
    ours = open_model(folder, lambda: ask_library(name))
    if ours is None:
        sys.exit(f"{name} is of a build that only its library reads")
    opened = time.process_time()
    library = load_library(name)
    loaded = time.process_time()
    texts = sentences = entities = differ = 0
    spent = [0.0, 0.0]
    for batch in sentences_in(folders):
        answers = []
        for at, reader in enumerate((ours, library)):
            begun = time.process_time()
            answers.append(reader.read(batch))
            spent[at] += time.process_time() - begun
        texts += 1
        sentences += len(batch)
        entities += sum(map(len, answers[1]))
        differ += sum(one != other for one, other in zip(*answers, strict=True))
    print("| reader | load s | read s |\n|---|---|---|")
    print(f"| ours | {opened - started:.3f} | {spent[0]:.2f} |")
    print(f"| {name} in spaCy, lean | {loaded - opened:.3f} | {spent[1]:.2f} |")
    print(f"\n{texts} texts, {sentences} sentences, {entities} entities; {differ} sentences differ")
    return 1 if differ else 0


def sentences_in(folders: list[str]) -> Iterator[list[str]]:
    """The first sentences of every text, as long as a scan has them read."""
    for folder in folders:
        for path in sorted(one for one in Path(folder).rglob("*") if one.is_file()):
            text = path.read_text(encoding="utf-8", errors="replace")
            starts = [*itertools.islice(sentence_starts(text), PER_TEXT + 1), len(text)][
                : PER_TEXT + 1
            ]
            yield [
                text[start : min(end, start + LONGEST)]
                for start, end in itertools.pairwise(starts)
                if end > start
            ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
