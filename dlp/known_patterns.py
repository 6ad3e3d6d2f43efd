"""Python's own patterns without compiling them: what that gave was written down beforehand.

In: a pattern and its flags.  Out: the very object `re.compile` makes, at a twentieth of the price.

Six hundred patterns of ours, of Python and of libraries are compiled at every start, by Python's
parser in Python: a tenth of it. The artefact states the steps of each under its text, its flags and
the edition of Python's machine; whatever is not there is compiled as ever.
"""

from __future__ import annotations

import importlib
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from dlp.prepared import answer, line_of

_sre: Any = importlib.import_module("_sre")  # as below
FILE = "prepared.patterns"
COMPILER: Any = getattr(re, "_compiler", None)  # an inside of Python; without it nothing is known
Known = tuple[str | bytes, int]


def edition() -> bytes:
    """Of the machine that walks the steps, and of all that they depend on."""
    python = ".".join(map(str, sys.version_info[:2]))
    sizes = f"{_sre.MAGIC} {_sre.CODESIZE} {_sre.MAXREPEAT} {sys.byteorder}"
    return f"{python} {sizes} {unicodedata.unidata_version}".encode()


EDITION = edition()


def key_of(pattern: str | bytes, flags: int) -> bytes:
    if isinstance(pattern, bytes):
        return b"%s bytes %d %s" % (EDITION, flags, pattern)
    return b"%s text %d %s" % (EDITION, flags, pattern.encode("utf-8", "surrogatepass"))


def stated(pattern: str | bytes, flags: int) -> list[Any]:
    """The steps of a pattern with all else that Python keeps of it."""
    parsed = re._parser.parse(pattern, flags)  # type: ignore[attr-defined] # noqa: SLF001
    steps = [int(step) for step in COMPILER._code(parsed, flags)]  # noqa: SLF001
    state = parsed.state
    return [flags | int(state.flags), state.groups - 1, state.groupdict, steps]


def made_of(pattern: str | bytes, said: list[Any]) -> re.Pattern[Any]:
    """Python checks the steps themselves before it believes them."""
    flags, groups, names, steps = said
    numbered: list[str | None] = [None] * (groups + 1)
    for name, number in names.items():
        numbered[number] = name
    made: re.Pattern[Any] = _sre.compile(pattern, flags, steps, groups, names, tuple(numbered))
    return made


def use() -> None:
    """From here on this process, and whatever it forks, compiles only what is not known."""
    if COMPILER is None or getattr(COMPILER.compile, "knows", False):
        return
    slowly: Callable[..., re.Pattern[Any]] = COMPILER.compile

    def compiled(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        if type(pattern) in {str, bytes}:
            said = answer(key_of(pattern, int(flags)), FILE)
            if said is not None:
                return made_of(pattern, said)
        return slowly(pattern, flags)

    compiled.knows = True  # type: ignore[attr-defined]
    COMPILER.compile = compiled


@contextmanager
def noted() -> Iterator[dict[Known, None]]:
    """Whatever is compiled within, once each."""
    found: dict[Known, None] = {}
    plainly = COMPILER.compile

    def compiled(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        if type(pattern) in {str, bytes} and not flags & re.DEBUG:
            found[pattern, int(flags)] = None
        made: re.Pattern[Any] = plainly(pattern, flags)
        return made

    COMPILER.compile = compiled
    try:
        yield found
    finally:
        COMPILER.compile = plainly


def lines(patterns: Iterable[Known]) -> Iterator[bytes]:
    """Of the artefact, in an order that does not depend on who compiled what first."""
    for pattern, flags in sorted(patterns, key=lambda one: key_of(*one)):
        yield line_of(key_of(pattern, flags), stated(pattern, flags))
