"""Rights alone move a file in every ranking, with the next sweep and without reading it."""

import json
import os

from click.testing import CliRunner

from dlp.cli.main import main
from tests.flow.live import Live
from tests.flow.test_daemon import NOTE, free_port


def rows(live):
    return dict(live.query("SELECT path, exposure || ' ' || readers FROM files"))


def run(*arguments):
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code in {0, 1}, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_watched_share_follows_rights_without_judging_again(tmp_path):
    with Live(tmp_path, port=free_port(), sweep=3.0) as live:
        live.share.chmod(0o755)
        live.until_ready()
        folder = live.share / "letters"
        folder.mkdir(mode=0o755)
        note, other = folder / "note.txt", live.share / "other.txt"
        for path, text in ((note, NOTE), (other, NOTE + " Again.")):
            path.write_text(text)
            path.chmod(0o600)
        live.until(lambda: len(rows(live)) == 2)
        names = [os.fsencode(path) for path in (note, other)]
        assert set(rows(live).values()) == {"private 1"}
        note.chmod(0o644)
        live.until(lambda: rows(live)[names[0]] == "everyone 1000")
        assert live.metric('dlp_files_judged_total{container="phi",share="ward"}') == 2
        live.until(lambda: live.metric('dlp_phi_files{view="everyone"}') == 1)
        folder.chmod(0o700)
        live.until(lambda: rows(live)[names[0]] == "private 1")
        folder.chmod(0o755)
        live.until(lambda: rows(live)[names[0]] == "everyone 1000")
        assert live.stop() == 0


def test_a_world_readable_copy_outranks_a_private_one(tmp_path):
    share, catalogue = tmp_path / "share", tmp_path / "c.db"
    share.mkdir(mode=0o755)
    for name, mode in (("private.txt", 0o600), ("copy.txt", 0o644)):
        (share / name).write_text(NOTE)
        (share / name).chmod(mode)
    run("scan", share, "--catalogue", catalogue, "--format", "jsonl")
    ranked = run("rank", "--catalogue", catalogue, "--format", "jsonl")
    assert [row["path"].rpartition("/")[2] for row in ranked] == ["copy.txt", "private.txt"]
    assert ranked[0]["risk"] > 50 * ranked[1]["risk"]
    (share / "copy.txt").chmod(0o600)
    (share / "private.txt").chmod(0o644)
    run("scan", share, "--catalogue", catalogue, "--format", "jsonl")
    ranked = run("rank", "--catalogue", catalogue, "--format", "jsonl")
    assert [row["path"].rpartition("/")[2] for row in ranked] == ["private.txt", "copy.txt"]


def test_stale_and_orphaned_files_are_counted_and_listed(tmp_path):
    share, catalogue = tmp_path / "share", tmp_path / "c.db"
    share.mkdir()
    for name in ("new.txt", "old.txt", "lost.txt"):
        (share / name).write_text(NOTE + name)
    os.utime(share / "old.txt", (1e9, 1e9))
    os.chown(share / "lost.txt", 4_000_000_000, 0)
    run("scan", share, "--catalogue", catalogue, "--format", "jsonl")
    counts = {row["exposure"]: row["files"]
              for row in run("exposure", "--catalogue", catalogue, "--format", "jsonl")}  # fmt: skip
    assert (counts["stale"], counts["orphaned"]) == (1, 1)
    for view, name in (("stale", "old.txt"), ("orphaned", "lost.txt")):
        found = run("exposure", "--view", view, "--catalogue", catalogue, "--format", "jsonl")
        assert [os.path.basename(row["path"]) for row in found] == [name]
    (live,) = run("exposure", share / "new.txt", "--format", "jsonl")
    assert live["exposure"] == "everyone"
