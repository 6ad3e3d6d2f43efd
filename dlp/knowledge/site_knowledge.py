"""A site's own knowledge, imported by an administrator, stands before the bundled one.

In: the name of an artefact.  Out: the folder to load it from, and a hash of what is the site's own.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from dlp.errors import KnowledgeError
from dlp.resources import artefacts_folder

VARIABLE = "DLP_KNOWLEDGE"
DEFAULT = Path("/var/lib/dlp/knowledge")


def site_folder() -> Path:
    """Where imports go: $DLP_KNOWLEDGE, else the state folder of the service."""
    return Path(os.environ.get(VARIABLE) or DEFAULT)


def is_closed() -> bool:
    """Whether there is such a folder and it keeps us out."""
    try:
        site_folder().stat()
    except PermissionError:
        return True
    except OSError:
        return False
    return not os.access(site_folder(), os.R_OK | os.X_OK)


def is_open() -> bool:
    """Whether there is such a folder for us.

    The state of a service is closed to other people, who go on with what is bundled, as `dlp
    doctor` tells them. A folder that somebody named is meant, and must be readable.
    """
    if not is_closed():
        return site_folder().is_dir()
    if os.environ.get(VARIABLE):
        raise KnowledgeError(
            "the site's knowledge cannot be read",
            where=str(site_folder()),
            fix=f"let this user read the folder, or unset {VARIABLE}",
        )
    return False


def site_has(name: str) -> bool:
    return is_open() and (site_folder() / name).is_file()


def artefact_folder(name: str) -> Path:
    return site_folder() if site_has(f"{name}.bin") else artefacts_folder()


def own_files() -> list[Path]:
    """What tells one state of the site's knowledge from another; a .bin is hashed in its .json."""
    own = site_folder().rglob("*") if is_open() else ()
    return sorted(path for path in own if path.is_file() and path.suffix != ".bin")


def site_version() -> str:
    """Of the site's tables and imports; empty where a site has none of its own."""
    digest, found = hashlib.sha256(), own_files()
    for path in found:
        content = path.read_bytes()
        digest.update(b"%s:%d:" % (path.name.encode(), len(content)) + content)
    return digest.hexdigest()[:12] if found else ""
