"""A rescan tells what a scan would tell, reads nothing that is unchanged, and notices any change."""

import json
import mmap
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from dlp.acquire.walk import Walk
from dlp.config import Settings
from dlp.engine import unchanged_files
from dlp.engine.exposures import Exposures
from dlp.engine.unchanged_files import YOUNG_NS, KnownContent, lasts, same_for
from dlp.model import Gap, GapCode
from dlp.report.record import unread_record
from dlp.store.catalogue import Catalogue
from dlp.store.database import Database
from dlp.store.judged_files import Judged, JudgedFiles
from dlp.store.migrations import open_database

TRAIL = ["decode.extract", "triage.shallow", "detect.identifiers", "judge.verdict"]
EARLY = ["decode.extract", "triage.shallow", "judge.verdict"]


class Fixed:
    """Versions that a test turns by hand."""

    def __init__(self):
        self.first, self.deep = "f1", "d1"

    def of(self, trail):
        return self.deep if "detect.identifiers" in trail else self.first

    def behind(self, record):
        return self.of(record["trail"])

    @property
    def present(self):
        return {self.first, self.deep}


class Share:
    """Files, a judge that counts what it has to read, and a clock to wait without waiting."""

    def __init__(self, folder):
        self.root = folder / "share"
        self.root.mkdir()
        self.database = open_database(folder / "c.db")
        self.versions = Fixed()
        self.later_ns = 0
        self.trail = TRAIL

    def scan(self, *, fresh=False):
        known = KnownContent(
            JudgedFiles(Database(self.database)), self.versions, rules_version="now", fresh=fresh,
            clock=lambda: time.time_ns() + self.later_ns,
        )  # fmt: skip
        known.look_with(Exposures(Settings(), [os.fsencode(self.root)]))
        catalogue = Catalogue(self.database)
        judged, records = [], {}
        for sighting in known.screen(list(Walk()([os.fsencode(self.root)]))):
            record = known.recall(sighting)
            if record is None:
                judged.append(os.path.basename(sighting.ref.path).decode())
                record = self.verdict(sighting)
                known.opened(sighting.ref, sighting.ref)
            record = {**record, "exposure": known.exposure(sighting.ref.path)}
            if known.remember(record):
                catalogue.add(record)
            records[os.path.basename(record["path"])] = record
        known.finish([os.fsencode(self.root)])
        catalogue.flush()
        known.flush()
        return judged, records

    def verdict(self, sighting):
        fd = sighting.open()
        content = os.read(fd, 1 << 20)
        os.close(fd)
        record = unread_record(sighting.ref.path, gap("corrupt"), 5.0)
        return {
            **record,
            "reason": content.decode("latin-1"),
            "trail": self.trail,
            "rules_version": "old",
        }


def gap(code):
    return Gap(GapCode(code), "body")


@pytest.fixture
def share(tmp_path):
    share = Share(tmp_path)
    yield share
    share.database.dispose()


def test_the_second_scan_judges_nothing_and_tells_the_same(share):
    for name in ("a.txt", "b.txt"):
        (share.root / name).write_text(name)
    assert share.scan()[0] == ["a.txt", "b.txt"]
    for later in (0, 2 * YOUNG_NS, 2 * YOUNG_NS):  # young: by its hash; then by its state
        share.later_ns = later
        judged, records = share.scan()
        assert judged == []
        assert {r["reason"] for r in records.values()} == {"a.txt", "b.txt"}
        assert {r["rules_version"] for r in records.values()} == {"now"}
    assert share.scan(fresh=True)[0] == ["a.txt", "b.txt"]


def test_a_first_scan_asks_an_empty_catalogue_once_and_a_second_one_for_each_folder(share):
    for folder in ("a", "b", "c"):
        (share.root / folder).mkdir()
        (share.root / folder / f"{folder}.txt").write_text(folder)
    asked = []
    event.listen(
        share.database, "before_cursor_execute", lambda *told: asked.append(told[2].split("WHERE"))
    )
    assert share.scan()[0] == ["a.txt", "b.txt", "c.txt"]
    looks = [where for where in asked if "FROM judged" in where[0]]
    assert len(looks) == 2  # whether there is anything, and at the end for what is gone
    asked.clear()
    assert share.scan()[0] == []
    assert sum("judged.folder = " in where[-1] for where in asked if len(where) > 1) == 3


def test_old_files_are_not_even_opened(share, monkeypatch):
    (share.root / "a.txt").write_text("a")
    share.later_ns = 2 * YOUNG_NS
    share.scan()
    monkeypatch.setattr("dlp.acquire.walk.open_file", lambda *_: pytest.fail("opened"))
    assert share.scan()[0] == []


