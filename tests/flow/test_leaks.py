"""Leaks of many kinds are found; what only looks like one is left in peace."""

import io

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef
from tests.flow import leaks, papers

ANALYSIS = Analysis(Settings())
LEAKS = leaks.LEAKS | papers.LEAKS
NO_LEAKS = leaks.NO_LEAKS | papers.NO_LEAKS


def judge(kind, text):
    suffix = (
        "csv" if "," in text.splitlines()[0] and text.count("\n") >= 3 and "list" in kind else "txt"
    )
    return ANALYSIS(FileRef("share", f"file.{suffix}".encode()), io.BytesIO(text.encode()))


@pytest.mark.parametrize("kind", LEAKS)
def test_leak(kind):
    record = judge(kind, LEAKS[kind])
    assert record["container"] == "phi", record["reason"]


@pytest.mark.parametrize("kind", NO_LEAKS)
def test_no_leak(kind):
    record = judge(kind, NO_LEAKS[kind])
    assert record["container"] != "phi", record["reason"]
