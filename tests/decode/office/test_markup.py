"""Parsing a part of a document reads that part and nothing else."""

import pytest

from dlp.decode.office.markup import attribute, by_local_name, parse, stream


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


@pytest.mark.parametrize(
    "element",
    [
        "<a/>",
        '<a b="1" c="2"/>',
        '<a xmlns:x="urn:x" x:b="1" b="2"/>',
        '<x:a xmlns:x="urn:x" xmlns:y="urn:y" y:b="1" x:b="2" y:c="3"/>',
        '<x:a xmlns:x="urn:x" xmlns:y="urn:y" xmlns:z="urn:z" z:b="1" y:b="2" c=""/>',
    ],
)
def test_all_attributes_at_once_are_those_asked_for_one_by_one(element):
    root, _ = parse(element.encode())
    told = by_local_name(root)
    for name in "abc":
        assert told.get(name, "") == attribute(root, name)
