"""What numpy does in three calls where one is enough, and arrays that were prepared.

In: flat arrays.  Out: places, or numbers; arrays as text, and back.
"""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dlp.prepared import prepared

A = TypeVar("A", bound=np.generic)


def nonzero(flags: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where a flat array is true, as `np.flatnonzero` says after two detours.

    Ask truth values: numbers take four times as long.
    """
    return flags.nonzero()[0]


def distinct(values: npt.NDArray[A]) -> npt.NDArray[A]:
    """Each number once, in order; `np.unique` imports a library of masked arrays to say it."""
    ordered = np.sort(values, axis=None)
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def quantile(values: npt.NDArray[np.float64], share: float) -> float:
    """What `np.quantile` says, to the last bit; it asks `np.unique` as well."""
    ordered = np.sort(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    first, second = float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)])
    rest = place - low
    step = second - first
    return second - step * (1 - rest) if rest >= 1 / 2 else first + step * rest


def packed(table: npt.NDArray[Any]) -> list[Any]:
    """An array as JSON can hold it."""
    data = base64.b64encode(zlib.compress(table.tobytes(), 9)).decode()
    return [table.dtype.str, list(table.shape), data]


def unpacked(stated: Sequence[Any]) -> npt.NDArray[Any]:
    """The array again; nobody may write in it."""
    kind, shape, data = stated
    return np.frombuffer(zlib.decompress(base64.b64decode(data)), dtype=kind).reshape(shape)


def cached(what: str, make: Callable[[], npt.NDArray[A]], code: str) -> npt.NDArray[A]:
    """A table that follows from Unicode and from the code that makes it."""
    return unpacked(prepared(f"table of {what}".encode(), lambda: packed(make()), code))
