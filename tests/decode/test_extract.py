"""Every file gets a Document and honest gaps; what is inside goes through the same door."""

import io
from types import ModuleType

import pytest

from dlp.decode import extract as door
from dlp.decode.contract import Embedded, Limits, Title
from dlp.decode.extract import Read, read
from dlp.decode.format_registry import FormatRegistry, registry
from dlp.model import Case, FieldMap, FileRef, Gap, GapCode, Part
from dlp.pipeline import Pipeline


@pytest.fixture
def formats(monkeypatch):
    """Replace the registry by functions of the test, keyed by media type."""
    known = {}

    class ResourceRegistry:
        media_types = known

        def extractor(self, media_type):
            return known.get(media_type)

    monkeypatch.setattr(door, "registry", ResourceRegistry)
    return known


def test_plain_text_is_read_whole():
    reading = read(io.BytesIO("Ada Example, café\n".encode()), "note.txt")
    assert [(p.locator, p.text) for p in reading.document.parts] == [
        ("body", "Ada Example, café\n")
    ]
    assert reading.document.media_type == "text/plain"
    assert reading.document.title == "note.txt"
    assert reading.gaps == ()


def test_an_empty_file_is_a_document_without_text_or_gap():
    reading = read(io.BytesIO(b""), "x.pdf")
    assert reading.document.parts == ()
    assert reading.gaps == ()


def test_unknown_bytes_are_never_clean():
    reading = read(io.BytesIO(bytes(range(256)) * 8), "x.bin")
    assert [gap.code for gap in reading.gaps] == [GapCode.UNSUPPORTED]


def test_embedded_files_take_the_same_door_and_keep_their_place(formats):
    def outer(source, limits):
        yield Title("  Outer\n title ")
        yield Part("body", "outer")
        yield Embedded("attachment:1", "inner.txt", b"inner text")
        yield Gap(GapCode.ENCRYPTED, "attachment:2")

    formats["text/plain"] = lambda source, limits: iter([Part("body", source.read().decode())])
    formats["application/pdf"] = outer
    reading = read(io.BytesIO(b"%PDF-1.7"), "x.pdf")
    assert [(p.locator, p.text) for p in reading.document.parts] == [
        ("body", "outer"),
        ("attachment:1/body", "inner text"),
        ("names", "inner.txt"),
    ]
    assert reading.document.title == "Outer title"
    assert reading.gaps == (Gap(GapCode.ENCRYPTED, "attachment:2"),)


def test_a_crash_keeps_what_was_read_and_tells_nothing_of_the_content(formats, caplog):
    def broken(source, limits):
        yield Part("body", "first")
        raise ValueError("invalid literal: 'Ada Example'")

    formats["application/pdf"] = broken
    reading = read(io.BytesIO(b"%PDF-1.7"))
    assert [part.text for part in reading.document.parts] == ["first"]
    assert reading.gaps == (Gap(GapCode.INTERNAL, "body"),)
    assert "Ada" not in caplog.text


def test_nesting_ends_at_the_depth_limit(formats):
    def doll(source, limits):
        yield Embedded("member:1", "", source.read())

    formats["application/pdf"] = doll
    reading = read(io.BytesIO(b"%PDF-1.7"), limits=Limits(max_depth=3))
    assert reading.gaps == (Gap(GapCode.TOO_DEEP, "member:1/" * 3 + "member:1"),)


@pytest.mark.parametrize(
    "limits",
    [Limits(max_entries=5), Limits(max_inflated_bytes=60), Limits(max_text_chars=50)],
    ids=["entries", "bytes", "text"],
)
def test_one_budget_covers_all_nesting(formats, limits):
    opened = []

    def bush(source, limits):
        opened.append(1)
        for number in range(10):
            yield Part("body", "ten chars.")
            yield Embedded(f"member:{number}", "", b"%PDF-1.7..")

    formats["application/pdf"] = bush
    reading = read(io.BytesIO(b"%PDF-1.7"), limits=limits)
    assert {gap.code for gap in reading.gaps} >= {GapCode.TOO_LARGE}
    assert len(opened) <= 12
    assert reading.document.characters <= 50 or limits.max_text_chars > 50


def test_text_beyond_the_limit_is_cut_with_its_fields_and_said(formats):
    fields = FieldMap()
    fields.add("a", 0, 4, 0)
    fields.add("b", 4, 9, 0)
    formats["application/pdf"] = lambda source, limits: iter([Part("body", "123456789", fields)])
    reading = read(io.BytesIO(b"%PDF-1.7"), limits=Limits(max_text_chars=6))
    (part,) = reading.document.parts
    assert part.text == "123456"
    assert [field.label for field in part.fields] == ["a"]
    assert reading.gaps == (Gap(GapCode.TOO_LARGE, "body"),)


def test_time_runs_out_softly(formats):
    formats["application/pdf"] = lambda source, limits: iter([Part("body", "x")] * 3)
    reading = read(io.BytesIO(b"%PDF-1.7"), limits=Limits(wall_seconds=0.0))
    assert reading.gaps == (Gap(GapCode.TIMEOUT, "body"),)
    assert len(reading.document.parts) == 1


def test_the_stage_reads_the_open_file_of_the_case():
    case = Case(FileRef("s", b"dir/n\xff.txt"), facts={"source": io.BytesIO(b"words")})
    case = Pipeline([Read()]).run(case)
    assert case.document.parts[0].text == "words"
    assert case.document.title == "n\ufffd.txt"
    assert case.trail == ("decode.extract",)


def test_reprs_are_silent():
    reading = read(io.BytesIO(b"Ada Example"), "Ada.txt")
    assert "Ada" not in repr(reading)


def test_two_modules_cannot_claim_one_type(tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text('MEDIA_TYPES = frozenset({"a/b"})\n')
    package = ModuleType("shelf")
    package.__path__ = [str(tmp_path)]
    with pytest.raises(ValueError, match="claimed by one and two"):
        FormatRegistry(package)


def test_every_module_of_the_folder_is_found_and_every_type_has_an_extractor():
    for media_type in registry().media_types:
        assert callable(registry().extractor(media_type))
    assert "text/plain" in registry().media_types
