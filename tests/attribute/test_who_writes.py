"""Whose a fact is in posts, mail and talks: of whom it names, of the writer who says "I", of whom it asks.

Names and illnesses are drawn afresh; every leak has a twin of the same shape that tells nothing.
"""

import io
import json
import random

import pytest

from bench import plain_frames
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.knowledge.names import load_surrogate_names
from dlp.model import FileRef

DRAWS = range(4)
LETTER = "E-mail: {user}@example.org\n\nHello,\n{said} Please write back.\nThanks\n"
LEAKS = {
    "posted of another.json": ("posts", "my brother {first} has {ill} and is off this week"),
    "posted of oneself.json": ("posts", "I was diagnosed with {ill} last week"),
    "letter of a mailbox.txt": (LETTER, "I have {ill} and cannot come."),
    "talk.txt": (
        "Recording with {first} {last}\nDoctor: So?\n{said}\nDoctor: I see.\nPatient: No more.\n",
        "Patient: I have had {ill} since June.",
    ),
    "greeted.txt": (
        "Policy no.: W{number}\n\nDear patient,\n{said}\nYours sincerely,\nDr {last}\n",
        "Your {ill} needs another appointment.",
    ),
    "list.txt": (
        "Prayers\n- Ada Roe: talks of not being here\n- {said}\n",
        "{first} {last}: {ill}",
    ),
    "calendar.ics": ("BEGIN:VEVENT\nSUMMARY:{said}\nEND:VEVENT\n", "{first} {last} hospice, {ill}"),
    "no longer.txt": ("{said}\n", "{first} {last} no longer needs lithium."),
}
TWINS = {
    "posts": "the talk about {ill} by the charity is on Friday",
    LETTER: "I would like a poster about {ill}.",
    "{said}\n": "{first} {last} no longer needs the ladder.",
}


@pytest.fixture(scope="module")
def container():
    analysis = Analysis(Settings(), key=bytes(32))

    def judged(name, text):
        return analysis(FileRef("", name.encode()), io.BytesIO(text.encode()))["container"]

    return judged


def drawn(frame, said, seed):
    rng, names = random.Random(seed), load_surrogate_names()
    signs = {
        "first": rng.choice(names["first"]["m"]), "last": rng.choice(names["last"]["en"]),
        "ill": rng.choice(("asthma", "epilepsy", "diabetes", "psoriasis", "glaucoma")),
        "user": f"qv{rng.randint(100, 999)}", "number": rng.randint(10**7, 10**8),
    }  # fmt: skip
    said = said.format(**signs)
    if frame != "posts":
        return frame.replace("{said}", said).format(**signs)
    other = rng.choice(plain_frames.NEUTRAL).split("{")[0] or "See you at nine"
    texts = [other, said, "ok"]
    return json.dumps([{"user": f"zelk{n}{seed}9", "text": text} for n, text in enumerate(texts)])


@pytest.mark.parametrize("seed", DRAWS)
@pytest.mark.parametrize("name", LEAKS)
def test_the_one_who_is_meant_has_the_fact(container, name, seed):
    text = drawn(*LEAKS[name], seed)
    assert container(name, text) == "phi", text


@pytest.mark.parametrize("seed", DRAWS)
@pytest.mark.parametrize("frame", TWINS)
def test_what_tells_of_nobody_is_left_alone(container, frame, seed):
    name = "posts.json" if frame == "posts" else "a.txt"
    text = drawn(frame, TWINS[frame], seed)
    assert container(name, text) != "phi", text
