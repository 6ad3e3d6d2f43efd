"""Who can read a file is what the kernel and Samba decide, for every way of saying it."""

import itertools
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.access import (
    Accounts,
    Ace,
    AclEntry,
    Descriptor,
    PosixAcl,
    Rights,
    ShareDefinition,
    Surroundings,
)
from dlp.acquire.access_control import nt_acl, posix_acl, rights_of
from dlp.acquire.share_definitions import parse_shares
from dlp.config import Exposure, Settings
from dlp.engine.exposures import Exposures
from dlp.measure.exposure import Reader, exposure_of, may
from tests.support.open_folders import open_to_others

STAFF, WARD, EVERYBODY = 501, 502, 503
ACCOUNTS = Accounts(
    users={f"u{uid}": uid for uid in range(1000, 1100)} | {"nobody": 65534},
    groups={"staff": STAFF, "ward": WARD, "DOM\\Domain Users": EVERYBODY},
    members={
        STAFF: frozenset(range(1000, 1030)),
        WARD: frozenset({1000, 1001, 1002}),
        EVERYBODY: frozenset(),
        65534: frozenset({65534}),
    },
    logins=100,
)
OPEN_FOLDER = Rights(0, 0, PosixAcl(7, 5, 5))
EVERYONE, AUTHENTICATED, ALICE = "S-1-1-0", "S-1-5-11", "S-1-22-1-1000"
NURSES = "S-1-5-21-1-2-3-1107"
FULL = 0x1F01FF
READ = 0x120089
WRITE = 0x120116


def file(mode, uid=1000, gid=STAFF, named=(), mask=7, nt=None):
    owner, group, other = (int(digit) for digit in f"{mode:03o}")
    entries = tuple(AclEntry(*one) for one in named)
    return Rights(uid, gid, PosixAcl(owner, group, other, mask, entries), nt)


def reached(own, *, above=(OPEN_FOLDER,), shares=(), sizes=None):
    around = Surroundings(tuple(above), tuple(shares), ACCOUNTS, 100, sizes or {})
    return tuple(map(str, exposure_of(own, around)))


def descriptor(*aces, owner="S-1-22-1-1000", group="S-1-22-2-501"):
    return Descriptor(owner, group, tuple(Ace(*ace) for ace in aces))


def share(**settings):
    return ShareDefinition("ward", b"/srv/ward", **settings)


@pytest.mark.parametrize(
    "own, answer",
    [
        (file(0o600), ("private", "1")),
        (file(0o000), ("private", "1")),  # the owner can change that
        (file(0o640, gid=WARD), ("few", "3")),
        (file(0o640), ("group", "30")),
        (file(0o644), ("everyone", "100")),
        (file(0o640, gid=777), ("group", "26")),  # a group nobody here can list
        (file(0o640, uid=0, gid=0), ("private", "1")),
        (file(0o640, gid=EVERYBODY), ("organisation", "100")),
        (file(0o600, named=[(False, 1001, 4)]), ("few", "2")),
        (file(0o600, named=[(False, 1001, 4)], mask=0), ("private", "1")),
        (file(0o600, named=[(True, WARD, 4)]), ("few", "3")),
    ],
)
def test_modes_and_posix_acls(own, answer):
    assert reached(own) == answer


