"""Build OpenDocument files from raw XML with a marker in every place that can hold words."""

import base64
import io
import zipfile
from collections.abc import Callable, Mapping

from tests.support.office_builder import png

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
NAMES = " ".join(
    f'xmlns:{short}="{OASIS}:{long}:1.0"'
    for short, long in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
        "meta": "meta", "config": "config", "manifest": "manifest", "presentation": "presentation",
        "form": "form", "script": "script", "svg": "svg-compatible",
    }.items()
)  # fmt: skip
NAMES += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
Mark = Callable[[str], str]

SHARED_PLACES = (
    "title", "creator", "keyword", "user_property", "template_link", "printer", "header", "footer",
    "macro", "image_metadata", "thumbnail", "object_text", "unknown_part", "zip_comment",
    "xml_comment",
)  # fmt: skip
ODT_PLACES = (
    "body", "split_spans", "heading", "table_cell", "list_item", "footnote", "annotation",
    "annotation_author", "deleted", "text_box", "alt_title", "alt_description", "link_target",
    "bookmark", "user_field", "form_value", "hidden_text", *SHARED_PLACES,
)  # fmt: skip
ODS_PLACES = (
    "cell", "hidden_sheet", "sheet_name", "annotation", "formula_text", "named_range",
    "validation_list", "validation_help", "text_box", *SHARED_PLACES,
)  # fmt: skip
ODP_PLACES = ("slide", "slide_name", "notes", "alt_description", "table_cell", *SHARED_PLACES)


def document(kind: str, inner: str, extra: str = "") -> str:
    return (
        f"<office:document-content {NAMES}>{extra}<office:body><office:{kind}>{inner}</office:{kind}>"
        "</office:body></office:document-content>"
    )


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def scripts(m: Mark) -> str:
    return (
        f'<office:scripts><script:event-listener xlink:href="vnd:{m("macro")}"/></office:scripts>'
        f"<!-- {m('xml_comment')} -->"
    )


def odt_content(m: Mark) -> str:
    split = m("split_spans")
    spans = "".join(f"<text:span>{bit}</text:span>" for bit in (split[:2], split[2:5], split[5:]))
    changes = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
        f"{p(m('deleted')[3:])}</text:deletion></text:changed-region></text:tracked-changes>"
    )
    frame = (
        f'<draw:frame draw:name="Frame1"><draw:text-box>{p(m("text_box"))}</draw:text-box>'
        f"<svg:title>{m('alt_title')}</svg:title><svg:desc>{m('alt_description')}</svg:desc></draw:frame>"
    )
    annotation = (
        f"<office:annotation><dc:creator>{m('annotation_author')}</dc:creator>{p(m('annotation'))}"
        "</office:annotation>"
    )
    return document(
        "text",
        changes
        + f"<text:h>{m('heading')}</text:h>"
        + p(m("body"))
        + p(spans)
        + p(f"{m('deleted')[:3]}<text:change text:change-id='c1'/>")
        + p(f"before {frame}after")
        + p(
            f"noted<text:note><text:note-body>{p(m('footnote'))}</text:note-body></text:note>{annotation} on"
        )
        + p(
            f'<text:bookmark text:name="{m("bookmark")}"/><text:a xlink:href="https://example.org/{m("link_target")}">x</text:a>'
        )
        + p(f'<text:hidden-text text:string-value="{m("hidden_text")}"/>')
        + f'<text:user-field-decls><text:user-field-decl office:string-value="{m("user_field")}"/></text:user-field-decls>'
        + f'<office:forms><form:text form:value="{m("form_value")}"/></office:forms>'
        + f"<text:list><text:list-item>{p(m('list_item'))}</text:list-item></text:list>"
        + f"<table:table><table:table-row><table:table-cell>{p('left')}</table:table-cell>"
        + f"<table:table-cell>{p(m('table_cell'))}</table:table-cell></table:table-row></table:table>",
        scripts(m),
    )


