"""Findings that a scan keeps once are told with the file's details, also when the file is gone."""

import pytest

from dlp.model import Case, Document, FileRef, Finding, Gap, GapCode, Kind, Part
from dlp.report.record import finding_objects, unread_record
from dlp.store.database import AT_ONCE
from dlp.store.judged_files import Judged, JudgedFiles
from dlp.store.migrations import open_database, open_directly
from dlp.store.queries import one_file
from dlp.store.record_codec import body_of, grouped, keep_findings, pack, read_body, reasons_of
from dlp.store.verdict_writer import Verdicts

FOUND = tuple(
    Finding(Kind.AGE, f"rule{n % 3}", 0, n, n + 1, 0.5, person="p" * (n % 2)) for n in range(20)
)
CASE = Case(FileRef("", b"a"), document=Document("text/plain", (Part("", "text"),)), findings=FOUND)
OBJECTS = finding_objects(CASE, values=False, masks=False)
GROUPS = grouped(OBJECTS)
BODY = "SELECT body FROM details"


def kept(database, path=b"/srv/a/\xff.txt"):
    """As a scan keeps one file."""
    states, verdicts = JudgedFiles(database), Verdicts(database)
    record = unread_record(path, Gap(GapCode.CORRUPT, "\udcff"), 5.0)
    record["findings"] = OBJECTS
    folder, _, name = path.rpartition(b"/")
    states.add(Judged(folder or b"/", name, "1", 0, "s", "v", pack(record)))
    verdicts.take(record, states.stored(path))
    with database.writing() as session:
        verdicts.write(session)
        states.write(session)
    return states, read_body(body_of(record))


@pytest.mark.parametrize("path", [b"/srv/a/\xff.txt", b"/a.txt"])
def test_they_are_told_as_if_they_stood_in_the_details(database, path):
    _, whole = kept(database, path)
    ((body,),) = database.query(BODY)
    assert read_body(body)["findings"] == []
    with database.writing() as session:
        found = reasons_of(session, "", path)
    assert found == whole
    assert found["findings"] == GROUPS
    assert found["counted"] == 20


def test_a_page_shows_them(tmp_path):
    database = open_directly(tmp_path / "catalogue.db")
    _, whole = kept(database)
    database.dispose()
    engine = open_database(tmp_path / "catalogue.db")
    assert one_file(engine, 1)["why"] == whole
    engine.dispose()


def vanish(states):
    states.gone(b"/srv/a", b"\xff.txt")
    states.flush()


@pytest.mark.parametrize("go", [vanish, lambda states: states.gone_folders({b"/srv/a"})])
def test_a_file_that_is_gone_keeps_its_findings(database, go):
    states, whole = kept(database)
    go(states)
    assert database.query("SELECT count(*) FROM judged") == [(0,)]
    ((body,),) = database.query(BODY)
    assert read_body(body) == whole
    with database.writing() as session:
        assert reasons_of(session, "", b"/srv/a/\xff.txt") == whole
        keep_findings(session, "", b"/srv/a/\xff.txt")  # nothing more to keep
    assert database.query(BODY) == [(body,)]


def test_another_record_says_nothing_of_the_file(database):
    _, whole = kept(database)
    with database.writing() as session:
        session.query("UPDATE judged SET record = ?", (pack({"findings": []}),))
        assert reasons_of(session, "", b"/srv/a/\xff.txt") == whole | {"findings": []}
        assert reasons_of(session, "", b"/srv/never")["counted"] == 0


def test_a_record_that_is_not_kept_leaves_its_findings_in_the_details(database):
    states, verdicts = JudgedFiles(database), Verdicts(database)
    record = unread_record(b"/srv/a.txt", Gap(GapCode.TIMEOUT, "body"), 5.0)
    verdicts.take(record | {"findings": OBJECTS}, states.stored(b"/srv/a.txt"))
    verdicts.flush()
    ((body,),) = database.query(BODY)
    assert read_body(body)["findings"] == GROUPS


@pytest.mark.parametrize("go", ["one by one", "in folders"])
def test_many_that_are_gone_hold_nobody_up(database, go, monkeypatch):
    states = JudgedFiles(database)
    places = [(b"/srv/%d" % (n % 3), b"%d" % n) for n in range(2 * AT_ONCE + 1)]
    for folder, name in places:
        states.add(Judged(folder, name, "1", 0, "s", "v", b""))
    states.flush()
    written, plainly = [], type(database).writing
    monkeypatch.setattr(type(database), "writing", lambda here: written.append(1) or plainly(here))
    if go == "in folders":
        states.gone_folders({folder for folder, _ in places})
    else:
        for place in places:
            states.gone(*place)
        assert len(written) == 2
        states.flush()
    assert len(written) == 3
    assert database.query("SELECT count(*) FROM judged") == [(0,)]