@pytest.mark.parametrize(
    "aces, answer",
    [
        ([(True, EVERYONE, READ)], ("everyone", "100")),
        ([(True, AUTHENTICATED, READ)], ("organisation", "100")),
        ([(True, "S-1-5-21-1-2-3-513", READ)], ("organisation", "100")),
        ([(True, EVERYONE, WRITE)], ("private", "1")),
        ([(False, AUTHENTICATED, FULL), (True, AUTHENTICATED, READ)], ("private", "1")),
        ([(True, "S-1-22-1-1001", READ)], ("few", "2")),
        ([(True, "S-1-22-2-502", READ)], ("few", "3")),
        ([(False, "S-1-22-1-1001", FULL), (True, "S-1-22-2-502", READ)], ("few", "2")),
        ([(True, NURSES, READ)], ("group", "26")),
        ([(True, "S-1-5-32-544", FULL)], ("private", "1")),  # administrators are not counted
        ([], ("private", "1")),
        (None, ("everyone", "100")),  # no list at all
    ],
)
def test_nt_acls(aces, answer):
    nt = Descriptor(ALICE, "", None) if aces is None else descriptor(*aces)
    own = file(0o777, nt=nt)
    assert reached(own) == answer
    only_nt = share(nt_acls=True, ignores_modes=True)
    assert reached(file(0o700, nt=nt), shares=[only_nt]) == answer
    assert reached(own, shares=[share()]) == ("everyone", "100"), "nobody reads that list there"


def test_an_identifier_without_a_number_is_whom_the_posix_acl_names():
    own = file(0o600, named=[(False, 1001, 4)], nt=descriptor((True, NURSES, READ)))
    assert reached(own) == ("few", "2")
    assert reached(file(0o777, nt=own.nt), sizes={NURSES: 4}) == ("few", "5")


@pytest.mark.parametrize(
    "settings, answer",
    [
        ({}, ("everyone", "100")),
        ({"guest_ok": True}, ("public link", "1000")),
        ({"guest_ok": True, "valid_users": ("u1001",)}, ("private", "1")),
        ({"valid_users": ("@ward",)}, ("few", "3")),
        ({"valid_users": ("+staff", "u1050")}, ("group", "31")),
        ({"valid_users": ("@ward",), "invalid_users": ("u1001",)}, ("few", "2")),
        ({"valid_users": ("@DOM\\Domain Users",)}, ("organisation", "100")),
        ({"valid_users": ("@DOM\\nurses",)}, ("group", "25")),
    ],
)
def test_share_definitions(settings, answer):
    assert reached(file(0o644), shares=[share(**settings)]) == answer


def test_a_forced_user_reads_for_all_who_come_in():
    assert reached(file(0o600), shares=[share(force_user="u1000")]) == ("everyone", "100")
    assert reached(file(0o600), shares=[share(valid_users=("@ward",), force_user="u1000")]) == (
        "few", "3",
    )  # fmt: skip
    assert reached(file(0o600, uid=0), shares=[share(admin_users=("@ward",))]) == ("few", "3")


def test_the_widest_of_several_shares_counts():
    shares = [share(valid_users=("u1001",)), share(guest_ok=True), share(valid_users=("@ward",))]
    for order in itertools.permutations(shares):
        assert reached(file(0o644), shares=order)[0] == "public link"


def test_closed_folders_above_keep_readers_out():
    closed = Rights(0, WARD, PosixAcl(7, 5, 0))
    assert reached(file(0o644), above=(OPEN_FOLDER, closed)) == ("few", "3")
    assert reached(file(0o644), above=(closed, OPEN_FOLDER)) == ("few", "3")
    only_names = Rights(0, 0, PosixAcl(7, 4, 4))  # may be listed, not entered
    assert reached(file(0o644, uid=0), above=(only_names,)) == ("private", "1")


SMB_CONF = """
[global]
  vfs objects = full_audit acl_xattr
  guest ok = no
; a comment
[Open Desk]
  path = /srv/desk
  public = yes
[ward]
  directory = "/srv/ward"
  Valid  Users = @ward, "DOM\\night shift" \\
     u1001
  hosts allow = 10.
  vfs objects =
[homes]
  path = /home/%U
[printers]
  path = /var/spool
  printable = yes
[old]
  path = /srv/old
  available = no
"""


def test_shares_are_read_from_smb_conf():
    desk, ward = parse_shares(SMB_CONF)
    assert (desk.path, desk.guest_ok, desk.nt_acls) == (b"/srv/desk", True, True)
    assert ward.valid_users == ("@ward", "DOM\\night shift", "u1001")
    assert (ward.path, ward.nt_acls, ward.notes) == (b"/srv/ward", False, ("hosts allow",))


