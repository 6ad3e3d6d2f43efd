"""A start with new knowledge: what it can change is judged again, and nothing else."""

import os
import time
from contextlib import contextmanager

import pytest

from tests.flow.live import Live
from tests.flow.test_daemon import NOTE, free_port

pytestmark = pytest.mark.timeout(600)
LICENCE = "This program is free software; you can redistribute it under the terms of the licence.\n"
VALUE = '[[concept]]\nname = "Hepatitis B"\nvalue = {}\n'


def known_of(live, name):
    path = os.fsencode(live.share / name).hex()
    return live.query(f"SELECT judged_at, privacy FROM files WHERE path = X'{path}'")


def swept(live):
    return live.metric('dlp_last_sweep_success_timestamp_seconds{share="ward"}')


@contextmanager
def judged(tmp_path):
    """A daemon with knowledge of its site's own, that has judged a note and a licence."""
    site = tmp_path / "knowledge"
    site.mkdir()
    (site / "sensitivity.toml").write_text(VALUE.format(0.66))
    with Live(tmp_path, port=free_port(), environment={"DLP_KNOWLEDGE": str(site)}) as live:
        live.until_ready()
        (live.share / "note.txt").write_text(NOTE)
        (live.share / "readme.txt").write_text(LICENCE)
        live.until(lambda: len(live.verdicts()) == 2)
        yield live


def change_a_value(live, by):
    """The note is about the disease whose value changes; triage set the licence aside."""
    note, readme = known_of(live, "note.txt"), known_of(live, "readme.txt")
    (live.outside / "knowledge" / "sensitivity.toml").write_text(VALUE.format(0.95))
    changed = time.time()
    by(live)
    live.until(lambda: known_of(live, "note.txt") != note)
    live.until(lambda: swept(live) > changed)
    ((_, mild),), ((_, grave),) = note, known_of(live, "note.txt")
    assert mild < grave, "the new value counts"
    live.until(lambda: not live.query("SELECT 1 FROM jobs WHERE state <> 'done'"))
    assert known_of(live, "readme.txt") == readme, "no value of ours can change that"


def restart(live):
    assert live.stop() == 0
    live.start()
    live.until_ready()


@pytest.mark.long
def test_a_restart_judges_again_what_it_can_change(tmp_path):
    with judged(tmp_path) as live:
        change_a_value(live, restart)
        assert live.stop() == 0
