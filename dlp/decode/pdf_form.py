"""Read the fields of a PDF form: what each asks for, and what was filled in.

In: an opened PDF and the text of its pages.  Out: FormField values, `label: value` lines.

A field's label is its tooltip, or the text printed beside it: on the left or above for a line to
write on, on the right for a box. Only then its name counts, which form makers often leave as
"Text3". A ticked box says Yes, a group of buttons the answer that is chosen. A field without a
value gives no line at all.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pikepdf

from dlp.decode.contract import Item, Limits
from dlp.decode.labelled import LabelledText
from dlp.model import Part
from dlp.text.answers import NO_WORDS, YES_WORDS
from dlp.text.labels import is_caption
from dlp.text.reader import read_structure

BROKEN = (pikepdf.PdfError, ValueError, TypeError, KeyError, AttributeError, IndexError,
          NotImplementedError, RuntimeError, OverflowError)  # fmt: skip
MAX_FIELDS = 50_000
MAX_LEVELS = 40
MAX_STREAM = 64_000_000
MAX_LABELLED = 2_000  # widgets of one document whose printed labels are looked for
RADIO, PUSH = 1 << 15, 1 << 16  # bits of /Ff
OFF = frozenset({"", "Off"})
# A page with this many fields to fill in is a form; what is printed on it states nothing.
FORM_WIDGETS = 3
NEAR, ABOVE, LINE = 240.0, 15.0, 3.0  # points: how far a label stands from its field
TALL = 20.0  # points; a higher field has room for several lines
LONGEST_LABEL = 160
# Export values that say no more than "this one is ticked".
OPAQUE_CHOICE = re.compile(
    r"(?:on|yes|true|x|\d{1,3}|choice ?\d*|checked|[a-z]{1,2}\d*)", re.IGNORECASE
)
LEADERS = re.compile(r"[\s.…_:]+$|^[\s.…_:]+")


class Widget(NamedTuple):
    """Where a field is drawn; `choice` is the value that a button stands for."""

    page: int
    box: tuple[float, float, float, float]  # left, bottom, right, top
    choice: str = ""
    on: bool = False


@dataclass(slots=True)
class FormField:
    """A field with its place and value; `label` starts as its tooltip and may be empty."""

    name: str
    label: str
    kind: str  # Tx, Btn, Ch, Sig
    radio: bool
    values: tuple[str, ...]
    default: tuple[str, ...]  # printed by the form's maker, until somebody writes over it
    widgets: list[Widget] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)  # what is printed at each button

    @property
    def is_box(self) -> bool:
        return self.kind == "Btn"


def read_fields(data: bytes) -> list[FormField]:
    """The fields of a PDF's form; [] where it has none or cannot be opened."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            return fields_of(pdf)
    except (pikepdf.PasswordError, *BROKEN):
        return []  # what reads the objects says so


def fields_of(pdf: Any) -> list[FormField]:
    """The fields of the form, in their order; [] where the PDF has none."""
    forms = pdf.Root.get("/AcroForm")
    if not isinstance(forms, pikepdf.Dictionary):
        return []
    pages = {page.objgen: number for number, page in enumerate(pdf.pages)}
    on_page = annotation_pages(pdf)
    found: list[FormField] = []
    top: Any = forms.get("/Fields")
    waiting: list[tuple[Any, FormField | None, str, int]]
    waiting = [(one, None, "", 0) for one in reversed(list(top or []))]
    for _ in range(MAX_FIELDS):
        if not waiting:
            break
        one, owner, path, level = waiting.pop()
        if not isinstance(one, pikepdf.Dictionary) or level > MAX_LEVELS:
            continue
        name = str(one.get("/T", ""))
        path = ".".join(filter(None, (path, name)))
        if owner is None or name:  # a kid without a name is one more place of its field
            owner = field_of(one, path, owner)
            found.append(owner)
        if "/Rect" in one and (widget := widget_of(one, pages, on_page)):
            owner.widgets.append(widget)
        kids = one.get("/Kids")
        if isinstance(kids, pikepdf.Array):
            waiting.extend((kid, owner, path, level + 1) for kid in reversed(list(kids)))
    return found


