"""What may take seconds is begun first, nothing is lost, and everything else keeps its order."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.acquire.walk import Sighting
from dlp.engine.batch import LARGE, dear_first, is_dear
from dlp.model import FileRef

NAMES = st.sampled_from([b"note.txt", b"SCAN.PDF", b"x.jpeg", b"pdf", b"a.tif.txt", b"b.Tiff"])
FILES = st.lists(st.tuples(NAMES, st.sampled_from([0, 10, LARGE, LARGE + 1])), max_size=60)


def sightings(files):
    return [
        Sighting(
            b"/share", b"%d/%s" % (n, name), FileRef("", b"%d/%s" % (n, name), size_bytes=size)
        )
        for n, (name, size) in enumerate(files)
    ]


@given(FILES, st.integers(0, 70))
def test_each_comes_once_and_neighbours_of_a_kind_stay_in_order(files, ahead):
    seen = sightings(files)
    came = list(dear_first(iter(seen), ahead))
    assert sorted(came, key=seen.index) == seen
    for kind in (True, False):
        assert [s for s in came if is_dear(s.ref) == kind] == [
            s for s in seen if is_dear(s.ref) == kind
        ]


@given(FILES)
def test_all_that_is_dear_comes_first_when_all_is_seen(files):
    came = [is_dear(s.ref) for s in dear_first(sightings(files), len(files))]
    assert came == sorted(came, reverse=True)


def test_no_more_is_walked_ahead_than_said():
    walked = []

    def walk():
        for sighting in sightings([(b"note.txt", 1)] * 50):
            walked.append(sighting)
            yield sighting

    first = next(dear_first(walk(), 10))
    assert first is walked[0]
    assert len(walked) == 11


def test_pictures_are_told_by_their_ending_in_any_case():
    told = [
        is_dear(s.ref)
        for s in sightings([(n, 1) for n in (b"S.PDF", b"a.jpeg", b"a.pdf.txt", b"pdf")])
    ]
    assert told == [True, True, False, False]
