"""A site's own knowledge, imported by an administrator, stands before the bundled one.

In: the name of an artefact.  Out: the folder to load it from.
"""

from __future__ import annotations

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
