"""A site's own knowledge, imported by an administrator, stands before the bundled one.

In: the name of an artefact.  Out: the folder to load it from, and a hash of what is the site's own.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from dlp.resources import artefacts_folder

VARIABLE = "DLP_KNOWLEDGE"
DEFAULT = Path("/var/lib/dlp/knowledge")


def site_folder() -> Path:
    """Where imports go: $DLP_KNOWLEDGE, else the state folder of the service."""
    return Path(os.environ.get(VARIABLE) or DEFAULT)


def artefact_folder(name: str) -> Path:
    own = site_folder()
    return own if (own / f"{name}.bin").is_file() else artefacts_folder()


def own_files() -> list[Path]:
    """What tells one state of the site's knowledge from another; a .bin is hashed in its .json."""
    own = site_folder().rglob("*") if site_folder().is_dir() else ()
    return sorted(path for path in own if path.is_file() and path.suffix != ".bin")


def site_version() -> str:
    """Of the site's tables and imports; empty where a site has none of its own."""
    digest, found = hashlib.sha256(), own_files()
    for path in found:
        content = path.read_bytes()
        digest.update(b"%s:%d:" % (path.name.encode(), len(content)) + content)
    return digest.hexdigest()[:12] if found else ""