CHANGES = st.sampled_from(
    ["rewrite", "in place", "replace", "swap", "mtime back", "truncate", "mmap"]
)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(CHANGES, st.binary(min_size=4, max_size=4)), min_size=1, max_size=4),
    st.booleans(),
)
def test_any_change_of_content_is_noticed(tmp_path_factory, changes, waited):
    """Same size, mtime set back, same inode, within one tick: the verdict is of these bytes."""
    share = Share(tmp_path_factory.mktemp("s"))
    path, other = share.root / "a.txt", share.root / "b.txt"
    path.write_bytes(b"0000")
    other.write_bytes(b"1111")
    share.later_ns = 2 * YOUNG_NS if waited else 0
    if waited:
        time.sleep(0.02)  # past the tick in which the files were written, as two minutes would be
    share.scan()
    for how, content in changes:
        change(how, path, other, content)
        _, records = share.scan()
        if waited:
            time.sleep(0.02)
        for file in (path, other):
            assert records[file.name]["reason"].encode("latin-1") == file.read_bytes()
    share.database.dispose()


def change(how, path, other, content):
    before = path.stat()
    if how == "replace":
        draft = path.with_name("draft")
        draft.write_bytes(content)
        draft.rename(path)
    elif how == "swap":
        third = path.with_name("third")
        path.rename(third)
        other.rename(path)
        third.rename(other)
    elif how == "truncate":
        os.truncate(path, len(content) % 3)
    elif how == "mmap" and before.st_size:
        with path.open("r+b") as out, mmap.mmap(out.fileno(), 0) as memory:
            memory[:] = content.ljust(before.st_size)[: before.st_size]
    elif how == "rewrite":
        path.write_bytes(content)
    else:
        with path.open("r+b") as out:
            out.write(content)
    if how == "mtime back":
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_same_content_elsewhere_is_not_judged_again(share):
    (share.root / "a.txt").write_text("same")
    share.scan()
    (share.root / "deep").mkdir()
    (share.root / "deep" / "a.txt").write_text("same")
    (share.root / "deep" / "7.txt").write_text("same")  # a name without words
    (share.root / "deep" / "a.csv").write_text("same")  # another ending, another reader
    (share.root / "deep" / "Ada Hale.txt").write_text("same")  # the name tells somebody
    assert sorted(share.scan()[0]) == ["Ada Hale.txt", "a.csv"]


def test_a_verdict_holds_under_names_that_tell_the_same(share):
    assert same_for(b"Emma.txt", b"emma.TXT")
    assert same_for(b"3.txt", b"4.txt")
    assert not same_for(b"Emma Smith discharge.txt", b"Emma.txt")
    assert not same_for(b"scan.txt", b"Emma.txt")


def test_only_what_an_upgrade_touches_is_judged_again(share):
    (share.root / "deep.txt").write_text("deep")
    share.scan()
    share.trail = EARLY
    (share.root / "early.txt").write_text("early")
    share.scan()
    share.trail = TRAIL
    share.versions.deep = "d2"
    assert share.scan()[0] == ["deep.txt"]
    share.versions.first = "f2"
    assert share.scan()[0] == ["early.txt"]


def test_what_left_is_forgotten_and_what_passes_is_not_kept(share):
    (share.root / "sub").mkdir()
    for name in ("a.txt", "sub/b.txt"):
        (share.root / name).write_text(name)
    share.scan()
    (share.root / "a.txt").unlink()
    (share.root / "sub" / "b.txt").unlink()
    (share.root / "sub").rmdir()
    (share.root / "z.txt").write_text("z")
    share.scan()
    store = JudgedFiles(Database(share.database))
    assert [row.name for row in store.folder(os.fsencode(share.root))] == [b"z.txt"]
    assert list(store.folder(os.fsencode(share.root / "sub"))) == []
    for code in ("timeout", "internal", "changed", "permission", "vanished"):
        assert not lasts({"trail": TRAIL, "gaps": [{"code": code, "where": "x"}]})
    assert not lasts({"trail": TRAIL, "gaps": [{"code": "too_large", "where": "worker:memory"}]})
    assert lasts({"trail": TRAIL, "gaps": [{"code": "encrypted", "where": "body"}]})


def test_a_verdict_missing_from_the_catalogue_is_told_again(share):
    (share.root / "a.txt").write_text("a")
    share.later_ns = 2 * YOUNG_NS
    share.scan()
    Catalogue(share.database).forget([os.fsencode(share.root / "a.txt")])
    assert share.scan()[0] == []
    assert len(list(Catalogue(share.database).files())) == 1