def ods_content(m: Mark) -> str:
    cell = "table:table-cell"
    note = f"<office:annotation>{p(m('annotation'))}</office:annotation>"
    return document(
        "spreadsheet",
        "<table:content-validations><table:content-validation "
        f'table:condition="of:cell-content-is-in-list(&quot;{m("validation_list")}&quot;)">'
        f"<table:help-message>{p(m('validation_help'))}</table:help-message></table:content-validation>"
        "</table:content-validations>"
        f'<table:table table:name="{m("sheet_name")}"><table:table-row>'
        f"<{cell}>{p('Name')}</{cell}><{cell}>{p('Birth date')}</{cell}></table:table-row><table:table-row>"
        f"<{cell}>{p(m('cell'))}{note}</{cell}>"
        f'<{cell} office:value-type="date" office:date-value="1980-02-29">{p("29/02/80")}</{cell}>'
        f'<{cell} office:value-type="float" office:value="20586313.0">{p("2.06E+07")}</{cell}>'
        f'<{cell} table:formula="of:=IF([.A1]=&quot;{m("formula_text")}&quot;;1)"/></table:table-row>'
        f'<table:table-row table:number-rows-repeated="1048574"><{cell} table:number-columns-repeated="1024"/>'
        f"</table:table-row><table:shapes><draw:frame><draw:text-box>{p(m('text_box'))}</draw:text-box></draw:frame>"
        '</table:shapes></table:table><table:table table:name="Two" table:display="false">'
        f"<table:table-row><{cell}>{p(m('hidden_sheet'))}</{cell}></table:table-row></table:table>"
        f'<table:named-expressions><table:named-range table:name="{m("named_range")}"/></table:named-expressions>',
        scripts(m),
    )


def odp_content(m: Mark) -> str:
    return document(
        "presentation",
        f'<draw:page draw:name="{m("slide_name")}"><draw:frame><draw:text-box>{p(m("slide"))}</draw:text-box>'
        f"<svg:desc>{m('alt_description')}</svg:desc></draw:frame><draw:frame><table:table><table:table-row>"
        f"<table:table-cell>{p('left')}</table:table-cell><table:table-cell>{p(m('table_cell'))}</table:table-cell>"
        "</table:table-row></table:table></draw:frame><presentation:notes><draw:frame><draw:text-box>"
        f"{p(m('notes'))}</draw:text-box></draw:frame></presentation:notes></draw:page>",
        scripts(m),
    )


CONTENTS = {"text": odt_content, "spreadsheet": ods_content, "presentation": odp_content}
PLACES = {"text": ODT_PLACES, "spreadsheet": ODS_PLACES, "presentation": ODP_PLACES}


def build_odf(kind: str, marks: Mapping[str, str] | None = None, content: str = "") -> bytes:
    """`kind` is text, spreadsheet or presentation; `content` replaces content.xml."""
    marks = marks or {}

    def m(place: str) -> str:
        return marks.get(place, "")

    setup = base64.b64encode(b"\0\1" + m("printer").encode()).decode()
    members: dict[str, str | bytes] = {
        "META-INF/manifest.xml": f'<manifest:manifest {NAMES}><manifest:file-entry manifest:full-path="/"/></manifest:manifest>',
        "content.xml": content or CONTENTS[kind](m),
        "styles.xml": (
            f"<office:document-styles {NAMES}><office:master-styles><style:master-page>"
            f"<style:header>{p(m('header'))}</style:header><style:footer>{p(m('footer'))}</style:footer>"
            "</style:master-page></office:master-styles></office:document-styles>"
        ),
        "meta.xml": (
            f"<office:document-meta {NAMES}><office:meta><dc:title>{m('title')}</dc:title><dc:creator>{m('creator')}"
            f"</dc:creator><meta:keyword>{m('keyword')}</meta:keyword><meta:user-defined meta:name='Case'>"
            f"{m('user_property')}</meta:user-defined><meta:template xlink:href='/home/{m('template_link')}.ott'/>"
            "</office:meta></office:document-meta>"
        ),
        "settings.xml": (
            f'<office:document-settings {NAMES}><config:config-item config:name="PrinterSetup" '
            f'config:type="base64Binary">{setup}</config:config-item></office:document-settings>'
        ),
        "Object 1/content.xml": document("text", p(m("object_text"))),
        "Pictures/1.png": png(m("image_metadata")),
        "Thumbnails/thumbnail.png": png(m("thumbnail")),
        "Basic/Standard/Module1.xml": f"<odd>{m('unknown_part')}</odd>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "mimetype", f"application/vnd.oasis.opendocument.{kind}", zipfile.ZIP_STORED
        )
        for name, body in members.items():
            archive.writestr(name, body)
        archive.comment = m("zip_comment").encode()
    return out.getvalue()
