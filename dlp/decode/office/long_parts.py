"""Read XML parts that are too large for a tree.

In: a stream of XML.  Out: the words a tree would give: paragraphs joined, everything else beside.

The parser calls back for each element and keeps nothing; deletions, field codes and text boxes stay
where they stand in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from dlp.decode.archive_guard import UnreadableError
from dlp.decode.contract import Budget, BudgetExceededError, Item, Limits
from dlp.decode.office.flow import TEXTS, form_words
from dlp.decode.office.markup import MACHINE, Readable, local, speaks
from dlp.model import Gap, GapCode, Part

CHUNK = 1 << 16
PARAGRAPHS = frozenset({"p", "h"})
CELLS = frozenset({"tc", "table-cell"})
SPELLED = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " "}
PLACES = frozenset({"posOffset", "align", "pctWidth", "pctHeight"})  # measures of drawings


class Words:
    """Receives what the parser meets; text of runs joins its paragraph, other words stand alone."""

    def __init__(self, limits: Limits, locator: str, *, mixed: bool) -> None:
        # Bounds what grows here; whoever takes the parts counts them.
        self._budget, self._locator = Budget(limits), locator
        self._mixed = mixed  # OpenDocument writes text anywhere in a paragraph, not only in runs
        self._inside = 0
        self._silent = 0
        self._joining = False
        self._paragraph: list[str] = []
        self._piece: list[str] = []
        self.lines: list[str] = []
        self.labels: dict[str, None] = {}

    def start(self, tag: Any, attributes: Any) -> None:
        name = local(str(tag))
        self._label()
        for value in attributes.values():
            if value not in self.labels and speaks(value):
                self._budget.take_text(len(value), self._locator)
                self.labels[value] = None
        if name in PARAGRAPHS:
            self._line()
            self._inside += 1
        elif name in TEXTS:
            self._joining = True
        elif name in CELLS and self._paragraph:
            self._paragraph.append("\t")
        elif name in SPELLED and not attributes:
            self._paragraph.append(SPELLED[name])
        self._silent += name in MACHINE or name in PLACES

    def end(self, tag: Any) -> None:
        name = local(str(tag))
        if name == "fldData":
            self._piece[:] = [form_words("".join(self._piece))]
        self._label()
        if name in PARAGRAPHS:
            self._line()
            self._inside = max(0, self._inside - 1)
        elif name in TEXTS:
            self._joining = False
        self._silent -= name in MACHINE or name in PLACES

    def data(self, data: Any) -> None:
        if self._silent:
            return
        if self._inside and (self._joining or self._mixed):
            self._paragraph.append(data)
        else:
            self._piece.append(data)

    def comment(self, text: Any) -> None:
        self.labels[text.strip()] = None

    def close(self) -> None:
        self._label()
        self._line()

    def _label(self) -> None:
        """Text outside paragraphs: a cached value, a property, a list entry."""
        if self._piece:
            text = "".join(self._piece).strip()
            self._piece.clear()
            if text:
                self._budget.take_text(len(text), self._locator)
                self.lines.append(text)

    def _line(self) -> None:
        text = "".join(self._paragraph)
        self._paragraph.clear()
        if text:
            self._budget.take_text(len(text), self._locator)
            self.lines.append(text)


def read_long(
    source: Readable, limits: Limits, locator: str, *, mixed: bool = False
) -> Iterator[Item]:
    words = Words(limits, locator, mixed=mixed)
    parser = etree.XMLParser(
        target=words, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    gap = trouble = None
    try:
        while block := source.read(CHUNK):
            parser.feed(block)
        parser.close()
    except (etree.XMLSyntaxError, UnreadableError):
        gap = Gap(GapCode.CORRUPT, locator)
    except BudgetExceededError as error:
        trouble = error
    yield Part(locator, "\n".join(words.lines))
    yield Part("labels" if locator == "body" else f"{locator}.labels", "\n".join(words.labels))
    if gap:
        yield gap
    if trouble:
        raise trouble
