"""The parts of a message are read in order, as deep as the limit and as far as it goes."""

import io

import pytest

from dlp.decode.contract import Embedded, Limits
from dlp.decode.formats import eml
from dlp.model import Gap, GapCode, Part

LINES = [
    *("From: a@example.org", "Content-Type: multipart/mixed; boundary=one", "", "before", "--one"),
    *('Content-Type: multipart/alternative; boundary="two"', "", "--two", "", "said", "--two"),
    *("Content-Type: text/html", "", "<p>shown", "--two--", "", "--one"),
    *("Content-Disposition: attachment; filename=a.txt", "", "file", "--one--", "behind", ""),
]


def read(raw):
    return list(eml.extract(io.BytesIO(raw), Limits()))


def nested(levels):
    parts = "".join(
        f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n"
        for level in range(levels)
    )
    return f"{parts}\nsaid\n".encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_part_of_a_message_is_read(end):
    items = read(end.join(LINES).encode())
    texts = {item.locator: item.text.strip() for item in items if isinstance(item, Part)}
    assert texts["body"] == "said"
    assert "shown" in texts["html:1/body"]
    assert texts["epilogue"] == "behind"
    assert [item.data for item in items if isinstance(item, Embedded)] == [b"file"]


@pytest.mark.parametrize("cut", range(60, 170, 7))
def test_a_message_that_is_cut_off_is_read_as_far_as_it_goes(cut):
    raw = (b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\nX: y\n\nsaid so\n" * 8)[:cut]
    texts = [item.text for item in read(raw) if isinstance(item, Part)]
    assert sum("said so" in text for text in texts) == raw.count(b"said so")


def test_parts_nested_beyond_the_limit_are_a_gap():
    shallow = read(nested(eml.MAX_LEVELS))
    assert any(getattr(item, "text", "").strip() == "said" for item in shallow)
    deep = read(nested(eml.MAX_LEVELS + 2))
    assert Gap(GapCode.TOO_DEEP, "body") in deep
