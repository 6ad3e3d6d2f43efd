"""Strip a PDF down to pages that draw: no forms, notes, outline, scripts, files or properties.

In: an open PDF.  Out: the same PDF with flattened pages and nothing else reachable.

Values of form fields are edited first, field by field, and drawn anew in the place of the field.
"""

from __future__ import annotations

from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from dlp.sanitise.documents.contract import Edit, Job, refuse
from dlp.sanitise.documents.pdf_flatten import Flattener, instructions_of, plain_font, unparse
from dlp.sanitise.documents.pictures import bare_jpeg

PAGE_KEYS = ("/MediaBox", "/CropBox", "/Rotate", "/UserUnit")
# Words, files, scripts and links that hang on drawings, fonts and pictures.
HANGING = (
    "/Metadata", "/PieceInfo", "/LastModified", "/OC", "/StructParent", "/StructParents", "/AF",
    "/Alternates", "/OPI", "/Measure", "/PtData", "/AA", "/A", "/Thumb", "/Annots", "/Name", "/Alt",
    "/ActualText", "/ID", "/Ref", "/Contents",
)  # fmt: skip
IMAGE_KEYS = frozenset({
    "/Type", "/Subtype", "/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Decode",
    "/DecodeParms", "/Filter", "/ImageMask", "/Mask", "/SMask", "/SMaskInData", "/Interpolate",
    "/Intent", "/Length", "/Matte",
})  # fmt: skip
MOST_LEVELS = 64
SHOWING = frozenset({"Tj", "TJ", "'", '"', "Do"})


def check(pdf: Any, job: Job) -> None:
    """Refuse what a rewritten copy would pretend to be."""
    if pdf.is_encrypted:  # and yet open: everybody may read it
        job.note("the original was protected against changes, without a password to read it")
    if len(pdf.pages) > job.bounds.pages:
        raise refuse("the document has more pages than can be checked")
    if is_signed(pdf):
        if not job.drop_signatures:
            raise refuse(
                "the document is signed: a changed copy would not be",
                fix="ask for a copy without signature (--drop-signatures)",
            )
        job.note("the signature of the original was dropped")


def is_signed(pdf: Any) -> bool:
    """Whether somebody signed; usage rights that a form's maker sealed are no signature."""
    rights = pdf.Root.get("/Perms")
    sealed = [rights.get(key) for key in ("/UR3", "/UR")] if isinstance(rights, Dictionary) else []
    seals = {thing.objgen for thing in sealed if isinstance(thing, Dictionary)}
    return any(
        isinstance(found, Dictionary) and is_signature(found) and found.objgen not in seals
        for thing in pdf.objects
        if isinstance(thing, Dictionary)
        for found in (thing, thing.get("/V"))  # of a field, which may hold it itself
    )


def is_signature(thing: Any) -> bool:
    return "/ByteRange" in thing and "/Contents" in thing


def edit_fields(pdf: Any, edit: Edit) -> None:
    """Edit what was filled in, field by field; old appearances of a changed value go."""
    form = pdf.Root.get("/AcroForm")
    if not isinstance(form, Dictionary):
        return
    waiting = [(field, False, 0) for field in form.get("/Fields", [])]
    for page in pdf.pages:  # widgets that no list of fields names
        notes = page.obj.get("/Annots")
        waiting += [(note, False, 0) for note in notes or [] if isinstance(note, Dictionary)]
    while waiting:
        field, changed, level = waiting.pop()
        if not isinstance(field, Dictionary) or level > MOST_LEVELS:
            continue
        changed = edit_value(field, edit) or changed
        if changed and "/AP" in field and field.get("/FT", Name.Tx) != Name.Btn:
            del field.AP
        waiting += [(kid, changed, level + 1) for kid in field.get("/Kids", [])]
    form.NeedAppearances = True
    give_font(form)


def give_font(form: Any) -> None:
    """A value whose field names no font would not be drawn at all."""
    if "/DA" not in form:
        form.DA = pikepdf.String("/Helv 9 Tf 0 g")
    if "/DR" not in form:
        form.DR = Dictionary()
    if "/Font" not in form.DR:
        form.DR.Font = Dictionary()
    if "/Helv" not in form.DR.Font:
        form.DR.Font.Helv = plain_font()


def edit_value(field: Any, edit: Edit) -> bool:
    value = field.get("/V")
    if not isinstance(value, pikepdf.String) or not str(value).strip():
        return False
    new = edit(str(value))
    if new == str(value):
        return False
    field.V = pikepdf.String(new)
    for key in ("/RV", "/I"):  # the same in rich text; which choices are picked
        if key in field:
            del field[key]
    return True


