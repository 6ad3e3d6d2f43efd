"""The day of whoever runs the servers: install, watch, hear of it, enforce, survive.

The walk of docs/tutorials/it-security.md with the real parts: the wheel in an environment of its
own, Samba, Prometheus, Alertmanager. What is not installed here is walked around, and said.
"""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import time
import zipfile
from contextlib import ExitStack
from pathlib import Path

import openpyxl
import pytest
from PIL import Image

from dlp import demo_share
from tests.flow.live import Live
from tests.flow.test_samba import SMBCLIENT, SMBD, samba
from tests.support.installed import environment, run, wheel
from tests.support.monitoring import ALERTMANAGER, PROMETHEUS, Monitoring, free_ports

UNITS = Path("systemd").resolve()
ENFORCE = '[policy]\nphi = "sanitise"\ngaps = "notify"\n[breaker]\nactions = 100000\n'
OWN_RULE = """
[[identifier]]
id = "own-locker-number"
title = "Locker of a patient"
kind = "id"
pattern = '\\bLK-[0-9]{6}\\b'
validator = "anything"
context = ["locker"]
confidence = [0.5, 0.9]
source = "this site's own numbering"
match = ["Locker {LK-204418}"]
reject = ["LK-20"]
"""
LISTS = '[[share]]\nname = "lists"\npath = "{path}"\n'
TAKEN = 'policy = { phi = "quarantine" }\n'


@pytest.fixture(autouse=True)
def nothing_but_what_is_installed(monkeypatch):
    """Who runs this may have a checkout on the path, which the wheel's program would import."""
    monkeypatch.delenv("PYTHONPATH", raising=False)


def workbook():
    book = openpyxl.Workbook()
    for row in demo_share.PATIENTS:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def photo():
    out = io.BytesIO()
    Image.effect_noise((320, 240), 60).convert("RGB").save(out, "JPEG")
    return out.getvalue()


DROPPED = {
    "share/discharge.docx": demo_share.docx(demo_share.DISCHARGE),
    "lists/patients.xlsx": workbook(),
    "share/novel.txt": (demo_share.NOVEL * 30).encode(),
    "share/locked.zip": demo_share.encrypted_zip(),
    "share/holiday.jpg": photo(),
}


def fill(share, files):
    """What lay there before anybody watched: novels, minutes, and one note in fifty."""
    for number in range(files):
        folder = share / "old" / f"{number // 100:03d}"
        folder.mkdir(parents=True, exist_ok=True)
        text = demo_share.MINUTES if number % 3 else demo_share.NOVEL * 30
        text = demo_share.SHORTHAND if number % 50 == 7 else text
        kind = "novel" if text.startswith(demo_share.NOVEL) else "page"
        (folder / f"{kind} {number}.txt").write_text(f"Page {number}\n{text}")


class Day:
    """One daemon from an installed wheel on two shares, and what a person sees of it."""

    def __init__(self, folder, program, files):
        self.folder, self.program, self.files = folder, program, files
        place = folder / "server"
        place.mkdir()
        self.lists = place / "lists"
        self.lists.mkdir()
        (self.port,) = free_ports(1)
        self.live = Live(
            place, port=self.port, program=[str(program)], more=LISTS.format(path=self.lists)
        )
        self.live.state = folder / "state"  # what Samba shows is only what is shared
        fill(self.live.share, files)

    def dlp(self, *arguments):
        state = {**os.environ, "XDG_STATE_HOME": str(self.live.state)}
        return run(self.program, *arguments, env=state, cwd=self.folder)

    def path(self, name):
        return self.live.outside / name

    def row(self, name):
        path = os.fsencode(self.path(name))
        rows = self.live.query("SELECT path, container, gaps FROM files")
        return next((row[1:] for row in rows if row[0] == path), None)

    def all_judged(self):
        there = {p for p in self.present() if b"/.dlp" not in p}
        rows = {path for (path,) in self.live.query("SELECT path FROM files")}
        return there <= rows

    def present(self):
        tops = (self.live.share, self.lists)
        return {os.fsencode(p) for top in tops for p in top.rglob("*") if p.is_file()}

    def reload(self):
        log, word = self.live.log, b"reloaded"
        before = log.read_bytes().count(word)
        self.live.process.send_signal(signal.SIGHUP)
        self.live.until(lambda: log.read_bytes().count(word) > before, 600)


