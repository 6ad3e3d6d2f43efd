"""A data steward's day: letters for research, a certificate checked elsewhere, a table at k = 5.

The same commands as in docs/tutorials/data-steward.md; the other machine is another process.
"""

import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from datetime import datetime

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from tests.support.keys import give_key

LETTERS = {
    "letter-1.txt": """Lakeview Medical Centre
Date: 4 March 2021

Patient: Maria Fernandez   DOB: 11/23/1979   MRN: 4471902
Phone: (217) 555-0143

Dear Dr. Whitcombe,

I saw Ms. Fernandez on 4 March 2021. She has HIV and takes efavirenz every
evening. She also has type 2 diabetes. Her next visit is on 18 March 2021.

Sincerely, Dr. John Castellano
""",
    "letter-2.txt": """Lakeview Medical Centre
Date: 18 March 2021

Patient: Maria Fernandez   DOB: 11/23/1979   MRN: 4471902

Dear Dr. Whitcombe,

Ms. Fernandez came again on 18 March 2021. The CD4 count is 610 and her
blood sugar is better. I will see her on 15 April 2021.

Sincerely, Dr. John Castellano
""",
    "letter-3.txt": """Lakeview Medical Centre
Date: 22 March 2021

Patient: Orville Jankowski   DOB: 01/30/1961   MRN: 5590218

Mr. Jankowski fell from a ladder on 20 March 2021 and has a fracture of the
right wrist. He has hypertension. The cast comes off on 3 May 2021.

Dr. Greta Lindqvist
""",
}
SECRETS = (
    "Maria", "Fernandez", "4471902", "555-0143", "Whitcombe", "Castellano", "Lakeview",
    "Orville", "Jankowski", "5590218", "Lindqvist", "HIV", "efavirenz", "CD4",
)  # fmt: skip
DATE = re.compile(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b")


def dlp(machine, *arguments, expect=0):
    """Run `dlp` as a user whose state folder is the machine's."""
    state = {"XDG_STATE_HOME": str(machine / "state")}
    done = CliRunner().invoke(main, list(map(str, arguments)), env=state)
    assert done.exit_code == expect, done.output
    return done.output


def dlp_elsewhere(machine, *arguments):
    """The same in a process that has nothing of this one."""
    done = subprocess.run(
        [sys.executable, "-m", "dlp", *map(str, arguments)],
        capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "XDG_STATE_HOME": str(machine / "state")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def written(text):
    return re.findall(r"\b\d\d/\d\d/\d{4}\b", text) + DATE.findall(text)


def days(text):
    """The dates of a letter's text as days from its first."""
    found = []
    for written in DATE.findall(text):
        form = "%d %b %Y" if len(written.split()[1]) == 3 else "%d %B %Y"
        found.append(datetime.strptime(written, form).toordinal())  # noqa: DTZ007 - days only
    return [day - found[0] for day in found]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    """The machine that holds the letters and makes the copies."""
    machine = tmp_path_factory.mktemp("clinic")
    give_key(machine / "state")
    letters = machine / "letters"
    letters.mkdir()
    for name, text in LETTERS.items():
        (letters / name).write_text(text)
    said = dlp(
        machine, "sanitise", *sorted(letters.iterdir()), "-o", machine / "research",
        "--profile", "pseudonymise", "--protect", "HIV", "--alpha", "1.5",
        "--mapping", machine / "mapping",
    )  # fmt: skip
    assert said.count("α = 1.5") == len(LETTERS)
    return machine


@pytest.fixture(scope="module")
def copies(clinic):
    return {name: (clinic / "research" / name).read_text() for name in LETTERS}


def test_nobody_and_no_topic_is_in_the_copies(clinic, copies):
    for name, text in LETTERS.items():
        assert (clinic / "letters" / name).read_text() == text, "the originals stay as they are"
    for text in copies.values():
        assert [secret for secret in SECRETS if secret in text] == []
    assert "type 2 diabetes" in copies["letter-1.txt"], "what is not protected stays useful"
    assert "fracture" in copies["letter-3.txt"]


def test_one_person_has_one_surrogate_in_all_files(copies):
    def patient(name):
        return re.search(r"Patient: (.+?) {2,}.*MRN: (\S+)", copies[name]).groups()

    assert patient("letter-1.txt") == patient("letter-2.txt") != patient("letter-3.txt")
    doctors = [copies[name].splitlines()[-1] for name in ("letter-1.txt", "letter-2.txt")]
    assert doctors[0] == doctors[1]


def test_dates_move_and_the_days_between_them_stay(copies):
    for name, text in LETTERS.items():
        # Each for itself: a date may well become what another one was.
        assert all(a != b for a, b in zip(written(copies[name]), written(text), strict=True))
        assert days(copies[name]) == days(text)
    moved = [copies[name].splitlines()[1] for name in ("letter-1.txt", "letter-2.txt")]
    assert days("\n".join(moved)) == [0, 14], "also from one letter to the next"


def test_the_mapping_is_closed_and_opens_for_the_steward(clinic, copies):
    held = (clinic / "mapping").read_bytes()
    assert held
    assert b"Fernandez" not in held
    name, number = re.search(r"Patient: (.+?) {2,}.*MRN: (\S+)", copies["letter-1.txt"]).groups()
    said = dlp(clinic, "mapping", clinic / "mapping", name, number)
    assert "Maria Fernandez" in said
    assert "4471902" in said


def certificate_of(folder, name):
    return folder / f"{name}.certificate.json"


def test_the_certificate_says_what_was_promised_and_what_is_left(clinic):
    said = json.loads(certificate_of(clinic / "research", "letter-1.txt").read_text())
    (topic,) = said["topics"]
    assert (topic["topic"], said["alpha"]) == ("hiv", 1.5)
    for most in ("most_by_a_term", "most_by_a_group", "most_by_plain_words"):
        assert topic[most] < 1 / 1.5
    assert {item["reason"] for item in said["replacements"]} >= {"names hiv", "implies hiv"}
    assert said["not_checked"], "no check sees everything, and the certificate says so"
    assert not [secret for secret in SECRETS if f'"{secret}"' in json.dumps(said)]


def test_another_machine_checks_all_but_who_made_it(clinic, tmp_path):
    name = "letter-1.txt"
    for source in (clinic / "research" / name, certificate_of(clinic / "research", name)):
        shutil.copy(source, tmp_path)
    copy, certificate = tmp_path / name, certificate_of(tmp_path, name)
    said = dlp_elsewhere(tmp_path, "verify", copy, certificate)
    assert "the certificate holds" in said
    assert "not checked: who made the certificate" in said
    assert not (tmp_path / "state").exists(), "who only checks leaves no key behind"
    at_home = dlp(clinic, "verify", copy, certificate)
    holds, whom = at_home.splitlines()
    assert holds == "the certificate holds"
    assert whom.startswith("its topics withstand a reader who knows the medical literature")

    forged = json.loads(certificate.read_text()) | {"alpha": 1.25}
    certificate.write_text(json.dumps(forged))
    assert "the seal is broken" in dlp(clinic, "verify", copy, certificate, expect=1)

    copy.write_text(copy.read_text() + "She takes efavirenz.\n")
    said = dlp(tmp_path, "verify", copy, certificate, expect=1)
    assert "not the one that was certified" in said
    assert "hiv" in said


def table(path):
    r = random.Random(5)
    with path.open("w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["MRN", "name", "born", "sex", "city", "diagnosis", "cost"])
        for number in range(60):
            rows.writerow([
                4471900 + 7 * number, f"Keiko {r.choice(['Zeller', 'Gupta', 'Mbeki'])}",
                f"{r.randint(1935, 2004)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}",
                r.choice("FM"), r.choice(["Ottawa", "Toronto", "Boston", "Halifax"]),
                r.choice(["asthma", "hypertension", "type 2 diabetes", "pneumonia"]),
                r.randint(80, 4200),
            ])  # fmt: skip
    return path


def test_a_table_at_k_5_and_what_it_cost(tmp_path):
    source, made, page = table(tmp_path / "visits.csv"), tmp_path / "k5.csv", tmp_path / "cost.html"
    seen = dlp(tmp_path, "anonymise", source, "--assess")
    assert re.search(r"rows alone in their class +60\b", seen)
    said = dlp(tmp_path, "anonymise", source, "-o", made, "--k", "5", "--report", page)
    assert re.search(r"k \(smallest class\) +1 +[5-9]", said)
    lost = float(re.search(r"mean ([\d.]+)", said)[1])
    assert 0 < lost < 0.5
    with made.open(newline="") as written:
        rows = list(csv.DictReader(written))
    assert "name" not in rows[0]
    alike = Counter((r["born"], r["sex"], r["city"], r["diagnosis"]) for r in rows)
    assert len(rows) == 60
    assert min(alike.values()) >= 5
    html = page.read_text()
    assert f"{lost:.4f}" in html
    assert "Keiko" not in html + made.read_text()
