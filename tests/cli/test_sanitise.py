"""`dlp sanitise` writes a checked copy and its certificate; `dlp verify` checks them afresh."""

import hashlib
import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from tests.support.sanitise_notes import NOTE


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def note(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE)
    return path


@pytest.mark.parametrize("profile", ["safe-harbor", "pseudonymise", "redact"])
def test_sanitise_then_verify_then_sanitise_again(note, tmp_path, profile):
    out, again = tmp_path / "out.txt", tmp_path / "again.txt"
    done = run("sanitise", note, "-o", out, "--profile", profile, "--json")
    assert done.exit_code == 0, done.output
    certificate = tmp_path / "out.txt.certificate.json"
    assert json.loads(done.output)["profile"] == profile
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert stat.S_IMODE(certificate.stat().st_mode) == 0o600
    assert note.read_text() == NOTE
    assert "Fernandez" not in out.read_text() + certificate.read_text()
    checked = run("verify", out, certificate)
    assert checked.exit_code == 0, checked.output
    assert run("sanitise", out, "-o", again, "--profile", profile).exit_code == 0
    assert again.read_bytes() == out.read_bytes()


def test_verify_fails_on_a_changed_file(note, tmp_path):
    out = tmp_path / "out.txt"
    run("sanitise", note, "-o", out)
    out.write_text(out.read_text() + "She has HIV. Phone (217) 555-0143.\n")
    checked = run("verify", out, f"{out}.certificate.json")
    assert checked.exit_code == 1
    assert "not the one that was certified" in checked.output
    assert "phone" in checked.output
    assert run("verify", out, note).exit_code == 1


