"""Torn pages, XML, JSON and tables are read to the end, within their limits and alike each time."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode import labelled
from dlp.decode.contract import Limits
from dlp.decode.formats import csv, html, json, xml
from dlp.model import Part

TAGS = [*html.BLOCKS, *html.QUIET, *html.VALUED, "meta", "b", "span", "a", "x-y", "img", "svg"]
NAMES = [
    *html.LAYOUT,
    *html.LINKS,
    "value",
    "name",
    "content",
    "alt",
    "title",
    "property",
    "onclick",
    "data-name",
]
ELEMENTS = [
    *xml.INLINE,
    *xml.PROSE,
    *xml.CELLS,
    *xml.ROLES,
    "patient",
    "given",
    "birthTime",
    "q:id",
    "x",
    "manufacturedProduct",
]
KEYS = [
    *xml.TECHNICAL,
    *xml.STRUCTURE,
    *xml.ABOUT,
    "value",
    "code",
    "extension",
    "representation",
    "xsi:type",
    "xml:lang",
]
WORDS = [
    *(
        " ",
        "\n",
        "\t",
        "\r\n",
        "  \n ",
        "\xa0",
        "\u2003",
        "a",
        "Ada Hale",
        " two  words ",
        "ÿ",
        "é",
    ),
    *(
        "№ 7",
        "𝄞",
        "&amp;",
        "&eacute;",
        "&nope;",
        "&#38;",
        "&",
        "1",
        "0",
        "20190131",
        "199902301200+0100",
    ),
    *("classCode", "B64", "aGFsbG8gZHU=", "data:text/plain;base64,aGFsbG8=", "data:,x", "data:"),
    *("\x0b", "\x00", "\x1f", "\ufffe", "'hello there 1234'", "function(){var a='Ada Hale'}"),
    *(
        "line one\nline two",
        "\n\nlines\n\n",
        "MMAT",
        "CD",
        "IVL_TS",
        "</",
        "<",
        ">",
        "<!-- said -->",
    ),
    *("<?pi told?>", "<![CDATA[ raw <b> ]]>", "x" * 70),
]
SIGNS = [
    *(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "null",
        "true",
        "-1.5e3",
        '"a"',
        '"a b"',
        '"\\n"',
        " ",
    ),
    *('"resourceType":"Patient",', '"name":', '{"id":"1"}', '"\\ud83d\\ude00"', '"\\u00e9"', "\n"),
    *(
        '"<div>said <b>so</b></div>"',
        '"' + "QUJD" * 20 + '"',
        '"' + "a word " * 12 + '"',
        "é",
        "\u2003",
    ),
    *('"never closed', '"ends with \\', '{"contact":[{"name":{"family":"Hale","given":["Ada"]}}],'),
]

CELLS = [
    *(
        ",",
        ";",
        "\t",
        "|",
        '"',
        '""',
        " ",
        "\n",
        "\r\n",
        "\r",
        "x",
        "Ada Hale",
        "12",
        "é",
        "\u2003",
        "𝄞",
    ),
    *('"a, b"', '"two\nlines"', '"said ""so"""', ",,", "1,2,3\n", '"1","2"\r\n', ' "x" y,'),
]


def tag(names, keys):
    attributes = st.lists(st.tuples(st.sampled_from(keys), st.sampled_from(WORDS)), max_size=3)
    return st.builds(
        lambda name, more, end: (
            f"<{name}"
            + "".join(
                f' {key}="{value.replace("<", "").replace(chr(34), "")}"' for key, value in more
            )
            + end
        ),
        st.sampled_from(names),
        attributes,
        st.sampled_from([">", "/>", " >"]),
    )


def closing(names):
    return st.sampled_from(names).map("</{}>".format)


def markup(names, keys):
    piece = tag(names, keys) | closing(names) | st.sampled_from(WORDS)
    return st.lists(piece, max_size=40).map("".join)


def nested(names, keys):
    """XML that is sound: what is not ends at its first flaw."""
    words = st.sampled_from([word for word in WORDS if not set(word) & set("<>&")])
    start = st.tuples(tag(names, keys), st.lists(words, max_size=2).map("".join), words)
    return st.lists(start, max_size=12).map(
        lambda parts: (
            "".join(opened.rstrip("/> ") + ">" + text for opened, text, _ in parts)
            + "".join(
                f"</{opened[1:].split()[0].rstrip('/>')}>{behind}"
                for opened, _, behind in reversed(parts)
            )
        )
    )


LIMITS = st.sampled_from([Limits(), Limits(max_text_chars=400), Limits(max_text_chars=37)])


def told(items):
    return [
        (item, [*item.fields] if getattr(item, "fields", None) is not None else None)
        for item in items
    ]


def check(module, text, limits):
    """What is read twice is the same twice; fields lie in their part, and no part is too long."""
    raw = text.encode("utf-8", "replace")
    first, again = (told(module.extract(io.BytesIO(raw), limits)) for _ in range(2))
    assert first == again
    for item, fields in first:
        if isinstance(item, Part):
            assert len(item.text) <= max(limits.max_text_chars, len(text))
            assert all(0 <= one.start <= one.end <= len(item.text) for one in fields or ())
    return first


@settings(deadline=None)
@given(markup(TAGS, NAMES), LIMITS)
def test_a_torn_page(page, limits):
    check(html, page, limits)


@settings(deadline=None)
@given(markup(ELEMENTS, KEYS), LIMITS)
def test_torn_xml(page, limits):
    check(xml, f"<ClinicalDocument>{page}", limits)


@settings(deadline=None)
@given(nested(ELEMENTS, KEYS), st.sampled_from(["ClinicalDocument", "record"]), LIMITS)
def test_sound_xml(inside, root, limits):
    space = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:q="urn:q"'
    check(xml, f"<{root} {space}>{inside}</{root}>", limits)


@settings(deadline=None)
@given(st.lists(st.sampled_from(SIGNS), max_size=60).map("".join), LIMITS)
def test_torn_json(text, limits):
    check(json, text, limits)


@settings(deadline=None)
@given(
    st.sampled_from(["name,born,town\n", "a;b\n", "1\t2\t3\r\n", "", '"x y","z"\n']),
    st.lists(st.sampled_from(CELLS), max_size=40).map("".join),
)
def test_torn_tables(first, rest):
    check(csv, first + rest, Limits())


def test_columns_beyond_those_with_a_label_are_numbered():
    text = "a,b\n" + ",".join(str(number) for number in range(9000)) + "\n,,x\n"
    assert check(csv, text, Limits())[0][1][-1].label == "column 3"


@pytest.mark.parametrize("opened", ["[", '{"a":', '[{"b":'])
def test_brackets_are_followed_far_down(opened):
    assert check(json, opened * 700 + "1", Limits())


@pytest.mark.parametrize("text", ["<p>word</p>\n" * 12_000, "<table>" + "<tr><td>x<td>y" * 9_000])
def test_a_long_page(text):
    assert check(html, text, Limits())


def test_many_fields_are_kept_in_their_order():
    page = "<r>" + "".join(f"<p{n % 7}>v{n}</p{n % 7}><q k{n % 5}='{n}'/>" for n in range(12_000))
    fields = check(xml, page + "</r>", Limits())[0][1]
    assert len(fields) > labelled.JOIN_AFTER
    assert [one.start for one in fields] == sorted(one.start for one in fields)
