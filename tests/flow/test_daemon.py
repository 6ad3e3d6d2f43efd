"""Every file that comes to rest on a share gets a verdict, however it came and whatever dies."""

import ctypes
import mmap
import os
import random
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from dlp import demo_share
from dlp.triage.shortcut import LONG
from tests.flow.live import GRACE, Live

pytestmark = pytest.mark.timeout(600)
NOTE = "Patient Jane Miller, MRN 4711223, was diagnosed with hepatitis B. Call 212-555-0147.\n"
HEPATITIS = '[[concept]]\nid = "D006509"\nname = "Hepatitis B"\nvalue = 0.95\n'
HOSTILE = [
    b"not-utf8-\xff\xfe.txt",
    b"new\nline.txt",
    b"escape\x1b[2J.txt",
    b"<img src=x onerror=alert(1)>.txt",
    b"-rf",
    b"quote'\";--.txt",
    "\u202etxt.exe".encode(),
    b"l" * 251 + b".txt",
    b"trailing space ",
    b"trailing dot.",
    b"nul%00like\x01.txt",
    "📄🩺.txt".encode(),
]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    """One daemon for all tests that only look: starting it loads all the knowledge."""
    with Live(tmp_path_factory.mktemp("daemon")) as live:
        live.until_ready()
        yield live


@pytest.fixture
def live(daemon, request):
    """The daemon, with the test's own folder in place of the share."""
    folder = daemon.share / request.node.name[:40]
    folder.mkdir()
    return daemon.within(folder)


def test_the_eight_routes_of_writing(live):
    share, outside = live.share, live.outside / "outside.txt"
    (share / "plain.txt").write_text(NOTE)
    (share / "t1.tmp").write_text(NOTE)
    (share / "t1.tmp").rename(share / "renamed.txt")
    outside.write_text(NOTE)
    os.link(outside, share / "linked.txt")
    (live.outside / "moved.txt").write_text(NOTE)
    (live.outside / "moved.txt").rename(share / "moved.txt")
    anonymous = os.open(share, os.O_TMPFILE | os.O_RDWR, 0o600)
    os.write(anonymous, NOTE.encode())
    libc = ctypes.CDLL(None, use_errno=True)
    source = f"/proc/self/fd/{anonymous}".encode()
    assert libc.linkat(-100, source, -100, os.fsencode(share / "unnamed.txt"), 0x400) == 0
    os.close(anonymous)
    with (share / "mapped.txt").open("w+b") as mapped:
        mapped.truncate(len(NOTE))
        with mmap.mmap(mapped.fileno(), len(NOTE)) as memory:
            memory[:] = NOTE.encode()
    with (share / "appended.txt").open("w") as slow:
        for word in NOTE.split():
            slow.write(word + " ")
            slow.flush()
            time.sleep(0.01)
    names = ["plain", "renamed", "linked", "moved", "unnamed", "mapped", "appended"]
    paths = [os.fsencode(share / f"{name}.txt") for name in names]
    live.until(lambda: all(live.verdicts().get(path) == "phi" for path in paths))
    # truncate by path: a change with nothing but MODIFY to tell of it
    os.truncate(share / "plain.txt", 0)
    live.until(lambda: live.verdicts().get(os.fsencode(share / "plain.txt")) != "phi")


def test_a_write_through_a_link_outside_is_found_by_the_next_sweep(tmp_path):
    with Live(tmp_path, sweep=1.0) as live:
        live.until_ready()
        outside = tmp_path / "outside.txt"
        outside.write_text("nothing here\n")
        os.link(outside, live.share / "in.txt")
        path = os.fsencode(live.share / "in.txt")
        live.until(lambda: path in live.verdicts())
        before = outside.stat()
        outside.write_text(NOTE[: before.st_size].ljust(before.st_size))
        outside.write_text(NOTE)
        os.utime(outside, ns=(before.st_atime_ns, before.st_mtime_ns))
        live.until(lambda: live.verdicts()[path] == "phi")