def field_of(one: Any, path: str, parent: FormField | None) -> FormField:
    kind = str(one.get("/FT", "")).lstrip("/") or (parent.kind if parent else "")
    flags = int(one.get("/Ff", 0) or 0)
    label = " ".join(str(one.get("/TU", "")).split())
    radio = bool(flags & RADIO) and kind == "Btn"
    if kind == "Btn" and flags & PUSH:
        kind = "Push"  # a command, not a field
    values, default = tuple(values_of(one)), tuple(values_of(one, ("/DV",)))
    return FormField(path, label, kind, radio, values, default)


def annotation_pages(pdf: Any) -> dict[tuple[int, int], int]:
    """The page of each widget that does not say it by itself."""
    found: dict[tuple[int, int], int] = {}
    for number, page in enumerate(pdf.pages):
        notes = page.get("/Annots")
        for note in notes if isinstance(notes, pikepdf.Array) else ():
            found[note.objgen] = number
    return found


def widget_of(
    one: Any, pages: dict[tuple[int, int], int], on_page: dict[tuple[int, int], int]
) -> Widget | None:
    page = one.get("/P")
    number = pages.get(page.objgen) if page is not None else None
    number = on_page.get(one.objgen) if number is None else number
    rect = [float(side) for side in one["/Rect"]]
    if number is None or len(rect) != 4:
        return None
    box = (min(rect[::2]), min(rect[1::2]), max(rect[::2]), max(rect[1::2]))
    looks = one.get("/AP")
    normal = looks.get("/N") if isinstance(looks, pikepdf.Dictionary) else None
    names: list[str] = []
    if isinstance(normal, pikepdf.Dictionary) and not isinstance(normal, pikepdf.Stream):
        names = [str(name).lstrip("/") for name in normal]
    choice = next((name for name in names if name not in OFF), "")
    state = str(one.get("/AS", "")).lstrip("/")
    return Widget(number, box, choice, state not in OFF)


def values_of(one: Any, keys: Sequence[str] = ("/V", "/RV")) -> Iterator[str]:
    seen = set()
    for key in keys:
        value = one.get(key)
        found = list(value) if isinstance(value, pikepdf.Array) else [value]
        for item in found:
            if isinstance(item, pikepdf.Stream):
                item = pikepdf.String(item.read_bytes()[:MAX_STREAM])  # noqa: PLW2901 - long texts
            text = str(item).lstrip("/") if isinstance(item, pikepdf.String | pikepdf.Name) else ""
            if text.strip() and text not in seen:
                seen.add(text)
                yield text


# labels by the printed text


def label_page(fields: Sequence[FormField], page: int, words: Any) -> None:
    """Give the fields of one page the text printed beside them; `words` is the page's text."""
    boxes = [widget.box for one in fields for widget in one.widgets if widget.page == page]
    if len(boxes) > MAX_LABELLED:
        return
    for one in fields:
        here = [widget for widget in one.widgets if widget.page == page]
        if not here:
            continue
        if one.is_box:
            one.choices += [right_of(words, widget.box, boxes) for widget in here]
            if not one.label:
                one.label = group_label(words, one, here, boxes)
        elif not one.label:
            box = here[0].box
            one.label = left_of(words, box, boxes) or above(words, box)


def group_label(words: Any, one: FormField, here: Sequence[Widget], boxes: Sequence[Any]) -> str:
    """A single box is called by what stands at its right, buttons by the question before them.

    So are two boxes of which one prints Yes and the other No.
    """
    first = min((widget.box for widget in here), key=lambda box: (-round(box[3]), box[0]))
    if len(here) == 1 and not one.radio:
        if not is_printed_answer(one.choices[-1]):
            return one.choices[-1] or left_of(words, first, boxes)
        first = min((box for box in boxes if on_row(box, first)), key=lambda box: box[0])
    return left_of(words, first, boxes) or above(words, first, wide=True)


def is_printed_answer(words: str) -> bool:
    return words.lower() in {"yes", "no", "y", "n"}


def right_of(words: Any, box: Sequence[float], boxes: Sequence[Sequence[float]]) -> str:
    right = box[2]
    bottom, top = line_of(box)
    row = [other[0] for other in boxes if on_row(other, box) and other[0] >= right - 1]
    end = min([right + NEAR, *row])
    return tidy(words.get_text_bounded(left=right - 1, bottom=bottom, right=end, top=top))


