"""`dlp sanitise --below`: everybody ends under the threshold, and nothing goes without need."""

import csv
import io
import json
import random
import subprocess
import sys

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.demo_share import docx
from dlp.knowledge.marks import mark_places
from dlp.model import FileRef

ANALYSIS = Analysis(Settings(), full=True)
DLP = [sys.executable, "-m", "dlp"]
FIRST = ["Nadia", "Joachim", "Esther", "Lucinda", "Bertram"]
LAST = ["Ostrow", "Vandermeer", "Quillfeather", "Abernathy"]
ILL = ["ovarian cancer", "schizophrenia", "hepatitis C", "bipolar disorder"]
PLACES = ["Dubuque, Iowa", "Salina, Kansas", "Bangor, Maine"]


def dlp(*words):
    return subprocess.run([*DLP, *map(str, words)], check=False, capture_output=True, text=True)


def worst(path):
    record = ANALYSIS(FileRef("", path.name.encode()), io.BytesIO(path.read_bytes()))
    return max((one["privacy"] for one in record["persons"]), default=0.0)


def form(r):
    name = f"{r.choice(FIRST)} {r.choice(LAST)}"
    born = f"{r.randint(1, 28)} June {r.randint(1940, 1995)}"
    return (
        f"Patient: {name}\nDate of birth: {born}\nCity: {r.choice(PLACES)}\n"
        f"Home phone: (563) 555-0{r.randint(100, 199)}\nDiagnosis: {r.choice(ILL)}\n"
    )


def cleaned(tmp_path, source, threshold):
    target = tmp_path / f"clean{source.suffix}"
    done = dlp("sanitise", source, "-o", target, "--below", threshold)
    assert done.returncode == 0, done.stderr
    certificate = target.with_name(target.name + ".certificate.json")
    return target, certificate, json.loads(certificate.read_text())


@pytest.mark.parametrize("threshold", [5e-5, 0.05])
def test_everybody_ends_under_the_threshold(tmp_path, threshold):
    source = tmp_path / "form.txt"
    source.write_text(form(random.Random(3)))
    assert worst(source) > threshold
    target, certificate, told = cleaned(tmp_path, source, threshold)
    assert worst(target) <= threshold
    assert told["worst_before"] > threshold >= told["worst_after"]
    assert dlp("verify", target, certificate).returncode == 0
    certificate.write_text(json.dumps({**told, "threshold": 1.0}))
    assert "seal" in dlp("verify", target, certificate).stdout


def test_nothing_goes_without_need(tmp_path):
    source = tmp_path / "form.txt"
    source.write_text(form(random.Random(8)))
    target, _, told = cleaned(tmp_path, source, 5e-5)
    before, after = source.read_text().splitlines(), target.read_text().splitlines()
    gone = [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    assert 0 < len(gone) < len(before) - 1
    for number in gone:  # any line put back brings the person above the threshold again
        back = [before[n] if n == number else line for n, line in enumerate(after)]
        (tmp_path / "back.txt").write_text("\n".join(back))
        assert worst(tmp_path / "back.txt") > 5e-5
    assert len(told["replacements"]) == sum(len(mark_places(line)) for line in after)


def test_a_file_under_the_threshold_stays_as_it_is(tmp_path):
    source = tmp_path / "note.txt"
    source.write_text("John Smith has asthma.")
    target, _, told = cleaned(tmp_path, source, 5e-5)
    assert target.read_text() == source.read_text()
    assert told["replacements"] == []


def test_tables_and_documents_keep_their_format(tmp_path):
    r, out = random.Random(5), io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["Patient", "MRN", "City", "Diagnosis"])
    for number in range(6):
        rows.writerow([f"{r.choice(FIRST)} {r.choice(LAST)}", 4471200 + number, r.choice(PLACES), r.choice(ILL)])  # fmt: skip
    (tmp_path / "list.csv").write_text(out.getvalue())
    letter = docx("Esther Quillfeather of Salina, Kansas, was treated for hepatitis C.")
    (tmp_path / "letter.docx").write_bytes(letter)
    for name in ("list.csv", "letter.docx"):
        target, certificate, _ = cleaned(tmp_path, tmp_path / name, 5e-5)
        assert worst(target) <= 5e-5
        assert dlp("verify", target, certificate).returncode == 0
        certificate.unlink()


def test_it_goes_without_topics():
    done = dlp("sanitise", __file__, "-o", "x", "--below", "0.1", "--protect", "HIV")
    assert done.returncode == 2
    assert "--below" in done.stderr
