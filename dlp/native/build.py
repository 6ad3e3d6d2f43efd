"""Compile the kernels beside this file, if Cython and a C compiler are at hand.

In: *.pyx.  Out: extension modules and built.json; whatever goes wrong is said and costs speed only.

    python -m dlp.native.build

The build of a wheel and an editable installation call it as well (pyproject.toml). It stands on the
standard library alone and imports nothing of the product: it runs before that is installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
FLAGS = ("-O2", "-DNDEBUG", "-g0", "-fPIC", "-shared", "-fwrapv", "-fno-strict-aliasing")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX") or ".so"


def build() -> list[Path]:
    """The extension modules that are there in the end; those of unchanged sources are kept."""
    record = FOLDER / "built.json"
    known = json.loads(record.read_text()) if record.is_file() else {}
    sources = {source: source.with_suffix(SUFFIX) for source in sorted(FOLDER.glob("*.pyx"))}
    hashes = {source.stem: source_hash(source) for source in sources}
    stale = [
        (source, target)
        for source, target in sources.items()
        if known.get(source.stem) != hashes[source.stem] or not target.is_file()
    ]
    with ThreadPoolExecutor(os.cpu_count() or 1) as crew:  # each waits for two programs
        list(crew.map(compile_one, *zip(*stale, strict=True)) if stale else ())
    made = list(sources.values())
    if hashes != known:
        put(record, json.dumps(hashes, indent=1).encode())
    return [*made, record] if made else []


def source_hash(source: Path) -> str:
    """Of a source and of what it knows of other kernels: the *.pxd it names, and its own."""
    text = source.read_bytes()
    shared = (
        path.read_bytes()
        for path in sorted(source.parent.glob("*.pxd"))
        if path.stem == source.stem or f"dlp.native.{path.stem} cimport".encode() in text
    )
    return hashlib.sha256(b"".join((text, *shared))).hexdigest()


def compile_one(source: Path, target: Path) -> None:
    """Translate, compile, and put in place at once: a running process keeps what it has mapped."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise OSError("no C compiler")
    headers = sysconfig.get_paths()["include"]
    with tempfile.TemporaryDirectory() as work:
        code, module = Path(work, f"{source.stem}.c"), Path(work, target.name)
        name = ("--module-name", f"dlp.native.{source.stem}")
        run(sys.executable, "-m", "cython", "-3", *name, str(source), "-o", str(code))
        more = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()
        run(compiler, *FLAGS, *more, f"-I{headers}", str(code), "-o", str(module))
        put(target, module.read_bytes())


def put(target: Path, content: bytes) -> None:
    near = target.with_name(f"{target.name}.{os.getpid()}")
    near.write_bytes(content)
    os.replace(near, target)


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines()
        raise OSError(f"{Path(command[0]).name}: {told[-1] if told else done.returncode}")


def attempt() -> list[Path]:
    try:
        return build()
    except (OSError, ValueError) as error:
        print(f"dlp: kernels are not compiled ({error}); scans work, slower", file=sys.stderr)  # noqa: T201
        return []


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    pass  # only whoever builds needs it
else:

    class Kernels(BuildHookInterface):  # type: ignore[type-arg]
        """What hatchling calls before it packs or links the product."""

        PLUGIN_NAME = "custom"

        def initialize(self, version: str, build_data: dict[str, object]) -> None:  # noqa: ARG002
            made = attempt()
            if made:
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
                build_data["artifacts"] = [
                    str(path.relative_to(FOLDER.parent.parent)) for path in made
                ]


if __name__ == "__main__":
    for place in attempt():
        print(place)  # noqa: T201
