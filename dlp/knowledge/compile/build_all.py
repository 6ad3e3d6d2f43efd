"""Compile the knowledge: every other module of this folder with a NAME is one step.

In: package packages.  Out: artefacts and their manifests; the same bytes on every run.

A step has NAME (its artefact), PACKAGES (the packages it reads), perhaps AFTER (artefacts it reads,
compiled before it, from the folder of `out`), and `build(packages, out)`, which writes the file
`out` and returns its SHA-256. Registering a step is putting the file in this folder.
"""

from __future__ import annotations

import graphlib
import importlib
import pkgutil
from collections.abc import Callable, Collection
from pathlib import Path
from types import ModuleType

import dlp.knowledge.compile
from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load, write_manifest_entry
from dlp.knowledge.compile.source_packages import SourcePackages
from dlp.resources import artefacts_folder

# What the artefacts may weigh together in the repository and in the wheel.
BUDGET_BYTES = 28_000_000


def steps() -> dict[str, ModuleType]:
    """The steps by artefact name, in an order that respects AFTER."""
    folder = dlp.knowledge.compile
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__))
    modules = [importlib.import_module(f"{folder.__name__}.{name}") for name in names]
    found = {module.NAME: module for module in modules if hasattr(module, "NAME")}
    order = graphlib.TopologicalSorter({n: getattr(m, "AFTER", ()) for n, m in found.items()})
    return {name: found[name] for name in order.static_order()}


def build_all(
    only: Collection[str] = (),
    out: Path | None = None,
    cache: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, int]:
    """Run the steps (all, or those named) and return the size of every artefact in bytes."""
    known = steps()
    if unknown := sorted(set(only) - set(known)):
        raise KnowledgeError(
            f"no build step {', '.join(unknown)}", fix=f"the steps are: {', '.join(known)}"
        )
    out = out or artefacts_folder()
    out.mkdir(parents=True, exist_ok=True)
    packages = SourcePackages(cache)
    for name, step in known.items():
        if not only or name in only:
            progress(name)
            sha256 = step.build(packages, out / f"{name}.bin")
            write_manifest_entry(out, name, sha256, **load(name, out, check=False).meta)
    sizes = {path.stem: path.stat().st_size for path in sorted(out.glob("*.bin"))}
    if sum(sizes.values()) > BUDGET_BYTES:
        raise KnowledgeError(
            f"the artefacts weigh {sum(sizes.values()):,} bytes, more than {BUDGET_BYTES:,}"
        )
    return sizes
