"""Where the files of an installed language model lie.

In: the name of a model.  Out: its folder.
"""

from __future__ import annotations

import sys
from pathlib import Path


def folder_of(name: str) -> Path | None:
    """Where the files of an installed model lie: in its package, in a folder of its edition."""
    packages = (Path(folder or ".", name) for folder in sys.path)
    package = next((one for one in packages if (one / "__init__.py").is_file()), None)
    configs = sorted(package.glob(f"{name}-*/config.cfg")) if package else []
    return configs[0].parent if len(configs) == 1 else None
