"""Whatever call a crash or an error falls on, and then another in recovery: nothing is lost."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from dlp.respond.quarantine import Terms
from tests.support.guarded_share import Guard, digest, everywhere, recorded
from tests.support.saboteur import Crash, Saboteur

TEXT = b"invented: the patient of the examples\n"
CLEAN = b"invented: the [person] of the examples\n"
TERMS = Terms(note=True)
STORE = {"begin", "move", "trouble", "get", "open_items", "is_allowed"}
ERRORS = (errno.ENOSPC, errno.EPERM, errno.EIO)


MEMORY = "/dev/shm"


@pytest.fixture
def tmp_path():
    """In memory where there is such a place: ten thousand syncs, and none is what is tested."""
    path = tempfile.mkdtemp(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    yield Path(path)
    shutil.rmtree(path)


def quarantine(guard):
    return guard.quarantine.apply(guard.ref("a.txt"), "phi/high")


def restore(guard):
    (item,) = guard.vault.items()
    if guard.plain_journal.get(item).state == "done":
        return guard.restore.apply(item)
    return None


def replace(guard):
    return guard.replace.apply(guard.ref("a.txt"), [CLEAN[:9], CLEAN[9:]])


def prepare(base, action):
    """A copy of one prepared share: opening a new database each time is most of the cost."""
    template = base.parent / f"template-{action.__name__}"
    if not template.exists():
        make(template, action)
    shutil.copytree(template, base)


def make(base, action):
    base.mkdir()
    with Guard(base, terms=TERMS) as guard:
        (guard.root / "a.txt").write_bytes(TEXT)
        if action is restore:
            assert quarantine(guard).done


def attempt(base, saboteur, act):
    """One run of the daemon: recovery first, then the action; says whether it lived."""
    guard = Guard(base, wrap=saboteur, terms=TERMS)
    try:
        guard.vault.sweep_drafts()
        guard.recovery.run()
        if act is not None:
            act(guard)
    except Crash:
        return False
    finally:
        guard.close()
    return True


def contents(base, place):
    if place == "hold" and not (base / place).exists():
        return []  # the holding folder is made when it is first needed
    return [p.read_bytes() for p in (base / place).iterdir() if "quarantined" not in p.name]


def check(base, action):
    """After the last recovery: one whole copy where the journal says, nothing half-way."""
    rows, events = recorded(base)
    states = [state for _, state, *_ in rows]
    assert set(states) <= {"done", "void", "restored"}
    assert contents(base, "hold") == []
    lies = everywhere(base)
    share = contents(base, "share")
    if action is restore:
        assert states == ["restored"] if share else ["done"]
        assert share in ([], [TEXT])
        assert "vault" in lies[digest(TEXT)]
    elif "done" in states:
        assert share == ([] if action is quarantine else [CLEAN])
        assert lies[digest(TEXT)] == ["vault"]
        done = [item for item, what in events if what in {"quarantined", "replaced"}]
        assert done == [item for item, state, *_ in rows if state == "done"]
    else:
        assert share == [TEXT]
        assert lies[digest(TEXT)] == ["share"]


def count_calls(tmp_path, action):
    base = tmp_path / "counted"
    prepare(base, action)
    saboteur = Saboteur(0)
    assert attempt(base, saboteur, action)
    check(base, action)
    shutil.rmtree(base)
    return saboteur.calls


def scenario(tmp_path, action, first, second=None):
    """Crash at `first`; recover, with a crash at `second`; recover in peace; check."""
    base = tmp_path / "run"
    prepare(base, action)
    try:
        died = not attempt(base, first, action)
        if second is not None:
            attempt(base, second, None)
        assert attempt(base, Saboteur(0), None)
        check(base, action)
        return died
    finally:
        shutil.rmtree(base)


@pytest.mark.parametrize("action", [quarantine, restore, replace])
def test_a_crash_at_every_call(tmp_path, action):
    points = count_calls(tmp_path, action)
    assert points > 20
    for number in range(1, points + 1):
        # Before the call and after it are neighbours' points; every other one is taken so.
        assert scenario(tmp_path, action, Saboteur(number, after=number % 2 == 0)), number


@pytest.mark.parametrize("action", [quarantine, restore, replace])
def test_a_second_crash_in_recovery(tmp_path, action):
    """A spread of pairs; the long version takes all of them."""
    points = count_calls(tmp_path, action)
    for number in range(3, points + 1, 11):
        for again in (3, 9, 14):
            scenario(tmp_path, action, Saboteur(number), Saboteur(again))


@pytest.mark.parametrize("action, step", [(quarantine, "rename"), (replace, "exchange")])
def test_every_second_crash_after_one_where_the_share_changes(tmp_path, action, step):
    """The narrowest place: the journal is ahead of the share, and recovery is cut off as well."""
    (number,) = [
        n
        for n in range(1, count_calls(tmp_path, action) + 1)
        if falls_on(step, n, tmp_path, action)
    ][:1]
    for first_after in (False, True):
        again, alive = 0, False
        while not alive:
            again += 1
            second = Saboteur(again, after=again % 2 == 0)
            scenario(tmp_path, action, Saboteur(number, after=first_after), second)
            alive = not second.dead


def falls_on(step, number, tmp_path, action):
    saboteur = Saboteur(number)
    scenario(tmp_path, action, saboteur)
    return saboteur.where == step


@pytest.mark.parametrize("action", [quarantine, restore, replace])
@pytest.mark.parametrize("code", ERRORS, ids=errno.errorcode.get)
def test_an_error_at_a_spread_of_calls(tmp_path, action, code):
    """The original stays whole, the item waits with its trouble, and drains by itself."""
    sabotage_each(tmp_path, action, code, step=7)


@pytest.mark.long
@pytest.mark.parametrize("action", [quarantine, restore, replace])
@pytest.mark.parametrize("code", ERRORS, ids=errno.errorcode.get)
def test_an_error_at_really_every_call(tmp_path, action, code):
    sabotage_each(tmp_path, action, code, step=1)


def sabotage_each(tmp_path, action, code, step):
    points = count_calls(tmp_path, action)
    for number in range(1 + code % step, points + 1, step):
        saboteur = Saboteur(number, OSError(code, "injected"))
        try:
            scenario(tmp_path, action, saboteur)
        except OSError:
            # Our own store's trouble stops the worker; their files' trouble never does.
            if saboteur.where not in STORE | {"names"}:
                raise


@pytest.mark.long
@pytest.mark.parametrize("action", [quarantine, restore, replace])
def test_every_pair_of_crashes(tmp_path, action):
    points = count_calls(tmp_path, action)
    runs = 0
    for number in range(1, points + 1):
        for after in (False, True):
            again = 1
            while True:
                second = Saboteur(again, after=after)
                scenario(tmp_path, action, Saboteur(number), second)
                runs += 1
                if not second.dead:
                    break
                again += 1
    print(f"{action.__name__}: {points} points, {runs} pairs")  # noqa: T201
