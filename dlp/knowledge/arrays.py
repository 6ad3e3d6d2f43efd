"""What numpy does in three calls where one is enough; texts ask it thousands of times.

In: flat arrays.  Out: places.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def nonzero(flags: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where a flat array is true, as `np.flatnonzero` says after two detours.

    Ask truth values: numbers take four times as long.
    """
    return flags.nonzero()[0]
