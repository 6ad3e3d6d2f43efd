"""The real daemon acts as its policy says, tells whom it should, and changes its mind on SIGHUP."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.flow.live import Live
from tests.flow.test_daemon import NOTE, free_port
from tests.tell.receivers import Receiver

pytestmark = pytest.mark.timeout(600)
LETTER = (
    "Discharge letter\n\nPatient: Jane Miller\nMRN: 4711223\nPhone: 212-555-0147\n\n"
    "Jane Miller was admitted with chest pain and is being treated for hypertension.\n"
)


def command(live, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "dlp", *arguments, "--config", str(live.config)],
        env={**os.environ, "XDG_STATE_HOME": str(live.state)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def intents(live):
    return live.query("SELECT action, state, why FROM intents ORDER BY created_at")


def test_what_can_be_sanitised_is_and_the_rest_is_taken_and_both_are_told(tmp_path):
    with Receiver() as receiver:
        key = tmp_path / "soc.key"
        key.write_bytes(receiver.key)
        key.chmod(0o600)
        more = (
            'policy = { phi = "sanitise" }\n[[notify.channel]]\nname = "soc"\nkind = "webhook"\n'
            f'url = "{receiver.url}"\nkey = "{key}"\n'
        )
        with Live(tmp_path, more=more, port=free_port()) as live:
            live.until_ready()
            letter, scan = live.share / "letter.txt", live.share / "old.doc"
            letter.write_text(LETTER)
            letter.chmod(0o640)
            # no module rewrites a card file, so it cannot be sanitised
            scan.write_text(f"BEGIN:VCARD\nVERSION:3.0\nFN:Jane Miller\nNOTE:{NOTE}END:VCARD\n")
            scan.rename(scan.with_name("card.vcf"))
            live.until(lambda: len(receiver.told) == 2)
            acted = intents(live)
            assert sorted(row[:2] for row in acted) == [("quarantine", "done"), ("replace", "done")]
            assert [why for action, _, why in acted if action == "quarantine"] == [
                "phi/critical, not sanitised: refused"
            ]
            clean = letter.read_text()
            assert "Miller" not in clean
            assert "4711223" not in clean
            assert "hypertension" in clean.lower() or "vascular" in clean.lower()
            assert letter.stat().st_mode & 0o777 == 0o640
            assert not (live.share / "card.vcf").exists()
            assert live.metric('dlp_actions_total{action="sanitise",share="ward"}') == 1
            # the clean file is judged as well, and left alone
            live.until(lambda: live.verdicts().get(os.fsencode(letter)) not in {None, "phi"})
            ((item,),) = live.query("SELECT id FROM intents WHERE action = 'replace'")
            said = json.dumps([told for _, told in receiver.told])
            assert "Miller" not in said
            assert "letter" not in said
            assert {told["event"] for _, told in receiver.told} == {"replaced", "quarantined"}
            assert item in {told["item"] for _, told in receiver.told}
            assert live.stop() == 0
        letter.unlink()
        assert item in command(live, "quarantine", "restore", item)
        assert letter.read_text() == LETTER


def test_a_reload_takes_shares_and_policy_and_judges_nothing_twice(tmp_path):
    with Live(tmp_path) as live:
        live.until_ready()
        (live.share / "one.txt").write_text(NOTE)
        live.until(live.verdicts)
        judged = "SELECT path, judged_at FROM files ORDER BY path"
        before = live.query(judged)
        other = tmp_path / "other"
        other.mkdir()
        (other / "two.txt").write_text(NOTE)
        config = live.config.read_text()
        live.config.write_text(
            config
            + f'[[share]]\nname = "lab"\npath = "{other}"\npolicy = {{ phi = "quarantine" }}\n'
        )
        live.process.send_signal(signal.SIGHUP)
        live.until(lambda: live.query("SELECT share, state FROM intents") == [("lab", "done")])
        assert not (other / "two.txt").exists()
        assert (live.share / "one.txt").exists(), "its policy only observes"
        # a share that is not there: the others are guarded as before
        good = live.config.read_text()
        live.config.write_text(good + '[[share]]\nname = "no"\npath = "/nonexistent/share"\n')
        live.process.send_signal(signal.SIGHUP)
        live.until(lambda: b"share no is unavailable" in live.log.read_bytes())
        (other / "three.txt").write_text(NOTE)
        live.until(lambda: len(live.query("SELECT 1 FROM intents WHERE state = 'done'")) == 2)
        # a policy that observes again
        live.config.write_text(good.replace('"quarantine"', '"observe"'))
        reloads = live.log.read_bytes().count(b"reloaded")
        live.process.send_signal(signal.SIGHUP)
        live.until(lambda: live.log.read_bytes().count(b"reloaded") > reloads)
        (other / "four.txt").write_text(NOTE)
        live.until(lambda: os.fsencode(other / "four.txt") in dict(live.query(judged)))
        assert (other / "four.txt").exists()
        assert [row for row in live.query(judged) if row in before] == before, "judged again"
        assert live.stop() == 0


def test_a_file_that_is_never_closed_gets_a_provisional_verdict_and_then_its_own(tmp_path):
    query = "SELECT container, provisional FROM files"
    more = 'policy = { phi = "quarantine" }\n'
    with Live(tmp_path, provisional=1.0, more=more) as live:
        live.until_ready()
        with (live.share / "slow.txt").open("w") as out:
            out.write(NOTE)
            out.flush()
            live.until(lambda: live.query(query) == [("phi", 1)])
            time.sleep(0.5)
            assert (live.share / "slow.txt").exists(), "nothing that somebody writes is moved"
            assert intents(live) == []
        # closed without another byte: the same state, but now it is final
        live.until(lambda: [row[:2] for row in intents(live)] == [("quarantine", "done")])
        assert not (live.share / "slow.txt").exists()
        assert live.stop() == 0


def test_the_log_names_every_action_and_what_was_given_back_is_no_failure(tmp_path):
    with Live(tmp_path, grace=0.1, more='policy = { phi = "quarantine" }\n') as live:
        live.until_ready()
        (live.share / "one.txt").write_text(NOTE)
        live.until(lambda: live.query("SELECT state FROM intents") == [("done",)])
        ((item,),) = live.query("SELECT id FROM intents")
        live.until(lambda: f"quarantine on ward as {item}" in live.log.read_text())
        command(live, "quarantine", "restore", item, "--why", "a test")
        live.until(lambda: "left in place on ward" in live.log.read_text())
        assert "action refused" not in live.log.read_text()
        live.config.write_text("[decode\n")
        live.process.send_signal(signal.SIGHUP)
        live.until(lambda: "reload refused: DLP-100" in live.log.read_text())


@pytest.mark.long
def test_a_large_file_that_is_taken_holds_up_no_other(tmp_path):
    """Its copy is encrypted, read back and compared, which takes seconds a gigabyte."""
    with Live(tmp_path, more='policy = { phi = "quarantine" }\n', port=free_port()) as live:
        live.until_ready()
        with (live.share / "large.txt").open("w") as large:
            large.write(LETTER + "\n" * 100)
            large.truncate(2_000_000_000)
        live.until(lambda: live.query("SELECT 1 FROM intents WHERE state = 'held'"), every=0.01)
        (live.share / "small.txt").write_text("minutes of the garden committee")
        live.until(lambda: os.fsencode(live.share / "small.txt") in live.verdicts())
        assert intents(live)[0][1] == "held", "and the copy is still being made"
        live.until(lambda: intents(live)[0][1] == "done", every=0.5)
        assert live.stop() == 0