def test_hostile_names_and_special_files(live):
    share = os.fsencode(live.share)
    for name in HOSTILE:
        with open(os.path.join(share, name), "w") as out:
            out.write(NOTE)
    depth = os.open(share, os.O_RDONLY)
    for _ in range(30):  # a path of 6,000 bytes
        os.mkdir(b"d" * 200, dir_fd=depth)
        below = os.open(b"d" * 200, os.O_RDONLY, dir_fd=depth)
        os.close(depth)
        depth = below
    deep = os.open(b"deep.txt", os.O_WRONLY | os.O_CREAT, dir_fd=depth)
    os.write(deep, NOTE.encode())
    os.close(deep)
    os.close(depth)
    os.mkfifo(live.share / "report.pdf")
    os.symlink("nowhere", live.share / "dangling.txt")
    os.symlink(".", live.share / "loop")
    paths = [os.path.join(share, name) for name in HOSTILE]
    longest = os.path.join(share, *[b"d" * 200] * 30, b"deep.txt")
    live.until(lambda: all(live.verdicts().get(path) == "phi" for path in [*paths, longest]))
    live.until(lambda: os.path.join(share, b"report.pdf") in live.verdicts())
    assert all(line.isascii() and line.isprintable() for line in live.log.read_text().splitlines())


def test_office_saves_give_one_verdict_on_the_final_name(live):
    document, temporary = live.share / "letter.txt", live.share / "~WRD0001.tmp"
    for round_ in range(5):
        temporary.write_text(NOTE + str(round_))
        if document.exists():
            document.rename(live.share / "~WRL0002.tmp")
        temporary.rename(document)
        (live.share / "~WRL0002.tmp").unlink(missing_ok=True)
    (live.share / "~$letter.txt").write_bytes(b"x" * 162)
    (live.share / "left.tmp").write_text(NOTE)  # a program died: judged once the grace is over
    left = os.fsencode(live.share / "left.tmp")
    written = (live.share / "left.tmp").stat().st_mtime
    live.until(lambda: os.fsencode(document) in live.verdicts())
    live.until(lambda: live.verdicts().get(left) == "phi")
    query = f"SELECT judged_at FROM files WHERE path = X'{left.hex()}'"
    assert live.query(query)[0][0] > written + GRACE - 0.1, "its grace was not over"
    assert live.verdicts().keys() == {os.fsencode(document), left}


def test_a_file_is_judged_only_when_its_writer_is_done(live):
    path = os.fsencode(live.share / "slow.txt")
    with open(path, "w") as out:
        out.write("nothing yet\n")
        out.flush()
        time.sleep(1.0)
        assert path not in live.verdicts()
        out.write(NOTE)
    live.until(lambda: path in live.verdicts())
    assert live.verdicts()[path] == "phi"


def test_what_leaves_the_share_leaves_the_catalogue(live):
    (live.share / "folder").mkdir()
    for number in range(5):
        (live.share / "folder" / f"{number}.txt").write_text(NOTE)
    live.until(lambda: len(live.verdicts()) == 5)
    (live.share / "folder" / "0.txt").unlink()
    live.until(lambda: len(live.verdicts()) == 4)
    (live.share / "folder").rename(live.outside / "elsewhere")
    live.until(lambda: live.verdicts() == {})
    # back in the very same state, for moving a folder changes nothing of its files
    (live.outside / "elsewhere").rename(live.share / "folder")
    live.until(lambda: len(live.verdicts()) == 4)


def test_a_share_that_is_gone_is_not_a_share_without_files(tmp_path):
    with Live(tmp_path, sweep=0.5, port=free_port()) as live:
        (live.share / "one.txt").write_text(NOTE)
        live.until(live.verdicts)
        live.share.rename(tmp_path / "unplugged")
        live.until(lambda: live.metric('dlp_share_available{share="ward"}') == 0)
        time.sleep(1.0)
        assert live.verdicts()
        assert "share" in live.page("readyz")
        (tmp_path / "unplugged").rename(live.share)
        (live.share / "two.txt").write_text(NOTE)
        live.until(lambda: len(live.verdicts()) == 2)


