"""Say who can read a file, as a class and a number of people.

In: the file's Rights and its Surroundings.  Out: Exposure; nothing is read from anywhere.

Each kind of reader is tried against the share, the folders above and the file, as kernel and Samba
do: a guest, somebody with any account, a member of the organisation, and every user and group that
is named anywhere on the way. Owners count, as they can give themselves the right; root does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dlp.access import (
    REACHES,
    Accounts,
    Ace,
    Exposure,
    PosixAcl,
    Reach,
    Rights,
    ShareDefinition,
    Surroundings,
)

FEW = 10  # people who may well know of each other
UNKNOWN_GROUP = 25  # people in a group that nobody here can list: a ward, a department
OUTSIDE = 10  # so many times the organisation can reach what asks for no password
READ, ENTER = 4, 1

EVERYONE, NETWORK, AUTHENTICATED = "S-1-1-0", "S-1-5-2", "S-1-5-11"
GUESTS, USERS = "S-1-5-32-546", "S-1-5-32-545"
SYSTEM = frozenset({"S-1-5-18", "S-1-5-32-544", "S-1-3-0", "S-1-3-1", "S-1-3-4"})
DOMAIN = re.compile(r"S-1-5-21-\d+-\d+-\d+-(\d+)\Z")
# Last numbers of a domain's own groups.
DOMAIN_USERS, DOMAIN_GUESTS = "513", "514"
OF_ALL_NUMBERS = frozenset({DOMAIN_USERS, DOMAIN_GUESTS})
NO_PEOPLE = frozenset({"500", "512", "515", "516", "518", "519"})  # administrators, computers
UNIX_USER, UNIX_GROUP = "S-1-22-1-", "S-1-22-2-"
OF_ALL = frozenset({"domain users", "authenticated users"})
FILE_READ, GENERIC_READ, GENERIC_ALL = 0x1, 0x80000000, 0x10000000
READING = FILE_READ | GENERIC_READ | GENERIC_ALL
ANY = "*"  # may be any of the identifiers that nothing here can resolve


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who tries: what the file server knows of them, and how many they stand for."""

    uid: int = -1
    gids: frozenset[int] = frozenset()
    sids: frozenset[str] = frozenset()
    people: int = 1
    guest: bool = False
    unlisted: bool = False  # a group or name whose members nobody here knows


def exposure_of(own: Rights, around: Surroundings) -> Exposure:
    """The widest way in, where several shares show the same folder."""
    ways: tuple[ShareDefinition | None, ...] = around.shares or (None,)
    found = (by_way(own, around, way) for way in ways)
    return max(found, key=lambda one: (REACHES.index(one.reach), one.readers))


def by_way(own: Rights, around: Surroundings, share: ShareDefinition | None) -> Exposure:
    accounts, people = around.accounts, around.people
    common = frozenset({EVERYONE, NETWORK})
    member = common | {AUTHENTICATED, USERS, DOMAIN_USERS}
    if share is not None and share.guest_ok:
        groups = accounts.groups_of(accounts.guest)
        guest = Reader(accounts.guest, groups, common | {GUESTS, DOMAIN_GUESTS}, guest=True)
        if reads(guest, own, around, share):
            return Exposure(Reach.PUBLIC, OUTSIDE * people)
    if reads(Reader(sids=common), own, around, share):
        return Exposure(Reach.EVERYONE, people)
    everybody = frozenset(gid for name, gid in accounts.groups.items() if is_of_all(name))
    if reads(Reader(gids=everybody, sids=member), own, around, share):
        return Exposure(Reach.ORGANISATION, people)
    tried = readers_named(own, around, share, member)
    count = sum(one.people for one in tried if reads(one, own, around, share))
    return Exposure(reach_of(count, people), max(count, 1))


def reach_of(count: int, people: int) -> Reach:
    if count <= 1:
        return Reach.PRIVATE
    if count <= FEW:
        return Reach.FEW
    return Reach.ORGANISATION if 2 * count >= people else Reach.GROUP


def is_of_all(group: str) -> bool:
    return group.rpartition("\\")[2].lower() in OF_ALL


def readers_named(
    own: Rights, around: Surroundings, share: ShareDefinition | None, member: frozenset[str]
) -> Iterator[Reader]:
    """Everybody whom the file, a folder above it or the share names."""
    accounts = around.accounts
    uids, gids, sids = named_in((own, *around.above))
    unresolved = set()
    for name in (*share.valid_users, *share.admin_users) if share else ():
        behind = users_behind(name, accounts)
        uids |= behind or set()
        if behind is None and not is_of_all(name.lstrip("@+&")):
            unresolved.add(name)
    for gid in gids:
        uids |= accounts.members.get(gid, frozenset())
    # Samba writes each identifier of an NT ACL into the POSIX ACL too, as a user or a group.
    beside = {one.number for one in own.acl.named if not one.is_group}
    groups_beside = {one.number for one in own.acl.named if one.is_group}
    for uid in sorted(uids - {0}):
        groups = accounts.groups_of(uid)
        known = {UNIX_USER + str(uid), *(UNIX_GROUP + str(gid) for gid in groups)}
        meant = uid in beside or not groups.isdisjoint(groups_beside)
        yield Reader(uid, groups, member | known | ({ANY} if meant else set()))
    for gid in sorted(gids - accounts.members.keys() - {0}):
        size = around.sizes.get(str(gid), UNKNOWN_GROUP)
        known = {UNIX_GROUP + str(gid), *({ANY} if gid in groups_beside else ())}
        yield Reader(-1, frozenset({gid}), member | known, size, unlisted=True)
    for name in sorted(sids | unresolved):
        size = around.sizes.get(name, UNKNOWN_GROUP)
        yield Reader(sids=member | {name, ANY}, people=size, unlisted=True)


