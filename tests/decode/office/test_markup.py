"""Parsing a part of a document reads that part and nothing else."""

import pytest

from dlp.decode.office.markup import parse, stream


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_an_external_dtd_is_never_fetched(tmp_path, scheme):
    dtd = tmp_path / "a.dtd"
    dtd.write_text("<!not a DTD: whoever reads this reports an error")
    raw = f'<?xml version="1.0"?><!DOCTYPE a SYSTEM "{scheme}{dtd}"><a>text</a>'.encode()
    root, damage = parse(raw)
    assert root.text == "text"
    assert damage is None
    with open(tmp_path / "a.xml", "w+b") as part:
        part.write(raw)
        part.seek(0)
        assert next(element.text for element in stream(part, "a")) == "text"
