"""Read, edit and write XML trees so that no text or attribute of them escapes.

In: XML bytes, an edit.  Out: a tree without instructions or declarations; bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from lxml import etree

from dlp.sanitise.documents.contract import Edit, refuse
from dlp.sanitise.documents.run_alignment import spread

Element = Any  # lxml's elements; its stubs call every tag a union
# A place for text: an element's own text or what follows it; or a mark that reads as a sign.
Slot = tuple[Element, str]
PRESERVE = "{http://www.w3.org/XML/1998/namespace}space"
MACHINE = re.compile(
    r"-?\d{1,9}(\.\d+)?(pt|in|cm|mm|px|em|%|emu)?|#?[0-9A-Fa-f]{3,8}"
    r"|\{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?"
    r"|[a-z][A-Za-z0-9]{0,31}"  # schemas write their choices so: "center", "oneCellAnchor"
)
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def parse(data: bytes, *, comments: bool = False) -> Element:
    """Parse without entities or network; a file that declares entities hides text, so it is out."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True,
        remove_comments=not comments, remove_pis=True,
    )  # fmt: skip
    root: Element = etree.fromstring(data, parser)
    declared: Any = root.getroottree().docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise refuse("the file declares XML entities")
    return root


def serialise(root: Element, *, standalone: bool | None = None) -> bytes:
    """Write the elements only: what stood before and after the root is gone."""
    written: Any = cast("Any", etree).tostring(
        root, encoding="UTF-8", xml_declaration=True, standalone=standalone, with_tail=False
    )  # fmt: skip
    return bytes(written)


def local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def namespace(element: Element) -> str:
    return element.tag[1:].rpartition("}")[0] if element.tag[:1] == "{" else ""


def remove(element: Element) -> None:
    """Take an element out and leave the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    keep_tail(element, parent)
    parent.remove(element)


def unwrap(element: Element) -> None:
    """Put an element's children in its place."""
    parent = element.getparent()
    if parent is None:
        return
    place = parent.index(element)
    for child in reversed(list(element)):
        parent.insert(place + 1, child)
    keep_tail(element, parent)
    parent.remove(element)


def keep_tail(element: Element, parent: Element) -> None:
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
        element.tail = None


def edit_slots(slots: list[Slot], edit: Edit, signs: dict[int, str] | None = None) -> None:
    """Edit the joined text of slots; `signs` are the marks between, by their place in the list."""
    signs = signs or {}
    runs = [
        signs[i] if i in signs else getattr(element, which) or ""
        for i, (element, which) in enumerate(slots)
    ]
    before = "".join(runs)
    if not before.strip():
        return
    after = FORBIDDEN.sub("", edit(before))
    new = spread(runs, after, frozenset(signs)) if after != before else runs
    for i, text in enumerate(new):
        if i in signs:
            continue
        # A value that fills a run is found there even where its neighbours leave it no boundary.
        alone = FORBIDDEN.sub("", edit(text)) if len(runs) > 1 and text.strip() else text
        if alone != runs[i]:
            element, which = slots[i]
            setattr(element, which, alone or None)


def flows(root: Element, is_inline: Callable[[Element], bool]) -> Iterator[list[Slot]]:
    """Yield the slots that read as one text; an element that is not inline breaks them."""
    current: list[Slot] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str):
            continue
        if not is_inline(element) and current:
            yield current
            current = []
        if event == "start":
            current.append((element, "text"))
        elif element is not root:
            current.append((element, "tail"))
    if current:
        yield current


def edit_attributes(element: Element, edit: Edit, spoken: frozenset[str] = frozenset()) -> None:
    """Edit what people may have written; `spoken` attributes always, others unless machine-made."""
    for key, value in element.attrib.items():
        name = key.rpartition("}")[2]
        if not value or (name not in spoken and MACHINE.fullmatch(value)):
            continue
        new = FORBIDDEN.sub("", edit(value))
        if new != value:
            element.set(key, new)
