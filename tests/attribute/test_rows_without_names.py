"""Rows that show their people by a mailbox, a member's number or a user name alone."""

import csv
import io
import json
import random

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

LOCAL = ["quillon", "t.ashgrove", "marnie.oduya", "pelham77", "zofia.k", "vantongeren"]
FACTS = ["gingivitis", "type 2 diabetes", "on lithium", "asthma, uses a spacer", "epilepsy"]
NEUTRAL = ["prefers mornings", "moved house", "paid by card", "", "call after six", "new phone"]


@pytest.fixture(scope="module")
def analysis():
    return Analysis(Settings())


def container_of(analysis, name, text):
    return analysis(FileRef("share", name), io.BytesIO(text.encode()))["container"]


def table(chance, remarks):
    rows = io.StringIO()
    sheet = csv.writer(rows, delimiter=chance.choice(",;"))
    sheet.writerow(["email", "last_visit", chance.choice(["remark", "note", "comments"])])
    for local, remark in zip(chance.sample(LOCAL, 5), remarks, strict=True):
        day = f"2025-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        sheet.writerow(
            [f"{local}@{chance.choice(['fen', 'holm', 'brae'])}mail.example", day, remark]
        )
    return rows.getvalue()


@pytest.mark.parametrize("seed", range(12))
def test_a_remark_is_about_the_mailbox_of_its_row(analysis, seed):
    chance = random.Random(seed)
    remarks = [chance.choice(FACTS), *chance.sample(NEUTRAL, 4)]
    chance.shuffle(remarks)
    assert container_of(analysis, b"recall.csv", table(chance, remarks)) == "phi"
    plain = table(chance, chance.sample(NEUTRAL, 5))
    assert container_of(analysis, b"recall.csv", plain) != "phi"


@pytest.mark.parametrize("seed", range(6))
def test_a_claim_is_about_the_number_below_member(analysis, seed):
    chance = random.Random(seed)
    number = f"{chance.choice(['PX', 'AR', 'HN'])}-{chance.randint(1000, 9999)}-{chance.randint(100, 999)}"
    claim = {
        "claim": f"C-{chance.randint(10000, 99999)}",
        "member": number,
        "lines": [
            {"desc": chance.choice(["hip replacement surgery", "chemotherapy"]), "fee": "90.00"}
        ],
    }
    assert container_of(analysis, b"claim.json", json.dumps(claim)) == "phi"


@pytest.mark.parametrize("topic", ["Diabetes awareness week", "Free asthma webinar"])
def test_the_subject_of_a_newsletter_is_nobodys(analysis, topic):
    rows = "".join(f"{local}@mail.example,1,0,{topic}\n" for local in LOCAL)
    text = f"email,opened,clicked,subject\n{rows}"
    assert container_of(analysis, b"campaign.csv", text) != "phi"


def test_the_only_mailbox_of_a_record_is_its_makers(analysis):
    item = {
        "item": "Pressure-relief mattress", "indication": "for people with spinal cord injury",
        "contact": {"email": "sales@airbeds.example"},
    }  # fmt: skip
    assert container_of(analysis, b"item.json", json.dumps(item)) != "phi"
