"""Write OLE compound files from scratch: the container of doc, xls, ppt and msg.

In: streams by path.  Out: the bytes of the file (version 3, 512-byte sectors, MS-CFB).
"""

import struct
from collections.abc import Mapping

SECTOR, MINI, CUTOFF = 512, 64, 4096
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
NONE = 0xFFFFFFFF
STORAGE, STREAM, ROOT = 1, 2, 5
Path = tuple[str, ...]


def build_compound(streams: Mapping[Path, bytes]) -> bytes:
    sectors: list[bytes] = []
    table: list[int] = []

    def store(content: bytes) -> int:
        """Put content in a chain of sectors and give the first."""
        if not content:
            return END
        first = len(sectors)
        pieces = [
            content[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(content), SECTOR)
        ]
        sectors.extend(pieces)
        table.extend([*range(first + 1, first + len(pieces)), END])
        return first

    small = bytearray()
    mini_table: list[int] = []
    places: dict[Path, tuple[int, int]] = {}
    for path, content in streams.items():
        if len(content) >= CUTOFF:
            places[path] = (store(content), len(content))
            continue
        count = -(-len(content) // MINI)
        first = len(mini_table)
        mini_table += [*range(first + 1, first + count), END] if count else []
        small += content.ljust(count * MINI, b"\0")
        places[path] = (first if count else END, len(content))
    mini_start = store(bytes(small))
    mini_fat = struct.pack(f"<{len(mini_table)}I", *mini_table)
    mini_fat += b"\xff" * (-len(mini_fat) % SECTOR)
    mini_fat_start = store(mini_fat)
    directory_start = store(directory(places, mini_start, len(small)))
    fat_sectors = 1
    while (len(table) + fat_sectors) > fat_sectors * SECTOR // 4:
        fat_sectors += 1
    fat_start = len(table)
    table += [FAT] * fat_sectors
    raw = struct.pack(f"<{len(table)}I", *table).ljust(fat_sectors * SECTOR, b"\xff")
    difat = [*range(fat_start, fat_start + fat_sectors)]
    header = struct.pack(
        "<8s16s5H6s9I", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6),
        0, fat_sectors, directory_start, 0, CUTOFF, mini_fat_start, len(mini_fat) // SECTOR, END, 0,
    )  # fmt: skip
    header += struct.pack("<109I", *difat, *[FREE] * (109 - len(difat)))
    return header + b"".join(sectors) + raw


def directory(places: Mapping[Path, tuple[int, int]], mini_start: int, mini_size: int) -> bytes:
    paths: list[Path] = [()]
    for path in places:
        for depth in range(1, len(path) + 1):
            if path[:depth] not in paths:
                paths.append(path[:depth])
    entries = []
    for number, path in enumerate(paths):
        children = [
            n
            for n, other in enumerate(paths)
            if len(other) == len(path) + 1 and other[: len(path)] == path and n
        ]
        siblings = [
            n
            for n, other in enumerate(paths)
            if n > number and path and len(other) == len(path) and other[:-1] == path[:-1]
        ]
        kind = ROOT if not path else STREAM if path in places else STORAGE
        start, size = places.get(path, (0, 0))
        if not path:
            start, size = mini_start, mini_size
        name = (path[-1] if path else "Root Entry").encode("utf-16-le")
        entries.append(
            struct.pack(
                "<64sHBBIII16sIQQIQ", name, len(name) + 2, kind, 1, NONE, siblings[0] if siblings else NONE,
                children[0] if children else NONE, bytes(16), 0, 0, 0, start, size,
            )
        )  # fmt: skip
    while len(entries) % 4:
        entries.append(
            struct.pack(
                "<64sHBBIII16sIQQIQ", b"", 0, 0, 0, NONE, NONE, NONE, bytes(16), 0, 0, 0, 0, 0
            )
        )
    return b"".join(entries)


def property_set(values: Mapping[int, str], named: Mapping[str, str] | None = None) -> bytes:
    """A SummaryInformation stream; `named` fills a second section with people's own names."""
    sections = [section(values)]
    if named is not None:
        names = dict(enumerate(named, start=2))
        sections.append(section({number: named[name] for number, name in names.items()}, names))
    head = struct.pack("<HHI16sI", 0xFFFE, 0, 0, bytes(16), len(sections))
    offset = len(head) + 20 * len(sections)
    table = b""
    for body in sections:
        table += bytes(16) + struct.pack("<I", offset)
        offset += len(body)
    return head + table + b"".join(sections)


def section(values: Mapping[int, str], names: Mapping[int, str] | None = None) -> bytes:
    bodies: dict[int, bytes] = {1: struct.pack("<IHH", 2, 1252, 0)}
    if names is not None:
        raw = b"".join(
            struct.pack("<II", number, len(name) + 1) + name.encode("cp1252") + b"\0"
            for number, name in names.items()
        )
        bodies[0] = struct.pack("<I", len(names)) + raw
    for number, value in values.items():
        text = value.encode("cp1252") + b"\0"
        text += b"\0" * (-len(text) % 4)
        bodies[number] = struct.pack("<II", 0x1E, len(text)) + text
    at = 8 + 8 * len(bodies)
    table, content = b"", b""
    for number, body in bodies.items():
        table += struct.pack("<II", number, at + len(content))
        content += body + b"\0" * (-len(body) % 4)
    return struct.pack("<II", at + len(content), len(bodies)) + table + content
