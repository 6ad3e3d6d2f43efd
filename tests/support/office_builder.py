"""Build office files from raw XML with a marker in every place that can hold words.

In: a marker per place (or none).  Out: the bytes of the file.

`build_docx({"header": "..."})` writes only that marker; `planted(DOCX_PLACES)` makes one for each.
"""

import base64
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping

R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PR = "http://schemas.openxmlformats.org/package/2006/relationships"
CT = "http://schemas.openxmlformats.org/package/2006/content-types"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
X = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
V = "urn:schemas-microsoft-com:vml"
O = "urn:schemas-microsoft-com:office:office"  # noqa: E741 - the prefix everybody knows
CP = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
DC = "http://purl.org/dc/elements/1.1/"
EP = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
VT = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
W_ALL = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:wp="{WP}" xmlns:a="{A}" xmlns:mc="{MC}" xmlns:wps="{WPS}" '
    f'xmlns:v="{V}" xmlns:o="{O}" xmlns:m="{M}"'
)
Mark = Callable[[str], str]


def planted(places: tuple[str, ...]) -> dict[str, str]:
    """A marker for each place; no digits, so that no reader takes it for a number."""
    return {place: f"Zq{place.title().replace('_', '')}Qz" for place in places}


def pack(members: Mapping[str, str | bytes], comment: str = "") -> bytes:
    """Zip members with fixed times, so that equal input gives equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(
                zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED
            )
        archive.comment = comment.encode()
    return out.getvalue()


def relations(*rows: str) -> str:
    """Each row is "id type target" or "id type target external"."""
    items = []
    for row in rows:
        identifier, kind, target, *mode = row.split(" ")
        external = ' TargetMode="External"' if mode else ""
        items.append(
            f'<Relationship Id="{identifier}" Type="{R}/{kind}" Target="{target}"{external}/>'
        )
    return f'<Relationships xmlns="{PR}">{"".join(items)}</Relationships>'


def content_types(**overrides: str) -> str:
    rows = "".join(
        f'<Override PartName="/{path}" ContentType="{kind}"/>' for path, kind in overrides.items()
    )
    return (
        f'<Types xmlns="{CT}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{rows}</Types>'
    )


def property_parts(m: Mark) -> dict[str, str]:
    return {
        "docProps/core.xml": (
            f'<cp:coreProperties xmlns:cp="{CP}" xmlns:dc="{DC}"><dc:title>{m("core_title")}</dc:title>'
            f"<dc:creator>{m('core_author')}</dc:creator><cp:keywords>{m('core_keywords')}</cp:keywords>"
            f"<dc:description>{m('core_comments')}</dc:description></cp:coreProperties>"
        ),
        "docProps/app.xml": (
            f'<Properties xmlns="{EP}" xmlns:vt="{VT}"><Pages>2</Pages><Company>{m("app_company")}</Company>'
            f"<Manager>{m('app_manager')}</Manager></Properties>"
        ),
        "docProps/custom.xml": (
            f'<Properties xmlns="{CUSTOM}" xmlns:vt="{VT}"><property pid="2" name="{m("custom_name")}">'
            f"<vt:lpwstr>{m('custom_value')}</vt:lpwstr></property></Properties>"
        ),
    }


PROPERTY_PLACES = (
    "core_title", "core_author", "core_keywords", "core_comments", "app_company", "app_manager",
    "custom_name", "custom_value",
)  # fmt: skip


def png(text: str) -> bytes:
    """One white pixel with a comment chunk, as cameras and editors leave them."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
        + chunk(b"tEXt", b"Comment\0" + text.encode())
        + chunk(b"IDAT", zlib.compress(b"\0\xff"))
        + chunk(b"IEND", b"")
    )


