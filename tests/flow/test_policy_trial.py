"""What `dlp policy try` foretells is what the daemon then does, file by file."""

import json
import os
import time

import pytest
from sqlalchemy import insert

from dlp.config import Policy, Settings, Share
from dlp.engine.policy_trial import PolicyTrial
from dlp.store.database import writing
from dlp.store.migrations import open_database
from dlp.store.queries import one_file, paths
from dlp.store.schema import files, persons
from tests.flow.live import Live
from tests.flow.test_acting import command
from tests.flow.test_daemon import free_port
from tests.support.planted import ENDS, STARTS

pytestmark = pytest.mark.timeout(600)
POLICY = """
[policy]
phi = { critical = "quarantine", high = "notify", medium = "notify" }
probable = "observe"
gaps = "notify"
permitted_folders = ["claims"]
permitted_owners = [4242]
"""
FAMILY = [start + end for start in STARTS for end in ENDS[:4]]
ILLS = ("HIV infection", "asthma", "schizophrenia", "hepatitis B")


def fill(share):
    """Letters at every width, lists, harmless files, unread ones, and all that a policy excuses."""
    for number in range(24):
        folder = share / ("claims" if number % 8 == 7 else f"ward {number % 3}")
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
        name, ill = FAMILY[number % len(FAMILY)], ILLS[number % len(ILLS)]
        path = folder / f"{number}.txt"
        people = 1 if number % 2 else 6
        path.write_text("".join(
            f"Patient: Ines {name}{'abcdef'[n]}, MRN 48{number:02}{n}71, was diagnosed with {ill}.\n"
            for n in range(people)
        ))  # fmt: skip
        excused = folder.name == "claims"
        path.chmod(0o644 if excused else (0o600, 0o644, 0o640)[number % 3])
        if number % 6 == 1 and not excused:
            os.chown(path, 4242, 0)
    for number in range(6):
        (share / f"soup {number}.txt").write_text(f"Soup on Monday, pasta on day {number}.\n")
    (share / "broken.pdf").write_bytes(b"%PDF-1.4 cut off in the middle of the")
    (share / "skipped.txt").write_text("Patient: Ines Skipped, MRN 4900001, has asthma.\n")
    (share / ".dlpignore").write_text("skipped.txt\n")


def deeds(live):
    """By path: what the journal and the records say was done."""
    database = open_database(live.state / "dlp" / "catalogue.db")
    done = {path: one_file(database, number)["why"]["action"] for number, path in paths(database)}
    database.dispose()
    root = os.fsencode(live.share) + b"/"
    taken = live.query("SELECT path FROM intents WHERE state = 'done'")
    return done | {root + bytes(path): "quarantine" for (path,) in taken}


def test_the_trial_says_what_the_daemon_then_does(tmp_path):
    tmp_path.chmod(0o755)
    with Live(tmp_path, port=free_port(), grace=0.5) as live:
        fill(live.share)
        live.until_ready()
        live.until(lambda: not live.missing())
        assert live.stop() == 0
        policy = tmp_path / "stricter.toml"
        policy.write_text(POLICY)
        said = command(
            live, "policy", "try", "--files", "--format", "jsonl", "--policy", str(policy)
        )
        foretold = {os.fsencode(row["path"]): row for row in map(json.loads, said.splitlines())}
        now = command(live, "policy", "try", str(live.share), "--files", "--format", "jsonl",
                      "--policy", str(policy))  # fmt: skip
        live_now = {os.fsencode(row["path"]): row for row in map(json.loads, now.splitlines())}
        assert live_now == foretold, "judged now or recalled, the answer is one"
        text = live.config.read_text()
        live.config.write_text(POLICY + text)
        live.once()
        done = deeds(live)
    notes = {path for path in done if path.endswith(b".quarantined.txt")}
    assert {path: row["action"] for path, row in foretold.items()} == {
        path: action for path, action in done.items() if path not in notes
    }
    assert {row["why"] for row in foretold.values()} >= {
        "permitted folder", "permitted owner", "ignored", "not read in full",
    }  # fmt: skip
    assert {"quarantine", "notify", "observe"} == set(done.values())


def test_counts_people_bytes_and_the_breaker_are_told(tmp_path):
    tmp_path.chmod(0o755)
    share = tmp_path / "share"
    share.mkdir(mode=0o755)
    fill(share)
    live = Live(tmp_path, more="[breaker]\nactions = 2\n")
    policy = tmp_path / "all.toml"
    policy.write_text('[policy]\nphi = "quarantine"\n')
    rows = [json.loads(line) for line in command(
        live, "policy", "try", str(share), "--policy", str(policy), "--format", "jsonl"
    ).splitlines()]  # fmt: skip
    by_action = {row["action"]: row for row in rows}
    taken = by_action["quarantine"]
    assert (taken["files"], taken["people"]) == (24, 24 // 2 * 7)
    assert taken["bytes"] == sum(p.stat().st_size for p in share.rglob("[0-9]*.txt"))
    assert sum(row["files"] for row in rows) == sum(p.is_file() for p in share.rglob("*"))


def test_a_hundred_thousand_rows_take_seconds(tmp_path):
    """By processor time: other work on the machine does not count."""
    share = tmp_path / "share"
    share.mkdir()
    engine = open_database(tmp_path / "c.db")
    root, many = os.fsencode(share), range(1, 100_001)
    with writing(engine) as connection:
        connection.execute(insert(files), [
            {"id": n, "path": root + b"/%d.txt" % n, "folder": root, "container": "phi",
             "judged_at": 0.0, "privacy": 0.5, "people": 1, "readers": 1 + n % 1000}
            for n in many
        ])  # fmt: skip
        connection.execute(insert(persons), [
            {"file": n, "person": f"p{n}", "identifiability": 1.0, "sensitivity": 0.5,
             "prints": f"name:{n:08x} id:{n:08x}"}
            for n in many
        ])  # fmt: skip
    policy = Policy(phi={"critical": "quarantine", "high": "notify"})
    settings = Settings(share=(Share(name="ward", path=str(share), policy=policy),))
    started = time.thread_time()
    found = [trial.action for trial in PolicyTrial(settings, engine, now=0.0).on_record()]
    spent = time.thread_time() - started
    engine.dispose()
    assert len(found) == 100_000
    assert {"quarantine", "notify", "observe"} == set(found)
    print(f"{spent:.2f} s")  # noqa: T201 - the figure
    assert spent <= 5.0
