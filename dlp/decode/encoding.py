"""Say in which encoding bytes are text, or that they are not text at all.

In: the first bytes of a file.  Out: a codec name or None; `decode` loses no byte.

A confined process cannot import codecs: the common ones are imported before, all on demand.
"""

from __future__ import annotations

import codecs
import encodings
import functools
import importlib
import os
import pkgutil
import re
import sys
from encodings.aliases import aliases
from itertools import islice
from typing import Any, BinaryIO

from dlp.decode.contract import Limits, at_most
from dlp.lazy_resources import lazy_registry

HEAD_BYTES = 65_536
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark starts with theirs
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
FALLBACK = "dlp-cp1252"
# Controls no text editor writes; form feed, escape and the MLLP frame are common in exports.
CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1a\x1b\x1c\x1d\x1e\x1f\x08"))
CONTROLS_16 = re.compile(
    r"[\x00-\x07\x0e-\x19\x7f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\ue000-\uf8ff]"
)
HIGH = re.compile(rb"[\x80-\xff]")
LATIN = ("cp1252", "mac_roman", "cp850")
# What Western text above ASCII is made of; the wrong one of LATIN turns it into rarer signs.
USUAL = frozenset("éèêëàâäáãåçùûüúôöóõøîïíñæœßÉÈÀÂÄÅÇÜÖØÑ’‘“”–—…°µ£€§®©«»½²³·•™\xa0")
JOINING = frozenset("’–—")
SAMPLE = 8192  # charset-normalizer is asked in doubt only, and costs milliseconds per kB

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

# Windows charset numbers of fonts.
CHARSETS = {
    0: "cp1252", 2: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab",
    134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437",
    255: "cp850",
}  # fmt: skip


