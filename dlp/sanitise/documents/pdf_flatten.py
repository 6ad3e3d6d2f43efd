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

from dlp.sanitise.documents.contract import refuse

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
