"""`dlp roster` on the command line; scans and the daemon know its patients without a restart."""

import json
import os
import subprocess
import sys

import pytest

from tests.flow.live import Live

CSV = "MRN;Surname;Given names;DOB\nK40392817;Hraběcová;Zdenka;25/03/1961\nK77120034;May;Will;01/02/1970\n"
NOTE = "K40392817 collapsed after lunch, lupus flare suspected"


@pytest.fixture
def site(tmp_path):
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "note.txt").write_text(NOTE)
    (tmp_path / "patients.csv").write_text(CSV)
    (tmp_path / "dlp.toml").write_text(f'[store]\nstate = "{tmp_path}/state"\n')
    (tmp_path / "dlp.toml").chmod(0o600)

    def dlp(*arguments, code=0):
        done = subprocess.run(
            [sys.executable, "-m", "dlp", *map(str, arguments)], capture_output=True, text=True,
            check=False, env={**os.environ, "HOME": str(tmp_path / "home")},
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done.stdout

    return tmp_path, dlp


def rules_found(out):
    (record,) = map(json.loads, out.splitlines())
    return {finding["rule"] for finding in record["findings"]}


def test_build_scan_check_list_remove(site):
    folder, dlp = site
    config = ("--config", folder / "dlp.toml")
    scan = ("scan", folder / "share", "--format", "jsonl", *config)
    assert "roster-number" not in rules_found(dlp(*scan))
    told = dlp("roster", "build", folder / "patients.csv", "--days", 30, *config)
    assert told.startswith("roster patients: 2 patients, until ")
    assert "roster-number" in rules_found(dlp(*scan, code=1)), "known again, judged anew"
    assert "2 of 2 rows" in dlp("roster", "check", folder / "patients.csv", *config)
    other = folder / "other.csv"
    other.write_text("who,no\nAda Hale,K1\n")
    columns = ("--columns", "name=who,number=no")
    assert "0 of 1 rows" in dlp("roster", "check", other, *columns, *config, code=1)
    dlp("roster", "check", other, *config, code=11)  # no column is known
    listed = json.loads(dlp("roster", "list", "--json", *config))
    assert (listed["name"], listed["patients"], listed["in_force"]) == ("patients", 2, True)
    assert listed["numbers"] == {"A99999999": 2}
    dlp("roster", "remove", "patients", *config)
    assert "roster-number" not in rules_found(dlp(*scan))
    record = dlp("ledger", "show", *config)
    assert "built roster patients: 2 patients" in record
    assert "removed roster" in record
    for path in (folder / "state").rglob("*"):
        raw = path.read_bytes() if path.is_file() else b""
        assert not any(value in raw for value in (b"40392817", "Hraběcová".encode(), b"Zdenka"))


def test_the_daemon_takes_a_roster_without_a_restart(site):
    folder, dlp = site
    more = f'[store]\nstate = "{folder}/state/dlp"\n'
    with Live(folder, grace=0.1, jobs=1, more=more) as live:
        live.config.chmod(0o600)
        live.until(lambda: list(live.verdicts().values()) == ["possible"], every=0.3)
        dlp("roster", "build", folder / "patients.csv", "--config", live.config)
        live.until(lambda: list(live.verdicts().values()) == ["phi"], every=0.3)
        assert live.process.poll() is None
        assert "rosters of patients have changed" in live.log.read_text()
