"""Who may come in at all: the shares that smb.conf defines, the users and groups of this machine.

In: smb.conf, the system's accounts.  Out: ShareDefinition, Accounts.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from dlp.access import Accounts, ShareDefinition

PLACES = (Path("/etc/samba/smb.conf"), Path("/usr/local/samba/etc/smb.conf"))
FIRST_PERSON, NOBODY = 1000, 65534  # as login.defs(5) counts people
NO_LOGIN = ("nologin", "false", "sync")
TRUE = frozenset({"yes", "true", "1", "on"})
# Settings of a share that could let fewer or other people in, and are not taken into account.
NOT_COUNTED = ("hosts allow", "allow hosts", "hosts deny", "deny hosts", "include", "root preexec")
# Other names of the same setting, as smb.conf(5) lists them.
SAME = {
    "public": "guest ok", "only guest": "guest only", "directory": "path", "user": "username",
    "group": "force group", "vfs object": "vfs objects",
}  # fmt: skip


def read_shares(path: Path | None) -> tuple[ShareDefinition, ...]:
    """The shares that a file defines; without a path, of the usual one, if there is any."""
    for place in (path,) if path else PLACES:
        try:
            return parse_shares(place.read_text(encoding="utf-8", errors="surrogateescape"))
        except OSError:
            continue
    return ()


def parse_shares(text: str) -> tuple[ShareDefinition, ...]:
    sections = dict(sections_of(text))
    common = sections.pop("global", {})
    return tuple(
        share
        for name, own in sections.items()
        if (share := definition(name, {**common, **own})) is not None
    )


def sections_of(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    name = "global"
    for line in re.sub(r"\\\n", "", text).splitlines():
        line = line.strip()  # noqa: PLW2901 - what is left of it
        if not line or line[0] in "#;":
            continue
        if line.startswith("[") and line.endswith("]"):
            name = line[1:-1].strip().lower()
            found[name] = found[name]
        elif "=" in line:
            key, _, value = line.partition("=")
            key = " ".join(key.lower().split())
            found[name][SAME.get(key, key)] = value.strip()
    yield from found.items()


def definition(name: str, settings: Mapping[str, str]) -> ShareDefinition | None:
    """None for what shows no folder of its own: printers, paths that differ by user."""

    def is_set(key: str) -> bool:
        return settings.get(key, "").lower() in TRUE

    path = settings.get("path", "").strip('"')
    shows = settings.get("available", "yes").lower() in TRUE and not is_set("printable")
    if not path.startswith("/") or "%" in path or not shows:
        return None
    guest = is_set("guest ok") or is_set("guest only")
    return ShareDefinition(
        name=name,
        path=os.path.realpath(os.fsencode(path)),
        guest_ok=guest,
        guest_only=guest and is_set("guest only"),
        valid_users=names(settings.get("valid users", "")),
        invalid_users=names(settings.get("invalid users", "")),
        admin_users=names(settings.get("admin users", "")),
        force_user=settings.get("force user", ""),
        force_group=settings.get("force group", "").lstrip("+"),
        nt_acls="acl_xattr" in settings.get("vfs objects", "").split(),
        ignores_modes=is_set("acl_xattr:ignore system acls"),
        notes=tuple(key for key in NOT_COUNTED if key in settings),
    )


def names(value: str) -> tuple[str, ...]:
    """Separated by commas or spaces; names with spaces stand in quotes."""
    try:
        return tuple(shlex.split(value.replace(",", " ").replace("\\", "\\\\")))
    except ValueError:
        return tuple(value.replace(",", " ").split())


def read_accounts() -> Accounts:
    """What the machine lists; a directory service that lists nobody is asked nothing."""
    everybody = pwd.getpwall()
    users = {one.pw_name: one.pw_uid for one in everybody}
    members: dict[int, set[int]] = defaultdict(set)
    for one in everybody:
        members[one.pw_gid].add(one.pw_uid)
    groups = {}
    for group in grp.getgrall():
        groups[group.gr_name] = group.gr_gid
        members[group.gr_gid] |= {users[name] for name in group.gr_mem if name in users}
    people = [one for one in everybody if FIRST_PERSON <= one.pw_uid != NOBODY]
    return Accounts(
        users=users,
        groups=groups,
        members={gid: frozenset(who) for gid, who in members.items()},
        logins=sum(not one.pw_shell.endswith(NO_LOGIN) for one in people),
        guest=users.get("nobody", NOBODY),
    )
