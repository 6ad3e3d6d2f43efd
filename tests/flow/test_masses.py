"""Many of everything: queued files, planted values, office saves; the short runs and the long."""

import os
import random
import string
import time
from pathlib import Path

import ahocorasick
import pytest

from dlp.acquire.walk import identity_of
from dlp.model import FileRef
from dlp.store.job_queue import Backlog, Priority
from dlp.store.migrations import open_database
from tests.flow.live import Live
from tests.flow.test_daemon import NOTE, free_port
from tests.flow.test_soak import resident_mb

LINKS = 50_000  # to one file, below what ext4 allows
IN_A_FOLDER = 1000


def link_many(share, files):
    """As many names as asked for, of a few files: what is queued really exists."""
    paths = []
    for number in range(files):
        folder = share / f"d{number // IN_A_FOLDER}"
        if number % IN_A_FOLDER == 0:
            folder.mkdir()
        if number % LINKS == 0:
            origin = folder / f"{number}.txt"
            origin.write_text(f"menu of the week {number}\n")
        else:
            os.link(origin, folder / f"{number}.txt")
        paths.append(folder / f"{number}.txt")
    return paths


def queue_up(live, paths):
    (live.state / "dlp").mkdir(parents=True, mode=0o700)
    engine = open_database(live.state / "dlp" / "catalogue.db")
    backlog = Backlog(engine)
    version = "an older version, so that the daemon's own sweep finds them all as well"
    for start in range(0, len(paths), 5000):
        batch = []
        for path in paths[start : start + 5000]:
            seen = path.stat()
            numbers = (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
            ref = FileRef("ward", os.fsencode(path), *identity_of(path), *numbers)
            batch.append((ref, Priority.SWEEP))
        backlog.put(batch, version)
    engine.dispose()


def long_queue(tmp_path, files, *, megabytes, seconds):
    live = Live(tmp_path)
    queue_up(live, link_many(live.share, files))
    with live:
        live.until_ready(900)
        waits, sizes = [], []
        for number in range(5):
            path = live.share / f"just saved {number}.txt"
            path.write_text(NOTE)
            started = time.monotonic()
            query = f"SELECT 1 FROM files WHERE path = X'{os.fsencode(path).hex()}'"
            live.until(lambda query=query: live.query(query), 120)
            waits.append(time.monotonic() - started)
            sizes.append(resident_mb(live.process.pid))
        ((left,),) = live.query("SELECT count(*) FROM jobs WHERE state = 'waiting'")
        print(  # noqa: T201 - the figures
            f"{files} queued, {left} left at the end: saves judged after"
            f" {', '.join(f'{wait:.1f}' for wait in waits)} s; resident {max(sizes):.0f} MB"
        )
        assert left > files // 2, "the queue was not long when it mattered"
        assert max(sizes) < megabytes
        assert max(waits) < seconds


@pytest.mark.timeout(900)
def test_a_save_passes_a_long_queue(tmp_path):
    long_queue(tmp_path, 4000, megabytes=400, seconds=30)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_save_passes_a_million_queued_files(tmp_path):
    long_queue(tmp_path, 1_000_000, megabytes=400, seconds=10)


class Planted:
    """People who do not exist; no two values alike, none that chance could write."""

    def __init__(self, seed):
        self._chance = random.Random(seed)
        self.values = set()

    def _word(self, letters, length):
        word = "".join(self._chance.choice(letters) for _ in range(length))
        self.values.add(word)
        return word

    def person(self):
        surname = self._word(string.ascii_lowercase, 11)
        record = f"QX{self._word(string.digits, 14)}"
        mail = f"{self._word(string.ascii_lowercase, 12)}@example.org"
        street = self._word(string.ascii_lowercase, 10)
        return (
            f"Patient: Jane {surname.capitalize()}, MRN {record}, e-mail {mail},"
            f" 12 {street.capitalize()} Street, was diagnosed with hepatitis B.\n"
        )


def plant(tmp_path, files, *, people=5):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    planted = Planted(seed=23)
    more = (
        'policy = { phi = { critical = "quarantine", high = "notify" } }\n'
        "[breaker]\nactions = 1000000\n"
    )
    live = Live(tmp_path, more=more, port=free_port())
    live.start(TMPDIR=str(temporary))
    with live.process:
        try:
            live.until_ready(300)
            for number in range(files):
                path = live.share / f"{number}.txt"
                path.write_text("".join(planted.person() for _ in range(people)))
            done = "SELECT (SELECT count(*) FROM files) + (SELECT count(*) FROM intents)"
            live.until(lambda: live.query(done)[0][0] >= files, 3000)
            pages = live.page("metrics") + live.page("readyz")
            assert live.stop() == 0
        finally:
            live.process.kill()
    return live, planted.values, pages


def planted_values(tmp_path, files):
    live, values, pages = plant(tmp_path, files)
    places = {"metrics": pages.encode(), "log": live.log.read_bytes()}
    for folder in (live.state, tmp_path / "temporary", tmp_path / ".dlp-hold-ward"):
        for path in filter(Path.is_file, folder.rglob("*")):
            places[str(path)] = path.read_bytes()
    assert any("catalogue.db" in place for place in places)
    # Cells lie next to each other in a database: a value counts wherever it begins.
    wanted, any_of = {value.lower().encode() for value in values}, ahocorasick.Automaton()
    for value in wanted:
        any_of.add_word(value.decode("latin-1"), value)
    any_of.make_automaton()
    assert next(any_of.iter(f"x{min(wanted).decode()}x"), None), "the search itself works"
    leaks = {
        place: number
        for place, content in places.items()
        if (number := sum(1 for _ in any_of.iter(content.lower().decode("latin-1"))))
    }
    print(f"{len(wanted)} values in {files} files, {len(places)} places searched: {leaks}")  # noqa: T201
    assert leaks == {}


@pytest.mark.timeout(900)
def test_planted_values_stay_in_the_share(tmp_path):
    planted_values(tmp_path, 20)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_ten_thousand_planted_values_stay_in_the_share(tmp_path):
    planted_values(tmp_path, 500)


def word(share, number):
    """Word writes beside, moves the old one away, moves the new one in, removes the old one."""
    document, draft = share / f"letter{number}.txt", share / f"~WRD{number % 10000:04}.tmp"
    old = share / f"~WRL{number % 10000:04}.tmp"
    owner = share / f"~$letter{number}.txt"
    owner.write_bytes(b"x" * 162)
    draft.write_text(NOTE + str(number))
    if document.exists():
        document.rename(old)
    draft.rename(document)
    old.unlink(missing_ok=True)
    owner.unlink()
    return document


def excel(share, number):
    """Excel writes under eight hexadecimal digits and renames."""
    document, draft = share / f"table{number}.txt", share / f"{number + 0xA0000000:08X}"
    draft.write_text(NOTE + str(number))
    document.unlink(missing_ok=True)
    draft.rename(document)
    return document


def office_saves(tmp_path, saves, *, pace):
    """Both patterns at 50 saves a second; ten drafts are left behind by programs that died."""
    more = (
        'policy = { phi = "quarantine" }\n[quarantine]\nnote = false\n[breaker]\nactions = 99999\n'
    )
    with Live(tmp_path, more=more, grace=5.0) as live:
        live.until_ready(300)
        names = set()
        for number in range(saves):
            for pattern in (word, excel):
                names.add(pattern(live.share, number).name)
                time.sleep(pace)
        left = [live.share / f"~WRD9{number:03}.tmp" for number in range(10)]
        for path in left:
            path.write_text(NOTE + path.name)  # the program died
        done = "SELECT path FROM intents WHERE state = 'done'"
        live.until(lambda: len(live.query(done)) >= len(names) + 10, 1800)
        taken = sorted(os.fsdecode(path) for (path,) in live.query(done))
        assert taken == sorted(names | {path.name for path in left}), "each once, by its own name"
        assert live.stop() == 0


@pytest.mark.timeout(900)
def test_office_saves_are_taken_by_their_final_names(tmp_path):
    office_saves(tmp_path, 15, pace=0.02)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_thousand_saves_of_each_office_program(tmp_path):
    office_saves(tmp_path, 1000, pace=0.02)
