"""Of an XFA form the values and the printed words are read, its fonts, pictures and scripts not."""

import base64
import io
import os

import pikepdf
import pytest

from dlp.decode.contract import Limits
from dlp.decode.formats.pdf import extract
from dlp.model import Gap, Part

TEMPLATE = """<template xmlns="http://www.xfa.org/schema/xfa-template/2.8/"><subform name="form1">
<draw name="Head"><font typeface="Myriad Pro"/><value><text>Request for leave</text></value></draw>
<draw><value><image contentType="image/png">{picture}</image></value></draw>
<field name="f1"><caption><value><text>Name of applicant</text></value></caption>
<assist><toolTip>Enter your full name</toolTip></assist><value><text>{preset}</text></value>
<event activity="exit"><script>scriptTest.formatTest = "numeric";</script></event></field>
</subform></template>"""
VALUES = """<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1>
<f1>{value}</f1></form1></xfa:data></xfa:datasets>"""
CONFIG = "<config><present><locale>en_US</locale></present></config>"
FRAME = ('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">', "</xdp:xdp>")


def form(*, whole: bool, value: str, preset: str) -> bytes:
    picture = base64.b64encode(os.urandom(6_000)).decode()
    packets = [
        ("preamble", FRAME[0]), ("config", CONFIG),
        ("template", TEMPLATE.format(picture=picture, preset=preset)),
        ("datasets", VALUES.format(value=value)), ("postamble", FRAME[1]),
    ]  # fmt: skip
    pdf = pikepdf.new()
    pdf.add_blank_page()
    if whole:
        xfa = pdf.make_stream("".join(text for _, text in packets).encode())
    else:
        xfa = pikepdf.Array()
        for name, text in packets:
            xfa.extend([pikepdf.String(name), pdf.make_stream(text.encode())])
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array(), XFA=xfa)
    made = io.BytesIO()
    pdf.save(made)
    return made.getvalue()


@pytest.mark.parametrize("whole", [True, False], ids=["one stream", "packets"])
def test_values_and_printed_words_are_told_apart(whole: bool) -> None:
    raw = form(whole=whole, value="Odile Brandt", preset="Ref 4711")
    items = list(extract(io.BytesIO(raw), Limits()))
    texts = {item.locator: item.text for item in items if isinstance(item, Part)}
    assert texts["xfa_template"].split("\n") == [
        "Request for leave", "Name of applicant", "Enter your full name",
    ]  # fmt: skip
    assert texts["xfa/preset"] == "Ref 4711"
    assert "formatTest" in texts["scripts"]
    inside = [item.data for item in items if hasattr(item, "data")]
    assert len(inside) == 1
    assert b"Odile Brandt" in inside[0]
    assert not any("en_US" in text or "Myriad" in text for text in texts.values())
    assert not [item for item in items if isinstance(item, Gap)]
