"""Where the data that comes with the product lies.

In: nothing.  Out: folders of rules and compiled knowledge, in a checkout or an installed wheel.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def rules_folder() -> Path:
    """A checkout keeps rules/ at the top, where people edit them; a wheel carries a copy."""
    bundled = PACKAGE / "rules"
    return bundled if bundled.is_dir() else PACKAGE.parent / "rules"


def artefacts_folder() -> Path:
    return PACKAGE / "knowledge" / "artefacts"
