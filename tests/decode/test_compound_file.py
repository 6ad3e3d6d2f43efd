"""Sound compound files are read whole; damaged ones in part, or refused, and never anything else."""

import contextlib
import io
import random
import struct

import pytest

from dlp.decode.compound_file import Compound, DamagedError
from dlp.decode.contract import Budget, BudgetExceededError, Limits
from tests.support import ole_builder
from tests.support.compound_builder import build_compound

SIZES = {(f"stream {size}",): b"\1" * size for size in (0, 64, 4095, 9000)}
FILES = {
    "doc": ole_builder.build_doc(),
    "xls": ole_builder.build_xls(),
    "ppt": ole_builder.build_ppt(),
    "msg": ole_builder.build_msg(),
    "sizes": build_compound(SIZES),
}


def read_all(raw):
    compound = Compound(io.BytesIO(raw), Budget(Limits()))
    found, folders = {}, [()]
    while folders:
        at = folders.pop()
        found |= {(*at, name): compound.read((*at, name), "body") for name in compound.streams(at)}
        folders += [(*at, name) for name in compound.storages(at)]
    return found, compound.damaged


def test_streams_of_every_size_are_read_whole():
    assert read_all(FILES["sizes"]) == (SIZES, False)


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_read_in_part_or_refused(name):
    raw, chance = FILES[name], random.Random(name)
    entries = (1 + struct.unpack_from("<I", raw, 48)[0]) * 512
    assert not read_all(raw)[1]
    for _ in range(200):
        torn = bytearray(raw)
        start, length = chance.choice(((0, 512), (512, len(raw) - 512), (entries, 1024)))
        for _ in range(chance.choice((1, 1, 2, 5))):
            place = min(start + chance.randrange(length), len(raw) - 1)
            torn[place] = chance.choice((0, 1, 2, 5, 0xFF, 0xFE, chance.randrange(256)))
        with contextlib.suppress(DamagedError, BudgetExceededError):
            read_all(bytes(torn))
    for _ in range(50):
        with contextlib.suppress(DamagedError, BudgetExceededError):
            read_all(raw[: chance.randrange(len(raw))])
