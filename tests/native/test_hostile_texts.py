"""Whatever a text holds, kernels and their twins say the same of it, and neither falls over."""

import random

import pytest

from dlp import demo_share
from tests.native.judging import judged

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


def compared(tmp_path, seed, files):
    chance, share = random.Random(seed), tmp_path / "share"
    share.mkdir()
    for number in range(files):
        encoding = chance.choice(("utf-8", "utf-8", "utf-16", "utf-8-sig"))
        raw = hostile(chance).encode(encoding, "replace")
        (share / f"{number}.txt").write_bytes(raw)
    with_kernels = judged(share, tmp_path)
    assert len(with_kernels) == files
    assert not any('"internal"' in line for line in with_kernels)
    assert judged(share, tmp_path, DLP_NATIVE="off") == with_kernels


def test_hostile_texts_are_judged_the_same(tmp_path):
    compared(tmp_path, 1, 150)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 16))
def test_thousands_of_hostile_texts_are_judged_the_same(tmp_path, seed):
    compared(tmp_path, seed, 1000)