def chart_part(m: Mark) -> str:
    return (
        f'<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart><c:title><c:tx><c:rich><a:p><a:r>'
        f"<a:t>{m('chart_title')}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser>"
        f"<c:cat><c:strRef><c:f>Sheet1!A1</c:f><c:strCache><c:pt idx='0'><c:v>{m('chart_cache')}</c:v></c:pt>"
        "</c:strCache></c:strRef></c:cat></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )


def diagram_part(m: Mark) -> str:
    return (
        f'<dgm:dataModel xmlns:dgm="{DGM}" xmlns:a="{A}"><dgm:ptLst><dgm:pt modelId="1"><dgm:t><a:p><a:r>'
        f"<a:t>{m('diagram')}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
    )


# --------------------------------------------------------------------------------- Word

DOCX_PLACES = (
    "body", "split_runs", "table_cell", "hidden", "inserted", "deleted", "moved_from", "moved_to",
    "text_box", "old_text_box", "drawing_text", "alt_text", "alt_title", "table_description",
    "content_control", "control_title", "control_choice", "field_code", "simple_field",
    "field_result", "form_default", "bookmark", "link_target", "link_tooltip", "smart_tag", "maths",
    "header", "footer", "footnote", "endnote", "comment", "comment_author", "change_author",
    "person", "doc_variable", "merge_query", "template_path", "glossary", "style_name",
    "number_text", "chart_title", "chart_cache", "diagram", "embedded_workbook", "custom_xml",
    "custom_xml_attribute", "image_metadata", "thumbnail", "alternative_chunk", "unknown_part",
    "unknown_attribute", "unknown_name", "form_data", "unknown_binary", "xml_comment", "printer", "zip_comment",
    *PROPERTY_PLACES,
)  # fmt: skip


def run(text: str, properties: str = "") -> str:
    return f'<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def in_three(text: str) -> str:
    """The same word in three fonts."""
    third = max(1, len(text) // 3)
    pieces = (text[:third], text[third : 2 * third], text[2 * third :])
    fonts = ("<w:rPr><w:b/></w:rPr>", "", "<w:rPr><w:i/></w:rPr>")
    return "".join(map(run, pieces, fonts))


def docx_changes(m: Mark) -> str:
    return (
        paragraph(
            run("kept "), f'<w:ins w:author="{m("change_author")}">{run(m("inserted"))}</w:ins>'
        )
        + paragraph(f"<w:del><w:r><w:delText>{m('deleted')}</w:delText></w:r></w:del>")
        + paragraph(f"<w:moveFrom>{run(m('moved_from'))}</w:moveFrom>")
        + paragraph(f"<w:moveTo>{run(m('moved_to'))}</w:moveTo>")
    )


def docx_drawings(m: Mark) -> str:
    box = f"<w:txbxContent>{paragraph(run(m('text_box')))}</w:txbxContent>"
    old = f"<w:txbxContent>{paragraph(run(m('old_text_box')))}</w:txbxContent>"
    inline = (
        f'<wp:inline><wp:docPr id="1" name="Picture 1" descr="{m("alt_text")}" title="{m("alt_title")}"/>'
        f"<a:graphic><a:p><a:r><a:t>{m('drawing_text')}</a:t></a:r></a:p></a:graphic></wp:inline>"
    )
    return paragraph(
        run("before "),
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>{box}</wps:txbx>'
        f"</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{old}</v:textbox></w:pict>"
        "</mc:Fallback></mc:AlternateContent></w:r>",
        run("after"),
    ) + paragraph(f"<w:r><w:drawing>{inline}</w:drawing></w:r>")


def docx_controls(m: Mark) -> str:
    form = base64.b64encode(b"\1\2" + m("form_data").encode("utf-16-le")).decode()
    return (
        f'<w:sdt><w:sdtPr><w:alias w:val="{m("control_title")}"/><w:dropDownList>'
        f'<w:listItem w:displayText="{m("control_choice")}" w:value="1"/></w:dropDownList></w:sdtPr>'
        f"<w:sdtContent>{paragraph(run(m('content_control')))}</w:sdtContent></w:sdt>"
        + paragraph(
            f'<w:r><w:fldChar w:fldCharType="begin"><w:fldData>{form}</w:fldData><w:ffData><w:textInput>'
            f'<w:default w:val="{m("form_default")}"/></w:textInput></w:ffData></w:fldChar></w:r>'
            f"<w:r><w:instrText> QUOTE {m('field_code')} </w:instrText></w:r>"
            f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(m("field_result"))}'
            '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
            f'<w:fldSimple w:instr="AUTHOR {m("simple_field")}">{run("x")}</w:fldSimple>'
        )
        + paragraph(
            f'<w:bookmarkStart w:id="0" w:name="{m("bookmark")}"/><w:bookmarkEnd w:id="0"/>'
            f'<w:hyperlink r:id="rLink" w:tooltip="{m("link_tooltip")}">{run("link")}</w:hyperlink>'
            f'<w:smartTag><w:smartTagPr><w:attr w:name="x" w:val="{m("smart_tag")}"/></w:smartTagPr></w:smartTag>'
            f"<m:oMath><m:r><m:t>{m('maths')}</m:t></m:r></m:oMath>"
        )
    )


def docx_document(m: Mark) -> str:
    table = (
        f'<w:tbl><w:tblPr><w:tblDescription w:val="{m("table_description")}"/></w:tblPr><w:tr>'
        f"<w:tc>{paragraph(run('left'))}</w:tc><w:tc>{paragraph(run(m('table_cell')))}</w:tc></w:tr></w:tbl>"
    )
    hidden = paragraph(run(m("hidden"), "<w:rPr><w:vanish/></w:rPr>"))
    return (
        f"<w:document {W_ALL}><w:body>{paragraph(run(m('body')))}{paragraph(in_three(m('split_runs')))}"
        f"{table}{hidden}{docx_changes(m)}{docx_drawings(m)}{docx_controls(m)}"
        f"<!-- {m('xml_comment')} --><w:sectPr/></w:body></w:document>"
    )


def docx_notes(m: Mark) -> dict[str, str]:
    def part(root: str, inner: str) -> str:
        return f"<w:{root} {W_ALL}>{inner}</w:{root}>"

    return {
        "word/header1.xml": part("hdr", paragraph(run(m("header")))),
        "word/footer1.xml": part("ftr", paragraph(run(m("footer")))),
        "word/footnotes.xml": part("footnotes", f"<w:footnote>{paragraph(run(m('footnote')))}</w:footnote>"),
        "word/endnotes.xml": part("endnotes", f"<w:endnote>{paragraph(run(m('endnote')))}</w:endnote>"),
        "word/comments.xml": part(
            "comments",
            f'<w:comment w:author="{m("comment_author")}">{paragraph(run(m("comment")))}</w:comment>',
        ),
        "word/people.xml": part("people", f'<w:person w:author="{m("person")}"/>'),
        "word/glossary/document.xml": part(
            "glossaryDocument",
            f"<w:docParts><w:docPart><w:docPartBody>{paragraph(run(m('glossary')))}</w:docPartBody>"
            "</w:docPart></w:docParts>",
        ),
        "word/settings.xml": part(
            "settings",
            f'<w:mailMerge><w:query w:val="{m("merge_query")}"/></w:mailMerge><w:docVars>'
            f'<w:docVar w:name="n" w:val="{m("doc_variable")}"/></w:docVars>',
        ),
        "word/styles.xml": part(
            "styles",
            f'<w:style w:customStyle="1"><w:name w:val="{m("style_name")}"/></w:style>',
        ),
        "word/numbering.xml": part(
            "numbering", f'<w:abstractNum><w:lvl><w:lvlText w:val="{m("number_text")}"/></w:lvl></w:abstractNum>'
        ),
    }  # fmt: skip


def build_docx(marks: Mapping[str, str] | None = None) -> bytes:
    marks = marks or {}

    def m(place: str) -> str:
        return marks.get(place, "")

    members: dict[str, str | bytes] = {
        "[Content_Types].xml": content_types(
            **{
                "word/document.xml": "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
            }
        ),
        "_rels/.rels": relations("r1 officeDocument word/document.xml"),
        "word/document.xml": docx_document(m),
        "word/_rels/document.xml.rels": relations(
            f"rLink hyperlink https://example.org/{m('link_target')} external",
            f"rTemplate attachedTemplate file:///C:/{m('template_path')}.dotx external",
        ),
        **docx_notes(m),
        **property_parts(m),
        "word/charts/chart1.xml": chart_part(m),
        "word/diagrams/data1.xml": diagram_part(m),
        "word/embeddings/book1.xlsx": build_xlsx({"cell": m("embedded_workbook")}),
        "customXml/item1.xml": f'<record note="{m("custom_xml_attribute")}"><name>{m("custom_xml")}</name></record>',
        "word/media/image1.png": png(m("image_metadata")),
        "docProps/thumbnail.png": png(m("thumbnail")),
        "word/afchunk.htm": f"<html><body>{m('alternative_chunk')}</body></html>",
        "word/printerSettings1.bin": b"",
        "word/printerSettings/printerSettings1.bin": b"\1\2" + m("printer").encode("utf-16-le"),
        f"word/{m('unknown_name') or 'unheardOf'}.xml": f'<odd words="{m("unknown_attribute")}"><deep>{m("unknown_part")}</deep></odd>',
        "word/unheardOf.bin": b"\0\1" + m("unknown_binary").encode(),
    }
    return pack(members, m("zip_comment"))


# --------------------------------------------------------------------------------- Excel

XLSX_PLACES = (
    "cell", "rich_cell", "inline_cell", "formula_text", "formula_result", "hidden_sheet",
    "very_hidden_sheet", "hidden_row", "hidden_column", "sheet_name", "defined_name",
    "defined_name_comment", "validation_list", "validation_prompt", "page_header", "page_footer",
    "cell_link", "cell_link_tooltip", "comment", "comment_author", "threaded_comment", "person",
    "text_box", "alt_text", "old_drawing", "chart_title", "chart_cache", "pivot_field",
    "pivot_item", "pivot_record", "external_cache", "external_path", "table_column", "connection",
    "custom_xml", "unused_string", "phonetic", "revision", "number_format", "scenario",
    "image_metadata", "unknown_part", "zip_comment", *PROPERTY_PLACES,
)  # fmt: skip


def xlsx_workbook(m: Mark) -> str:
    return (
        f'<workbook xmlns="{X}" xmlns:r="{R}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/>'
        f'<sheet name="{m("sheet_name") or "Two"}" sheetId="2" state="hidden" r:id="rId2"/>'
        '<sheet name="Three" sheetId="3" state="veryHidden" r:id="rId3"/></sheets><definedNames>'
        f'<definedName name="Note" comment="{m("defined_name_comment")}">"{m("defined_name")}"</definedName>'
        "</definedNames></workbook>"
    )


def xlsx_first_sheet(m: Mark) -> str:
    cells = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
        f'<row r="2"><c r="A2" t="inlineStr"><is><t>{m("inline_cell")}</t></is></c>'
        f'<c r="B2" t="str"><f>IF(A1="{m("formula_text")}",1)</f><v>{m("formula_result")}</v></c></row>'
        f'<row r="3" hidden="1"><c r="A3" t="inlineStr"><is><t>{m("hidden_row")}</t></is></c></row>'
        f'<row r="4"><c r="C4" t="inlineStr"><is><t>{m("hidden_column")}</t></is></c></row>'
    )
    return (
        f'<worksheet xmlns="{X}" xmlns:r="{R}"><dimension ref="A1:A1"/><cols><col min="3" max="3" hidden="1"/>'
        f'</cols><sheetData>{cells}</sheetData><scenarios><scenario name="{m("scenario")}"/></scenarios>'
        f'<dataValidations><dataValidation type="list" prompt="{m("validation_prompt")}" sqref="D1">'
        f'<formula1>"{m("validation_list")},other"</formula1></dataValidation></dataValidations>'
        f'<hyperlinks><hyperlink ref="A1" r:id="rLink" tooltip="{m("cell_link_tooltip")}"/></hyperlinks>'
        f"<headerFooter><oddHeader>&amp;C{m('page_header')}</oddHeader><oddFooter>{m('page_footer')}</oddFooter>"
        "</headerFooter></worksheet>"
    )


