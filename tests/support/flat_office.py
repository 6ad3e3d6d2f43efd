"""Flat OpenDocument files that LibreOffice turns into files of its own make, in any office format.

In: a text by place.  Out: XML; LibreOffice converts it to odt, docx, ods, xlsx, odp or pptx.
"""

from collections.abc import Callable, Mapping

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
NAMES = " ".join(
    f'xmlns:{short}="{OASIS}:{long}:1.0"'
    for short, long in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
        "meta": "meta", "presentation": "presentation", "svg": "svg-compatible",
        "fo": "xsl-fo-compatible",
    }.items()
)  # fmt: skip
NAMES += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'
TYPES = "application/vnd.oasis.opendocument"
KEPT = "The cast comes off in spring"  # stands in every document and is never edited
LAYOUT = (
    '<office:automatic-styles><style:page-layout style:name="pm"><style:page-layout-properties '
    'fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/><style:header-style/>'
    '<style:footer-style/></style:page-layout><style:style style:name="B" style:family="text">'
    '<style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>'
)
TEXT_PLACES = (
    "body", "split_runs", "heading", "table_cell", "list_item", "footnote", "comment", "header",
    "footer", "title",
)  # fmt: skip
SHEET_PLACES = ("cell", "second_sheet", "sheet_name", "comment", "formula_text", "title")
SLIDE_PLACES = ("slide", "second_slide", "slide_name", "notes", "title")


def flat(kind: str, title: str, body: str, masters: str = "") -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMES} office:version="1.3" '
        f'office:mimetype="{TYPES}.{kind}"><office:meta><dc:title>{title}</dc:title></office:meta>'
        f"{LAYOUT}<office:master-styles>{masters}</office:master-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    ).encode()


def asked(marks: Mapping[str, str]) -> Callable[[str], str]:
    return lambda place: marks.get(place, "")


def text(marks: Mapping[str, str]) -> bytes:
    m = asked(marks)
    split = m("split_runs")
    runs = f'<text:span text:style-name="B">{split[:4]}</text:span>{split[4:]}'
    note = (
        '<text:note text:note-class="footnote" text:id="n1"><text:note-citation>1</text:note-citation>'
        f"<text:note-body><text:p>{m('footnote')}</text:p></text:note-body></text:note>"
    )
    comment = f"<office:annotation><text:p>{m('comment')}</text:p></office:annotation>"
    cells = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
        for cell in ("left", m("table_cell"))
    )
    master = (
        '<style:master-page style:name="Standard" style:page-layout-name="pm">'
        f"<style:header><text:p>{m('header')}</text:p></style:header>"
        f"<style:footer><text:p>{m('footer')}</text:p></style:footer></style:master-page>"
    )
    return flat(
        "text",
        m("title"),
        f'<text:h text:outline-level="1">{m("heading")}</text:h><text:p>{m("body")}</text:p>'
        f"<text:p>{runs}</text:p><text:p>{KEPT}{note}{comment}</text:p>"
        f'<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/>'
        f"<table:table-row>{cells}</table:table-row></table:table>"
        f"<text:list><text:list-item><text:p>{m('list_item')}</text:p></text:list-item></text:list>",
        master,
    )


def spreadsheet(marks: Mapping[str, str]) -> bytes:
    m = asked(marks)

    def cell(words: str, more: str = "") -> str:
        return (
            f'<table:table-row><table:table-cell office:value-type="string">{more}'
            f"<text:p>{words}</text:p></table:table-cell></table:table-row>"
        )

    comment = f"<office:annotation><text:p>{m('comment')}</text:p></office:annotation>"
    said = m("formula_text")
    formula = (
        '<table:table-row><table:table-cell table:formula="of:=IF(1&gt;0;&quot;'
        f'{said}&quot;;&quot;no&quot;)" office:value-type="string" office:string-value="{said}">'
        f"<text:p>{said}</text:p></table:table-cell></table:table-row>"
    )
    sums = (
        '<table:table-row><table:table-cell table:formula="of:=SUM(40;2)" office:value-type="float"'
        ' office:value="42"><text:p>42</text:p></table:table-cell></table:table-row>'
    )
    rows = cell(m("cell"), comment) + cell(KEPT) + formula + sums
    return flat(
        "spreadsheet",
        m("title"),
        f'<table:table table:name="First">{rows}</table:table>'
        f'<table:table table:name="{m("sheet_name") or "Second"}">{cell(m("second_sheet"))}</table:table>',
    )


def presentation(marks: Mapping[str, str]) -> bytes:
    m = asked(marks)

    def box(words: str) -> str:
        return (
            '<draw:frame svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box>'
            f"<text:p>{words}</text:p></draw:text-box></draw:frame>"
        )

    notes = (
        '<presentation:notes><draw:frame presentation:class="notes" svg:width="16cm" '
        'svg:height="8cm" svg:x="2cm" svg:y="14cm"><draw:text-box>'
        f"<text:p>{m('notes')}</text:p></draw:text-box></draw:frame></presentation:notes>"
    )
    page = '<draw:page draw:name="{}" draw:master-page-name="Default">{}</draw:page>'
    return flat(
        "presentation",
        m("title"),
        page.format(m("slide_name") or "one", box(m("slide")) + notes)
        + page.format("two", box(m("second_slide")) + box(KEPT)),
        '<style:master-page style:name="Default" style:page-layout-name="pm"/>',
    )
