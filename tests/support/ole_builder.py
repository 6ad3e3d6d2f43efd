"""Build old Office files with a marker in every place that can hold words."""

import struct
import zlib
from collections.abc import Callable, Mapping

from tests.support.compound_builder import Path, build_compound, property_set
from tests.support.office_builder import build_docx, png

Mark = Callable[[str], str]
PROPERTIES = ("title", "author", "comments_property", "company", "user_property")


def marker(marks: Mapping[str, str] | None) -> Mark:
    return lambda place: (marks or {}).get(place, "")


def summary(m: Mark) -> dict[Path, bytes]:
    return {
        ("\x05SummaryInformation",): property_set(
            {2: m("title"), 4: m("author"), 6: m("comments_property")}
        ),
        ("\x05DocumentSummaryInformation",): property_set(
            {15: m("company")}, {"Case": m("user_property")}
        ),
    }


def packaged(name: str, content: bytes) -> bytes:
    target = name.encode() + b"\0"
    body = b"\2\0" + target + target + struct.pack("<II", 0x30000, len(target)) + target
    body += struct.pack("<I", len(content)) + content
    return struct.pack("<I", len(body)) + body


def blip(picture: bytes) -> bytes:
    return struct.pack("<HHI", 0x6E00, 0xF01E, len(picture) + 17) + bytes(17) + picture


# --------------------------------------------------------------------------------- Word

STORIES = (
    "body",
    "footnote",
    "header",
    "macro",
    "comment",
    "endnote",
    "text_box",
    "header_text_box",
)
DOC_PLACES = (
    *STORIES, "wide_piece", "table_cell", "field_code", "field_result", "bookmark", "commenter",
    "form_data", "leftover", "picture", "package_name", "package_content", "object_text", "macro_source",
    *PROPERTIES,
)  # fmt: skip


def build_doc(marks: Mapping[str, str] | None = None, *, flags: int = 0x0200 | 0x0004) -> bytes:
    """Pieces lie in the stream in another order than in the text, the second one wide."""
    m = marker(marks)
    narrow = (
        f"{m('body')}\rleft\x07{m('table_cell')}\x07\x07"
        f"\x13 HYPERLINK {m('field_code')} \x14{m('field_result')}\x15\r"
    )
    wide = m("wide_piece") + " \U0001f600\r"
    stories = [narrow + wide, *(f"{m(story)}\r" for story in STORIES[1:])]
    rest = "".join(stories[1:])
    pieces = [(narrow, False), (wide, True), (rest, False)]
    stream = bytearray(0x800)
    places: list[tuple[int, int]] = [(0, 0)] * 3
    for number in (2, 0, 1):
        text, is_wide = pieces[number]
        raw = text.encode("utf-16-le" if is_wide else "cp1252")
        place = len(stream)
        places[number] = (
            place if is_wide else place * 2 | 0x40000000,
            len(text.encode("utf-16-le")) // 2,
        )
        stream += raw + b"\0" * (-len(raw) % 2)
    stream += m("leftover").encode() + b"\0\0" + blip(png(m("picture")))
    ends = [0]
    for _, units in places:
        ends.append(ends[-1] + units)
    table = struct.pack("<4I", *ends) + b"".join(
        struct.pack("<HIH", 0, place, 0) for place, _ in places
    )
    clx = b"\2" + struct.pack("<I", len(table)) + table
    bookmarks, commenters = m("bookmark").encode("utf-16-le"), m("commenter").encode("utf-16-le")
    counts = [len(story.encode("utf-16-le")) // 2 for story in stories]
    struct.pack_into("<4H", stream, 0, 0xA5EC, 0xC1, 0, 0x0409)
    struct.pack_into("<H", stream, 0x0A, flags)
    struct.pack_into("<II", stream, 0x18, 0x800, len(stream))
    struct.pack_into("<8I", stream, 0x4C, *counts)
    struct.pack_into("<II", stream, 0x01A2, 0, len(clx))
    struct.pack_into("<II", stream, 0x9A + 8 * 21, len(clx), len(bookmarks))
    struct.pack_into("<II", stream, 0x9A + 8 * 36, len(clx) + len(bookmarks), len(commenters))
    inner = build_doc({"body": m("object_text")}) if m("object_text") else b""
    return build_compound(
        {
            ("WordDocument",): bytes(stream),
            ("1Table",): clx + bookmarks + commenters,
            ("Data",): b"\1\2\3\4" + m("form_data").encode("utf-16-le"),
            ("ObjectPool", "_1", "\x01Ole10Native"): packaged(
                m("package_name"), m("package_content").encode()
            ),
            ("ObjectPool", "_2", "Package"): inner or b"x",
            ("Macros", "VBA", "Module1"): bytes(20)
            + vba(f'Attribute VB_Name = "M"\r\n\' {m("macro_source")}'),
            **summary(m),
        }
    )


def vba(source: str) -> bytes:
    """One chunk of literals only, as the format allows."""
    raw = source.encode("cp1252")
    chunk = b"".join(b"\0" + raw[at : at + 8] for at in range(0, len(raw), 8))
    return b"\1" + struct.pack("<H", 0xB000 | (len(chunk) + 2 - 3)) + chunk


# --------------------------------------------------------------------------------- Excel

XLS_PLACES = (
    "cell", "split_string", "label_cell", "formula_result", "formula_text", "hidden_sheet", "sheet_name",
    "comment", "comment_author", "page_header", "page_footer", "defined_name", "link", "writer",
    "validation", "chart_text", "picture", "pivot", "macro_source", *PROPERTIES,
)  # fmt: skip


def record(kind: int, payload: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(payload)) + payload


def text8(text: str, count: str = "<HB") -> bytes:
    return struct.pack(count, len(text), 0) + text.encode("latin-1")


def begin(kind: int) -> bytes:
    return record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0, 0, 0, 0))


