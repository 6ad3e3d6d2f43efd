"""A setting that somebody attends is one fact with its whole name; its staff and notices are not."""

import random

import pytest

from bench.fact_texts import FILLERS, FactDraw
from dlp.detect.illness.health import FindHealth

ATTENDED = (
    "{n} goes to {clinic} every {day}.", "{n} was at {clinic} this morning.",
    "Taxi for {n} to {clinic}, {clock}.", "{n} has an appointment at {clinic} on {day}.",
    "{n} was discharged from {clinic}.", "{n}: {clinic} {day} 10:30", "{n} missed {clinic} again.",
)  # fmt: skip
STAFFED = (
    "{n} runs {clinic}.", "{n} is the nurse of {clinic}.", "{clinic}, contact {n}.",
    "{n} volunteers at {clinic}.", "{n} will paint the walls of {clinic}.",
)  # fmt: skip
SETTINGS = [one for one in FILLERS["clinic"] if one.endswith(("clinic", "group", "unit"))]


@pytest.fixture(scope="module")
def found():
    find = FindHealth()
    return lambda text: [text[one.start : one.end] for one in find.find(text)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_an_attended_setting_is_found_with_its_whole_name(found, setting):
    rng = random.Random(setting)
    for frame in ATTENDED:
        text = FactDraw(rng).fill(frame.replace("{clinic}", setting))
        assert any(one.endswith(setting.rsplit(" ", 1)[1]) for one in found(text)), text


@pytest.mark.parametrize("setting", ["the stroke group", "the dialysis unit", "the asthma clinic"])
def test_a_setting_of_staff_is_not_widened(found, setting):
    rng = random.Random(setting)
    for frame in STAFFED:
        text = FactDraw(rng).fill(frame.replace("{clinic}", setting))
        wide = setting.removeprefix("the ")
        whole = [one for one in found(text) if one == wide]
        assert not whole or wide in found(f"{wide}."), text
