"""Note every pattern that whoever forks workers has Python compile; a program of its own.

In: nothing.  Out: the lines of the artefact that dlp/known_patterns.py reads, on standard output.

In a process that has loaded something before, that would be missing.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from dlp.known_patterns import lines, noted


def judge_everything() -> None:
    """Load all that loads on demand, and have every stage speak once."""
    from dlp.assembly import Analysis
    from dlp.config import Settings
    from dlp.demo_share import build
    from dlp.model import FileRef

    analysis = Analysis(Settings(), full=True, key=bytes(32))
    analysis.warm()
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        for path in sorted(one for one in Path(folder).rglob("*") if one.is_file()):
            analysis(FileRef("", path.name.encode()), io.BytesIO(path.read_bytes()))


if __name__ == "__main__":
    with noted() as found:
        judge_everything()
    sys.stdout.buffer.writelines(lines(found))
