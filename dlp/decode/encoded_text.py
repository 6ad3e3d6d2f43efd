"""Find what a text holds in another form: encoded, sealed, or spelt so that only people read it.

In: a part.  Out: decoded bytes to read next, the plain spelling as a part, gaps for ciphertext.

One pass of RE2 passes by the texts that hold none of it. Each form is decoded only where the result
is text or a known kind of file; long bytes without any structure are ciphertext.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import zlib
from collections.abc import Callable, Iterator
from urllib.parse import unquote

import re2

from dlp.decode.contract import Embedded, Item
from dlp.model import Gap, GapCode, Part
from dlp.text.fold import fold

TEXT, FILE, SEALS = "text", "file", "ciphertext"
MAX_STRETCHES = 200  # of a form in a part; more is a gap
LEAST_BYTES = 24  # of decoded text: chance gives no such run of printable characters
NOISE_BYTES, NOISE_VALUES = 512, 200  # signatures and hashes are shorter
RUN = rb"[A-Za-z0-9+/_-]"
PAIR = rb"(?:0x|\\x|\\u00|[%=])?[0-9A-Fa-f]{2}"
BYTES = re2.Options()
BYTES.encoding = re2.Options.Encoding.LATIN1  # as they are, not as UTF-8
# Two automata: the states of one are the pairs of a state of each, too many to keep.
LONG_RUNS = re2.compile(
    rb"[A-Za-z0-9+/]{40}|[A-Za-z0-9+/_-]{20}\r?\n[A-Za-z0-9+/_-]{20}\r?\n[A-Za-z0-9+/_-]{20}"
    rb"|[!-~]{70}",
    BYTES,
)
SIGNS = re2.compile(
    rb"(?:[0-9A-Fa-f]{2}[ :,]){16}|(?:(?:0x|\\x|\\u00|[%=])[0-9A-Fa-f]{2}[^%=\n]{0,12}){3}"
    rb"|\\[0-7]{3}\\[0-7]{3}|\\u[0-9A-Fa-f]{4}|(?:&#x?[0-9A-Fa-f]{2,6};){3}|\\0000[0-9A-Fa-f]{2}"
    rb"|(?m:^begin [0-7]{3} )|BEGIN [A-Z0-9 ]+-----|\$ANSIBLE_VAULT|ENC\[AES|SALTPACK|<~"
    rb"|\x1b|\x08|\x7f|gAAAAA|eyJ|(?:[0-9]{2,3}[, ]{1,2}){24}|(?:[01]{8}[ ,]?){8}"
    rb"|(?:[A-Za-z][ ._*|,\t]){10}|(?:[^\n]\r?\n){24}|(?:<[^<>\n]{1,20}>[^<>\n]{0,3}){12}"
    rb"|\A%!PS|\x00|(?:[_*][A-Za-z]+){6}|\b(?:eht|taht|siht|gur|gung|guvf)\b",
    BYTES,
)
# Letters drawn as signs, tags, symbol fonts, marks over and between letters, turned and foreign
# letters within Latin words, blanks that are none.
TRICKS = re2.compile(
    rb"\xe2(?:\x92[\x9c-\xbf]|\x93[\x80-\xa9])|\xf0\x9f[\x84-\x87]|\xf3\xa0|\xef[\x80\x81].\xef"
    rb"|(?:(?:\xcc.|\xcd[\x80-\xaf])[ -~]){8}|[\xcc\xcd].[\xcc\xcd]|\xef\xbf[\xb9-\xbb]"
    rb"|\xf0\x9d\x85[\xb3-\xba]"
    rb"|[\xc9\xca].[ -~]{0,2}[\xc9\xca].[ -~]{0,2}[\xc9\xca].|[A-Za-z][\xce-\xd1].[A-Za-z]"
    rb"|(?:\xc2\xa0[A-Za-z]+){6}"
    rb"|(?:\xe3\x80\x80|\xe2\xa0\x80)[A-Za-z]|\xe2\x80\xae",
    BYTES,
)
SEALED = re2.compile(
    rb"-----BEGIN (?:PGP MESSAGE|AGE ENCRYPTED FILE|CMS|PKCS7|ENCRYPTED (?:MESSAGE|DATA|FILE))-----"
    rb"|\$ANSIBLE_VAULT;|ENC\[AES256_GCM|BEGIN SALTPACK ENCRYPTED|U2FsdGVkX1[0-9A-Za-z+/]{20}"
    rb"|gAAAAA[A-Za-z0-9_-]{60}|eyJ[\w-]{8,}\.[\w-]*\.[\w-]{12,}\.[\w-]{20,}\.[\w-]{16,}"
)
BASE64 = re2.compile(RUN + rb"{16,}={0,2}(?:[\r\n>\t ]{1,6}" + RUN + rb"{16,}={0,2})*")
BASE85 = re2.compile(rb"(?:[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{40,}\r?\n?)+")
ADOBE85 = re2.compile(rb"<~[!-uz\s]{40,}~>")
HEX = re2.compile(rb"(?:" + PAIR + rb"[ ,:;>\r\n\\]{0,3}){24,}")
HEX_LETTER = re.compile(rb"[A-Fa-f]")
PREFIXED = re.compile(rb"(?:0x|\\x|\\u00|[%=])?([0-9A-Fa-f]{2})")
DECIMAL = re2.compile(rb"(?:[0-9]{2,3}[, \r\n]{1,3}){24,}")
BINARY = re2.compile(rb"(?:[01]{8}[ ,\r\n]{0,2}){24,}")
UUENCODED = re2.compile(rb"(?m)^begin [0-7]{3,4} [^\r\n]*\r?\n(?:[\x20-\x60]{1,62}\r?\n)+")
SMUGGLED = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{16,}")
ESCAPED = re.compile(
    r"(?:&#x?[0-9A-Fa-f]{2,6};|%[0-9A-Fa-f]{2}|=[0-9A-F]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}"
    r"|\\0000[0-9A-Fa-f]{2}|\\[0-7]{3})"
)
ESCAPES_A_LINE = 3
BACKSLASHED = re.compile(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(0000[0-9A-Fa-f]{2})|([0-7]{3}))"
)
QUOTED = re.compile(r"=([0-9A-F]{2})")
TERMINAL = re.compile(
    r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])|[^\n]\x08|\x7f"
)
# A printer's language: where the next word stands, and the strings of one line of PostScript.
MOVES = re.compile(r"\x1b[&*][`-~](?:[-+]?[\d.]+[`-~])*[-+]?[\d.]*[@-^]")
POSTSCRIPT = "%!PS"
SHOWN = re.compile(r"\(((?:[^()\\]|\\.)*)\)")
TITLE = re.compile(r"\x1b\][0-9;]*([^\x07\x1b]{8,})")
BACKWARDS = re.compile("\u202e([^\u202c\n]{8,})")
DRAWN = re.compile(
    "[\u249c-\u24e9\U0001f110-\U0001f1ff\U000e0020-\U000e007e\U000e0100-\U000e01ef\uf020-\uf07e\u0300-\u036f"
    "\ufff9-\ufffb\U0001d173-\U0001d17a\u0250-\u02af\u01dd]"
)
MIXED = re.compile("[A-Za-z][\u0370-\u04ff][A-Za-z]|[\u00a0\u3000\u2800][A-Za-z]")
# Begun where a word begins, each word taken whole: linear in a run without blanks.
GLUED = re.compile(r"[^\W_](?<![^\W_].)[^\W_]*+(?:[_*][^\W_]++){6,}")
GLUES = 6
ESCAPE_SIGNS, TERMINAL_SIGNS = "&%=\\", "\x1b\x08\x7f"
FEW_DRAWN, FEW_WORDS = 12, 2
RUN_ON = re.compile(r"[^\W\d_]{40}")
JAPANESE = "\x1b$B"
BACKWARD_WORDS = re.compile(r"\b(?:eht|dna|fo|ot|htiw|rof|saw|si|ni|taht|siht)\b")
# Gur, naq, bs, gb, jvgu, sbe, jnf, vf, va, gung, guvf; a set comes first, which `re` skips to.
TURNED_WORDS = re.compile(
    r"[bgjnsv](?<!\w.)(?:(?<=g)(?:ur|b|u(?:ng|vf))|(?<=n)aq|(?<=b)s|(?<=j)(?:vgu|nf)|(?<=s)be"
    r"|(?<=v)[fa])\b"
)
MARKS = re.compile("[\u0300-\u036f]")
SPACED = re.compile(r"(?:(?<![^\W_])[^\W_][^\w\n]{0,2}[ ._*|,\t]+){10,}[^\W_]?")
COLUMN = re.compile(r"(?:^[^\n]\r?\n){24,}", re.MULTILINE)
TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,20}>")
# Kinds of files by their first bytes; the reader of such a file decides what it is.
FILES = (b"\x1f\x8b\x08", b"PK\x03\x04", b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"{\\rtf",
         b"\xd0\xcf\x11\xe0", b"7z\xbc\xaf", b"\xfd7zXZ", b"BZh", b"SQLite format 3")  # fmt: skip
# Keys, certificates, fonts and sound: bytes with a structure, and none of it text.
NO_CIPHER = (b"\x30\x82", b"\x30\x81", b"\0\0\0\x07ssh", b"\0\0\0\x0bssh", b"\0\0\0\x13ecdsa",
             b"openssh-key", b"wOF", b"OTTO", b"\0\1\0\0", b"OggS", b"RIFF", b"ID3",
             b"\0asm")  # fmt: skip


def has_signs(text: str) -> bool:
    return is_odd(text.encode("utf-8", "surrogatepass"))


def is_odd(raw: bytes) -> bool:
    if SIGNS.search(raw) is not None or LONG_RUNS.search(raw) is not None:
        return True
    return not raw.isascii() and TRICKS.search(raw) is not None


def items_of(part: Part) -> Iterator[Item]:
    """Everything a part holds in another form, each once."""
    raw = part.text.encode("utf-8", "surrogatepass")
    if not is_odd(raw):
        return
    where = part.locator
    if SEALED.search(raw):
        yield Gap(GapCode.ENCRYPTED, where)
    texts: list[bytes] = []
    for number, (data, kind) in enumerate(stretches(raw, part.text), 1):
        if number > MAX_STRETCHES:
            yield Gap(GapCode.TOO_LARGE, f"{where}/encoded")
            break
        if kind == TEXT and not data.count(0):
            texts.append(data)
        elif kind == SEALS:
            yield Gap(GapCode.ENCRYPTED, f"{where}/encoded")
        else:
            yield Embedded(f"{where}/encoded:{number}", "", data)
    if texts:  # a letter may be encoded line by line
        yield Embedded(f"{where}/encoded", "", b"\n".join(texts))
    if plain := "\n".join(spellings(part.text)):
        yield Part(f"{where}/plain", plain)
        if RUN_ON.search(plain):  # letters one by one, and nothing says where a word ends
            yield Gap(GapCode.UNSUPPORTED, f"{where}/plain")


def stretches(raw: bytes, text: str) -> Iterator[tuple[bytes, str]]:
    """Decoded bytes and what they are; of the ways to read a stretch, the first that fits."""
    for pattern, decode in FORMS:
        for hit in pattern.finditer(raw):
            told = ((data, kind_of(data)) for data in decode(hit[0]))
            if found := next(((data, kind) for data, kind in told if kind), None):
                yield found
    for signs in SMUGGLED.findall(text):
        yield bytes(selector(ord(sign)) for sign in signs), TEXT


def selector(point: int) -> int:
    """The byte that a variation selector stands for, in the order of the selectors."""
    return point - 0xFE00 if point < 0xE0100 else point - 0xE0100 + 16


def kind_of(data: bytes) -> str:
    if len(data) < LEAST_BYTES:
        return ""
    if is_written(data) or any(
        is_written(data[first::2]) and not any(data[1 - first : 200 : 2]) for first in (0, 1)
    ):
        return TEXT
    if data.startswith(FILES) or (data[:1] == b"\x78" and inflates(data)):
        return FILE
    noise = len(data) >= NOISE_BYTES and len(set(data)) >= NOISE_VALUES
    return SEALS if noise and not data.startswith(NO_CIPHER) else ""


def is_written(data: bytes) -> bool:
    """Whether bytes are text: no controls, and hardly anything but letters, digits and blanks."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 4:
            return False
        text = data[: error.start].decode("utf-8")
    told = sum(sign.isalnum() or sign.isspace() for sign in text)
    return told * 5 >= len(text) * 4 and all(map(str.isprintable, text.split()))


