"""Whatever a text holds, it is judged without a fault, and alike in any order."""

import io
import random

import pytest

from dlp import demo_share
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

PIECES = (
    demo_share.DISCHARGE, demo_share.SHORTHAND, demo_share.LEAFLET,
    "Patient: Renske Oudshoorn, DOB 03/04/1951, MRN 4471902\n", "h/o HIV, denies asthma. ",
    "Dear Dr. O'Neil-Quist,\n\nRe: Mrs Hale (78), 12 Elm Street, Springfield, IL 62704\n",
    "name,birth,diagnosis\nHale Ada,1951-03-04,F32.1\n", "SMITH, JOHN  A+ 2 mg b.i.d.\r\n",
    "ada.hale@example.org 555-0199 (617) 555 0142 4111 1111 1111 1111 ", "st. mary's hospital ",
)  # fmt: skip
SIGNS = (
    "\0", "\t", "\u00ad", "\u200b", "\u0301", "ſ", "\u212a", "İ", "ß", "ﬁ", "Ａ", "\u2028", "\x85",
    "\U0001f600", "\U0001d400", "\ufffd", "’", "''", "–", "…", "::", "==", "__", "....", "\n\n", "|",
    "漢字", "العربية", "Ελλάδα", "Ärzte", "ñ", "é" * 40, "x" * 5000, "9" * 300, "A" * 300, "'s",
)  # fmt: skip


def hostile(chance):
    """Invented notes, torn apart and put together with what texts seldom hold."""
    text = []
    for _ in range(chance.randint(1, 30)):
        piece = chance.choice(PIECES)
        start = chance.randrange(len(piece))
        piece = piece[start : start + chance.choice((3, 40, 400, 4000))]
        case = chance.random()
        text.append(piece.upper() if case < 0.1 else piece.lower() if case < 0.2 else piece)
        text.extend(chance.choices(SIGNS, k=chance.choice((0, 0, 1, 3))))
    return "".join(text)


def judged(files):
    analysis = Analysis(Settings(detect={"model": "never"}), key=bytes(32))
    found = {}
    for name, raw in files:
        record = analysis(FileRef("", name), io.BytesIO(raw))
        assert not any(gap["code"] == "internal" for gap in record["gaps"])
        found[name] = (record["container"], record["reason"], record["privacy"])
    return found


def check(seed, count):
    chance = random.Random(seed)
    files = []
    for number in range(count):
        encoding = chance.choice(("utf-8", "utf-8", "utf-16", "utf-8-sig"))
        files.append((b"%d.txt" % number, hostile(chance).encode(encoding, "replace")))
    assert judged(files) == judged(files[::-1])


def test_hostile_texts_are_judged():
    check(1, 60)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 16))
def test_thousands_of_hostile_texts_are_judged(seed):
    check(seed, 1000)
