"""Sanitise one file: read, replace, write back in its own format, read again, certify.

In: bytes of a file, a sanitiser, an analysis.  Out: bytes of the new file with its certificate.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dlp.assembly import Analysis
from dlp.errors import RespondError, SanitiseError
from dlp.model import Case, FileRef, Finding
from dlp.sanitise.certificate import certify
from dlp.sanitise.documents.contract import Rewritten as NewFile
from dlp.sanitise.documents.rewrite import rewrite as rewrite_format
from dlp.sanitise.text import Page, Report, Sanitiser
from dlp.sanitise.view import Side

PASSES = 4  # what a rescan still finds is taken out in the next one


@dataclass(slots=True)
class Rewritten:
    output: bytes = field(repr=False)
    certificate: dict[str, Any]
    sides: list[Side] = field(repr=False)
    utility: float


class Rewriting:
    """One sanitiser over many files, with the analysis that finds and checks."""

    def __init__(self, sanitiser: Sanitiser, analysis: Analysis, key: bytes) -> None:
        self._sanitiser = sanitiser
        self._analysis = analysis
        self._key = key

    def rewrite(self, name: str, raw: bytes) -> Rewritten:
        """Refused, with a reason, when the format has no rewriter or something would be left."""
        case = self.examine(name, raw)
        if case.document is None:
            raise SanitiseError("the file cannot be read", where=name)
        if case.gaps:
            codes = ", ".join(sorted({gap.code.value for gap in case.gaps}))
            raise SanitiseError(f"not all of it could be read ({codes})", where=name)
        pages = pages_of(case)
        report = self._sanitiser.document(pages, case.facts.get("subjects", ()))
        left: Sequence[Finding] = ()
        for _ in range(PASSES):
            edit = self._sanitiser.editor(pages, report, self.find)
            try:
                made = rewrite_format(raw, case.document.media_type, edit, key=self._key)
            except SanitiseError as error:
                raise SanitiseError(error.what, where=name, fix=error.fix) from None
            again = self.examine(name, made.data)
            output = pages_of(again)
            left = [f for text, found in output for f in self._left(text, found)]
            if not left and not again.gaps:
                texts = [text for text, _ in output]
                self._check(name, report, texts)
                return self._certified(case, report, made, texts)
            self._learn(report, pages, output)
        kinds = ", ".join(sorted({finding.kind.value for finding in left})) or "unreadable"
        raise SanitiseError(f"it would still hold: {kinds}; nothing is written", where=name)

    def examine(self, name: str, raw: bytes) -> Case:
        return self._analysis.case(FileRef("", os.fsencode(name)), io.BytesIO(raw))

    def find(self, text: str) -> Sequence[Finding]:
        case = self.examine("stretch.txt", text.encode())
        return [f for f in case.findings if f.part == 0]

    def _left(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        return self._sanitiser.identity.left(text, findings)

    def _learn(self, report: Report, pages: list[Page], output: list[Page]) -> None:
        """Take what a rescan found into account, wherever the original holds it."""
        identity = self._sanitiser.identity
        for text, found in output:
            left = self._left(text, found)
            identity.learn(text, left, every=True)
        for number, (text, _) in enumerate(pages):
            report.pages[number] = self._sanitiser.again(text, report.pages[number])

    def _check(self, name: str, report: Report, texts: list[str]) -> None:
        """Measure what the output itself tells; a format may join what the input kept apart."""
        remaining = self._sanitiser.confidential.remaining(texts)
        if over := remaining.over(self._sanitiser.plan.alpha):
            raise SanitiseError(f"it would still disclose {', '.join(over)}", where=name)
        report.remaining = remaining

    def _certified(self, case: Case, report: Report, made: NewFile, texts: list[str]) -> Rewritten:
        assert case.document
        exact = [page.text for page in report.pages] == texts
        sides = [
            Side(part.locator, part.text, page)
            for part, page in zip(case.document.parts, report.pages, strict=True)
        ]
        plan, media_type = self._sanitiser.plan, case.document.media_type
        certificate = certify(plan, report, made.data, media_type, made.notes, exact=exact)
        return Rewritten(made.data, certificate, sides, report.utility.preserved)


def pages_of(case: Case) -> list[Page]:
    parts = case.document.parts if case.document else ()
    return [
        (part.text, [f for f in case.findings if f.part == number])
        for number, part in enumerate(parts)
    ]


def write_atomically(path: Path, content: bytes) -> None:
    """The whole file or nothing, for its owner alone."""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".dlp-")
    except OSError as error:
        raise RespondError("the output cannot be written", where=str(path)) from error
    try:
        with os.fdopen(descriptor, "wb") as out:
            os.fchmod(out.fileno(), 0o600)
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise RespondError("the output cannot be written", where=str(path)) from error