TRACED = """
import os, sys
from dlp.config import Settings
from dlp.engine.verdict_version import FIRST_ARTEFACTS, FIRST_RULES
from dlp.resources import artefacts_folder, rules_folder
import dlp.triage.assemble, dlp.decode.format_registry, dlp.prepared
opened = set()
def hear(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        opened.add(os.path.realpath(os.fsdecode(arguments[0])))
sys.addaudithook(hear)
from dlp.model import Case, Document, FileRef, Part
from dlp.pipeline import Pipeline
dlp.decode.format_registry.preload()
stages = Pipeline(dlp.triage.assemble.triage_stages(), given={"document"})
for text in ("The patient Jane Roe has asthma.", "Il fait beau aujourd'hui dans la ville.", ""):
    part = Part("body", text * 5)
    stages.run(Case(FileRef("", b"Pride and Prejudice.txt"), Document("text/plain", (part,), "x")))
read = [p for p in opened if p.startswith((str(rules_folder()), str(artefacts_folder())))]
declared = {*map(os.path.basename, FIRST_RULES), *(f"{n}.{e}" for n in FIRST_ARTEFACTS for e in ("json", "bin"))}
print(sorted(set(map(os.path.basename, read)) - declared), len(read))
"""


def test_the_first_stages_read_only_what_their_version_holds():
    run = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("[] "), run.stdout
    assert int(run.stdout.split()[1]) >= 6


def test_dlp_scan_twice_is_one_scan_told_twice(tmp_path):
    share = tmp_path / "share"
    share.mkdir()
    for number in range(3):
        (share / f"{number}.txt").write_text(f"Call Mrs Doe at (416) 555-019{number} about asthma.")
    (share / "copy.txt").write_bytes((share / "0.txt").read_bytes())
    (share / "broken.pdf").write_bytes(b"%PDF-1.7 broken")

    def scan(*more):
        command = [
            sys.executable,
            "-m",
            "dlp",
            "scan",
            str(share),
            "--format",
            "jsonl",
            "--jobs",
            "1",
        ]
        run = subprocess.run(
            [*command, "--catalogue", str(tmp_path / "c.db"), *more], capture_output=True, text=True, check=False,
        )  # fmt: skip
        records = [json.loads(line) for line in run.stdout.splitlines()]
        took = sum(record.pop("ms") for record in records)
        for record in records:
            record.pop("spent_ms", None)
        return run.returncode, sorted(records, key=lambda r: r["path"]), took

    first, second, fresh = scan(), scan(), scan("--fresh")
    for again in (second, fresh):
        for one, other in zip(first[1], again[1], strict=True):
            assert one == other
        assert again[0] == first[0]
    assert first[2] > 0 < fresh[2]
    assert second[2] == 0, "nothing was judged the second time"


def test_other_rights_rank_a_file_again_and_its_content_is_not_read(share, monkeypatch):
    path = share.root / "a.txt"
    path.write_text("a")
    path.chmod(0o600)
    share.later_ns = 2 * YOUNG_NS
    for _ in range(2):
        share.scan()
    read = []
    plainly = unchanged_files.content_hash
    monkeypatch.setattr(
        unchanged_files, "content_hash", lambda one: read.append(one.name) or plainly(one)
    )
    path.chmod(0o644)
    judged, _ = share.scan()
    row = next(Catalogue(share.database).files())
    assert (judged, read, row["exposure"], row["readers"]) == ([], [], "everyone", 100)
    assert share.scan()[0] == []
    assert read == [b"a.txt"], "content exchanged with the rights is found by the next scan"


def test_a_folder_that_is_closed_ranks_its_files_again(share):
    folder = share.root / "a"
    folder.mkdir(mode=0o755)
    (folder / "b.txt").write_text("b")
    share.later_ns = 2 * YOUNG_NS
    for mode, reach in ((0o755, "everyone"), (0o700, "private"), (0o755, "everyone")):
        folder.chmod(mode)
        for _ in range(2):
            share.scan()
            assert next(Catalogue(share.database).files())["exposure"] == reach


def test_a_walk_reads_no_content_ahead_of_the_workers(share, monkeypatch):
    for name in ("a.txt", "b.txt"):
        (share.root / name).write_text(name)
    read = []
    plainly = unchanged_files.content_hash
    monkeypatch.setattr(
        unchanged_files, "content_hash", lambda one: read.append(one.name) or plainly(one)
    )
    known = KnownContent(JudgedFiles(Database(share.database)), share.versions, rules_version="now")
    known.look_with(Exposures(Settings(), [os.fsencode(share.root)]))
    seen = list(known.screen(Walk()([os.fsencode(share.root)])))
    assert read == []
    assert known.recall(seen[1]) is None
    assert read == [b"b.txt"]


def test_a_first_scan_looks_for_nothing_but_what_it_has_written(share):
    here = [Judged(b"/f", name, "1", 0, name.decode() * 64, "v", b"r") for name in (b"a", b"b")]
    store = JudgedFiles(Database(share.database))
    assert store.same_content("a" * 64) == []
    store.add(here[0])
    assert store.same_content("a" * 64) == here[:1]
    store.flush()
    assert store.same_content("a" * 64) == here[:1]
    assert store.same_content("b" * 64) == []
    store.add(here[1])
    store.flush()
    assert JudgedFiles(Database(share.database)).same_content("b" * 64) == here[1:]
