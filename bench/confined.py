"""Does the sandbox cost any text? The same files read by workers with and without it.

In: folders.  Out: every file that reads differently, and the dearest worker.

    python -m bench.confined FOLDER...
"""

import os
import resource
import sys
from collections import Counter
from unittest import mock

from dlp.acquire.walk import Walk
from dlp.decode import format_registry
from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.decode.sandbox import Confinement
from dlp.engine.local_engine import Job, LocalEngine
from dlp.engine.worker import Sandbox

LIMITS = Limits(wall_seconds=60)


def analyse(ref, source):
    name = os.path.basename(ref.path).decode("utf-8", "replace")
    reading = read(source, name, LIMITS)
    return {
        "type": reading.document.media_type,
        "characters": reading.document.characters,
        "gaps": [[gap.code, gap.where] for gap in reading.gaps],
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def read_all(folders, sandbox):
    found = {}
    settings = {"jobs": os.cpu_count() or 1, "limits": LIMITS, "warm": format_registry.preload}
    with LocalEngine(analyse, sandbox=sandbox, **settings) as engine:
        for done in engine.run(Job(sighting.ref, sighting.open) for sighting in Walk()(folders)):
            found[done.ref.path] = done.record or {"failed": [done.gap.code, done.gap.where]}
    return found


def main():
    folders = [os.fsencode(folder) for folder in sys.argv[1:]]
    with mock.patch("dlp.engine.worker.confine", return_value=Confinement(())):
        free = read_all(folders, Sandbox.RELAXED)
    confined = read_all(folders, Sandbox.STRICT)
    peaks = [record.pop("peak") for record in confined.values() if "peak" in record]
    for record in free.values():
        record.pop("peak", None)
    different = [path for path in free if free[path] != confined.get(path)]
    failed = Counter(str(record["failed"]) for record in confined.values() if "failed" in record)
    print(f"{len(confined)} files, {len(different)} read differently in the sandbox")
    print(f"workers lost: {sum(failed.values())} {dict(failed) or ''}")
    print(f"largest worker: {max(peaks) / 1e6:.0f} MB")
    for path in different:
        print(f"{path!r}: {free[path]} / {confined.get(path)}")


if __name__ == "__main__":
    main()
