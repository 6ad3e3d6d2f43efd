"""Places in archives, mail, pages, documents, pictures and databases where a text can lie.

In: a text.  Out: bytes of a file, by family and name of the technique with the file's extension.
"""

import base64
import bz2
import gzip
import io
import lzma
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from contextlib import closing

import pikepdf
import py7zr
from pikepdf import Array, Dictionary, Name, String
from PIL import Image, ImageDraw, ImageFont, PngImagePlugin, TiffImagePlugin

from tests.evasion.writings import COVER, b64, utf7, uu
from tests.support.office_builder import build_docx, build_pptx, build_xlsx, pack, plain_sheet
from tests.support.opendocument_builder import build_odf
from tests.support.pdf_builder import build_pdf, font, plain_pdf

PLAIN = COVER.encode()
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


# --- archives


def zipped(**members):
    return pack({f"{name}.txt": body for name, body in members.items()} or {"a.txt": COVER})


def zip_with(change):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        change(archive)
    return out.getvalue()


def zip_gap(text):
    """Bytes between the last member and the directory, which no reader of the directory meets."""
    raw = bytearray(zipped())
    at = raw.rindex(b"PK\5\6")
    start = struct.unpack_from("<L", raw, at + 16)[0]
    body = text.encode()
    raw[start:start] = body
    struct.pack_into("<L", raw, at + len(body) + 16, start + len(body))
    return bytes(raw)


def zip_unlisted(text):
    """A member with a header of its own that the directory leaves out."""
    only = zip_with(lambda a: (a.writestr("b.txt", text), a.writestr("a.txt", COVER)))
    at, end = only.rindex(b"PK\5\6"), only.index(b"PK\1\2")
    second = only.index(b"PK\1\2", end + 4)
    rows = only[second:at]
    return only[:end] + rows + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(rows), end, 0)


def zip_entry(**fields):
    def change(archive):
        entry = zipfile.ZipInfo("a.txt")
        for name, value in fields.items():
            setattr(entry, name, value)
        archive.writestr(entry, COVER)

    return zip_with(change)


def zip_sealed(text):
    """The flag of encryption; what is sealed stays sealed."""
    raw = bytearray(zipped(a=text))
    raw[6] |= 1
    raw[raw.index(b"PK\1\2") + 8] |= 1
    return bytes(raw)


def zip_method(method):
    def make(text):
        raw = bytearray(zipped(a=text))
        struct.pack_into("<H", raw, 8, method)
        struct.pack_into("<H", raw, raw.index(b"PK\1\2") + 10, method)
        return bytes(raw)

    return make


def nested(levels):
    def make(text):
        data = text.encode()
        for _ in range(levels):
            data = pack({"a.txt" if data == text.encode() else "a.zip": data})
        return data

    return make


def tarred(text=COVER, **fields):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("a.txt")
        for name, value in fields.items():
            setattr(member, name, value)
        member.size = len(text.encode())
        archive.addfile(member, io.BytesIO(text.encode()))
    return out.getvalue()


def tar_padding(text):
    raw = bytearray(tarred(text="short"))
    body = text.encode()[:500]
    raw[512 + 8 : 512 + 8 + len(body)] = body
    return bytes(raw)


def gz_header(flag, field):
    return b"\x1f\x8b\x08" + bytes([flag]) + bytes(6) + field + gzip.compress(PLAIN, mtime=0)[10:]


def seven(text, password=None):
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w", password=password) as archive:
        archive.writestr(text, "a.txt")
    return out.getvalue()


def cpio(text):
    def entry(name, body):
        head = b"070701" + b"".join(
            b"%08X" % n for n in (1, 0o100644, 0, 0, 1, 0, len(body), 0, 0, 0, 0, len(name) + 1, 0)
        )
        raw = head + name + b"\0"
        raw += bytes(-len(raw) % 4) + body
        return raw + bytes(-len(raw) % 4)

    return entry(b"a.txt", text.encode()) + entry(b"TRAILER!!!", b"")


def ar(text):
    body = text.encode()
    return (
        b"!<arch>\n"
        + b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (b"a.txt/", 0, 0, 0, b"100644", len(body))
        + body
    )


