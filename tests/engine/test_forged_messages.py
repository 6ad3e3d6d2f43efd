"""A worker that was taken over can send what it likes: nothing of it is believed, nothing stops.

The worker here is a real, confined process. It writes forged messages to its own socket, as code
inside an exploited parser could.
"""

import json
import os
import random
import stat
import struct
import subprocess
import sys
import time

import pytest

from dlp.acquire.walk import Walk
from dlp.decode.contract import Limits
from dlp.engine.local_engine import LocalEngine
from dlp.engine.scanning import finished, job_of
from dlp.model import Container, FileRef, GapCode, Kind
from dlp.report.record import display
from dlp.report.record_validation import is_fit

FORGED = 1_000
IN_ONE_ENGINE = 250
LIMITS = Limits(wall_seconds=5)


def honest(ref):
    """A record as a worker may send it, with one of everything."""
    return {
        "path": display(ref.path), "container": "phi", "reason": "read in full", "privacy": 0.5,
        "identifiability": 0.5, "sensitivity": 0.5,
        "persons": [{"id": "p1", "identifiability": 0.5, "sensitivity": 0.5, "chance": 1.0,
                     "privacy": 0.25,
                     "fingerprints": ["phone:00ff"], "explanation": ["one of 20"],
                     "bits": {"name": 3.0}, "burden": [["D006509", "condition", 0.5]],
                     "area": "US-OH", "minor": False}],
        "findings": [{"kind": "person", "rule": "name", "part": "body", "start": 1, "end": 5,
                      "confidence": 0.9, "concept": None, "person": "p1", "context": []}],
        "gaps": [{"code": "corrupt", "where": "body"}],
        "tables": [{"part": "body", "columns": ["age"], "rows": 3, "k": 1, "unique": 1,
                    "at_risk": 2}],
        "media_type": "text/plain", "language": "en", "duplicate_of": None, "action": "observe",
        "ms": 1.0, "spent_ms": {"detect": 1.0}, "sha256": "0" * 64, "size_bytes": ref.size_bytes,
        "trail": ["decode.extract"], "rules_version": "r1",
    }  # fmt: skip


WRONG = (
    None, True, -1, 1.5, 10**30, -0.5, float("nan"), float("inf"), "", "x" * 100_000, "\n", "\x1b[2J",
    [], {}, [None], [[]], {"a": 1}, "../../etc/passwd", "quarantine", "unheard of", ["x"] * 3,
)  # fmt: skip


def places(value, way=()):
    """Every place inside a record that can be changed."""
    yield way
    inside = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, one in inside:
        yield from places(one, (*way, key))


def put(value, way, new):
    if not way:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = put(value[way[0]], way[1:], new)
    return copy


def mutated(ref, dice):
    """A record that is wrong in one place; fitting ones are thrown away, by the check's own rules.

    What the check lets through must at least be harmless, which `run` proves for these too.
    """
    record = honest(ref)
    way = dice.choice([w for w in places(record) if w])
    choice = dice.random()
    if choice < 0.7:
        return put(record, way, dice.choice(WRONG))
    if choice < 0.85:
        record = json.loads(json.dumps(record))
        holder = record
        for step in way[:-1]:
            holder = holder[step]
        del holder[way[-1]]
        return record
    return {**record, dice.choice("abc"): 1}


def envelope(ref, dice):
    """A message that is wrong outside the record."""
    fit = honest(ref)
    return dice.choice([
        {}, {"record": None, "gap": None, "peak": 1}, {"record": fit}, {"record": fit, "peak": "1"},
        {"record": fit, "peak": True}, {"record": [fit], "peak": 1}, {"gap": ["internal"], "peak": 1},
        {"gap": "no", "peak": 1}, {"gap": {"internal": 1, "x": 2}, "peak": 1},
        {"gap": ["unheard", "x"], "peak": 1}, {"gap": ["internal", 5], "peak": 1},
        {"gap": ["internal", {}], "peak": 1}, {"missing": 5}, {"missing": None}, {"missing": {}},
        {"missing": ""}, {"missing": "x" * 500}, {"stated": "x", "peak": 1},
        {"accepted": False, "walls": {}, "peak": 1}, {"record": {**fit, "path": "/other"}, "peak": 1},
    ])  # fmt: skip