def cp1252_for_the_rest(error: UnicodeError) -> tuple[str | bytes, int]:
    """Read a byte that the codec refuses as Windows text, so that nothing is lost."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return wrong.decode("cp1252", "replace").replace("\ufffd", "\x7f"), error.end


codecs.register_error(FALLBACK, cp1252_for_the_rest)


def decode(raw: bytes, encoding: str) -> str:
    return raw.decode(encoding, FALLBACK)


def guess(head: bytes, extra: tuple[str, ...] = ()) -> str | None:
    """Name the encoding; None means bytes that are no text. `extra` are codecs a site expects."""
    for mark, name in BOMS:
        if head.startswith(mark):
            return name
    if not head:
        return "utf-8"
    if wide := guess_wide(head):
        return wide
    controls = controls_in(head)
    nuls = head.count(0) if controls else 0
    # Blocks of NULs pad records and crashed saves; other controls mean a binary format.
    if (controls - nuls) * 200 <= len(head) and nuls * 2 <= len(head):
        return guess_narrow(head, extra, clean=controls == 0) or guess_extra(head, extra)
    return guess_extra(head, extra)


def controls_in(head: bytes) -> int:
    return len(head) - len(head.translate(None, CONTROLS))


def guess_wide(head: bytes) -> str | None:
    """UTF-16 and UTF-32 without a mark: NULs sit at fixed places."""
    if 0 not in head:  # found sooner than counted
        return None
    nuls = head.count(0)
    if nuls * 16 < len(head) or len(head) < 4:
        # Hardly a NUL: only scripts whose every letter is wide, and then spaces have one.
        return by_trial(head, ("utf-16-le", "utf-16-be"))
    quarter = len(head) // 4
    places = [head[place::4].count(0) for place in range(4)]
    if all(count >= quarter * 0.9 for count in places[1:]) and places[0] < quarter * 0.5:
        return by_trial(head, ("utf-32-le",))
    if all(count >= quarter * 0.9 for count in places[:3]) and places[3] < quarter * 0.5:
        return by_trial(head, ("utf-32-be",))
    even, odd = places[0] + places[2], places[1] + places[3]
    return by_trial(head, ("utf-16-le", "utf-16-be") if odd >= even else ("utf-16-be", "utf-16-le"))


def by_trial(head: bytes, names: tuple[str, ...]) -> str | None:
    whole = min(len(head) - len(head) % 4, SAMPLE)
    for name in names:
        text = codecs.getincrementaldecoder(name)("replace").decode(head[:whole])
        odd = text.count("\ufffd") + len(CONTROLS_16.findall(text))
        words = sum(map(text.count, " \n\t"))
        if text and odd * 50 <= len(text) and words and (words * 60 >= len(text)):
            return name
    return None


def guess_narrow(head: bytes, extra: tuple[str, ...], *, clean: bool) -> str | None:
    if is_utf8(head):
        return "utf-8"
    high = len(head) - len(head.translate(None, bytes(range(128, 256))))
    tolerant = head.decode("utf-8", "ignore")
    wide = sum(len(char.encode()) for char in tolerant if char > "\x7f")
    if wide * 10 >= high * 9:
        return "utf-8"  # a stray byte or two in good UTF-8
    if not clean and high * 5 > len(head):
        return None
    if high * 4 <= len(head):
        return guess_latin(head)
    if expected := guess_extra(head, extra):
        return expected
    best = all_codecs.get().from_bytes(head[:SAMPLE], threshold=0.15).best()
    return best.encoding if best and clean else None


def is_utf8(head: bytes) -> bool:
    """Whether it decodes; a sign cut off at the end is no error."""
    if head.isascii():
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def guess_latin(head: bytes) -> str:
    places = [hit.start() for hit in islice(HIGH.finditer(head), 2000)]

    def fitness(name: str) -> float:
        text = f" {head.decode(name, 'replace')} "
        return sum(fits(text[p : p + 3]) for p in places)

    return max(LATIN, key=fitness)  # the first of equals, so Windows wins a tie


def fits(letters: str) -> float:
    """How well the middle one sits between its neighbours: "nÇe" and "M§ller" sit badly."""
    before, middle, after = letters[0], letters[1], letters[2]
    if before.islower() and after.islower():
        if middle in JOINING:
            return 1.2  # "patient’s" is commoner than any accent
        return 1.0 if middle.islower() else -1.0
    return 0.5 if middle in USUAL else -0.5


def guess_extra(head: bytes, extra: tuple[str, ...]) -> str | None:
    for name in extra:
        text = head.decode(name, "replace")
        odd = text.count("\ufffd") + sum(c < " " and c not in "\t\n\r\x0b\x0c\x85" for c in text)
        if odd * 50 <= len(text) and text.count(" ") * 60 >= len(text):
            return name
    return None


def codec_of(codepage: int) -> str:
    """Name the codec of a Windows code page number; cp1252 for an unknown one."""
    special = {65001: "utf-8", 10000: "mac-roman", 936: "gbk", 1200: "utf-16-le"}
    name = special.get(codepage, f"cp{codepage}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


def read_text(
    source: BinaryIO, limits: Limits, *, keep_mark: bool = False, codec: str = ""
) -> tuple[str, bool]:
    """The text up to the limit, and whether more follows; one long line costs no more than many.

    With `keep_mark` a UTF-8 byte order mark stays: annotated corpora count it as a character.
    """
    head = b""
    if not codec:
        start = source.tell()
        head = source.read(HEAD_BYTES)
        codec = guess(head, limits.extra_encodings) or "cp1252"
        if len(head) > limits.max_text_chars or len(head) == HEAD_BYTES or source.read(1):
            head = b""  # there is more, or there may be
            source.seek(start)
    if keep_mark and codec == "utf-8-sig":
        codec = "utf-8"
    raw, longer = head, False
    if not head:
        width = 4 if "32" in codec else 2 if codec.startswith("utf-16") else 1
        raw = at_most(source, limits.max_text_chars * width + len(codecs.BOM_UTF8))
        longer = bool(source.read(1))
    text = decode(raw, codec)
    return text[: limits.max_text_chars], longer or len(text) > limits.max_text_chars


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


all_codecs = lazy_registry().put("encodings", load_codecs)


def request_codecs(name: str) -> None:
    """Codec search function: in a confined process, request all codecs when one is missing."""
    if lazy_registry().sealed:
        plain = encodings.normalize_encoding(name)
        module = aliases.get(plain) or aliases.get(plain.replace(".", "_")) or plain
        if f"encodings.{module}" not in sys.modules and module in all_names():
            all_codecs.get()


codecs.unregister(encodings.search_function)
codecs.register(request_codecs)
codecs.register(encodings.search_function)
