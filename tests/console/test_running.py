"""Around the pages: the command, the extra, the sums beside, the process that reads files again."""

import importlib.util
import io
import re
import zipfile

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.console.endpoint import Endpoint
from dlp.console.serve import SummaryRefresher, bound
from dlp.console.services import Reader
from dlp.errors import ConfigError
from dlp.store import queries
from dlp.store.catalogue import Catalogue
from dlp.store.summaries import stale_folders
from tests.console import site


def test_without_its_extra_the_console_says_what_to_install(monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "starlette" else real(name)
    )
    done = CliRunner().invoke(main, ["console"])
    assert done.exit_code == 2
    assert (
        done.output.strip()
        == "dlp: the console needs its extra: pip install 'phi-share-dlp[console]'"
    )


def test_users_are_kept_by_the_command(tmp_path):
    config = tmp_path / "dlp.toml"
    config.write_text(
        f'[store]\ndatabase = "{tmp_path}/a.db"\n[ledger]\nanchor = "{tmp_path}/anchor"\n[quarantine]\nvault = "{tmp_path}/vault"\n'
    )
    config.chmod(0o600)

    def run(*words, given=""):
        return CliRunner().invoke(
            main, ["console", "--config", str(config), "user", *words], input=given
        )

    assert (
        run(
            "add", "olga", "--role", "officer", "--password-stdin", given="correct horse battery\n"
        ).exit_code
        == 0
    )
    assert run("list").output == "olga  officer\n"
    assert (
        "there is a user"
        in run("add", "olga", "--password-stdin", given="correct horse battery\n").output
    )
    assert "12 characters" in run("add", "short", "--password-stdin", given="short\n").output
    assert (
        "lower-case"
        in run("add", "Ol ga", "--password-stdin", given="correct horse battery\n").output
    )
    assert run("set", "olga", "--role", "viewer", "--disable").exit_code == 0
    assert run("list").output == "olga  viewer  disabled\n"
    assert run("remove", "olga").exit_code == 0
    assert "no user" in run("remove", "olga").output


def test_the_sums_follow_the_catalogue(services, base):
    writer = Catalogue(services.engine)
    writer.add(
        site.record(
            f"{base}/share/new/one.txt", [site.person(1, 1.0, 0.9), site.person(700, 1.0, 0.4)]
        )
    )
    writer.flush()
    assert stale_folders(services.engine)
    SummaryRefresher(services).turn()
    assert not stale_folders(services.engine)
    row = queries.file_page(services.engine, queries.Asked("privacy", text=b"new/one")).rows[0]
    people = queries.one_file(services.engine, row["id"])["persons"]
    assert all(person["identity"].startswith("P-") for person in people)
    together = queries.identity(services.engine, people[0]["identity"])
    assert together["files"] == 2  # the same marks as in letter.txt


def test_the_evidence_pack_comes_as_one_archive(browser):
    olga = browser()
    answer = olga.post("/evidence", days="30")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
        assert "SHA256SUMS" in names
        assert b"exported the evidence pack" in b"".join(archive.read(name) for name in names)
    assert olga.post("/evidence", days="0").status_code == 400
    assert browser("remy").post("/evidence", days="30").status_code == 403


def test_a_taken_port_is_named():
    with bound(Endpoint(port=0)) as taken, pytest.raises(ConfigError, match="cannot listen"):
        bound(Endpoint(port=taken.getsockname()[1]))


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_file_is_read_again_in_a_confined_worker(services, base, browser):
    """The real process: masks without values, values on demand, a result beside its original."""
    letter = base / "share/wards/letter.txt"
    letter.write_text(
        "Discharge summary. Patient: Ana Quillfeather, born 14/03/1961, MRN 4471902. She has HIV infection and asthma."
    )
    reader = Reader(services.settings)
    try:
        masked = reader.ask("findings", str(letter), clear=False)
        assert masked["findings"]
        assert "Ana" not in str(masked["findings"])
        clear = reader.ask("findings", str(letter), clear=True)
        assert "4471902" in {one["text"] for one in clear["findings"]}
        made = reader.ask("sanitise", str(letter))
        assert made["sha256"]
        assert "4471902" not in str(made["sides"])
    finally:
        reader.close()
    services.reader = Reader(services.settings)
    olga = browser()
    number = olga.file("letter.txt")
    page = olga.post(f"/files/{number}/sanitise").text
    result = re.search(r'name="result" value="([0-9a-f]{64})"', page)[1]
    assert (
        olga.post(
            f"/files/{number}/sanitise/replace", result="0" * 64, why="for research"
        ).status_code
        == 303
    )
    assert "4471902" in letter.read_text()
    assert (
        olga.post(
            f"/files/{number}/sanitise/replace", result=result, why="for research"
        ).status_code
        == 303
    )
    assert "4471902" not in letter.read_text()
