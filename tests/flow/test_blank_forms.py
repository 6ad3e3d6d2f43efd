"""A form that nobody filled in is never PHI, in any layout; through the real command."""

import json
import random

from click.testing import CliRunner

from dlp.cli.main import main
from tests.support.pdf_form_builder import FormBuilder

TERMS = ("Asthma", "Diabetes", "Epilepsy", "HIV", "Hepatitis", "Depression", "Cancer", "Stroke")
BOXES = ("[ ]", "☐", "( )", "[_]")
BLANKS = ("________", "....................", "", "[        ]")
PRINTED = (
    "Return the completed form to Dr Edda Marsh, Records Officer, 4 Mill Lane, Elko, NV 89801.",
    "The plan does not cover treatment for cancer, infertility or alcoholism.",
    "I understand that my records may contain information about HIV or drug abuse.",
)


def text_form(draw):
    box, blank = draw.choice(BOXES), draw.choice(BLANKS)
    lines = ["Health questionnaire", draw.choice(PRINTED), ""]
    lines += [f"{label}: {blank}" for label in ("Name", "Date of birth", "Address", "Phone")]
    lines.append("Have you had: " + "  ".join(f"{box} {term}" for term in draw.sample(TERMS, 5)))
    lines += [f"Any history of {term.lower()}? {box} Yes  {box} No" for term in TERMS[:3]]
    lines += [f"Current medication: {blank}", f"Signature: {blank}", "", draw.choice(PRINTED)]
    return "\n".join(lines).encode()


def pdf_form(draw):
    form = FormBuilder(draw.choice(("opaque", "xfa", "words")))
    form.text("Full name", "")
    for term in draw.sample(TERMS, 5):
        form.box(term, ticked=False)
    form.radio("Are you pregnant?", "")
    form.show(45, 60, draw.choice(PRINTED))
    return form.bytes()


def test_blank_forms_are_silent(tmp_path):
    for number in range(12):
        draw = random.Random(number)
        (tmp_path / f"{number}.txt").write_bytes(text_form(draw))
        (tmp_path / f"{number}.pdf").write_bytes(pdf_form(draw))
    told = CliRunner().invoke(main, ["scan", str(tmp_path), "--no-catalogue", "--format", "jsonl"])
    records = [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]
    verdicts = {record["path"]: record["container"] for record in records if "container" in record}
    assert len(verdicts) == 24
    assert "phi" not in verdicts.values()
