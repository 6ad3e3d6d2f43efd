"""`dlp find`: files of one person by values that are kept nowhere."""

import json
import os
import subprocess
import sys

import pytest

NOTES = {
    "letter.txt": "Patient: Petra Quillfeather\nDate of birth: 7 March 1961\nDiagnosis: lupus\n",
    "mail.txt": "Could somebody ring Petra Quillfeather? Her asthma inhaler is ready.\n",
    "number.txt": "MRN: K40392817\nDiagnosis: psoriasis, on methotrexate\n",
    "namesake.txt": "Patient: Petra Quillfeather\nDOB: 1 January 1998\nDiagnosis: asthma\n",
    "other.txt": "Patient: Bela Ostrovsky\nDOB: 7 March 1961\nDiagnosis: asthma\n",
    "list.csv": "surname,first name,dob,diagnosis\nQuillfeather,Petra,1961-03-07,lupus\n"
    "Ostrovsky,Bela,1950-01-01,asthma\n",
}
ASKED = "first: petra\nlast: QUILLFEATHER\nbirth: 1961-03-07\nnumber: k4039 2817\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("find")
    (folder / "share").mkdir()
    for name, text in NOTES.items():
        (folder / "share" / name).write_text(text)
    (folder / "dlp.toml").write_text(f'[store]\nstate = "{folder}/state"\n')
    (folder / "dlp.toml").chmod(0o600)
    said = []

    def dlp(*arguments, given="", code=0):
        done = subprocess.run(
            [sys.executable, "-m", "dlp", *map(str, arguments), "--config", folder / "dlp.toml"],
            capture_output=True, text=True, check=False, input=given,
            env={**os.environ, "HOME": str(folder / "home")},
        )  # fmt: skip
        said.append(done.stderr)
        assert done.returncode == code, done.stderr
        return done.stdout

    dlp("scan", folder / "share", "--format", "jsonl", code=1)
    return folder, dlp, said


def found(out):
    rows = map(json.loads, out.splitlines())
    return {os.path.basename(row["path"]): row for row in rows}


def test_files_of_one_person_with_reasons(site):
    _, dlp, said = site
    rows = found(dlp("find", "--format", "jsonl", given=ASKED))
    assert {name: row["degree"] for name, row in rows.items()} == {
        "letter.txt": "certain", "list.csv": "certain", "number.txt": "certain",
        "mail.txt": "likely",
    }  # fmt: skip
    assert rows["letter.txt"]["why"] == "name and birth date"
    assert said[-1].splitlines()[-1] == "4 of 6 files: 3 certain, 1 likely, 0 possible"
    sure = found(dlp("find", "--sure", "--format", "jsonl", given=ASKED))
    assert set(sure) == {"letter.txt", "list.csv", "number.txt"}


def test_what_a_data_subject_is_told_and_what_erasure_means(site):
    _, dlp, _ = site
    told = found(dlp("find", "--export", "--format", "jsonl", given=ASKED))
    assert "Lupus" in told["letter.txt"]["tells"]
    erased = found(dlp("find", "--erasure", "--format", "jsonl", given=ASKED))
    assert erased["letter.txt"]["erasure"].startswith("delete")
    assert erased["list.csv"]["erasure"].startswith("sanitise")


@pytest.mark.parametrize(
    "given", ["first: Petra\n", "number: 12\n", "birth: soon\nlast: Quillfeather\n", "wrong: x\n"]
)
def test_too_little_is_refused_without_repeating_it(site, given):
    _, dlp, said = site
    assert dlp("find", given=given, code=11) == ""
    assert "Quillfeather" not in said[-1]


def test_nothing_of_whom_somebody_looked_for_stays(site):
    folder, dlp, said = site
    dlp("find", given="first: Zbyněk\nlast: Wolkenstein\nnumber: Q77120034\n")
    record = dlp("ledger", "show")
    assert "looked for a person: 0 of 6 files" in record
    values = ("Wolkenstein", "Zbyněk", "Q77120034", "Quillfeather", "K40392817", "1961-03-07")
    for path in (folder / "state").rglob("*"):
        raw = path.read_bytes() if path.is_file() else b""
        assert [v for v in values if v.encode() in raw or v.lower().encode() in raw] == [], path
    assert not any(value in text for text in (record, *said) for value in values)
