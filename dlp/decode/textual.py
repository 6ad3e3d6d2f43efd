"""Tell kinds of text apart: mail, markup, messages, tables, plain words.

In: the first characters of a text.  Out: a media type; "text/plain" is always a right answer.
"""

from __future__ import annotations

import re

HL7 = "application/hl7-v2"
# A wrong "mail" would hide nothing, but headers nobody types make it certain.
MAIL_HEADERS = re.compile(
    r"^(received|return-path|message-id|mime-version|delivered-to|x-[\w-]+|content-type"
    r"|dkim-signature|content-transfer-encoding|in-reply-to|thread-topic):",
    re.IGNORECASE | re.MULTILINE,
)
TYPED_HEADERS = re.compile(
    r"^(from|to|cc|bcc|subject|date|sent|reply-to):", re.IGNORECASE | re.MULTILINE
)
HEADER_LINE = re.compile(r"[!-9;-~]+[ \t]*:|[ \t]")
MBOX = re.compile(r"From \S+.*\d{2}:\d{2}.*\r?\n(>From .*\r?\n)?[!-9;-~]+:")
HL7_START = re.compile(r"[\x0b\s]*(?:MSH|FHS|BHS)([^\w\s])[^\w\s]{2,5}\1?")
PAGE = re.compile(r"<!doctype\s+html|<html\b", re.IGNORECASE)
ELEMENT = re.compile(r"<[A-Za-z_][^\s>/]*[\s>/]")
HTML = re.compile(
    r"<!doctype\s+html|<(?:html|head|body|title|table|meta|script|div|span|font|center|h[1-6]|br|p)\b",
    re.IGNORECASE,
)
XML = re.compile(
    r"<\?(?:xml|xpacket)\b|<!DOCTYPE\b|<!--|<([A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*(\s+[\w:.-]+\s*=|\s*/?>)"
)
# "[10:02] Ann:", "[1] Smith 2009" and "[ ] call back" open a chat, a footnote and a list of tasks.
NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
JSON = re.compile(
    r'\{\s*(?:"|\}|$)'
    rf'|\[\s*(?:[\[{{"]|(?:{NUMBER}|true|false|null)\s*(?:,|$|\]\s*$)|\]\s*$|$)'
)
# A document in one XML file says in its first element which kind of document it is.
FLAT_ODF = re.compile(r"<office:document\s[^>]*?(?:office:mimetype=[\"'](application/[\w.-]+)|>)")
ODF = "application/vnd.oasis.opendocument."
FLAT_KINDS = frozenset({"text", "spreadsheet", "presentation", "graphics"})
CARD = re.compile(r"BEGIN:(VCARD|VCALENDAR)\b", re.IGNORECASE)
HEADING = re.compile(r"\s*\"?[A-Za-z_][\w ./#-]{0,30}\"?\s*")
DELIMITERS = "\t,;|"
MARKED = frozenset("MFBb")  # letters that "MSH", "From" and "BEGIN" begin with
MOST_LINES = 60
AGREEMENT = 0.95
MOST_POOR = 3  # of 60 lines of which 95 % agree
FEW_CHARS = 4000  # of long lines there must be some
MAIL_NAMES = frozenset({"eml", "mht", "mhtml"})
TABLE_NAMES = frozenset({"csv", "tsv", "tab", "psv"})


def kind_of_text(text: str, extension: str = "") -> str:
    start = text.lstrip("\ufeff \t\r\n\x0b\x00")
    # What none of the marks begins with is not held against all of them.
    if (not start[:1].isalnum() or start[:1] in MARKED) and (marked := by_mark(start, extension)):
        return marked
    if is_mail(start, extension):
        return "message/rfc822"
    if is_table(text, extension):
        return "text/csv"
    return "text/plain"


def by_mark(start: str, extension: str) -> str:
    """What the first signs of a text say it is."""
    if HL7_START.match(start):
        return HL7
    if start.startswith("<"):
        if markup := kind_of_markup(start):
            return markup
    elif JSON.match(start) and extension not in {"md", "ini", "toml", "cfg", "conf"}:
        return "application/json"
    if card := CARD.match(start):
        return "text/vcard" if card[1].upper() == "VCARD" else "text/calendar"
    return "application/mbox" if MBOX.match(start) else ""


