"""Read XML of any kind, clinical documents (C-CDA) with care.

In: an open XML file.  Out: its text, values labelled with short element paths, documents inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5
from typing import Any, BinaryIO

from lxml import etree

from dlp.decode.contract import Item, Limits
from dlp.decode.encoding import read_text
from dlp.decode.remarks import feed_all
from dlp.decode.xml_walk import Walk, items_of
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/xml", "text/xml", "image/svg+xml"})
CHUNK = 65_536
ENTITY = re.compile(r"<!ENTITY\s", re.IGNORECASE)
DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(\[|>)", re.IGNORECASE)
PROLOGUE = re.compile(r"\s*<\?xml[^>]*\?>")
# References other than to the five names every parser knows.
REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z_][\w.-]{0,60});")
# Characters XML 1.0 forbids; exports contain them, and the parser would stop there.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = read_text(source, limits)
    start, declared = after_doctype(text)
    walk = Walk(limits)
    sound = feed_all(new_parser(walk), pieces(text, start))
    yield from items_of(walk)
    if declared:
        # Entities are how bombs work, so none is expanded; what they hide is read as it stands.
        yield Part("doctype", declared)
        yield Gap(GapCode.UNSUPPORTED, "entities")
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")
    elif not sound:
        yield Gap(GapCode.CORRUPT, "body")
        yield Part("raw", text)  # markup and all, so that nothing behind the damage is hidden


def after_doctype(text: str) -> tuple[int, str]:
    """Where the elements start, and the declarations before them if they declare entities."""
    prologue = PROLOGUE.match(text)
    start = prologue.end() if prologue else 0
    opening = text.find("<!", start, start + 65_536)
    doctype = DOCTYPE.search(text, opening, start + 65_536) if opening >= 0 else None
    if doctype is None:
        return start, ""
    end = text.find(">", text.find("]", doctype.end())) + 1 if doctype[1] == "[" else doctype.end()
    declared = text[doctype.start() : end or None]
    return end or len(text), declared if ENTITY.search(declared) else ""


def spell_out(reference: re.Match[str]) -> str:
    """HTML's names read as their sign; names of the file's own read as themselves."""
    return html5.get(f"{reference[1]};", f" {reference[1]} ")


def pieces(text: str, start: int) -> Iterator[bytes]:
    """Cut behind a tag, so that no reference is cut in two."""
    while start < len(text):
        end = text.find(">", start + CHUNK) + 1 or len(text)
        piece = FORBIDDEN.sub(" ", text[start:end])
        if "&" in piece:
            piece = REFERENCE.sub(spell_out, piece)
        yield piece.encode("utf-8", "replace")
        start = end


def new_parser(target: Any) -> Any:
    return etree.XMLParser(
        target=target,
        encoding="utf-8",  # the text is decoded already, whatever its first line says
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        strip_cdata=False,
    )
