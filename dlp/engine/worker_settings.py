"""Settings of a scan as plain values that can be sent to the process which forks its workers.

In: Settings.  Out: an Order; of an Order the analysis, and the terms its workers are held to.

The process that forks workers needs nothing of what reads and checks settings, and a supervisor
nothing of what reads files: each imports its own half, side by side.
"""

from __future__ import annotations

import functools
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from dlp.decode import ocr
from dlp.decode.contract import Limits
from dlp.engine.forkserver import DeferredSpec, Forkserver, WorkerSpec
from dlp.engine.worker import MAX_OUTPUT_BYTES, Sandbox, Terms
from dlp.keys import fingerprint_key, place_of_key
from dlp.knowledge.roster_files import roster_folder
from dlp.lazy_resources import lazy_registry
from dlp.model import FileRef

if TYPE_CHECKING:
    from dlp.assembly import Analysis
    from dlp.config import Settings

Order = dict[str, Any]
# In this order: what most shares need, while the first worker reads plain text already.
SOON = ("readers", "telephones", "standards", "states", "patterns", "languages")
# The sections that an analysis reads.
SECTIONS = frozenset({"decode", "triage", "detect", "judge", "measure", "keys"})


def limits_of(settings: Settings) -> Limits:
    decode = settings.decode
    return Limits(
        max_text_chars=decode.max_text_chars,
        max_inflated_bytes=decode.max_inflated_bytes,
        max_depth=decode.max_depth,
        wall_seconds=decode.wall_seconds,
        memory_bytes=decode.memory_bytes,
        extra_encodings=decode.extra_encodings,
    )


def order_of(settings: Settings, **how: bool) -> Order:
    """`how`: the options of Analysis beside its settings: full, values, masks."""
    values = {name: getattr(settings, name).plain() for name in sorted(SECTIONS)}
    # the process that forks workers knows no settings file, so not where the site keeps its state
    values["detect"]["rosters"] = str(roster_folder(settings.detect.rosters))
    fingerprint_key(settings.keys.fingerprint)  # made here, if there is none yet
    place = place_of_key("fingerprint", settings.keys.fingerprint)
    if place is not None and os.path.exists(place):  # False in a folder that is closed to us
        values["keys"]["fingerprint"] = str(place)
    sandbox = settings.engine.sandbox
    return {"settings": {**values, "judging": settings.judging}, "how": how, "sandbox": sandbox}


def settings_in(order: Order) -> Settings:
    """The sections of an order under the names they have as settings; checked before they came."""
    sections = {
        name: SimpleNamespace(**{key: as_frozen(one) for key, one in values.items()})
        for name, values in order["settings"].items()
        if name in SECTIONS
    }
    return cast("Settings", SimpleNamespace(judging=order["settings"]["judging"], **sections))


def as_frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def spec_of(order: Order) -> WorkerSpec:
    ordered = Ordered(order)
    terms = Terms(limits_of(settings_in(order)), MAX_OUTPUT_BYTES, Sandbox(order["sandbox"]))
    return WorkerSpec(ordered, terms, ordered.warm, supply)


def supply(name: str) -> None:
    lazy_registry().supply(name)


def start_forkserver(*, many: bool = False) -> Forkserver:
    """Fork it before anything else is known or imported; `Forkserver.send_order` follows.

    `many`: files of all kinds are to come.
    """
    load = functools.partial(load_ahead, many=many)
    return Forkserver(DeferredSpec(load, spec_of))


def load_ahead(*, many: bool) -> None:
    """Load what workers need whatever the settings are."""
    from dlp.assembly import load_readers  # noqa: PLC0415 - the supervisor needs none of it

    load_readers()
    if many:
        # By now a supervisor has imported its half, and its core is idle. Not sooner: as long as
        # the linker works there, whatever is compiled waits for it here.
        ocr.begin()


class Ordered:
    """An analysis that is put together where the workers are forked."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._analysis: Analysis | None = None

    def warm(self) -> None:
        from dlp.assembly import Analysis  # noqa: PLC0415 - half of a start, and none of it here

        self._analysis = Analysis(settings_in(self._order), **self._order["how"])
        self._analysis.warm_first()
        ocr.settle()

    def __call__(self, ref: FileRef, source: BinaryIO) -> dict[str, Any]:
        assert self._analysis  # warmed before workers are forked
        return self._analysis(ref, source)