ARCHIVES = {
    "zip member.zip": lambda text: zipped(a=text),
    "zip trailing.zip": lambda text: zipped() + text.encode(),
    "zip leading.zip": lambda text: text.encode() + zipped(),
    "zip before the directory.zip": zip_gap,
    "zip member left out of the directory.zip": zip_unlisted,
    "zip comment.zip": lambda text: pack({"a.txt": COVER}, text),
    "zip comment of a member.zip": lambda text: zip_entry(comment=text.encode()),
    "zip extra field.zip": lambda text: zip_entry(
        extra=struct.pack("<HH", 0x7777, len(text.encode())) + text.encode()
    ),
    "zip behind zip.zip": lambda text: zipped(a=text) + zipped(),
    "zip before zip.zip": lambda text: zipped() + zipped(a=text),
    "zip without directory.zip": lambda text: (raw := zipped(a=text))[: raw.index(b"PK\1\2")],
    "zip cut off.zip": lambda text: (raw := zipped(a=COVER, b=text * 4))[: len(raw) * 2 // 3],
    "zip folder with content.zip": lambda text: zip_with(lambda a: a.writestr("a/", text)),
    "zip twice the same name.zip": lambda text: zip_with(
        lambda a: (a.writestr("a.txt", text), a.writestr("A.TXT", COVER))
    ),
    "zip sealed.zip": zip_sealed,
    "zip deflate64.zip": zip_method(9),
    "zip unknown method.zip": zip_method(99),
    "zip in zip.zip": nested(2),
    "zip eight deep.zip": nested(8),
    "zip twelve deep.zip": nested(12),
    "zip member called png.zip": lambda text: pack({"a.png": text}),
    "zip member called exe.zip": lambda text: pack({"a.exe": text}),
    "zip called txt.txt": lambda text: zipped(a=text),
    "zip called jpg.jpg": lambda text: zipped(a=text),
    "zip of gz.zip": lambda text: pack({"a.gz": gzip.compress(text.encode())}),
    "zip behind picture.png": lambda text: picture("PNG") + zipped(a=text),
    "zip behind program.exe": lambda text: b"MZ" + bytes(600) + zipped(a=text),
    "tar.tar": tarred,
    "tar trailing.tar": lambda text: tarred() + text.encode(),
    "tar second.tar": lambda text: tarred() + tarred(text),
    "tar second without end.tar": lambda text: tarred().rstrip(b"\0") + bytes(512) + tarred(text),
    "tar pax comment.tar": lambda text: tarred(pax_headers={"comment": text.replace("\n", " ")}),
    "tar padding.tar": tar_padding,
    "tar long name.tar": lambda text: tarred(name=text.replace("/", " ").replace("\n", " ")),
    "tar gz.tgz": lambda text: gzip.compress(tarred(text)),
    "tar called txt.txt": tarred,
    "gz.gz": lambda text: gzip.compress(text.encode()),
    "gz trailing.gz": lambda text: gzip.compress(PLAIN) + text.encode(),
    "gz second.gz": lambda text: gzip.compress(PLAIN) + gzip.compress(text.encode()),
    "gz comment.gz": lambda text: gz_header(16, text.encode().replace(b"\0", b"") + b"\0"),
    "gz name.gz": lambda text: gz_header(8, text.encode() + b"\0"),
    "gz extra.gz": lambda text: gz_header(
        4, struct.pack("<H", len(text.encode()) + 4) + b"XX" + struct.pack("<H", len(text.encode())) + text.encode()
    ),
    "gz cut off.gz": lambda text: gzip.compress((text * 3).encode())[:-30],
    "gz seven times.gz": lambda text: (lambda d: [d := gzip.compress(d) for _ in range(7)][-1])(text.encode()),
    "bz2.bz2": lambda text: bz2.compress(text.encode()),
    "bz2 trailing.bz2": lambda text: bz2.compress(PLAIN) + text.encode(),
    "bz2 second.bz2": lambda text: bz2.compress(PLAIN) + bz2.compress(text.encode()),
    "xz.xz": lambda text: lzma.compress(text.encode()),
    "xz trailing.xz": lambda text: lzma.compress(PLAIN) + text.encode(),
    "xz second.xz": lambda text: lzma.compress(PLAIN) + lzma.compress(text.encode()),
    "lzma.lzma": lambda text: lzma.compress(text.encode(), lzma.FORMAT_ALONE),
    "zlib.z": lambda text: zlib.compress(text.encode()),
    "7z.7z": seven,
    "7z trailing.7z": lambda text: seven(COVER) + text.encode(),
    "7z leading.7z": lambda text: text.encode() + seven(COVER),
    "7z sealed.7z": lambda text: seven(text, "secret"),
    "zstd.zst": lambda text: b"\x28\xb5\x2f\xfd\x20" + bytes([len(text) % 256, 1, 0, 0]) + text.encode(),
    "lz4.lz4": lambda text: b"\x04\x22\x4d\x18\x40\x40\xc0" + struct.pack("<I", len(text.encode()) | 1 << 31) + text.encode() + bytes(4),
    "cab.cab": lambda text: b"MSCF" + bytes(40) + text.encode(),
    "rar.rar": lambda text: b"Rar!\x1a\x07\x00" + bytes(20) + text.encode(),
    "cpio.cpio": cpio,
    "ar.a": ar,
    "iso.iso": lambda text: bytes(32768) + b"\x01CD001\x01" + bytes(2041) + text.encode().ljust(4096, b"\0"),
}  # fmt: skip


# --- web pages


def page(inner, head="", behind=""):
    return (
        f"<!DOCTYPE html><html><head><title>Garden</title>{head}</head><body><p>{COVER}</p>"
        f"{inner}</body></html>{behind}"
    ).encode()


def data(text, media_type="text/plain", scheme="data"):
    return f"{scheme}:{media_type};base64,{b64(text, 10**6)}"


def one_line(text):
    return " ".join(text.split())


PAGES = {
    "data link": lambda t: page(f'<a href="{data(t)}">x</a>'),
    "data link in capitals": lambda t: page(f'<a href="{data(t, scheme="DATA")}">x</a>'),
    "data picture": lambda t: page(f'<img src="{data(t)}">'),
    "data as percent": lambda t: page(
        '<a href="data:text/plain,' + "".join(f"%{b:02x}" for b in t.encode()) + '">x</a>'
    ),
    "data in srcset": lambda t: page(f'<img srcset="{data(t)} 2x, a.png 1x">'),
    "data in style": lambda t: page(f'<p style="background:url({data(t)})">x</p>'),
    "data in a style sheet": lambda t: page("", f"<style>p{{background:url('{data(t)}')}}</style>"),
    "data in an object": lambda t: page(f'<object data="{data(t)}"></object>'),
    "data in a frame": lambda t: page(f'<iframe src="{data(t, "text/html")}"></iframe>'),
    "data in a meta refresh": lambda t: page("", f'<meta http-equiv=refresh content="0;url={data(t)}">'),
    "data in a link": lambda t: page("", f'<link rel=stylesheet href="{data(t, "text/css")}">'),
    "data in a script": lambda t: page(f'<script src="{data(t, "text/javascript")}"></script>'),
    "data with spaces": lambda t: page(f'<a href=" data:text/plain ;base64, {b64(t)}">x</a>'),
    "frame with source": lambda t: page(f'<iframe srcdoc="&lt;p&gt;{t}&lt;/p&gt;"></iframe>'),
    "event": lambda t: page(f"<p onclick=\"alert('{one_line(t).replace(chr(39), ' ')}')\">x</p>"),
    "attribute of data": lambda t: page(f'<p data-note="{t}">x</p>'),
    "unknown attribute": lambda t: page(f'<p xyz="{t}">x</p>'),
    "alternative text": lambda t: page(f'<img src=a.png alt="{t}">'),
    "label for readers": lambda t: page(f'<p aria-label="{t}">x</p>'),
    "hidden input": lambda t: page(f'<input type=hidden name=n value="{t}">'),
    "comment": lambda t: page(f"<!-- {t} -->"),
    "conditional comment": lambda t: page(f"<!--[if IE]><p>{t}</p><![endif]-->"),
    "script": lambda t: page(f"<script>var note = `{t}`;</script>"),
    "script with escapes": lambda t: page(
        '<script>var n = "' + "".join(f"\\x{b:02x}" for b in t.encode()) + '";</script>'
    ),
    "script with base64": lambda t: page(f'<script>var n = atob("{b64(t, 10**6)}");</script>'),
    "script with character codes": lambda t: page(
        f"<script>document.write(String.fromCharCode({','.join(str(ord(c)) for c in t)}))</script>"
    ),
    "json script": lambda t: page(f'<script type="application/json">{{"n": "{one_line(t)}"}}</script>'),
    "template": lambda t: page(f"<template><p>{t}</p></template>"),
    "no script": lambda t: page(f"<noscript>{t}</noscript>"),
    "style content": lambda t: page("", f'<style>p:after{{content:"{one_line(t)}"}}</style>'),
    "style content escaped": lambda t: page(
        "", '<style>p:after{content:"' + "".join(f"\\{ord(c):06x}" for c in t) + '"}</style>'
    ),
    "style variable": lambda t: page("", f"<style>:root{{--n:'{one_line(t)}'}}</style>"),
    "not shown": lambda t: page(f'<div style="display:none">{t}</div>'),
    "white on white": lambda t: page(f'<p style="color:#fff">{t}</p>'),
    "behind the end": lambda t: page("", behind=t),
    "unknown element": lambda t: page(f"<xyz>{t}</xyz>"),
    "entity a letter": lambda t: page("".join(f"&#{ord(c)};" for c in t)),
    "element a letter": lambda t: page("".join(f"<i>{c}</i>" for c in t)),
    "break a letter": lambda t: page("<wbr>".join(t)),
    "comment a letter": lambda t: page("<!-- x -->".join(t)),
    "cell a letter": lambda t: page(
        "<table><tr>" + "".join(f"<td>{c}</td>" for c in t) + "</tr></table>"
    ),
    "empty span a letter": lambda t: page("<span></span>".join(t)),
    "drawing": lambda t: page(f"<svg><text>{t}</text></svg>"),
    "drawing's title": lambda t: page(f"<svg><title>{t}</title></svg>"),
    "section of characters": lambda t: page(f"<![CDATA[ {t} ]]>"),
    "instruction": lambda t: page(f"<?note {t} ?>"),
    "description": lambda t: page("", f'<meta name=description content="{t}">'),
    "right to left": lambda t: page(f"<bdo dir=rtl>{one_line(t)[::-1]}</bdo>"),
    "utf-7": lambda t: b"<html><head><meta charset=utf-7></head><body>" + utf7(t) + b"</body></html>",
    "text area": lambda t: page(f"<textarea>{t}</textarea>"),
    "marquee": lambda t: page(f"<marquee>{t}</marquee>"),
    "annotation of mathematics": lambda t: page(f"<math><annotation>{t}</annotation></math>"),
}  # fmt: skip
PAGES = {f"html {name}.html": make for name, make in PAGES.items()}

XML = {
    "xml entity of its own.xml": lambda t: f'<!DOCTYPE a [<!ENTITY n "{one_line(t)}">]><a>&n;</a>'.encode(),
    "xml comment.xml": lambda t: f"<a><!-- {t} -->garden</a>".encode(),
    "xml instruction.xml": lambda t: f"<a><?note {t} ?>garden</a>".encode(),
    "xml attribute.xml": lambda t: f'<a n="{t}">garden</a>'.encode(),
    "xml behind the end.xml": lambda t: f"<a>garden</a>\n{t}".encode(),
    "xml utf-16.xml": lambda t: f'<?xml version="1.0" encoding="utf-16"?><a>{t}</a>'.encode("utf-16"),
    "xml utf-7.xml": lambda t: b'<?xml version="1.0" encoding="utf-7"?><a>' + utf7(t) + b"</a>",
    "svg text.svg": lambda t: f'<svg xmlns="http://www.w3.org/2000/svg"><text>{t}</text></svg>'.encode(),
    "svg a letter.svg": lambda t: (
        '<svg xmlns="http://www.w3.org/2000/svg"><text>'
        + "".join(f'<tspan x="{n}">{c}</tspan>' for n, c in enumerate(t)) + "</text></svg>"
    ).encode(),
    "svg data picture.svg": lambda t: f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{data(t)}"/></svg>'.encode(),
    "csv a letter a cell.csv": lambda t: "\n".join(",".join(line) for line in t.replace(",", " ").split("\n")).encode(),
    "csv a word a cell.csv": lambda t: "\n".join(",".join(line.replace(",", " ").split()) for line in t.split("\n")).encode(),
    "ics description.ics": lambda t: ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:" + t.replace("\n", "\\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n").encode(),
    "vcf note in base64.vcf": lambda t: f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Garden\r\nNOTE;ENCODING=b:{b64(t, 10**6)}\r\nEND:VCARD\r\n".encode(),
    "notebook output.ipynb": lambda t: __import__("json").dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": [], "outputs": [{"data": {"text/plain": [t]}}]}]}).encode(),
    "registry hex.reg": lambda t: ('Windows Registry Editor Version 5.00\r\n\r\n[HKEY_X]\r\n"a"=hex:' + ",".join(f"{b:02x}" for b in t.encode("utf-16-le")) + "\r\n").encode(),
}  # fmt: skip


# --- mail

HEAD = "From: Ann <ann@example.org>\r\nTo: Ben <ben@example.org>\r\nSubject: garden\r\nMIME-Version: 1.0\r\n"


def mail(headers, body):
    raw = body.encode() if isinstance(body, str) else body
    return (HEAD + headers + "\r\n").encode() + raw


def multipart(*parts, preamble="", epilogue="", kind="mixed"):
    """Parts as (headers, body)."""
    body = preamble + "\r\n"
    for headers, inner in (("Content-Type: text/plain\r\n", COVER), *parts):
        body += f"--b\r\n{headers}\r\n{inner}\r\n"
    return mail(f'Content-Type: multipart/{kind}; boundary="b"\r\n', body + "--b--\r\n" + epilogue)


INNER = "From: c@example.org\r\nSubject: x\r\n\r\n"
MAIL = {
    "preamble": lambda t: multipart(preamble=t),
    "epilogue": lambda t: multipart(epilogue=t),
    "base64": lambda t: mail("Content-Transfer-Encoding: base64\r\n", b64(t)),
    "quoted printable": lambda t: mail(
        "Content-Transfer-Encoding: quoted-printable\r\n",
        "".join(f"={b:02X}" for b in t.encode()),
    ),
    "uuencoded body": lambda t: mail("Content-Transfer-Encoding: x-uuencode\r\n", uu(t)),
    "inline uuencode": lambda t: mail("", COVER + uu(t)),
    "base64 nobody declared": lambda t: mail("", b64(t)),
    "quoted printable nobody declared": lambda t: mail(
        "", COVER + "".join(f"={b:02X}" for b in t.encode())
    ),
    "unknown transfer encoding": lambda t: mail("Content-Transfer-Encoding: x-own\r\n", b64(t)),
    "transfer encoding with a blank": lambda t: mail("Content-Transfer-Encoding: base64 \r\n", b64(t)),
    "transfer encoding in capitals": lambda t: mail("content-transfer-encoding: BASE64\r\n", b64(t)),
    "two transfer encodings": lambda t: mail(
        "Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64\r\n", b64(t)
    ),
    "base64 with rubbish between": lambda t: mail(
        "Content-Transfer-Encoding: base64\r\n", "\r\n".join(x + " *" for x in b64(t).split("\n"))
    ),
    "forwarded": lambda t: multipart(("Content-Type: message/rfc822\r\n", INNER + t)),
    "forwarded in base64": lambda t: multipart(
        ("Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n", b64(INNER + t))
    ),
    "partial": lambda t: mail('Content-Type: message/partial; id="x"; number=1\r\n', t),
    "external body": lambda t: multipart(("Content-Type: message/external-body; access-type=x\r\n", t)),
    "text called picture": lambda t: multipart(("Content-Type: image/png\r\n", t)),
    "text called own type": lambda t: multipart(("Content-Type: application/x-own\r\n", t)),
    "attachment in base64": lambda t: multipart(
        ('Content-Type: text/plain; name="a.txt"\r\nContent-Transfer-Encoding: base64\r\n', b64(t))
    ),
    "second alternative": lambda t: multipart(("Content-Type: text/html\r\n", f"<p>{t}</p>"), kind="alternative"),
    "enriched text": lambda t: multipart(("Content-Type: text/enriched\r\n", f"<bold>{t}</bold>")),
    "own header": lambda t: mail(f"X-Note: {one_line(t)}\r\n", COVER),
    "encoded words": lambda t: mail(f"X-Note: =?utf-8?b?{b64(t, 10**6)}?=\r\n", COVER),
    "file name": lambda t: multipart((f'Content-Type: text/plain; name="{one_line(t)}"\r\n', "x")),
    "file name in pieces": lambda t: multipart(
        ("Content-Type: text/plain;\r\n" + ";\r\n".join(
            f' name*{n}="{one_line(t)[a : a + 40]}"' for n, a in enumerate(range(0, len(t), 40))) + "\r\n", "x")
    ),
    "description of a part": lambda t: multipart(
        (f"Content-Type: text/plain\r\nContent-Description: {one_line(t)}\r\n", "x")
    ),
    "own header of a part": lambda t: multipart((f"Content-Type: text/plain\r\nX-Note: {one_line(t)}\r\n", "x")),
    "utf-7": lambda t: mail("Content-Type: text/plain; charset=utf-7\r\n", utf7(t)),
    "utf-16": lambda t: mail(
        "Content-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: base64\r\n",
        b64(t.encode("utf-16")),
    ),
    "ebcdic": lambda t: mail(
        "Content-Type: text/plain; charset=cp037\r\nContent-Transfer-Encoding: base64\r\n", b64(t.encode("cp037")),
    ),
    "wrong character set": lambda t: mail(
        "Content-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: base64\r\n",
        b64(t.encode("utf-16-le")),
    ),
    "inline pgp": lambda t: mail("", f"{COVER}\r\n-----BEGIN PGP MESSAGE-----\r\n\r\n{b64(t[::-1])}\r\n=abcd\r\n-----END PGP MESSAGE-----\r\n"),
    "boundary that does not fit": lambda t: mail('Content-Type: multipart/mixed; boundary="other"\r\n', f"--b\r\n\r\n{t}\r\n--b--\r\n"),
    "boundary left open": lambda t: mail('Content-Type: multipart/mixed; boundary="b"\r\n', f"--b\r\n\r\n{t}"),
    "behind the end of the headers": lambda t: (HEAD + "no header at all\r\n" + t).encode(),
    "mbox second": lambda t: b"From a@b Mon Mar  4 10:00:00 2024\n" + mail("", COVER).replace(b"\r", b"") + b"\n\nFrom c@d Mon Mar  4 10:00:00 2024\nSubject: x\n\n" + t.encode(),
    "picture of a page": lambda t: multipart(("Content-Type: text/html\r\n", f'<img src="{data(t)}">')),
}  # fmt: skip
MAIL = {f"mail {name}.{'mbox' if 'mbox' in name else 'eml'}": make for name, make in MAIL.items()}


# --- PDF


def pdf_with(change, text=""):
    document = pikepdf.open(io.BytesIO(plain_pdf(COVER)))
    change(document, document.pages[0], text)
    out = io.BytesIO()
    document.save(out, static_id=True)
    return out.getvalue()


def shows(text):
    lines = [line.replace("(", "[").replace(")", "]") for line in text.splitlines()]
    return "BT /F1 9 Tf 50 600 Td " + "".join(f"({line}) Tj 0 -14 Td " for line in lines) + "ET"


def form_of(document, text):
    made = document.make_stream(shows(text).encode())
    made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 600, 800])
    made.Resources = Dictionary(Font=Dictionary(F1=font()))
    return made


