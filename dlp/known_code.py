"""Python's modules from one file: what importing each would find, stat, open and read one by one.

In: the name of a module.  Out: its code, if it was gathered from the very source that lies there.

A scan imports seven hundred modules of ours, of Python and of libraries, and a third of what that
takes is looking for them. An installation gathers their code into one file (`make setup`), beside
what Python keeps of our own and trusted as that is. A module whose source has another size or time,
another Python, another path to look along, or no such file mean that Python imports as ever.
"""

from __future__ import annotations

import marshal
import mmap
import os
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec, SourceFileLoader

TYPE_CHECKING = False  # as in `typing`, which is not imported before it can come from the file
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType
    from typing import Any

LENGTH_BYTES = 8  # of the index, at the head of the file
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__pycache__")
FILE = os.path.join(FOLDER, f"known_code.{sys.implementation.cache_tag}")


# Of a module: its source, what Python keeps of that, the time and the size of the source, where a
# package looks for its modules, and where in the file its code starts and ends; nowhere: compiled.
Entry = tuple[str, str | None, int, int, list[str] | None, int, int]


def edition() -> list[Any]:
    """All that decides where Python finds a module, and what its code means to it."""
    beside = os.path.dirname(os.path.abspath(sys.executable))  # where `dlp` itself lies, no module
    looked_along = [place for place in sys.path if place != beside]
    return [sys.version, sys.flags.optimize, sys.prefix, looked_along]


class KnownLoader(SourceFileLoader):
    """Python's own, which can say all that anybody asks; only the code lies ready."""

    def __init__(self, name: str, path: str, code: memoryview) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002 - Python's signature
        code: CodeType = marshal.loads(self._code)  # noqa: S302 - as trusted as *.pyc
        return code


class KnownCode:
    """A finder of modules, to be asked before Python's own."""

    def __init__(
        self, entries: dict[str, Entry], written: dict[str, bytes], codes: memoryview
    ) -> None:
        self._entries = entries
        self._written = written
        self._codes = codes

    def compiled(self, source: str) -> CodeType | None:
        return marshal.loads(self._written[source]) if source in self._written else None  # noqa: S302 - as above

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name not in self._entries:
            return None
        origin, cached, mtime_ns, size_bytes, parts, start, end = self._entries[name]
        try:
            there = os.stat(origin)
        except OSError:
            return None
        if there.st_mtime_ns != mtime_ns or there.st_size != size_bytes:
            return None
        if start == end:
            spec = ModuleSpec(name, ExtensionFileLoader(name, origin), origin=origin)
        else:
            loader = KnownLoader(name, origin, self._codes[start:end])
            spec = ModuleSpec(name, loader, origin=origin, is_package=parts is not None)
            spec.cached = cached
        if parts is not None:
            spec.submodule_search_locations = list(parts)
        spec.has_location = True
        return spec


def use(file: str = FILE) -> None:
    """From here on this process, and whatever it forks, takes modules from the file."""
    if any(isinstance(finder, KnownCode) for finder in sys.meta_path):
        return
    known = read(file)
    if known is not None:
        sys.meta_path.insert(0, known)


def read(file: str) -> KnownCode | None:
    try:
        with open(file, "rb") as source:
            whole = memoryview(mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ))
        begin = LENGTH_BYTES + int.from_bytes(whole[:LENGTH_BYTES], "little")
        told, entries, written = marshal.loads(whole[LENGTH_BYTES:begin])  # noqa: S302 - as above
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return KnownCode(entries, written, whole[begin:]) if told == edition() else None


def compiled(source: str) -> CodeType:
    """What a program has written itself, as Python compiles it or as that was gathered."""
    for finder in sys.meta_path:
        if isinstance(finder, KnownCode) and (found := finder.compiled(source)):
            return found
    return compile(source, "<string>", "exec")


def gathered(sources: Iterable[str] = ()) -> bytes:
    """The file, of all modules that this process has imported and of what it compiled beside."""
    entries: dict[str, Entry] = {}
    codes = bytearray()
    for name, module in sorted(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if spec is None or spec.name != name or spec.origin is None:
            continue
        start = len(codes)
        if isinstance(spec.loader, SourceFileLoader):
            codes += marshal.dumps(spec.loader.get_code(name))
        elif not isinstance(spec.loader, ExtensionFileLoader):
            continue
        there = os.stat(spec.origin)
        parts = spec.submodule_search_locations
        places = None if parts is None else list(parts)
        seen = (spec.origin, spec.cached, there.st_mtime_ns, there.st_size)
        entries[name] = (*seen, places, start, len(codes))
    written = {source: marshal.dumps(compile(source, "<string>", "exec")) for source in sources}
    index = marshal.dumps((edition(), entries, written))
    return len(index).to_bytes(LENGTH_BYTES, "little") + index + codes
