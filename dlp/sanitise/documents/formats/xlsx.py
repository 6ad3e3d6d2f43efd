"""Rewrite workbooks without macros: strings, numbers, dates, formulas, names of sheets.

In: an xlsx or xltx.  Out: the same workbook; formulas stay where nothing they need is gone.
"""

from __future__ import annotations

from dlp.sanitise.documents.contract import Job
from dlp.sanitise.documents.kinds import OOXML, XLSX
from dlp.sanitise.documents.ooxml import Package, Prepare, rewrite_package
from dlp.sanitise.documents.workbook import Workbook

MEDIA_TYPES = frozenset({XLSX, f"{OOXML}spreadsheetml.template"})


def rewrite(data: bytes, job: Job) -> bytes:
    return rewrite_package(data, job, prepare)


def prepare(package: Package, job: Job) -> Prepare:
    return Workbook(package, job).prepare
