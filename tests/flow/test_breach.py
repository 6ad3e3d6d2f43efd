"""A breach worksheet counts people, not rows: exactly, in every run, and without a name."""

import csv
import io
import itertools
import random

import pytest
from click.testing import CliRunner

from dlp.cli.main import main

PEOPLE, IN_OHIO, IN_KENTUCKY, MINORS = 612, 520, 92, 31
LISTED = 250  # people a list; every second list shares people with the one before
FIRST = ["Ada", "Bruno", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hugo", "Irene", "Jonas", "Katya", "Liam", "Mira", "Nuno", "Olga", "Pavel", "Quentin", "Rosa", "Stefan", "Tilda", "Ursula", "Victor", "Wanda", "Xavier", "Yara", "Zeno"]  # fmt: skip
PARTS = (("Bar", "Cal", "Dor", "Fen", "Gor", "Hal", "Kin", "Lor", "Mar", "Nor", "Pel", "Ros", "Tar"),
         ("a", "e", "i", "o"), ("ber", "dan", "gast", "kin", "lund", "mer", "sen", "well"))  # fmt: skip
PLACES = {"OH": (("Columbus", "43215"), ("Dayton", "45402"), ("Toledo", "43604")),
          "KY": (("Louisville", "40202"), ("Lexington", "40507"))}  # fmt: skip
ILLS = ("asthma", "HIV infection", "diabetes", "schizophrenia", "hepatitis C", "epilepsy")
HEAD = (
    "first_name",
    "last_name",
    "birth_date",
    "mrn",
    "street",
    "city",
    "state",
    "zip",
    "diagnosis",
)


def patients():
    chosen = random.Random(7)
    last = ["".join(one) for one in itertools.product(*PARTS)]
    for number in range(PEOPLE):
        state = "OH" if number < IN_OHIO else "KY"
        city, code = PLACES[state][number % len(PLACES[state])]
        year = 2016 if number % 20 == 0 else 1930 + number % 60
        yield (
            FIRST[number % len(FIRST)], last[number % len(last)],
            f"{year}-{1 + number % 12:02}-{1 + number % 28:02}", f"{7_100_000 + 137 * number}",
            f"{chosen.randint(10, 990)} Maple Street", city, state, code, ILLS[number % len(ILLS)],
        )  # fmt: skip


def write_lists(share):
    everybody = list(patients())
    step = LISTED - 60  # each list holds the last sixty of the one before
    for number, start in enumerate(range(0, PEOPLE, step)):
        with (share / f"recall {number}.csv").open("w", newline="") as out:
            sheet = csv.writer(out)
            sheet.writerow(HEAD)
            sheet.writerows(everybody[start : start + LISTED])
    for row in everybody[:3]:  # and some have a letter as well
        first, last, birth, mrn, street, city, state, code, ill = row
        (share / f"letter {mrn}.txt").write_text(
            f"Patient: {first} {last}, born {birth}, MRN {mrn}\n{street}, {city}, {state} {code}\n\n"
            f"{first} {last} was diagnosed with {ill}.\n"
        )


def run(*arguments):
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code in {0, 1}, result.output
    return result.stdout


def worksheet(catalogue, *more):
    text = run("report", "--breach", "--format", "csv", "--catalogue", catalogue, *more)
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return {(section, what): value for section, what, value in rows}


@pytest.fixture(scope="module")
def scanned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("breach")
    share, catalogue = folder / "share", folder / "c.db"
    share.mkdir()
    write_lists(share)
    run("scan", share, "--catalogue", catalogue, "--format", "jsonl")
    return share, catalogue


def test_people_are_counted_once_over_all_files(scanned):
    found = worksheet(scanned[1])
    assert found["people", "affected, each counted once"] == str(PEOPLE)
    assert found["state or country", "US-OH"] == str(IN_OHIO)
    assert found["state or country", "US-KY"] == str(IN_KENTUCKY)
    assert found["people", "minors among them"] == str(MINORS)
    assert found["threshold", "500 or more people"] == "yes"
    assert found["threshold", "more than 500 residents of"] == "US-OH"
    levels = sum(int(many) for (name, _), many in found.items() if name == "level")
    assert levels == PEOPLE
    assert "to be filled in" in found.values()


def test_a_rerun_says_the_same(scanned):
    share, catalogue = scanned
    when = ("--discovered", "2027-03-01")
    before = worksheet(catalogue, *when)
    run("scan", share, "--catalogue", catalogue, "--format", "jsonl", "--fresh")
    assert worksheet(catalogue, *when) == before
    clocks = {what: until for (name, what), until in before.items() if name == "clock"}
    assert {until for what, until in clocks.items() if "164" in what} == {
        "30 April 2027, 00:00 UTC"
    }
    assert [until for what, until in clocks.items() if "article 33" in what] == [
        "4 March 2027, 00:00 UTC"
    ]


def test_no_name_and_no_path_is_in_it(scanned, tmp_path):
    for name in ("b.html", "b.csv"):
        run("report", "--breach", "-o", tmp_path / name, "--catalogue", scanned[1])
        text = (tmp_path / name).read_text()
        assert str(PEOPLE) in text
        for row in patients():
            assert not any(value in text for value in (row[1], row[3], row[2]))
        assert "recall" not in text


def test_a_folder_without_leaks_has_no_breach(scanned, tmp_path):
    found = worksheet(scanned[1], "--under", tmp_path)
    assert found["people", "affected, each counted once"] == "0"
    assert found["threshold", "500 or more people"] == "no"
