"""White space in a page is the browser's, except where the writer's own lines are shown."""

import io

import pytest

from dlp.decode.extract import read


def text_of(page):
    document = read(io.BytesIO(page.encode()), "page.html").document
    return document.parts[0].text


@pytest.mark.parametrize("tag", ["pre", "textarea"])
def test_typed_lines_stay_apart(tag):
    page = f"<body>hi <{tag}>name,born\nA,B\nC,D</{tag}> and  go\non</body>"
    assert text_of(page) == "hi\nname,born\nA,B\nC,D\nand go on"


def test_a_tag_inside_typed_lines_breaks_nothing():
    assert (
        text_of("<html><body><pre>one\n<b>two</b> three\n\nfour</pre></body></html>")
        == "one\ntwo three\n\nfour"
    )
