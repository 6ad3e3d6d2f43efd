"""Coverage-guided fuzzing of the readers: `make fuzz`, or `python -m tests.fuzz [libFuzzer options]`.

Atheris (Apache-2.0; `make fuzz` installs it) watches which lines of dlp/decode a changed file reaches and keeps
what reaches new ones in build/fuzz-corpus; a crash is left as a file beside it. Compiled libraries are
watched from outside: a signal, a hang of 20 s or 2 GB of memory ends the run.
"""

import io
import os
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["dlp.decode", "dlp.text"]):
    from dlp.decode import format_registry
    from dlp.decode.contract import Limits
    from dlp.decode.extract import read

    format_registry.preload()

from dlp.model import GapCode
from tests.fuzz.mutations import WORDS, seeds

CORPUS = Path("build/fuzz-corpus")
LIMITS = Limits(wall_seconds=10.0, max_text_chars=1_000_000, max_inflated_bytes=20_000_000)
BOUNDS = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=65536", "-max_total_time=600"]


def one(content):
    """Whatever the bytes are: a reading with honest gaps, and text that every library takes."""
    reading = read(io.BytesIO(content), "", LIMITS)
    if GapCode.INTERNAL in {gap.code for gap in reading.gaps}:
        raise AssertionError([gap.where for gap in reading.gaps])
    for part in reading.document.parts:
        part.text.encode()
        for _, start, end, _ in part.fields or ():
            assert 0 <= start < end <= len(part.text)


def main():
    CORPUS.mkdir(parents=True, exist_ok=True)
    for name, content in seeds():
        path = CORPUS / f"seed-{name}"
        if not path.exists() and len(content) < 65_536:
            path.write_bytes(content)
    words = CORPUS.parent / "fuzz-words"
    quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in WORDS)
    words.write_text("".join(f'"{word}"\n' for word in quoted))
    given = [option for option in sys.argv[1:] if option.startswith("-")]
    named = {option.partition("=")[0] for option in given}
    bounds = [bound for bound in BOUNDS if bound.partition("=")[0] not in named]
    artefacts = f"-artifact_prefix={CORPUS.parent}{os.sep}"
    atheris.Setup([sys.argv[0], str(CORPUS), f"-dict={words}", artefacts, *bounds, *given], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
