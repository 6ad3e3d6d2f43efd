"""Plain statements of everyday writing through the real command: found, and found wherever they stand.

Names, conditions and frames are drawn afresh (bench/plain_texts.py), from another seed than the one
the weights were learnt on.
"""

import json
import random
import subprocess
import sys

import pytest

from bench.plain_texts import Draw, plain_texts, write

SEED = 770
COUNT = 160
STATEMENTS = (
    "{n} has {c}.", "{n} of {city} had treatment for {c}.", "{n} was diagnosed with {c} in {month}.",
    "{n}, {age}, of {city}, suffers from {c}.", "{n} is being treated for {c}.",
)  # fmt: skip
PADDING = 10_000
KEPT = 0.95


def padding(rng, size=PADDING):
    """Neutral paragraphs; each has its own people."""
    text = ""
    while len(text) < size:
        text += Draw(rng).fill("{e} {e2} {e} {e2}") + "\n\n"
    return text


@pytest.fixture(scope="module")
def texts():
    found = {}
    for number, item in enumerate(plain_texts(SEED, COUNT)):
        found[f"{'leak' if item.leak else 'harmless'}{number}"] = item.data.decode()
    rng = random.Random(SEED)
    for number, frame in enumerate(STATEMENTS * 3):
        draw = Draw(rng)
        said = draw.fill(frame)
        before, after = padding(rng), padding(rng)
        found |= {
            f"bare{number}": f"{said}\n",
            f"padded{number}": f"{before}{said}\n\n{after}",
            f"turned{number}": f"{after}{said}\n\n{before}",
            f"capital{number}": f"{said.upper()}\n",
            f"small{number}": f"{said.lower()}\n",
            f"more{number}": f"{said} {draw.fill('{n} was born on {born}.')}\n",
        }
        harmless = write(rng, "sentence", leak=False).data.decode()
        found |= {
            f"other{number}": harmless,
            f"paddedother{number}": f"{before}{harmless}\n\n{after}",
        }
    return found


@pytest.fixture(scope="module")
def verdicts(texts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "dlp",
        "scan",
        str(folder),
        "--no-catalogue",
        "--format",
        "jsonl",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        record["path"].rpartition("/")[2].removesuffix(".txt"): record["container"] == "phi"
        for record in records if "container" in record
    }  # fmt: skip


def share_of(verdicts, kind):
    chosen = [found for name, found in verdicts.items() if name.rstrip("0123456789") == kind]
    assert chosen
    return sum(chosen) / len(chosen)


def test_what_is_said_of_somebody_is_a_leak(verdicts):
    assert share_of(verdicts, "leak") >= 0.9


def test_near_misses_of_the_same_frames_are_none(verdicts):
    assert share_of(verdicts, "harmless") <= 0.08


@pytest.mark.parametrize("how", ["bare", "padded", "turned", "more"])
def test_a_plain_statement_is_a_leak_wherever_it_stands(verdicts, how):
    assert share_of(verdicts, how) == 1.0


@pytest.mark.parametrize("how", ["capital", "small"])
def test_capitals_and_small_letters_change_little(verdicts, how):
    assert share_of(verdicts, how) >= KEPT


def test_padding_makes_no_leak(verdicts):
    assert share_of(verdicts, "paddedother") <= share_of(verdicts, "other")
