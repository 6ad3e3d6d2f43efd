"""Comments of XML that are prose stay, edited; whatever else a comment can be goes."""

import pytest

from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.value_search import replacing

KIND = "application/xml"
EDIT = replacing([("Jane Sample", "[NAME]"), ("gone", "")])
PACKED = "SmFuZSBTYW1wbGU" * 12


def made(data):
    return rewrite(data.encode(), KIND, EDIT).data.decode()


def test_prose_between_elements_stays_and_is_edited():
    out = made("<a><!-- Problems of Jane Sample --><b>one</b>\n<!-- Allergies --></a>")
    assert "<!-- Problems of [NAME] --><b>one</b>\n<!-- Allergies -->" in out
    assert made(out) == out


@pytest.mark.parametrize(
    "data",
    [
        "<a><b>Jane <!-- x -->Sample</b></a>",
        "<a>Ja<!-- x -->ne Sample<!-- y --></a>",
        "<a><!-- x -->Jane Sample<b/></a>",
        "<a><b/><!-- x -->Jane Sample</a>",
        "<a><b><!-- Jane Sample --></b></a>",
        '<a><!-- x --><b c="Jane Sample"/></a>',
        "<!-- Jane Sample --><a/><!-- Jane Sample -->",
    ],
)
def test_no_value_hides_in_or_around_a_comment(data):
    assert leftovers(data.encode(), KIND, ["Jane Sample"]) != []
    assert leftovers(made(data).encode(), KIND, ["Jane Sample"]) == []


def test_an_explanation_may_name_tags_and_codes():
    said = ' of Jane Sample: <value code="1" displayName="Food allergy"/> goes into <entry> '
    assert said.replace("Jane Sample", "[NAME]") in made(f"<a><!--{said}--><b/></a>")


@pytest.mark.parametrize(
    "inside",
    [
        "<given>Jane</given>", '<id extension="4471902"/>', '<value code="1" note="x"/>', PACKED,
        "</b>", "<!ENTITY x 'y'>", " ",
    ],
)  # fmt: skip
def test_what_is_no_prose_goes(inside):
    assert "<!--" not in made(f"<a><!-- {inside} --><b/></a>")


@pytest.mark.parametrize("inside", ["a -gone- b", "a -gone", "-gone-gone-", "x gone"])
def test_an_edit_cannot_end_a_comment(inside):
    out = made(f"<a><!--{inside} --><b/></a>")
    assert out.count("<!--") == out.count("-->") == 1
    assert made(out) == out
