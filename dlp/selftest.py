"""What has to be true of a machine before a verdict made on it can be trusted.

In: nothing.  Out: Checks, in the order a reader wants them.
"""

from __future__ import annotations

import ctypes.util
import os
import platform
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

from dlp.acquire.file_identity import open_file
from dlp.config import Settings
from dlp.decode import identify, ocr
from dlp.decode.contract import Limits
from dlp.decode.probes import examine
from dlp.decode.sandbox import has_seccomp, landlock_version
from dlp.detect.naming.model_reader import installed
from dlp.engine.local_engine import Job, LocalEngine
from dlp.engine.worker import Sandbox
from dlp.errors import DlpError, KnowledgeError
from dlp.keys import APART, fingerprint_key, keys_beside_data
from dlp.knowledge import artefact, site_knowledge
from dlp.knowledge.roster import load_rosters
from dlp.model import FileRef
from dlp.resources import artefacts_folder, rules_folder

INOTIFY = Path("/proc/sys/fs/inotify")
# One watch a directory; a share of a hospital has hundreds of thousands of them.
ENOUGH_WATCHES = 65_536
ENOUGH_EVENTS = 16_384
ENOUGH_FILES = 1_024


class State(StrEnum):
    OK = "ok"
    WARN = "warn"  # works, with less than it could
    FAIL = "fail"  # do not rely on it


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    state: State
    detail: str


def checks(settings: Settings | None = None) -> Iterator[Check]:
    yield python()
    yield kernel()
    settings = settings or Settings()
    yield from sandbox(settings.engine.sandbox)
    yield workers()
    yield libmagic()
    yield from knowledge()
    yield from knowledge_of_the_site()
    yield from rosters(settings or Settings())
    yield rules()
    yield language_model()
    yield tesseract()
    yield from watching()
    yield descriptors()
    yield keys(settings)


def python() -> Check:
    fine = sys.version_info >= (3, 11)
    return Check("python", State.OK if fine else State.FAIL, platform.python_version())


def kernel() -> Check:
    version = landlock_version()
    filters = has_seccomp()
    both = version > 0 and filters
    detail = f"{platform.release()}, Landlock {version or 'missing'}, "
    detail += f"seccomp {'yes' if filters else 'missing'}"
    return Check("kernel", State.OK if both else State.WARN, detail)


def sandbox(wanted: str = Sandbox.STANDARD) -> Iterator[Check]:
    """Nine forbidden acts, tried in a confined child of this very process."""
    result = examine(Limits())
    missing = [name for name, state in result.walls.items() if state != "applied"]
    state = State.WARN if result.degraded or missing else State.OK
    if result.degraded and wanted == Sandbox.STRICT:  # then workers open no file
        state = State.FAIL
    yield Check("sandbox", state, f"degraded: {', '.join(missing)}" if missing else "every wall up")
    for probe in result.probes:
        state = State.OK if probe.blocked else State.FAIL
        detail = f"blocked ({probe.detail})" if probe.blocked else "NOT BLOCKED"
        yield Check(f"probe {probe.name}", state, detail)


def workers() -> Check:
    """One real file through a real worker."""
    with tempfile.NamedTemporaryFile(prefix="dlp-doctor-") as sample:
        sample.write(b"a file")
        sample.flush()
        path = os.fsencode(sample.name)
        job = Job(FileRef("", path), lambda: open_file(path))
        try:
            with LocalEngine(_measure, jobs=1, limits=Limits(wall_seconds=10)) as engine:
                (done,) = engine.run([job])
        except DlpError as error:
            return Check("workers", State.FAIL, error.what)
    if done.record == {"bytes": 6}:
        return Check("workers", State.OK, f"first file judged in {done.ms:.1f} ms")
    return Check("workers", State.FAIL, done.gap.where if done.gap else "wrong answer")


def _measure(_: FileRef, source: BinaryIO) -> dict[str, Any]:
    return {"bytes": len(source.read())}


