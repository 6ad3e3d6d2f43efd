"""What decides who can read a file: rights, ACLs, accounts, share definitions; and the answer.

In: nothing.  Out: frozen types that acquire fills and measure turns into a class and a number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Reach(StrEnum):
    """Who can read a file, from nobody else to people without an account."""

    PRIVATE = "private"  # one person; administrators are never counted
    FEW = "few"
    GROUP = "group"
    ORGANISATION = "organisation"
    EVERYONE = "everyone"
    PUBLIC = "public link"  # no password is asked


REACHES = tuple(reach.value for reach in Reach)


class Exposure(NamedTuple):
    reach: Reach
    readers: int


class AclEntry(NamedTuple):
    """One line of a POSIX ACL beyond owner, owning group and others."""

    is_group: bool
    number: int  # uid or gid
    rights: int  # r 4, w 2, x 1


class PosixAcl(NamedTuple):
    owner: int
    group: int
    other: int
    mask: int = 7
    named: tuple[AclEntry, ...] = ()


class Ace(NamedTuple):
    """One entry of a discretionary access list that counts for the file itself."""

    allows: bool
    sid: str
    mask: int


class Descriptor(NamedTuple):
    owner: str  # SID
    group: str
    aces: tuple[Ace, ...] | None  # None: no list at all, which lets everybody in


class Rights(NamedTuple):
    """What the file system says of one file or folder."""

    uid: int
    gid: int
    acl: PosixAcl
    nt: Descriptor | None = None

    @property
    def digest(self) -> str:
        return digest_of(self)


@dataclass(frozen=True, slots=True)
class ShareDefinition:
    """One section of smb.conf, as far as it says who may come in."""

    name: str
    path: bytes
    guest_ok: bool = False
    guest_only: bool = False
    valid_users: tuple[str, ...] = ()  # names; groups begin with @, + or &
    invalid_users: tuple[str, ...] = ()
    admin_users: tuple[str, ...] = ()  # they read as root
    force_user: str = ""
    force_group: str = ""
    nt_acls: bool = False  # the module that keeps NT ACLs is loaded
    ignores_modes: bool = False  # NT ACLs alone decide
    notes: tuple[str, ...] = ()  # settings that are not taken into account


@dataclass(frozen=True, slots=True)
class Accounts:
    """Users and groups this machine knows."""

    users: Mapping[str, int] = field(default_factory=dict)
    groups: Mapping[str, int] = field(default_factory=dict)
    members: Mapping[int, frozenset[int]] = field(default_factory=dict)  # of each gid
    logins: int = 0  # accounts of people
    guest: int = 65534

    def groups_of(self, uid: int) -> frozenset[int]:
        return frozenset(gid for gid, who in self.members.items() if uid in who)

    @property
    def digest(self) -> str:
        members = sorted((gid, sorted(who)) for gid, who in self.members.items())
        return digest_of((sorted(self.users.items()), sorted(self.groups.items()), members))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All that counts for every file of a folder alike."""

    above: tuple[Rights, ...]  # from the top of the share to the folder
    shares: tuple[ShareDefinition, ...]  # that hold the folder
    accounts: Accounts = field(repr=False)
    people: int  # in the organisation
    sizes: Mapping[str, int] = field(default_factory=dict)  # of groups nobody here can list
    digest: str = ""


def digest_of(value: object) -> str:
    """Differs when anything in it does; values made of numbers, words, tuples and lists."""
    return hashlib.blake2b(repr(value).encode(), digest_size=8).hexdigest()
