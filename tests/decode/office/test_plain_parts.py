"""A part read without a tree says what its tree says; what is unusual is left to the tree."""

import io
import random
import zipfile

import pytest

from dlp.decode.office import flow, plain_parts, properties
from dlp.decode.office.markup import by_local_name, comments, local_of, parse
from dlp.native import kernel
from tests.support.office_builder import build_docx, build_pptx, build_xlsx

pytestmark = pytest.mark.skipif(kernel("elements") is None, reason="no kernel is compiled")
HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
SLIDE = (
    HEAD
    + b"""<p:sld xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
 xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"
 xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cSld name="Ward 7">
<p:cNvPr id="4" name="Title 1"/><p:cNvPr id="5" name="Zo\xc3\xab" descr='say "x"' title=""/>
<p:sldLayoutId id="7" r:id="r1"/><a:p><a:r><a:t>Jane &amp; Roe &lt;1951&gt; </a:t></a:r><a:br/>
<a:t xml:space="preserve"> x</a:t><a:t/></a:p><a:tbl><a:tr><a:tc><a:p><a:t>one</a:t></a:p></a:tc>
<a:tc><a:p><a:t>t]wo</a:t></a:p></a:tc></a:tr></a:tbl><a:tab/><a:tab val="1"/>
<q:t xmlns:q="urn:schemas-q:q"><q:sym q:char="F041"/>deep</q:t></p:cSld></p:sld>
"""
)
LINKS = (
    HEAD
    + b"""<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/x">
<Relationship Id="r1" Type="http://t/x" Target="slides/slide1.xml"/>
<Relationship Id="r2" Target="http://x.org/?a=b" TargetMode="External"/></Relationships>"""
)
CORE = (
    HEAD
    + b"""<cp:coreProperties xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Letter &amp; list</dc:title>
<dc:creator>Jane Roe</dc:creator><property name="Ward" pid="2"><lpwstr> 7 </lpwstr></property>
<TitlesOfParts><vector><lpstr>a</lpstr><i4>3</i4></vector></TitlesOfParts><Words>12</Words>
<file-entry full-path="content.xml"><encryption-data/></file-entry></cp:coreProperties>"""
)
PIECES = (
    b"<!-- a -->", b"<?pi x?>", b"&#65;", b"&amp;", b"&lt;", b"&foo;", b"&amp", b"<![CDATA[x]]>",
    b"\xc3\xa4", b"\xef\xbf\xbe", b"\xff", b"\0", b"\r", b"\n", b"\t", b" ", b'"', b"'", b"=",
    b"<", b">", b"/", b":", b"]]>", b' xmlns:q="http://q.q/q"', b' xmlns=""', b' q:a="1"',
    b' xmlns="http://a.b:c/d"', b' xmlns:z="http://www.w3.org/XML/1998/namespace"',
    b' xmlns:z="urn:x y"', b' xmlns:z="urn:abc:def"', b' a="1" a="2"', b' xml:lang="en"',
    b' xml:space="default"', b' r:id="1" id="2"', b' a:id="2" r:id="3"', b"<w:t>abc</w:t>",
    b"<t>x</t>", b"<a:ins/>", b"<name/>", b"<a:tab/>", b"\x7f", b"\xc2\x85", b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80", b"<a>", b"</a>", b"<a:p>", b"</a:p>", b"-", b".", b"1", b"_",
)  # fmt: skip


def of_tree(content):
    root, damage = parse(content)
    assert root is not None
    assert damage is None
    assert not comments(root, content)
    assert not list(flow.editors(root))
    links = list(map(by_local_name, root.iter("{*}Relationship")))
    namespace = str(root.tag).rpartition("}")[0][1:]
    return local_of(root), namespace, [told for told in flow.streams(root) if told[1]], links


def agree(content):
    """Whether a part was read without a tree; then both must say the same."""
    plain, links = plain_parts.streams(content), plain_parts.relations(content)
    if plain is not None:
        name, namespace, found = plain
        assert (name, namespace, [told for told in found if told[1]]) == of_tree(content)[:3]
    if links is not None:
        root, damage = parse(content)
        assert damage is None
        assert links == list(map(by_local_name, root.iter("{*}Relationship")))
        assert plain_parts.root_of(content) == local_of(root)
        found = plain_parts.all_of(content, local_of(root))
        assert [told[1:] for told in found] == [
            (local_of(element), element.text or "", by_local_name(element))
            for element in root.iter()
        ]
        assert list(properties.read_plain(found)) == list(properties.read(root))
        sealed = next(root.iter("{*}encryption-data"), None) is not None
        assert plain_parts.is_unsealed(content) is not sealed
    return plain is not None


def parts_of_documents():
    for raw in (build_docx(), build_pptx(), build_xlsx()):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            yield from filter(None, map(archive.read, archive.namelist()))


def torn(chance, content):
    pieces = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        place, case = chance.randrange(len(pieces) + 1), chance.random()
        if case < 0.2:
            pieces[place : place + 1] = bytes([chance.randrange(256)])
        elif case < 0.35:
            del pieces[place : place + chance.randrange(1, 4)]
        elif case < 0.5:
            start = chance.randrange(len(pieces))
            pieces[place:place] = pieces[start : start + chance.randrange(1, 30)]
        else:
            place = pieces.find(b">", place) + 1 if case < 0.7 else place
            pieces[place:place] = chance.choice(PIECES)
    return bytes(pieces)


@pytest.mark.parametrize(
    "content", [SLIDE, LINKS, CORE, LINKS[len(HEAD) :], b"\xef\xbb\xbf" + SLIDE]
)
def test_a_usual_part_is_read_without_a_tree(content):
    assert agree(content)


def test_parts_of_whole_documents_read_alike():
    assert sum(agree(content) for content in parts_of_documents()) > 5


def test_torn_parts_read_alike_or_are_left_to_the_tree():
    chance = random.Random(7)
    parts = [SLIDE, SLIDE, LINKS, CORE, CORE, *parts_of_documents()]
    read = sum(agree(torn(chance, chance.choice(parts))) for _ in range(4000))
    assert read > 100


@pytest.mark.parametrize(
    "content",
    [b"", b"<", b"<a", b"<a>", b"<a/", b"<a b", b"<a b=", b"<a b='", b"</a>", b"x<a/>", b"<a/>x"]
    + [SLIDE[:length] for length in range(len(SLIDE) - 1)]
    + [b"<a>" * 300 + b"</a>" * 300, b"<a" + b' b="1"' * 70 + b"/>", b"<" + b"a" * 300 + b"/>"],
)
def test_what_breaks_off_or_goes_too_far_is_left_to_the_tree(content):
    assert plain_parts.streams(content) is None


def test_a_part_with_an_element_that_only_a_tree_tells_apart_is_left_to_it():
    for name in plain_parts.UNUSUAL:
        assert plain_parts.streams(b"<a><%s/></a>" % name.encode()) is None