def libmagic() -> Check:
    try:
        library = identify.libmagic()
        found_type = identify.ask_libmagic(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        version = library.version() / 100
    except (ImportError, OSError, AttributeError) as error:
        return Check("libmagic", State.FAIL, f"{type(error).__name__}: {error}")
    state = State.OK if found_type == "application/pdf" else State.FAIL
    return Check("libmagic", state, f"version {version:.2f}")


def knowledge() -> Iterator[Check]:
    names = sorted(path.stem for path in artefacts_folder().glob("*.bin"))
    if not names:
        yield Check("knowledge", State.FAIL, "no artefacts; run: dlp knowledge build")
    for name in names:
        try:
            loaded = artefact.load(name)
        except KnowledgeError as error:
            yield Check(f"knowledge {name}", State.FAIL, error.what)
        else:
            counts = [f"{v:,} {k}" for k, v in sorted(loaded.meta.items()) if isinstance(v, int)]
            detail = f"hash as pinned: {', '.join(counts[:2])}".rstrip(": ").replace("_", " ")
            yield Check(f"knowledge {name}", State.OK, detail)


def knowledge_of_the_site() -> Iterator[Check]:
    """Only where there is something to say."""
    if site_knowledge.is_closed():
        detail = (
            f"{site_knowledge.site_folder()} cannot be read by this user; the bundled one is used"
        )
        yield Check("knowledge of site", State.WARN, detail)
    elif found := site_knowledge.own_files():
        detail = f"{len(found)} files in {site_knowledge.site_folder()}"
        yield Check("knowledge of site", State.OK, detail)


def rosters(settings: Settings) -> Iterator[Check]:
    """Only where there is one."""
    try:
        found = load_rosters(settings.detect.rosters, fingerprint_key(settings.keys.fingerprint))
    except KnowledgeError as error:
        yield Check("rosters", State.FAIL, f"{error.what} ({error.where}); {error.fix}")
        return
    if found is not None:
        detail = f"{', '.join(found.names)}: {found.patients:,} patients"
        yield Check("rosters", State.OK, detail)


def rules() -> Check:
    files = sorted(rules_folder().rglob("*.toml"))
    state = State.OK if files else State.FAIL
    return Check("rules", state, f"{len(files)} files")


def language_model() -> Check:
    name = installed()
    if name is None:
        return Check("language model", State.WARN, "missing: doubtful names go without it")
    try:
        named = f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        named = name
    return Check("language model", State.OK, named)


def tesseract() -> Check:
    library = ctypes.util.find_library("tesseract")
    program = shutil.which("tesseract")
    if library is None and program is None:
        return Check("tesseract", State.WARN, "missing: pages without text are gaps (needs_ocr)")
    packs = ocr.read_in()
    if not packs:
        return Check("tesseract", State.WARN, "no language pack: pages without text are gaps")
    return Check("tesseract", State.OK, f"{library or program}: reads {' '.join(packs)}")


def watching() -> Iterator[Check]:
    for name, enough in (
        ("max_user_watches", ENOUGH_WATCHES),
        ("max_queued_events", ENOUGH_EVENTS),
    ):
        try:
            value = int((INOTIFY / name).read_text())
        except (OSError, ValueError):
            yield Check(f"inotify {name}", State.WARN, "unknown: shares are polled")
            continue
        state = State.OK if value >= enough else State.WARN
        advice = "" if value >= enough else f"; raise fs.inotify.{name} to {enough} or more"
        yield Check(f"inotify {name}", state, f"{value}{advice}")


def keys(settings: Settings) -> Check:
    beside = keys_beside_data(settings)
    if not beside:
        return Check("keys", State.OK, "apart from the data")
    state = State.FAIL if settings.keys.apart == "require" else State.WARN
    return Check("keys", state, f"beside the data: {', '.join(beside)}; {APART}")


def descriptors() -> Check:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return Check(
        "open files", State.OK if soft >= ENOUGH_FILES else State.WARN, f"{soft} of {hard}"
    )