def appearance(document, page, text):
    note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=[50, 50, 500, 500],
                      AP=Dictionary(N=form_of(document, text)))  # fmt: skip
    page.Annots = Array([document.make_indirect(note)])


def rollover(document, page, text):
    states = Dictionary(
        N=form_of(document, COVER), R=form_of(document, text), D=form_of(document, COVER)
    )
    note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=[50, 50, 500, 500], AP=states)
    page.Annots = Array([document.make_indirect(note)])


def orphan_page(document, _page, text):
    lone = document.make_indirect(Dictionary(
        Type=Name.Page, MediaBox=[0, 0, 612, 792], Contents=document.make_stream(shows(text).encode()),
        Resources=Dictionary(Font=Dictionary(F1=font()))))  # fmt: skip
    document.Root.Lone = lone


def lying_font(document, page, text):
    """Glyphs of letters that the map to Unicode calls other letters: seen is one, copied another."""
    moved = {c: chr(33 + (ord(c) - 33 + 13) % 94) for c in map(chr, range(33, 127))}
    rows = "\n".join(f"<{ord(m):02x}> <{ord('.'):04x}>" for m in moved.values())
    table = f"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange {len(moved)} beginbfchar\n{rows}\nendbfchar endcmap end"
    face = font()
    face.ToUnicode = document.make_stream(table.encode())
    page.Resources.Font.F2 = document.make_indirect(face)
    page.contents_add(shows(text).replace("/F1", "/F2").encode())


