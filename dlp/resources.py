"""Where the product and the data that comes with it lie.

In: nothing.  Out: folders of rules and knowledge, and the command that starts ourselves again.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def rules_folder() -> Path:
    """A checkout keeps rules/ at the top, where people edit them; a wheel carries a copy."""
    bundled = PACKAGE / "rules"
    return bundled if bundled.is_dir() else PACKAGE.parent / "rules"


def artefacts_folder() -> Path:
    return PACKAGE / "knowledge" / "artefacts"


def ourselves(module: str = "dlp") -> list[str]:
    """This very program once more, in another process.

    `python -m` would look in the working directory first: a folder `dlp` that somebody puts
    on a share would then run with the rights of the user who starts us there.
    """
    start = (
        f"import runpy, sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); "
        f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    )
    return [sys.executable, "-I", "-c", start]