def test_reload_judges_again_what_it_can_matter_to_and_stops_cleanly(tmp_path, monkeypatch):
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path / "knowledge"))
    with Live(tmp_path) as live:
        live.until_ready()
        (live.share / "novel.txt").write_text(
            demo_share.NOVEL * (1 + LONG // len(demo_share.NOVEL))
        )
        (live.share / "one.txt").write_text(NOTE)
        live.until(lambda: len(live.verdicts()) == 2)
        before = judged_by(live)
        (tmp_path / "knowledge").mkdir()
        (tmp_path / "knowledge" / "sensitivity.toml").write_text(HEPATITIS)
        reload_and_stop(live, before[b"one.txt"])
        assert judged_by(live)[b"novel.txt"] == before[b"novel.txt"], "no detector ever read it"


def judged_by(live):
    rows = live.query("SELECT path, rules_version FROM files")
    return {os.path.basename(path): version for path, version in rows}


def reload_and_stop(live, before):
    live.process.send_signal(signal.SIGHUP)
    (live.share / "two.txt").write_text(NOTE)
    live.until(lambda: len(live.verdicts()) == 3)
    live.until(lambda: judged_by(live)[b"one.txt"] != before)
    good = live.config.read_text()
    live.config.write_text("[nonsense]\n")
    live.process.send_signal(signal.SIGHUP)
    live.until(lambda: b"reload refused" in live.log.read_bytes())
    live.config.write_text(good)
    (live.share / "three.txt").write_text(NOTE)
    live.until(lambda: len(live.verdicts()) == 4)
    assert live.stop() == 0
    # what the reload made due again may still wait; nothing may stay in a dead process's hand
    assert live.query("SELECT count(*) FROM jobs WHERE state IN ('leased', 'aside')") == [(0,)]


def test_what_the_policy_says_is_done_and_nothing_else(tmp_path):
    more = 'policy = { phi = "quarantine" }\n'
    with Live(tmp_path, more=more, port=free_port()) as live:
        live.until_ready()
        (live.share / "note.txt").write_text(NOTE)
        (live.share / "menu.txt").write_text("Soup on Monday, pasta on Tuesday.\n")
        taken = 'dlp_actions_total{action="quarantine",share="ward"}'
        live.until(lambda: live.metric(taken) == 1)
        assert not (live.share / "note.txt").exists()
        live.until(lambda: os.fsencode(live.share / "menu.txt") in live.verdicts())
        assert (live.share / "menu.txt").exists()
        assert live.query("SELECT action, state FROM intents") == [("quarantine", "done")]
        assert live.stop() == 0


def test_the_service_manager_hears_of_it(tmp_path):
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(address))
        manager.settimeout(240)
        live = Live(tmp_path)
        live.start(NOTIFY_SOCKET=str(address), WATCHDOG_USEC="900000")
        with live.process:
            heard = [manager.recv(4096).decode()]
            while not heard[-1].startswith("READY=1"):
                heard.append(manager.recv(4096).decode())
            started = time.monotonic()
            pings = 0
            while pings < 3:
                pings += manager.recv(4096) == b"WATCHDOG=1"
            assert time.monotonic() - started < 60
            live.process.terminate()
            while heard[-1] != "STOPPING=1":
                heard.append(manager.recv(4096).decode())
            assert live.process.wait(30) == 0


