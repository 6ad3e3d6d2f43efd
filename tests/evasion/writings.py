"""Ways to write a text so that a person, or one command, still reads it and a scanner may not.

In: a text.  Out: bytes of a file, by family and name of the technique.
"""

import base64
import binascii
import codecs
import gzip
import html
import json
import quopri
import zlib
from urllib.parse import quote

COVER = """Minutes of the garden committee, 4 May. The lawn behind the house was cut and the
benches were painted. The next meeting is in June; the treasurer brings the budget.
"""
FULL_WIDTH = {n: n + 0xFEE0 for n in range(0x21, 0x7F)}
SMALL_CAPITALS = dict(zip("abcdefghijklmnopqrstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ", strict=True))
CYRILLIC = dict(zip("aceopxyAEKMHOPCTX", "асеорхуАЕКМНОРСТХ", strict=True))
GREEK = dict(zip("ABEZHIKMNOPTYXovik", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικ", strict=True))
TURNED = dict(zip("abcdefghijkmnpqrtuvwy", "ɐqɔpǝɟƃɥıɾʞɯudbɹʇnʌʍʎ", strict=True))


def shifted(capital, small, digit=None):
    """Letters (and digits) moved to another block of Unicode."""
    table = {ord("A") + n: capital + n for n in range(26)}
    table |= {ord("a") + n: small + n for n in range(26)}
    return table | ({ord("0") + n: digit + n for n in range(10)} if digit else {})


def letters(table):
    return lambda text: text.translate(str.maketrans(table)).encode()


def between(sign):
    return lambda text: sign.join(text).encode()


def wrapped(raw, width=76):
    text = raw.decode() if isinstance(raw, bytes) else raw
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def behind(encode):
    """The encoded text under a harmless one."""
    return lambda text: (COVER + "\n" + encode(text) + "\n").encode()


def b64(text, width=76):
    return wrapped(base64.b64encode(text.encode() if isinstance(text, str) else text), width)


def uu(text):
    raw = text.encode()
    lines = [binascii.b2a_uu(raw[at : at + 45]).decode() for at in range(0, len(raw), 45)]
    return "begin 644 note.txt\n" + "".join(lines) + "`\nend"


def xxd(text):
    raw, lines = text.encode(), []
    for at in range(0, len(raw), 16):
        row = raw[at : at + 16]
        pairs = " ".join(row[n : n + 2].hex() for n in range(0, len(row), 2))
        lines.append(
            f"{at:08x}: {pairs:<39}  {''.join(chr(c) if 32 <= c < 127 else '.' for c in row)}"
        )
    return "\n".join(lines)


def qp(text):
    """As mail has it, with every letter beyond need escaped."""
    plain = quopri.encodestring(text.encode()).decode()
    return plain.replace("e", "=65").replace("a", "=61").replace(" ", "=20").replace("o", "=6F")


def yenc(text):
    body = bytearray()
    for byte in text.encode():
        moved = (byte + 42) % 256
        body += bytes([61, (moved + 64) % 256]) if moved in (0, 10, 13, 61) else bytes([moved])
    return b"=ybegin line=128 size=%d name=a.txt\r\n" % len(text) + bytes(body) + b"\r\n=yend\r\n"


def utf7(text):
    """Every letter in the shifted form, as attackers of browsers write it."""
    packed = base64.b64encode(text.encode("utf-16-be")).decode().rstrip("=")
    return f"+{packed}-".encode()


ENCODINGS = {
    name: (lambda codec: lambda text: text.encode(codec))(name)
    for name in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be",
                 "cp037", "cp500", "cp1140", "mac-roman", "cp1252", "gb18030")
}  # fmt: skip
ENCODINGS |= {
    "utf-7": utf7,
    "utf-7 plain letters": lambda text: text.encode("utf-7"),
    "utf-16 behind ascii": lambda text: COVER.encode() + text.encode("utf-16-le"),
    "utf-16-be behind ascii": lambda text: COVER.encode() + text.encode("utf-16-be"),
    "utf-16 with mark behind ascii": lambda text: COVER.encode() + text.encode("utf-16"),
    "utf-16 before ascii": lambda text: text.encode("utf-16") + COVER.encode(),
    "ascii behind utf-16": lambda text: COVER.encode("utf-16") + text.encode(),
    "utf-32 behind ascii": lambda text: COVER.encode() + text.encode("utf-32-le"),
    "ebcdic behind ascii": lambda text: COVER.encode() + text.encode("cp037"),
    "full width in shift-jis": lambda text: text.translate(FULL_WIDTH).encode(
        "shift-jis", "replace"
    ),
    "full width in iso-2022-jp": lambda text: text.translate(FULL_WIDTH).encode(
        "iso-2022-jp", "replace"
    ),
    "full width in euc-kr": lambda text: text.translate(FULL_WIDTH).encode("euc-kr", "replace"),
    "carriage returns": lambda text: text.replace("\n", "\r").encode(),
    "nul behind each letter of one line": lambda text: (
        COVER.encode() + b"".join(bytes([c, 0]) for c in text.encode())
    ),
    "nul before the text": lambda text: b"\0" * 4096 + text.encode(),
    "nul between the words": lambda text: text.encode().replace(b" ", b"\0"),
    "substitute sign before the text": lambda text: COVER.encode() + b"\x1a" + text.encode(),
    "high bit set": lambda text: COVER.encode() + bytes(c | 0x80 for c in text.encode()),
}

LETTERS = {
    "full width": letters(FULL_WIDTH),
    "mathematical bold": letters(shifted(0x1D400, 0x1D41A, 0x1D7CE)),
    "mathematical italic": letters(shifted(0x1D434, 0x1D44E) | {ord("h"): 0x210E}),
    "mathematical script": letters(shifted(0x1D4D0, 0x1D4EA)),
    "fraktur": letters(shifted(0x1D56C, 0x1D586)),
    "double struck": letters(shifted(0x1D538, 0x1D552, 0x1D7D8)),
    "sans serif": letters(shifted(0x1D5A0, 0x1D5BA, 0x1D7E2)),
    "monospace": letters(shifted(0x1D670, 0x1D68A, 0x1D7F6)),
    "circled": letters(shifted(0x24B6, 0x24D0)),
    "negative circled": letters(shifted(0x1F150, 0x1F150)),
    "parenthesised": letters(shifted(0x1F110, 0x249C)),
    "squared": letters(shifted(0x1F130, 0x1F130)),
    "negative squared": letters(shifted(0x1F170, 0x1F170)),
    "regional indicators": letters(shifted(0x1F1E6, 0x1F1E6)),
    "tag letters": lambda text: (
        COVER + "".join(chr(0xE0000 + ord(c)) for c in text if c.isascii())
    ).encode(),
    "variation selectors": lambda text: (
        COVER + "".join(chr(0xFE00 + b if b < 16 else 0xE0100 + b - 16) for b in text.encode())
    ).encode(),
    "small capitals": letters(SMALL_CAPITALS),
    "superscript": letters(dict(zip("aeioumnprst", "ᵃᵉⁱᵒᵘᵐⁿᵖʳˢᵗ", strict=True))),
    "turned": letters(TURNED),
    "cyrillic look-alikes": letters(CYRILLIC),
    "greek look-alikes": letters(GREEK),
    "zero width between": between("\u200b"),
    "joiners between": between("\u2060"),
    "soft hyphens between": between("\u00ad"),
    "variation selector between": between("\ufe0f"),
    "selectors of the supplement between": between("\U000e0101"),
    "hangul filler between": between("\u3164"),
    "combining marks": between("\u0336"),
    "many combining marks": between("\u0301\u0323\u0336"),
    "interlinear marks between": between("\ufff9"),
    "musical marks between": between("\U0001d173"),
    "nul between": between("\0"),
    "delete between": between("\x7f"),
    "bell between": between("\x07"),
    "backspaced": lambda text: "".join(f"_\b{c}" if c.isalpha() else c for c in text).encode(),
    "overstruck": lambda text: "".join(f"{c}\b{c}" if c.isalpha() else c for c in text).encode(),
    "ansi colours between": between("\x1b[1;31m"),
    "ansi cursor codes": lambda text: "\n".join(
        "\x1b[%d;1H%s\x1b[0m" % (n, line) for n, line in enumerate(text.split("\n"), 1)
    ).encode(),
    "ansi title": lambda text: f"{COVER}\x1b]0;{text}\x07".encode(),
    "right to left override": lambda text: "\n".join(
        f"\u202e{line[::-1]}\u202c" for line in text.split("\n")
    ).encode(),
    "spaced letters": lambda text: "\n".join(
        "  ".join(" ".join(w) for w in line.split()) for line in text.split("\n")
    ).encode(),
    "spaced letters, three between words": lambda text: "\n".join(
        "   ".join(" ".join(w) for w in line.split()) for line in text.split("\n")
    ).encode(),
    "dotted letters": lambda text: "\n".join(
        " ".join(".".join(w) for w in line.split()) for line in text.split("\n")
    ).encode(),
    "underlined letters": lambda text: "\n".join(
        " ".join("_".join(w) for w in line.split()) for line in text.split("\n")
    ).encode(),
    "a letter a line": between("\n"),
    "a word a line": lambda text: "\n".join(text.split()).encode(),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0").encode(),
    "wide spaces": lambda text: text.replace(" ", "\u3000").encode(),
    "braille blanks": lambda text: text.replace(" ", "\u2800").encode(),
    "underscores for spaces": lambda text: text.replace(" ", "_").encode(),
    "stars for spaces": lambda text: text.replace(" ", "*").encode(),
    "markup between": between("<b></b>"),
    "ligatures": lambda text: (
        text.replace("fi", "ﬁ").replace("st", "ﬆ").replace("ff", "ﬀ").encode()
    ),
    "private use letters": lambda text: "".join(
        chr(0xF000 + ord(c)) if c.isascii() and c.isprintable() else c for c in text
    ).encode(),
}

CODES = {
    "base64": lambda text: b64(text).encode(),
    "base64 under a text": behind(b64),
    "base64 on one line": behind(lambda text: b64(text, 10**6)),
    "base64 for urls": behind(lambda text: base64.urlsafe_b64encode(text.encode()).decode()),
    "base64 without padding": behind(lambda text: b64(text, 10**6).rstrip("=")),
    "base64 quoted": behind(lambda text: "\n".join("> " + line for line in b64(text).split("\n"))),
    "base64 in json": lambda text: json.dumps(
        {"note": "garden", "data": b64(text, 10**6)}
    ).encode(),
    "base64 in xml": lambda text: f"<a><n>garden</n><d>{b64(text)}</d></a>".encode(),
    "base64 in csv": lambda text: f"id,data\n1,{b64(text, 10**6)}\n2,none\n".encode(),
    "base64 in yaml": lambda text: (
        f"note: garden\ndata: !!binary |\n  {b64(text, 10**6)}\n".encode()
    ),
    "base64 in code": lambda text: (
        f'import base64\nprint(base64.b64decode("{b64(text, 10**6)}"))\n'.encode()
    ),
    "base64 of short lines": behind(lambda text: b64(text, 20)),
    "base64 of base64": behind(lambda text: b64(b64(text))),
    "base64 of gzip": behind(lambda text: b64(gzip.compress(text.encode()))),
    "base64 of zlib": behind(lambda text: b64(zlib.compress(text.encode()))),
    "base64 of utf-16": behind(lambda text: b64(text.encode("utf-16-le"))),
    "base32": behind(lambda text: wrapped(base64.b32encode(text.encode()))),
    "base85": behind(lambda text: wrapped(base64.b85encode(text.encode()))),
    "ascii85": behind(
        lambda text: base64.a85encode(text.encode(), adobe=True, wrapcol=76).decode()
    ),
    "hex": behind(lambda text: wrapped(text.encode().hex())),
    "hex in capitals": behind(lambda text: wrapped(text.encode().hex().upper())),
    "hex on one line": behind(lambda text: text.encode().hex()),
    "hex with spaces": behind(lambda text: wrapped(text.encode().hex(" "), 48)),
    "hex with colons": behind(lambda text: wrapped(text.encode().hex(":"), 48)),
    "hex of a dump": lambda text: xxd(text).encode(),
    "hex of gzip": behind(lambda text: wrapped(gzip.compress(text.encode()).hex())),
    "hex for sql": lambda text: f"INSERT INTO t VALUES (1, 0x{text.encode().hex()});\n".encode(),
    "hex escapes": behind(lambda text: "".join(f"\\x{b:02x}" for b in text.encode())),
    "hex list": behind(lambda text: ", ".join(f"0x{b:02x}" for b in text.encode())),
    "octal escapes": behind(lambda text: "".join(f"\\{b:03o}" for b in text.encode())),
    "decimal list": behind(lambda text: ", ".join(str(b) for b in text.encode())),
    "binary digits": behind(lambda text: " ".join(f"{b:08b}" for b in text.encode())),
    "unicode escapes": behind(lambda text: "".join(f"\\u{ord(c):04x}" for c in text)),
    "quoted printable": behind(qp),
    "uuencode": behind(uu),
    "uuencode alone": lambda text: uu(text).encode(),
    "yenc": yenc,
    "entities, decimal": behind(lambda text: "".join(f"&#{ord(c)};" for c in text)),
    "entities, hexadecimal": behind(lambda text: "".join(f"&#x{ord(c):x};" for c in text)),
    "entities in json": lambda text: json.dumps(
        {"note": "".join(f"&#{ord(c)};" for c in text)}
    ).encode(),
    "percent": behind(lambda text: "".join(f"%{b:02X}" for b in text.encode())),
    "percent, only signs": behind(lambda text: quote(text)),
    "encoded words": behind(
        lambda text: "\n".join(f"=?utf-8?b?{b64(line, 999)}?=" for line in text.split("\n") if line)
    ),
    "json in json": lambda text: json.dumps({"a": json.dumps({"note": text})}).encode(),
    "json escapes": lambda text: (
        '{"note": "' + "".join(f"\\u{ord(c):04x}" for c in text) + '"}'
    ).encode(),
    "html entities in xml cdata": lambda text: f"<a><![CDATA[{html.escape(text)}]]></a>".encode(),
    "data address": behind(lambda text: "data:text/plain;base64," + b64(text, 10**6)),
    "pem": behind(lambda text: f"-----BEGIN DATA-----\n{b64(text, 64)}\n-----END DATA-----"),
    "rot13": lambda text: codecs.encode(text, "rot13").encode(),
    "reversed": lambda text: text[::-1].encode(),
    "lines reversed": lambda text: "\n".join(line[::-1] for line in text.split("\n")).encode(),
}
