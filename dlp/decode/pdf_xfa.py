"""Read an XFA form of a PDF: what was filled in, and what the form prints.

In: the entry /XFA of the form dictionary.  Out: an XML document of values, parts with printed text.

XFA is one XML document, whole or cut into named packets. The packet `datasets` holds the values.
The packet `template` is a page description: only captions, drawn text and tooltips are words a
reader sees; the rest is geometry, fonts, pictures in base64 and scripts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pikepdf
from lxml import etree

from dlp.decode.contract import Embedded, Item, Limits
from dlp.model import Part

VALUES, PRINTED = "datasets", "template"
# The frame, and packets whose schema holds settings and no text of an author.
MACHINERY = frozenset({
    "preamble", "postamble", "xdp:xdp", "</xdp:xdp>", "config", "localeSet", "connectionSet",
    "sourceSet", "stylesheet",
    "PDFSecurity", "signature",
})  # fmt: skip
WORDS = frozenset({"text", "exData", "toolTip", "speak"})
SCRIPTS = frozenset({"script"})
PRESET = "field"  # a text behind its <value> was filled in before the form was given out


def items_of(xfa: Any, limits: Limits) -> Iterator[Item]:
    most = limits.max_inflated_bytes
    packets = list(named_packets(xfa))
    if values := b"".join(data for name, data in packets if name == VALUES):
        yield Embedded("xfa", "", values[:most], "application/xml")
    for name, data in packets:
        if name == PRINTED:
            yield from printed(data[:most])
        elif name not in MACHINERY and name != VALUES:
            yield Embedded("xfa_template" if values else "xfa", "", data[:most], "application/xml")


def named_packets(xfa: Any) -> Iterator[tuple[str, bytes]]:
    if isinstance(xfa, pikepdf.Stream):
        yield from cut(xfa.read_bytes())
        return
    for name, packet in pairwise(list(xfa or [])):
        if isinstance(packet, pikepdf.Stream) and not isinstance(name, pikepdf.Stream):
            yield str(name), packet.read_bytes()


def cut(whole: bytes) -> Iterator[tuple[str, bytes]]:
    """The packets of one document; as it stands where it is none."""
    root = parsed(whole)
    if root is None or local(root) != "xdp":
        yield "", whole
        return
    for packet in root:
        if isinstance(packet.tag, str):
            yield local(packet), etree.tostring(packet)


def parsed(data: bytes) -> Any:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, remove_comments=True,
        remove_pis=True, huge_tree=False,
    )  # fmt: skip
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def printed(data: bytes) -> Iterator[Item]:
    root = parsed(data)
    if root is None:
        yield Part("xfa_template/raw", data.decode("utf-8", "replace"))
        return
    shown: dict[str, None] = {}
    preset: dict[str, None] = {}
    code: dict[str, None] = {}
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name = local(element)
        kept = preset if is_preset(element) else shown if name in WORDS else None
        kept = code if name in SCRIPTS else kept
        if kept is not None and (text := " ".join("".join(element.itertext()).split())):
            kept[text] = None
    for where, texts in (("xfa_template", shown), ("xfa/preset", preset), ("scripts", code)):
        if texts:
            yield Part(where, "\n".join(texts))


def is_preset(element: Any) -> bool:
    value = element.getparent()
    if local(element) not in WORDS or value is None or local(value) != "value":
        return False
    holder = value.getparent()
    return holder is not None and local(holder) == PRESET


def local(element: Any) -> str:
    return str(etree.QName(element).localname) if isinstance(element.tag, str) else ""
