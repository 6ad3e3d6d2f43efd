"""Read web pages: what is shown, and what is not.

In: an open HTML file.  Out: body, title, meta, form, attributes, links, comments, scripts.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any, BinaryIO
from urllib.parse import unquote_to_bytes

from lxml import etree

from dlp.decode import encoded_text, encoding
from dlp.decode.contract import Embedded, Item, Limits, Title
from dlp.decode.formats.xml import Remarks, feed_all
from dlp.decode.labelled import LabelledText, items_of
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"text/html", "application/xhtml+xml"})
CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
# Encodings that hide inside ASCII, so that only the page can tell.
STATEFUL = ("iso-2022-", "hz", "utf-7")
# Everything else runs on within its line, as browsers do with elements they do not know.
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
    "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html",
    "iframe", "input", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p",
    "pre", "section", "select", "summary", "table", "tbody", "td", "textarea", "tfoot", "th",
    "thead", "title", "tr", "ul",
})  # fmt: skip
QUIET = frozenset({"script", "style", "noscript", "template", "title"})
CELLS = frozenset({"td", "th"})
# Layout only; everything else in an attribute can carry words.
LAYOUT = frozenset({
    "class", "style", "id", "width", "height", "align", "valign", "border", "cellpadding",
    "cellspacing", "colspan", "rowspan", "bgcolor", "color", "face", "size", "rel", "type",
    "target", "method", "charset", "http-equiv", "lang", "dir", "media", "nowrap", "hspace",
    "vspace", "bordercolor", "background", "tabindex", "for", "role",
    "xmlns", "clear", "shape", "coords", "link", "vlink", "alink", "text", "start", "scope",
    "enctype", "accept-charset", "xml:lang",
})  # fmt: skip
LINKS = frozenset({"href", "src", "action", "cite", "data", "longdesc", "poster"})
STRING = re.compile(r"""(["'])((?:[^"'`\\\n]|\\.){3,2000})\1|`((?:[^`\\]|\\.){3,2000})`""")
TELLING = re.compile(r"[^\W\d_]{2,}[\s,._@-]+\w|\d{4,}|@")
DATA_URI = re.compile(r"data:([\w.+/-]*)((?:;[\w=.+-]+)*),(.*)", re.DOTALL)
CHUNK = 65_536
TYPED = frozenset({"pre", "textarea"})  # of BLOCKS
SHOWN = frozenset({"noscript", "template"})  # of QUIET: some readers see what is in them
VALUED = frozenset({"input", "button", "option", "param"})


class Page(Remarks):
    """Gets the parser's events; libxml2 mends broken markup before they come."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.body = LabelledText("body", limits)
        self.meta = LabelledText("meta", limits)
        self.form = LabelledText("form", limits)
        self.attributes = LabelledText("attributes", limits)
        self.links = LabelledText("links", limits)
        self.code: list[str] = []
        self.title: list[str] = []
        self.embedded: list[Embedded] = []
        self.inside: list[str] = []
        self.gap = ""  # white space owed before the next word
        self.as_typed = 0  # open elements whose line ends are the writer's own
        self.records = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in BLOCKS:
            self.gap = "\t" if tag in CELLS and self.gap != "\n" else "\n"
            self.records += tag == "form"
            self.as_typed += tag in TYPED
        if tag in QUIET:
            self.inside.append(tag)
        if attributes:
            self.take_attributes(tag, attributes)

    def end(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()
        if tag in BLOCKS:
            self.as_typed -= tag in TYPED and self.as_typed > 0
            self.gap = "\t" if tag in CELLS else "\n"

    def data(self, text: str) -> None:
        if self.inside:
            (self.title if self.inside[-1] == "title" else self.code).append(text)
            if self.inside[-1] not in SHOWN:
                return
        if self.as_typed:
            self.take_typed(text)
        elif words := " ".join(text.split()):
            self.write(words, text)
        else:
            self.gap = self.gap or " "

    def take_typed(self, text: str) -> None:
        if text.isspace():
            self.gap = "\n" if "\n" in text else self.gap or " "
            return
        if "\n" in text[: len(text) - len(text.lstrip())]:
            self.gap = "\n"
        self.write(text.strip(), text)
        if "\n" in text[len(text.rstrip()) :]:
            self.gap = "\n"

    def write(self, words: str, text: str) -> None:
        """The words of a text, behind the white space that is owed."""
        if self.body.length:
            words = (self.gap or (" " if text[0].isspace() else "")) + words
        self.body.write(words)
        self.gap = " " if text[-1].isspace() else ""

    def take_attributes(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "meta":
            label = attributes.get("name") or attributes.get("property") or "meta"
            if attributes.get("content"):
                self.meta.add(label, attributes["content"])
            return
        for name, value in attributes.items():
            if not value or (name in LAYOUT and "data:" not in value.lower()):
                continue
            if tag in VALUED and name == "value":
                label = attributes.get("name") or tag
                self.form.add(label, value, self.records)
            elif name in LINKS:
                self.take_link(value)
            elif name not in {"name", "content"} or tag not in {"input", "meta"}:
                self.attributes.add(name, value)

    def take_link(self, value: str) -> None:
        inside = embedded_in(value, len(self.embedded) + 1) if value.startswith("data:") else None
        if inside is None:
            self.links.write(value + "\n")
        else:
            self.embedded.append(inside)


def embedded_in(address: str, number: int) -> Embedded | None:
    """The file that an address is, instead of saying where it lies."""
    hit = DATA_URI.match(address)
    if hit is None:
        return None
    raw = unquote_to_bytes(hit[3])
    try:
        data = base64.b64decode(raw) if ";base64" in hit[2] else raw
    except (binascii.Error, ValueError):
        data = raw
    return Embedded(f"data:{number}", "", data, hit[1])


def new_parser(target: Any) -> Any:
    return etree.HTMLParser(target=target, encoding="utf-8", huge_tree=False)


def pieces(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), CHUNK):
        # NUL ends the text for libxml2; a lone half of a pair has no UTF-8
        yield text[start : start + CHUNK].replace("\0", " ").encode("utf-8", "replace")


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    text, longer = encoding.read_text(source, limits, codec=codec_of(source, limits))
    page = Page(limits)
    # of nothing at all the parser complains
    if text and not feed_all(new_parser(page), pieces(text)):
        yield Gap(GapCode.CORRUPT, "body")
        yield Part("raw", text)
    yield from parts_of(page)
    if longer:
        yield Gap(GapCode.TOO_LARGE, "body")


def parts_of(page: Page) -> Iterator[Item]:
    title = " ".join("".join(page.title).split())
    if title:
        yield Title(title)
    yield from items_of(page.body)
    if title:
        yield Part("title", title)
    for lines in (page.meta, page.form, page.attributes, page.links):
        yield from items_of(lines)
    if page.comments:
        yield Part("comments", "\n".join(page.comments))
    code = "".join(page.code)
    if strings := telling_strings(code):
        yield Part("scripts", strings)
    yield from encoded_text.items_of(Part("scripts", code))
    yield from page.embedded


def telling_strings(code: str) -> str:
    """Quoted strings of a script that look like words or numbers rather than names of things."""
    found = [hit[2] or hit[3] for hit in STRING.finditer(code)]
    return "\n".join(dict.fromkeys(string for string in found if TELLING.search(string)))


def codec_of(source: BinaryIO, limits: Limits) -> str:
    """What the bytes show, then what the page claims, then a guess."""
    head = source.read(encoding.HEAD_BYTES)
    source.seek(0)
    claim = CHARSET.search(head, 0, 4096)
    name = claim[1].decode("ascii").lower() if claim else ""
    told = name.startswith(STATEFUL) or not encoding.is_utf8(head)
    if name and told and b"\0" not in head[:256] and is_codec(name):
        return name
    return encoding.guess(head, limits.extra_encodings) or "cp1252"


def is_codec(name: str) -> bool:
    """Whether it is an encoding of text: base64 and rot13 are codecs, too."""
    try:
        "".encode(name)
    except (LookupError, ValueError):
        return False
    return True
