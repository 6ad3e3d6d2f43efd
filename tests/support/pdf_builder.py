"""Build a PDF with a marker in every place that can hold words, and one with a former revision.

In: a marker per place.  Out: the bytes of the file.
"""

import io
from collections.abc import Mapping

import pikepdf
from pikepdf import Array, Dictionary, Name, String

PDF_PLACES = (
    "page", "split", "invisible", "offpage", "hidden_layer", "layer_name", "form_object", "nested",
    "pattern", "annotation", "annotation_author", "field", "field_label", "field_default", "xfa",
    "outline", "info", "xmp", "script", "link", "alternative", "actual_text", "page_label",
    "attachment", "attachment_name", "image_metadata", "piece_info", "former_revision", "named_place",
)  # fmt: skip


def pdf_marks():
    return {place: f"Zq{place.title().replace('_', '')}Qz" for place in PDF_PLACES}


def font():
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)


def form_of(document, content, **shelves):
    made = document.make_stream(content.encode())
    made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 600, 800])
    made.Resources = Dictionary(Font=Dictionary(F1=font()), **shelves)
    return made


def draw(document, m):
    layer = document.make_indirect(Dictionary(Type=Name.OCG, Name=String(m["layer_name"])))
    inner = form_of(document, f"BT /F1 9 Tf 50 280 Td ({m['nested']}) Tj ET")
    outer = form_of(
        document,
        f"BT /F1 9 Tf 50 300 Td ({m['form_object']}) Tj ET /X2 Do",
        XObject=Dictionary(X2=inner),
    )
    tile = document.make_stream(f"BT /F1 5 Tf 2 2 Td ({m['pattern']}) Tj ET".encode())
    tile.PatternType, tile.PaintType, tile.TilingType = 1, 1, 1
    tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 50, 20]), 50, 20
    tile.Resources = Dictionary(Font=Dictionary(F1=font()))
    image = document.make_stream(b"\xff\x00\x00")
    image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, 1, 1
    image.ColorSpace, image.BitsPerComponent = Name.DeviceRGB, 8
    image.Metadata = document.make_stream(f"<x>{m['image_metadata']}</x>".encode())
    split = m["split"]
    shows = [
        f"BT /F1 12 Tf 50 700 Td (Seen was {m['page']} on the ward) Tj 0 -20 Td (kept line) Tj ET",
        f"BT /F1 9 Tf 50 620 Td [({split[:3]}) 15 ({split[3:6]})] TJ ({split[6:]}) Tj ET",
        f"BT /F1 9 Tf 3 Tr 50 600 Td ({m['invisible']}) Tj 0 Tr ET",
        f"BT /F1 9 Tf 50 2000 Td ({m['offpage']}) Tj ET",
        f"/OC /L1 BDC BT /F1 9 Tf 50 550 Td ({m['hidden_layer']}) Tj ET EMC",
        f"/Span << /ActualText ({m['actual_text']}) >> BDC BT /F1 9 Tf 50 500 Td (shown) Tj ET EMC",
        "q /Pattern cs /P1 scn 0 0 50 50 re f Q q 20 0 0 20 300 300 cm /I1 Do Q 10 10 m 90 90 l S",
        "/X1 Do",
    ]
    page = document.pages[0]
    page.Contents = document.make_stream("\n".join(shows).encode())
    page.Resources = Dictionary(
        Font=Dictionary(F1=font()), XObject=Dictionary(X1=outer, I1=image),
        Properties=Dictionary(L1=layer), Pattern=Dictionary(P1=tile),
    )  # fmt: skip
    document.Root.OCProperties = Dictionary(OCGs=[layer], D=Dictionary(OFF=[layer]))


def hang(document, m):
    page = document.pages[0]
    note = Dictionary(
        Type=Name.Annot, Subtype=Name.Text, Rect=[0, 0, 9, 9], Contents=String(m["annotation"]),
        T=String(m["annotation_author"]),
    )  # fmt: skip
    link = Dictionary(
        Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9],
        A=Dictionary(S=Name.URI, URI=String(f"http://x/{m['link']}")),
    )  # fmt: skip
    field = document.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            Rect=[100, 100, 300, 130],
            FT=Name.Tx,
            F=4,
            T=String("a"),
            TU=String(m["field_label"]),
            V=String(m["field"]),
            DV=String(m["field_default"]),
            DA=String("/F1 12 Tf 0 g"),
        )
    )
    page.Annots = Array([document.make_indirect(note), document.make_indirect(link), field])
    xfa = document.make_stream(f"<xdp>{m['xfa']}</xdp>".encode())
    document.Root.AcroForm = Dictionary(
        Fields=[field], XFA=Array([String("datasets"), xfa]), NeedAppearances=True,
        DR=Dictionary(Font=Dictionary(F1=font())), DA=String("/F1 12 Tf 0 g"),
    )  # fmt: skip
    structure = Dictionary(Type=Name.StructElem, S=Name.Figure, Alt=String(m["alternative"]))
    document.Root.StructTreeRoot = Dictionary(
        Type=Name.StructTreeRoot, K=document.make_indirect(structure)
    )
    document.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(m["page_label"]))]))
    document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String(f"// {m['script']}"))
    document.Root.Dests = Dictionary({f"/{m['named_place']}": Array([page.obj, Name.Fit])})
    page.PieceInfo = Dictionary(App=Dictionary(Private=String(m["piece_info"])))


def build_pdf(marks: Mapping[str, str] | None = None) -> bytes:
    m = dict.fromkeys(PDF_PLACES, "") | dict(marks or {})
    document = pikepdf.new()
    document.add_blank_page(page_size=(612, 792))
    draw(document, m)
    hang(document, m)
    document.docinfo["/Author"] = m["info"]
    with document.open_metadata(update_docinfo=False) as packet:
        packet["dc:description"] = m["xmp"]
    document.attachments[f"{m['attachment_name']}.txt"] = m["attachment"].encode() or b"x"
    with document.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(m["outline"] or "x", 0))
    content = document.pages[0].Contents.read_bytes()
    former = f"BT /F1 12 Tf 50 700 Td ({m['former_revision']}) Tj ET"
    document.pages[0].Contents = document.make_stream(former.encode())
    out = io.BytesIO()
    document.save(out, static_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return with_revision(out.getvalue(), content)


def with_revision(raw: bytes, content: bytes) -> bytes:
    """Change the first page's content as an incremental save does: the old one stays inside."""
    with pikepdf.open(io.BytesIO(raw)) as document:
        number, _ = document.pages[0].Contents.objgen
        size, root = int(document.trailer.Size), document.Root.objgen[0]
        info = document.trailer.Info.objgen[0]
    before = int(raw.rpartition(b"startxref")[2].split()[0])
    body = b"%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n"
    update = body % (number, len(content), content)
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n" % (number, len(raw))
    trailer = b"<< /Size %d /Root %d 0 R /Info %d 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n"
    return raw + update + table + trailer % (size, root, info, before, len(raw) + len(update))


def plain_pdf(*pages: str) -> bytes:
    """Pages of text lines."""
    document = pikepdf.new()
    face = document.make_indirect(font())
    for text in pages:
        document.add_blank_page(page_size=(612, 792))
        lines = "".join(f"({line}) Tj 0 -14 Td " for line in text.splitlines())
        page = document.pages[-1]
        page.Contents = document.make_stream(f"BT /F1 11 Tf 50 740 Td {lines} ET".encode())
        page.Resources = Dictionary(Font=Dictionary(F1=face))
    out = io.BytesIO()
    document.save(out, static_id=True)
    return out.getvalue()
