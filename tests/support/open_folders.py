"""Let other users enter a temporary folder: pytest closes the folders above it."""

import os
import tempfile
from pathlib import Path


def open_to_others(folder: Path) -> None:
    top = Path(tempfile.gettempdir()).resolve()
    for place in (folder, *folder.parents):
        if place.resolve() == top or place.stat().st_uid != os.geteuid():
            return
        place.chmod(place.stat().st_mode | 0o755)