def strip(pdf: Any) -> None:
    """Flatten what is visible of notes and form fields, then every page, then cut the rest off."""
    try:
        pdf.generate_appearance_streams()
        pdf.flatten_annotations("screen")
    except (pikepdf.PdfError, RuntimeError, ValueError):
        pass  # their words go with them
    hidden = hidden_layers(pdf)
    for page in pdf.pages:
        flatten_page(pdf, page, hidden)
    # fresh nodes: the old tree and the old root may carry anything
    pages = pdf.make_indirect(Dictionary(Type=Name.Pages, Count=len(pdf.pages)))
    kids = [page.obj for page in pdf.pages]
    for kid in kids:
        kid.Parent = pages
    pages.Kids = Array(kids)
    for key in list(pdf.Root.keys()):
        if key != "/Type":
            del pdf.Root[key]
    pdf.Root.Pages = pages
    for key in list(pdf.trailer.keys()):
        if key not in {"/Root", "/Size"}:
            del pdf.trailer[key]


def hidden_layers(pdf: Any) -> frozenset[tuple[int, int]]:
    properties = pdf.Root.get("/OCProperties")
    if not isinstance(properties, Dictionary):
        return frozenset()
    default = properties.get("/D")
    off = list(default.get("/OFF", [])) if isinstance(default, Dictionary) else []
    if isinstance(default, Dictionary) and default.get("/BaseState") == Name.OFF:
        on = {group.objgen for group in default.get("/ON", [])}
        off += [group for group in properties.get("/OCGs", []) if group.objgen not in on]
    return frozenset(group.objgen for group in off if isinstance(group, Dictionary))


def flatten_page(pdf: Any, page: Any, hidden: frozenset[tuple[int, int]]) -> None:
    flattener = Flattener(hidden)
    instructions = list(flattener.flatten(page, inherited(page.obj, "/Resources") or Dictionary()))
    boxes = {key: inherited(page.obj, key) for key in PAGE_KEYS}
    for key in list(page.obj.keys()):
        if key != "/Parent":
            del page.obj[key]
    page.obj.Type = Name.Page
    for key, value in boxes.items():
        if value is not None:
            page.obj[key] = value
    if "/MediaBox" not in page.obj:
        page.obj.MediaBox = Array([0, 0, 612, 792])
    page.obj.Resources = Dictionary({
        category: Dictionary(dict(shelf)) for category, shelf in flattener.resources.items()
    })  # fmt: skip
    clean_resources(page.obj.Resources, set(), 0)
    page.obj.Contents = pdf.make_stream(unparse(instructions))


def inherited(node: Any, key: str) -> Any:
    for _ in range(MOST_LEVELS):
        if not isinstance(node, Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def clean_resources(thing: Any, seen: set[tuple[int, int]], level: int) -> None:
    """Take off what hangs on resources; drop patterns and masks that could show text unseen."""
    if level > MOST_LEVELS:
        raise refuse("resources of a page are nested too deeply")
    if isinstance(thing, Array):
        for item in thing:
            clean_resources(item, seen, level + 1)
        return
    if not isinstance(thing, Dictionary | pikepdf.Stream):
        return
    if thing.is_indirect:
        if thing.objgen in seen:
            return
        seen.add(thing.objgen)
    for key in HANGING:
        if key in thing:
            del thing[key]
    if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == Name.Image:
        clean_image(thing)
    for key, value in list(thing.items()):
        if draws_text(value):
            del thing[key]
        elif key != "/Parent":
            clean_resources(value, seen, level + 1)


def clean_image(image: Any) -> None:
    for key in list(image.keys()):
        if key not in IMAGE_KEYS:
            del image[key]
    if image.get("/Filter") == Name.DCTDecode:
        try:
            bare = bare_jpeg(image.read_raw_bytes())
        except (ValueError, IndexError):
            return
        image.write(bare, filter=Name.DCTDecode, decode_parms=image.get("/DecodeParms"))


def draws_text(thing: Any) -> bool:
    """Whether a pattern, mask or glyph is itself a drawing that shows text or other drawings."""
    if isinstance(thing, Dictionary) and isinstance(thing.get("/G"), pikepdf.Stream):
        return draws_text(thing.G)
    if not isinstance(thing, pikepdf.Stream) or thing.get("/Subtype") == Name.Image:
        return False
    drawing = thing.get("/Subtype") == Name.Form or "/PatternType" in thing
    if not drawing or thing.get("/PatternType") == 2:
        return False
    return any(name in SHOWING for _, name in instructions_of(thing))