def shared_strings(m: Mark) -> bytes:
    """The second string is cut by a record's end and goes on in the other width."""
    split = m("split_string")
    first = (
        struct.pack("<II", 3, 3)
        + text8(m("cell"))
        + struct.pack("<HB", len(split), 0)
        + split[:4].encode()
    )
    second = b"\1" + split[4:].encode("utf-16-le") + text8("Birth date")
    return record(0xFC, first) + record(0x3C, second)


def xls_sheets(m: Mark) -> list[bytes]:
    def at(row: int, column: int, style: int = 0) -> bytes:
        return struct.pack("<HHH", row, column, style)

    formula = (
        at(2, 1)
        + b"\0\0\0\0\0\0\xff\xff"
        + struct.pack("<HIH", 0, 0, 40)
        + b"\x17"
        + text8(m("formula_text"), "<BB")
    )
    first = [
        record(0x14, text8(f"&C{m('page_header')}")),
        record(0x15, text8(m("page_footer"))),
        record(0xFD, at(0, 0) + struct.pack("<I", 1)),
        record(0xFD, at(0, 1) + struct.pack("<I", 2)),
        record(0xFD, at(1, 0) + struct.pack("<I", 0)),
        record(0x27E, at(1, 1, 1) + struct.pack("<I", 29280 << 2 | 2)),
        record(0x203, at(1, 2) + struct.pack("<d", 20586313.0)),
        record(0x204, at(2, 0) + text8(m("label_cell"))),
        record(0x06, formula),
        record(0x207, text8(m("formula_result"))),
        record(0x1C, struct.pack("<4H", 1, 0, 0, 1) + text8(m("comment_author"))),
        record(0x1B6, struct.pack("<5HHHI", 0, 0, 0, 0, 0, len(m("comment")), 0, 0)),
        record(0x3C, b"\0" + m("comment").encode()),
        record(0x3C, bytes(16)),
        record(0x1B8, b"\0" * 8 + m("link").encode("utf-16-le")),
        record(0x1BE, b"\0" * 8 + m("validation").encode()),
        begin(0x20)
        + record(0x203, at(1, 0) + struct.pack("<d", 7.0))
        + record(0x100D, b"\0\0" + text8(m("chart_text"), "<BB"))
        + record(0x0A),
    ]
    second = [record(0x204, at(0, 0) + text8(m("hidden_sheet")))]
    return [
        begin(0x10) + b"".join(first) + record(0x0A),
        begin(0x10) + b"".join(second) + record(0x0A),
    ]


def build_xls(marks: Mapping[str, str] | None = None, *, sealed: bool = False) -> bytes:
    m = marker(marks)
    sheets = xls_sheets(m)
    writer = m("writer")
    name = "Named"
    head = [
        begin(5),
        record(0x2F, bytes(4)) if sealed else b"",
        record(0x5C, text8(writer).ljust(112, b" ")),
        record(0x41E, struct.pack("<H", 164) + text8("dd/mm/yyyy")),
        record(0xE0, struct.pack("<HH", 0, 0) + bytes(16)),
        record(0xE0, struct.pack("<HH", 0, 164) + bytes(16)),
        record(0x18, struct.pack("<HBBHHH4B", 0, 0, len(name), 40, 0, 0, 0, 0, 0, 0) + b"\0" + name.encode() + b"\x17" + text8(m("defined_name"), "<BB")),
        record(0xEB, blip(png(m("picture")))),
        shared_strings(m),
    ]  # fmt: skip
    tabs = [("People", 0), (m("sheet_name") or "Two", 1)]
    size = sum(map(len, head)) + sum(4 + 8 + len(title) for title, _ in tabs) + 4
    place, rows = size, []
    for (title, state), sheet in zip(tabs, sheets, strict=True):
        rows.append(record(0x85, struct.pack("<IBB", place, state, 0) + text8(title, "<BB")))
        place += len(sheet)
    workbook = b"".join([*head, *rows, record(0x0A), *sheets])
    return build_compound(
        {
            ("Workbook",): workbook,
            ("_SX_DB_CUR", "0001"): record(0xCD, text8(m("pivot"))),
            ("_VBA_PROJECT_CUR", "VBA", "M"): bytes(9)
            + vba(f'Attribute VB_Name = "M"\r\n\' {m("macro_source")}'),
            **summary(m),
        }
    )


