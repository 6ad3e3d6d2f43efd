"""A copy gets its original's verdict without a second analysis, and is listed on its own."""

import json
import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from dlp.acquire.walk import Sighting
from dlp.engine.scan_batch import Copies, judge_all
from dlp.model import FileRef


def sighting(path, size):
    return Sighting(b"", path, FileRef("s", path, size_bytes=size))


def run(contents, delay):
    """Judge files whose content is given; answers come `delay` files late, as from a pool."""
    refs = [sighting(f"f{i}".encode(), len(c)) for i, c in enumerate(contents)]
    content = {ref.ref.path: c for ref, c in zip(refs, contents, strict=True)}
    analysed = []

    def answer(ref):
        return {"path": ref.path.decode(), "duplicate_of": None, "said": content[ref.path]}

    def judge(fresh):
        waiting = []
        for ref in (seen.ref for seen in fresh):
            analysed.append(content[ref.path])
            waiting.append(ref)
            if len(waiting) > delay:
                ready = waiting.pop(0)
                yield ready, answer(ready)
        for ref in waiting:
            yield ref, answer(ref)

    records = list(judge_all(refs, judge, Copies(lambda seen: content[seen.ref.path] or None)))
    return records, analysed


@given(st.lists(st.sampled_from(["", "a", "b", "aa", "ab", "ccc"]), max_size=30), st.integers(0, 5))
def test_every_file_gets_one_verdict_and_equal_content_is_read_once(contents, delay):
    records, analysed = run(contents, delay)
    assert sorted(r["path"] for r in records) == sorted(f"f{i}" for i in range(len(contents)))
    assert all(r["said"] == contents[int(r["path"][1:])] for r in records)
    filled = [c for c in analysed if c]
    assert len(filled) == len(set(filled))
    for record in records:
        if record["duplicate_of"]:
            assert contents[int(record["duplicate_of"][1:])] == record["said"]


def test_a_file_that_cannot_be_hashed_is_analysed():
    refs = [sighting(b"a", 1), sighting(b"b", 1)]
    records = judge_all(
        refs,
        lambda fresh: ((r.ref, {"path": r.ref.path.decode(), "duplicate_of": None}) for r in fresh),
        Copies(lambda ref: None),
    )
    assert [r["duplicate_of"] for r in records] == [None, None]


def test_a_name_that_tells_more_is_judged_apart(tmp_path):
    """The same sheet twice: one is named after its patient, whom the text does not tell."""
    text = "The patient was started on dolutegravir for HIV. Review in six weeks.\n"
    for name in ("page 7.txt", "page 8.txt", "Okafor Ruben HIV clinic.txt"):
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "dlp", "scan", tmp_path, "--no-catalogue", "--format", "jsonl"]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = {
        os.path.basename(r["path"]): r["container"] for r in map(json.loads, printed.splitlines())
    }
    assert found["Okafor Ruben HIV clinic.txt"] == "phi"
    assert found["page 7.txt"] == found["page 8.txt"] != "phi"


def test_what_is_remembered_for_copies_is_bounded_by_what_it_holds(monkeypatch):
    monkeypatch.setattr("dlp.engine.scan_batch.REMEMBERED_FINDINGS", 10)
    contents = {
        b"a": ("x", 4),
        b"b": ("yy", 4),
        b"c": ("zzz", 40),
        b"d": ("x", 4),
        b"e": ("zzz", 40),
    }
    refs = [sighting(path, len(content)) for path, (content, _) in contents.items()]
    analysed = []

    def judge(fresh):
        for seen in fresh:
            path = seen.ref.path
            analysed.append(path)
            findings = [{}] * contents[path][1]
            yield (
                seen.ref,
                {"path": path.decode(), "duplicate_of": None, "findings": findings, "ms": 1.0},
            )

    copies = Copies(lambda seen: contents[seen.ref.path][0])
    records = list(judge_all(refs, judge, copies))
    assert len(records) == 5
    assert analysed == [b"a", b"b", b"c", b"d", b"e"], "the third left no room for any other"
    assert copies._findings == 0 or copies._findings <= 10
