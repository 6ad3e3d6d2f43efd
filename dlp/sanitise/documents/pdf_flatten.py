"""Bring everything a PDF page shows into one plain stream of operators.

In: a page.  Out: instructions without layers, marks or nested forms, and the resources they use.

A form is drawn in place, a hidden layer is not drawn at all, so that each piece of text on the page
is one operator of one stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Operator

from dlp.knowledge.marks import REMOVED, REMOVED_PLAIN
from dlp.sanitise.documents.contract import Edit, Job, refuse
from dlp.sanitise.documents.formats.picture import bare_jpeg

Instruction = tuple[list[Any], str]
DEEPEST = 12
MOST = 2_000_000  # instructions of a page with all its forms
PAINTED = frozenset({"S", "s", "f", "F", "f*", "B", "B*", "b", "b*"})
MARKS = frozenset({"BMC", "BDC", "EMC", "MP", "DP"})
CATEGORY = {"Tf": "/Font", "gs": "/ExtGState", "cs": "/ColorSpace", "CS": "/ColorSpace",
            "scn": "/Pattern", "SCN": "/Pattern", "sh": "/Shading"}  # fmt: skip


@dataclass(slots=True)
class Flattener:
    """One page at a time: gathers operators and gives every resource a name of ours."""

    hidden: frozenset[tuple[int, int]]  # layers that are switched off
    resources: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[tuple[str, Any], str] = field(default_factory=dict)
    made: int = 0

    def flatten(self, holder: Any, resources: Any, depth: int = 0) -> Iterator[Instruction]:
        if depth > DEEPEST:
            raise refuse("drawings inside drawings are nested too deeply")
        layers: list[bool] = []  # whether each open mark hides
        for operands, name in instructions_of(holder):
            self.made += 1
            if self.made > MOST:
                raise refuse("a page draws more than can be checked")
            if name in {"BMC", "BDC"}:
                layers.append(name == "BDC" and self.hides(operands, resources))
            elif name == "EMC" and layers:
                layers.pop()
            if name in MARKS:
                continue
            if not any(layers):
                yield from self.shown(list(operands), name, resources, depth)
            elif name in PAINTED:
                yield [], "n"
            elif name not in {"Tj", "TJ", "'", '"', "Do", "sh", "INLINE IMAGE"}:
                yield from self.shown(list(operands), name, resources, depth)

    def shown(
        self, operands: list[Any], name: str, resources: Any, depth: int
    ) -> Iterator[Instruction]:
        if name == "Do":
            yield from self.drawn(operands, resources, depth)
        elif name == "'":
            yield [], "T*"
            yield from self.said(operands)
        elif name == '"':
            yield operands[:1], "Tw"
            yield operands[1:2], "Tc"
            yield [], "T*"
            yield from self.said(operands[2:])
        elif name in {"Tj", "TJ"}:
            yield from self.said(operands)
        elif (
            name in CATEGORY and operands and isinstance(operands[-1 if name != "Tf" else 0], Name)
        ):
            place = -1 if name != "Tf" else 0
            category = CATEGORY[name]
            operands[place] = self.rename(category, operands[place], resources)
            yield operands, name
        else:
            yield operands, name

    def said(self, operands: list[Any]) -> Iterator[Instruction]:
        """Every show of text is one TJ with at least one letter, or a bare advance."""
        items = list(operands[0]) if operands and isinstance(operands[0], Array) else operands[:1]
        kept = [i for i in items if not isinstance(i, pikepdf.String) or bytes(i)]
        if kept:
            yield [Array(kept)], "TJ"

    def drawn(self, operands: list[Any], resources: Any, depth: int) -> Iterator[Instruction]:
        thing = lookup(resources, "/XObject", operands[0]) if operands else None
        if not isinstance(thing, pikepdf.Stream) or self.is_off(thing.get("/OC")):
            return
        if thing.get("/Subtype") == Name.Image:
            yield [self.rename("/XObject", operands[0], resources)], "Do"
        elif thing.get("/Subtype") == Name.Form:
            yield [], "q"
            if isinstance(matrix := thing.get("/Matrix"), Array):
                yield list(matrix), "cm"
            if isinstance(box := thing.get("/BBox"), Array) and len(box) == 4:
                left, bottom, right, top = (float(side) for side in box)
                yield [left, bottom, right - left, top - bottom], "re"
                yield [], "W"
                yield [], "n"
            yield from self.flatten(thing, thing.get("/Resources", resources), depth + 1)
            yield [], "Q"

    def hides(self, operands: Any, resources: Any) -> bool:
        if len(operands) < 2 or operands[0] != Name.OC or not isinstance(operands[1], Name):
            return False
        return self.is_off(lookup(resources, "/Properties", operands[1]))

    def is_off(self, layer: Any) -> bool:
        if not isinstance(layer, Dictionary):
            return False
        if layer.objgen in self.hidden:
            return True
        members = layer.get("/OCGs")
        groups = list(members) if isinstance(members, Array) else [members]
        return any(isinstance(g, Dictionary) and g.objgen in self.hidden for g in groups)

    def rename(self, category: str, name: Any, resources: Any) -> Any:
        thing = lookup(resources, category, name)
        if thing is None:
            return name if category == "/ColorSpace" else Name("/Missing")
        if not isinstance(thing, pikepdf.Object):
            return name
        # what has no number of its own is known by what it says
        key = (category, thing.objgen if thing.is_indirect else thing.unparse())
        if key not in self.names:
            self.names[key] = f"/{category[1]}{len(self.names)}"
            self.resources.setdefault(category, {})[self.names[key]] = thing
        return Name(self.names[key])


def instructions_of(holder: Any) -> Iterator[Instruction]:
    for row in pikepdf.parse_content_stream(holder):
        yield list(row.operands), str(row.operator)


def lookup(resources: Any, category: str, name: Any) -> Any:
    shelf = resources.get(category) if isinstance(resources, Dictionary) else None
    return shelf.get(str(name)) if isinstance(shelf, Dictionary) else None


def unparse(instructions: list[Instruction]) -> bytes:
    return bytes(
        pikepdf.unparse_content_stream([(row, Operator(name)) for row, name in instructions])
    )


def plain_font(face: str = "/Helvetica") -> Any:
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(face), Encoding=Name.WinAnsiEncoding
    )


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
    new = edit(str(value)).replace(REMOVED, REMOVED_PLAIN)
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
