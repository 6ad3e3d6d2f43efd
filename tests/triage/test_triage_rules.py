"""A faulty rules file is refused with the file, the entry and the fix; the shipped ones are sound."""

import shutil

import pytest

from dlp.errors import RuleError
from dlp.resources import rules_folder
from dlp.triage import rules
from dlp.triage.assemble import triage_stages
from dlp.triage.cheap import CheapPass

FILES = ("titles.toml", "containers.toml", "cheap.toml", "languages/identify.toml")


@pytest.fixture
def folder(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(rules_folder() / name, tmp_path / name)
    return tmp_path


def test_the_shipped_rules_build_both_rule_sets(folder):
    for rule_set in rules.RULE_SETS:
        assert [s.name for s in triage_stages(rule_set, folder=folder)] == [
            "triage.shallow",
            "triage.partial",
        ]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["gone", "torn", "empty"])
def test_a_damaged_file_is_named(folder, name, damage):
    path = folder / name
    {
        "gone": path.unlink,
        "torn": lambda: path.write_text("a = ["),
        "empty": lambda: path.write_text(""),
    }[damage]()
    with pytest.raises(RuleError) as caught:
        triage_stages(folder=folder)
    assert caught.value.where.startswith(name)
    assert caught.value.fix


@pytest.mark.parametrize(
    "entry,says",
    [
        ('group = "publishable"\nwords = ["x"]', "no id"),
        ('id = "a"\ngroup = "secret"\nwords = ["x"]', "group"),
        ('id = "a"\ngroup = "publishable"', "words"),
        ('id = "a"\ngroup = "publishable"\nwords = "x"', "words"),
        ('id = "a"\ngroup = "publishable"\nwords = [3]', "no text"),
        ('id = "a"\ngroup = "publishable"\nwords = ["x"]\nwrods = []', "wrods"),
        ('id = "a"\ngroup = "publishable"\nwords = ["x"]\nrule_sets = ["mine"]', "rule set"),
        ('id = "music"\ngroup = "publishable"\nwords = ["x"]', "twice"),
    ],
)
def test_a_faulty_category_is_named(folder, entry, says):
    path = folder / "containers.toml"
    path.write_text(path.read_text() + f"\n[[category]]\n{entry}\n")
    with pytest.raises(RuleError, match=says) as caught:
        rules.read_categories(folder)
    assert caught.value.code == "DLP-210"


def test_a_faulty_pattern_is_named(folder):
    path = folder / "cheap.toml"
    path.write_text(path.read_text().replace("direct = [", "direct = [\n  '(?=x)',", 1))
    with pytest.raises(RuleError) as caught:
        CheapPass(rules.read_cheap_rules(folder))
    assert "direct" in caught.value.where


@pytest.mark.parametrize("value", ["0", "-1", "true", '"many"'])
def test_a_faulty_number_is_named(folder, value):
    path = folder / "cheap.toml"
    text = path.read_text().replace("near_chars = 600", f"near_chars = {value}")
    path.write_text(text)
    with pytest.raises(RuleError, match="near_chars"):
        rules.read_cheap_rules(folder)


def test_an_unknown_rule_set_is_refused():
    with pytest.raises(RuleError, match="no rule set"):
        triage_stages("sokolova2010")
