"""Spanish health words are heard whatever their accents and case, and as they are meant."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.detect.illness.health import FindHealth
from dlp.knowledge.foreign_terms import fold, load_terms
from dlp.model import FileRef

NOTE = """Hospital General de la Ribera
Paciente: Imogen Zeller Baptiste   NHC: 4471920   Fecha de nacimiento: 12/04/1957
Domicilio: Calle Mayor 14, Salamanca

Mujer de 66 años que acude a la consulta por fiebre y tos desde hace dos semanas. Antecedentes de diabetes
mellitus tipo 2 y de cáncer de mama en tratamiento con tamoxifeno. Niega dolor torácico. La radiografía de tórax
muestra una neumonía. Se pauta amoxicilina y se cita en una semana para una nueva revisión en la consulta."""
LEAFLET = """La diabetes es una enfermedad crónica que afecta a muchas personas. Las personas con diabetes deben cuidar lo que
comen y hacer ejercicio todos los días. Si tiene fiebre o vómitos, llame a su médico. La insulina y la metformina son
los tratamientos más usados en la mayoría de los casos."""


@pytest.mark.parametrize(
    "text,heard",
    [
        ("cáncer de mama", "cáncer de mama"),
        ("CANCER DE MAMA", "CANCER DE MAMA"),
        ("una paciente con VIH.", "VIH"),
        ("fracturas", "fractura"),
        ("el vihuela", None),
        ("tac", None),
    ],
)
def test_words(text, heard):
    found = load_terms("es").scan(text)
    assert [text[w.start : w.end] for w in found] == ([heard] if heard else [])


def test_negation_reaches_in_spanish():
    text = "Niega fiebre. Presenta tos."
    contexts = [set(one.context) for one in FindHealth().find_foreign(text, "es")]
    assert contexts == [{"negated"}, set()]


@given(st.text(max_size=60))
def test_folding_keeps_every_place(text):
    assert len(fold(text)) == len(text)


def judge(text):
    return Analysis(Settings())(FileRef("s", b"nota.txt"), io.BytesIO(text.encode()))


def test_a_spanish_note_leaks_and_says_that_its_language_is_not_promised():
    record = judge(NOTE)
    assert record["container"] == "phi", record["reason"]
    assert "language" in {gap["code"] for gap in record["gaps"]}


def test_a_spanish_leaflet_does_not():
    assert judge(LEAFLET)["container"] != "phi"
