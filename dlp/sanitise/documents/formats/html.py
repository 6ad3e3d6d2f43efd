"""Rewrite web pages: words joined across inline tags, nothing active or hidden kept.

In: HTML.  Out: UTF-8 HTML with edited text and attributes, without scripts, comments or frames.
"""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote

from lxml import etree
from lxml import html as lxml_html

from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.formats.picture import bare_picture
from dlp.sanitise.documents.formats.text import decode
from dlp.sanitise.documents.xml_tree import FORBIDDEN, Element, edit_slots, flows, remove

MEDIA_TYPES = frozenset({"text/html", "application/xhtml+xml"})
DROPPED = frozenset({
    "script", "noscript", "template", "object", "embed", "applet", "iframe", "frame", "frameset",
    "link", "base", "meta", "audio", "video", "source", "track", "param", "bgsound", "xml",
    "foreignobject", "metadata", "noembed", "noframes", "plaintext", "xmp",
})  # fmt: skip
INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "mark", "nobr", "o", "q", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "tspan", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
# Layout words; everything else a page says in attributes goes through the edit.
LAYOUT = frozenset({
    "align", "bgcolor", "border", "cellpadding", "cellspacing", "checked", "class", "color",
    "colspan", "dir", "disabled", "face", "for", "height", "hspace", "lang", "nowrap", "rowspan",
    "rules", "scope", "selected", "size", "span", "start", "type", "valign", "vspace", "width",
})  # fmt: skip
ADDRESSES = frozenset(
    {"href", "src", "action", "background", "cite", "longdesc", "srcset", "poster"}
)
CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
DATA = re.compile(r"data:([\w/+.-]*);base64,([A-Za-z0-9+/=\s%]*)", re.IGNORECASE)
PROLOGUE = re.compile(r"\A\ufeff?\s*(<\?xml[^>]*\?>)?")


def rewrite(data: bytes, job: Job) -> bytes:
    text = PROLOGUE.sub("", readable(data))
    page = once(text, job)
    # libxml2 repairs as it reads; a repaired page reads the same for ever after.
    again = once(page, job)
    if again != page and once(again, job) != again:
        raise refuse("the page cannot be written in a stable way")
    return again.encode("utf-8")


def readable(data: bytes) -> str:
    declared = CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return data.decode(declared[1].decode())
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)[0]


def once(text: str, job: Job) -> str:
    if not text.strip():
        return text
    root: Element = lxml_html.document_fromstring(FORBIDDEN.sub("", text))
    clean(root, job)
    head = root.find("head")
    if head is None:
        head = lxml_html.Element("head")
        root.insert(0, head)
    head.insert(0, lxml_html.Element("meta", {"charset": "utf-8"}))
    body: str = lxml_html.tostring(root, encoding="unicode", with_tail=False)
    return f"<!DOCTYPE html>\n{body}\n"


def rewrite_fragment(text: str, job: Job) -> str:
    """XHTML inside another format, such as a FHIR narrative; what does not parse is plain text."""
    try:
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
        )
        root: Element = etree.fromstring(text.strip().encode(), parser)
    except etree.XMLSyntaxError:
        root = lxml_html.fragment_fromstring(FORBIDDEN.sub("", text), create_parent="div")
    clean(root, job)
    written: str = etree.tostring(root, encoding="unicode", with_tail=False)
    return written


def clean(root: Element, job: Job) -> None:
    for element in list(root.iter()):
        if not isinstance(element.tag, str) or tag_of(element) in DROPPED:
            remove(element)
        elif tag_of(element) == "style" and element.text:
            element.text = job.edit(element.text)
    for slots in flows(root, lambda element: tag_of(element) in INLINE):
        edit_slots(slots, job.edit)
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            attribute(element, key, value, job)


def tag_of(element: Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def attribute(element: Element, key: str, value: str, job: Job) -> None:
    name = key.rpartition("}")[2].lower()
    if name.startswith(("on", "data-")) or name in {"srcdoc", "formaction", "ping"}:
        del element.attrib[key]
    elif name in ADDRESSES:
        address = value.strip()
        packed = DATA.fullmatch(address)
        new = picture_address(packed, job) if packed else plain_address(address, job)
        if new is None:
            del element.attrib[key]
        elif new != value:
            element.set(key, new)
    elif name not in LAYOUT or not re.fullmatch(r"[\w%#. ,-]{0,24}", value):
        element.set(key, job.edit(value))
    elif job.edit(value) != value and name in {"class", "face", "for"}:
        del element.attrib[key]


def plain_address(address: str, job: Job) -> str | None:
    """A link stays as it is or goes: half an address leads nowhere and may still name somebody."""
    if address.lower().startswith(("javascript:", "vbscript:", "data:", "file:")):
        return None
    shown = unquote(address)
    return address if job.edit(shown) == shown and job.edit(address) == address else None


def picture_address(packed: re.Match[str], job: Job) -> str | None:
    try:
        content = base64.b64decode(unquote(packed[2]))
    except (binascii.Error, ValueError):
        return None
    bare = bare_picture(content)
    if bare is None:
        job.note("picture in the page dropped: of an unknown kind")
        return None
    job.note("words inside pictures are not read")
    return f"data:{packed[1]};base64,{base64.b64encode(bare).decode()}"
