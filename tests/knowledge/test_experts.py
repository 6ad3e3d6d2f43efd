"""Several experts: who said what is shown, and one value is made of it that contradicts nothing."""

import json

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.errors import KnowledgeError
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.sensitivity import Opinion, load_sensitivity, opinions, read_experts, reconciled

MESH = load_mesh()


def table(folder, expert, trust=None, **values):
    folder.mkdir(exist_ok=True)
    head = f'expert = "{expert}"\n' + (f"trust = {trust}\n" if trust else "")
    rows = (f'[[concept]]\nname = "{name}"\nvalue = {value}\n' for name, value in values.items())
    (folder / f"{expert}.toml").write_text(head + "".join(rows))


def concept(name):
    return MESH.ids[MESH.find(name)[0]]


def opinion(*said):
    return Opinion("x", "x", tuple((str(i), value, trust) for i, (value, trust) in enumerate(said)))


@pytest.mark.parametrize("said,plain,trusted", [
    (((0.2, 1), (0.4, 1), (0.9, 1)), 0.4, 0.4),
    (((0.2, 1), (0.4, 1)), 0.3, 0.3),
    (((0.2, 1), (0.4, 1), (0.9, 5)), 0.4, 0.9),
    (((0.5, 1),), 0.5, 0.5),
])  # fmt: skip
def test_the_median_is_counted_by_trust(said, plain, trusted):
    assert opinion(*said).median == pytest.approx(plain)
    assert opinion(*said).by_trust == pytest.approx(trusted)


def test_the_greatest_disagreement_comes_first(tmp_path):
    table(tmp_path / "e", "one", Epilepsy=0.2, Asthma=0.2)
    table(tmp_path / "e", "two", Epilepsy=0.8, Asthma=0.25)
    first, second = opinions(read_experts(MESH, tmp_path / "e"))
    assert first.concept == concept("Epilepsy")
    assert (first.disagreement, second.disagreement) == pytest.approx((0.6, 0.05))


def test_a_narrower_concept_is_lifted_to_the_broader_one(tmp_path):
    table(tmp_path / "e", "one", Dementia=0.8)
    table(tmp_path / "e", "two", **{"Alzheimer Disease": 0.5})
    found = reconciled(read_experts(MESH, tmp_path / "e"), MESH)
    assert found[concept("Alzheimer Disease")].value == 0.8


def test_a_site_with_experts_takes_their_values(tmp_path, monkeypatch):
    folder = tmp_path / "experts"
    table(folder, "one", Epilepsy=0.9, **{"HIV Infections": 0.3})
    table(folder, "two", Epilepsy=0.7, **{"HIV Infections": 0.3})
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path))
    load_sensitivity.cache_clear()
    try:
        values = load_sensitivity()
        assert values.of(concept("Epilepsy")) == pytest.approx(0.8)
        # bundled values that contradict the experts give way
        assert values.of(concept("HIV Infections")) == pytest.approx(0.3)
    finally:
        load_sensitivity.cache_clear()


def test_trust_that_is_no_number_is_refused(tmp_path):
    table(tmp_path / "e", "one", trust='"much"', Epilepsy=0.2)
    with pytest.raises(KnowledgeError):
        read_experts(MESH, tmp_path / "e")


def test_the_command_tells_who_said_what(tmp_path):
    table(tmp_path / "e", "one", Epilepsy=0.2)
    table(tmp_path / "e", "two", trust=3.0, Epilepsy=0.8)
    told = CliRunner().invoke(main, ["knowledge", "experts", str(tmp_path / "e"), "--json"])
    found = json.loads(told.output)
    assert found["experts"] == {"one": 1.0, "two": 3.0}
    assert found["concepts"][0]["said"] == {"one": 0.2, "two": 0.8}
    assert (found["concepts"][0]["median"], found["concepts"][0]["by_trust"]) == (0.5, 0.8)
    plain = CliRunner().invoke(main, ["knowledge", "experts", str(tmp_path / "e")]).output
    assert "one 0.20" in plain
    assert "0.60 apart" in plain
