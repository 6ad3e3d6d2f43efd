"""Have the codecs ready that files are written in, where nothing can be imported any more.

In: nothing.  Out: Python's codecs, the common ones at once and all others when a file asks.
"""

from __future__ import annotations

import codecs
import encodings
import functools
import importlib
import os
import pkgutil
import sys
from encodings.aliases import aliases
from typing import Any

from dlp.lazy_resources import shelf

# What most shares hold; the hundred others take a twentieth of a start to import.
COMMON = (
    *("ascii", "latin_1", "iso8859_1", "iso8859_15", "cp1252", "cp850", "cp437", "mac_roman"),
    *("utf_8", "utf_8_sig", "utf_16", "utf_16_le", "utf_16_be"),
    *("utf_32", "utf_32_le", "utf_32_be", "unicode_escape"),
    "raw_unicode_escape",  # the library of mail asks for it wherever a header is encoded
)
# What office documents say their letters are in, those of its fonts included.
WINDOWS = (
    *("cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258"),
    *("cp874", "cp932", "gbk", "cp949", "cp950"),
)


def preload() -> None:
    """Import common codecs: in a sandbox not even `bytes.decode("cp037")` can open its module."""
    for name in COMMON:
        codecs.lookup(name)
    all_names()


def preload_windows() -> None:
    for name in WINDOWS:
        codecs.lookup(name)


@functools.cache
def all_names() -> frozenset[str]:
    """Of the modules that come with Python; some hold no codec."""
    return frozenset(name.partition(".")[0] for name in os.listdir(encodings.__path__[0]))


def load_codecs() -> Any:
    """Import every codec, and what guesses among them."""
    for module in pkgutil.iter_modules(encodings.__path__):
        if module.name not in {"mbcs", "oem"}:  # Windows only
            importlib.import_module(f"encodings.{module.name}")
            try:
                codecs.lookup(module.name)
            except LookupError:
                continue  # "aliases" and the like are no codecs
    guesser = importlib.import_module("charset_normalizer")
    guesser.from_bytes(b"\xd0\xc5\xd2\xd7\xd9\xca " * 40, threshold=0.15).best()
    return guesser


all_codecs = shelf().put("encodings", load_codecs)


def lacking(name: str) -> None:
    """Asked before Python looks for a codec: whoever has lost the disk says which it lacks."""
    if shelf().sealed:
        plain = encodings.normalize_encoding(name)
        module = aliases.get(plain) or aliases.get(plain.replace(".", "_")) or plain
        if f"encodings.{module}" not in sys.modules and module in all_names():
            all_codecs.get()


codecs.unregister(encodings.search_function)
codecs.register(lacking)
codecs.register(encodings.search_function)
