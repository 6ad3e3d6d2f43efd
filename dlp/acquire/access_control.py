"""Read the rights of one file or folder: mode, POSIX ACL, the NT ACL that Samba keeps beside it.

In: a path or an open descriptor.  Out: Rights; content is never read.

Layouts: acl(5) for `system.posix_acl_access`; MS-DTYP 2.4 for the security descriptor, in the
versions 1 to 4 of Samba's xattr.idl for `security.NTACL`.
"""

from __future__ import annotations

import errno
import functools
import os
import struct

from dlp.access import Ace, AclEntry, Descriptor, PosixAcl, Rights

POSIX_ACL, NT_ACL = "system.posix_acl_access", "security.NTACL"
ABSENT = frozenset({errno.ENODATA, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EPERM, errno.EACCES})
MOST_BYTES = 1 << 16  # the kernel's own limit of one attribute

# Tags of a POSIX ACL entry.
OWNER, USER, OWNING_GROUP, GROUP, MASK, OTHER = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
POSIX_VERSION = 2
POSIX_ENTRY = struct.Struct("<HHI")

ALLOWED, DENIED = 0, 1  # types of an ACE; all others audit or carry conditions
INHERIT_ONLY = 0x08
DACL_PRESENT = 0x0004
DESCRIPTOR = struct.Struct("<BxHIIII")
# Bytes between the two version numbers and the descriptor: pointers, hashes.
BEFORE_DESCRIPTOR = {1: 4, 2: 4 + 4 + 16, 3: 4 + 4 + 2 + 64}
HASHED = 4 + 4 + 2 + 64  # version 4, up to a text of any length …
STAMPED = 8 + 64  # … with a time and a second hash behind it


def rights_of(file: bytes | int, seen: os.stat_result | None = None) -> Rights:
    """`file`: a path, whose last part may not be a link, or an open descriptor."""
    if seen is None:
        seen = os.fstat(file) if isinstance(file, int) else os.lstat(file)
    mode = seen.st_mode
    posix, nt = attribute(file, POSIX_ACL), attribute(file, NT_ACL)
    acl = posix_acl(posix) if posix else None
    acl = acl or PosixAcl(mode >> 6 & 7, mode >> 3 & 7, mode & 7)
    return Rights(seen.st_uid, seen.st_gid, acl, nt_acl(nt) if nt else None)


def attribute(file: bytes | int, name: str) -> bytes:
    try:
        if isinstance(file, int):
            return os.getxattr(file, name)
        return os.getxattr(file, name, follow_symlinks=False)
    except OSError as error:
        if error.errno in ABSENT:
            return b""
        raise


@functools.lru_cache(maxsize=4096)
def posix_acl(raw: bytes) -> PosixAcl | None:
    """None where it is not one: the mode counts then, as it does for the kernel."""
    if len(raw) < 4 or (len(raw) - 4) % POSIX_ENTRY.size or raw[0] != POSIX_VERSION:
        return None
    fixed, named = {OWNER: 0, OWNING_GROUP: 0, OTHER: 0, MASK: 7}, []
    for tag, rights, number in POSIX_ENTRY.iter_unpack(raw[4:]):
        if tag in fixed:
            fixed[tag] = rights
        elif tag in {USER, GROUP}:
            named.append(AclEntry(tag == GROUP, number, rights))
    return PosixAcl(
        fixed[OWNER], fixed[OWNING_GROUP], fixed[OTHER], fixed[MASK], tuple(sorted(named))
    )


@functools.lru_cache(maxsize=4096)
def nt_acl(raw: bytes) -> Descriptor | None:
    """None where it cannot be read; Samba then goes by the mode and the POSIX ACL too."""
    try:
        version, again = struct.unpack_from("<HH", raw)
        if version != again:
            return None
        if version in BEFORE_DESCRIPTOR:
            start = 4 + BEFORE_DESCRIPTOR[version]
        else:
            start = aligned(raw.index(b"\0", 4 + HASHED) + 1) + STAMPED
        return descriptor(raw, aligned(start))
    except (struct.error, ValueError, IndexError):
        return None


def aligned(place: int) -> int:
    return place + -place % 4


def descriptor(raw: bytes, start: int) -> Descriptor | None:
    revision, control, *places = DESCRIPTOR.unpack_from(raw, start)
    named = [place for place in places if place]
    if revision != 1 or not named:
        return None
    # Counted from the descriptor, or in Samba's attribute from the attribute's first byte.
    begin = start + DESCRIPTOR.size - min(named)
    if begin < 0:
        return None
    owner, group, _, acl = places
    aces = None
    if control & DACL_PRESENT and acl:
        aces = entries(raw, begin + acl)
    return Descriptor(
        sid(raw, begin + owner)[0] if owner else "",
        sid(raw, begin + group)[0] if group else "",
        aces,
    )


def entries(raw: bytes, place: int) -> tuple[Ace, ...]:
    _, size, count = struct.unpack_from("<HHH", raw, place)
    end, place = place + size, place + 8
    found = []
    for _ in range(count):
        kind, flags, length, mask = struct.unpack_from("<BBHI", raw, place)
        if length < 16 or place + length > end:
            raise ValueError("an entry does not fit into its list")
        if kind in {ALLOWED, DENIED} and not flags & INHERIT_ONLY:
            found.append(Ace(kind == ALLOWED, sid(raw, place + 8)[0], mask))
        place += length
    return tuple(found)


def sid(raw: bytes, place: int) -> tuple[str, int]:
    """A security identifier as it is written, and where it ends."""
    revision, count = struct.unpack_from("<BB", raw, place)
    if revision != 1 or count > 15:
        raise ValueError("not a security identifier")
    authority = int.from_bytes(raw[place + 2 : place + 8], "big")
    parts = struct.unpack_from(f"<{count}I", raw, place + 8)
    return "-".join(map(str, ("S", revision, authority, *parts))), place + 8 + 4 * count
