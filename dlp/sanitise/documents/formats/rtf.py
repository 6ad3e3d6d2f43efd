"""Rewrite Rich Text Format: words joined across formatting, only known destinations kept.

In: an RTF file.  Out: RTF without properties, comments, deleted text, objects or unknown groups.
"""

from __future__ import annotations

import binascii
import codecs
import re
from dataclasses import dataclass, field, replace

from dlp.sanitise.documents.contract import Job, refuse
from dlp.sanitise.documents.formats.picture import bare_picture
from dlp.sanitise.documents.run_alignment import spread

# Destinations that stay, with or without a star; every other starred one goes.
KEPT = frozenset({
    "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "listoverride",
    "list", "listlevel", "leveltext", "levelnumbers", "listname", "listtext", "liststylename",
    "pn", "pntext", "pntxta", "pntxtb", "pnseclvl", "header", "headerl", "headerr", "headerf",
    "footer", "footerl", "footerr", "footerf", "footnote", "ftnsep", "ftnsepc", "ftncn",
    "aftnsep", "aftnsepc", "aftncn", "field", "fldinst", "fldrslt", "shp", "shpinst", "shpgrp",
    "shptxt", "sp", "sn", "sv", "shppict", "pict", "picprop", "object", "result", "panose",
    "falt", "cs", "ds", "ts", "tsrowd", "do", "dptxbxtext", "rtf", "defchp", "defpap", "ud",
    "blipuid",
})  # fmt: skip
# Destinations without a star that go.
DROPPED = frozenset({
    "info", "upr", "nonshppict", "shprslt", "objdata", "objclass", "objname", "objalias",
    "objsect", "xe", "tc", "tcn", "rxe", "private", "comment", "nextfile", "template",
    "filetbl", "doccomm", "annotation", "atnid", "atnauthor", "atnref", "atndate", "atntime",
    "atnicn", "atnparent", "atrfstart", "atrfend", "bkmkstart", "bkmkend", "revtbl", "rsidtbl",
    "docvar", "userprops", "formfield", "datafield", "generator", "mmathPr", "themedata",
    "colorschememapping", "latentstyles", "datastore", "xmlnstbl", "htmltag", "mhtmltag", "txe",
    "title", "subject", "author", "operator", "keywords", "category", "company", "manager",
    "linkval", "propname", "staticval", "txfieldtext", "passwordhash", "password", "hlinkbase",
    "printim", "creatim", "revtim", "buptim", "writereservation", "writereservhash",
    "protusertbl", "fchars", "lchars",
})  # fmt: skip
# Texts of their own: their words do not join those around them.
APART = frozenset({
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf",
    "footnote", "shptxt", "fldinst", "stylesheet", "fonttbl", "listname", "leveltext", "sv",
    "sn", "pntext", "listtext", "dptxbxtext", "pntxta", "pntxtb", "falt", "panose", "colortbl",
    "liststylename",
})  # fmt: skip
# Who changed what and when, and marks of earlier programs.
FORGOTTEN = frozenset({
    "deleted", "revised", "revauth", "revdttm", "revauthdel", "revdttmdel", "crauth", "crdate",
    "revprot", "revisions", "insrsid", "charrsid", "delrsid", "pararsid", "sectrsid", "styrsid",
    "tblrsid", "rsid", "rsidroot", "fromhtml", "fromtext", "htmlrtf", "mvf", "mvt", "mvauth",
    "mvdate", "trauth", "trdate", "bin", "dfrauth", "dfrdate", "srauth", "srdate", "prauth",
    "prdate", "oldcprops",
})  # fmt: skip
CHARACTERS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "bullet": "•", "emspace": " ", "enspace": " ",
}  # fmt: skip
SIGNS = {"tab": "\t", "line": "\n", "lbr": "\n", "softline": "\n"}
ENDS = frozenset({"par", "cell", "nestcell", "row", "nestrow", "sect", "page", "column"})
CHARSETS = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip


MEDIA_TYPES = frozenset({"application/rtf", "text/rtf"})
TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|([^\\{}\r\n\0]+)"
)
DEEPEST = 500
SYMBOLS = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad"}


@dataclass(slots=True)
class Group:
    codec: str = "cp1252"
    fallback: int = 1
    dropped: bool = False
    deleted: bool = False
    fresh: bool = True
    starred: bool = False
    apart: bool = False
    picture: int = -1  # where the picture's group starts in the output


