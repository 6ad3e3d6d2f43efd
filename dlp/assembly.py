"""Put the parts together: the one place that knows every folder.

In: Settings.  Out: the pipeline, the analysis that workers run, a scan over paths.
"""

from __future__ import annotations

import functools
import importlib
import io
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from dlp import demo_share
from dlp.attribute.rows import LinkRows
from dlp.attribute.stage import Attribute
from dlp.decode import format_registry
from dlp.decode.contract import Limits
from dlp.decode.extract import Read
from dlp.detect.budget import Begin, InTime
from dlp.detect.identify.identifiers import FindIdentifiers
from dlp.detect.illness.health import FindHealth
from dlp.detect.naming.mentions import FindMentions
from dlp.engine.verdict_version import verdict_version
from dlp.engine.worker_settings import SOON, limits_of
from dlp.errors import ConfigError, KnowledgeError
from dlp.judge.decide import Decide
from dlp.judge.verdict import Conclude
from dlp.keys import fingerprint_key
from dlp.knowledge.health import load_health
from dlp.knowledge.roster import load_rosters
from dlp.knowledge.sensitivity import rare_headings
from dlp.lazy_resources import lazy_registry
from dlp.measure.privacy import load_measure
from dlp.model import Case, FileRef
from dlp.pipeline import ALWAYS, Pipeline, Stage
from dlp.report.record import Record, record_of
from dlp.sanitise.tables.scan_risk import AssessTables
from dlp.table_slices import judge_in_slices, long_table
from dlp.triage.assemble import triage_stages
from dlp.triage.study import DecideAsStudied, DecideByHeadings

if TYPE_CHECKING:
    from dlp.config import Settings

BY_HEADINGS = "-mesh"  # the study's experiment with all headings of MeSH
WEIGHTED = "-weighted"  # the study's second formula, with a weight per category of terms
READING_SHARE = 0.6  # of a file's time; the rest is for judging what was read
READ = ALWAYS | {"document", "language", "container"}  # what the first stages fill
WARM_UP = (demo_share.DISCHARGE, demo_share.SHORTHAND, demo_share.LEAFLET)


def site_titles(settings: Settings) -> list[str]:
    if not settings.triage.titles:
        return []
    try:
        return Path(settings.triage.titles).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            "the site's list of titles cannot be read",
            where=settings.triage.titles,
            fix="set triage.titles to a UTF-8 file with one title a line",
        ) from error


def reading_limits(settings: Settings) -> Limits:
    """Reading stops itself before the supervisor kills: what was read by then is still judged."""
    limits = limits_of(settings)
    return replace(limits, wall_seconds=limits.wall_seconds * READING_SHARE)


def stages(settings: Settings, key: bytes) -> tuple[Stage, ...]:
    """The cascade, cheapest first."""
    return (*first_stages(settings), *deep_stages(settings, key))


def first_stages(settings: Settings) -> tuple[Stage, ...]:
    """Read, and set aside what cannot be PHI."""
    rules = settings.triage.rules.removesuffix(WEIGHTED).removesuffix(BY_HEADINGS)
    return (
        Read(reading_limits(settings)),
        *triage_stages(rules, site_titles=site_titles(settings)),
    )


def deep_stages(settings: Settings, key: bytes) -> tuple[Stage, ...]:
    """Find people and facts, and judge."""
    measure = load_measure(settings.measure.population)
    rosters = load_rosters(settings.detect.rosters, key)
    return (
        Begin(settings.detect.seconds_per_file),
        AssessTables(),
        InTime(FindIdentifiers(key)),
        InTime(FindHealth()),
        InTime(FindMentions(key, model=settings.detect.model, rosters=rosters)),
        InTime(Attribute(key)),
        InTime(LinkRows(key, measure.found)),
        decision(settings),
        measure,
        Conclude(verdict_version(settings)),
    )


def decision(settings: Settings) -> Stage:
    """The default rule set decides by links, the study by counts."""
    rules = settings.triage.rules
    if not rules.startswith("sokolova2009"):
        return Decide(settings.judge.miss_costs)
    if rules.endswith(BY_HEADINGS):
        return DecideByHeadings()
    if not rules.endswith(WEIGHTED):
        return DecideAsStudied()
    kinds = load_health().meta["kinds"]
    return DecideAsStudied({kind: counts["W"] for kind, counts in kinds.items()})


@functools.cache
def load_readers() -> None:
    """What every analysis needs first, whatever its settings."""
    format_registry.preload_plain()
    rare_headings()


class Analysis:
    """What a worker does with one open file."""

    def __init__(
        self,
        settings: Settings,
        *,
        full: bool = False,
        values: bool = False,
        masks: bool = False,
        key: bytes | None = None,
    ) -> None:
        self._settings = settings
        self._full = full
        self._values = values
        self._masks = masks
        self._key = key or fingerprint_key(settings.keys.fingerprint)
        self._pipeline: Pipeline | None = None
        self._deep: Pipeline

    def warm(self) -> None:
        """Load everything once, before the first fork and before the sandbox closes the disk."""
        self._prepare()
        lazy_registry().fill()
        importlib.import_module("numpy.ma")  # numpy does when it is first asked for a set

    def warm_lightly(self) -> None:
        """Load what nearly every file needs; the rest is named by the worker that lacks it."""
        self.warm_first()
        for name in SOON:
            lazy_registry().supply(name)

    def warm_first(self) -> None:
        """Load what plain text needs; what is in SOON is expected to follow."""
        self._prepare()
        lazy_registry().seal()

    def _prepare(self) -> None:
        load_readers()
        deep = deep_stages(self._settings, self._key)
        self._pipeline = Pipeline(first_stages(self._settings), full=self._full)
        self._deep = Pipeline(deep, given=READ, full=self._full)
        # A worker cannot open files any more: whatever loads late must have loaded once.
        for sample in WARM_UP:
            case = self.case(FileRef("", b"warm-up.txt"), io.BytesIO(sample.encode()))
            if case.gaps:
                raise KnowledgeError(
                    f"the self-test failed: {case.gaps[0].code.value} in {case.gaps[0].where}",
                    fix="run: dlp doctor",
                )
        self._pipeline.preload()
        self._deep.preload()

    def case(self, ref: FileRef, source: BinaryIO) -> Case:
        if self._pipeline is None:
            self._prepare()
        assert self._pipeline
        read = self._pipeline.run(Case(ref, facts={"source": source}))
        table = None if read.settled and not self._full else long_table(read.document)
        if table is None:
            judged = self._deep.run(read)
        else:
            seconds = self._settings.detect.seconds_per_file
            judged = judge_in_slices(read, table, self._deep.run, seconds)
        spent = Counter(read.spent_ms)
        spent.update(judged.spent_ms)
        return judged.but(spent_ms=dict(spent))

    def __call__(self, ref: FileRef, source: BinaryIO) -> Record:
        started = time.perf_counter_ns()
        case = self.case(ref, source)
        ms = (time.perf_counter_ns() - started) // 1000 / 1000  # round() takes ten times as long
        return record_of(case, ms, values=self._values, masks=self._masks)
