"""Which findings and mentions stand where they overlap."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.naming import claim_resolution
from dlp.detect.naming.mention import Mention
from dlp.detect.naming.names import NameFinder
from dlp.model import HEALTH_KINDS, Finding, Kind

MAY_BE = st.sampled_from([Kind.PERSON, Kind.PLACE, Kind.PROVIDER, Kind.ORGANISATION])
KINDS = MAY_BE | st.sampled_from([Kind.DISEASE, Kind.DRUG, Kind.DATE])
PLACED = (st.integers(0, 40), st.integers(1, 9), st.sampled_from([0.4, 0.5, 0.9]))
TERMS, SPOTS = st.lists(st.tuples(KINDS, *PLACED)), st.lists(st.tuples(MAY_BE, *PLACED))
NAMED = st.sampled_from([("", ""), ("Ada", "Hale"), ("Zoë", ""), ("", "O'Neil Quist"), ("_", "ß")])


@given(TERMS, SPOTS, st.text(min_size=60, max_size=60), NAMED)
def test_what_stands_is_in_order_apart_and_sure(terms, spots, text, words):
    terms = [Finding(kind, "r", 0, at, at + size, sure) for kind, at, size, sure in terms]
    mentions = [
        Mention(kind, 0, at, at + size, sure, "r", ("e",), "", *words)
        for kind, at, size, sure in spots
    ]
    stand = claim_resolution.resolved([*mentions])
    assert all(one.end <= other.start for one, other in pairwise(stand))
    kept = claim_resolution.without(stand, [*terms])
    assert [one for one in stand if one in kept] == kept
    outside = claim_resolution.outside_names(terms, [stand])
    assert [one for one in terms if one.kind not in HEALTH_KINDS] == [
        one for one in outside if one.kind not in HEALTH_KINDS
    ]
    prints = claim_resolution.Prints(b"key")
    settled = [prints.settle(terms, [*stand], text) for _ in range(2)]
    assert settled[0] == settled[1]
    made = claim_resolution.Prints(b"key").findings_of(stand, text)
    assert [one.start for one in made] == [
        m.start for m in stand if m.confidence >= claim_resolution.FLOOR
    ]


def test_people_of_no_words():
    finder = NameFinder()
    assert finder.find("") == finder.find(" \n") == []
