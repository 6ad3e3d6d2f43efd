"""The secrets: for fingerprints, for the vault, for the ledger.

In: a key file, a systemd credential, or nothing.  Out: 32 bytes that never leave this machine.
"""

from __future__ import annotations

import hmac
import logging
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from dlp.errors import ConfigError

if TYPE_CHECKING:
    from dlp.config import Settings

log = logging.getLogger(__name__)

APART = "keep keys in another folder: keys.fingerprint, quarantine.key, ledger.key or credentials"
SYSTEM_SETTINGS, SYSTEM_STATE = Path("/etc/dlp"), Path("/var/lib/dlp")
LENGTH = 32


def fingerprint_key(configured: str = "") -> bytes:
    return secret_key("fingerprint", configured)


def secret_key(name: str, configured: str = "", *, lasting: bool = False) -> bytes:
    """The configured file, else the service's credential, else this user's own key.

    `lasting`: without this very key what it guards is lost, so one that cannot be kept is refused.
    """
    if configured:
        return read_key(Path(configured), name)
    if folder := os.environ.get("CREDENTIALS_DIRECTORY"):
        credential = Path(folder) / f"{name}-key"
        if credential.exists():
            return credential.read_bytes()[:LENGTH]
    if beside := key_beside_settings(name):
        return read_key(beside, name)
    return own_key(name, lasting=lasting)


def kept_key(name: str, configured: str = "") -> bytes | None:
    """The key that is there already, or nothing: a check makes none."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    there = (
        configured
        or (folder and (Path(folder) / f"{name}-key").exists())
        or key_beside_settings(name)
        or os.path.exists(state_folder() / f"{name}.key")
    )
    return secret_key(name, configured) if there else None


def place_of_key(name: str, configured: str = "") -> Path | None:
    """The file a key is read from, or None for a credential, which lies in memory."""
    if configured:
        return Path(configured)
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if folder and (Path(folder) / f"{name}-key").exists():
        return None
    return key_beside_settings(name) or state_folder() / f"{name}.key"


def keys_beside_data(settings: Settings) -> list[str]:
    """The names of the keys that lie where a copy of the data takes them along."""
    state = state_folder()
    database = settings.store.database
    local = [] if "://" in database else [Path(database).parent if database else state]
    vault = Path(settings.quarantine.vault or state / "vault")
    anchor = Path(settings.ledger.anchor or state / "ledger.anchor")
    guarded = {
        "fingerprint": (settings.keys.fingerprint, local),
        "vault": (settings.quarantine.key, [vault, vault.parent]),
        "ledger": (settings.ledger.key, [*local, anchor.parent]),
    }
    beside = []
    for name, (configured, folders) in guarded.items():
        place = place_of_key(name, configured)
        if place is not None and any(lies_in(place, folder) for folder in folders):
            beside.append(name)
    return beside


def lies_in(place: Path, folder: Path) -> bool:
    return os.path.realpath(place.parent) == os.path.realpath(folder)


def check_apart(settings: Settings) -> None:
    """Before anything is done with the data: refuse or warn, as keys.apart says."""
    beside = keys_beside_data(settings) if settings.keys.apart != "ignore" else []
    if not beside:
        return
    what = f"the {', '.join(beside)} key{'s lie' if len(beside) > 1 else ' lies'} beside the data"
    if settings.keys.apart == "require":
        raise ConfigError(what, where=str(state_folder()), fix=APART)
    log.warning("%s: %s", what, APART)


def read_key(path: Path, name: str = "fingerprint") -> bytes:
    try:
        mode = path.stat().st_mode
        key = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"the {name} key cannot be read", where=str(path), fix="check the path and its owner"
        ) from error
    if stat.S_IMODE(mode) & 0o077:
        raise ConfigError(
            f"others can read the {name} key", where=str(path), fix=f"chmod 600 {path}"
        )
    if len(key) < LENGTH:
        raise ConfigError(
            f"the {name} key is shorter than {LENGTH} bytes",
            where=str(path),
            fix=f"head -c {LENGTH} /dev/urandom > {path}",
        )
    return key[:LENGTH]


class Site:
    """Where the settings in use lie, and where they keep state: one of each in a process."""

    state: Path | None = None
    settings: Path | None = None


def use_site(state: Path | None, settings: Path | None) -> None:
    """From now on the state folder and the keys are those of these settings.

    An operator's command then works on the daemon's own state under any user.
    """
    if state is None and settings is not None and settings.resolve().parent == SYSTEM_SETTINGS:
        state = SYSTEM_STATE
    Site.state, Site.settings = state, settings


def key_beside_settings(name: str) -> Path | None:
    """The file from which the service's credential is made, for an operator who may read it."""
    if Site.settings is None:
        return None
    path = Site.settings.parent / f"{name}.key"
    return path if os.access(path, os.R_OK) else None


def state_folder() -> Path:
    """Where a service or a user keeps state: systemd or the settings say so, or it is at home."""
    if service := os.environ.get("STATE_DIRECTORY"):
        return Path(service.split(":")[0])
    if Site.state is not None:
        return Site.state
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "dlp"


def state_owner() -> int | None:
    """For root: the user whose state this is; nobody else's files are taken for the service's."""
    state = state_folder()
    return state.stat().st_uid if os.geteuid() == 0 and state.is_dir() else None


def own_key(name: str = "fingerprint", *, lasting: bool = False) -> bytes:
    """Make the user's key once, so that a person keeps one id over many scans."""
    path = state_folder() / f"{name}.key"
    if os.path.exists(path):  # and its folder lets us look
        return read_key(path, name)
    import secrets  # noqa: PLC0415 - once in a lifetime

    key = secrets.token_bytes(LENGTH)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.write(key)
            out.flush()
            os.fsync(out.fileno())
        os.link(draft, path)  # whole or not at all, and the first of two makers wins
        draft.unlink()
    except OSError:
        if os.path.isfile(path):  # another maker was faster
            draft.unlink(missing_ok=True)
            return read_key(path, name)
        if lasting:
            raise ConfigError(
                f"the {name} key cannot be kept", where=str(path), fix="name a key file"
            ) from None
        return key  # no home to keep it in: ids hold for this run only
    return key


def fingerprint(key: bytes, kind: str, value: str) -> str:
    # Keyed, because nine digits can be guessed back from a plain hash in minutes.
    return keyed_hash(key, f"{kind}:{value}".encode())


def keyed_hash(key: bytes, message: bytes) -> str:
    """The first half of an HMAC-SHA-256."""
    return hmac.digest(key, message, "sha256").hex()[:32]
