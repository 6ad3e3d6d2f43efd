"""A rewritten OpenDocument file holds no planted value anywhere."""

import pytest

from dlp.sanitise.documents.content_type import ODF
from dlp.sanitise.documents.format_rewriter import rewrite
from dlp.sanitise.documents.leftover_check import leftovers
from dlp.sanitise.documents.value_search import replacing
from tests.support.office_builder import planted
from tests.support.opendocument_builder import PLACES, build_odf

EVERY = [(kind, place) for kind, places in PLACES.items() for place in places]


@pytest.fixture(scope="module")
def rewritten():
    out = {}
    for kind, places in PLACES.items():
        marks = planted(places)
        edit = replacing([(value, "[GONE]") for value in marks.values()])
        out[kind] = marks, rewrite(build_odf(kind, marks), f"{ODF}{kind}", edit).data
    return out


@pytest.mark.parametrize("kind, place", EVERY, ids=lambda value: value)
def test_nothing_is_left_in(kind, place, rewritten):
    marks, data = rewritten[kind]
    assert leftovers(data, f"{ODF}{kind}", [marks[place]]) == []
