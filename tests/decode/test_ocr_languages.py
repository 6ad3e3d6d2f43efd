"""Pages are read in the languages whose packs are installed, and `dlp doctor` names them."""

import pytest

from dlp import selftest
from dlp.decode import ocr


@pytest.fixture
def packs(tmp_path, monkeypatch):
    """A folder that tesseract looks into first, and a way to install empty packs there."""
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    monkeypatch.delenv(ocr.CHOSEN, raising=False)

    def install(*names):
        for name in names:
            (tmp_path / f"{name}.traineddata").touch()

    return install


def test_every_installed_language_is_read_english_first(packs):
    packs("spa", "eng", "osd", "deu")
    assert ocr.read_in() == ["eng", "deu", "spa"]
    if selftest.tesseract().state is not selftest.State.WARN:
        assert selftest.tesseract().detail.endswith("reads eng deu spa")


def test_a_pack_that_arrives_changes_what_can_be_read(packs):
    packs("eng")
    before = ocr.capability()
    packs("fra")
    assert ocr.capability() != before


def test_of_all_packs_that_exist_only_english_is_used(packs):
    packs("eng", *(f"x{number:02}" for number in range(ocr.MOST_PACKS)))
    assert ocr.read_in() == ["eng"]


def test_those_that_are_named_are_used(packs, monkeypatch):
    packs("eng", "fra", "spa")
    monkeypatch.setenv(ocr.CHOSEN, "spa+eng")
    assert ocr.read_in() == ["spa", "eng"]
