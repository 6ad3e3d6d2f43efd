"""Text recognition that arrives later is used: pictures nobody read are judged again, by themselves."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from dlp.decode import ocr
from tests.flow.live import Live

LANGUAGE = "later"  # a name that no package brings
WORDS = "Patient: Jane Miller\nMRN 4711223\nDiagnosis: HIV infection"


@pytest.fixture
def missing(tmp_path):
    """An environment whose language is missing, and the file that would bring it."""
    found = next((Path(os.fsdecode(f)) / "eng.traineddata" for f in ocr.data_folders()), None)
    if found is None or not ocr.available():
        pytest.skip("tesseract is missing")
    folder = tmp_path / "tessdata"
    folder.mkdir()
    environment = {"DLP_OCR_LANGUAGES": LANGUAGE, "TESSDATA_PREFIX": str(folder)}
    return environment, lambda: shutil.copy(found, folder / f"{LANGUAGE}.traineddata")


def draw(path):
    picture = Image.new("RGB", (1200, 500), "white")
    font = ImageFont.load_default(size=40)
    ImageDraw.Draw(picture).text((60, 60), WORDS, fill="black", font=font)
    picture.save(path)


def test_a_second_scan_reads_what_the_first_could_not(tmp_path, missing):
    environment, install = missing
    (tmp_path / "share").mkdir()
    draw(tmp_path / "share" / "scan.png")
    (tmp_path / "share" / "note.txt").write_text("Order more paper.")
    command = [sys.executable, "-m", "dlp", "scan", "--format", "jsonl", str(tmp_path / "share")]

    def scan():
        done = subprocess.run(
            command, capture_output=True, text=True, check=False,
            env={**os.environ, **environment, "XDG_STATE_HOME": str(tmp_path / "state")},
        )  # fmt: skip
        records = map(json.loads, done.stdout.splitlines())
        return {os.path.basename(record["path"]): record for record in records}

    for _ in range(2):
        before = scan()["scan.png"]
        assert [gap["code"] for gap in before["gaps"]] == ["needs_ocr"]
    install()
    after = scan()
    assert (after["scan.png"]["container"], after["scan.png"]["gaps"]) == ("phi", [])
    assert after["note.txt"]["ms"] == 0.0, "nothing else is read again"


def test_the_daemon_notices_after_its_next_sweep(tmp_path, missing):
    environment, install = missing
    with Live(tmp_path, environment=environment, sweep=2.0, grace=0.1, jobs=1) as live:
        live.until_ready()
        draw(live.share / "scan.png")
        live.until(lambda: list(live.verdicts().values()) == ["possible"], every=0.3)
        install()
        live.until(lambda: list(live.verdicts().values()) == ["phi"], every=0.3)
