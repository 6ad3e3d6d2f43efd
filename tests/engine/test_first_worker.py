"""The worker that begins before all is loaded judges a file as any other would, or says it cannot.

It has lost the disk, so whatever is imported or opened late would come out as a gap.
"""

import json
import subprocess
import sys

import pytest

PLAINLY = ""
AHEAD = """
from dlp.engine import worker_settings
worker_settings.Forkserver = lambda awaited: awaited
worker_settings.start_forkserver().load()
"""
PROGRAM = """
import io, json, sys
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.lazy_resources import NotLoadedError, lazy_registry
from dlp.detect.identify.finder import default_finder
from dlp.engine.worker_settings import SOON, order_of, settings_in
from dlp.model import FileRef

analysis = Analysis(settings_in(order_of(Settings())), full=True, key=bytes(32))
analysis.warm_first()
late = []

def watch(event, args):
    if event in ("import", "open"):
        late.append((event, str(args[0])))

sys.addaudithook(watch)
texts = [one.text for rule in default_finder().rules for one in rule.match]
texts += ["a;b\\n1;2\\n" * 9, "<p>Mary Smith, asthma</p>", '{"name": "Mary Smith"}', "<a>x</a>",
          "From: a@b.example\\nSubject: x\\n\\nDear Mary Smith", "El paciente tiene asma. " * 9]

def lacked_by_all():
    lacked = set()
    for number, text in enumerate(texts):
        try:
            case = analysis.case(FileRef("", b"%d.txt" % number), io.BytesIO(text.encode()))
        except NotLoadedError as error:
            lacked.add(error.name)
        else:
            assert not [gap for gap in case.gaps if gap.code == "internal"], (number, case.gaps)
    assert not late, late
    return sorted(lacked - {"model"})

lacked = []
for names in ((), SOON):
    for name in names:
        lazy_registry().supply(name)
    late.clear()
    lacked.append(lacked_by_all())
print(json.dumps(lacked))
"""


@pytest.mark.parametrize("loaded", [PLAINLY, AHEAD], ids=["plainly", "ahead"])
def test_nothing_is_opened_late_and_what_is_lacking_is_said(loaded):
    """By the first worker, and by one that has what comes soon."""
    done = subprocess.run(
        [sys.executable, "-c", loaded + PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first, soon = json.loads(done.stdout)
    assert first == ["languages", "standards", "telephones"]
    assert soon == []