def plain_sheet(text: str) -> str:
    return (
        f'<worksheet xmlns="{X}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c>'
        "</row></sheetData></worksheet>"
    )


def xlsx_strings(m: Mark) -> str:
    rich = m("rich_cell")
    middle = len(rich) // 2
    return (
        f'<sst xmlns="{X}"><si><t>{m("cell")}</t></si><si><r><t>{rich[:middle]}</t></r><r><t>{rich[middle:]}</t></r>'
        f"<rPh><t>{m('phonetic')}</t></rPh></si><si><t>{m('unused_string')}</t></si></sst>"
    )


def xlsx_around(m: Mark) -> dict[str, str]:
    return {
        "xl/styles.xml": (
            f'<styleSheet xmlns="{X}"><numFmts><numFmt numFmtId="164" formatCode="0&quot; {m("number_format")}&quot;"/>'
            '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>'
        ),
        "xl/comments1.xml": (
            f'<comments xmlns="{X}"><authors><author>{m("comment_author")}</author></authors><commentList>'
            f'<comment ref="A1"><text><r><t>{m("comment")}</t></r></text></comment></commentList></comments>'
        ),
        "xl/threadedComments/threadedComment1.xml": (
            '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments">'
            f'<threadedComment ref="A1"><text>{m("threaded_comment")}</text></threadedComment></ThreadedComments>'
        ),
        "xl/persons/person.xml": (
            '<personList xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments">'
            f'<person displayName="{m("person")}"/></personList>'
        ),
        "xl/drawings/drawing1.xml": (
            f'<xdr:wsDr xmlns:xdr="{XDR}" xmlns:a="{A}"><xdr:sp><xdr:cNvPr id="2" name="TextBox 1" descr="{m("alt_text")}"/>'
            f"<xdr:txBody><a:p><a:r><a:t>{m('text_box')}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>"
        ),
        "xl/drawings/vmlDrawing1.vml": (
            f'<xml xmlns:v="{V}"><v:shape><v:textbox><div>{m("old_drawing")}</div></v:textbox></v:shape></xml>'
        ),
        "xl/charts/chart1.xml": chart_part(m),
        "xl/pivotCache/pivotCacheDefinition1.xml": (
            f'<pivotCacheDefinition xmlns="{X}"><cacheFields><cacheField name="{m("pivot_field")}"><sharedItems>'
            f'<s v="{m("pivot_item")}"/></sharedItems></cacheField><cacheField name="City"/></cacheFields>'
            "</pivotCacheDefinition>"
        ),
        "xl/pivotCache/pivotCacheRecords1.xml": (
            f'<pivotCacheRecords xmlns="{X}"><r><x v="0"/><s v="{m("pivot_record")}"/></r></pivotCacheRecords>'
        ),
        "xl/externalLinks/externalLink1.xml": (
            f'<externalLink xmlns="{X}"><externalBook><sheetDataSet><sheetData><row><cell t="str">'
            f"<v>{m('external_cache')}</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>"
        ),
        "xl/externalLinks/_rels/externalLink1.xml.rels": relations(
            f"r1 externalLinkPath file:///C:/{m('external_path')}.xlsx external"
        ),
        "xl/tables/table1.xml": (
            f'<table xmlns="{X}" ref="A1:B2"><tableColumns><tableColumn name="{m("table_column")}"/></tableColumns></table>'
        ),
        "xl/connections.xml": (
            f'<connections xmlns="{X}"><connection><dbPr connection="DSN={m("connection")}"/></connection></connections>'
        ),
        "xl/revisions/revisionLog1.xml": (
            f'<revisions xmlns="{X}"><rcc><oc t="inlineStr"><is><t>{m("revision")}</t></is></oc></rcc></revisions>'
        ),
    }  # fmt: skip


