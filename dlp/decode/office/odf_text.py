"""Turn OpenDocument text into lines.

In: the root of content.xml or styles.xml.  Out: named streams: what shows, notes, comments,
deletions, text boxes, labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from dlp.decode.office.markup import attribute, local_of, speaks

PARAGRAPHS = frozenset({"p", "h"})
ROWS = frozenset({"table-row"})
CELLS = frozenset({"table-cell", "covered-table-cell"})
MOST_SPACES = 1000  # a count is a number in a file
# Subtrees that would tear the paragraph they hang on; each becomes a stream of its own.
CUT = {
    "tracked-changes": "deleted",
    "annotation": "comments",
    "note-body": "notes",
    "footnote-body": "notes",
    "endnote-body": "notes",
    "notes": "notes",
    "text-box": "textboxes",
    "header": "headers",
    "header-left": "headers",
    "header-first": "headers",
    "footer": "footers",
    "footer-left": "footers",
    "footer-first": "footers",
}
# Elements whose text is words although it is no paragraph.
WORDS = (
    "title",
    "desc",
    "creator",
    "sender-initials",
    "script",
    "event-listener",
    "option",
    "item",
)
SPOKEN = frozenset({
    "name", "title", "href", "string-value", "label", "value", "current-value", "description",
    "display-name", "formula", "condition", "help-message", "text", "author", "author-name", "alt",
    "connection-resource", "command", "database-name", "table-name", "date-value", "tooltip",
})  # fmt: skip
SPEAKERS = tuple(f"{{*}}{name}" for name in (
    "frame", "bookmark", "bookmark-start", "reference-mark", "reference-mark-start", "a",
    "section", "user-field-decl", "variable-set", "variable-decl", "user-field-get",
    "text-input", "image", "table", "named-range", "named-expression", "content-validation",
    "help-message", "error-message", "object", "object-ole", "page", "custom-shape", "rect",
    "form", "text", "textarea", "button", "checkbox", "radio", "listbox", "combobox",
    "formatted-text", "hidden", "password", "fixed-text", "option", "table-source",
    "cell-range-source", "dde-source", "database-range", "database-display", "database-name",
    "date", "plugin", "applet", "param", "event-listener", "placeholder", "hidden-text",
    "hidden-paragraph", "conditional-text", "change-info", "list-item", "control",
    "meta-field", "script", "table-cell", "connection-resource", "calculation-cell",
))  # fmt: skip


def streams(root: etree._Element) -> Iterator[tuple[str, str]]:
    """Give (stream, text) of one part; the unnamed stream is what shows."""
    found: dict[str, list[str]] = {}
    removed: dict[str, str] = {}
    for element in list(root.iter("{*}title", "{*}desc")):
        if "svg" in str(element.tag):
            cut_out(element)  # labels() has it
    for element in list(root.iter(*(f"{{*}}{name}" for name in CUT))):
        name = local_of(element)
        if name == "text-box" and not in_paragraph(element):
            continue  # the text of a slide lives in boxes
        if name == "tracked-changes":
            regions = element.iterchildren("{*}*")
            removed |= {attribute(region, "id"): lines(region) for region in regions}
        cut_out(element)
        found.setdefault(CUT[name], []).append(lines(element))
    yield "", lines(root)
    found.setdefault("deleted", []).extend(original(root, removed))
    for name, texts in found.items():
        yield name, "\n".join(filter(None, texts))


def original(root: etree._Element, removed: dict[str, str]) -> Iterator[str]:
    """The paragraphs that lost text, with it back in place: half a name is no name."""
    changed: dict[etree._Element, None] = {}
    for mark in root.iter("{*}change"):
        mark.text = removed.get(attribute(mark, "change-id"))
        holder = next(mark.iterancestors("{*}p", "{*}h"), None)
        if holder is not None and mark.text:
            changed[holder] = None
    return map(lines, changed)


def in_paragraph(element: etree._Element) -> bool:
    return next(element.iterancestors("{*}p", "{*}h"), None) is not None


def labels(root: etree._Element) -> Iterator[str]:
    """Words outside the text: names, targets, form values, descriptions."""
    for element in root.iter(*SPEAKERS):
        for key, value in element.attrib.items():
            if str(key).rpartition("}")[2] in SPOKEN and speaks(str(value)):
                yield str(value)
    for element in root.iter(*(f"{{*}}{name}" for name in WORDS)):
        if element.text and not element.text.isspace():
            yield element.text.strip()


def cut_out(element: etree._Element) -> None:
    """Detach a subtree but leave the text that follows it in its place."""
    parent = element.getparent()
    if parent is None:
        return
    tail, before = element.tail, element.getprevious()
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def lines(root: etree._Element) -> str:
    """A paragraph is a line; a table row is a line with tabs between its cells."""
    out: list[str] = []
    inside = 0  # how many paragraphs we are in; text elsewhere is white space between elements
    opening, first_cell = "\n", True
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local_of(element)
        if event == "start":
            if name in PARAGRAPHS:
                out.append(opening)
                opening = "\n"
                inside += 1
            elif name in ROWS:
                opening, first_cell = "\n", True
            elif name in CELLS:
                opening, first_cell = ("\n" if first_cell else "\t"), False
            elif inside:
                out.append(spelled(element, name))
            if inside and element.text and name:
                out.append(element.text)
            continue
        inside -= name in PARAGRAPHS
        if inside and element.tail and element is not root:
            out.append(element.tail)
    return "".join(out).strip("\n")


def spelled(element: etree._Element, name: str) -> str:
    if name == "s":
        count = attribute(element, "c")
        return " " * min(int(count), MOST_SPACES) if count.isdecimal() and len(count) < 9 else " "
    return {"tab": "\t", "tab-stop": "\t", "line-break": "\n"}.get(name, "")


def text_of(element: etree._Element) -> str:
    """The paragraphs of one cell, in one line."""
    return " ".join(lines(element).split())


def distinct(texts: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys(texts))
