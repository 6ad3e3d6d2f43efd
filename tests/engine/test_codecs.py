"""A worker knows common encodings; for any other it says what it lacks, and the next one has it."""

import subprocess
import sys

import pytest

PROGRAM = """
import io, sys
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.lazy_resources import NotLoadedError, lazy_registry
from dlp.engine.worker_settings import order_of, settings_in
from dlp.model import FileRef

told = "Пациентка Мария Иванова больна астмой, принимает таблетки. " * 40
mail = b"From: a@b.example\\nContent-Type: text/plain; charset=%s\\n\\nMary Smith has asthma."
FILES = {
    "guessed": told.encode("koi8-r"),
    "declared": mail % b"cp037",
    "unknown": mail % b"x-nobody-knows",
    "common": mail % b"iso-8859-15",
}

analysis = Analysis(settings_in(order_of(Settings())), full=True, key=bytes(32))
analysis.warm_first()
lazy_registry().supply("readers")  # one of them reads mail

def judged(name):
    case = analysis.case(FileRef("", b"one.eml"), io.BytesIO(FILES[name]))
    assert not [gap for gap in case.gaps if gap.code == "internal"], case.gaps
    return case

lost = "open"

def refuse(event, args):
    if event == lost:
        raise FileNotFoundError(args[0])

sys.addaudithook(refuse)
try:
    judged(sys.argv[1])
    lacked = ""
except NotLoadedError as error:
    lacked = error.name
lost = ""
lazy_registry().supply(lacked)
lost = "open"
judged(sys.argv[1])
print(lacked)
"""


@pytest.mark.parametrize(
    "name, lacked",
    [
        ("guessed", "encodings"),
        ("declared", "encodings"),
        ("unknown", ""),
        ("common", ""),
    ],
)
def test_what_is_lacking_is_said(name, lacked):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == lacked
