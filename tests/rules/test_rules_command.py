"""`dlp rules check` says "proven" only when every example holds, and names those that do not."""

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.detect.identify.identifiers import FindIdentifiers

RULE = """
[[identifier]]
id = "test-number"
title = "Test number"
kind = "id"
pattern = '\\bT\\d{4}\\b'
validator = "anything"
context = []
confidence = [0.5, 0.9]
source = "nobody"
match = ["number {T1234}"]
reject = ["T12"]
"""


def check(folder, text):
    (folder / "x.toml").write_text(text)
    return CliRunner().invoke(main, ["rules", "check", "--folder", str(folder)])


def test_the_shipped_rules_are_proven():
    result = CliRunner().invoke(main, ["rules", "check"])
    assert result.exit_code == 0
    assert "rules proven by" in result.output


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('["T12"]', '["T9999"]', "finds 'T9999'"),
        ("{T1234}", "{T12345}", "does not find 'number T12345'"),
        ("number {T1234}", "{number T1234}", "found ['T1234']"),
    ],
)
def test_a_failing_example_is_named_and_fails_the_command(tmp_path, old, new, says):
    assert check(tmp_path, RULE).exit_code == 0
    result = check(tmp_path, RULE.replace(old, new))
    assert result.exit_code == 12
    assert says in result.output
    assert "DLP-210" in result.output


def test_the_list_names_every_rule_with_its_source():
    result = CliRunner().invoke(main, ["rules", "list"])
    assert result.exit_code == 0
    assert "uk-nhs-number" in result.output
    assert "NHS Data Dictionary" in result.output


def test_what_a_sandbox_forbids_is_loaded_before_it_closes():
    FindIdentifiers(b"key").preload()
