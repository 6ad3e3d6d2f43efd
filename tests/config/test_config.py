"""A wrong setting is named with all its fellows and its nearest valid key; nothing half-loads."""

import tomllib

import pytest

from dlp import config
from dlp.errors import ConfigError


def write(tmp_path, text):
    path = tmp_path / "dlp.toml"
    path.write_text(text)
    return path


def test_no_file_means_every_default():
    assert config.load(None).decode.max_depth == 8


def test_all_mistakes_are_said_at_once_with_the_nearest_key(tmp_path):
    path = write(tmp_path, "[decode]\nwall_second = 3\nmax_depth = 0\n[engin]\njobs = 2\n")
    with pytest.raises(ConfigError) as caught:
        config.load(path)
    message = str(caught.value)
    assert "decode.wall_second: no such setting; did you mean decode.wall_seconds?" in message
    assert "decode.max_depth" in message
    assert "did you mean engine?" in message
    assert message.startswith("DLP-100")


def test_broken_toml_names_the_file_and_the_line(tmp_path):
    path = write(tmp_path, "[decode\n")
    with pytest.raises(ConfigError, match=r"not valid TOML.*line 1"):
        config.load(path)


def test_a_missing_file_is_said_plainly(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        config.load(tmp_path / "absent.toml")


def test_what_show_prints_loads_to_the_same_settings():
    settings = config.Settings()
    assert config.parse(tomllib.loads(config.to_toml(settings)), where="shown") == settings


def test_defaults_are_what_a_file_that_says_nothing_gives(tmp_path):
    read = config.load(write(tmp_path, ""))
    assert config.load(None) == read == config.Settings()
    assert config.load(None).judging == read.judging


def test_plain_values_are_what_the_checker_of_settings_gives():
    mark = {"reason": "a test", "owner": "me", "expires": "2030-01-31"}
    policy = {"phi": {"high": "notify"}, "suppress": [mark | {"fingerprint": "mail:0123456789"}]}
    settings = config.parse(
        {
            "acquire": {"exclude": ["/a", "/b"], "idle_io": True},
            "policy": policy,
            "share": [{"name": "one", "path": "/one", "policy": policy}],
            "notify": {"channel": [{"name": "x", "kind": "hook", "command": ["/bin/x"]}]},
        },
        where="test",
    )
    for one in (settings, config.Settings(), config.load(None)):
        assert one.plain() == one.model_dump(mode="json")


def test_the_digest_changes_with_any_setting():
    changed = config.parse({"engine": {"jobs": 3}}, where="test")
    assert changed.digest != config.Settings().digest


def test_shares_carry_their_own_policy_and_print_back():
    share = {
        "name": "clinic",
        "path": "/srv/clinic",
        "policy": {
            "phi": {"critical": "quarantine", "high": "notify"},
            "suppress": [
                {
                    "fingerprint": "phone:0123456789abcdef",
                    "reason": "the front desk",
                    "owner": "security",
                    "expires": "2030-01-31",
                }
            ],
        },
    }
    settings = config.parse({"share": [share, {"name": "b", "path": "/srv/b"}]}, where="test")
    assert config.parse(tomllib.loads(config.to_toml(settings)), where="shown") == settings


def test_a_suppression_needs_reason_owner_and_expiry():
    bare = {"policy": {"suppress": [{"fingerprint": "phone:0123456789abcdef"}]}}
    with pytest.raises(ConfigError) as caught:
        config.parse(bare, where="test")
    assert all(word in str(caught.value) for word in ("reason", "owner", "expires"))


def test_what_was_not_read_is_never_moved():
    with pytest.raises(ConfigError, match=r"policy\.gaps"):
        config.parse({"policy": {"gaps": "quarantine"}}, where="test")
