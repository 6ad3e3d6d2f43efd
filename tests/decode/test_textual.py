"""Lines are cut up by the sign that most of them agree on, however quickly that is told."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode import encoding, identify
from dlp.decode.identify import DELIMITERS, delimiter_of, outside_quotes

LINES = st.lists(
    st.one_of(st.text('a",;|\t', max_size=8), st.sampled_from(["a,b,c", "x\ty", "p;q;r", '"a,b"'])),
    min_size=1,
    max_size=25,
)


def counted(lines, agreement):
    """As it is defined: every sign, every line."""
    best, most = "", 0
    bare = [outside_quotes(line) for line in lines]
    for sign in DELIMITERS:
        count, agreeing = Counter(line.count(sign) for line in bare).most_common(1)[0]
        enough = count >= 2 or (count == 1 and sign == "\t")
        if enough and agreeing >= agreement * len(lines) and count > most:
            best, most = sign, count
    return best


@given(LINES, st.sampled_from([0.6, 0.95, 1.0]))
def test_the_sign_is_the_one_that_counting_everything_gives(lines, agreement):
    assert delimiter_of(lines, agreement) == counted(lines, agreement)


@given(st.binary(max_size=60), st.sampled_from([(), ("cp037",)]), st.binary(max_size=60))
def test_an_encoding_that_is_remembered_is_the_one_of_these_bytes(head, extra, other):
    for one in (head, other, head, head):
        assert encoding.guess(one, extra) == encoding.guess_anew(one, extra)
        assert encoding.guess(one) == encoding.guess_anew(one, ())


ROWS = st.lists(
    st.sampled_from(
        ["a,b,c", "a;b;c", "a\tb", "no cells", "", " ", "\x0b", "\r", "one, two", "x" * 900]
    ),
    max_size=70,
)


@given(ROWS, st.sampled_from(["\n", "\r\n", "\x85"]), st.sampled_from(["", "y" * 33_000]))
def test_prose_is_told_by_its_first_lines_as_by_all(lines, end, rest):
    text = end.join([*lines, rest])
    soon = identify.is_table(text, "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identify, "is_soon_prose", lambda _: False)
        assert identify.is_table(text, "") is soon


HEADS = st.one_of(
    st.binary(max_size=12), st.text(max_size=8).map(lambda t: t.encode("utf-8", "replace"))
)


@given(st.lists(HEADS, min_size=1, max_size=4), st.sampled_from(["utf-8", "cp1252", "utf-16"]))
def test_a_text_that_is_remembered_is_the_one_of_these_bytes(heads, codec):
    for head in heads:
        for one in (head, head[:-1], head):
            encoding.is_utf8(one)
            for name in (codec, "utf-8"):
                assert encoding.decode(one, name) == one.decode(name, encoding.FALLBACK)


LINES = st.sampled_from(
    [
        *(
            "Title: x",
            "From: a",
            "To: b",
            "MIME-Version: 1.0",
            "X-a: b",
            "prose here",
            "",
            " folded: x",
        ),
        *("\r", "a\rb: c", "\u00e9: d", "x" * 16_384, "Received: by", "a:", ":", "\u00e9"),
    ]
)


@given(st.lists(LINES, max_size=6), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "eml"]))
def test_a_mail_is_told_by_its_second_line_as_by_all(lines, end, name):
    def asked_at_length(start, extension):
        if not identify.HEADER_LINE.match(start, 0, 16384):
            return False
        head = start[:16384].replace("\r\n", "\n").partition("\n\n")[0]
        first = head.split("\n", 3)[:3]
        if not first[0] or not all(identify.HEADER_LINE.match(line) for line in first if line):
            return False
        sure = len(identify.MAIL_HEADERS.findall(head))
        if extension == "eml":
            return sure >= 1 or identify.TYPED_HEADERS.search(head) is not None
        return sure >= 1 and sure + len(identify.TYPED_HEADERS.findall(head)) >= 3

    text = end.join(lines)
    assert identify.is_mail(text, name) == asked_at_length(text, name)
