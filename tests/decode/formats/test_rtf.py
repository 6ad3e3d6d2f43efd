r"""RTF: every destination's words are read, in any code page, whatever braces are missing."""

import binascii
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.contract import Embedded, Title
from dlp.decode.formats.rtf import extract
from dlp.model import GapCode, Part
from tests.support.office_builder import planted, png
from tests.support.reading import all_words, gaps, is_sound, items, parts

PLACES = (
    "body", "split_runs", "hidden", "deleted", "inserted", "table_cell", "header", "footer",
    "footnote", "comment", "comment_author", "reviser", "field_code", "field_result", "text_box",
    "shape_description", "bookmark", "form_default", "index_entry", "doc_variable", "title",
    "author", "company", "doc_comment", "user_property", "template", "merge_query", "object_class",
    "object_content", "packaged_name", "picture", "unknown_destination", "unicode", "behind",
)  # fmt: skip


def counted(text):
    raw = text.encode() + b"\0"
    return struct.pack("<I", len(raw)) + raw


def ole1(kind, content):
    head = struct.pack("<II", 0x501, 2) + counted(kind) + struct.pack("<II", 0, 0)
    return binascii.hexlify(head + struct.pack("<I", len(content)) + content).decode()


def packaged(name, content):
    target = name.encode() + b"\0"
    body = b"\2\0" + target + target + struct.pack("<II", 0x30000, len(target)) + target
    return body + struct.pack("<I", len(content)) + content


def build_rtf(marks):
    m = marks.get
    split = m("split_runs", "")
    wide = "".join(rf"\u{ord(letter)}?" for letter in m("unicode", ""))
    body = "".join(
        [
            r"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}",
            r"{\stylesheet{\s0 Normal;}{\*\cs10 Default;}}",
            rf"{{\info{{\title {m('title')}}}{{\author {m('author')}}}{{\*\company {m('company')}}}{{\doccomm {m('doc_comment')}}}}}",
            rf"{{\*\userprops{{\propname Case}}\proptype30{{\staticval {m('user_property')}}}}}",
            rf"{{\*\template C:\\{m('template')}.dot}}{{\*\revtbl{{{m('reviser')};}}}}",
            rf"{{\*\mailmerge{{\mmquery {m('merge_query')}}}}}{{\*\docvar{{n}}{{{m('doc_variable')}}}}}",
            rf"{{\header {m('header')}\par}}{{\footer {m('footer')}\par}}",
            rf"\pard {m('body')}\par {{\b {split[:3]}}}{{\i {split[3:6]}}}{split[6:]}\par ",
            rf"{{\v {m('hidden')}}}\par {{\revised {m('inserted')}}}\par {m('deleted', '')[:4]}{{\deleted {m('deleted', '')[4:]}}}\par ",
            rf"left\cell {m('table_cell')}\cell\row ",
            rf"noted{{\footnote {m('footnote')}}} on{{\*\atnauthor {m('comment_author')}}}{{\*\annotation {m('comment')}}}\par ",
            rf"{{\field{{\*\fldinst HYPERLINK {m('field_code')}}}{{\fldrslt {m('field_result')}}}}}\par ",
            rf"{{\shp{{\*\shpinst{{\sp{{\sn wzDescription}}{{\sv {m('shape_description')}}}}}{{\sp{{\sn fLine}}{{\sv 0}}}}{{\shptxt {m('text_box')}\par}}}}}}",
            rf"{{\*\bkmkstart {m('bookmark')}}}{{\*\formfield{{\*\ffdeftext {m('form_default')}}}}}{{\xe {m('index_entry')}}}",
            rf"{{\object\objemb{{\*\objclass {m('object_class')}}}{{\*\objdata {ole1('Package', packaged(m('packaged_name', ''), m('object_content', '').encode()))}}}{{\result shown}}}}",
            rf"{{\pict\pngblip {binascii.hexlify(png(m('picture', ''))).decode()}}}",
            rf"{{\*\unheardof {m('unknown_destination')}}}{wide}\par",
            "}",
        ]
    )
    return body.encode() + m("behind", "").encode()


@pytest.fixture(scope="module")
def read_all():
    return all_words(extract, build_rtf(planted(PLACES)))


@pytest.mark.parametrize("place", PLACES)
def test_every_place_is_read(read_all, place):
    assert planted((place,))[place] in read_all