def drawn_font(document, page, text):
    """Type 3: each glyph is a drawing, and no map says which letter it is."""
    glyph = document.make_stream(b"500 0 d0 0 0 400 600 re f")
    codes = sorted({ord(c) for c in text if 32 < ord(c) < 127})
    names = {c: Name(f"/g{n}") for n, c in enumerate(codes)}
    differences = Array([x for c in codes for x in (c, names[c])])
    face = Dictionary(Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 500, 700],
                      FontMatrix=[0.001, 0, 0, 0.001, 0, 0], FirstChar=32, LastChar=126,
                      Widths=Array([500] * 95), Encoding=Dictionary(Differences=differences),
                      CharProcs=Dictionary({str(name): glyph for name in names.values()}))  # fmt: skip
    page.Resources.Font.F3 = document.make_indirect(face)
    page.contents_add(shows(text).replace("/F1", "/F3").encode())


def unused_stream(document, _page, text):
    document.Root.Own = document.make_stream(text.encode())


def script(document, _page, text):
    code = "app.alert('" + one_line(text).replace("'", " ") + "')"
    document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String(code))


def script_stream(document, _page, text):
    document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=document.make_stream(text.encode()))


def white(document, page, text):
    page.contents_add(b"1 1 1 rg " + shows(text).encode())