def too_few_watches(tmp_path, *, watches, before, after):
    limit = f'echo {watches} > /proc/sys/user/max_inotify_watches; exec "$@"'
    prefix = ["unshare", "--user", "--map-root-user", "sh", "-c", limit, "sh"]
    if subprocess.run([*prefix[:3], "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("user namespaces are not allowed here")
    folders = [tmp_path / "share" / f"d{number}" for number in range(before)]
    for folder in folders:
        folder.mkdir(parents=True)
    with Live(tmp_path, prefix=prefix, port=free_port()) as live:
        live.until_ready()
        folders += [live.share / f"late{number}" for number in range(after)]
        for folder in folders:
            folder.mkdir(exist_ok=True)
            (folder / "note.txt").write_text(NOTE)
        live.until(lambda: not live.missing() and len(live.verdicts()) == len(folders))
        live.until(lambda: live.metric('dlp_degraded{reason="watch_limit"}') == 1)
        # late folders are counted when the next sweep meets the limit
        live.until(lambda: live.metric("dlp_blind_directories") >= before + after - watches)
        assert "watch_limit" in live.page("readyz")


def test_too_few_watches_is_shown_and_costs_no_file(tmp_path):
    too_few_watches(tmp_path, watches=30, before=60, after=20)


class Burst:
    """Writes files in every manner."""

    def __init__(self, share: Path, seed: int):
        self._share, self.random = share, random.Random(seed)
        self.written = 0

    def write(self, files):
        until = self.written + files
        while self.written < until:
            getattr(self, self.random.choice(["plain", "rename", "rename", "nested", "tree"]))()

    def plain(self):
        self.put(self._share / f"p{self.written}.txt")

    def rename(self):
        temporary = self._share / f"save{self.written}.tmp"
        self.put(temporary)
        temporary.rename(self._share / f"r{self.written}.txt")

    def nested(self):
        folder = self._share / f"n{self.written}" / "b" / "c"
        folder.mkdir(parents=True)
        for _ in range(2):
            self.put(folder / f"{self.written}.txt")

    def tree(self):
        outside = self._share.parent / f"tree{self.written}"
        (outside / "sub").mkdir(parents=True)
        for _ in range(2):
            self.put(outside / "sub" / f"{self.written}.txt")
        outside.rename(self._share / f"t{self.written}")

    def put(self, path):
        path.write_text(f"note {self.written}\n")
        self.written += 1


def burst(live, *, files, kills, limit):
    """Files arrive while the daemon is paused and while it works; it dies at random moments."""
    writer = Burst(live.share, seed=7)
    batch = -(-files // (2 * kills))
    for _ in range(kills):
        live.until_ready()
        live.process.send_signal(signal.SIGSTOP)
        writer.write(batch)
        live.process.send_signal(signal.SIGCONT)
        time.sleep(writer.random.uniform(0.0, 2.0))
        writer.write(batch)
        live.kill()
        live.start()
    assert writer.written >= files
    live.until(lambda: len(live.verdicts()) >= writer.written, limit, every=1.0)
    live.until(lambda: not live.missing(), limit, every=1.0)


@pytest.mark.timeout(900)
def test_a_burst_with_pauses_and_kills_misses_nothing(tmp_path):
    with Live(tmp_path) as live:
        burst(live, files=1000, kills=3, limit=200)
        assert live.stop() == 0
        assert live.query("SELECT count(*) FROM jobs WHERE state = 'aside'") == [(0,)]


QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thirty_thousand_files_with_a_short_queue_and_twenty_kills(tmp_path):
    if not os.access(QUEUE, os.W_OK):
        pytest.skip("only root can shorten the kernel's queue")
    former = QUEUE.read_text()
    QUEUE.write_text("1024")
    try:
        with Live(tmp_path) as live:
            burst(live, files=30_000, kills=20, limit=1800)
            assert live.stop() == 0
            assert live.query("SELECT count(*) FROM jobs WHERE state = 'aside'") == [(0,)]
            overflows = live.log.read_text().count("events were lost")
            print(f"{len(live.verdicts())} verdicts, {overflows} overflows seen")  # noqa: T201 - the figure
            assert overflows, "without an overflow this proves nothing"
    finally:
        QUEUE.write_text(former)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_three_hundred_directories_with_a_hundred_watches(tmp_path):
    too_few_watches(tmp_path, watches=100, before=200, after=100)


def test_watching_once_judges_a_hundred_files_and_two_hundred(tmp_path):
    """As many as the intake commits by itself, so that nothing waits in it when the sweep ends."""
    live = Live(tmp_path, grace=0.1)
    for many in (100, 200):
        for number in range(many - len(live.verdicts())):
            (live.share / f"{many}-{number}.txt").write_text(f"List of screws {number}\n")
        assert live.once() == 0
        assert len(live.verdicts()) == many
        assert live.missing() == set()
