"""What is written in a language that the rules do not read in full is never called clean.

Language is decided on stretches of the body: a leak in another language may stand alone, in a
table, or between English paragraphs.
"""

import csv
import io
import json
import random
from email.message import EmailMessage

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.triage.language import Languages
from dlp.triage.language_blocks import ForeignBlocks
from dlp.triage.rules import read_language_rules
from tests.languages.texts import FORMS, LEAKS, MESSAGES, NOTES, SENTENCES, TABLES
from tests.support.planted import docx, html, text

RULES = read_language_rules()
LANGUAGES, BLOCKS = Languages(RULES), ForeignBlocks(RULES)
# The standards of one language: a leak in either is the same language to a reader.
SAME = {"bs": "hr", "sr": "hr"}
FIRST = {
    "ru": ("Марина", "Олеся", "Зинаида"), "el": ("Δάφνη", "Ελπίδα", "Φωτεινή"),
    "ar": ("سلمى", "هدى", "رانيا"), "zh": ("雅琴", "美玲", "晓燕"),
}  # fmt: skip
LAST = {
    "ru": ("Лебедева", "Сокова", "Титова"), "el": ("Κουρουπάκη", "Ράπτη", "Δελή"),
    "ar": ("الخوري", "حداد", "ناصر"), "zh": ("沈", "欧阳", "贺"),
}  # fmt: skip
LATIN = (("Marta", "Irena", "Livia", "Tilde"), ("Lindqvist", "Korvath", "Falkenau", "Sorvari"))
ENGLISH = (
    "Please find attached the minutes of the meeting that we held on Thursday in the big room.",
    "The lift will be repaired next week, and the painters start on the day after that.",
    "If you have any questions about the costs, please write to us before the end of the month.",
    "We would like to thank everybody who came and helped us with the tables and the chairs.",
)


def name_in(code, draw):
    first, last = FIRST.get(code, LATIN[0]), LAST.get(code, LATIN[1])
    return f"{draw.choice(first)} {draw.choice(last)}"


def mail(lines, _draw):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", "Info"
    message.set_content("\n\n".join(lines))
    return message.as_bytes()


def sheet(lines, _draw):
    out = io.StringIO()
    csv.writer(out).writerows(
        [("id", "date", "text"), *((n, n + 1, s) for n, s in enumerate(lines))]
    )
    return out.getvalue().encode()


MAKERS = {"txt": text, "docx": docx, "html": html, "eml": mail, "csv": sheet}


def planted(code, draw):
    """Name and lines of each file; one leak in every one."""
    leak = LEAKS[code].format(name=name_in(code, draw))
    before, after = draw.sample(ENGLISH, 3), draw.sample(ENGLISH, 3)
    yield "alone", [leak, draw.choice(SENTENCES[code])]
    yield "between", [*before, leak, *after]
    yield "inside", [*before, f"{ENGLISH[0]} {leak} {ENGLISH[1]}", *after]
    yield "form", FORMS[code].format(name=name_in(code, draw)).split("\n")
    yield "note", [NOTES[code].format(name=name_in(code, draw)), "RR 140/85, 36.7"]
    yield "message", [MESSAGES[code].format(name=name_in(code, draw)), "👍"]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    share = tmp_path_factory.mktemp("share")
    draw = random.Random(30)
    for code in LEAKS:
        for name, lines in planted(code, draw):
            for ending, make in MAKERS.items():
                (share / f"{code}-{name}.{ending}").write_bytes(make(lines, draw))
        heading, *rows = TABLES[code]
        people = [f"{name_in(code, draw)};0{n}.02.1961;{row}" for n, row in enumerate(rows, 1)]
        (share / f"{code}-table.csv").write_text("\n".join([heading, *people]))
    options = ["--no-catalogue", "--no-progress", "--format", "jsonl"]
    told = CliRunner().invoke(main, ["scan", str(share), *options])
    return [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]


def test_every_planted_leak_is_reported_or_carries_the_gap_of_a_language(records):
    assert len(records) == len(LEAKS) * (6 * len(MAKERS) + 1)
    clean = [
        one["path"].rsplit("/", 1)[-1]
        for one in records
        if one["container"] == "impossible" or not any(g["code"] == "language" for g in one["gaps"])
    ]
    assert clean == []


def test_the_gap_names_the_language(records):
    right = 0
    for one in records:
        named = {gap["where"].removeprefix("language:") for gap in one["gaps"]}
        right += one["path"].rsplit("/", 1)[-1].split("-")[0] in {SAME.get(c, c) for c in named}
    assert right >= 0.97 * len(records)


def test_blocks_of_eighty_characters_are_named_in_twenty_languages():
    draw = random.Random(31)
    blocks = []
    for code, sentences in SENTENCES.items():
        leaks = [LEAKS[code].format(name=name_in(code, draw)) for _ in range(3)]
        blocks += [(code, block) for block in (*sentences, *leaks) if len(block) >= 70]
    named = [LANGUAGES.of_texts([block]).code for _, block in blocks]
    right = sum(SAME.get(n, n) == code for n, (code, _) in zip(named, blocks, strict=True))
    assert len({code for code, _ in blocks}) == 20
    assert right >= 0.97 * len(blocks)


@pytest.mark.parametrize(
    "plain",
    [
        "\n".join(ENGLISH * 30),
        "Lindqvist Marta 03/04/1951 4471023\nKorvath Irena 14/05/1961 4471024\n" * 30,
        "id;name;code\n" + "\n".join(f"{n};Marta Falkenau;E11.{n}" for n in range(200)),
        "Pt c/o SOB, hx CHF. BP 130/80. ASA 81 mg qd, metoprolol 25 mg bid, furosemide 40 mg.\n"
        * 20,
        "azathioprine 150 mg\nCosentyx 300 mg monthly\ntestosterone undecanoate 1 g IM\n" * 20,
        "We ate crème brûlée at the Café de la Paix and walked along the Champs-Élysées. " * 20,
        "def main(argv): return sum(map(int, argv))  # lambda x: x ** 2\n" * 40,
    ],
)
def test_english_names_codes_and_shorthand_are_in_no_other_language(plain):
    assert BLOCKS.of_texts([plain]) == ()


def test_a_sentence_on_page_300_is_found():
    page = "\n".join(ENGLISH * 10)
    assert BLOCKS.of_texts([page * 300 + "\n" + LEAKS["tr"].format(name="Tilde Korvath")]) == (
        "tr",
    )
