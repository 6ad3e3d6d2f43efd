"""Members of a package come in the order in which they explain each other, and find each other."""

import posixpath
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.decode.office.package import normal, rank_of, resolve

ORDER = (
    re.compile(r"(^|/)\[content_types\]\.xml$|\.rels$"),
    re.compile(r"(^|/)(document|workbook|presentation)\.(xml|bin)$"),
    re.compile(r"(^|/)(sharedstrings|styles)\.(xml|bin)$"),
    re.compile(r"(^|/)(worksheets|slides|pages)/"),
)
NAMES = (
    "", "word", "xl", "document", "workbook", "presentation", "styles", "sharedstrings", "slides",
    "worksheets", "pages", "_rels", ".rels", ".xml", ".bin", "[content_types]", "/", "x", "\n",
)  # fmt: skip


@pytest.mark.parametrize("path", ["word/document.xml", "xl/styles.bin", "_rels/.rels", "a/pages/1"])
def test_what_explains_the_rest_has_a_rank(path):
    assert rank_of(path) < len(ORDER)


@given(st.lists(st.sampled_from(NAMES), max_size=6).map("".join))
def test_the_rank_is_that_of_the_first_pattern_that_fits(path):
    fitting = (rank for rank, pattern in enumerate(ORDER) if pattern.search(path))
    assert rank_of(path) == next(fitting, len(ORDER))


STEPS = st.lists(st.sampled_from(("..", ".", "", "a", "b.c", "/", "\\", "d")), max_size=6)


@given(STEPS.map("/".join) | STEPS.map("".join), STEPS.map("/".join) | STEPS.map("".join))
def test_a_target_is_where_a_path_says(folder, target):
    folder = normal(folder)
    expected = normal(
        target
        if target.startswith(("/", "\\"))
        else posixpath.normpath(posixpath.join(folder, target.replace("\\", "/")))
    )
    assert resolve(folder, target) == expected
    if folder:
        usual = posixpath.normpath(posixpath.join(f"{folder}/", "../x/y.xml"))
        assert resolve(f"{folder}/", "../x/y.xml") == normal(usual)
