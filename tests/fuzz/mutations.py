"""Damaged files of every format: seeds from the builders of the suite, changed at random places.

In: a seed number.  Out: file names with contents, the same for the same number.
"""

import bz2
import functools
import gzip
import io
import lzma
import random
import tempfile
import zipfile
import zlib
from pathlib import Path

from tests.decode.formats.test_metafile import wmf, wmf_text
from tests.decode.formats.test_xlsb import SHEET, build_xlsb
from tests.evasion.table import cases
from tests.support import ole_builder
from tests.support.file_builder import SAMPLES
from tests.support.one_of_each import one_of_each

LARGEST = 200_000  # bytes; a fuzzed file is small, or the time goes into reading
EDGES = (
    b"\0" * 4,
    b"\xff" * 4,
    b"\x7f\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\0\0\0\x80",
    b"\xfe\xff",
)
WORDS = (
    b"%PDF-", b"endobj", b"stream\r\n", b"PK\3\4", b"PK\1\2", b"PK\5\6", b"{\\rtf1", b"\\bin99999 ",
    b"<?xml version='1.0'?>", b"<!ENTITY a '&a;&a;'>", b"<![CDATA[", b"</", b"MSH|^~\\&|", b"\r\n\r\n",
    b"Content-Type: multipart/mixed; boundary=", b"Content-Transfer-Encoding: base64\r\n", b"begin 644 a\n",
    b"=?utf-8?b?", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1b[", b"\\u0000", b"\\ud800", b'"', b"'", b",", b";",
    b"BEGIN:VCARD", b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"ustar", b"DICM",
    b"SQLite format 3\0", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"JFIF", b"\x89PNG\r\n\x1a\n", b"IDAT",
)  # fmt: skip


@functools.cache
def seeds():
    """Name and content of at least one whole file of every kind that is read."""
    with tempfile.TemporaryDirectory() as folder:
        one_of_each(Path(folder))
        found = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    found |= {f"small-{name}": content for name, (content, _) in SAMPLES.items()}
    found |= {f"evasion-{case.path}": case.content for case in cases()}
    found |= {
        "note.doc": ole_builder.build_doc(),
        "table.xls": ole_builder.build_xls(),
        "slides.ppt": ole_builder.build_ppt(),
        "mail.msg": ole_builder.build_msg(),
        "table.xlsb": build_xlsb(SHEET),
        "drawing.wmf": wmf(wmf_text("Jane Sample", 1, 1)),
    }
    return sorted((name, raw) for name, raw in found.items() if 0 < len(raw) <= LARGEST)


@functools.cache
def by_kind():
    kinds = {}
    for name, content in seeds():
        kinds.setdefault(name.rpartition(".")[2], []).append((name, content))
    return list(kinds.values())


def files(number, count):
    """`count` damaged files: every kind of file has its turn, and every seed has its own."""
    every, kinds = seeds(), by_kind()
    for index in range(number, number + count):
        dice = random.Random(index)
        turn = index // 2
        name, content = (
            dice.choice(kinds[turn % len(kinds)]) if index % 2 else every[turn % len(every)]
        )
        yield f"{index:06}-{name}", damaged(content, dice, every)


def damaged(content, dice, every):
    """Changed outside, or inside a container that is then closed again."""
    if dice.random() < 0.5:
        inside = reopened(content, dice, every)
        if inside is not None:
            return inside
    return changed(content, dice, every)


def reopened(content, dice, every):
    """A member changed and everything packed again, so that no checksum stops the reader early."""
    for pack, unpack in ((gzip.compress, gzip.decompress), (bz2.compress, bz2.decompress),
                         (lzma.compress, lzma.decompress)):  # fmt: skip
        try:
            return pack(changed(unpack(content), dice, every))
        except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error):
            continue
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, ValueError,
            zlib.error, lzma.LZMAError):  # fmt: skip
        return None
    if not members:
        return None
    name = dice.choice(sorted(members))
    members[name] = changed(members[name], dice, every)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return target.getvalue()


def changed(content, dice, every):
    raw = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 4, 16))):
        change(raw, dice, every)
    return bytes(raw[: 2 * LARGEST])


def change(raw, dice, every):
    place, length = dice.randint(0, len(raw)), dice.choice((1, 2, 4, 24, 400))
    match dice.randrange(9):
        case 0:
            raw[place : place + 1] = dice.randbytes(1)
        case 1:
            del raw[place : place + length]
        case 2:
            raw[place:place] = raw[place : place + length] * dice.choice((1, 2, 50))
        case 3:
            raw[place : place + 4] = dice.choice(EDGES)
        case 4:
            raw[place:place] = dice.choice(WORDS)
        case 5:
            del raw[place:]
        case 6:
            other = dice.choice(every)[1]
            start = dice.randrange(len(other))
            raw[place : place + dice.choice((0, length))] = other[start : start + length]
        case 7:
            raw[place:place] = dice.randbytes(length)
        case 8:
            raw += dice.choice(every)[1]
