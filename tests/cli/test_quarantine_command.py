"""An operator can list, look at, give back, release, hold and purge, and each deed is recorded."""

import json
import os

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.config import load
from dlp.engine.policy_responder import Made, Responder, open_keeping
from dlp.model import Container, Gap, GapCode, Person, Verdict
from tests.support.guarded_share import ref_of

LEAK = Person("p", frozenset({"phone:00"}), identifiability=1.0, sensitivity=0.9)
PHI = Verdict(Container.PHI, "", (LEAK,), (), "r", 0.9, readers=1000)


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    share = tmp_path / "share"
    share.mkdir()
    config = tmp_path / "dlp.toml"
    config.write_text(
        f'[[share]]\nname = "clinic"\npath = "{share}"\n[share.policy]\nphi = "quarantine"\n'
        '[breaker]\nactions = 8\n[quarantine]\ncontact = "it"\n'
    )
    config.chmod(0o600)
    return config, share


def acting(config, names, share, *, verdict=PHI, made=None):
    settings = load(config)
    keeping = open_keeping(settings)
    responder = Responder(settings, keeping)
    responder.recover()
    outcomes = [responder.act(ref_of(share, name), verdict, 1000, made) for name in names]
    responder.close()
    keeping.close()
    return outcomes


def dlp(*arguments, config, code=0):
    result = CliRunner().invoke(main, [*arguments, "--config", str(config)])
    assert result.exit_code == code, result.output
    return result.output


def test_the_whole_life_of_a_case(site):
    config, share = site
    (share / "a.txt").write_bytes(b"one")
    (share / "b.txt").write_bytes(b"two")
    first, second = (o.undo_token for o in acting(config, [b"a.txt", b"b.txt"], share))
    rows = [
        json.loads(line) for line in dlp("quarantine", "list", "--json", config=config).splitlines()
    ]
    assert [(row["id"], row["state"], row["why"]) for row in rows] == [
        (first, "done", "phi/critical"),
        (second, "done", "phi/critical"),
    ]
    assert json.loads(dlp("quarantine", "show", first, config=config))["sound"]
    assert "restored" in dlp("quarantine", "restore", first, "--why", "asked", config=config)
    assert (share / "a.txt").read_bytes() == b"one"
    assert "no item" in dlp("quarantine", "show", "nosuch", config=config, code=13)
    assert "cannot be restored" in dlp("quarantine", "restore", first, config=config, code=14)
    dlp("quarantine", "hold", second, "--reason", "court", config=config)
    assert "copy kept" in dlp("quarantine", "release", second, config=config)
    dlp("quarantine", "hold", second, config=config)
    assert "copy destroyed" in dlp("quarantine", "release", second, config=config)
    assert dlp("quarantine", "purge", "--yes", config=config) == ""
    assert "whole" in dlp("ledger", "verify", config=config)
    told = dlp("ledger", "show", config=config)
    assert "operator" in told
    assert "asked" in told
    assert "b.txt" not in told


def test_every_copy_in_the_vault_is_verified(site):
    config, share = site
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        (share / name).write_bytes(name.encode() * 500)
    names = [b"a.txt", b"b.txt", b"c.txt", b"d.txt"]
    first, second, third, _ = (o.undo_token for o in acting(config, names, share))
    assert "4 copies: all sound" in dlp("quarantine", "verify", config=config)
    folder = next(config.parent.rglob("*.blob")).parent
    torn = bytearray((folder / f"{first}.blob").read_bytes())
    torn[-3] ^= 1
    (folder / f"{first}.blob").write_bytes(torn)
    (folder / f"{second}.blob").unlink()
    (folder / f"{'0' * 16}.blob").write_bytes((folder / f"{third}.blob").read_bytes())
    told = json.loads(dlp("quarantine", "verify", "--json", config=config, code=1))
    assert not told["sound"]
    assert {row["item"] for row in told["faults"]} == {first, second, "0" * 16}