def look_before_relying_on_it(day):
    said = json.loads(day.dlp("doctor", "--json"))
    assert said["healthy"], said
    day.dlp("config", "check", day.live.config)


def units_start_this_program(day):
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        return
    folder = day.folder / "units"
    folder.mkdir()
    for source in UNITS.glob("dlp*"):
        text = source.read_text().replace("/usr/bin/dlp", str(day.program))
        (folder / source.name).write_text(text)
    done = subprocess.run(
        [analyse, "verify", "--man=no", folder / "dlp.service"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not [line for line in done.stderr.splitlines() if "dlp" in line]
    score = run(analyse, "security", "--offline=true", "--no-pager", folder / "dlp.service")
    assert float(re.search(r"exposure level for \S+: ([\d.]+)", score)[1]) <= 2.0


def a_colleague_drops_five_files(day, client):
    drafts = day.folder / "drafts"
    drafts.mkdir()
    for name, content in DROPPED.items():
        if client is None:
            day.path(name).write_bytes(content)
        else:
            draft = drafts / Path(name).name
            draft.write_bytes(content)
            there = name.replace("/", "\\")
            client.run(f'put "{draft}" "{there}"')


def verdicts_in_the_catalogue(day):
    # A file may be met between its making and its filling, when whoever drops it is slow.
    leaks = ("share/discharge.docx", "lists/patients.xlsx")
    day.live.until(lambda: all(map(day.row, DROPPED)), 300)
    day.live.until(lambda: {day.row(name)[0] for name in leaks} == {"phi"}, 300)
    day.live.until(lambda: "encrypted" in day.row("share/locked.zip")[1], 300)
    found = {Path(name).name: day.row(name) for name in DROPPED}
    assert found["discharge.docx"][0] == found["patients.xlsx"][0] == "phi"
    assert found["novel.txt"][0] != "phi"
    assert found["holiday.jpg"][0] != "phi"
    assert "encrypted" in found["locked.zip"][1]
    assert {day.path(name).read_bytes() for name in DROPPED} == set(DROPPED.values())
    assert day.live.query("SELECT * FROM intents") == [], "observing moves nothing"


def numbers_and_an_alert(day, monitoring):
    judged = 'dlp_files_judged_total{container="phi",share="lists"}'
    assert day.live.metric(judged) == 1
    assert day.live.metric('dlp_gaps_total{reason="encrypted",share="ward"}') == 1
    if monitoring is None:
        return
    hook = monitoring.webhook
    _, alert = monitoring.until(
        lambda: hook.alerts("DlpCriticalExposure", "on-call", share="lists"), 300
    )[0]
    assert alert["annotations"]["runbook_url"].endswith("DlpCriticalExposure.md")
    assert "patients" not in json.dumps(alert), "an alert says that, never which"


def enforce(day):
    config = day.live.config
    config.write_text(config.read_text() + TAKEN + ENFORCE)
    day.dlp("config", "check", config)
    day.reload()


def files_are_dealt_with(day):
    live = day.live
    done = "SELECT path, action FROM intents WHERE state = 'done'"
    wanted = {(b"discharge.docx", "replace"), (b"patients.xlsx", "quarantine")}
    live.until(lambda: wanted <= set(live.query(done)), 300)
    with zipfile.ZipFile(day.path("share/discharge.docx")) as letter:
        text = letter.read("word/document.xml").decode()
    assert "admitted with" in text
    assert "Quintero" not in text
    live.until(lambda: day.row("share/discharge.docx")[0] != "phi", 300)
    assert not day.path("lists/patients.xlsx").exists()
    (note,) = (path for path in day.lists.iterdir() if path.name.startswith("patients"))
    ((item,),) = live.query("SELECT id FROM intents WHERE share = 'lists'")
    assert f"Case number: {item}" in note.read_text()
    for name in ("share/novel.txt", "share/locked.zip", "share/holiday.jpg"):
        assert day.path(name).read_bytes() == DROPPED[name], name
    assert day.row("share/locked.zip")[1], "not read, so not clean"


def killed_in_the_middle(day, more):
    """Nothing is lost: every letter is clean in its place, with its original in the vault."""
    live, folder = day.live, day.live.share / "late"
    folder.mkdir()
    for number in range(more):
        text = demo_share.DISCHARGE.replace("4471902", f"44{number:05d}")
        (folder / f"{number}.txt").write_text(text)
        if number == more // 2:
            time.sleep(0.3)
            live.kill()
    live.start()
    live.until_ready(600)
    taken = "SELECT COUNT(*) FROM intents WHERE state = 'done' AND CAST(path AS TEXT) LIKE 'late/%'"
    live.until(lambda: live.query(taken) == [(more,)], 900)
    left = [path for path in folder.iterdir() if "Quintero" in path.read_text()]
    assert left == []
    assert len(list(folder.glob("[0-9]*.txt"))) == more
    # void: begun, and taken back at the restart. Old pages may still be on their way.
    states = "SELECT DISTINCT state FROM intents"
    live.until(lambda: {state for (state,) in live.query(states)} <= {"done", "void"}, 300)
    late = "SELECT id FROM intents WHERE state = 'done' AND CAST(path AS TEXT) = 'late/0.txt'"
    ((item,),) = live.query(late)
    (folder / "0.txt").unlink()
    day.dlp("quarantine", "restore", item, "--config", live.config)
    assert "Quintero" in (folder / "0.txt").read_text(), "the only copy was never lost"


def only_what_met_the_detectors_is_judged_again(day):
    """A rule of the site's own beside the others: novels never met it, everything else did."""
    live, rows = day.live, "SELECT path, rules_version FROM files"
    (folder,) = day.program.parent.parent.glob("lib/python*/site-packages/dlp/rules/identifiers")
    (folder / "own.toml").write_text(OWN_RULE)
    assert "own-locker-number" in day.dlp("rules", "list")
    day.dlp("rules", "check")
    before = dict(live.query(rows))
    novels, pages = (
        {path for path in before if os.path.basename(path).startswith(kind)}
        for kind in (b"novel", b"page")
    )
    assert len(novels) > day.files / 4
    assert len(pages) > day.files / 2
    day.reload()

    def changed():
        now = dict(live.query(rows))
        return {path for path in before if now.get(path, before[path]) != before[path]}

    live.until(lambda: changed() >= pages, 600 + day.files / 2)
    assert not changed() & novels


def walk(folder, program, files, late):
    day = Day(folder, program, files)
    look_before_relying_on_it(day)
    units_start_this_program(day)
    with ExitStack() as opened:
        client = monitoring = None
        live = opened.enter_context(day.live)
        if SMBD and SMBCLIENT and os.geteuid() == 0:
            client = opened.enter_context(samba(folder, live.outside))
        if PROMETHEUS and ALERTMANAGER:
            monitoring = opened.enter_context(Monitoring(folder, target=day.port))
        live.until_ready(600)
        live.until(day.all_judged, 600 + files / 2)
        a_colleague_drops_five_files(day, client)
        verdicts_in_the_catalogue(day)
        numbers_and_an_alert(day, monitoring)
        enforce(day)
        files_are_dealt_with(day)
        killed_in_the_middle(day, late)
        only_what_met_the_detectors_is_judged_again(day)
        assert live.stop() == 0


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_the_day(tmp_path):
    program = environment(tmp_path / "env", wheel(tmp_path / "dist"), clean=False)
    walk(tmp_path, program, files=100, late=6)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_the_day_on_a_clean_machine_with_five_thousand_files(tmp_path):
    program = environment(tmp_path / "env", wheel(tmp_path / "dist"), clean=True)
    walk(tmp_path, program, files=5000, late=60)
