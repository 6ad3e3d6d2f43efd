"""Lines are cut up by the sign that most of them agree on, however quickly that is told."""

import io
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode import encoding, signatures, textual
from dlp.decode.textual import DELIMITERS, delimiter_of, outside_quotes

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


@given(st.lists(st.one_of(st.binary(max_size=30), st.just(b"plain words, no more\n")), max_size=9))
def test_the_kernel_counts_the_controls_that_python_does(pieces):
    head = b"".join([*pieces, bytes(range(256))])
    with pytest.MonkeyPatch.context() as patch:
        counted = encoding.controls_in(head)
        patch.setattr(encoding, "READING", None)
        assert encoding.controls_in(head) == counted
        for sign in range(256):
            assert encoding.controls_in(bytes([sign])) == (sign in encoding.CONTROLS)


@pytest.mark.skipif(encoding.READING is None, reason="nothing is compiled")
def test_the_kernel_knows_every_control_at_every_place():
    for sign in range(256):
        for place in range(11):
            head = b"\xffa\x7f\x80 \t\n\r\x1f\x08z"
            head = head[:place] + bytes([sign]) + head[place + 1 :]
            assert encoding.READING.controls_in(head) == (sign in encoding.CONTROLS)


ROWS = st.lists(
    st.sampled_from(
        ["a,b,c", "a;b;c", "a\tb", "no cells", "", " ", "\x0b", "\r", "one, two", "x" * 900]
    ),
    max_size=70,
)


