"""`dlp config check` knows what valid settings mean here; `dlp init` writes some that pass it."""

import os
import stat
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from dlp import config
from dlp.cli.main import main
from dlp.daemon import check
from dlp.errors import ConfigError


def share(name="one", path="{t}/share"):
    return f'[[share]]\nname="{name}"\npath="{path}"\n'


def channel(more):
    return share() + f'[[notify.channel]]\nname="soc"\n{more}\n'


HOOK = 'kind="hook"\ncommand=["/bin/true"]\n'
MAIL = 'kind="email"\nrelay="h:25"\nsender="a@b"\n'
WRONG = [
    # what the file says                                    what the answer says
    ("",                                                    ["no folder is guarded", "dlp init"]),
    (share("ward") + share("ward", "{t}/other"),            ["two shares have this name"]),
    (share("one") + share("two"),                           ["both guard"]),
    (share("one", "{t}") + share("two"),                    ["one lies inside the other"]),
    (share(path="{t}/nowhere"),                             ["does not exist", "mount it"]),
    (share(path="{t}/plain"),                               ["is no folder"]),
    ('[store]\nstate="{t}/share/state"\n' + share(),        ["store.state", "inside share one"]),
    ('[quarantine]\nvault="{t}/share/v"\n' + share(),       ["quarantine.vault", "inside"]),
    ('[keys]\nfingerprint="{t}/loose.key"\n' + share(),     ["keys.fingerprint", "chmod 600"]),
    ('[ledger]\nkey="{t}/none.key"\n' + share(),            ["ledger.key", "cannot be read"]),
    ('[keys]\napart="require"\n[policy]\nphi="quarantine"\n' + share(), ["beside the data"]),
    (channel(HOOK + 'shares=["wrad"]'),                     ["channel soc", "no share wrad", "one"]),
    (channel(HOOK + 'events=["fond"]'),                     ["no event fond", "found"]),
    (channel('kind="hook"\ncommand=["/bin/nosuch"]'),       ["/bin/nosuch cannot be run"]),
    (channel(MAIL + 'to=["boss"]'),                         ["boss is no mail address"]),
    ('[store]\ndatabase="postgresql://x@127.0.0.1:1/n"\n' + share(), ["127.0.0.1:1", "server runs"]),
    ('[telemetry]\nport="many"\n' + share(),                ["telemetry.port: write a whole number"]),
    ('[policy]\nphi="quarantaine"\n' + share(),             ["policy.phi: choose one of 'observe'"]),
    ("[acquire]\nnice=40\n" + share(),                      ["acquire.nice: must be at most 19"]),
    ("[acquire]\nidle_io=3\n" + share(),                    ["acquire.idle_io: write true or false"]),
]  # fmt: skip


@pytest.fixture(autouse=True)
def ground(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    for name in ("share", "other"):
        Path(name).mkdir()
    Path("plain").touch()
    Path("loose.key").write_bytes(bytes(32))
    Path("loose.key").chmod(0o644)
    return tmp_path


def dlp(*arguments, **options):
    return CliRunner().invoke(main, list(map(str, arguments)), **options)


@pytest.mark.parametrize("text, says", WRONG, ids=[says[0] for _, says in WRONG])
def test_a_mistake_is_named_with_its_remedy(ground, text, says):
    path = ground / "dlp.toml"
    path.write_text(text.format(t=ground))
    path.chmod(0o600)
    result = dlp("config", "check", path)
    assert result.exit_code == 11, result.output
    for words in says:
        assert words in result.output


def test_a_remark_is_no_mistake(ground):
    path = ground / "dlp.toml"
    path.write_text('[policy]\nphi="notify"\n' + share().format(t=ground))
    path.chmod(0o600)
    result = dlp("config", "check", path)
    assert result.exit_code == 0, result.output
    assert "notify reaches nobody" in result.output
    assert "guards one" in result.output


def test_the_daemon_refuses_two_shares_of_one_name():
    shares = [{"name": "ward", "path": "/a"}, {"name": "ward", "path": "/b"}]
    with pytest.raises(ConfigError, match="two shares have this name"):
        check(config.parse({"share": shares}, where="test"))


def test_init_asks_five_questions_and_writes_what_passes_the_check(ground):
    answers = "share, other\nquarantine\nsecurity desk\n\nno\n"
    result = dlp("init", "-o", "etc/dlp.toml", input=answers)
    assert result.exit_code == 0, result.output
    path = ground / "etc" / "dlp.toml"
    settings = config.load(path)
    assert [one.path for one in settings.share] == [f"{ground}/share", f"{ground}/other"]
    assert (settings.policy.phi, settings.quarantine.contact) == ("quarantine", "security desk")
    assert dlp("config", "check", path).exit_code == 0
    for private in (path, *path.parent.glob("*.key")):
        assert not stat.S_IMODE(os.stat(private).st_mode) & 0o027, private
    assert len(list(path.parent.glob("*.key"))) == 3


def test_init_asks_nothing_when_told_all_and_overwrites_nothing(ground):
    command = ("init", "--share", "share", "--action", "observe", "--yes", "-o", "dlp.toml")
    assert dlp(*command).exit_code == 0
    before = Path("dlp.toml").read_text()
    assert tomllib.loads(before)["policy"] == {"phi": "observe"}
    again = dlp(*command)
    assert again.exit_code == 2
    assert "--force" in again.output
    keys = [key.read_bytes() for key in ground.glob("*.key")]
    assert dlp(*command, "--force").exit_code == 0
    assert [key.read_bytes() for key in ground.glob("*.key")] == keys


def test_init_without_answers_says_what_is_missing():
    result = dlp("init", "--yes", "-o", "dlp.toml")
    assert result.exit_code == 2
    assert "--share PATH" in result.output
    assert not Path("dlp.toml").exists()