def build_xlsx(marks: Mapping[str, str] | None = None, sheet: str = "") -> bytes:
    """`sheet` replaces the XML of the first sheet."""
    marks = marks or {}

    def m(place: str) -> str:
        return marks.get(place, "")

    members: dict[str, str | bytes] = {
        "[Content_Types].xml": content_types(
            **{
                "xl/workbook.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
            }
        ),
        "_rels/.rels": relations("r1 officeDocument xl/workbook.xml"),
        "xl/workbook.xml": xlsx_workbook(m),
        "xl/_rels/workbook.xml.rels": relations(
            "rId1 worksheet worksheets/sheet1.xml",
            "rId2 worksheet worksheets/sheet2.xml",
            "rId3 worksheet worksheets/sheet3.xml",
        ),
        "xl/worksheets/sheet1.xml": sheet or xlsx_first_sheet(m),
        "xl/worksheets/_rels/sheet1.xml.rels": relations(
            f"rLink hyperlink https://example.org/{m('cell_link')} external"
        ),
        "xl/worksheets/sheet2.xml": plain_sheet(m("hidden_sheet")),
        "xl/worksheets/sheet3.xml": plain_sheet(m("very_hidden_sheet")),
        "xl/sharedStrings.xml": xlsx_strings(m),
        **xlsx_around(m),
        **property_parts(m),
        "customXml/item1.xml": f"<record>{m('custom_xml')}</record>",
        "xl/media/image1.png": png(m("image_metadata")),
        "xl/unheardOf.xml": f"<odd>{m('unknown_part')}</odd>",
    }
    return pack(members, m("zip_comment"))


