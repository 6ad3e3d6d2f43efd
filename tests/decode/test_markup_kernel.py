"""The kernel that hears parsers of markup, and follows JSON, writes down what its twins do."""

import importlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode import labelled, remarks, xml_walk
from dlp.decode.contract import Limits
from dlp.decode.formats import csv, html, json, xml
from dlp.native import kernel

KERNEL = kernel("markup")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="no kernel is compiled")
HOLDERS = {html: "MARKUP", xml: "MARKUP", json: "KERNEL", csv: "KERNEL"}
TAGS = [*html.TAGS, "b", "span", "a", "x-y", "img", "svg"]
NAMES = [*html.NAMES, "alt", "title", "property", "onclick", "data-name"]
ELEMENTS = [*xml_walk.TAGS, "patient", "given", "birthTime", "q:id", "x", "manufacturedProduct"]
KEYS = [*xml_walk.NAMES, "value", "code", "extension", "representation", "xsi:type", "xml:lang"]
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


def both(module, text, limits):
    raw = text.encode("utf-8", "replace")
    heard = told(module.extract(io.BytesIO(raw), limits))
    holder = HOLDERS[module]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, holder, None)
        patch.setattr(xml_walk, "MARKUP", None)
        return heard, told(module.extract(io.BytesIO(raw), limits))


@given(markup(TAGS, NAMES), LIMITS)
def test_a_page_is_heard_as_its_twin_hears_it(page, limits):
    heard, twin = both(html, page, limits)
    assert heard == twin


@given(markup(ELEMENTS, KEYS), LIMITS)
def test_torn_xml_is_heard_as_its_twin_hears_it(page, limits):
    heard, twin = both(xml, f"<ClinicalDocument>{page}", limits)
    assert heard == twin


@given(nested(ELEMENTS, KEYS), st.sampled_from(["ClinicalDocument", "record"]), LIMITS)
def test_sound_xml_is_heard_as_its_twin_hears_it(inside, root, limits):
    page = f'<{root} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:q="urn:q">{inside}</{root}>'
    heard, twin = both(xml, page, limits)
    assert heard == twin


@given(st.lists(st.sampled_from(SIGNS), max_size=60).map("".join), LIMITS)
def test_json_is_followed_as_its_twin_follows_it(text, limits):
    heard, twin = both(json, text, limits)
    assert heard == twin


@given(
    st.sampled_from(["name,born,town\n", "a;b\n", "1\t2\t3\r\n", "", '"x y","z"\n']),
    st.lists(st.sampled_from(CELLS), max_size=40).map("".join),
)
def test_cells_are_noted_as_their_twin_notes_them(first, rest):
    heard, twin = both(csv, first + rest, Limits())
    assert heard == twin


def test_columns_beyond_those_with_a_label_are_numbered():
    text = "a,b\n" + ",".join(str(number) for number in range(9000)) + "\n,,x\n"
    heard, twin = both(csv, text, Limits())
    assert heard == twin
    assert heard[0][1][-1].label == "column 3"


@pytest.mark.parametrize("opened", ["[", '{"a":', '[{"b":'])
def test_brackets_are_followed_to_the_same_depth(opened):
    heard, twin = both(json, opened * 700 + "1", Limits())
    assert heard == twin


@pytest.mark.parametrize("text", ["<p>word</p>\n" * 12_000, "<table>" + "<tr><td>x<td>y" * 9_000])
def test_a_long_page_is_heard_as_its_twin_hears_it(text):
    heard, twin = both(html, text, Limits())
    assert heard == twin


def test_many_fields_are_kept_in_their_order():
    page = "<r>" + "".join(f"<p{n % 7}>v{n}</p{n % 7}><q k{n % 5}='{n}'/>" for n in range(12_000))
    heard, twin = both(xml, page + "</r>", Limits())
    assert heard == twin
    assert len(heard[0][1]) > labelled.JOIN_AFTER


@given(
    st.text(
        st.sampled_from("ab \n\t\x00\x08\x0b\x0c\x1f\x7fé\u2003\ufffe\uffff\ud800\udfff\ue000𝄞")
    )
)
def test_the_kernel_knows_which_signs_xml_forbids(text):
    assert KERNEL.is_allowed(text) == (xml.FORBIDDEN.search(text) is None)


@given(
    st.text(st.sampled_from("ab'\"`\\\n\u2003é"), max_size=60), st.sampled_from(["", "x" * 1990])
)
def test_strings_of_a_script_are_found_as_the_pattern_finds_them(code, long):
    code = code[:20] + long + code[20:]
    assert KERNEL.quoted(code) == [hit[2] for hit in html.STRING.finditer(code)]


def test_numbers_that_stand_in_both_are_the_same():
    constants = KERNEL.constants()
    for module in ("labelled", "xml_walk"):
        here = importlib.import_module(f"dlp.decode.{module}")
        for name, number in constants[module].items():
            assert getattr(here, name) == number
    for tables in ("page", "page attributes", "walk", "walk attributes"):
        bits = list(constants[tables].values())
        assert bits == [1 << place for place in range(len(bits))]


def test_tables_say_what_the_sets_say():
    bits = KERNEL.constants()
    assert {name for name, says in html.TAGS.items() if says & bits["page"]["TYPED"]} == html.TYPED
    assert {
        n for n, says in html.NAMES.items() if says & bits["page attributes"]["LINK"]
    } == html.LINKS
    assert {n for n, says in xml_walk.TAGS.items() if says & bits["walk"]["ROLE"]} == xml_walk.ROLES
    names = xml_walk.NAMES.items()
    assert {n for n, says in names if says & bits["walk attributes"]["ABOUT"]} == xml_walk.ABOUT
    assert remarks.told(A={"x"}, B={"x", "y"}) == {"x": 3, "y": 2}
