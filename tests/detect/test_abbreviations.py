"""A short form in capitals is an illness only where the text supports that sense."""

import random
import uuid

import pytest

from dlp.detect.illness.health import FindHealth
from dlp.knowledge.belief import load_abbreviations
from dlp.model import Kind

FIND = FindHealth()
RULES = load_abbreviations()
STATES = sorted(RULES.states)
CREDENTIALS = sorted(RULES.credentials)
TOWNS = ["Ashfield", "Port Marlow", "Greenley", "Oak Hollow", "St. Brannock", "Millbridge"]
STREETS = ["Elm Street", "Quarry Rd", "Harbour Ave", "Foxglove Lane"]
ZONES = ["EST", "CST", "MST", "PST", "EDT", "GMT", "BST"]
HEADINGS = [
    "CC:", "HEENT:", "BP:", "PCP:", "NHS:", "HPI:", "ROS:", "MS:", "CV:", "GI:", "PE:", "EXT:", "NEURO:",
    "CHIEF COMPLAINT", "PHYSICAL EXAM", "ALL STAFF", "OFFICE USE ONLY", "NHS TRUST", "MRS AND MR",
]  # fmt: skip
SHOUTED = [
    "ALL STAFF MUST SIGN IN BEFORE NINE", "THE MEETING WAS MOVED AND HAS A NEW ROOM",
    "MRS {last} HAS ASKED FOR ALL THE KEYS", "PLEASE KEEP ALL DOORS SHUT AS IT WAS COLD",
    "A GOOD DIAGRAM AIDS THE READER", "THE ART CLASS HAS A PLAN FOR THE PARK",
    "ADD ALL NAMES AT THE TOP OF THE MAP", "HE WAS AT THE STAR AND CAN GET IT",
    "TRAINING AIDS", "AIDS TO NAVIGATION", "MS AND MRS TITLES", "SALES IN CA AND MA", "PA SYSTEM",
]  # fmt: skip
STYLES = [
    "stroke: #333; stroke-width: 2px", "cursor: pointer; stroke: dashed",
    "fill:none;stroke:rgb(0,0,0)", "color: #fade00", "<hr class='ms-rte'/>",
    "@media print {{ .ms {{ margin: 0 }} }}",
]  # fmt: skip


def drawn_name(draw):
    """An invented name of two or three syllables."""
    syllables = ["ba", "len", "dor", "mi", "rek", "tas", "vel", "on", "sha", "gro", "pin"]
    return "".join(draw.choices(syllables, k=draw.randint(2, 3))).capitalize()


def carriers(draw, first, last):
    """One line of each kind in which letters in capitals name no illness."""
    state, credential = draw.choice(STATES), draw.choice(CREDENTIALS)
    hour = f"{draw.randint(1, 12)}:{draw.randint(0, 59):02}"
    town, street = draw.choice(TOWNS), draw.choice(STREETS)
    yield f"signed by {first} {last}, {credential}"
    yield f"{first} {last}, {credential}, {draw.choice(CREDENTIALS)} will lead the workshop."
    yield f"We start at {hour} {draw.choice(['AM', 'PM'])} {draw.choice(ZONES)} in the hall."
    yield f"{draw.randint(1, 900)} {street}, {town}, {state} {draw.randint(10000, 99999)}"
    yield f"{first} {last} moved to {town}, {state}."
    yield f"{draw.choice(HEADINGS)} {first} {last}"
    yield draw.choice(SHOUTED).format(last=last.upper())
    yield f"{first} {last}, {town}, {state}\n{hour} {draw.choice(['AM', 'PM'])}".upper()
    yield f"Offices: {town} {state}; {draw.choice(TOWNS)} {draw.choice(STATES)}"
    yield f"Record {uuid.UUID(int=draw.getrandbits(128))} was copied by {first}."
    yield f"{first} works with MS {draw.choice(['Office', 'Teams', 'Excel'])} and SQL."
    yield f"Delivered {draw.randint(2, 90)} {draw.choice(['PC', 'PCS', 'KG', 'CM', 'ML'])} to {last}."
    yield draw.choice(STYLES)
    yield f"The track is {draw.randint(2, 90)} {draw.choice(['MI', 'KM', 'MS', 'CC'])} long, {first}."


@pytest.mark.parametrize("seed", range(56))
def test_no_illness_comes_from_a_credential_time_state_heading_or_capitals(seed):
    draw = random.Random(seed)
    first, last = drawn_name(draw), drawn_name(draw)
    for carrier in carriers(draw, first, last):
        found = [carrier[f.start : f.end] for f in FIND.find(carrier) if f.kind is Kind.DISEASE]
        assert found == [], carrier


@pytest.mark.parametrize(
    "text, meant",
    [
        ("PATIENT HAS AIDS", "AIDS"),
        ("HE DIED OF AIDS LAST SPRING.", "AIDS"),
        ("SHE HAS HIV AND AIDS.", "AIDS"),
        ("diagnosed with relapsing MS in March", "MS"),
        ("PMH: DM, HTN, CAD", "DM"),
        ("Problem list\n1. RA\n2. GERD", "RA"),
        ("h/o MI", "MI"),
        ("Multiple sclerosis clinic letter. His MS is stable.", "MS"),
        ("Hypertension, MI, CVA", "MI"),
    ],
)
def test_a_short_form_that_the_text_supports_is_an_illness(text, meant):
    assert any(text[f.start : f.end].endswith(meant) for f in FIND.find(text))


def test_an_everyday_word_in_capitals_stays_a_word_beside_an_illness():
    text = "ALL PATIENTS WITH DIABETES. THIS AIDS THE DIABETIC READER."
    assert not {"ALL", "AIDS"} & {text[f.start : f.end] for f in FIND.find(text)}