# --------------------------------------------------------------------------------- PowerPoint

PPTX_PLACES = (
    "title", "split_runs", "table_cell", "alt_text", "link_target", "second_slide", "hidden_slide",
    "notes", "comment", "comment_author", "modern_comment", "modern_author", "master", "layout",
    "notes_master", "section", "tag", "chart_title", "chart_cache", "diagram", "embedded_workbook",
    "custom_xml", "image_metadata", "thumbnail", "unknown_part", "zip_comment", *PROPERTY_PLACES,
)  # fmt: skip
P_ALL = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}"'


def shape(*texts: str, description: str = "") -> str:
    runs = "".join(f"<a:r><a:t>{text}</a:t></a:r>" for text in texts)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="Title 1" descr="{description}"/></p:nvSpPr><p:txBody><a:p>{runs}'
        "</a:p></p:txBody></p:sp>"
    )


def slide(inner: str, root: str = "sld", attributes: str = "") -> str:
    return (
        f"<p:{root} {P_ALL} {attributes}><p:cSld><p:spTree>{inner}</p:spTree></p:cSld></p:{root}>"
    )


def pptx_slides(m: Mark) -> dict[str, str]:
    split = m("split_runs")
    cells = "".join(
        f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"
        for text in ("left", m("table_cell"))
    )
    table = f"<p:graphicFrame><a:tbl><a:tr>{cells}</a:tr></a:tbl></p:graphicFrame>"
    return {
        # File names against the order of showing: slide2.xml is shown first.
        "ppt/slides/slide2.xml": slide(
            shape(m("title"), description=m("alt_text"))
            + shape(split[:3], split[3:5], split[5:])
            + table
        ),
        "ppt/slides/slide1.xml": slide(shape(m("second_slide"))),
        "ppt/slides/slide3.xml": slide(shape(m("hidden_slide")), attributes='show="0"'),
        "ppt/slides/_rels/slide1.xml.rels": relations(
            f"r1 hyperlink https://example.org/{m('link_target')} external"
        ),
        "ppt/notesSlides/notesSlide1.xml": slide(shape(m("notes")), "notes"),
        "ppt/slideMasters/slideMaster1.xml": slide(shape(m("master")), "sldMaster"),
        "ppt/slideLayouts/slideLayout1.xml": slide(shape(m("layout")), "sldLayout"),
        "ppt/notesMasters/notesMaster1.xml": slide(shape(m("notes_master")), "notesMaster"),
    }