def inflates(data: bytes) -> bool:
    try:
        return bool(zlib.decompressobj().decompress(data, 64))
    except zlib.error:
        return False


def from_base64(run: bytes) -> Iterator[bytes]:
    joined = bytes(byte for byte in run if byte not in b"\r\n>\t =")
    if not joined.strip(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") and len(joined) >= 40:
        yield decoded(base64.b32decode, joined[: len(joined) // 8 * 8])
    plain = joined.replace(b"-", b"+").replace(b"_", b"/")
    # a word before it, written without a blank, moves the start
    for start in range(4 if len(joined) >= 40 else 0):
        yield decoded(base64.b64decode, plain[start : start + (len(plain) - start) // 4 * 4])


def decoded(decode: Callable[[bytes], bytes], data: bytes) -> bytes:
    try:
        return decode(data)
    except (ValueError, binascii.Error):
        return b""


def from_hex(run: bytes) -> Iterator[bytes]:
    pairs = PREFIXED.findall(run)
    letters = HEX_LETTER.search(b"".join(pairs)) is not None  # else it is a table of numbers
    yield (
        decoded(lambda digits: bytes.fromhex(digits.decode()), b"".join(pairs)) if letters else b""
    )


def from_numbers(run: bytes) -> Iterator[bytes]:
    values = [int(number) for number in re.findall(rb"\d+", run)]
    yield bytes(values) if max(values) < 256 else b""


def from_binary(run: bytes) -> Iterator[bytes]:
    yield bytes(int(byte, 2) for byte in re.findall(rb"[01]{8}", run))


def from_uuencode(run: bytes) -> Iterator[bytes]:
    yield b"".join(
        decoded(binascii.a2b_uu, line) for line in run.splitlines()[1:] if line != b"end"
    )


def from_adobe85(run: bytes) -> Iterator[bytes]:
    yield decoded(lambda data: base64.a85decode(data, adobe=True), run)


def from_base85(run: bytes) -> Iterator[bytes]:
    joined = run.replace(b"\r", b"").replace(b"\n", b"")
    data = decoded(base64.b85decode, joined)
    yield data if is_written(data) else b""


FORMS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Iterator[bytes]]], ...] = (
    (UUENCODED, from_uuencode),
    (ADOBE85, from_adobe85),
    (HEX, from_hex),
    (DECIMAL, from_numbers),
    (BINARY, from_binary),
    (BASE64, from_base64),
    (BASE85, from_base85),
)


def spellings(text: str) -> Iterator[str]:
    """The text, or stretches of it, as a person sees or reads it."""
    if plain := [unescaped(line) for line in text.split("\n") if is_escaped(line)]:
        yield "\n".join(line for line in plain if all(map(str.isprintable, line.split())))
    if text.count("_") + text.count("*") >= GLUES:
        yield from (re.sub("[_*]", " ", words) for words in GLUED.findall(text))
    if not text.isascii() and (
        len(DRAWN.findall(text)) > FEW_DRAWN or len(MIXED.findall(text)) > FEW_WORDS
    ):
        yield MARKS.sub("", fold(text).text)
    if JAPANESE in text:
        yield fold(text.encode("latin-1", "replace").decode("iso2022_jp", "ignore")).text
    elif any(sign in text for sign in TERMINAL_SIGNS) and TERMINAL.search(text):
        yield from TITLE.findall(text)
        yield TERMINAL.sub("", MOVES.sub(" ", text))
    if text.startswith(POSTSCRIPT):
        yield "\n".join("".join(SHOWN.findall(line)) for line in text.split("\n"))
    if "\0" in text:
        yield text.replace("\0", " ")
    if len(BACKWARD_WORDS.findall(text)) > FEW_WORDS:
        yield "\n".join(line[::-1] for line in reversed(text.split("\n")))
    if len(TURNED_WORDS.findall(text)) > FEW_WORDS:
        yield codecs.encode(text, "rot13")
    yield from (line[::-1] for line in BACKWARDS.findall(text))
    for hit in SPACED.finditer(text):
        yield joined(hit[0])
    for hit in COLUMN.finditer(text):
        yield hit[0].replace("\r", "").replace("\n\n", "\0").replace("\n", "").replace("\0", "\n")
    tags = TAG.findall(text)
    if len(tags) * 8 > len(text) - sum(map(len, tags)):
        yield TAG.sub("", text)


def is_escaped(line: str) -> bool:
    signs = sum(map(line.count, ESCAPE_SIGNS))  # one in each
    return signs >= ESCAPES_A_LINE and len(ESCAPED.findall(line)) >= ESCAPES_A_LINE


def unescaped(line: str) -> str:
    line = BACKSLASHED.sub(
        lambda hit: chr(int(hit[4], 8) if hit[4] else int(hit[1] or hit[2] or hit[3], 16)), line
    )
    line = unquote(html.unescape(line))
    return QUOTED.sub(lambda hit: chr(int(hit[1], 16)), line)


def joined(run: str) -> str:
    """Letters with one sign between them; two signs or more are a blank between words."""
    signs = re.findall(r"[\W_]", run)
    between = max(set(signs), key=signs.count)
    words = re.split(rf"[\W_]{{2,}}|(?!{re.escape(between)})[\W_]", run)
    return " ".join(word.replace(between, "") for word in words)