@dataclass(slots=True)
class Run:
    text: str
    codec: str
    fallback: int = 1  # how many signs stand in for one \\u
    sign: bytes = b""  # a tab or line end: reads as `text`, written as it is


@dataclass(slots=True)
class Rewriter:
    job: Job
    out: list[bytes | Run] = field(default_factory=list)
    group: Group = field(default_factory=Group)
    stack: list[Group] = field(default_factory=list)
    flows: list[list[Run]] = field(default_factory=lambda: [[]])
    pending: bytearray = field(default_factory=bytearray)
    skip: int = 0
    high: int = 0
    fonts: dict[int, str] = field(default_factory=dict)
    font: int = 0
    default: str = "cp1252"

    def read(self, data: bytes) -> None:
        place = 0
        while (hit := TOKEN.search(data, place)) is not None:
            place = hit.end()
            word, number, code, symbol, brace, text = hit.groups()
            if text is not None:
                self.text(text)
            elif word is not None:
                name, value = word.decode(), int(number) if number else None
                if name == "bin":
                    place += max(0, value or 0)
                    self.group.dropped = True  # raw bytes belong to objects and odd pictures
                self.word(name, value)
            elif code is not None:
                self.text(bytes((int(code, 16),)))
            elif brace == b"{":
                self.open()
            elif brace == b"}":
                self.close()
                if not self.stack:
                    break
            else:
                self.symbol(symbol)
        if self.stack:
            raise refuse("the file ends before its groups do")

    def open(self) -> None:
        self.flush()
        if len(self.stack) >= DEEPEST:
            raise refuse("groups are nested too deeply")
        self.stack.append(self.group)
        self.group = replace(self.group, fresh=True, starred=False, apart=False, picture=-1)
        if not self.group.dropped:
            self.out.append(b"{")

    def close(self) -> None:
        self.flush()
        if not self.stack:
            raise refuse("the file closes more groups than it opens")
        inner, self.group = self.group, self.stack.pop()
        if inner.apart:
            self.end_flow()
            self.flows.pop()
        if inner.picture >= 0:
            self.picture(inner.picture)
        elif not inner.dropped:
            self.out.append(b"}")
        elif not self.group.dropped:
            while self.out and self.out.pop() != b"{":  # a word like \\bin drops its group late
                pass

    def symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.group.starred = True
        elif symbol in b"\\{}":
            self.text(symbol)
        elif symbol in SYMBOLS:
            self.say(SYMBOLS[symbol])
        elif symbol in b"\r\n":
            self.word("par", None)

    def word(self, name: str, number: int | None) -> None:
        group = self.group
        fresh, group.fresh = group.fresh, False
        if (fresh or group.starred) and (name in DROPPED or (group.starred and name not in KEPT)):
            group.dropped = True
        starred, group.starred = group.starred, False
        if group.dropped:
            return
        if name in CHARACTERS:
            self.say(CHARACTERS[name])
        elif name == "u" and number is not None:
            self.unicode(number & 0xFFFF)
        else:
            self.format(name, number, starred=starred, fresh=fresh)

    def format(self, name: str, number: int | None, *, starred: bool, fresh: bool) -> None:
        self.flush()
        self.set_state(name, number)
        if name in FORGOTTEN or self.job.edit(name) != name:
            return
        written = b"\\" + name.encode() + (b"" if number is None else str(number).encode()) + b" "
        if name in SIGNS:
            self.place(Run(SIGNS[name], "", sign=written))
            return
        if name in APART and (fresh or starred) and not self.group.apart:
            self.group.apart = True
            self.flows.append([])
        if name == "pict":
            self.group.picture = max(i for i, item in enumerate(self.out) if item == b"{")
        if name in ENDS:
            self.end_flow()
            written += b"\n"
        self.out.append((b"\\*" if starred else b"") + written)

    def set_state(self, name: str, number: int | None) -> None:
        group, value = self.group, number or 0
        if name == "ansicpg":
            self.default = group.codec = codec_of(value)
        elif name == "uc":
            group.fallback = min(max(value, 0), 16)
        elif name == "f":
            self.font = value
            group.codec = self.fonts.get(value, self.default)
        elif name == "fcharset":
            self.fonts[self.font] = group.codec = CHARSETS.get(value, self.default)
        elif name == "deleted":
            group.deleted = number != 0
        elif name == "plain":
            group.deleted = False

    def unicode(self, code: int) -> None:
        self.flush()
        self.skip = self.group.fallback
        if 0xD800 <= code < 0xDC00:
            self.high = code
            return
        if 0xDC00 <= code < 0xE000:
            if not self.high:
                return
            code = 0x10000 + ((self.high - 0xD800) << 10) + (code - 0xDC00)
        self.high = 0
        self.say(chr(code) if code else "")

    def text(self, text: bytes) -> None:
        self.group.fresh = False
        dropped = min(self.skip, len(text))
        self.skip -= dropped
        if not self.group.dropped and not self.group.deleted:
            self.pending += text[dropped:]

    def say(self, text: str) -> None:
        self.flush()
        if text and not self.group.dropped and not self.group.deleted:
            self.place(Run(text, self.group.codec, self.group.fallback))

    def flush(self) -> None:
        if self.pending:
            text = self.pending.decode(self.group.codec, "replace")
            self.pending.clear()
            self.place(Run(text, self.group.codec, self.group.fallback))

    def place(self, run: Run) -> None:
        last = self.out[-1] if self.out else b""
        if isinstance(last, Run) and replace(last, text="") == replace(run, text="", sign=b""):
            last.text += run.text
            return
        self.out.append(run)
        self.flows[-1].append(run)

    def end_flow(self) -> None:
        runs = self.flows[-1]
        self.flows[-1] = []
        before = "".join(run.text for run in runs)
        if not before.strip():
            return
        signs = frozenset(i for i, run in enumerate(runs) if run.sign)
        texts = spread([run.text for run in runs], self.job.edit(before), signs)
        for run, text in zip(runs, texts, strict=True):
            if not run.sign:
                run.text = self.job.edit(text) if len(runs) > 1 else text

    def picture(self, start: int) -> None:
        """Keep a PNG or JPEG without what is said beside it; other pictures can hold text."""
        words = [item for item in self.out[start + 1 :] if isinstance(item, bytes)]
        said = "".join(i.text for i in self.out[start + 1 :] if isinstance(i, Run) and not i.sign)
        hexes = {id(item) for item in self.out[start:]}
        self.flows[-1] = [run for run in self.flows[-1] if id(run) not in hexes]
        del self.out[start:]
        try:
            bare = bare_picture(binascii.unhexlify(re.sub(r"\s", "", said)))
        except (binascii.Error, ValueError):
            bare = None
        if bare is None:
            self.job.note("picture dropped: of a kind that can hold text")
            return
        self.job.note("words inside pictures are not read")
        simple = [
            word for word in words if word not in {b"{", b"}"} and not word.startswith(b"\\*")
        ]
        self.out.append(b"".join((b"{", *simple, binascii.hexlify(bare), b"}")))


