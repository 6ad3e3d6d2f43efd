"""Read Parquet: every row, each cell labelled by its column, nested ones by their path.

In: an open .parquet, the extra `parquet` (pyarrow).  Out: one line a row; cells that hold files are
read next; what a writer noted of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from dlp.decode.contract import Embedded, Item, Limits
from dlp.decode.labelled import LabelledText
from dlp.model import Gap, GapCode, Part

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError:  # an extra
    pa = parquet = None

MEDIA_TYPES = frozenset({"application/vnd.apache.parquet"})
ENCRYPTED_FOOTER = b"PARE"
ROWS = 256  # at a time: a row may be long
SMALL_BLOB = 16
DEEPEST = 20  # levels of a nested cell
MACHINES = frozenset({b"ARROW:schema", b"pandas"})  # notes that only tell of columns


def preload() -> None:
    """Have the library start what it starts on first use."""
    if parquet is not None:
        sink = pa.BufferOutputStream()
        parquet.write_table(pa.table({"a": ["b"], "c": [{"d": [1]}]}), sink)
        source = pa.BufferReader(sink.getvalue())
        for batch in batches(parquet.ParquetFile(source)):
            batch.to_pylist()


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    if source.read(len(ENCRYPTED_FOOTER)) == ENCRYPTED_FOOTER:
        yield Gap(GapCode.ENCRYPTED, "body")
        return
    if parquet is None:
        yield Gap(GapCode.UNSUPPORTED, "body")
        return
    source.seek(0)
    lines = LabelledText("body", limits)
    try:
        table = parquet.ParquetFile(source, memory_map=False, pre_buffer=False)
        notes = (table.schema_arrow.metadata or {}).items()
        said = [v.decode("utf-8", "replace") for k, v in notes if k not in MACHINES]
        if said:
            yield Part("properties", "\n".join(said))
        yield from rows(table, lines)
    except (pa.ArrowException, OSError, ValueError, TypeError, OverflowError):
        yield Gap(GapCode.CORRUPT, "body")
    yield from lines.items()


def batches(table: Any) -> Iterator[Any]:
    """In this thread alone: a confined worker starts no other."""
    yield from table.iter_batches(batch_size=ROWS, use_threads=False)


def rows(table: Any, lines: LabelledText) -> Iterator[Item]:
    record = files = 0
    for batch in batches(table):
        for row in batch.to_pylist():
            for label, value in leaves("", row, DEEPEST):
                if isinstance(value, bytes) and len(value) > SMALL_BLOB:
                    files += 1
                    yield Embedded(f"body/file:{files}", "", value)
                    continue
                text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
                lines.write(f"{label}: ")
                lines.add_value(label, text, record)
                lines.write("; ")
            lines.write("\n")
            record += 1
            if lines.full:
                return


def leaves(label: str, value: Any, deeper: int) -> Iterator[tuple[str, Any]]:
    """The plain values of a cell, each with the path to it."""
    if value is None or value == "" or deeper < 0:
        return
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(f"{label}.{name}" if label else str(name), one, deeper - 1)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from leaves(label, one, deeper - 1)
    else:
        yield label, value
