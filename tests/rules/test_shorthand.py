"""Every shorthand entry is complete, unambiguous in its own file, and cautious where it must be."""

import tomllib
from collections import Counter

from dlp.knowledge.mesh import load_mesh
from dlp.resources import rules_folder

ENTRIES = tomllib.loads((rules_folder() / "shorthand.toml").read_text())["shorthand"]
KINDS = {"disease", "symptom", "drug", "procedure", "test", "context"}
FIELDS = {"short", "expansion", "kind", "mesh", "case", "needs_context"}


def test_every_entry_has_every_field():
    for entry in ENTRIES:
        assert set(entry) == FIELDS, entry["short"]
        assert entry["kind"] in KINDS
        assert entry["case"] in {"exact", "any"}
        assert entry["short"] == entry["short"].strip() != ""
        assert entry["expansion"]


def test_there_are_enough_entries():
    assert len(ENTRIES) >= 400


def test_no_spelling_has_two_meanings():
    exact = Counter(entry["short"] for entry in ENTRIES)
    folded = Counter(entry["short"].lower() for entry in ENTRIES if entry["case"] == "any")
    assert [short for short, count in exact.items() if count > 1] == []
    assert [short for short, count in folded.items() if count > 1] == []
    clash = {e["short"].lower() for e in ENTRIES if e["case"] == "exact"} & set(folded)
    assert not clash, "an entry in any case swallows the exact one"


def test_ambiguous_letters_ask_for_context():
    cautious = {entry["short"] for entry in ENTRIES if entry["needs_context"]}
    assert {"PE", "MS", "RA", "PT", "HD", "OD", "CA", "ALL", "ADD", "OR", "SI", "IM"} <= cautious


def test_two_capital_letters_always_ask_for_context():
    safe = {"BP", "GU", "LE", "TB"}
    bare = [
        entry["short"]
        for entry in ENTRIES
        if len(entry["short"]) == 2 and entry["short"].isupper() and not entry["needs_context"]
    ]
    assert set(bare) <= safe


def test_every_heading_is_a_preferred_mesh_name():
    mesh = load_mesh()
    named = {entry["mesh"] for entry in ENTRIES} - {""}
    wrong = [name for name in named if name not in {mesh.name(i) for i in mesh.find(name)}]
    assert wrong == []


def test_what_is_no_chart_language_has_a_heading():
    bare = [e["short"] for e in ENTRIES if e["kind"] == "disease" and not e["mesh"]]
    assert bare == []
