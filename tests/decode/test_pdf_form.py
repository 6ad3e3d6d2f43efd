"""A PDF form says label and value of each filled field; what it prints states nothing."""

import io
import random

import pytest
from pikepdf import Name, String

from dlp.decode.extract import read
from dlp.model import PartRole
from tests.support.pdf_form_builder import FormBuilder

FIRST = ("Ada", "Bram", "Cleo", "Dov", "Edda", "Finn", "Greta", "Hugo")
LAST = ("Marsh", "Ortiz", "Quill", "Rowe", "Stone", "Tarn", "Vale", "Wren")
BOXES = ("Asthma", "Gout", "Epilepsy", "Hay fever", "Migraine")
QUESTIONS = ("Do you smoke?", "Any surgery in the last year?", "Are you pregnant?")


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


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_two_boxes_for_yes_and_no_answer_the_question_before_them(answer):
    form = FormBuilder("opaque")
    form.show(45, 500, "Any surgery in the last year?")
    for x, option in ((300, "Yes"), (360, "No")):
        state = Name("/1" if option == answer else "/Off")
        more = {"FT": Name.Btn, "T": String(form.name(option)), "AS": state, "V": state}
        form.fields.append(form.widget(x, 500, AP=form.looks("1"), **more))
        form.show(x + 15, 500, option)
    assert lines_of(form.bytes()) == {"Any surgery in the last year?": answer}