def letter_by_letter(document, page, text):
    moves = " ".join(
        f"1 0 0 1 {50 + 6 * (n % 80)} {650 - 12 * (n // 80)} Tm ({c}) Tj"
        for n, c in enumerate(one_line(text)) if c not in "()\\"
    )  # fmt: skip
    page.contents_add(f"BT /F1 9 Tf {moves} ET".encode())


def sealed_pdf(text):
    document = pikepdf.open(io.BytesIO(plain_pdf(text)))
    out = io.BytesIO()
    document.save(out, encryption=pikepdf.Encryption(user="secret", owner="secret"))
    return out.getvalue()


def pdf_places(place):
    return lambda text: build_pdf({place: one_line(text).replace("(", "[").replace(")", "]")})


PDF = {
    "page": lambda t: plain_pdf(t),
    "appearance": lambda t: pdf_with(appearance, t),
    "rollover appearance": lambda t: pdf_with(rollover, t),
    "orphan page": lambda t: pdf_with(orphan_page, t),
    "lying map to unicode": lambda t: pdf_with(lying_font, t),
    "drawn font": lambda t: pdf_with(drawn_font, t),
    "unused stream": lambda t: pdf_with(unused_stream, t),
    "unused form": lambda t: pdf_with(
        lambda d, _p, x: d.Root.__setattr__("Own", form_of(d, x)), t
    ),
    "script": lambda t: pdf_with(script, t),
    "script stream": lambda t: pdf_with(script_stream, t),
    "white": lambda t: pdf_with(white, t),
    "letter by letter": lambda t: pdf_with(letter_by_letter, t),
    "behind the end": lambda t: plain_pdf(COVER) + t.encode(),
    "remark": lambda t: plain_pdf(COVER).replace(b"\n1 0 obj", b"\n%" + one_line(t).encode() + b"\n1 0 obj", 1),
    "before the mark": lambda t: t.encode()[:900] + b"\n" + plain_pdf(COVER),
    "sealed": sealed_pdf,
    "picture": lambda t: drawn(t, "PDF"),
} | {place.replace("_", " "): pdf_places(place) for place in (
    "invisible", "offpage", "hidden_layer", "form_object", "nested", "pattern", "annotation", "field",
    "field_default", "xfa", "outline", "info", "xmp", "link", "alternative", "actual_text",
    "page_label", "attachment", "attachment_name", "image_metadata", "piece_info", "former_revision",
)}  # fmt: skip
PDF = {f"pdf {name}.pdf": make for name, make in PDF.items()}


# --- office documents


def repacked(raw, change):
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    return pack(members)


def docx_part(name, content):
    return lambda text: repacked(
        build_docx({"body": COVER}), lambda m: m.update({name: content(text)})
    )


def docx_body(inner):
    def make(text):
        body = f'<w:document xmlns:w="{W}"><w:body><w:p>{inner(text)}</w:p></w:body></w:document>'
        return repacked(build_docx(), lambda m: m.update({"word/document.xml": body}))

    return make


def symbols(text):
    return "".join(
        f'<w:r><w:sym w:font="Wingdings" w:char="F0{ord(c):02X}"/></w:r>'
        for c in text
        if c.isascii()
    )


def letter_cells(text):
    rows = "".join(
        f'<row r="{r}">' + "".join(
            f'<c r="{column(n)}{r}" t="inlineStr"><is><t xml:space="preserve">{c}</t></is></c>'
            for n, c in enumerate(line)) + "</row>"
        for r, line in enumerate(text.split("\n"), 1)
    )  # fmt: skip
    return sheet_of(rows)


