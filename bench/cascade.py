"""What each stage of our cascade costs on given texts.

In: a share, or texts.  Out: the share's texts as files; CPU seconds by stage.
"""

import functools
import gc
import hashlib
import io
import os
import time
from pathlib import Path

import magic

from bench.accuracy import Timed
from dlp.assembly import Analysis, stages
from dlp.config import Settings
from dlp.decode.extract import read
from dlp.engine.worker import OBJECTS_BETWEEN_COLLECTIONS
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline


def extracted(share, folder):
    """One text file per file of the share that has any text."""
    folder.mkdir()
    paths = []
    for number, path in enumerate(sorted(p for p in share.rglob("*") if p.is_file())):
        with path.open("rb") as source:
            parts = read(source, path.name).document.parts
        text = "\n".join(part.text for part in parts).strip()
        if text:
            paths.append(folder / f"{number:05}.txt")
            paths[-1].write_text(text, encoding="utf-8", errors="replace")
    return paths


@functools.cache
def timed_cascade():
    settings = Settings(detect={"model": "never"})
    Analysis(settings).warm()
    timed = [Timed(stage) for stage in stages(settings, bytes(32))]
    gc.freeze()  # as in a worker
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    return Pipeline(timed), timed


def cascade_stages(texts):
    """CPU seconds of each stage over all texts; settled cases skip stages, as in a scan."""
    pipeline, timed = timed_cascade()
    before = [stage.spent for stage in timed]
    for path in texts:
        with path.open("rb") as source:
            pipeline.run(
                Case(
                    FileRef("bench", os.fsencode(path)), facts={"source": io.BytesIO(source.read())}
                )
            )
    return {stage.name: stage.spent - spent for stage, spent in zip(timed, before, strict=True)}


def read_and_hash(texts):
    started = time.process_time()
    for path in texts:
        hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return time.process_time() - started


def type_of_all(texts):
    started = time.process_time()
    for path in texts:
        with path.open("rb") as source:
            magic.from_buffer(source.read(8192), mime=True)
    return time.process_time() - started
