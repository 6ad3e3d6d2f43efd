"""The clean copy that the daemon makes is the one that its settings ask for."""

import base64
import io

import pytest

from dlp.config import parse
from dlp.engine.sanitise_workers import Cleanse
from dlp.errors import ConfigError
from dlp.model import FileRef

LETTER = (
    "Discharge letter\n\nPatient: Jane Miller\nMRN: 4711223\n\n"
    "Jane Miller was admitted with chest pain and is being treated for asthma.\n"
)


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


def made_with(**wanted):
    settings = parse({"sanitise": wanted}, where="test")
    made = Cleanse(settings)(FileRef("ward", b"letter.txt"), io.BytesIO(LETTER.encode()))
    return base64.b64decode(made["clean"]).decode(), made["certificate"]


def test_topics_mode_and_strictness_are_those_of_the_settings():
    clean, certificate = made_with(protect=["asthma"], mode="redact", alpha=2.0)
    assert "asthma" not in clean.lower()
    assert "chest pain" in clean
    assert (certificate["mode"], certificate["alpha"]) == ("redact", 2.0)
    assert certificate["profile"] == "redact", "what suits the mode"
    assert [topic["topic"] for topic in certificate["topics"]] == ["asthma"]
    assert "Miller" not in clean


@pytest.mark.parametrize("wrong", [{"profile": "vague"}, {"mode": "smudge"}, {"alpha": 9}])
def test_a_plan_that_does_not_exist_is_refused_with_the_settings(wrong):
    with pytest.raises(ConfigError, match="sanitise"):
        parse({"sanitise": wrong}, where="test")
