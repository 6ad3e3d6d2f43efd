"""Secrets that others can read and settings that others can write are refused with one line."""

import os

import pytest

from dlp.errors import ConfigError
from dlp.keys import read_key, secret_key
from dlp.private_files import check_private, check_settings
from dlp.store.migrations import open_database

ROOT = os.geteuid() == 0


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o666])
def test_a_database_that_others_can_reach_is_refused(tmp_path, mode):
    path = tmp_path / "state.db"
    path.touch()
    path.chmod(mode)
    with pytest.raises(ConfigError, match="others can reach the database"):
        open_database(path)


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o770, 0o777])
def test_a_vault_that_others_can_reach_is_refused(tmp_path, mode):
    tmp_path.chmod(mode)
    with pytest.raises(ConfigError) as caught:
        check_private(tmp_path, "vault")
    assert "chmod 700" in str(caught.value)


@pytest.mark.parametrize("mode", [0o660, 0o642, 0o666])
def test_settings_that_others_can_write_are_refused(tmp_path, mode):
    path = tmp_path / "dlp.toml"
    path.touch()
    path.chmod(mode)
    with pytest.raises(ConfigError, match="others can write the settings"):
        check_settings(path)
    path.chmod(0o640)
    check_settings(path)


@pytest.mark.skipif(not ROOT, reason="only root can give a file away")
def test_what_another_user_owns_is_refused(tmp_path):
    path = tmp_path / "dlp.toml"
    path.touch(0o600)
    os.chown(path, 12345, -1)
    for check in (check_settings, lambda p: check_private(p, "database")):
        with pytest.raises(ConfigError, match="another user"):
            check(path)


def test_keys_are_private_long_enough_and_kept(tmp_path, monkeypatch):
    key = tmp_path / "vault.key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o640)
    with pytest.raises(ConfigError, match="others can read the vault key"):
        read_key(key, "vault")
    key.chmod(0o600)
    assert secret_key("vault", str(key)) == b"k" * 32
    key.write_bytes(b"short")
    with pytest.raises(ConfigError, match="shorter"):
        read_key(key, "vault")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    made = secret_key("ledger", lasting=True)
    assert made == secret_key("ledger", lasting=True)
    assert sorted(p.name for p in (tmp_path / "dlp").iterdir()) == ["ledger.key"]


def test_a_key_that_cannot_be_kept_guards_nothing(tmp_path, monkeypatch):
    (tmp_path / "dlp").write_text("in the way")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with pytest.raises(ConfigError, match="cannot be kept"):
        secret_key("vault", lasting=True)


def test_credentials_of_the_service_come_first(tmp_path, monkeypatch):
    (tmp_path / "vault-key").write_bytes(b"c" * 32)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert secret_key("vault") == b"c" * 32


@pytest.mark.parametrize("name", ["100%20.db", "why?.db", "a#b.db", "mode=ro&.db"])
def test_a_database_is_the_very_file_it_is_called(tmp_path, name):
    open_database(tmp_path / name).dispose()
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).stat().st_size > 0
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