def column(number):
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def sheet_of(rows):
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return build_xlsx(sheet=f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>')


def formula(write):
    return lambda text: sheet_of(f'<row r="1"><c r="A1"><f>{write(text)}</f></c></row>')


def words(text):
    return "&amp;".join(f'"{word} "' for word in text.replace('"', "").split())


OFFICE = {
    "docx part called font.docx": docx_part("word/fonts/font1.odttf", str.encode),
    "docx part called picture.docx": docx_part("word/media/image9.png", str.encode),
    "docx part called sound.docx": docx_part("word/media/media1.wav", str.encode),
    "docx zip called font.docx": docx_part("word/fonts/font2.odttf", lambda t: zipped(a=t)),
    "docx part of utf-16.docx": docx_part("word/odd.bin", lambda t: t.encode("utf-16-le")),
    "docx part without extension.docx": docx_part("odd", str.encode),
    "docx part in a strange folder.docx": docx_part("../x/odd.xml", lambda t: f"<a>{t}</a>".encode()),
    "docx part of rtf.docx": docx_part("word/a.rtf", lambda t: rtf(t)),
    "docx symbols.docx": docx_body(symbols),
    "docx run a letter.docx": docx_body(lambda t: "".join(f"<w:r><w:t xml:space='preserve'>{c}</w:t></w:r>" for c in t)),
    "docx trailing.docx": lambda t: build_docx({"body": COVER}) + t.encode(),
    "xlsx a letter a cell.xlsx": letter_cells,
    "xlsx a word a cell.xlsx": lambda t: sheet_of("".join(
        f'<row r="{r}">' + "".join(f'<c r="{column(n)}{r}" t="inlineStr"><is><t>{w}</t></is></c>' for n, w in enumerate(line.split())) + "</row>"
        for r, line in enumerate(t.split("\n"), 1))),
    "xlsx formula without result.xlsx": formula(words),
    "xlsx formula of character codes.xlsx": formula(lambda t: "&amp;".join(f"CHAR({ord(c)})" for c in t if c.isascii())),
    "xlsx formula concatenates.xlsx": formula(lambda t: "CONCATENATE(" + ",".join(f'"{w} "' for w in t.replace('"', "").split()) + ")"),
    "xlsx sheet nobody lists.xlsx": lambda t: repacked(build_xlsx({"cell": COVER}), lambda m: m.update({"xl/worksheets/sheet9.xml": plain_sheet(t).encode()})),
    "ods trailing.ods": lambda t: build_odf("spreadsheet", {"cell": COVER}) + t.encode(),
} | {
    f"docx {place.replace('_', ' ')}.docx": (lambda p: lambda t: build_docx({p: one_line(t)}))(place)
    for place in ("hidden", "deleted", "inserted", "moved_from", "text_box", "old_text_box", "alt_text",
                  "drawing_text", "content_control", "control_choice", "form_default", "field_code",
                  "field_result", "smart_tag", "maths", "custom_xml", "custom_xml_attribute",
                  "image_metadata", "thumbnail", "alternative_chunk", "unknown_part",
                  "unknown_attribute", "form_data", "unknown_binary", "xml_comment", "printer",
                  "zip_comment", "core_comments", "custom_value", "embedded_workbook")
} | {
    f"xlsx {place.replace('_', ' ')}.xlsx": (lambda p: lambda t: build_xlsx({p: one_line(t)}))(place)
    for place in ("cell", "rich_cell", "formula_text", "hidden_sheet", "very_hidden_sheet", "hidden_row",
                  "hidden_column", "defined_name", "validation_list", "validation_prompt", "page_header",
                  "comment", "threaded_comment", "text_box", "alt_text", "old_drawing", "chart_title",
                  "pivot_item", "pivot_record", "external_cache", "unused_string", "phonetic",
                  "revision", "number_format", "scenario", "unknown_part", "zip_comment")
} | {
    f"pptx {place.replace('_', ' ')}.pptx": (lambda p: lambda t: build_pptx({p: one_line(t)}))(place)
    for place in ("title", "alt_text", "hidden_slide", "notes", "comment", "modern_comment", "master",
                  "layout", "section", "tag", "chart_title", "diagram", "unknown_part")
} | {
    f"odt {place.replace('_', ' ')}.odt": (lambda p: lambda t: build_odf("text", {p: one_line(t)}))(place)
    for place in ("hidden_text", "annotation", "text_box", "alt_description", "user_field",
                  "form_value", "object_text", "unknown_part", "zip_comment", "xml_comment")
}  # fmt: skip


def rtf(text, inner=""):
    lines = "\\par\n".join(text.replace("\\", "\\\\").split("\n"))
    return ("{\\rtf1\\ansi " + inner + lines + "}").encode()


def rtf_table(text):
    rows = "".join(
        "\\trowd" + "".join(f"\\cellx{900 * n}" for n, _ in enumerate(line.split(), 1))
        + "".join(f"\\intbl {w}\\cell" for w in line.split()) + "\\row\n"
        for line in text.split("\n") if line.strip()
    )  # fmt: skip
    return rtf(COVER, rows)


RTF = {
    "plain": rtf,
    "table, a word a cell": rtf_table,
    "hex of letters": lambda t: rtf(COVER, "".join(f"\\'{b:02x}" for b in t.encode())),
    "unicode of letters": lambda t: rtf(COVER, "".join(f"\\u{ord(c)}?" for c in t)),
    "unknown destination": lambda t: rtf(COVER, "{\\*\\xyzzy " + t + "}"),
    "information": lambda t: rtf(COVER, "{\\info{\\doccomm " + t + "}}"),
    "hidden": lambda t: rtf(COVER, "{\\v " + t + "}"),
    "annotation": lambda t: rtf(COVER, "{\\*\\annotation " + t + "}"),
    "binary": lambda t: rtf(COVER, "{\\*\\data\\bin%d %s}" % (len(t.encode()), t)),
    "binary picture": lambda t: rtf(COVER, "{\\pict\\pngblip\\bin%d %s}" % (len(t.encode()), t)),
    "picture in hex": lambda t: rtf(COVER, "{\\pict\\pngblip " + t.encode().hex() + "}"),
    "object in hex": lambda t: rtf(COVER, "{\\object{\\*\\objdata " + t.encode().hex() + "}}"),
    "variable": lambda t: rtf(COVER, "{\\*\\docvar {n}{" + one_line(t) + "}}"),
    "field": lambda t: rtf(COVER, "{\\field{\\*\\fldinst QUOTE " + one_line(t) + "}{\\fldrslt x}}"),
    "behind the end": lambda t: rtf(COVER) + t.encode(),
    "group a letter": lambda t: rtf(COVER, "".join(f"{{{c}}}" for c in one_line(t))),
}
RTF = {f"rtf {name}.rtf": make for name, make in RTF.items()}


# --- pictures


def picture(kind, size=(80, 80), **options):
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, kind, **options)
    return out.getvalue()


def tiny(kind, **options):
    return picture(kind, (16, 16), **options)


def drawn(text, kind, *, size=22, turn=0, mode="RGB", ink="black"):
    """The text as pixels."""
    face = ImageFont.load_default(size)
    lines = []
    for line in text.split("\n"):
        while line:
            cut = line if len(line) <= 80 else line[:80].rpartition(" ")[0] or line[:80]
            lines.append(cut)
            line = line[len(cut) :].strip()
    image = Image.new(mode, (1250, 40 + 34 * len(lines)), "white" if mode == "RGB" else None)
    pen = ImageDraw.Draw(image)
    for n, line in enumerate(lines):
        pen.text((20, 20 + 34 * n), line, fill=ink, font=face)
    out = io.BytesIO()
    image = image.rotate(turn, expand=True, fillcolor="white" if mode == "RGB" else None)
    image.save(out, kind)
    return out.getvalue()


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_chunk(kind, place=b"IDAT"):
    def make(text):
        raw = tiny("PNG")
        at = raw.index(place) - 4
        return raw[:at] + chunk(kind, text.encode()) + raw[at:]

    return make


