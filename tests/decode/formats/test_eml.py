"""A message is cut up as the standard library cuts it, or not at all."""

from email import policy
from email.parser import BytesFeedParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode.formats.eml import MAX_LEVELS, message_of

HEADERS = [
    "From: Ada <ada@example.org>\n", "Subject: a\n b\n", "X-Odd : no\n", " goes on\n", ": nothing\n",
    "From somebody\n", "--a: b\n", "Content-Type: text/plain; charset=utf-8\n", "no header\n",
    "Content-Type: message/rfc822\n", "Content-Type: multipart/digest; boundary=a\n",
    "Content-Type: multipart/mixed\n", "Content-Transfer-Encoding: base64\n", "\r\n", "\n", "\xe9\n",
    *(f'Content-Type: multipart/mixed; boundary="{name}"\n' for name in ("a", "b", "a--", "ab", " ", "")),
]  # fmt: skip
LINES = [
    "text\n", "text\r\n", "\n", "\r\n", "\r", "--", "--\n", "more", "\xe9\xff\n", "a--a\n", " --a\n",
    *(f"--{name}{end}" for name in ("a", "b", "a--", "ab", "") for end in ("\n", "\r\n", "--\n", " \t\n", "x\n", "")),
    *(f"--{name}\nContent-Type: text/html\n\n" for name in ("a", "b")),
    *(f"--{name}\n\nsaid\n" for name in ("a", "b", "ab")),
    '--a\nContent-Type: multipart/alternative; boundary="b"\n\n--b\n\nsaid\n',
    '--a\nContent-Type: multipart/alternative; boundary="a"\n\n',
]  # fmt: skip
START = st.sampled_from(['Content-Type: multipart/mixed; boundary="a"\n\n', "Subject: x\n\n", ""])
MAIL = st.builds(
    lambda start, headers, lines: (start + "".join(headers) + "".join(lines)).encode("latin-1"),
    START,
    st.lists(st.sampled_from(HEADERS), max_size=4),
    st.lists(st.sampled_from(LINES), max_size=20),
)


def shown(message):
    payload = message._payload
    inside = [shown(part) for part in payload] if isinstance(payload, list) else payload
    headers = list(message.raw_items())
    return headers, message.preamble, message.epilogue, message.get_unixfrom(), inside


def by_the_library(raw):
    parser = BytesFeedParser(policy=policy.compat32)
    parser.feed(raw)
    return parser.close()


@given(MAIL)
def test_whatever_is_cut_is_cut_as_the_library_does(raw):
    message = message_of(raw.decode("ascii", "surrogateescape"))
    assert message is None or shown(message) == shown(by_the_library(raw))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_ordinary_message_is_cut(end):
    lines = [
        *(
            "From: a@example.org",
            "Content-Type: multipart/mixed; boundary=one",
            "",
            "before",
            "--one",
        ),
        *('Content-Type: multipart/alternative; boundary="two"', "", "--two", "", "said", "--two"),
        *("Content-Type: text/html", "", "<p>said", "--two--", "", "--one", "X: y", "", "file", ""),
        *("--one--", "behind", ""),
    ]
    raw = end.join(lines).encode()
    message = message_of(raw.decode())
    assert message is not None
    assert shown(message) == shown(by_the_library(raw))
    assert message.get_payload()[0].get_payload()[0].get_payload() == "said"


@pytest.mark.parametrize("cut", range(10, 170, 7))
def test_a_message_that_is_cut_off_is_read_as_far_as_it_goes(cut):
    raw = (b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\nX: y\n\nsaid so\n" * 8)[:cut]
    message = message_of(raw.decode())
    assert message is None or shown(message) == shown(by_the_library(raw))


def test_parts_within_parts_are_left_to_the_library_beyond_what_is_read():
    levels = "".join(
        f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n"
        for level in range(MAX_LEVELS + 1)
    )
    assert message_of(levels + "\nsaid\n") is None
    fewer = levels.split("Content-Type: ")
    assert message_of("Content-Type: ".join(fewer[:-1]) + "\nsaid\n") is not None
