"""A file is in the share or whole in our keeping; it comes back as it was, over nothing."""

import os
import random

import pytest

from dlp.errors import RespondError
from dlp.intent import State
from dlp.respond.holding_folder import Place
from dlp.respond.quarantine import Terms
from dlp.respond.system_calls import UNKNOWN_CALL, System, step_down
from tests.support.guarded_share import Guard, digest, everywhere, ref_of, unsealed

ROOT = os.geteuid() == 0
TEXT = b"invented: nobody was ever admitted here\n"


@pytest.fixture
def guard(tmp_path):
    with Guard(tmp_path) as guard:
        yield guard


def save(guard, name, content=TEXT):
    path = guard.root / os.fsdecode(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_it_leaves_the_share_and_lies_encrypted_in_the_vault(guard):
    path = save(guard, "ward/letter.txt")
    outcome = guard.quarantine.apply(guard.ref("ward/letter.txt"), "phi/high")
    assert outcome.done
    assert not path.exists()
    assert everywhere(guard.base) == {digest(TEXT): ["vault"]}
    meta, _ = unsealed(guard.base / "vault" / f"{outcome.undo_token}.blob")
    assert bytes.fromhex(meta["path"]) == b"ward/letter.txt"
    assert [r["what"] for r in guard.ledger.records(outcome.undo_token)] == ["quarantined"]


@pytest.mark.parametrize("change", ["content", "mtime", "replaced", "gone", "link", "fifo", "mode"])
def test_what_changed_since_the_judgement_is_left_alone(guard, change):
    path = save(guard, "a.txt")
    ref = guard.ref("a.txt")
    if change == "content":
        path.write_bytes(TEXT.upper())
    elif change == "mtime":
        os.utime(path, ns=(1, ref.mtime_ns))
    elif change == "mode":
        path.chmod(0o600)
        path.chmod(0o644)
    else:
        path.unlink()
        {
            "replaced": lambda: path.write_bytes(TEXT),
            "gone": lambda: None,
            "link": lambda: path.symlink_to("/etc/hostname"),
            "fifo": lambda: os.mkfifo(path),
        }[change]()
    before = sorted(os.listdir(guard.root))
    assert not guard.quarantine.apply(ref).done
    assert sorted(os.listdir(guard.root)) == before
    assert everywhere(guard.base).keys() <= {digest(TEXT), digest(TEXT.upper())}
    assert guard.journal.items() == []


def test_a_file_that_somebody_writes_is_left_alone(guard):
    path = save(guard, "a.txt")
    with path.open("ab"):
        assert guard.quarantine.apply(guard.ref("a.txt")).detail == "open for writing"
    assert guard.quarantine.apply(guard.ref("a.txt")).done


def full_dress(path):
    with path.open("wb") as out:
        out.write(b"start" + b"x" * 5000)
        out.seek(2_000_000)
        out.write(b"end")
        out.truncate(3_000_000)
    os.setxattr(path, "user.DOSATTRIB", b"\x00\x01binary")
    if ROOT:
        os.chown(path, 1234, 2345)
        os.setxattr(path, "security.NTACL", b"acl" * 20)
        entries = [(1, 6, -1), (2, 4, 4321), (4, 4, -1), (16, 6, -1), (32, 0, -1)]
        acl = b"\x02\0\0\0" + b"".join(
            t.to_bytes(2, "little")
            + p.to_bytes(2, "little")
            + (i & 0xFFFFFFFF).to_bytes(4, "little")
            for t, p, i in entries
        )
        os.setxattr(path, "system.posix_acl_access", acl)
    os.chmod(path, 0o2640)
    os.utime(path, ns=(1_600_000_000_123_456_789, 1_500_000_000_987_654_321))


def dress_of(path):
    seen = os.stat(path)
    names = ("st_mode", "st_uid", "st_gid", "st_size", "st_mtime_ns", "st_atime_ns")
    attributes = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    return {name: getattr(seen, name) for name in names} | attributes, seen.st_blocks


def test_owner_mode_acl_attributes_times_and_holes_come_back(guard):
    path = save(guard, "dressed.bin")
    full_dress(path)
    (before, blocks), content = dress_of(path), path.read_bytes()
    os.utime(path, ns=(before["st_atime_ns"], before["st_mtime_ns"]))
    taken = guard.quarantine.apply(guard.ref("dressed.bin"))
    assert guard.restore.apply(taken.undo_token).done
    after, blocks_after = dress_of(path)
    assert after == before
    assert abs(blocks_after - blocks) <= 8
    assert path.read_bytes() == content


def test_a_restore_never_overwrites_and_is_not_taken_again(guard):
    path = save(guard, "a.txt")
    taken = guard.quarantine.apply(guard.ref("a.txt"))
    path.write_bytes(b"a newer file of the same name")
    given = guard.restore.apply(taken.undo_token, "asked for")
    assert given.done
    assert "beside" in given.detail
    assert path.read_bytes() == b"a newer file of the same name"
    assert (guard.root / "a (restored).txt").read_bytes() == TEXT
    again = guard.quarantine.apply(guard.ref("a (restored).txt"))
    assert not again.done
    assert "allowed" in again.detail
    with pytest.raises(RespondError, match="restored cannot be restored"):
        guard.restore.apply(taken.undo_token)


def test_missing_folders_are_made_again_like_their_parent(guard):
    save(guard, "x/y/z/a.txt")
    taken = guard.quarantine.apply(guard.ref("x/y/z/a.txt"))
    for folder in ("x/y/z", "x/y"):
        os.rmdir(guard.root / folder)
    os.chmod(guard.root / "x", 0o2750)
    assert guard.restore.apply(taken.undo_token).done
    assert (guard.root / "x/y/z/a.txt").read_bytes() == TEXT
    assert os.stat(guard.root / "x/y/z").st_mode & 0o7777 == 0o2750


def test_every_other_name_is_taken_and_given_back(guard):
    path = save(guard, "a.txt")
    (guard.root / "sub").mkdir()
    for other in ("b.txt", "sub/c.txt"):
        os.link(path, guard.root / other)
    os.link(path, guard.base / "outside.txt")
    taken = guard.quarantine.apply(guard.ref("a.txt"))
    assert taken.done
    assert [p for p in guard.root.rglob("*") if p.is_file()] == []
    assert "1 other names remain" in guard.journal.get(taken.undo_token).trouble
    assert guard.restore.apply(taken.undo_token).done
    inodes = {os.stat(guard.root / name).st_ino for name in ("a.txt", "b.txt", "sub/c.txt")}
    assert len(inodes) == 1


def test_the_notice_says_the_case_and_nothing_else(tmp_path):
    with Guard(tmp_path, terms=Terms(contact="privacy@example.org")) as guard:
        path = save(guard, "Marker_Surname_hiv.txt", b"Marker content")
        os.chmod(path, 0o640)
        taken = guard.quarantine.apply(guard.ref(path.name))
        note = guard.root / f"{path.name}.quarantined.txt"
        text = note.read_text()
        assert taken.undo_token in text
        assert "privacy@example.org" in text
        assert "arker" not in text
        assert "allowed" in guard.quarantine.apply(guard.ref(note.name)).detail
        guard.restore.apply(taken.undo_token)
        assert os.listdir(guard.root) == [path.name]


def test_hostile_names_go_and_come_back(guard):
    names = [b"\xff\xfe.txt", b"new\nline", b"-rf", b"'; DROP TABLE", b" trailing ", b"\x1b[2J",
             b"a" * 255, "\u202etxt.exe".encode(), b"...", "😀".encode()]  # fmt: skip
    for name in names:
        save(guard, name, TEXT + name)
    items = [guard.quarantine.apply(guard.ref(name)).undo_token for name in names]
    assert os.listdir(guard.root) == []
    assert all(guard.restore.apply(item).done for item in items)
    assert sorted(os.listdir(os.fsencode(guard.root))) == sorted(names)


def test_a_path_beyond_path_max_can_be_taken(guard):
    fd = os.open(guard.root, os.O_RDONLY)
    for _ in range(30):
        os.mkdir(b"d" * 200, dir_fd=fd)
        below = os.open(b"d" * 200, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    with open(os.open(b"a.txt", os.O_CREAT | os.O_WRONLY, dir_fd=fd), "wb") as out:
        out.write(TEXT)
    seen = os.stat(b"a.txt", dir_fd=fd)
    ref = ref_of(guard.base, b"anchor/../share".split(b"/")[-1])
    path = b"/".join([b"d" * 200] * 30 + [b"a.txt"])
    numbers = dict(device=seen.st_dev, inode=seen.st_ino, size_bytes=seen.st_size,
                   mtime_ns=seen.st_mtime_ns, ctime_ns=seen.st_ctime_ns)  # fmt: skip
    ref = type(ref)("clinic", path, **numbers)
    taken = guard.quarantine.apply(ref)
    assert taken.done, taken
    assert os.listdir(fd) == []
    assert guard.restore.apply(taken.undo_token).done
    assert os.listdir(fd) == ["a.txt"]
    os.close(fd)


@pytest.mark.parametrize("path", [b"../x", b"a/../x", b"/etc", b"a//b", b"."])
def test_no_path_leads_out_of_the_share(guard, path):
    with pytest.raises(OSError, match="plain components"), guard.place.folder(path):
        pass


def test_old_kernels_are_served_by_steps_and_links(guard, monkeypatch):
    def refuse(*_):
        raise OSError(next(iter(UNKNOWN_CALL)), "no such call")

    monkeypatch.setattr("dlp.respond.system_calls._renameat2", refuse)
    monkeypatch.setattr(
        System, "open_folder", lambda self, root, rel: step_down(root, rel) if rel else os.dup(root)
    )
    save(guard, "sub/a.txt")
    taken = guard.quarantine.apply(guard.ref("sub/a.txt"))
    assert taken.done
    save(guard, "sub/a.txt", b"other")
    assert guard.restore.apply(taken.undo_token).done
    assert (guard.root / "sub/a.txt").read_bytes() == b"other"
    refused = guard.replace.apply(guard.ref("sub/a.txt"), [b"clean"])
    assert not refused.done
    assert (guard.root / "sub/a.txt").read_bytes() == b"other"


def test_retention_hold_and_release(guard):
    for number in range(10):
        save(guard, f"{number}.txt", b"%d" % number)
    items = [guard.quarantine.apply(guard.ref(f"{n}.txt")).undo_token for n in range(10)]
    for item in items[:3]:
        guard.journal.set_hold(item, "litigation 7")
    now = guard.journal.get(items[0]).expires_at
    assert not any(guard.purge.apply(item, now=now - 60) for item in items)
    assert [guard.purge.apply(item, now=now + 60) for item in items] == [False] * 3 + [True] * 7
    assert len(guard.vault.items()) == 3
    guard.journal.set_hold(items[0], "")
    guard.restore.apply(items[0])
    assert guard.purge.apply(items[0], now=0, released=True)
    assert not guard.purge.apply(items[1], now=0, released=True), "on hold"
    purged = [r for r in guard.ledger.records() if r["what"] == "purged"]
    assert len(purged) == 8
    assert guard.ledger.verify() == []


def test_the_original_is_kept_and_the_clean_copy_stands_in_its_place(guard):
    path = save(guard, "a.txt")
    path.chmod(0o640)
    done = guard.replace.apply(guard.ref("a.txt"), [b"invented: ", b"[removed]\n"])
    assert done.done, done
    assert path.read_bytes() == b"invented: [removed]\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert everywhere(guard.base) == {digest(TEXT): ["vault"], digest(path.read_bytes()): ["share"]}
    assert "allowed" in guard.replace.apply(guard.ref("a.txt"), [b"again"]).detail
    assert guard.restore.apply(done.undo_token).done
    assert (guard.root / "a (restored).txt").read_bytes() == TEXT


def test_a_file_saved_between_judgement_and_exchange_is_given_back(guard, monkeypatch):
    path = save(guard, "a.txt")
    ref = guard.ref("a.txt")
    real = System.exchange

    def meddle(self, *names):
        monkeypatch.setattr(System, "exchange", real)
        path.write_bytes(b"saved just now")
        real(self, *names)

    monkeypatch.setattr(System, "exchange", meddle)
    assert not guard.replace.apply(ref, [b"clean"]).done
    assert everywhere(guard.base) == {digest(b"saved just now"): ["share"]}


def test_names_that_share_the_inode_forbid_replacing(guard):
    os.link(save(guard, "a.txt"), guard.root / "b.txt")
    assert "other names" in guard.replace.apply(guard.ref("a.txt"), [b"clean"]).detail


def test_the_holding_folder_must_be_private(tmp_path):
    (tmp_path / "share").mkdir()
    (tmp_path / "hold").mkdir(mode=0o755)
    place = Place("clinic", os.fsencode(tmp_path / "share"), os.fsencode(tmp_path / "hold"))
    with pytest.raises(RespondError, match="others can reach"):
        assert place.hold
    place.close()


def test_by_default_files_are_held_beside_the_share(tmp_path):
    (tmp_path / "share").mkdir()
    place = Place("clinic", os.fsencode(tmp_path / "share"))
    assert place.holding == os.fsencode(tmp_path / ".dlp-hold-clinic")
    place.close()


def test_a_held_file_that_is_still_written_waits(guard, monkeypatch):
    """A writer that got in before the rename goes on; the evidence is its last word."""
    path = save(guard, "a.txt")
    writer = path.open("ab", buffering=0)
    monkeypatch.setattr(System, "being_written", lambda self, fd: False)
    ref = guard.ref("a.txt")
    monkeypatch.undo()
    real = System.being_written
    asked = []

    def first_time_blind(self, fd):
        asked.append(fd)
        return len(asked) > 1 and real(self, fd)

    monkeypatch.setattr(System, "being_written", first_time_blind)
    blocked = guard.quarantine.apply(ref)
    assert blocked.detail == "blocked: still being written"
    writer.write(b"more")
    writer.close()
    assert [outcome.done for outcome in guard.recovery.run()] == [True]
    assert everywhere(guard.base) == {digest(TEXT + b"more"): ["vault"]}


def test_open_items_of_another_share_are_not_touched(guard):
    assert guard.journal.open_items("elsewhere") == []
    assert guard.journal.counts() == {}
    assert State.INTENT in State


def test_random_actions_keep_every_content_somewhere(guard):
    chance = random.Random(5)
    contents = {}
    for number in range(20):
        contents[f"{number}.txt"] = chance.randbytes(chance.randrange(0, 3000)) + b"%d" % number
        save(guard, f"{number}.txt", contents[f"{number}.txt"])
    some = [name for name in contents if chance.random() < 0.7]
    items = [guard.quarantine.apply(guard.ref(name)).undo_token for name in some]
    for item in items:
        if chance.random() < 0.5:
            guard.restore.apply(item)
    lies = everywhere(guard.base)
    assert {digest(content) for content in contents.values()} == lies.keys()


def test_what_is_given_back_is_allowed_before_anybody_can_see_it(tmp_path):
    """A daemon may judge the restored file before the restore has come to its end."""
    with Guard(tmp_path) as guard:
        (guard.root / "a.txt").write_bytes(b"text")
        item = guard.quarantine.apply(guard.ref("a.txt")).undo_token
        seen = []
        give = guard.place.system.rename

        def watched(*names):
            give(*names)
            seen.append(guard.quarantine.apply(guard.ref("a.txt")).detail)

        guard.place.system.rename = watched
        assert guard.restore.apply(item).done
        assert seen == ["allowed: this very content was given back"]
        assert (guard.root / "a.txt").read_bytes() == b"text"
