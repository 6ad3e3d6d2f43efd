"""Parse XML that may be hostile, and gather what it says.

In: bytes or a bounded stream.  Out: elements, and the text of their nodes and attributes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

from lxml import etree

from dlp.model import GapCode

ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s/>])")
PROLOGUE = 4096  # a declaration and a comment fit; then the root must come
# Attributes of unknown vocabularies: a word, or enough digits to be somebody's number.
SPEAKING = re.compile(r"[^\W\d_]{2}|\d{5}")
SILENT = re.compile(r"\{?[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}\}?|https?://(schemas|purl|www\.w3)\.\S*")
# Keys, digests and certificates: long, random, and nobody's words.
MACHINE = frozenset({"SignatureValue", "DigestValue", "X509Certificate", "Modulus", "binData"})


CUSTOM_STYLE = re.compile(
    rb'customStyle="(?:1|true|on)"[^<>]*>\s*<(?:\w+:)?name (?:\w+:)?val="([^"<>]*)"'
)
TEXT_NODE = re.compile(rb">\s*[^<\s]")
WORD_MARKS = (b"descr=", b"title=", b"tooltip=", b"author=", b"href=", b"alt=")


class Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


def make_parser(*, recover: bool) -> etree.XMLParser:
    # No collect_ids=False: it makes libxml2 fetch the external DTD, whatever load_dtd says.
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
    )


STRICT = make_parser(recover=False)
LENIENT = make_parser(recover=True)


def parse(content: bytes) -> tuple[etree._Element | None, GapCode | None]:
    """Give the root and why it is not the whole truth, if it is not."""
    damage = None
    try:
        root: etree._Element | None = etree.fromstring(content, STRICT)
    except (etree.XMLSyntaxError, ValueError):
        damage = GapCode.CORRUPT
        root = recovered(content)
    if root is not None and declares_entities(root):
        return None, GapCode.CORRUPT
    return root, damage


def recovered(content: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(content, LENIENT)
    except (etree.XMLSyntaxError, ValueError):
        return None


def declares_entities(root: etree._Element) -> bool:
    """Entities have no place in a document and every place in an attack."""
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and next(iter(dtd.iterentities()), None) is not None  # type: ignore[attr-defined]


def stream(source: Readable, *tags: str) -> Iterator[etree._Element]:
    """Give each finished element with one of the tags, then the root; forget each once used.

    Raises etree.XMLSyntaxError at the damage, after everything in front of it was given.
    """
    events = etree.iterparse(
        source,
        events=("end",),
        tag=tags,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    for _, element in events:
        yield element
        element.clear(keep_tail=False)
        # Cleared elements still weigh, and a sheet has a million of them; others are kept.
        before = element.getprevious()
        parent = element.getparent()
        if before is not None and parent is not None and before.tag == element.tag:
            parent.remove(before)
    root = events.root
    if root is not None:
        yield root


def root_name(head: bytes) -> str:
    """Guess the local name of the root without parsing; empty when it is not XML we can see."""
    head = head[:PROLOGUE]
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"} or head[1:2] == b"\0":
        head = head.replace(b"\0", b"")
    if b"<" not in head[:64]:
        return ""
    at = head.rfind(b"?>") + 1
    hit = ROOT.search(head, at) or ROOT.search(head)
    return hit[1].decode("ascii", "replace") if hit else ""


@cache
def local(tag: str) -> str:
    return tag.rpartition("}")[2]


def local_of(element: etree._Element) -> str:
    tag = element.tag
    return local(tag) if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """Read an attribute by local name: strict and transitional files differ in namespace."""
    value = element.get(name)
    if value is None:
        # Most vocabularies put attributes in the namespace of their element.
        value = element.get(str(element.tag).rpartition("}")[0] + "}" + name)
    if value is not None:
        return value
    for key, found in element.items():
        if local(str(key)) == name:
            return str(found)
    return ""


def by_local_name(element: etree._Element) -> dict[str, str]:
    """What `attribute` says of every name, for elements that are asked for several."""
    found: dict[str, str] = dict(element.items())  # type: ignore[arg-type] # never bytes
    for key in found:
        if key[0] == "{":
            break
    else:
        return found
    return {name: attribute(element, name) for name in map(local, found)}


def everything(root: etree._Element) -> str:
    """All text nodes and speaking attributes, a line each: for parts nobody described to us."""
    lines: list[str] = []
    for element in root.iter():
        if local_of(element) in MACHINE:
            continue
        if isinstance(element.tag, str):
            lines += [value for value in map(str, element.attrib.values()) if speaks(value)]
        for text in (element.text, element.tail):
            if text and not text.isspace():
                lines.append(text.strip())
    return "\n".join(lines)


def speaks(value: str) -> bool:
    return bool(SPEAKING.search(value)) and not SILENT.fullmatch(value)


def custom_styles(content: bytes) -> list[str] | None:
    """Give the names of styles people made; None when only parsing would find them all."""
    names = CUSTOM_STYLE.findall(content)
    if len(names) != content.count(b"customStyle="):
        return None
    return [html.unescape(name.decode("utf-8", "replace")) for name in names]


def has_words(content: bytes) -> bool:
    """Whether a part of pure formatting holds anything but formatting; asked before parsing it."""
    speaking = (
        any(mark in content for mark in WORD_MARKS) or b"<!" in content or TEXT_NODE.search(content)
    )
    return bool(speaking) or b"\0" in content[:100]


def comments(root: etree._Element, content: bytes) -> str:
    """XML comments, where generators leave notes and people hide things."""
    if b"<!--" not in content:
        return ""
    return "\n".join(node.text.strip() for node in root.iter(etree.Comment) if node.text)
