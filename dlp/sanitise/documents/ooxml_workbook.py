"""Prepare the parts of a workbook: cells, formulas and the names they refer to.

In: a package, one part at a time.  Out: the part's tree with cells and formulas seen to.
"""

from __future__ import annotations

import datetime as dt
import re

from lxml import etree

from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.ooxml_parts import Package, Relation, last_word
from dlp.sanitise.documents.xml_tree import FORBIDDEN, Element, local, namespace, parse, remove

# Read stored numbers as the people who typed them would: a serial day is a date.

# ECMA-376 part 1, 18.8.30: formats that are never written out in the file.
DATES = frozenset({*range(14, 18), 22, *range(27, 32), 36, *range(50, 59)})
QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a calendar date has no zone
EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001
LAST_DAY = 2_958_465  # 9999-12-31
MASK_DIGIT = re.compile(r"[0#?]")


def readings(stored: str, number_format: int, code: str, *, from_1904: bool) -> list[str]:
    """What the cell shows in common spellings, most likely first."""
    try:
        value = float(stored)
    except ValueError:
        return [stored]
    whole = value.is_integer() and abs(value) < 1e15
    texts = [str(int(value)) if whole else stored]
    if is_date(number_format, code) and 1 <= value <= LAST_DAY:
        day = (EPOCH_1904 if from_1904 else EPOCH) + dt.timedelta(days=int(value))
        texts = [
            f"{day.year:04}-{day.month:02}-{day.day:02}",
            f"{day.month}/{day.day}/{day.year}",
            f"{day.month:02}/{day.day:02}/{day.year}",
            f"{day.day:02}/{day.month:02}/{day.year}",
            f"{day.day:02}.{day.month:02}.{day.year}",
        ]
    elif whole and (mask := mask_of(code)):
        texts.insert(0, masked(int(value), mask))
    if stored not in texts:
        texts.append(stored)
    return texts


def is_date(number_format: int, code: str) -> bool:
    if number_format in DATES:
        return True
    bare = QUOTED.sub("", code.split(";", maxsplit=1)[0]).lower()
    if bare == "general":
        return False
    return bool(re.search(r"[dy]", bare) or ("m" in bare and not re.search(r"[hs]", bare)))


def mask_of(code: str) -> str:
    """A mask with separators or leading zeros rebuilds what was typed: 000-00-0000."""
    mask = re.sub(r'\\(.)|"([^"]*)"|\[[^\]]*\]|_.|\*.', r"\1\2", code.split(";", maxsplit=1)[0])
    plain = re.fullmatch(r"[0#?() /+-]*0[0#?() /+-]*", mask)
    return mask if plain and len(MASK_DIGIT.findall(mask)) > 1 else ""


def masked(value: int, mask: str) -> str:
    digits = str(abs(value)).rjust(len(MASK_DIGIT.findall(mask)), "0")
    extra = len(digits) - len(MASK_DIGIT.findall(mask))
    signs = iter(digits[extra:])
    return digits[:extra] + MASK_DIGIT.sub(lambda _: next(signs), mask)


GONE = frozenset({
    "legacyDrawing", "legacyDrawingHF", "oleObjects", "controls", "scenarios", "customSheetViews",
    "customWorkbookViews", "externalReferences", "pivotCaches", "pivotTableDefinition", "rPh",
    "phoneticPr", "webPublishItems", "webPublishing", "customProperties", "cellWatches",
    "smartTags", "smartTagPr", "smartTagTypes", "fileSharing", "fileRecoveryPr", "queryTable",
})  # fmt: skip
FORMULAS = frozenset({
    "f", "formula", "formula1", "formula2", "definedName", "calculatedColumnFormula",
    "totalsRowFormula",
})  # fmt: skip
DONE = FORMULAS | {"v"}
PAGE_TEXT = frozenset({
    "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter",
})  # fmt: skip
PAGE_CODE = re.compile(r'(&(?:[A-JL-Z]|"[^"]*"|\d+|K[0-9A-Fa-f]{6}|[+-]|&))')
LITERAL = re.compile(r'"((?:[^"]|"")*)"')
EXTERNAL = re.compile(r"\[\d+\]|\[[^\]]*\.xls")