def kind_of_markup(start: str) -> str:
    opening = start[:4096]
    if PAGE.search(opening):
        return "text/html"
    if XML.match(opening):
        # Comments may come first; then the first element tells.
        first = ELEMENT.search(opening)
        if first and first[0].startswith("<office:document"):
            return kind_of_flat(start[first.start() : 32768])
        return "text/html" if first and HTML.match(first[0]) else "application/xml"
    return "text/html" if HTML.search(opening) else ""


def kind_of_flat(element: str) -> str:
    """A flat OpenDocument file; one that does not say its kind is read as a text."""
    said = FLAT_ODF.match(element)
    kind = (said[1] or "").removeprefix(ODF).removesuffix("-template") if said else ""
    return f"{ODF}{kind if kind in FLAT_KINDS else 'text'}-flat-xml"


def is_mail(start: str, extension: str) -> bool:
    if not HEADER_LINE.match(start, 0, 16384):
        return False
    # a title with a colon and a line of prose: no header has to be looked for in all the rest
    second = start.find("\n", 0, 16384) + 1
    prose = second and start[second : second + 1].isalnum()
    if prose and not HEADER_LINE.match(start, second, 16384):
        return False
    head = start[:16384].replace("\r\n", "\n").partition("\n\n")[0]
    lines = head.split("\n", 3)[:3]
    if not lines[0] or not all(HEADER_LINE.match(line) for line in lines if line):
        return False
    sure = len(MAIL_HEADERS.findall(head))
    if extension in MAIL_NAMES:
        return sure >= 1 or TYPED_HEADERS.search(head) is not None
    return sure >= 1 and sure + len(TYPED_HEADERS.findall(head)) >= 3


def is_table(text: str, extension: str) -> bool:
    """Whether lines fall into the same number of cells; prose never does for long."""
    named = extension in TABLE_NAMES
    if not named and is_soon_prose(text):
        return False
    # as many lines as count, and no more; splitlines alone would cut all 32,768 characters up
    first = "\n".join(text[:32768].split("\n", MOST_LINES)[:MOST_LINES])
    lines = [line for line in first.splitlines()[:MOST_LINES] if line.strip()]
    if len(text) >= 32768 and len(lines) > 1:
        lines.pop()  # cut through the middle
    if named and lines:
        return any(delimiter in lines[0] for delimiter in DELIMITERS)
    if len(lines) == 2:  # headings and a single row
        cells = re.split(r"[,;\t|]", lines[0])
        headed = len(cells) >= 3 and all(map(HEADING.fullmatch, cells))
        return headed and bool(delimiter_of(lines, agreement=1.0))
    return len(lines) >= 3 and bool(delimiter_of(lines, agreement=AGREEMENT))


def is_soon_prose(text: str) -> bool:
    """Whether the first lines alone have more that no sign cuts up than a table of any length."""
    poor = 0
    for line in text[:FEW_CHARS].splitlines()[:MOST_LINES][:-1]:  # the last may be cut
        if is_poor(line) and line.strip():
            poor += 1
            if poor > MOST_POOR:
                return True
    return False


def is_poor(line: str) -> bool:
    """Whether no sign cuts it into enough cells."""
    return line.count(",") < 2 and "\t" not in line and line.count(";") < 2 and line.count("|") < 2


def delimiter_of(lines: list[str], agreement: float = 0.6) -> str:
    """The sign that cuts most lines into equally many cells; "" if none does.

    `agreement` is of more than half of them.
    """
    best, most = "", 0
    poor = 0  # lines that no sign cuts up
    for line in lines:
        if is_poor(line):
            poor += 1
            if len(lines) - poor < agreement * len(lines):
                return ""
    bare = [outside_quotes(line) for line in lines]
    for delimiter in DELIMITERS:
        counts = sorted([line.count(delimiter) for line in bare])
        count = counts[len(counts) // 2]  # whatever most lines agree on is in the middle
        agreeing = counts.count(count)
        # Two cells on each of a few lines also happen in lists and addresses.
        enough = count >= 2 or (count == 1 and delimiter == "\t")
        if enough and agreeing >= agreement * len(lines) and count > most:
            best, most = delimiter, count
    return best


def outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2]) if '"' in line else line
