"""Keys lie apart from the data or a warning is given; a lost key is never replaced in silence."""

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.config import Keys, Ledger, Quarantine, Settings, Store
from dlp.engine.policy_responder import open_keeping
from dlp.errors import ConfigError
from dlp.keys import keys_beside_data


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for name in ("STATE_DIRECTORY", "CREDENTIALS_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def keys_in(folder, **apart):
    folder.mkdir(exist_ok=True)
    for name in ("fingerprint", "vault", "ledger"):
        path = folder / f"{name}.key"
        path.write_bytes(bytes(32))
        path.chmod(0o600)
    return Settings(
        keys=Keys(fingerprint=str(folder / "fingerprint.key"), **apart),
        quarantine=Quarantine(key=str(folder / "vault.key")),
        ledger=Ledger(key=str(folder / "ledger.key")),
    )


def test_keys_beside_the_data_are_told(home, caplog):
    assert keys_beside_data(Settings()) == ["fingerprint", "vault", "ledger"]
    open_keeping(Settings()).close()
    assert "beside the data" in caplog.text
    assert keys_beside_data(keys_in(home / "keys")) == []


def test_a_link_to_a_key_beside_the_data_is_apart_and_one_folder_for_all_is_not(home):
    settings = keys_in(home / "keys")
    store = Store(database=str(home / "keys" / "catalogue.db"))
    assert "fingerprint" in keys_beside_data(settings.model_copy(update={"store": store}))


def test_where_apart_is_required_nothing_is_opened(home):
    with pytest.raises(ConfigError, match="beside the data"):
        open_keeping(Settings(keys=Keys(apart="require")))
    assert not (home / "dlp" / "catalogue.db").exists()
    open_keeping(keys_in(home / "keys", apart="require")).close()


def test_the_doctor_says_where_the_keys_lie(home):
    config = home / "dlp.toml"
    config.write_text('[keys]\napart = "require"\n')
    told = CliRunner().invoke(main, ["doctor", "--config", str(config)])
    assert "beside the data: fingerprint, vault, ledger" in told.output
    assert told.exit_code == 1


def test_a_lost_vault_key_stops_instead_of_making_another(home):
    open_keeping(Settings()).close()
    (home / "dlp" / "vault" / "0123456789abcdef").write_bytes(b"a copy")
    (home / "dlp" / "vault.key").unlink()
    with pytest.raises(ConfigError, match="its key is gone"):
        open_keeping(Settings())
    assert not (home / "dlp" / "vault.key").exists()