def png_text(text, **options):
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", text, **options)
    return tiny("PNG", pnginfo=info)


def jpeg_segment(mark, before=b""):
    def make(text):
        raw, body = tiny("JPEG"), before + text.encode()
        return raw[:2] + b"\xff" + bytes([mark]) + struct.pack(">H", len(body) + 2) + body + raw[2:]

    return make


def gif_block(label, lead=b""):
    def make(text):
        raw, body = tiny("GIF"), text.encode()
        blocks = b"".join(
            bytes([len(p)]) + p for p in (body[a : a + 255] for a in range(0, len(body), 255))
        )
        return raw[:-1] + b"\x21" + bytes([label]) + lead + blocks + b"\0;"

    return make


def tiff_tag(text):
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[65000] = text
    return tiny("TIFF", tiffinfo=tags)


def exif_of(tag, value):
    exif = Image.Exif()
    exif[tag] = value
    return tiny("JPEG", exif=exif)


def webp_chunk(text):
    raw, body = tiny("WEBP"), text.encode() + b" " * (len(text.encode()) % 2)
    whole = raw[12:] + b"NOTE" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(whole) + 4) + b"WEBP" + whole


PICTURES = {
    f"{kind.lower()} trailing.{ext}": (lambda k: lambda t: tiny(k) + t.encode())(kind)
    for kind, ext in (("PNG", "png"), ("JPEG", "jpg"), ("GIF", "gif"), ("BMP", "bmp"), ("TIFF", "tif"),
                      ("WEBP", "webp"), ("ICO", "ico"), ("PPM", "ppm"))
} | {
    f"{kind.lower()} with a document behind it.{ext}": (lambda k: lambda t: tiny(k) + plain_pdf(t))(kind)
    for kind, ext in (("PNG", "png"), ("JPEG", "jpg"), ("GIF", "gif"))
} | {
    "png private chunk.png": png_chunk(b"noTe"),
    "png private chunk behind the pixels.png": png_chunk(b"noTe", b"IEND"),
    "png packed private chunk.png": lambda t: png_chunk(b"noTe")(zlib.compress(t.encode()).decode("latin-1")),
    "png text.png": png_text,
    "png packed text.png": lambda t: png_text(t, zip=True),
    "jpeg comment.jpg": jpeg_segment(0xFE),
    "jpeg private segment.jpg": jpeg_segment(0xE9, b"NOTE\0"),
    "jpeg segment of restarts.jpg": jpeg_segment(0xEF),
    "jpeg description.jpg": lambda t: exif_of(0x010E, one_line(t)),
    "jpeg remark of the user.jpg": lambda t: exif_of(0x9C9C, t.encode("utf-16-le")),
    "gif comment.gif": gif_block(0xFE),
    "gif application.gif": gif_block(0xFF, b"\x0bNOTEGARDEN1"),
    "gif plain text.gif": gif_block(0x01, b"\x0c" + bytes(12)),
    "tiff private tag.tif": tiff_tag,
    "webp chunk.webp": webp_chunk,
    "picture of the text.png": lambda t: drawn(t, "PNG"),
    "picture of the text.jpg": lambda t: drawn(t, "JPEG"),
    "picture of the text.gif": lambda t: drawn(t, "GIF"),
    "picture of the text.tif": lambda t: drawn(t, "TIFF"),
    "picture turned.png": lambda t: drawn(t, "PNG", turn=90),
    "picture upside down.png": lambda t: drawn(t, "PNG", turn=180),
    "picture skewed.png": lambda t: drawn(t, "PNG", turn=12),
    "picture transparent.png": lambda t: drawn(t, "PNG", mode="LA", ink=(0, 255)),
    "picture pale.png": lambda t: drawn(t, "PNG", ink=(225, 225, 225)),
    "picture in a page.html": lambda t: page(f'<img src="data:image/png;base64,{base64.b64encode(drawn(t, "PNG")).decode()}">'),
    "picture in docx.docx": lambda t: docx_part("word/media/image9.png", lambda x: drawn(x, "PNG"))(t),
    "scan under a header.pdf": lambda t: scan("\n".join([t] * 4), header=True),
    "small scan under a text.pdf": lambda t: scan(t, header=True),
    "scan turned.pdf": lambda t: scan(t, turn=90),
    "scan upside down.pdf": lambda t: scan(t, turn=180),
    "scan skewed.pdf": lambda t: scan(t, turn=12),
    "scan transparent.pdf": lambda t: scan(t, mode="LA"),
    "scan turned under a header.pdf": lambda t: scan("\n".join([t] * 4), header=True, turn=90),
    "scan in strips.pdf": lambda t: scan(t, strips=6),
}  # fmt: skip


def scan(text, *, header=False, turn=0, mode="RGB", strips=1):
    """A page whose text is a picture, or several."""
    raw = drawn(text, "PNG", turn=turn, mode=mode, ink="black" if mode == "RGB" else (0, 255))
    image = Image.open(io.BytesIO(raw))
    across, down = (560, 560 * image.height / image.width)
    if down > 640:
        across, down = 640 * image.width / image.height, 640
    document = pikepdf.open(io.BytesIO(plain_pdf(COVER if header else " ")))
    page = document.pages[0]
    page.Resources.XObject = Dictionary()
    step = image.height // strips
    for n in range(strips):
        part = image.crop((0, n * step, image.width, (n + 1) * step))
        pixels = bytes(part.width * part.height) if mode == "LA" else part.convert("L").tobytes()
        held = grey(document, part.size, pixels)
        if mode == "LA":
            held.SMask = grey(document, part.size, part.getchannel("A").tobytes())
        page.Resources.XObject[f"/I{n}"] = held
        top = 690 - (n + 1) * down / strips
        page.contents_add(
            f"q {across:.1f} 0 0 {down / strips:.1f} 26 {top:.1f} cm /I{n} Do Q".encode()
        )
    out = io.BytesIO()
    document.save(out, static_id=True)
    return out.getvalue()


