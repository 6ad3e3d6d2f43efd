"""What takes long is begun early, nothing is lost, and files of a kind keep their order."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.acquire.walk import Sighting
from dlp.engine.scan_batch import LARGE, expensive_first, is_easy, is_expensive
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


@given(FILES, st.integers(0, 70), st.integers(0, 70))
def test_each_comes_once_and_neighbours_of_a_kind_stay_in_order(files, ahead, easy):
    seen = sightings(files)
    came = list(expensive_first(iter(seen), ahead, only_easy=so_often(easy)))
    assert sorted(came, key=seen.index) == seen
    for kind in ({"expensive"}, {"easy"}, {"plain"}):
        assert [s for s in came if kind_of(s) in kind] == [s for s in seen if kind_of(s) in kind]


def kind_of(sighting):
    return (
        "expensive" if is_expensive(sighting.ref) else "easy" if is_easy(sighting.ref) else "plain"
    )


def so_often(times):
    """Loading takes until so many files are given."""
    left = iter(range(times))
    return lambda: next(left, None) is not None


@given(FILES)
def test_all_that_is_expensive_comes_first_and_short_texts_last_when_all_is_seen(files):
    came = [kind_of(s) for s in expensive_first(sightings(files), len(files))]
    assert came == sorted(came, key=["expensive", "plain", "easy"].index)


def test_short_texts_come_first_for_as_long_as_nothing_else_can_be_read():
    files = [(b"note.txt", 1), (b"letter.docx", 1)] * 25 + [(b"scan.pdf", 1)]
    came = [
        kind_of(s) for s in expensive_first(sightings(files), len(files), only_easy=so_often(20))
    ]
    assert came == ["easy"] * 20 + ["expensive"] + ["plain"] * 25 + ["easy"] * 5


def test_no_more_is_walked_ahead_than_said():
    walked = []

    def walk():
        for sighting in sightings([(b"note.txt", 1)] * 50):
            walked.append(sighting)
            yield sighting

    first = next(expensive_first(walk(), 10, only_easy=so_often(1)))
    assert first is walked[0]
    assert len(walked) == 11


def test_pictures_are_told_by_their_ending_in_any_case():
    told = [
        is_expensive(s.ref)
        for s in sightings([(n, 1) for n in (b"S.PDF", b"a.jpeg", b"a.pdf.txt", b"pdf")])
    ]
    assert told == [True, True, False, False]
