"""`dlp knowledge` shows, compares and tries values; scripts read JSON; mistakes say what to do."""

import json

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.knowledge.cooccurrence import load_own_words
from dlp.knowledge.mesh import load_mesh


def run(*arguments):
    return CliRunner().invoke(main, ["knowledge", *arguments])


def as_json(*arguments):
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_show_draws_the_place_the_value_and_its_reason():
    result = run("show", "Hepatitis C")
    assert result.exit_code == 0
    assert "Hepatitis C  D006526" in result.output
    assert "└─ Hepatitis, Viral, Human" in result.output
    assert "◀" in result.output
    assert "sensitivity   0.70" in result.output
    assert "expert:" in result.output


def test_show_tells_what_a_drug_implies():
    fact = as_json("show", "methadone")
    assert fact["id"] == "D008691"
    assert fact["category"] == "substance"
    assert fact["implies"][0]["name"] == "Opioid-Related Disorders"
    assert fact["sensitivity"] > 0.5
    assert fact["sensitivity_source"].startswith("implied conditions")
    text = run("show", "methadone").output
    assert "implies       Opioid-Related Disorders 0.80" in text


def test_show_tells_how_often_records_name_it():
    disease, narrower = as_json("show", "Neoplasms"), as_json("show", "Lung Neoplasms")
    assert disease["frequency"]["records"] > narrower["frequency"]["records"] > 0
    assert disease["frequency"]["information_bits"] < narrower["frequency"]["information_bits"]
    assert "frequency     " in run("show", "Lung Neoplasms").output


def test_show_places_a_substance_outside_the_tree():
    fact = as_json("show", "dolutegravir")
    assert fact["id"] == "C562325"
    assert fact["category"] == "hiv"
    assert "◀" in run("show", "dolutegravir").output


def test_show_lists_every_meaning():
    names = {m["name"] for m in as_json("show", "abortion")["other_meanings"]}
    assert names


def test_distance_speaks_to_people_and_to_scripts():
    found = as_json("distance", "Crohn's disease", "D003093")
    assert found["a"]["name"] == "Crohn Disease"
    assert found["b"]["name"] == "Colitis, Ulcerative"
    assert 0 < found["distance"] < 0.7
    assert run("distance", "gout", "gout").output.startswith("0.0000  Gout")


@pytest.mark.parametrize("arguments", [("show", "arthritiss"), ("distance", "gout", "arthritiss")])
def test_an_unknown_term_exits_with_2_and_suggestions(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "did you mean" in result.stderr
    assert "Arthritis" in result.stderr


def test_propagate_shows_what_a_value_changes():
    found = as_json("propagate", "--set", "Arthritis=0.5")
    changed = {row["name"]: row for row in found["changed"]}
    assert changed["Arthritis"]["after"] == 0.5
    assert changed["Arthritis, Infectious"]["after"] == 0.5
    assert found["concepts"] > 30_000
    assert found["values"]["D001168"] == 0.5
    text = run("propagate", "--set", "Arthritis=0.5").output
    assert "→ 0.50  Arthritis" in text


def test_the_five_values_of_the_paper_hold_with_and_without_the_table():
    five = {"Infections": 0.2, "Arthritis": 0.5, "Sarcoma": 0.9, "Cough": 0.3, "Anemia": 0.6}
    arguments = [part for name, value in five.items() for part in ("--set", f"{name}={value}")]
    for more in ([], ["--fresh"]):
        found = as_json("propagate", *arguments, *more)
        assert sorted(found["set"].values()) == sorted(five.values())
        assert found["cpu_ms"] < 400


def test_propagate_without_values_changes_nothing():
    assert as_json("propagate")["changed"] == []


def test_values_that_contradict_each_other_are_refused_by_name():
    result = run("propagate", "--set", "Neoplasms=0.9", "--set", "Sarcoma=0.3")
    assert result.exit_code == 12
    assert "Neoplasms (0.9)" in result.stderr
    assert "Sarcoma (0.3)" in result.stderr


@pytest.mark.parametrize(
    "setting", ["Gout", "Gout=much", "=0.5", "Gout=1.5", "Gout=-1", "dolutegravir=1"]
)
def test_a_malformed_value_is_a_usage_error(setting):
    result = run("propagate", "--set", setting)
    assert result.exit_code == 2


def test_one_concept_with_two_values_is_a_usage_error():
    assert run("propagate", "--set", "Gout=0.5", "--set", "D006073=0.6").exit_code == 2


def test_build_counts_the_texts_of_a_site(tmp_path):
    texts, out = tmp_path / "texts", tmp_path / "knowledge"
    texts.mkdir()
    (texts / "note.txt").write_text("Type 2 diabetes, takes metformin.\n\nGout, takes allopurinol.")
    assert as_json("build", "--corpus", str(texts), "--out", str(out))["records"] == 2
    assert (out / "cooccurrence.bin").is_file()


def test_build_counts_the_words_of_a_share_whatever_its_formats(tmp_path):
    share, out = tmp_path / "share", tmp_path / "knowledge"
    (share / "ward").mkdir(parents=True)
    (share / "note.txt").write_text("Type 2 diabetes, takes metformin.")
    (share / "copy.txt").write_text("Type 2 diabetes, takes metformin.")
    (share / "ward" / "letter.html").write_text("<p>Gout, takes allopurinol.</p>")
    (share / "ward" / "broken.docx").write_bytes(b"PK\x03\x04 no package")
    outside = tmp_path / "outside.txt"
    outside.write_text("Asthma, takes salbutamol.")
    (share / "link.txt").symlink_to(outside)
    built = as_json("build", "--words", str(share), "--out", str(out))["records"]
    assert built in {2, 3}  # what is left of a broken package may be a text
    assert (out / "ownwords.bin").is_file()
    own, _ = load_own_words(out)
    mesh = load_mesh()
    assert own.count(mesh.find("Gout")[0]) == 1
    assert own.count(mesh.find("Asthma")[0]) == 0


def test_build_refuses_an_unknown_step():
    result = run("build", "--only", "astrology")
    assert result.exit_code == 12
    assert "astrology" in result.stderr