def left_of(words: Any, box: Sequence[float], boxes: Sequence[Sequence[float]]) -> str:
    left = box[0]
    bottom, top = line_of(box)
    row = [other[2] for other in boxes if on_row(other, box) and other[2] <= left + 1]
    start = max([0.0, *row])
    return tidy(words.get_text_bounded(left=start, bottom=bottom, right=left - 1, top=top))


def line_of(box: Sequence[float]) -> tuple[float, float]:
    """The height at which the line beside a field is printed: its middle, or a tall one's top."""
    middle = box[3] - TALL / 2 if box[3] - box[1] > TALL else (box[1] + box[3]) / 2
    return middle - LINE, middle + LINE


def above(words: Any, box: Sequence[float], *, wide: bool = False) -> str:
    left, _, right, top = box
    left, right = (0.0, right + NEAR) if wide else (left - 4, right + 4)
    found = words.get_text_bounded(left=left, bottom=top, right=right, top=top + ABOVE)
    return tidy(found)


def on_row(one: Sequence[float], other: Sequence[float]) -> bool:
    middle = (one[1] + one[3]) / 2
    return other[1] - LINE < middle < other[3] + LINE


def tidy(text: str) -> str:
    """The words of a label, the last line of several, without leaders and colons at its edges."""
    words = " ".join(LEADERS.sub("", text.replace("\0", "").replace("\ufffe", "")).split())
    letters = sum(map(str.isalpha, words))
    return words if letters > 1 and len(words) <= LONGEST_LABEL else ""


def template_spans(text: str, start: int) -> list[tuple[int, int]]:
    """The printed text of a page to fill in, but for labels with a printed value of their own."""
    structure = read_structure(text)
    filled = sorted(
        (one.start, one.end)
        for one in structure.fields
        if one.state is None
        and "\n" not in text[one.label_end : one.start]
        and is_caption(structure.label_of(one))
    )
    spans, place = [], 0
    for left, right in filled:
        if place < left:
            spans.append((start + place, start + left))
        place = max(place, right)
    if place < len(text):
        spans.append((start + place, start + len(text)))
    return spans


def is_form_page(fields: Iterable[FormField], page: int) -> bool:
    count = sum(
        widget.page == page
        for one in fields
        if one.kind in {"Tx", "Btn", "Ch"}
        for widget in one.widgets
    )
    return count >= FORM_WIDGETS


# lines


def items_of(fields: Sequence[FormField], limits: Limits) -> Iterator[Item]:
    """One line for each answer; a field without a value and a box that is off give none."""
    lines, defaults = LabelledText("form", limits), LabelledText("form.defaults", limits)
    for one in fields:
        label = one.label or one.name or "field"
        for own_label, value in answers_of(one):
            lines.add(own_label or label, value)
        for value in () if one.is_box else one.default:
            if value not in one.values:
                defaults.add(label, value)
    yield from lines.items()
    for item in defaults.items():
        if isinstance(item, Part):
            yield replace(item, template=((0, len(item.text)),))
        else:
            yield item


def answers_of(one: FormField) -> list[tuple[str, str]]:
    """Labels and values; an empty label is the field's own."""
    if one.kind == "Push":
        return []
    if not one.is_box:
        return [("", value) for value in one.values]
    chosen = {value for value in one.values if value not in OFF}
    found = []
    for number, widget in enumerate(one.widgets):
        if not (widget.on or widget.choice in chosen):
            continue
        printed = one.choices[number] if number < len(one.choices) else ""
        choice = widget.choice or next(iter(chosen), "")
        if is_printed_answer(printed):
            found.append(("", printed))
        elif len(one.widgets) == 1 and not one.radio:
            found.append((one.label or printed, yes_or(choice)))
        else:
            found.append(("", choice if is_telling(choice) else printed or yes_or(choice)))
        chosen.discard(widget.choice)
    if not found:
        found = [
            ("", yes_or(value) if not one.radio else value)
            for value in one.values
            if value not in OFF
        ]
    return found


def is_telling(choice: str) -> bool:
    """Whether an export value is an answer in words."""
    low = choice.lower()
    return low in YES_WORDS | NO_WORDS - {"0", "1"} or not OPAQUE_CHOICE.fullmatch(choice)


def yes_or(choice: str) -> str:
    return "Yes" if OPAQUE_CHOICE.fullmatch(choice) or not choice else choice