def test_places_have_their_own_parts():
    marks = planted(PLACES)
    raw = build_rtf(marks)
    found = parts(extract, raw)
    assert f"left\t{marks['table_cell']}" in found["body"]
    assert "noted on" in found["body"]
    assert marks["deleted"] not in found["body"]
    assert found["deleted"] == marks["deleted"]  # with the half that stayed
    assert marks["inserted"] in found["body"]
    assert marks["hidden"] in found["body"]
    assert found["headers"].strip() == marks["header"]
    assert f"Case: {marks['user_property']}" in found["properties"]
    assert Title(marks["title"]) in items(extract, raw)
    assert not gaps(extract, raw)
    assert "Arial" not in "".join(found.values())
    assert not any(marker in repr(items(extract, raw)) for marker in marks.values())
    assert [i.locator for i in items(extract, raw) if isinstance(i, Embedded)] == [
        "embedded:1",
        "media:2",
        "behind",
    ]


@pytest.mark.parametrize("raw, text", [
    (rb"{\rtf1\ansi\ansicpg1250 Dvo\'f8\'e1k}", "Dvořák"),
    (rb"{\rtf1{\fonttbl{\f3\fcharset204 X;}}\f3 \'c8\'e2\'e0\'ed}", "Иван"),
    (rb"{\rtf1\ansicpg932 \'8e\'52\'93\'63}", "山田"),
    (rb"{\rtf1\ansicpg932 \'8eR\'93c}", "山田"),  # a second byte may be a plain letter
    (rb"{\rtf1\mac J\'9arg}", "Jörg"),
    (rb"{\rtf1\uc1 J\u246?rg}", "Jörg"),
    (rb"{\rtf1\uc0 J\u246 rg}", "Jörg"),
    (rb"{\rtf1\uc2 J\u246\'c3\'b6rg}", "Jörg"),
    (rb"{\rtf1 \u-10179?\u-8704?!}", "\U0001f600!"),
    (rb"{\rtf1 {\upr{J?rg}{\*\ud{J\u246?rg}}}}", "Jörg"),
    (rb"{\rtf1 A\~B\_C\-D\{\\\}}", "A B-CD{\\}"),
    (b"{\\rtf1 one\\\ntwo}", "one\ntwo"),
    (rb"{\rtf1\fromhtml1 {\*\htmltag <P>}J{\*\htmltag84 &ouml;}\htmlrtf \'f6\htmlrtf0 rg}", "Jörg"),
    (rb"{\rtf1 a{\pict\bin4 }}}}}b}", "ab"),
])  # fmt: skip
def test_characters(raw, text):
    assert parts(extract, raw)["body"].strip() == text


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_a_cut_off_file_gives_its_start_and_a_gap(cut):
    raw = build_rtf(planted(PLACES))
    assert GapCode.CORRUPT in gaps(extract, raw[: int(len(raw) * cut)])
    assert any(isinstance(item, Part) for item in items(extract, raw[: int(len(raw) * cut)]))


def test_a_million_braces_are_a_gap():
    assert GapCode.TOO_DEEP in gaps(extract, b"{\\rtf1 kept " + b"{" * 1_000_000)
    assert parts(extract, b"{\\rtf1 kept " + b"{" * 1_000_000)["body"] == "kept "


def test_text_beyond_the_limit_is_a_gap():
    assert gaps(extract, b"{\\rtf1 " + b"word " * 9000 + b"}", max_text_chars=1000) == {
        GapCode.TOO_LARGE
    }


TOKENS = st.sampled_from([
    rb"{", rb"}", rb"{\*", rb"\par ", rb"\u", rb"\u8364?", rb"\u-10179?", rb"\uc9 ", rb"\'", rb"\'f6", rb"\'zz", b"\\",
    rb"\bin9999999 ", rb"\bin-5 ", rb"\bin2 ab", rb"{\pict ", rb"4f4", rb"{\*\objdata ", rb"01050000020000", rb"\deleted ",
    rb"\f99999 ", rb"\ansicpg99999 ", rb"\ansicpg37 ", rb"\fcharset128 ", rb"{\fonttbl", rb"{\info", rb"{\title ",
    rb"{\*\userprops{\propname a}{\staticval b}}", rb"{\sp{\sn a}{\sv b}}", rb"{\upr{", rb"{\*\ud ", rb"\htmlrtf ", b"Jane",
    rb"\cell ", rb"\row ", rb"{\*\htmltag <br>}", b"\0", b"\xff\xfe", b"\r\n", rb"\99999999999 ", rb"\a" + b"a" * 40,
])  # fmt: skip


@given(st.lists(TOKENS, max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_arrangement_of_its_own_tokens_is_read_or_a_gap(tokens):
    assert is_sound(extract, b"".join(tokens))
    assert is_sound(extract, rb"{\rtf1 " + b"".join(tokens))
