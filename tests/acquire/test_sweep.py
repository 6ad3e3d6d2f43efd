"""A sweep finds exactly what differs from what is known, and never takes absence on hearsay."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.acquire.judged_state import Key, Known, key_of
from dlp.acquire.sweep import Changed, Departed, Sweep, available
from dlp.errors import StoreError

VERSION = "r1"


@pytest.fixture
def known(tmp_path):
    one = Known(tmp_path / "state" / "known.db")
    yield one
    one.close()


@pytest.fixture
def share(tmp_path):
    (tmp_path / "share").mkdir()
    return tmp_path / "share"


def sweep(share, known, version=VERSION, **options):
    """Sweep and take note, as the daemon does."""
    changed, departed = set(), set()
    for found in Sweep("ward", os.fsencode(share), known, {version}, **options):
        if isinstance(found, Changed):
            changed.add(found.relative)
            known.judged("ward", found.relative, key_of(found.ref), version)
        elif isinstance(found, Departed):
            departed.add(found.relative)
            known.gone("ward", found.relative)
    known.bury()
    return changed, departed


def test_only_differences(share, known):
    (share / "a").write_text("1")
    (share / "d").mkdir()
    (share / "d" / "b").write_text("1")
    assert sweep(share, known) == ({b"a", b"d/b"}, set())
    assert sweep(share, known) == (set(), set())
    (share / "a").unlink()
    assert sweep(share, known) == (set(), {b"a"})
    shutil.rmtree(share / "d")
    assert sweep(share, known) == (set(), {b"d/b"})
    assert known.count("ward") == 0


def test_same_size_and_time_put_back_is_still_a_change(share, known):
    (share / "a").write_text("one")
    sweep(share, known)
    before = (share / "a").stat()
    (share / "a").write_text("two")
    os.utime(share / "a", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert sweep(share, known) == ({b"a"}, set())


def test_new_rules_make_everything_new(share, known):
    (share / "a").write_text("one")
    sweep(share, known)
    assert sweep(share, known, "r2") == ({b"a"}, set())


def test_what_the_new_rules_cannot_change_is_passed_by(share, known):
    for name, version in (("set aside", "triage 1"), ("read", "rules 1")):
        (share / name).write_text(name)
        (found,) = look(share, known, {"triage 1", "rules 1"})
        known.judged("ward", found.relative, key_of(found.ref), version)
    assert look(share, known, {"triage 1", "rules 1"}) == []
    assert [one.relative for one in look(share, known, {"triage 1", "rules 2"})] == [b"read"]
    assert len(look(share, known, {"triage 2", "rules 3"})) == 2


def look(share, known, versions):
    found = Sweep("ward", os.fsencode(share), known, versions)
    return [one for one in found if one is not None]


def test_what_left_is_met_again_until_it_is_buried(share, known):
    """A crash may come before the verdict is forgotten: then the next sweep has to say so again."""
    for name in ("left", "back"):
        (share / name).write_text("one")
    sweep(share, known)
    for name in (b"left", b"back"):
        assert known.gone("ward", name)
    known.commit()
    (share / "left").unlink()
    (back,) = [one for one in look(share, known, {VERSION}) if isinstance(one, Changed)]
    assert back.relative == b"back", "the same file in the same state, and yet unjudged"
    assert Departed(b"left") in look(share, known, {VERSION})
    known.judged("ward", b"back", key_of(back.ref), VERSION)
    known.bury()
    assert look(share, known, {VERSION}) == [], "judged again is not buried"


def test_a_subtree_says_nothing_about_the_rest(share, known):
    for folder in ("x", "y"):
        (share / folder).mkdir()
        (share / folder / "f").write_text("1")
    sweep(share, known)
    shutil.rmtree(share / "y")
    assert sweep(share, known, start=b"x") == (set(), set())
    assert sweep(share, known) == (set(), {b"y/f"})


def test_an_unreadable_directory_keeps_its_files(share, known, monkeypatch):
    (share / "d").mkdir()
    (share / "d" / "f").write_text("1")
    sweep(share, known)
    real = os.scandir

    def refuse(where):
        if isinstance(where, int) and os.readlink(f"/proc/self/fd/{where}").endswith("/d"):
            raise OSError(5, "input/output error")
        return real(where)

    monkeypatch.setattr(os, "scandir", refuse)
    changed, departed = sweep(share, known)
    assert (changed, departed) == ({b"d"}, set())
    monkeypatch.undo()
    assert sweep(share, known)[0] == set()
    assert known.file("ward", b"d/f") is not None


def test_directories_are_told_before_they_are_listed(share, known):
    (share / "d").mkdir()
    late = share / "d" / "late"

    def entered(relative, fd):
        if relative == b"d":
            late.write_text("written between the watch and the listing")

    assert sweep(share, known, on_directory=entered)[0] == {b"d/late"}


def test_own_directories_are_passed_by(share, known):
    (share / "vault").mkdir()
    (share / "vault" / "f").write_text("1")
    own = (share / "vault").stat()
    assert sweep(share, known, exclude=[(own.st_dev, own.st_ino)]) == (set(), set())


def test_an_empty_mount_point_is_not_an_empty_share(share):
    device = share.stat().st_dev
    assert available(os.fsencode(share), device, known=5)
    assert not available(os.fsencode(share), device + 1, known=5)
    assert available(os.fsencode(share), device + 1, known=0)
    (share / "f").write_text("1")
    assert available(os.fsencode(share), device + 1, known=5)
    assert not available(os.fsencode(share / "missing"), device, known=5)


def test_known_survives_and_keeps_large_numbers(tmp_path):
    key = key_of_numbers(2**64 - 1, 2**63)
    one = Known(tmp_path / "k.db")
    one.judged("ward", b"a\xff/b\n", key, VERSION)
    one.swept("ward", 7, 12.5)
    one.close()
    again = Known(tmp_path / "k.db")
    assert again.file("ward", b"a\xff/b\n").key == key
    assert (again.device_of("ward"), again.swept_at("ward")) == (7, 12.5)
    again.close()
    assert (tmp_path / "k.db").stat().st_mode & 0o077 == 0


def key_of_numbers(device, inode):
    from dlp.model import FileRef  # noqa: PLC0415 - only here

    return key_of(FileRef("ward", b"", device, inode))


def test_a_table_that_cannot_be_opened_is_our_error(tmp_path):
    (tmp_path / "k.db").write_bytes(b"no database" * 100)
    with pytest.raises(StoreError):
        Known(tmp_path / "k.db")


names = st.lists(st.sampled_from(["a", "b", "c", "a0", "a-"]), min_size=1, max_size=3).map("/".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["put", "gone", "beneath"]), names), max_size=25))
def test_known_behaves_like_a_dictionary(tmp_path_factory, steps):
    known, model = Known(tmp_path_factory.mktemp("k") / "k.db"), {}
    for number, (step, name) in enumerate(steps):
        path = os.fsencode(name)
        if step == "put":
            model[path] = Key(0, 0, 0, 0, number)
            known.judged("ward", path, model[path], VERSION)
        elif step == "gone":
            assert known.gone("ward", path) == (model.pop(path, None) is not None)
            known.bury()
        else:
            inside = {p for p in model if p.startswith(path + b"/")}
            assert set(known.gone_beneath("ward", path)) == inside
            known.bury()
            model = {p: k for p, k in model.items() if p not in inside}
    found = {}
    for folder in known.folders("ward"):
        for name, row in known.folder("ward", folder).items():
            found[bytes(Path(os.fsdecode(folder)) / os.fsdecode(name))] = row.key
    assert found == model
    known.close()