def grey(document, size, pixels):
    held = document.make_stream(zlib.compress(pixels), Filter=Name.FlateDecode)
    held.Type, held.Subtype, held.ColorSpace = Name.XObject, Name.Image, Name.DeviceGray
    held.Width, held.Height, held.BitsPerComponent = *size, 8
    return held


# --- printers, databases, other formats


def deleted_row(text):
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT)")
        database.execute("PRAGMA secure_delete = 0")
        database.execute("INSERT INTO notes VALUES (1, 'garden')")
        database.execute("INSERT INTO notes VALUES (2, ?)", (text,))
        database.commit()
        database.execute("DELETE FROM notes WHERE id = 2")
        database.commit()
        return database.serialize()


def dropped_table(text):
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA secure_delete = 0")
        database.execute("CREATE TABLE a (note TEXT)")
        database.execute("CREATE TABLE b (note TEXT)")
        database.executemany("INSERT INTO b VALUES (?)", [(text,)] * 3)
        database.execute("DROP TABLE b")
        database.commit()
        return database.serialize()


def table(value):
    def make(text):
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, note)")
            database.execute("INSERT INTO notes VALUES (1, ?)", (value(text),))
            database.commit()
            return database.serialize()

    return make


def dbf(text, mark=b" "):
    rows = [line.encode()[:250].ljust(250) for line in text.split("\n")]
    head = struct.pack("<BBBBIHH20x", 3, 124, 3, 4, len(rows), 32 + 32 + 1, 251)
    head += struct.pack("<11sc4xB15x", b"NOTE", b"C", 250)
    return head + b"\r" + b"".join(mark + row for row in rows) + b"\x1a"


def postscript(text, write=lambda line: f"({line})"):
    shown = "\n".join(
        f"72 {700 - 14 * n} moveto {write(line.replace('(', '[').replace(')', ']'))} show"
        for n, line in enumerate(text.split("\n"))
    )
    return f"%!PS-Adobe-3.0\n/Helvetica findfont 11 scalefont setfont\n{shown}\nshowpage\n".encode()


OTHER = {
    "postscript.ps": postscript,
    "postscript in hex.ps": lambda t: postscript(t, lambda line: f"<{line.encode().hex()}>"),
    "postscript a letter.ps": lambda t: postscript(t, lambda line: ") show (".join(line).join("()")),
    "eps.eps": lambda t: postscript(t).replace(b"PS-Adobe-3.0", b"PS-Adobe-3.0 EPSF-3.0"),
    "pcl.pcl": lambda t: b"\x1bE\x1b&l0O\x1b(s0p10h" + t.replace("\n", "\r\n").encode() + b"\x0c\x1bE",
    "pcl a move a word.prn": lambda t: b"\x1bE" + b"".join(b"\x1b*p%dX%s" % (n * 60, w.encode()) for n, w in enumerate(t.split())) + b"\x1bE",
    "sqlite row.db": table(lambda t: t),
    "sqlite blob.db": table(lambda t: t.encode()),
    "sqlite packed blob.db": table(lambda t: gzip.compress(t.encode())),
    "sqlite zlib blob.db": table(lambda t: zlib.compress(t.encode())),
    "sqlite deleted row.db": deleted_row,
    "sqlite dropped table.db": dropped_table,
    "sqlite trailing.db": lambda t: table(lambda _: COVER)(t) + t.encode(),
    "dbf.dbf": dbf,
    "dbf deleted rows.dbf": lambda t: dbf(t, b"*"),
    "dbf behind the end.dbf": lambda t: dbf("garden") + t.encode(),
    "latex.tex": lambda t: ("\\documentclass{article}\\begin{document}\n" + t + "\n\\end{document}").encode(),
    "latex behind the end.tex": lambda t: ("\\documentclass{article}\\begin{document}\n" + COVER + "\\end{document}\n" + t).encode(),
    "program.exe": lambda t: b"MZ" + bytes(500) + t.encode(),
    "program with utf-16.exe": lambda t: b"MZ" + bytes(500) + t.encode("utf-16-le"),
    "elf.bin": lambda t: b"\x7fELF" + bytes(500) + t.encode(),
    "sound.wav": lambda t: b"RIFF" + struct.pack("<I", len(t.encode()) + 12) + b"WAVENOTE" + struct.pack("<I", len(t.encode())) + t.encode(),
    "sound.mp3": lambda t: b"ID3\x03\x00\x00" + bytes([0, 0, len(t.encode()) + 11 >> 7, len(t.encode()) + 11 & 127]) + b"COMM" + struct.pack(">I", len(t.encode()) + 1) + b"\0\0\0" + t.encode() + b"\xff\xfb\x90\x00" + bytes(400),
    "film.mp4": lambda t: b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + struct.pack(">I", len(t.encode()) + 8) + b"free" + t.encode(),
    "true type font.ttf": lambda t: b"\0\1\0\0\0\1\0\x80\0\3\0\x70" + b"name" + struct.pack(">III", 0, 28, len(t.encode())) + t.encode(),
    "class file.class": lambda t: b"\xca\xfe\xba\xbe\0\0\0\x34\0\2\1" + struct.pack(">H", len(t.encode())) + t.encode(),
    "pickle.pkl": lambda t: __import__("pickle").dumps({"note": t}),
    "property list.plist": lambda t: __import__("plistlib").dumps({"note": t}, fmt=__import__("plistlib").FMT_BINARY),
    "message pack.bin": lambda t: b"\x81\xa4note\xda" + struct.pack(">H", len(t.encode())) + t.encode(),
    "access.mdb": lambda t: b"\0\1\0\0Standard Jet DB\0" + bytes(500) + t.encode("utf-16-le"),
    "outlook store.pst": lambda t: b"!BDN" + bytes(500) + t.encode("utf-16-le"),
    "event log.evtx": lambda t: b"ElfFile\0" + bytes(500) + t.encode("utf-16-le"),
    "shortcut.lnk": lambda t: b"L\0\0\0\x01\x14\2\0" + bytes(70) + t.encode("utf-16-le"),
    "parquet.parquet": lambda t: b"PAR1" + t.encode() + bytes(40) + b"PAR1",
    "disk image.img": lambda t: bytes(510) + b"\x55\xaa" + bytes(4096) + t.encode().ljust(4096, b"\0"),
    "memory dump.dmp": lambda t: b"PAGEDU64" + bytes(8000) + t.encode("utf-16-le") + bytes(8000),
}  # fmt: skip
