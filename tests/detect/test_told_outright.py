"""Of whom a text says outright that they are ill is a person, whatever the name is as a word."""

import io
import itertools
import random

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

ANALYSIS = Analysis(Settings())
FIRST = ["Grace", "Dieter", "Hazel", "Ginger", "Burt", "Mei", "I."]
LAST = ["Young", "Hill", "King", "Green", "Oglethorpe", "Wood"]
SAID = ["has", "was diagnosed with", "is being treated for", "has a diagnosis of", "suffers from"]
ILL = ["gout", "kidney stones", "conjunctivitis", "shingles"]
R = random.Random(4)
WHOLE = [
    f"{first} {last} {R.choice(SAID)} {R.choice(ILL)}."
    for first, last in R.sample([*itertools.product(FIRST, LAST)], 20)
]


def container(text):
    record = ANALYSIS(FileRef("", b"note.txt"), io.BytesIO(text.encode()))
    return str(record["container"])


@pytest.mark.parametrize("text", [
    *WHOLE, "Burt is HIV positive.", "Dear colleague, thank you for seeing Hazel Hill, born 1 May 1961, who has gout.",
    "Moonflower88 has ovarian cancer.", "User dusty_road7 takes lithium for bipolar disorder.",
    "From: Moonflower88\nDate: 3 May 2011\n\nI have ovarian cancer and take Doxil.",
    "username: moonflower88\nI was diagnosed with gout.",
])  # fmt: skip
def test_somebody_is_ill(text):
    assert container(text) == "phi"


@pytest.mark.parametrize("text", [
    "Korea has measles.", "South Korea had measles in spring.", "The Grant Foundation has asthma research.",
    "Room12 has two beds.", "Covid19 has spread.", "Thanks @dusty_road7, I will ask about diabetes.",
])  # fmt: skip
def test_nobody_is(text):
    assert container(text) != "phi"
