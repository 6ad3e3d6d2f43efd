"""Some files are read by a second worker as well: one that was taken over is found out."""

import os

import pytest

from dlp.acquire.walk import Walk
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.decode.contract import Limits
from dlp.engine.local_engine import LocalEngine, open_engine
from dlp.engine.protocol import Done, Job
from dlp.engine.scanning import finished, job_of
from dlp.engine.worker_handle import compared
from dlp.model import Container, FileRef, Gap, GapCode
from dlp.report.record_validation import is_fit
from tests.engine.test_forged_messages import honest
from tests.support.one_of_each import one_of_each

LIMITS = Limits(wall_seconds=10)
TAKEN = []  # in a worker: whether a file has taken it over


def lying(ref, source):
    """After the file that takes the worker over, every other file is called clean."""
    content = source.read()
    if content == b"exploit":
        TAKEN.append(True)
        return {**honest(ref), "gaps": []}
    clean = {"container": "impossible", "persons": [], "findings": [], "gaps": [], "privacy": 0.0}
    return {**honest(ref), **(clean if TAKEN else {"gaps": []})}


def judged(folder, share, analyse=lying):
    sightings = list(Walk()([os.fsencode(folder)]))
    sightings.sort(key=lambda one: one.ref.path)
    with LocalEngine(analyse, jobs=1, limits=LIMITS, fit=is_fit, second_readings=share) as engine:
        done = [one for sighting in sightings for one in engine.run([job_of(sighting)])]
        return {os.path.basename(one.ref.path): one for one in done}, engine


@pytest.fixture
def share(tmp_path):
    (tmp_path / "00.txt").write_text("an ordinary file")
    (tmp_path / "01.txt").write_text("exploit")
    for number in range(2, 40):
        (tmp_path / f"{number:02}.txt").write_text("an ordinary file")
    return tmp_path


def test_a_worker_that_was_taken_over_is_found_out(share):
    """The fault of the exploited parser is no gap here: nothing but the lies betrays it."""
    found, engine = judged(share, 0.0)
    assert found[b"39.txt"].record["container"] == "impossible", "the worker does lie"
    found, engine = judged(share, 0.3)
    assert engine.readings["different"] >= 1
    for one in found.values():
        if one.second == "different":
            record = finished(one)
            assert record["container"] == Container.PHI.value, "the worse of the two"
            assert GapCode.INTERNAL.value in {gap["code"] for gap in record["gaps"]}


def test_where_every_file_is_read_twice_no_lie_passes(share):
    found, engine = judged(share, 1.0)
    assert {one.record["container"] for one in found.values()} == {"phi"}
    assert engine.readings["same"] + engine.readings["different"] == len(found) == 40


@pytest.mark.parametrize(
    "gap, second", [(GapCode.INTERNAL, "different"), (GapCode.TIMEOUT, ""), (GapCode.VANISHED, "")]
)
def test_a_second_reader_that_dies_is_a_difference_and_a_late_one_is_none(gap, second):
    ref = FileRef("", b"/a", size_bytes=3)
    job = Job(ref, lambda: -1)
    first = Done(ref, {**honest(ref), "gaps": []}, None, 1.0, job)
    last = compared(first, Done(ref, None, Gap(gap, "worker:SIGSEGV"), 1.0, job))
    assert last.second == second
    assert bool(last.record["gaps"]) is bool(second)
    assert last.record["container"] == "phi"


def test_honest_workers_agree_on_every_kind_of_file(tmp_path):
    count = one_of_each(tmp_path)
    settings = Settings.model_validate({"engine": {"second_readings": 1.0}})
    with open_engine(Analysis(settings), settings, jobs=2) as engine:
        done = list(engine.run(job_of(one) for one in Walk()([os.fsencode(tmp_path)])))
    assert len(done) == count
    assert engine.readings["different"] == 0
    assert engine.readings["same"] > count // 2
