"""Parquet: cells by their columns, nested ones by their path; what cannot be read is said."""

import io

import pyarrow as pa
import pytest
from pyarrow import parquet as writer

from dlp.decode.contract import Limits
from dlp.decode.extract import read
from dlp.decode.formats import parquet
from dlp.model import GapCode


def made(rows, **options):
    out = io.BytesIO()
    writer.write_table(pa.Table.from_pylist(rows), out, **options)
    return out.getvalue()


def fields_of(reading):
    (body,) = [part for part in reading.document.parts if part.locator == "body"]
    return [(label, body.text[start:end], record) for label, start, end, record in body.fields]


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
def test_nested_cells_are_labelled_by_their_path(compression):
    rows = [{"name": "Ada", "visit": {"codes": ["J45", "L40"], "ward": {"bed": 4}}}, {"name": "Bo"}]
    reading = read(io.BytesIO(made(rows, compression=compression)), "t.parquet")
    assert reading.gaps == ()
    assert fields_of(reading) == [
        ("name", "Ada", 0), ("visit.codes", "J45", 0), ("visit.codes", "L40", 0),
        ("visit.ward.bed", "4", 0), ("name", "Bo", 1),
    ]  # fmt: skip


def test_many_row_groups_are_read_to_the_end():
    rows = [{"n": f"name{number}"} for number in range(3000)]
    reading = read(io.BytesIO(made(rows, row_group_size=100)), "t.parquet")
    assert [value for _, value, _ in fields_of(reading)] == [row["n"] for row in rows]


def test_a_table_beyond_the_limit_is_a_gap():
    data = made([{"n": "x" * 100}] * 1000)
    reading = read(io.BytesIO(data), "t.parquet", Limits(max_text_chars=5000))
    assert [gap.code for gap in reading.gaps] == [GapCode.TOO_LARGE]


@pytest.mark.parametrize(
    "data, code",
    [
        (b"PARE" + bytes(60), GapCode.ENCRYPTED),
        (made([{"n": "Ada"}])[:-9], GapCode.CORRUPT),
        (b"PAR1" + bytes(60) + b"PAR1", GapCode.CORRUPT),
    ],
)
def test_what_cannot_be_read_is_said(data, code):
    reading = read(io.BytesIO(data), "t.parquet")
    assert [gap.code for gap in reading.gaps] == [code]


def test_without_the_library_it_is_unsupported(monkeypatch):
    monkeypatch.setattr(parquet, "parquet", None)
    (gap,) = parquet.extract(io.BytesIO(made([{"n": "Ada"}])), Limits())
    assert gap.code is GapCode.UNSUPPORTED
