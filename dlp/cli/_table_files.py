"""Tables in files: csv, tsv, xlsx and parquet, read whole and written only when complete.

In: a path.  Out: sanitise.tables.Table; a file written under another name first, mode 0600.
"""

from __future__ import annotations

import csv
import io
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dlp.errors import SanitiseError
from dlp.private_files import write_whole
from dlp.sanitise.tables.table import Table, check, from_rows

SUFFIXES = (".csv", ".tsv", ".xlsx", ".parquet")
_SNIFFED = 64 * 1024
_LINES = 20  # looked at to see how a file is quoted
_DELIMITERS = ",;\t|"

PASSES = 4  # what a rescan still finds is taken out in the next one


def read_table(path: Path, sheet: str | None = None) -> Table:
    suffix = _suffix(path)
    try:
        if suffix == ".xlsx":
            return _read_xlsx(path, sheet)
        if suffix == ".parquet":
            return _read_parquet(path)
        return _read_delimited(path.read_bytes(), suffix)
    except OSError as error:
        raise SanitiseError(f"cannot be read: {error.strerror}", where=path.name) from error


def read_rows(path: Path) -> list[list[str]]:
    """A delimited file without a header, such as a hierarchy."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SanitiseError(f"cannot be read: {error.strerror}", where=path.name) from error
    text = _decode(raw)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)))


def write_table(
    table: Table, path: Path, sheet: str | None = None, like: Path | None = None
) -> None:
    """Write beside the target and rename: a reader sees nothing or everything.

    A delimited file is written as the one it is `like`: delimiter, quotes and ends of lines.
    """
    suffix = _suffix(path)
    makers = {".xlsx": _xlsx_bytes, ".parquet": _parquet_bytes}
    if suffix in makers:
        content = makers[suffix](table, sheet or "Sheet1")
    else:
        writing = Writing("\t" if suffix == ".tsv" else ",")
        if like is not None and like.suffix.lower() == suffix:
            writing = _writing_of(like.read_bytes(), suffix)
        content = _delimited_bytes(table, writing)
    write_whole(path, content)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise SanitiseError(
            f"{suffix or 'no ending'} is no kind of table known here",
            where=path.name,
            fix=f"one of {', '.join(SUFFIXES)}",
        )
    return suffix


def _decode(raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def _delimiter(text: str) -> str:
    """The one that parts the first lines into equally many cells, and most of them."""
    lines = text[:_SNIFFED].splitlines()[:50]
    if len(text) > _SNIFFED and len(lines) > 1:
        lines.pop()  # cut off in the middle

    def fitness(delimiter: str) -> tuple[int, int]:
        counts = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        usual = max(set(counts), key=counts.count, default=1)
        return (counts.count(usual) if usual > 1 else 0, usual)

    return max(_DELIMITERS, key=fitness)


def _read_delimited(raw: bytes, suffix: str) -> Table:
    text = _decode(raw)
    if "\0" in text:
        raise SanitiseError("this is no text", fix="give the file the ending of what it is")
    delimiter = "\t" if suffix == ".tsv" else _delimiter(text)
    csv.field_size_limit(1 << 24)
    try:
        rows = [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row
        ]
    except csv.Error as error:
        raise SanitiseError(f"no such table: {error}") from error
    if not rows:
        raise SanitiseError("the table is empty", fix="the first row names the columns")
    return from_rows(rows[0], rows[1:])


def _read_xlsx(path: Path, sheet: str | None) -> Table:
    import zipfile
    from xml.etree.ElementTree import ParseError

    try:
        rows = _sheet_rows(path, sheet)
    except (
        zipfile.BadZipFile, KeyError, ValueError, AttributeError, TypeError, IndexError, EOFError,
        ParseError,
    ) as error:  # fmt: skip
        # What openpyxl raises over workbooks of an odd make.
        raise SanitiseError("this is no workbook that can be read", where=path.name) from error
    if not rows:
        raise SanitiseError("the sheet is empty", fix="the first row names the columns")
    return from_rows(*_trimmed(rows))


def _sheet_rows(path: Path, sheet: str | None) -> list[list[Any]]:
    import openpyxl

    with path.open("rb") as source:
        book = openpyxl.load_workbook(source, read_only=True, data_only=True)
        if sheet is not None and sheet not in book.sheetnames:
            listed = ", ".join(book.sheetnames[:10])
            raise SanitiseError(f"no sheet is called {sheet!r}", fix=f"sheets: {listed}")
        if sheet is None and len(book.sheetnames) > 1:
            raise SanitiseError(
                f"the workbook has {len(book.sheetnames)} sheets",
                fix=f"choose one with --sheet: {', '.join(book.sheetnames[:10])}",
            )
        chosen = book[sheet or book.sheetnames[0]]
        return [list(row) for row in chosen.iter_rows(values_only=True) if any_there(row)]


def any_there(row: Sequence[object]) -> bool:
    return any(cell is not None for cell in row)


def _trimmed(rows: list[list[Any]]) -> tuple[list[Any], list[list[Any]]]:
    """Cells a sheet only formats, right of its last column, are no columns."""
    width = max(at + 1 for row in rows for at, cell in enumerate(row) if cell is not None)
    level = [(row + [None] * width)[:width] for row in rows]
    return level[0], level[1:]


def _read_parquet(path: Path) -> Table:
    parquet = _pyarrow()
    import pyarrow as pa

    try:
        table = parquet.read_table(path)
    except pa.ArrowException as error:
        raise SanitiseError("this is no parquet file that can be read", where=path.name) from error
    columns = tuple(table.column(at).to_pylist() for at in range(table.num_columns))
    found = Table(tuple(map(str, table.column_names)), columns)
    check(found)
    return found


def _pyarrow() -> Any:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise SanitiseError(
            "parquet needs pyarrow, which is not installed",
            fix="pip install 'phi-share-dlp[parquet]'",
        ) from error
    return parquet


class Writing(NamedTuple):
    """How a delimited file is written."""

    delimiter: str = ","
    all_quoted: bool = False
    line_end: str = "\n"


def _writing_of(raw: bytes, suffix: str) -> Writing:
    text = _decode(raw[:_SNIFFED])
    delimiter = "\t" if suffix == ".tsv" else _delimiter(text)
    lines = text.splitlines()[:_LINES]
    quoted = [line for line in lines if line.startswith('"') and line.rstrip().endswith('"')]
    parted = all(f'"{delimiter}"' in line or delimiter not in line for line in quoted)
    end = "\r\n" if "\r\n" in text else "\n"
    return Writing(delimiter, bool(quoted) and len(quoted) == len(lines) and parted, end)


def _delimited_bytes(table: Table, writing: Writing) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(
        out,
        delimiter=writing.delimiter,
        lineterminator=writing.line_end,
        quoting=csv.QUOTE_ALL if writing.all_quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerow(table.headers)
    writer.writerows(zip(*table.columns, strict=True))
    return out.getvalue().encode()


def _xlsx_bytes(table: Table, sheet: str) -> bytes:
    """A new workbook with this sheet only: other sheets were not looked at."""
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet(sheet)
    page.append(list(table.headers))
    for row in zip(*table.columns, strict=True):
        page.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _parquet_bytes(table: Table, _sheet: str) -> bytes:
    parquet = _pyarrow()
    import pyarrow as pa

    arrays = []
    for column in table.columns:
        try:
            arrays.append(pa.array(list(column)))
        except pa.ArrowException:  # generalised numbers are text; a column has one type
            arrays.append(pa.array([None if c is None else str(c) for c in column]))
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, names=list(table.headers)), out)
    return out.getvalue()


class CellSanitiser:
    """Loads the analysis with the first cell; a table without text does not pay for it."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def __call__(self, text: str) -> str | None:
        if not self._known:
            self._load()
        if text not in self._known:
            self._known[text] = self._sanitise(text)
        return self._known[text]

    def _load(self) -> None:
        from dlp import config
        from dlp.assembly import Analysis
        from dlp.engine.sanitiser_setup import examiner
        from dlp.sanitise.plan import Mode, Plan, Profile
        from dlp.sanitise.protected_topics import default_topics
        from dlp.sanitise.service import Service

        key = secrets.token_bytes(32)  # surrogates of this table mean nothing elsewhere
        plan = Plan(Profile.SAFE_HARBOR, Mode.GENERALISE, default_topics(), 1.5, key)
        self._examine = examiner(Analysis(config.load(None), full=True))
        self._service = Service(plan, self._examine)
        self._sanitiser = self._service.sanitiser

    def _sanitise(self, text: str) -> str | None:
        from dlp.sanitise.service import pages_of

        case = self._examine("cell.txt", text.encode())
        pages = pages_of(case)
        if case.gaps or len(pages) != 1:
            return None
        page = self._sanitiser.document(pages, case.facts.get("subjects", ())).pages[0]
        for _ in range(PASSES):
            found = self._service.find(page.text)
            left = self._sanitiser.identity.left(page.text, found)
            if not left:
                return page.text
            self._sanitiser.identity.learn(page.text, left, every=True)
            page = self._sanitiser.again(text, page)
        return None
