"""A file is looked at when nobody writes it any more, and never forgotten while somebody does."""

import os
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.acquire.judged_state import Key
from dlp.acquire.process_priority import within
from dlp.acquire.write_settling import Rest, Settling, is_owner_file, is_temporary, probe

KEY, OTHER = Key(1, 2, 3, 4, 5), Key(1, 2, 3, 4, 6)
NAME = ("ward", b"letter.txt")


@pytest.fixture
def settling():
    return Settling(grace_seconds=60, provisional_seconds=600)


def only(settling, now):
    return [name for name, _ in settling.due(now)]


def test_the_kernel_knows_of_writers(tmp_path):
    path = tmp_path / "file"
    with path.open("w"):
        fd = os.open(path, os.O_RDONLY)
        assert probe(fd) is Rest.BUSY
    assert probe(fd) is Rest.QUIET
    with path.open("a"):  # the lease was let go: no writer waits for us
        assert probe(fd) is Rest.BUSY
    os.close(fd)


def test_no_lease_no_answer(tmp_path):
    fd = os.open(tmp_path, os.O_RDONLY)  # leases are for regular files
    assert probe(fd) is Rest.UNKNOWN
    os.close(fd)


def test_a_closed_file_is_due_at_once(settling):
    settling.hint(NAME, 10.0, closed=True)
    assert only(settling, 10.0) == [NAME]
    assert not len(settling)
    assert only(settling, 99.0) == []


def test_a_touched_file_is_due_soon_and_closing_hastens_it(settling):
    settling.hint(NAME, 10.0, closed=False)
    assert only(settling, 10.0) == []
    settling.hint(NAME, 10.01, closed=True)
    assert only(settling, 10.01) == [NAME]


def test_many_touches_are_one_entry(settling):
    for step in range(1000):
        settling.hint(NAME, 10.0 + step / 1e6, closed=False)
    assert len(settling) == 1
    assert only(settling, 11.0) == [NAME]


def test_a_temporary_name_has_its_grace(settling):
    settling.hint(("ward", b"~WRD0001.tmp"), 10.0, closed=True)
    assert only(settling, 69.0) == []
    assert only(settling, 70.0) == [("ward", b"~WRD0001.tmp")]
    settling.hint(("ward", b"old.tmp"), 10.0, closed=True, fresh=False, age=3600)
    assert only(settling, 10.0) == [("ward", b"old.tmp")]


def test_what_left_is_not_waited_for(settling):
    settling.hint(NAME, 10.0, closed=True)
    settling.hint(("ward", b"d/e/x"), 10.0, closed=True)
    settling.hint(("ward", b"dd"), 10.0, closed=True)
    settling.forget(NAME)
    settling.forget_beneath("ward", b"d")
    assert only(settling, 10.0) == [("ward", b"dd")]


def test_a_writer_is_waited_for_with_patience(settling):
    settling.hint(NAME, 0.0, closed=True)
    now, looks = 0.0, 0
    while now < 600:
        for name, entry in settling.due(now):
            looks += 1
            assert not settling.rests(entry, KEY, Rest.BUSY, now)
            assert not settling.overdue(entry, now)
            settling.postpone(name, entry, now)
        now += 0.05
    assert 30 < looks < 100  # not once a second for ten minutes
    ((_, entry),) = settling.due(now + 10)
    assert settling.overdue(entry, now + 10)


def test_without_a_lease_two_equal_looks_decide(settling):
    settling.hint(NAME, 0.0, closed=True)
    ((_, entry),) = settling.due(0.0)
    assert not settling.rests(entry, KEY, Rest.UNKNOWN, 0.0)
    assert not settling.rests(entry, OTHER, Rest.UNKNOWN, 2.0)
    assert not settling.rests(entry, OTHER, Rest.UNKNOWN, 3.0)
    assert settling.rests(entry, OTHER, Rest.UNKNOWN, 4.0)


@pytest.mark.parametrize(
    "name",
    [b"~WRD0001.tmp", b"~WRL3.TMP", b"1A2B3C4D", b"film.part", b".x.Ab12Cd", b".a.swp", b"a~"],
)
def test_temporary_names(name):
    assert is_temporary(name)


@pytest.mark.parametrize(
    "name", [b"letter.docx", b"temp.txt", b"12345678.pdf", b"\xff\n", b".hidden"]
)
def test_final_names(name):
    assert not is_temporary(name)


def test_owner_files_are_small():
    assert is_owner_file(b"~$letter.docx", 162)
    assert is_owner_file(b".~lock.letter.odt#", 90)
    assert not is_owner_file(b"~$letter.docx", 50_000)
    assert not is_owner_file(b"letter.docx", 162)


@given(st.times(), st.times(), st.times())
def test_a_span_and_its_complement_share_no_minute(first, last, moment):
    first, last, moment = (t.replace(second=0, microsecond=0) for t in (first, last, moment))
    now = datetime.combine(date(2026, 1, 1), moment)
    span = f"{first:%H:%M}-{last:%H:%M}"
    complement = f"{last:%H:%M}-{first:%H:%M}"
    if first != last:
        assert within([span], now) != within([complement], now)
    assert within([], now)


def test_what_was_just_saved_is_looked_at_before_all_that_a_sweep_found():
    settling = Settling(grace_seconds=2.0, provisional_seconds=60.0)
    for number in range(1000):
        settling.hint(("ward", b"swept%d" % number), 1.0, closed=True, fresh=False)
    settling.hint(("ward", b"saved"), 2.0, closed=True)
    settling.hint(("ward", b"swept7"), 2.0, closed=True)  # and now its owner has saved it
    assert settling.next_due() == 1.0
    looked = [name for (_, name), _ in settling.due(3.0)]
    assert looked[:2] == [b"saved", b"swept7"]
    assert len(looked) == len(set(looked)) == 1001
    assert settling.next_due() is None