# --------------------------------------------------------------------------------- PowerPoint

PPT_PLACES = (
    "title_text", "narrow_text", "notes", "master", "comment", "link", "page_header", "old_version",
    "object_text", "picture", *PROPERTIES,
)  # fmt: skip


def atom(kind: int, payload: bytes, instance: int = 0) -> bytes:
    return struct.pack("<HHI", instance << 4, kind, len(payload)) + payload


def container(kind: int, *inner: bytes, instance: int = 0) -> bytes:
    body = b"".join(inner)
    return struct.pack("<HHI", instance << 4 | 0xF, kind, len(body)) + body


def build_ppt(marks: Mapping[str, str] | None = None, *, sealed: bool = False) -> bytes:
    m = marker(marks)

    def wide(place: str, kind: int = 0x0FA0) -> bytes:
        return atom(kind, m(place).encode("utf-16-le"))

    packed = zlib.compress(build_docx({"body": m("object_text")}))
    stream = b"".join(
        [
            container(
                0x03E8,
                container(0x0FF0, wide("title_text"), instance=0),
                container(0x0FD9, wide("page_header", 0x0FBA)),
            ),
            container(0x03F8, wide("master")),
            container(0x03EE, container(0xF00D, atom(0x0FA8, m("narrow_text").encode("latin-1")))),
            container(0x03EE, wide("old_version")),
            container(0x03F0, wide("notes")),
            container(0x2EE0, wide("comment", 0x0FBA)),
            container(0x0FD7, wide("link", 0x0FBA)),
            atom(0x1011, struct.pack("<I", 1) + packed, instance=1),
        ]
    )
    token = 0xF3D1C4DF if sealed else 0xE391C05F
    return build_compound(
        {
            ("PowerPoint Document",): stream,
            ("Current User",): bytes(8) + struct.pack("<II", 0x14, token) + bytes(12),
            ("Pictures",): blip(png(m("picture"))),
            **summary(m),
        }
    )


# --------------------------------------------------------------------------------- Outlook

MSG_PLACES = (
    "subject", "sender", "to", "transport", "body", "html", "rtf_only", "recipient",
    "recipient_address", "attachment_name", "attachment_content", "nested_subject", "nested_body",
    "home_phone", "unknown_property", "many_values", "narrow_property",
)  # fmt: skip


def msg_streams(properties: Mapping[str, bytes], at: Path = ()) -> dict[Path, bytes]:
    header = 32 if not at else 24 if at[-1].endswith("0D") else 8
    return {
        (*at, "__properties_version1.0"): bytes(header),
        **{(*at, f"__substg1.0_{number}"): raw for number, raw in properties.items()},
    }


def build_msg(marks: Mapping[str, str] | None = None) -> bytes:
    m = marker(marks)

    def w(place: str) -> bytes:
        return m(place).encode("utf-16-le")

    rtf = rb"{\rtf1\ansi " + m("rtf_only").encode() + b"}"
    plain = struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf
    attachment = "__attach_version1.0_#00000000"
    nested = ("__attach_version1.0_#00000001", "__substg1.0_3701000D")
    return build_compound({
        **msg_streams({
            "0037001F": w("subject"), "0C1A001F": w("sender"), "0E04001F": w("to"), "007D001F": w("transport"),
            "1000001F": w("body"), "10130102": f"<p>{m('html')}</p>".encode(), "10090102": plain,
            "3A09001F": w("home_phone"), "8123001F": w("unknown_property"), "8124101F": bytes(4),
            "8124101F-00000000": w("many_values"), "3A16001E": m("narrow_property").encode(),
        }),
        **msg_streams({"3001001F": w("recipient"), "3003001F": w("recipient_address")}, ("__recip_version1.0_#00000000",)),
        **msg_streams({"3707001F": w("attachment_name"), "37010102": m("attachment_content").encode()}, (attachment,)),
        **msg_streams({"3707001F": "nested.msg".encode("utf-16-le")}, nested[:1]),
        **msg_streams({"0037001F": w("nested_subject"), "1000001F": w("nested_body")}, nested),
    })  # fmt: skip