def pptx_around(m: Mark) -> dict[str, str]:
    modern = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
    return {
        "ppt/comments/comment1.xml": (
            f'<p:cmLst {P_ALL}><p:cm authorId="0"><p:text>{m("comment")}</p:text></p:cm></p:cmLst>'
        ),
        "ppt/commentAuthors.xml": f'<p:cmAuthorLst {P_ALL}><p:cmAuthor name="{m("comment_author")}"/></p:cmAuthorLst>',
        "ppt/comments/modernComment1.xml": (
            f'<x:cmLst xmlns:x="{modern}" xmlns:a="{A}"><x:cm><x:txBody><a:p><a:r><a:t>{m("modern_comment")}</a:t></a:r>'
            "</a:p></x:txBody></x:cm></x:cmLst>"
        ),
        "ppt/authors.xml": f'<x:authorLst xmlns:x="{modern}"><x:author name="{m("modern_author")}"/></x:authorLst>',
        "ppt/tags/tag1.xml": f'<p:tagLst {P_ALL}><p:tag name="A" val="{m("tag")}"/></p:tagLst>',
        "ppt/charts/chart1.xml": chart_part(m),
        "ppt/diagrams/data1.xml": diagram_part(m),
    }


def build_pptx(marks: Mapping[str, str] | None = None) -> bytes:
    marks = marks or {}

    def m(place: str) -> str:
        return marks.get(place, "")

    members: dict[str, str | bytes] = {
        "[Content_Types].xml": content_types(
            **{
                "ppt/presentation.xml": "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
            }
        ),
        "_rels/.rels": relations("r1 officeDocument ppt/presentation.xml"),
        "ppt/presentation.xml": (
            f'<p:presentation {P_ALL}><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/>'
            f'<p:sldId id="258" r:id="rId3"/></p:sldIdLst><p:extLst><p:ext><p:section name="{m("section")}"/></p:ext>'
            "</p:extLst></p:presentation>"
        ),
        "ppt/_rels/presentation.xml.rels": relations(
            "rId1 slide slides/slide1.xml",
            "rId2 slide slides/slide2.xml",
            "rId3 slide slides/slide3.xml",
        ),
        **pptx_slides(m),
        **pptx_around(m),
        **property_parts(m),
        "ppt/embeddings/book1.xlsx": build_xlsx({"cell": m("embedded_workbook")}),
        "customXml/item1.xml": f"<record>{m('custom_xml')}</record>",
        "ppt/media/image1.png": png(m("image_metadata")),
        "docProps/thumbnail.png": png(m("thumbnail")),
        "ppt/unheardOf.xml": f"<odd>{m('unknown_part')}</odd>",
    }
    return pack(members, m("zip_comment"))
