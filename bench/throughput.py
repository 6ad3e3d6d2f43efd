"""How fast files are read and triaged, next to plain reading and to the libraries themselves.

In: folders of real files.  Out: a table by format: files/s and MB/s of one core, medians of
interleaved rounds, so that a noisy machine bends every column alike.

    python -m bench.throughput FOLDER... [--rounds 5] [--per-format 60]
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pypdfium2
from lxml import etree
from python_calamine import CalamineWorkbook
from selectolax.lexbor import LexborHTMLParser

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.decode import format_registry
from dlp.decode.extract import read
from dlp.decode.identify import identify
from dlp.model import Case, FileRef
from dlp.pipeline import Pipeline
from dlp.triage.assemble import triage_stages

Files = list[tuple[str, bytes]]
HEADINGS = ("format", "files", "MB", "cat MB/s", "decode files/s", "decode MB/s", "decode takes",
            "triage files/s", "all stages files/s")  # fmt: skip
SHORT = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls",
    "message/rfc822": "eml",
}


def pdf_alone(data: bytes) -> None:
    document = pypdfium2.PdfDocument(data)
    for number in range(len(document)):
        document[number].get_textpage().get_text_range()


def xml_alone(data: bytes) -> None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    "".join(etree.fromstring(data, parser).itertext())


def sheet_alone(data: bytes) -> None:
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    for name in book.sheet_names:
        book.get_sheet_by_name(name).to_python()


LIBRARY: dict[str, tuple[str, Callable[[bytes], object]]] = {
    "pdf": ("pypdfium2", pdf_alone),
    "xml": ("lxml", xml_alone),
    "xlsx": ("calamine, cells only", sheet_alone),
    "xls": ("calamine, cells only", sheet_alone),
    "html": ("selectolax", lambda data: LexborHTMLParser(data).text()),
    "plain": ("bytes.decode", lambda data: data.decode("utf-8", "replace")),
}


def sample(folders: list[str], per_format: int) -> dict[str, Files]:
    by_format: dict[str, Files] = defaultdict(list)
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if not path.is_file() or path.stat().st_size > 4_000_000:
                continue
            data = path.read_bytes()
            media_type = identify(io.BytesIO(data), path.name).media_type
            short = SHORT.get(media_type, media_type.rsplit("/", 1)[-1].removeprefix("x-"))
            if len(by_format[short]) < per_format:
                by_format[short].append((os.fspath(path), data))
    return {name: files for name, files in by_format.items() if len(files) >= 5}


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def plain_read(files: Files) -> None:
    for path, _ in files:
        with open(path, "rb") as source:
            source.read()


def alone(files: Files, library: Callable[[bytes], object]) -> None:
    for _, data in files:
        try:
            library(data)
        except (ValueError, OSError, RuntimeError, SyntaxError, pypdfium2.PdfiumError):
            continue
        except Exception as error:
            if "alamine" not in type(error).__name__:
                raise


def ours(files: Files) -> None:
    for path, data in files:
        read(io.BytesIO(data), os.path.basename(path))


def triage(cases: list[Case], pipeline: Pipeline) -> None:
    for case in cases:
        pipeline.run(case)


def everything(files: Files, analysis: Analysis) -> None:
    for path, data in files:
        analysis(FileRef("bench", os.fsencode(path)), io.BytesIO(data))


def measure(files: Files, name: str, rounds: int, analysis: Analysis) -> list[str]:
    pipeline = Pipeline(triage_stages(), given={"document"})
    cases = [
        Case(FileRef("bench", os.fsencode(p)), read(io.BytesIO(d), os.path.basename(p)).document)
        for p, d in files
    ]
    library = LIBRARY.get(name)
    times: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        times["cat"].append(seconds(lambda: plain_read(files)))
        if library:
            times["library"].append(seconds(lambda: alone(files, library[1])))
        times["decode"].append(seconds(lambda: ours(files)))
        times["triage"].append(seconds(lambda: triage(cases, pipeline)))
        times["all"].append(seconds(lambda: everything(files, analysis)))
    median = {key: statistics.median(values) for key, values in times.items()}
    megabytes = sum(len(data) for _, data in files) / 1e6
    ratio = f"{median['decode'] / median['library']:.1f} × {library[0]}" if library else ""
    return [
        name, str(len(files)), f"{megabytes:.1f}",
        f"{megabytes / max(median['cat'], 1e-6):.0f}",
        f"{len(files) / median['decode']:.0f}", f"{megabytes / median['decode']:.1f}",
        ratio, f"{len(files) / median['triage']:.0f}", f"{len(files) / median['all']:.0f}",
    ]  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--per-format", type=int, default=60)
    chosen = arguments.parse_args()
    format_registry.preload()
    analysis = Analysis(Settings())
    analysis.warm()
    print("| " + " | ".join(HEADINGS) + " |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, files in sorted(sample(chosen.folders, chosen.per_format).items()):
        print("| " + " | ".join(measure(files, name, chosen.rounds, analysis)) + " |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