def test_a_tampered_ledger_fails_the_command(site, tmp_path):
    config, share = site
    (share / "a.txt").write_bytes(b"one")
    acting(config, [b"a.txt"], share)
    anchor = tmp_path / "state" / "dlp" / "ledger.anchor"
    anchor.unlink()
    assert "NOT WHOLE" in dlp("ledger", "verify", config=config, code=1)


def test_settings_that_others_can_write_are_refused(site):
    config, _ = site
    config.chmod(0o666)
    assert "others can write the settings" in dlp("quarantine", "list", config=config, code=11)


def test_the_breaker_stops_a_flood_and_a_restart_does_not_free_it(site):
    config, share = site
    names = [b"%d.txt" % n for n in range(12)]
    for name in names:
        (share / os.fsdecode(name)).write_bytes(name)
    outcomes = acting(config, names, share)
    assert [outcome.done for outcome in outcomes] == [True] * 8 + [False] * 4
    assert acting(config, names[8:9], share)[0].detail == "stopped acting"
    assert (
        "acting is stopped"
        in CliRunner().invoke(main, ["quarantine", "list", "--config", str(config)]).output
    )
    dlp("quarantine", "resume", "--why", "it was a migration", config=config)
    assert (share / "8.txt").exists()


def test_what_was_read_of_a_changing_file_moves_nothing(site):
    config, share = site
    (share / "a.txt").write_bytes(b"one")
    unsure = Verdict(Container.PHI, "", (LEAK,), (Gap(GapCode.CHANGED, "x"),), "r", 0.9)
    assert acting(config, [b"a.txt"], share, verdict=unsure)[0].action == "notify"
    assert (share / "a.txt").exists()


def test_only_an_ignore_file_of_ours_is_believed(site):
    config, share = site
    (share / "a.txt").write_bytes(b"one")
    ignore = share / ".dlpignore"
    ignore.write_bytes(b"*.txt\n")
    assert acting(config, [b"a.txt"], share)[0].detail == "ignored"
    if os.geteuid() == 0:
        os.chown(ignore, 12345, 12345)
        assert acting(config, [b"a.txt"], share)[0].action == "quarantine"


HARMLESS = Verdict(Container.IMPOSSIBLE, "read in full")


@pytest.mark.parametrize(
    "made, why",
    [
        (Made([b"clean"], {"format": 1}, HARMLESS), ""),
        (Made(None, {}, PHI, "refused"), ", not sanitised: refused"),
        (Made([b"hardly"], {"format": 1}, PHI), ", not sanitised: still judged so"),
        (None, ", not sanitised: unsanitised"),
    ],
    ids=["certified", "refused", "rescan failed", "no workers"],
)
def test_sanitising_falls_back_to_quarantine(site, made, why):
    config, share = site
    config.write_text(config.read_text().replace('phi = "quarantine"', 'phi = "sanitise"'))
    (share / "a.txt").write_bytes(b"one")
    (outcome,) = acting(config, [b"a.txt"], share, made=made)
    assert outcome.done
    assert outcome.action == ("quarantine" if why else "replace")
    assert (share / "a.txt").exists() is not bool(why)
    row = json.loads(dlp("quarantine", "list", "--json", config=config))
    assert row["why"] == f"phi/critical{why}"


def test_a_share_that_is_only_observed_gets_no_holding_folder(site, tmp_path):
    config, share = site
    config.write_text(config.read_text().replace('phi = "quarantine"', 'phi = "notify"'))
    (share / "a.txt").write_bytes(b"one")
    assert acting(config, [b"a.txt"], share)[0].action == "notify"
    assert sorted(os.listdir(tmp_path)) == ["dlp.toml", "share", "state"]


def test_holding_folders_and_vault_are_named_so_that_nobody_scans_them(site):
    config, _ = site
    settings = load(config)
    keeping = open_keeping(settings)
    responder = Responder(settings, keeping)
    responder.recover()  # as at every start
    names = {os.path.basename(folder) for folder in responder.own_folders()}
    assert names == {b".dlp-hold-clinic", b"vault"}
    responder.close()
    keeping.close()
