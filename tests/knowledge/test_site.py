"""A site's own knowledge is for whoever may read it; others go on with what is bundled."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dlp.resources import artefacts_folder

# As the package makes it: the state of the service, which nobody else may look into.
CODE = """
import os, sys
from pathlib import Path
from dlp import selftest
from dlp.errors import KnowledgeError
from dlp.knowledge import sensitivity, site_knowledge
from dlp.knowledge.health import load_health
from dlp.knowledge.inference import load_inference
from dlp.knowledge.cooccurrence import load_own_words
from dlp.knowledge.sensitivity import load_sensitivity
site_knowledge.DEFAULT = Path(sys.argv[1])
os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
try:
    load_health(), load_inference(), load_sensitivity()
    print(load_own_words(site_knowledge.site_folder()), site_knowledge.site_version() or "bundled")
    print(*(check.state.value for check in selftest.knowledge_of_the_site()))
except KnowledgeError as error:
    print(error)
"""


@pytest.fixture
def ground():
    """A folder that others may enter, which none of pytest's is."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def service(ground):
    folder = ground / "state" / "knowledge"
    folder.mkdir(parents=True)
    (folder / "sensitivity.toml").write_text("not a table, and nobody else's to read")
    return folder


def as_nobody(folder, **environment):
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    above = artefacts_folder().resolve().parents
    if not all(folder.stat().st_mode & stat.S_IXOTH for folder in above):
        pytest.skip("other users may not enter this checkout")
    tried = subprocess.run(
        [sys.executable, "-c", CODE, str(folder)],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert not tried.returncode, tried.stderr
    return tried.stdout.splitlines()


@pytest.mark.parametrize("closed", ["", ".."], ids=["the folder", "the one above"])
def test_what_is_closed_to_a_user_is_as_if_it_were_not_there(service, closed):
    (service / closed).resolve().chmod(0o700)
    assert as_nobody(service) == ["None bundled", "warn"]


def test_a_folder_that_was_named_must_be_readable(service):
    service.chmod(0o700)
    told = as_nobody(service.parent / "elsewhere", DLP_KNOWLEDGE=str(service))
    assert told[0].startswith("DLP-200")
    assert "cannot be read" in told[0]


def test_where_there_is_none_nothing_is_said(ground):
    assert as_nobody(ground / "nothing") == ["None bundled", ""]