# As Samba 4.17 marshals one descriptor in its four versions: everyone reads, user 9 is refused.
BODY = (
    "010200000000001601000000050000000102000000000016020000000500000004003400020000000000140089"
    "00120001010000000000010000000001001800ff01000001020000000000160100000009000000"
)
HEADS = {
    1: "0100010000000200010004801c0000002c000000000000003c000000",
    2: "020002000000020004000200" + "01" * 16 + "0100048030000000400000000000000050000000",
    3: "0300030000000200040002000100" + "01" * 64 + "00000100048064000000740000000000000084000000",
    4: "0400040000000200040002000100" + "01" * 64 + "78000700000000000000" + "02" * 64 + "01000480ac000000bc00000000000000cc000000",
}  # fmt: skip
BLOBS = {version: head + BODY for version, head in HEADS.items()}


@pytest.mark.parametrize("version", BLOBS)
def test_every_version_of_the_attribute_is_read(version):
    found = nt_acl(bytes.fromhex(BLOBS[version]))
    assert found == Descriptor(
        "S-1-22-1-5", "S-1-22-2-5",
        (Ace(True, EVERYONE, 0x120089), Ace(False, "S-1-22-1-9", 0x1FF)),
    )  # fmt: skip


@given(st.binary(max_size=300), st.sampled_from(sorted(BLOBS)), st.integers(0, 200))
def test_a_broken_attribute_is_none_and_never_an_error(noise, version, at):
    good = bytes.fromhex(BLOBS[version])
    for raw in (noise, good[:at], good[:at] + noise[:4] + good[at + 4 :]):
        nt_acl(raw)
        posix_acl(raw)


ENTRY = st.tuples(st.booleans(), st.integers(1, 4), st.integers(0, 7))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become somebody else")
@given(
    st.tuples(*[st.integers(0, 7)] * 4), st.lists(ENTRY, max_size=4, unique_by=lambda e: e[:2]),
    st.integers(1, 5), st.sets(st.integers(1, 4)),
)  # fmt: skip
def test_the_kernel_decides_the_same(tmp_path_factory, fixed, named, uid, gids):
    """User 1 and group 1 own it; somebody with some number and some groups tries to open it."""
    folder = tmp_path_factory.mktemp("acl")
    open_to_others(folder)
    path = folder / "f"
    path.write_text("x")
    os.chown(path, 1, 1)
    owner, group, other, mask = fixed
    tags = [(0x01, owner, 2**32 - 1), (0x04, group, 2**32 - 1), (0x20, other, 2**32 - 1)]
    tags += [(0x08 if is_group else 0x02, rights, number) for is_group, number, rights in named]
    tags += [(0x10, mask, 2**32 - 1)] if named else []
    packed = b"".join(struct.pack("<HHI", *tag) for tag in sorted(tags, key=lambda t: (t[0], t[2])))
    os.setxattr(path, "system.posix_acl_access", struct.pack("<I", 2) + packed)
    rights = rights_of(os.fsencode(path))
    if uid == rights.uid:
        return  # owners are counted whatever the mode says: they can change it
    assert may(Reader(uid, frozenset(gids)), rights, 4) == opens(path, uid, gids)


def opens(path, uid, gids):
    child = os.fork()
    if child == 0:
        os.setgroups(sorted(gids))
        os.setresgid(60, 60, 60)
        os.setresuid(uid, uid, uid)
        try:
            os.close(os.open(path, os.O_RDONLY))
        except PermissionError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_settings_say_what_nobody_here_can_count(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "a").write_text("x")
    (tmp_path / "a").chmod(0o644)
    settings = Settings(exposure=Exposure(people=2500, smb_conf=str(tmp_path / "none")))
    seen = Exposures(settings, [os.fsencode(tmp_path)]).of(os.fsencode(tmp_path / "a"))
    assert (seen["exposure"], seen["readers"]) == ("everyone", 2500)
