"""Whatever corner of a PDF a name hides in, it is read."""

import io

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from dlp.decode.extract import read

PLACES = [
    "page", "invisible", "offpage", "hiddenlayer", "formxobject", "annotation", "annotauthor", "richtext",
    "widgetvalue", "listvalue", "fieldlabel", "xfa", "outline", "info", "custominfo", "xmp", "script",
    "fieldscript", "link", "alternative", "actualtext", "layername", "attachment", "attachmentname",
    "filenote", "pagelabel", "orphan", "longvalue",
]  # fmt: skip


def mark(place):
    return f"MARK{place}"


def content(document):
    layer = document.make_indirect(Dictionary(Type=Name.OCG, Name=String(mark("layername"))))
    inner = document.make_stream(f"BT /F1 9 Tf 50 300 Td ({mark('formxobject')}) Tj ET".encode())
    inner.Type, inner.Subtype, inner.BBox = Name.XObject, Name.Form, Array([0, 0, 600, 800])
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    inner.Resources = Dictionary(Font=Dictionary(F1=font))
    shows = [
        f"BT /F1 9 Tf 50 700 Td ({mark('page')}) Tj ET",
        f"BT /F1 9 Tf 3 Tr 50 650 Td ({mark('invisible')}) Tj ET",
        f"BT /F1 9 Tf 0 Tr 50 2000 Td ({mark('offpage')}) Tj ET",
        f"/OC /L1 BDC BT /F1 9 Tf 50 550 Td ({mark('hiddenlayer')}) Tj ET EMC",
        "/X1 Do",
    ]
    off = Dictionary(OCGs=[layer], D=Dictionary(OFF=[layer]))
    document.Root.OCProperties = off
    page = document.pages[0]
    page.Contents = document.make_stream("\n".join(shows).encode())
    page.Resources = Dictionary(
        Font=Dictionary(F1=font), XObject=Dictionary(X1=inner), Properties=Dictionary(L1=layer)
    )


def notes(document):
    attached = document.make_stream(b"words: " + mark("filenote").encode())
    spec = Dictionary(Type=Name.Filespec, F=String("note.txt"), EF=Dictionary(F=attached))
    common = {"Type": Name.Annot, "Rect": [0, 0, 9, 9]}
    return [
        Dictionary(
            Subtype=Name.Text, Contents=String(mark("annotation")), T=String(mark("annotauthor")),
            RC=String(f"<p>{mark('richtext')}</p>"), **common,
        ),
        Dictionary(
            Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String(f"http://x/{mark('link')}")), **common
        ),
        Dictionary(Subtype=Name.FileAttachment, FS=spec, **common),
    ]  # fmt: skip


def fields(document):
    script = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{mark('fieldscript')}')"))
    return [
        Dictionary(
            FT=Name.Tx, T=String("a"), TU=String(mark("fieldlabel")), V=String(mark("widgetvalue"))
        ),
        Dictionary(
            FT=Name.Ch, T=String("b"), V=Array([String(mark("listvalue"))]), AA=Dictionary(K=script)
        ),
        Dictionary(FT=Name.Tx, T=String("c"), V=document.make_stream(mark("longvalue").encode())),
    ]


@pytest.fixture(scope="module")
def text():
    document = pikepdf.new()
    document.add_blank_page(page_size=(612, 792))
    content(document)
    document.pages[0].Annots = Array([document.make_indirect(note) for note in notes(document)])
    made = [document.make_indirect(field) for field in fields(document)]
    xfa = document.make_stream(f"<xdp><data><name>{mark('xfa')}</name></data></xdp>".encode())
    document.Root.AcroForm = Dictionary(Fields=made, XFA=Array([String("datasets"), xfa]))
    structure = Dictionary(
        Type=Name.StructElem,
        S=Name.Figure,
        Alt=String(mark("alternative")),
        ActualText=String(mark("actualtext")),
    )
    document.Root.StructTreeRoot = Dictionary(
        Type=Name.StructTreeRoot, K=document.make_indirect(structure)
    )
    document.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(mark("pagelabel")))]))
    document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String(f"// {mark('script')}"))
    document.docinfo["/Author"] = mark("info")
    document.docinfo["/Ward"] = mark("custominfo")
    with document.open_metadata(update_docinfo=False) as packet:
        packet["dc:description"] = mark("xmp")
    document.attachments[f"{mark('attachmentname')}.txt"] = b"words: " + mark("attachment").encode()
    with document.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(mark("outline"), 0))
    out = io.BytesIO()
    document.save(out, preserve_pdfa=False)
    raw = out.getvalue()
    # The writer drops what nothing refers to; others keep it, with no working table of objects.
    orphan = b"900 0 obj\n<< /Contents (%s) >>\nendobj\n" % mark("orphan").encode()
    head, _, rest = raw.partition(b"\n1 0 obj")
    raw = head + b"\n" + orphan + b"1 0 obj" + rest
    reading = read(io.BytesIO(raw), "x.pdf")
    return "\n".join(part.text for part in reading.document.parts)


@pytest.mark.parametrize("place", PLACES)
def test_a_name_is_found_in(place, text):
    assert mark(place) in text
