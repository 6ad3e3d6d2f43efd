"""`dlp mapping` leads surrogates back to people: with the vault key, and with nothing else."""

import json
import stat

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from tests.support.keys import give_key, key_number

LETTERS = {
    "one.txt": "Patient: Maria Fernandez   MRN: 4471902\nShe has asthma.\n",
    "two.txt": "Patient: Orville Jankowski   MRN: 5590218\nHe has gout.\n",
}


class Machine:
    """A user with a state folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        self.state = folder / "state"
        self.mapping = folder / "mapping.enc"

    def dlp(self, *arguments, expect=0):
        done = CliRunner().invoke(
            main, list(map(str, arguments)), env={"XDG_STATE_HOME": str(self.state)}
        )
        assert done.exit_code == expect, done.output
        return done

    def sanitise(self, name, *more, expect=0):
        source = self.folder / name
        source.write_text(LETTERS[name])
        out = self.folder / f"out-{name}"
        done = self.dlp(
            "sanitise", source, "-o", out, "--mapping", self.mapping, *more, expect=expect
        )
        return out.read_text() if not expect else done.output


PSEUDONYMS = ("--profile", "pseudonymise", "--protect", "gonorrhea")


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("clinic"))
    give_key(machine.state)
    machine.texts = [machine.sanitise(name, *PSEUDONYMS) for name in LETTERS]
    return machine


def test_every_surrogate_leads_back_over_two_runs(clinic):
    held = json.loads(clinic.dlp("mapping", clinic.mapping, "--json").stdout)
    for text, number, name in zip(
        clinic.texts, ("4471902", "5590218"), ("Maria Fernandez", "Orville Jankowski"), strict=True
    ):
        assert number not in text
        made = text.split("MRN: ")[1].split()[0]
        assert held[made] == [number]
        assert held[text.split("Patient: ")[1].split("  ")[0]] == [name]
    assert stat.S_IMODE(clinic.mapping.stat().st_mode) == 0o600


def test_one_surrogate_is_looked_up_by_any_word_of_it(clinic):
    family = clinic.texts[0].split("Patient: ")[1].split()[1]
    said = clinic.dlp("mapping", clinic.mapping, family.upper()).stdout
    assert "Maria Fernandez" in said
    assert "Jankowski" not in said
    assert "4471902" not in said
    nobody = clinic.dlp("mapping", clinic.mapping, "Nobody Such", expect=1)
    assert "not in this mapping" in nobody.output


def test_another_key_or_none_opens_nothing(clinic, tmp_path):
    key = tmp_path / "other.key"
    key.write_bytes(key_number(7))
    key.chmod(0o600)
    settings = tmp_path / "dlp.toml"
    settings.write_text(f'[quarantine]\nkey = "{key}"\n')
    refused = clinic.dlp("mapping", clinic.mapping, "--config", settings, expect=16).output
    assert "DLP-600" in refused
    assert "quarantine.old_keys" in refused
    assert "Fernandez" not in refused
    stranger = Machine(tmp_path)
    assert "vault key" in stranger.dlp("mapping", clinic.mapping, expect=16).output
    assert not (stranger.state / "dlp" / "vault.key").exists(), "whoever only looks makes no key"
    # After a rotation the old key is named, and the next run closes the mapping with the new one.
    old = clinic.state / "dlp" / "vault.key"
    settings.write_text(f'[quarantine]\nkey = "{key}"\nold_keys = ["{old}"]\n')
    assert "Fernandez" in clinic.dlp("mapping", clinic.mapping, "--config", settings).output


def test_a_mapping_that_cannot_be_opened_is_not_overwritten(clinic, tmp_path):
    machine = Machine(tmp_path)
    give_key(machine.state)
    machine.mapping.write_bytes(before := clinic.mapping.read_bytes())
    said = machine.sanitise("one.txt", *PSEUDONYMS, expect=16)
    assert "another vault key" in said
    assert machine.mapping.read_bytes() == before
    assert not (tmp_path / "out-one.txt").exists()


def test_what_is_not_reversible_has_no_mapping(tmp_path):
    machine = Machine(tmp_path)
    said = machine.sanitise("one.txt", "--profile", "safe-harbor", expect=2)
    assert "nothing else is reversible" in said
    assert not machine.mapping.exists()
    assert not (tmp_path / "out-one.txt").exists()
