"""One person, one surrogate, one offset, in every format; months, old years and odd names go."""

import json
import random
import re
from datetime import date
from email import message_from_string

import pytest
from click.testing import CliRunner

from dlp.assembly import Analysis
from dlp.cli.main import main
from dlp.config import load
from dlp.engine.sanitiser_setup import open_service
from dlp.sanitise.cautious_identifiers import cautious
from dlp.sanitise.plan import Plan, Profile
from tests.support.office_builder import build_docx
from tests.support.sanitising import sanitise_text

FIRST = ["Tamsin", "Ruth", "Colin", "Leticia", "Gareth", "Nadia", "Owen", "Priya"]
LAST = ["Oyelaran", "Hargreaves", "Castellanos", "Lindqvist", "Mbeki", "Novotny", "Thackeray"]


@pytest.fixture(scope="module")
def analysis():
    return Analysis(load(None), full=True)


def person(draw):
    return f"{draw.choice(FIRST)} {draw.choice(LAST)}"


def forms(name, first_day, last_day):
    first, _, last = name.partition(" ")
    line = f"Patient: {name}. Admitted {first_day}, discharged {last_day}. {name} has asthma."
    yield "note.txt", line.encode()
    rows = f"name,admitted,discharged,note\n{name},{first_day},{last_day},{name} has asthma\n"
    yield "table.csv", rows.encode()
    held = {"name": name, "admitted": first_day, "discharged": last_day, "note": line}
    yield "record.json", json.dumps(held).encode()
    yield (
        "letter.eml",
        (
            f"From: ward@example.org\nTo: {first}.{last}@example.org\nSubject: {name}\n"
            f"Content-Type: text/plain\n\n{line}\n"
        ).encode(),
    )


@pytest.mark.parametrize("seed", range(5))
def test_every_format_gives_a_person_the_same_surrogate_and_keeps_intervals(analysis, seed):
    draw = random.Random(f"surrogates {seed}")
    name = person(draw)
    start = date(2021, draw.randint(1, 9), draw.randint(1, 28))
    end = date.fromordinal(start.toordinal() + draw.randint(2, 60))
    service = open_service(load(None), analysis=analysis, profile="pseudonymise")
    surrogates = set()
    for file, raw in forms(name, start.isoformat(), end.isoformat()):
        done = service.sanitise(file, raw)
        assert done.refusal is None, (file, done.refusal)
        text = done.output.decode()
        if file.endswith(".eml"):
            text = message_from_string(text).get_payload(decode=True).decode()
        assert name.split()[1] not in text, file
        days = [date.fromisoformat(day) for day in re.findall(r"\d{4}-\d\d-\d\d", text)]
        assert {(b - a).days for a, b in zip(days[::2], days[1::2], strict=True)} == {
            (end - start).days
        }, file
        surrogates.add(re.search(r"([A-Z]\w+ [A-Z]\w+) has asthma", text).group(1))
    assert len(surrogates) == 1
    issued = service.sanitiser.identity.surrogates.issued
    assert not set(issued) & {value for held in issued.values() for value in held}


@pytest.mark.parametrize("seed", range(3))
def test_a_batch_has_one_surrogate_for_one_person_and_one_person_for_one_surrogate(tmp_path, seed):
    """Through the command: people share first and last names, each has a file of every format."""
    draw = random.Random(f"batch {seed}")
    pairs = [f"{first} {last}" for first in FIRST for last in LAST]
    people, gaps, files = draw.sample(pairs, 8), {}, {}
    for number, name in enumerate(people):
        start = date(2021, draw.randint(1, 9), draw.randint(1, 28))
        gaps[name] = draw.randint(2, 60)
        end = date.fromordinal(start.toordinal() + gaps[name])
        for file, raw in forms(name, start.isoformat(), end.isoformat()):
            files[tmp_path / f"{number}-{file}"] = name
            (tmp_path / f"{number}-{file}").write_bytes(raw)
    out = tmp_path / "out"
    asked = ["sanitise", *map(str, files), "-o", str(out), "--profile", "pseudonymise"]
    run = CliRunner().invoke(main, asked)
    assert run.exit_code == 0, run.output
    became, offsets = {}, {}
    for file, name in files.items():
        text = (out / file.name).read_text()
        if file.suffix == ".eml":
            text = message_from_string(text).get_payload(decode=True).decode()
        became.setdefault(name, set()).add(re.search(r"(\w+ \w+) has asthma", text).group(1))
        days = [date.fromisoformat(day) for day in re.findall(r"\d{4}-\d\d-\d\d", text)]
        offsets.setdefault(name, set()).add(days[0])
        assert (days[1] - days[0]).days == gaps[name], file
    assert {name: len(made) for name, made in became.items()} == dict.fromkeys(people, 1)
    assert {name: len(first) for name, first in offsets.items()} == dict.fromkeys(people, 1)
    assert len({made for held in became.values() for made in held}) == len(people)


def safe(text):
    return sanitise_text(text, (), Plan(Profile.SAFE_HARBOR)).text


@pytest.mark.parametrize(
    "written", ["March 1980", "03/1980", "1980-03", "Sept. 1980", "3rd of March"]
)
def test_safe_harbor_leaves_the_year_alone(written):
    out = safe(f"Her operation ({written}) went well.")
    assert written not in out
    assert ("1980" in out) == ("1980" in written)


def test_the_birth_year_of_the_very_old_goes():
    assert "1931" not in safe("He was born in 1931.")
    assert "1931" not in safe("DOB: 1931")
    assert "1960" in safe("DOB: 1960")


@pytest.mark.parametrize(
    "text, gone",
    [
        ("Employer: Northgate Steel\n", "Northgate Steel"),
        ("care home: willow bank\n", "willow bank"),
        ("She lives at Hollin Bank Care Home now.", "Hollin Bank Care Home"),
        ("He read law at the University of Leverton.", "University of Leverton"),
        ("username: otamsin98", "otamsin98"),
        ("Write to @tamsin_o there.", "@tamsin_o"),
        ("Call (217) 555-0143 ext. 221.", "ext. 221"),
        ("pt maria fernandez denies pain", "maria fernandez"),
    ],
)
def test_labels_and_signs_give_names_away(text, gone):
    assert gone in {text[f.start : f.end] for f in cautious(text)}


@pytest.mark.parametrize(
    "text",
    ["patient was seen today", "resident remains stable", "BP 120/80", "dear sir or madam"],
)
def test_plain_words_are_nobody(text):
    assert not list(cautious(text))


def test_the_name_of_a_file_tells_nothing(analysis):
    service = open_service(load(None), analysis=analysis)
    done = service.sanitise("Castellanos Leticia 1998-02-02 depression.txt", b"She has asthma.")
    assert done.refusal is None, done.refusal
    assert re.fullmatch(r"document-[a-z]{8}\.txt", done.safe_name)
    assert service.sanitise("ward-rota.txt", b"Nothing.").safe_name == "ward-rota.txt"


def test_a_document_keeps_one_surrogate_too(analysis):
    service = open_service(load(None), analysis=analysis, profile="pseudonymise")
    done = service.sanitise("a.docx", build_docx({"body": "Patient: Leticia Castellanos"}))
    assert done.refusal is None, done.refusal