@given(ROWS, st.sampled_from(["\n", "\r\n", "\x85"]), st.sampled_from(["", "y" * 33_000]))
def test_prose_is_told_by_its_first_lines_as_by_all(lines, end, rest):
    text = end.join([*lines, rest])
    soon = textual.is_table(text, "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual, "is_soon_prose", lambda _: False)
        assert textual.is_table(text, "") is soon


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


PIECES = st.sampled_from(
    [
        "a, b",
        "a, b, c",
        "a;b;c",
        "|a|b|",
        "x\ty",
        "prose",
        " ",
        "",
        "\n",
        "\r",
        "\r\n",
        "\u2028",
        "\x1c",
        "\x1f",
        "\x85",
        "\xa0",
        "\n\n",
        "a" * 400,
        "\U0001f600",
        "\ud800",
        "one, two\nthree\n",
    ]
)


MARKED = st.sampled_from(
    [
        *((place, mark) for place, mark, _ in signatures.MARKS),
        *((0, mark) for mark in (*signatures.ZIP_MARKS, *signatures.BARE_DICOM)),
        *((0, mark) for mark, _ in encoding.BOMS),
        *((0, b"BM\0\0\0\0\0\0\0\0"), (900, b"%PDF-1.4"), (148, b"0012345 "), (148, b"  777777")),
        *((1100, signatures.END_OF_ZIP), (1100, b"\x07"), (1100, b"\0"), (50, b"\xe9")),
    ]
)


def is_cut_off(raw):
    """Whether the last sign is not all there."""
    return raw[-1:] == b"\xc3"


def sealed(head):
    """With the sum of its own header in it, as an old tar has it."""
    if len(head) < 512:
        return head
    total = sum(head[:148]) + 8 * 32 + sum(head[156:512])
    return head[:148] + b"%7o " % total + head[156:]


@pytest.mark.skipif(signatures.READING is None, reason="nothing is compiled")
@given(st.lists(MARKED, max_size=2), st.sampled_from([0, 1, 200, 512, 1101, 1500]), st.booleans())
def test_what_is_text_at_one_glance_is_text_after_all_questions(marks, size, tar):
    head = bytearray(b"Plain words, \xc3\xa9 and more\n" * 60)[:size]
    for place, mark in marks:
        head[place : place + len(mark)] = mark
    raw = sealed(bytes(head)) if tar else bytes(head)
    text = signatures.unmarked_text(raw)
    if text is not None:
        assert signatures.by_signature(io.BytesIO(raw), raw) == ""
        assert not signatures.may_end_like_zip(raw)
        assert encoding.guess_anew(raw, ("cp037",)) == "utf-8"
        assert text == raw.decode("utf-8", encoding.FALLBACK)
    else:
        assert marks or tar or not raw or is_cut_off(raw)


@pytest.mark.skipif(signatures.READING is None, reason="nothing is compiled")
def test_the_kernel_looks_for_an_early_mark_where_python_does():
    assert signatures.READING.EARLY_MARK == signatures.EARLY_PDF
    assert signatures.READING.EARLY_BYTES == signatures.EARLY_BYTES


@pytest.mark.skipif(textual.READING is None, reason="nothing is compiled")
@given(st.lists(PIECES, max_size=90), st.sampled_from(["", "\n"]))
def test_the_kernel_takes_the_same_lines_for_prose(pieces, between):
    text = between.join(pieces)
    aided = textual.is_soon_prose(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual, "READING", None)
        assert textual.is_soon_prose(text) == aided


OPENINGS = st.sampled_from(
    [
        *(
            "",
            "Dear",
            "1",
            "\u00e9",
            "M",
            "From x 10:00:00\nTo: a",
            "BEGIN:VCARD",
            "begin",
            "MSH|^~\\&",
        ),
        *(
            "{",
            '{"a"',
            "[1,",
            "<html>",
            "<a>",
            "-",
            "Subject: x\nTo: y\nMIME-Version: 1.0\n",
            "To :",
        ),
        *("a:b", "a\t :", "a b:", "a\n:", "\u00e9:", "x" * 16_383 + ":", "x" * 16_384 + ":"),
    ]
)


@pytest.mark.skipif(textual.READING is None, reason="nothing is compiled")
@given(
    st.text(st.sampled_from("\ufeff \t\r\n\x0b\x00\x0c"), max_size=3),
    OPENINGS,
    st.lists(PIECES, max_size=30),
    st.sampled_from(["", "\n"]),
    st.sampled_from(["", "txt", "csv", "eml", "md"]),
)
def test_what_is_plain_at_one_glance_is_plain_after_all_questions(
    before, opening, pieces, between, name
):
    text = before + opening + "\n" + between.join(pieces)
    kind = textual.kind_of_text(text, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual, "READING", None)
        assert textual.kind_of_text(text, name) == kind


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
        if not textual.HEADER_LINE.match(start, 0, 16384):
            return False
        head = start[:16384].replace("\r\n", "\n").partition("\n\n")[0]
        first = head.split("\n", 3)[:3]
        if not first[0] or not all(textual.HEADER_LINE.match(line) for line in first if line):
            return False
        sure = len(textual.MAIL_HEADERS.findall(head))
        if extension == "eml":
            return sure >= 1 or textual.TYPED_HEADERS.search(head) is not None
        return sure >= 1 and sure + len(textual.TYPED_HEADERS.findall(head)) >= 3

    text = end.join(lines)
    assert textual.is_mail(text, name) == asked_at_length(text, name)


@pytest.mark.skipif(textual.READING is None, reason="nothing is compiled")
@given(
    st.lists(st.one_of(LINES, PIECES, OPENINGS), max_size=8),
    st.sampled_from(["\n", "\r\n", "\n\n", ""]),
    st.sampled_from(["", "txt", "eml", "mht"]),
)
def test_the_kernel_calls_nothing_plain_that_is_a_mail_or_a_table(lines, end, name):
    text = end.join(lines)
    kind = textual.kind_of_text(text, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual, "READING", None)
        assert textual.kind_of_text(text, name) == kind


@pytest.mark.skipif(textual.READING is None, reason="nothing is compiled")
def test_what_is_short_or_begins_like_a_form_is_plain_at_one_glance():
    prose = ("Seen today, no pain.", "Patient: Ann\n\nSeen today.", "Mary: call back\nFor: me", "")
    for text in prose:
        assert textual.READING.is_plain(text, 4000, 60, 3, textual.AGREEMENT, False)
    marked = ("name,age,sex\nAnn,3,f", "MSH|^~\\&|", "X-Mailer: a\nTo: b\n\nc", "BEGIN:VCARD", "{")
    for text in marked:
        assert not textual.READING.is_plain(text, 4000, 60, 3, textual.AGREEMENT, False)