class Workbook:
    def __init__(self, package: Package, job: Job) -> None:
        self._edit = job.edit
        self._job = job
        self._known: dict[tuple[str, str], str | None] = {}
        self._formats: list[tuple[int, str]] = []
        self._renamed: list[tuple[re.Pattern[str], str]] = []
        self._book = parse(package.members[package.main])
        flags = [e.get("date1904", "0") for e in self._book.iter("{*}workbookPr")]
        self._from_1904 = bool(flags) and flags[0] in {"1", "true"}
        for name in package.relations:
            if name.endswith("styles.xml"):
                self._read_formats(parse(package.members[name]))
        self._rename()
        self._drop_tables(package)

    def _read_formats(self, root: Element) -> None:
        codes = {e.get("numFmtId"): e.get("formatCode", "") for e in root.iter("{*}numFmt")}
        for group in root.iter("{*}cellXfs"):
            ids = [row.get("numFmtId", "0") for row in group]
            self._formats = [(int(i) if i.isdigit() else 0, codes.get(i, "")) for i in ids]

    def _rename(self) -> None:
        """Names of sheets and ranges that the edit touches get plain ones, formulas follow."""
        taken = {e.get("name", "") for e in self._book.iter("{*}sheet", "{*}definedName")}
        self._sheets: dict[str, str] = {}
        for stem, tag in (("Sheet", "{*}sheet"), ("Range", "{*}definedName")):
            for number, element in enumerate(self._book.iter(tag), 1):
                old = element.get("name", "")
                if old.startswith("_xlnm.") or not self._touched(old) or old in self._sheets:
                    continue
                new = f"{stem}{number}"
                while new in taken:
                    new = f"{stem}_{new}"
                taken.add(new)
                self._sheets[old] = new
                quoted = re.escape("'" + old.replace("'", "''") + "'")
                pattern = rf"{quoted}(?=!)|(?<![\w'.]){re.escape(old)}(?![\w'.(])"
                self._renamed.append((re.compile(pattern, re.IGNORECASE), new))

    def _touched(self, name: str) -> bool:
        spoken = name.replace("_", " ")
        return self._edit(name) != name or self._edit(spoken) != spoken

    def _drop_tables(self, package: Package) -> None:
        """A table's column names must equal its header cells: a table whose names change goes."""
        self._tables_gone = False
        for name, relations in list(package.relations.items()):
            for relation in list(relations):
                if last_word(relation.type) != "table" or relation.target not in package.members:
                    continue
                root = parse(package.members[relation.target])
                spoken = [e.get(key, "") for e in root.iter() for key in ("name", "displayName")]
                if any(map(self._touched, spoken)):
                    relations.remove(relation)
                    package.relations.pop(relation.target, None)
                    self._tables_gone = True
                    self._job.note("table definition dropped: its column names change")
            package.relations[name] = relations if name in package.relations else []
        for name in [n for n in package.relations if n not in package.members]:
            del package.relations[name]

    def prepare(self, root: Element, relations: list[Relation]) -> frozenset[str]:
        for element in list(root.iter()):
            if local(element) in GONE:
                remove(element)
        for sheet in root.iter("{*}sheet"):
            self._check_sheet(sheet, relations)
        for named in root.iter("{*}definedName"):
            named.set("name", self._sheets.get(named.get("name", ""), named.get("name", "")))
        for element in list(root.iter()):
            name = local(element)
            if name in FORMULAS and element.text:
                self._formula(element)
            elif name in PAGE_TEXT and element.text:
                pieces = PAGE_CODE.split(element.text)
                element.text = "".join(
                    piece if i % 2 else self._edit(piece) for i, piece in enumerate(pieces)
                )
            elif name == "hyperlink" and element.get("location"):
                element.set("location", self._follow(element.get("location")))
        for cell in root.iter("{*}c"):
            self._cell(cell)
        for value in list(root.iter("{*}v")):
            if local(value.getparent()) == "pt":
                self._cached(value)
        return DONE

    def _check_sheet(self, sheet: Element, relations: list[Relation]) -> None:
        sheet.set("name", self._sheets.get(sheet.get("name", ""), sheet.get("name", "")))
        ids = {r.id for r in relations}
        if not any(value in ids for key, value in sheet.attrib.items() if key.endswith("}id")):
            raise refuse("the workbook has sheets of a kind that cannot be rewritten")

    def _follow(self, text: str) -> str:
        for pattern, new in self._renamed:
            text = pattern.sub(new, text)
        return text

    def _formula(self, element: Element) -> None:
        """Edit words in quotes, follow renamed sheets; a formula into what is gone goes."""
        text = element.text
        if EXTERNAL.search(text) or (self._tables_gone and "[" in text):
            if local(element) == "f" and local(element.getparent()) == "c":
                remove(element)
            else:
                element.text = '""'
            return
        text = LITERAL.sub(self._literal, text)
        pieces = LITERAL.split(text)  # words in quotes stand at odd places
        for i in range(0, len(pieces), 2):
            pieces[i] = self._follow(pieces[i])
        for i in range(1, len(pieces), 2):
            pieces[i] = f'"{pieces[i]}"'
        text = "".join(pieces)
        element.text = text if self._edit(text) == text else self._last_resort(element, text)

    def _literal(self, hit: re.Match[str]) -> str:
        words = hit[1].replace('""', '"')
        new = FORBIDDEN.sub("", self._edit(words))
        return hit[0] if new == words else '"' + new.replace('"', '""') + '"'

    def _last_resort(self, element: Element, text: str) -> str:
        """The edit still touches a formula: leave its value, not the formula."""
        self._job.note("formula dropped: the edit touches it")
        if local(element) == "f" and local(element.getparent()) == "c":
            element.getparent().remove(element)
            return text
        return '""'

    def _cell(self, cell: Element) -> None:
        value = next((e for e in cell if local(e) == "v"), None)
        if value is None or not value.text or cell.get("t", "n") in {"s", "b", "e"}:
            return
        new = self._value(value.text, cell.get("s", "") if cell.get("t", "n") == "n" else "text")
        if new is None:
            return
        if cell.get("t") == "str":
            value.text = new
            return
        for child in list(cell):
            cell.remove(child)
        cell.set("t", "inlineStr")
        space = namespace(cell)
        text = etree.SubElement(etree.SubElement(cell, f"{{{space}}}is"), f"{{{space}}}t")
        text.text = new

    def _value(self, stored: str, style: str) -> str | None:
        """The edited value, or None where the edit leaves every spelling of it alone."""
        known = self._known.get((stored, style), "?")
        if known != "?":
            return known
        texts = [stored]
        if style != "text":
            number = int(style) if style.isdigit() else -1
            fmt, code = self._formats[number] if 0 <= number < len(self._formats) else (0, "")
            texts = readings(stored, fmt, code, from_1904=self._from_1904)
        edited = ((text, FORBIDDEN.sub("", self._edit(text))) for text in texts)
        new = next((after for before, after in edited if after != before), None)
        self._known[stored, style] = new
        return new

    def _cached(self, value: Element) -> None:
        """A chart's copy of a cell."""
        new = self._value(value.text or "", "text")
        if new is None:
            return
        point = value.getparent()
        if local(point.getparent()) == "numCache":
            remove(point)
        else:
            value.text = new
