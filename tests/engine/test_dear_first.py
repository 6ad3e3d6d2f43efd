"""What takes long is begun early, nothing is lost, and files of a kind keep their order."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.acquire.walk import Sighting
from dlp.engine.batch import EASY, LARGE, dear_first, is_dear, is_easy
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
    for kind in ({"dear"}, {"easy"}, {"plain"}):
        assert [s for s in came if kind_of(s) in kind] == [s for s in seen if kind_of(s) in kind]


def kind_of(sighting):
    return "dear" if is_dear(sighting.ref) else "easy" if is_easy(sighting.ref) else "plain"


@given(FILES)
def test_a_few_easy_ones_then_all_that_is_dear_when_all_is_seen(files):
    came = [kind_of(s) for s in dear_first(sightings(files), len(files))]
    assert came == sorted(came, key=["easy", "dear", "plain"].index)


def test_no_more_easy_ones_are_put_first_than_the_start_can_use():
    files = [(b"note.txt", 1)] * (EASY + 5) + [(b"scan.pdf", 1)]
    came = [kind_of(s) for s in dear_first(sightings(files), len(files))]
    assert came == ["easy"] * EASY + ["dear"] + ["easy"] * 5


def test_short_texts_come_last_and_in_a_row():
    files = [(b"note.txt", 1), (b"letter.docx", 1)] * (EASY + 5) + [(b"scan.pdf", 1)]
    came = [kind_of(s) for s in dear_first(sightings(files), len(files))]
    assert came == ["easy"] * EASY + ["dear"] + ["plain"] * (EASY + 5) + ["easy"] * 5


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
