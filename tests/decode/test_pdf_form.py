"""A PDF form says label and value of each filled field; what it prints states nothing."""

import io
import random

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from dlp.decode.extract import read
from dlp.model import PartRole

FIRST = ("Ada", "Bram", "Cleo", "Dov", "Edda", "Finn", "Greta", "Hugo")
LAST = ("Marsh", "Ortiz", "Quill", "Rowe", "Stone", "Tarn", "Vale", "Wren")
BOXES = ("Asthma", "Gout", "Epilepsy", "Hay fever", "Migraine")
QUESTIONS = ("Do you smoke?", "Any surgery in the last year?", "Are you pregnant?")


class FormBuilder:
    """Draws labels and widgets from the top of a page down."""

    def __init__(self, names):
        self.pdf = pikepdf.new()
        self.page = self.pdf.add_blank_page(page_size=(595, 842))
        self.fields, self.shows, self.y = [], [], 800
        self.names = names

    def show(self, x, y, words):
        self.shows.append(f"BT /F1 9 Tf {x} {y} Td ({words}) Tj ET")

    def name(self, label):
        number = len(self.fields) + 1
        return {
            "opaque": f"Text{number}",
            "xfa": f"topmostSubform[0].Page1[0].f1_{number:02d}[0]",
            "words": label,
        }[self.names]

    def widget(self, x, y, width=11, **more):
        box = Array([x, y - 2, x + width, y + 9])
        made = Dictionary(Type=Name.Annot, Subtype=Name.Widget, Rect=box, P=self.page.obj, **more)
        return self.pdf.make_indirect(made)

    def text(self, label, value, *, above=False, tooltip=""):
        self.show(45, self.y, f"{label}:")
        x = 45 if above else 260
        self.y -= 16 if above else 0
        more = {"TU": String(tooltip)} if tooltip else {}
        if value:
            more["V"] = String(value)
        self.fields.append(
            self.widget(x, self.y, 250, FT=Name.Tx, T=String(self.name(label)), **more)
        )
        self.y -= 24

    def looks(self, choice):
        blank = self.pdf.make_stream(b"")
        return Dictionary(N=Dictionary({f"/{choice}": blank, "/Off": blank}))

    def box(self, label, *, ticked, export="Yes"):
        state = Name(f"/{export}" if ticked else "/Off")
        self.fields.append(
            self.widget(60, self.y, FT=Name.Btn, T=String(self.name(label)), AS=state, V=state,
                        AP=self.looks(export))
        )  # fmt: skip
        self.show(76, self.y, label)
        self.y -= 18

    def radio(self, question, answer):
        self.show(45, self.y, question)
        group = self.pdf.make_indirect(
            Dictionary(FT=Name.Btn, Ff=1 << 15, T=String(self.name(question)), Kids=Array([]))
        )
        if answer:
            group.V = Name(f"/{answer}")
        for x, option in ((455, "Yes"), (505, "No")):
            state = Name(f"/{option}" if option == answer else "/Off")
            group.Kids.append(self.widget(x, self.y, Parent=group, AS=state, AP=self.looks(option)))
            self.show(x + 15, self.y, option)
        self.fields.append(group)
        self.y -= 24

    def choice(self, label, value):
        self.show(45, self.y, label)
        more = {"V": String(value)} if value else {}
        self.fields.append(
            self.widget(260, self.y, 200, FT=Name.Ch, T=String(self.name(label)), **more)
        )
        self.y -= 24

    def bytes(self):
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        self.page.obj.Resources = Dictionary(Font=Dictionary(F1=font))
        self.page.obj.Contents = self.pdf.make_stream("\n".join(self.shows).encode())
        widgets = []
        for one in self.fields:
            widgets += list(one.Kids) if "/Kids" in one else [one]
        self.page.obj.Annots = Array(widgets)
        self.pdf.Root.AcroForm = Dictionary(Fields=Array(self.fields))
        out = io.BytesIO()
        self.pdf.save(out)
        return out.getvalue()


def lines_of(data):
    parts = read(io.BytesIO(data), "form.pdf").document.parts
    form = [part for part in parts if part.locator == "form"]
    assert all(part.role is PartRole.FORM_FIELD for part in form)
    return {
        field.label: part.text[field.start : field.end] for part in form for field in part.fields
    }


@pytest.mark.parametrize("names", ["opaque", "xfa", "words"])
@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_filled_fields_are_labelled_by_what_is_printed_beside_them(names, above, seed):
    draw = random.Random(f"{names}{above}{seed}")
    form = FormBuilder(names)
    expected = {"Full name": f"{draw.choice(FIRST)} {draw.choice(LAST)}"}
    form.text("Full name", expected["Full name"], above=above)
    form.text("Occupation", "", above=above)
    for box in BOXES:
        ticked = draw.random() < 0.5
        form.box(box, ticked=ticked, export=draw.choice(("Yes", "On", "1")))
        if ticked:
            expected[box] = "Yes"
    for question in QUESTIONS:
        answer = draw.choice(("Yes", "No", ""))
        form.radio(question, answer)
        if answer:
            expected[question] = answer
    form.choice("Blood group", "AB")
    expected["Blood group"] = "AB"
    assert lines_of(form.bytes()) == expected


@pytest.mark.parametrize("names", ["opaque", "xfa", "words"])
def test_a_blank_form_has_no_values_and_only_printed_text(names):
    form = FormBuilder(names)
    form.text("Full name", "")
    for box in BOXES:
        form.box(box, ticked=False)
    form.radio(QUESTIONS[0], "")
    data = form.bytes()
    assert lines_of(data) == {}
    body = read(io.BytesIO(data), "form.pdf").document.parts[0]
    assert body.template == ((0, len(body.text)),)


def test_the_tooltip_is_the_label_a_person_sees():
    form = FormBuilder("opaque")
    form.text("Line 4", "Edda Marsh", tooltip="Name of the applicant")
    assert lines_of(form.bytes()) == {"Name of the applicant": "Edda Marsh"}


def test_a_letter_with_one_field_to_sign_is_no_form():
    form = FormBuilder("words")
    form.show(45, 700, "Edda Marsh was seen for asthma.")
    form.text("Signature", "")
    body = read(io.BytesIO(form.bytes()), "letter.pdf").document.parts[0]
    assert body.template == ()


def test_what_a_form_page_prints_as_a_value_is_no_template():
    form = FormBuilder("words")
    form.show(45, 820, "Name: Edda Marsh")
    for label in ("Phone", "Fax", "Signature"):
        form.text(label, "")
    body = read(io.BytesIO(form.bytes()), "letter.pdf").document.parts[0]
    place = body.text.index("Edda Marsh")
    assert not any(start <= place < end for start, end in body.template)
