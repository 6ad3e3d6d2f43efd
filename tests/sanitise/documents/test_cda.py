"""What a clinical document calls a line of an address goes, whatever it looks like."""

from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers

KIND = "application/xml"
DOCUMENT = b"""<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><guardian><addr>
<streetAddressLine>12 Windy Oaks</streetAddressLine><streetAddressLine>Rear 4</streetAddressLine>
<city>Dover</city></addr></guardian></recordTarget>
<text>Moved to 12 Windy Oaks; oaks bloom.</text></ClinicalDocument>"""


def made(data):
    return rewrite(data, KIND, str, key=b"k").data


def test_streets_are_gone_from_header_and_text():
    out = made(DOCUMENT)
    assert leftovers(out, KIND, ["12 Windy Oaks", "Rear 4"]) == []
    assert b"<city>Dover</city>" in out
    assert b"Moved to [address]; oaks bloom." in out
    assert made(out) == out


def test_other_xml_is_left_alone():
    other = DOCUMENT.replace(b"urn:hl7-org:v3", b"urn:another")
    assert b"12 Windy Oaks" in made(other)
