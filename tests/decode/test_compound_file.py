"""What is read of a sound compound file is what olefile gives; anything odd is left to it."""

import io
import random
import struct

import olefile
import pytest

from dlp.decode import compound_file
from dlp.decode.compound_file import OLE_ERRORS
from tests.support import ole_builder
from tests.support.compound_builder import build_compound

FILES = {
    "doc": ole_builder.build_doc(),
    "xls": ole_builder.build_xls(),
    "ppt": ole_builder.build_ppt(),
    "msg": ole_builder.build_msg(),
    "sizes": build_compound(
        {(f"stream {size}",): bytes(range(256)) * (size // 256 + 1) for size in (0, 64, 4095, 9000)}
    ),
}


def by_olefile(raw):
    """Streams with their bytes, folders, and whether anything was found fault with."""
    try:
        ole = olefile.OleFileIO(io.BytesIO(raw), raise_defects=olefile.DEFECT_FATAL)
        paths, folders = ole.listdir(), ole.listdir(streams=False, storages=True)
        issues = opening = len(ole.parsing_issues)
    except (*OLE_ERRORS, RecursionError):
        return None
    streams = {}
    for path in paths:
        try:
            streams[tuple(path)] = ole.openstream(path).read()
        except OLE_ERRORS:
            streams[tuple(path)] = None
        streams[tuple(path), "fault"] = len(ole.parsing_issues) > issues
        issues = len(ole.parsing_issues)
    return paths, folders, streams, opening


def below(found, at=()):
    """Paths in the order in which olefile lists them."""
    for name in sorted([*found.streams[at], *found.folders[at]]):
        if name in found.streams[at]:
            yield "stream", (*at, name)
        else:
            yield "folder", (*at, name)
            yield from below(found, (*at, name))


def agree(raw):
    found = compound_file.opened(io.BytesIO(raw))
    if found is None:
        return False
    paths, folders, streams, faults = by_olefile(raw)
    assert not faults
    listed = list(below(found))
    assert [path for kind, path in listed if kind == "stream"] == [tuple(path) for path in paths]
    assert [path for kind, path in listed if kind == "folder"] == [tuple(path) for path in folders]
    for path in map(tuple, paths):
        content = found.read(path)
        if content is not None:
            assert content == streams[path]
            assert not streams[path, "fault"]
    return True


@pytest.mark.parametrize("name", FILES)
def test_sound_files_are_read_without_olefile(name):
    assert agree(FILES[name])
    found = compound_file.opened(io.BytesIO(FILES[name]))
    for at, names in found.streams.items():
        assert all(found.read((*at, one)) is not None for one in names)


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_damaged_is_read_alike_or_left_to_olefile(name):
    raw, chance = FILES[name], random.Random(name)
    entries = (1 + struct.unpack_from("<I", raw, 48)[0]) * 512
    for _ in range(400):
        torn = bytearray(raw)
        start, length = chance.choice(((0, 512), (512, len(raw) - 512), (entries, 1024)))
        for _ in range(chance.choice((1, 1, 2, 5))):
            place = min(start + chance.randrange(length), len(raw) - 1)
            torn[place] = chance.choice((0, 1, 2, 5, 0xFF, 0xFE, chance.randrange(256)))
        agree(bytes(torn))
    for _ in range(50):
        agree(raw[: chance.randrange(len(raw))])


def test_a_stream_that_is_told_twice_is_left_to_olefile():
    raw = bytearray(FILES["sizes"])
    entries = (1 + struct.unpack_from("<I", raw, 48)[0]) * 512
    first = struct.unpack_from("<I", raw, entries + 128 + 116)
    for number in range(2, 5):
        struct.pack_into("<I", raw, entries + 128 * number + 116, *first)
    assert not agree(bytes(raw))