def named_in(on_the_way: Iterable[Rights]) -> tuple[set[int], set[int], set[str]]:
    """Numbers of users and groups, and the identifiers that stand for neither."""
    uids, gids, sids = set(), set(), set()
    for rights in on_the_way:
        uids.add(rights.uid)
        gids.add(rights.gid)
        for entry in rights.acl.named:
            (gids if entry.is_group else uids).add(entry.number)
        if rights.nt is None:
            continue
        for ace in rights.nt.aces or ():
            if ace.sid.startswith(UNIX_USER):
                uids.add(int(ace.sid.removeprefix(UNIX_USER)))
            elif ace.sid.startswith(UNIX_GROUP):
                gids.add(int(ace.sid.removeprefix(UNIX_GROUP)))
            elif ace.allows and is_unresolved(ace.sid, rights):
                sids.add(ace.sid)
    return uids, gids, sids


def is_unresolved(sid: str, rights: Rights) -> bool:
    """Whether it means somebody, and nothing on this machine says whom."""
    if sid in SYSTEM or (rights.nt and sid in {rights.nt.owner, rights.nt.group}):
        return False
    domain = DOMAIN.match(sid)
    return domain is not None and domain.group(1) not in NO_PEOPLE | OF_ALL_NUMBERS


def users_behind(name: str, accounts: Accounts) -> frozenset[int] | None:
    """A user, or everybody in a group; None: nothing here knows that name."""
    plain = name.lstrip("@+&").rpartition("\\")[2]
    if name[:1] in {"@", "+", "&"}:
        gid = accounts.groups.get(plain)
        return None if gid is None else accounts.members.get(gid, frozenset())
    uid = accounts.users.get(plain)
    return None if uid is None else frozenset({uid})


def reads(who: Reader, own: Rights, around: Surroundings, share: ShareDefinition | None) -> bool:
    accounts = around.accounts
    if share is not None:
        if not is_let_in(who, share, accounts):
            return False
        if lists(share.admin_users, who, accounts):
            return True
        who = as_forced(who, share, accounts)
    by_nt = own.nt is not None and (share is None or share.nt_acls)
    if not all(may(who, above, ENTER) for above in around.above):
        return False
    if by_nt and not may_by_descriptor(who, own):
        return False
    return (by_nt and share is not None and share.ignores_modes) or may(who, own, READ)


def is_let_in(who: Reader, share: ShareDefinition, accounts: Accounts) -> bool:
    if not who.guest and (share.guest_only or lists(share.invalid_users, who, accounts)):
        return False
    return not share.valid_users or lists(share.valid_users, who, accounts)


def lists(names: Iterable[str], who: Reader, accounts: Accounts) -> bool:
    for name in names:
        if is_of_all(name.lstrip("@+&")):
            if AUTHENTICATED in who.sids:
                return True
            continue
        behind = users_behind(name, accounts)
        # A name that nothing here knows may be that of any group that nothing here can list.
        if who.unlisted if behind is None else who.uid in behind:
            return True
    return False


def as_forced(who: Reader, share: ShareDefinition, accounts: Accounts) -> Reader:
    """Whoever is let in acts under the name that the share forces."""
    gids, uid, sids = who.gids, who.uid, who.sids
    if share.force_user in accounts.users:
        uid = accounts.users[share.force_user]
        gids = accounts.groups_of(uid)
        sids = who.sids | {UNIX_USER + str(uid), ANY}
    if share.force_group in accounts.groups:
        gids |= {accounts.groups[share.force_group]}
    return replace(who, uid=uid, gids=gids, sids=sids)


def may(who: Reader, rights: Rights, wanted: int) -> bool:
    """As acl(5) decides: the first entry that fits a user; any of the groups that fit."""
    acl: PosixAcl = rights.acl
    if who.uid == 0:
        return True
    if who.uid == rights.uid:
        return wanted == READ or bool(acl.owner & wanted)  # an owner can change the mode
    if acl.named and not acl.mask:  # Linux then does not look at the list at all
        return rights.gid not in who.gids and bool(acl.other & wanted)
    for entry in acl.named:
        if not entry.is_group and entry.number == who.uid:
            return bool(entry.rights & acl.mask & wanted)
    groups = [acl.group] if rights.gid in who.gids else []
    groups += [one.rights for one in acl.named if one.is_group and one.number in who.gids]
    if groups:
        return any(one & acl.mask & wanted for one in groups)
    return bool(acl.other & wanted)


def may_by_descriptor(who: Reader, rights: Rights) -> bool:
    """As MS-DTYP 2.5.3.2 decides: in order, until the right is given or refused."""
    assert rights.nt is not None
    if rights.nt.aces is None or who.uid in {0, rights.uid}:
        return True  # an owner can change the list
    return next((ace.allows for ace in rights.nt.aces if decides(ace, who, rights)), False)


def decides(ace: Ace, who: Reader, rights: Rights) -> bool:
    assert rights.nt is not None
    if not ace.mask & READING:
        return False
    if ace.sid in who.sids or (ace.sid == rights.nt.group and rights.gid in who.gids):
        return True
    domain = DOMAIN.match(ace.sid)
    if domain and domain.group(1) in OF_ALL_NUMBERS:
        return domain.group(1) in who.sids
    # Of an identifier that nothing here resolves the POSIX ACL beside it says whom it means.
    return ace.allows and ANY in who.sids and is_unresolved(ace.sid, rights)