def test_many_files_go_to_a_folder_and_agree(note, tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear Maria Fernandez, your appointment is on 9 March 2021. Dr. John Smith\n")
    out, view = tmp_path / "out", tmp_path / "view.html"
    done = run(
        "sanitise",
        note,
        other,
        "-o",
        out,
        "--mode",
        "surrogate",
        "--review",
        view,
        "--mapping",
        tmp_path / "map",
    )
    assert done.exit_code == 0, done.output
    name = (out / "note.txt").read_text().split("Patient: ")[1].split("  ")[0]
    assert name in (out / "letter.txt").read_text()
    assert "Fernandez" not in view.read_text()
    assert b"Fernandez" not in (tmp_path / "map").read_bytes()


def test_topics_of_the_user(note, tmp_path):
    out = tmp_path / "out.txt"
    assert (
        run("sanitise", note, "-o", out, "--protect", "type 2 diabetes", "--alpha", "2").exit_code
        == 0
    )
    made = out.read_text()
    assert "diabetes" not in made
    assert "HIV" in made


def test_alpha_auto_keeps_what_was_asked(note, tmp_path):
    out = tmp_path / "out.txt"
    done = run(
        "sanitise",
        note,
        "-o",
        out,
        "--protect",
        "syphilis",
        "--alpha",
        "auto",
        "--utility",
        "0.5",
        "--json",
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["utility"]["preserved"] >= 0.5


def test_refusals_write_nothing(note, tmp_path):
    assert run("sanitise", note, "-o", note).exit_code == 2
    assert run("sanitise", note, "-o", tmp_path / "x", "--alpha", "9").exit_code == 2
    odd = tmp_path / "odd.bin"
    odd.write_bytes(bytes(range(256)) * 40)
    refused = run("sanitise", odd, "-o", tmp_path / "y.bin")
    assert refused.exit_code != 0
    assert not (tmp_path / "y.bin").exists()
    assert not list(Path(tmp_path).glob(".dlp-*"))


def test_the_commands_say_whom_a_copy_withstands(note, tmp_path):
    out = tmp_path / "out.txt"
    said = run("sanitise", note, "-o", out).stderr
    assert "who knows the medical literature" in said
    assert "dlp knowledge build --words" in said
    assert "medical literature" in run("verify", out, f"{out}.certificate.json").output


def test_a_batch_goes_on_after_a_refusal_and_says_so(note, tmp_path):
    odd = tmp_path / "odd.bin"
    odd.write_bytes(bytes(range(256)) * 40)
    out = tmp_path / "out"
    done = run("sanitise", odd, note, "-o", out)
    assert done.exit_code != 0
    assert (out / "note.txt").exists()
    assert not (out / "odd.bin").exists()
    assert "odd.bin: refused" in done.output
    assert "2 files: 1 written, 1 refused" in done.output


@pytest.mark.parametrize("topic", ["HVI", ""])
def test_an_unknown_topic_writes_nothing(note, tmp_path, topic):
    out = tmp_path / "out.txt"
    assert run("sanitise", note, "-o", out, "--protect", topic).exit_code != 0
    assert not out.exists()


def test_what_cannot_be_measured_is_the_first_line(note, tmp_path):
    out = tmp_path / "out.txt"
    done = run("sanitise", note, "-o", out, "--protect", "Catholicism")
    assert done.output.startswith("NOT MEASURABLE FOR CATHOLICISM")
    checked = run("verify", out, f"{out}.certificate.json")
    assert checked.output.startswith("the certificate is not measurable for Catholicism")


@pytest.mark.parametrize("forgery", [{"seal": None}, {"topics": []}, {"seal": None, "topics": []}])
def test_a_certificate_without_its_seal_or_topics_fails(note, tmp_path, forgery):
    out, certificate = tmp_path / "out.txt", tmp_path / "out.txt.certificate.json"
    run("sanitise", note, "-o", out)
    claims = json.loads(certificate.read_text()) | forgery
    certificate.write_text(json.dumps({k: v for k, v in claims.items() if v is not None}))
    assert run("verify", out, certificate).exit_code == 1


def test_a_copy_that_is_there_is_never_replaced_unasked(note, tmp_path):
    out = tmp_path / "out.txt"
    out.write_text("mine")
    refused = run("sanitise", note, "-o", out)
    assert refused.exit_code == 2
    assert "--force" in refused.output
    assert out.read_text() == "mine"
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "note.txt").write_text("mine")
    assert run("sanitise", note, "--into", tmp_path / "copies").exit_code == 16
    assert (tmp_path / "copies" / "note.txt").read_text() == "mine"
    assert run("sanitise", note, "--into", tmp_path / "copies", "--force").exit_code == 0
    assert (tmp_path / "copies" / "note.txt").read_text() != "mine"


@pytest.mark.parametrize("place", ["new/", "--into"])
def test_a_folder_is_told_by_its_path_or_by_into(note, tmp_path, place):
    where = ["--into", tmp_path / "new"] if place == "--into" else ["-o", f"{tmp_path}/new/"]
    assert run("sanitise", note, *where).exit_code == 0
    assert (tmp_path / "new" / "note.txt").is_file()
    assert run("sanitise", note, "-o", tmp_path / "one").exit_code == 0
    assert (tmp_path / "one").is_file()
    assert run("sanitise", note).exit_code == 2


def test_a_batch_goes_on_and_ends_with_a_summary_and_a_manifest(note, tmp_path):
    odd, gone = tmp_path / "Maria Fernandez.bin", tmp_path / "copies"
    odd.write_bytes(bytes(range(256)) * 40)
    done = run("sanitise", odd, note, "--into", gone)
    assert done.exit_code == 16
    assert "2 files: 1 written, 1 refused" in done.output
    first, second = json.loads((gone / "manifest.json").read_text())["files"]
    assert (first["number"], bool(first["refused"])) == (1, True)
    assert second["output"] == "note.txt"
    assert second["sha256"] == hashlib.sha256((gone / "note.txt").read_bytes()).hexdigest()
    assert "Fernandez" not in (gone / "manifest.json").read_text()


def test_a_dry_run_writes_nothing(note, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    done = run("sanitise", note, "--into", tmp_path / "copies", "--dry-run")
    assert done.exit_code == 0, done.output
    assert "would write" in done.output
    assert "1 file: 1 would be written" in done.output
    assert sorted(tmp_path.rglob("*")) == before
