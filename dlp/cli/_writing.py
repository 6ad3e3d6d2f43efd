"""Write a file whole or not at all.

In: a path, bytes.  Out: the file, for its owner alone, or RespondError.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from dlp.errors import RespondError


def write_atomically(path: Path, content: bytes) -> None:
    """The whole file or nothing, for its owner alone."""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".dlp-")
    except OSError as error:
        raise RespondError("the output cannot be written", where=str(path)) from error
    try:
        with os.fdopen(descriptor, "wb") as out:
            os.fchmod(out.fileno(), 0o600)
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise RespondError("the output cannot be written", where=str(path)) from error