def codec_of(page: int) -> str:
    name = {10000: "mac-roman", 65001: "utf-8", 0: "cp1252"}.get(page, f"cp{page}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


def rewrite(data: bytes, job: Job) -> bytes:
    if not data.lstrip().startswith(b"{\\rtf"):
        raise refuse("the file is no RTF")
    rewriter = Rewriter(job)
    rewriter.read(data)
    rewriter.end_flow()
    return b"".join(written(item) for item in rewriter.out) + b"\n"


def written(item: bytes | Run) -> bytes:
    if isinstance(item, bytes):
        return item
    return item.sign or b"".join(character(sign, item) for sign in item.text)


def character(sign: str, run: Run) -> bytes:
    if sign in "\\{}":
        return b"\\" + sign.encode()
    if " " <= sign <= "~":
        return sign.encode()
    if sign in "\r\n\t":
        return b"\\line " if sign != "\t" else b"\\tab "
    try:
        raw = sign.encode(run.codec)
    except (UnicodeEncodeError, LookupError):
        raw = b""
    if len(raw) == 1:
        return b"\\'%02x" % raw[0]
    wide = sign.encode("utf-16-le", "surrogatepass")
    codes = [int.from_bytes(wide[i : i + 2], "little", signed=True) for i in range(0, len(wide), 2)]
    return b"".join(b"\\u%d" % code + (b"?" * run.fallback or b" ") for code in codes)
