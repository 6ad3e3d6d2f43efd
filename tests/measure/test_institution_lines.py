"""Lines above an address are read in a time that grows with their length, not faster."""

import io
import time

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

CALM = "Ada Hale has gout. Write to her at a.hale@example.org or 617-555-0142.\n"


@pytest.mark.parametrize("line", ["A" * 190 + "!", "A B " * 45 + "!", "of " * 60 + "?", "A" * 5000])
def test_a_line_of_capitals_above_a_number_takes_no_longer(line):
    analysis = Analysis(Settings(detect={"model": "never"}), key=bytes(32))

    def spent(text):
        started = time.process_time()
        analysis(FileRef("", b"a.txt"), io.BytesIO(text.encode()))
        return time.process_time() - started

    spent(CALM)
    assert spent(f"{line}\n617-555-0101, front@example.org\n{CALM}") < 50 * spent(CALM * 3)
