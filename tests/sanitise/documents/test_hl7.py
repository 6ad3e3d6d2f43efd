"""A message keeps its grammar and its harmless codes; people, numbers, days and told codes go."""

import base64
import itertools
import random

import pytest

from dlp.sanitise.documents.format_rewriter import rewrite
from tests.support.planted import hl7_message

SIGNS = ("|^~\\&", "#*!@%")
HEAD = "MSH{0}{1}{2}{3}{4}{0}LAB{0}{0}EHR{0}{0}20240610{0}{0}ORU{1}R01{0}7{0}P{0}2.5"


def rewritten(text, edit=str):
    return rewrite(text.encode(), "application/hl7-v2", edit).data.decode()


@pytest.mark.parametrize("signs", SIGNS)
def test_a_field_is_what_its_type_says_whatever_the_delimiters(signs):
    field, component, repeat, *_ = signs
    names = f"FIELD{component}WILL{repeat}STONE{component}WILL"
    pid = field.join(("PID", "1", "", f"77{component}{component}{component}HUB", "", names))
    out = rewritten("\r".join((HEAD.format(*signs), pid))).split("\r")
    assert out[1].split(field)[3] == f"[number]{component}{component}{component}HUB"
    marks = f"[name]{component}[name]"
    assert out[1].split(field)[5] == f"{marks}{repeat}{marks}"
    assert out[0].startswith(f"MSH{signs}")
    assert "2024061" not in out[0]


@pytest.mark.parametrize(
    "code, words, system",
    list(itertools.product(("B20", "86406008"), ("told", ""), ("I10", "SCT", "LN", "L"))),
)
def test_a_code_goes_with_the_words_beside_it(code, words, system):
    said = {"told": "other words", "ICD-10 B20": "ICD-10 [code]"}
    line = f"DG1|1||{code}^{words}^{system}"
    out = rewritten("\r".join((HEAD.format(*SIGNS[0]), line)), lambda text: said.get(text, text))
    clinical, icd = system != "L", system == "I10"
    gone = clinical and (bool(words) or (code == "B20" if icd else True))
    assert (f"|{code}^" not in out) == gone


def test_a_delimiter_in_a_replacement_is_escaped_and_read_back():
    out = rewritten(
        f"{HEAD.format(*SIGNS[0])}\rNTE|1||a \\T\\ b", lambda text: text.replace("a", "|")
    )
    assert out.endswith("NTE|1||\\F\\ \\T\\ b")


def test_a_document_inside_is_rewritten_too():
    inside = base64.b64encode(b"seen by Tom").decode()
    line = f"OBX|1|ED|1^note||^TEXT^PLAIN^Base64^{inside}"
    out = rewritten(f"{HEAD.format(*SIGNS[0])}\r{line}", lambda text: text.replace("Tom", "[name]"))
    assert base64.b64decode(out.rpartition("^")[2]) == b"seen by [name]"


def test_nothing_to_do_leaves_every_byte():
    text = "MSH|^~\\&|LAB|||||||||2.5\rOBX|1|NM|2160-0^Creatinine^LN||0.9|mg/dL\r\nNTE|1||fine\n"
    assert rewritten(text) == text


def test_twice_is_once():
    data, _ = hl7_message(random.Random(3))
    once = rewritten(data.decode())
    assert rewritten(once) == once