def raw(ref, dice):
    """Bytes that are no message at all."""
    body = dice.choice([
        b"[]", b"null", b"{", b'{"peak": ' + b"9" * 5000 + b"}", b"[" * 50_000, b"\xff\xfe",
        b"\n", b"\n" + b"\0" * 8 + b"{}", b"\n" + b"\0" * 8 + json.dumps(envelope(ref, dice)).encode(),
    ])  # fmt: skip
    return struct.pack("!I", len(body)) + body


def forged(ref, seed):
    dice = random.Random(seed)
    form = dice.random()
    if form < 0.15:
        return raw(ref, dice)
    if form < 0.3:
        message = envelope(ref, dice)
    else:
        record = mutated(ref, dice)
        while is_fit(record, ref):
            record = mutated(ref, dice)
        message = {"record": record, "gap": None, "peak": 1}
    body = json.dumps(message).encode()
    return struct.pack("!I", len(body)) + body


def forge(ref, source):
    """Runs in the worker: send a forgery instead of an answer."""
    seed = int(source.read())
    if seed < 0:
        return honest(ref)
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, forged(ref, seed))
                break
        except OSError:
            continue
    time.sleep(30)
    return {}


def run(folder):
    sightings = Walk()([os.fsencode(folder)])
    with LocalEngine(forge, jobs=2, limits=LIMITS, fit=is_fit) as engine:
        return list(engine.run(job_of(sighting) for sighting in sightings))


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "start",
    [
        0,
        *(
            pytest.param(n, marks=pytest.mark.long)
            for n in range(IN_ONE_ENGINE, FORGED, IN_ONE_ENGINE)
        ),
    ],
)
def test_no_forged_message_is_believed_and_none_stops_the_engine(tmp_path, start):
    for number in range(start, start + IN_ONE_ENGINE):
        (tmp_path / f"{number}.txt").write_text(str(number))
    for number in range(10):
        (tmp_path / f"honest-{number}.txt").write_text("-1")
    done = {os.path.basename(one.ref.path): one for one in run(tmp_path)}
    assert len(done) == IN_ONE_ENGINE + 10
    for name, one in done.items():
        if name.startswith(b"honest"):
            assert one.gap is None
            assert one.record is not None
        else:
            assert one.record is None, name
            assert one.gap is not None
            assert one.gap.code in {GapCode.INTERNAL, GapCode.TIMEOUT}, name
            record = finished(one)  # what a scan reports: unread, never clean, never done
            assert record["container"] == Container.POSSIBLE.value
            assert record["gaps"]


def test_no_text_of_a_record_is_free():
    """By a list of its own: `mutated` asks the check which forgeries it would let through."""
    ref = FileRef("", b"/a", size_bytes=3)
    record = honest(ref)
    let_through = []
    for way in places(record):
        value = record
        for step in way:
            value = value[step]
        if not isinstance(value, str):
            continue
        is_place = bool({"part", "where", "columns"}.intersection(way))  # names of members
        wrong = ["x" * 100_000, 5, {}, []] + ([] if is_place else ["\x1b[2J", "two\nlines"])
        let_through += [(way, one) for one in wrong if is_fit(put(record, way, one), ref)]
        names = {"rule", "concept", "person", "id", "fingerprints", "rules_version", "kind"}
        if names.intersection(way) and is_fit(put(record, way, "<b>Jane; born 1950</b>"), ref):
            let_through.append((way, "a sentence"))
    assert let_through == []


def test_what_an_honest_worker_says_of_findings_fits():
    ref = FileRef("", b"/a", size_bytes=3)
    for kind in Kind:
        record = honest(ref)
        record["findings"][0]["kind"] = kind.value
        assert is_fit(record, ref)


def test_a_bug_does_not_exit_like_a_finding(tmp_path):
    """A traceback's exit code is 1, and so is that of a scan that found PHI."""
    (tmp_path / "a.txt").write_text("Jane Sample, born 1 May 1950")
    code = (
        "import dlp.engine.scanning as s\n"
        "def fails(self, paths): raise KeyError('Jane Sample')\n"
        "s.Scan.records = fails\n"
        "from dlp.cli.main import main\n"
        f"main(['scan', {str(tmp_path)!r}, '--no-catalogue'])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode >= 10, ended.stderr
    assert "KeyError" in ended.stderr
    assert "Jane" not in ended.stderr
