"""The instruments measure what they say: slopes, samples, differences; no figure without its place."""

import random

from bench.diff import differences
from bench.growth import slope
from bench.run import page, sample, spread


def test_a_slope_is_the_power_of_growth():
    for power in (0.0, 0.5, 1.0, 2.0):
        points = [(10**n, 3.0 * (10**n) ** power) for n in range(3, 8)]
        assert abs(slope(points) - power) < 1e-9


def test_start_up_at_the_small_end_does_not_hide_growth():
    points = [(10**n, 1.0 + 1e-3 * 10**n) for n in range(1, 9)]
    assert 0.95 < slope(points) < 1.05


def test_a_sample_is_the_same_each_time_and_large_enough(tmp_path):
    chance = random.Random(1)
    texts = []
    for number in range(50):
        texts.append(tmp_path / f"{number}.txt")
        texts[-1].write_text("x" * chance.randrange(100, 30_000))
    taken = sample(texts, 60_000)
    assert taken == sample(texts, 60_000)
    sizes = [path.stat().st_size for path in taken]
    assert sum(sizes) >= 60_000 > sum(sizes[:-1])
    assert max(sizes) <= 20_000


def test_mixed_texts_are_as_long_as_those_of_the_share(tmp_path):
    chance = random.Random(2)
    texts = []
    for number in range(300):
        texts.append(tmp_path / f"{number}.txt")
        texts[-1].write_text("x" * int(10 ** chance.uniform(2.5, 5)))
    texts.append(tmp_path / "book.txt")
    texts[-1].write_text("x" * 300_000)
    taken = spread(texts, 500_000)
    assert taken == spread(list(reversed(texts)), 500_000)
    mean = sum(path.stat().st_size for path in taken) / len(taken)
    whole = sum(path.stat().st_size for path in texts[:-1]) / (len(texts) - 1)
    assert 0.8 < mean / whole < 1.25
    assert texts[-1] not in taken
    assert set(spread(texts, 10**9)) == set(texts[:-1])


def test_a_lost_and_a_won_finding_are_both_told():
    found, other = ["id", "r", "body", 0, 9, None], ["date", "d", "body", 3, 9, None]
    before = {"a": ["phi", 0.5, [found]], "b": ["possible", 0.0, []]}
    assert list(differences(before, before)) == []
    ((path, containers, _, lost, won),) = differences(before, before | {"a": ["phi", 0.5, [other]]})
    assert (path, containers, list(lost), list(won)) == (
        "a",
        ("phi", "phi"),
        [tuple(found)],
        [tuple(other)],
    )
    assert len(list(differences(before, before | {"b": ["probable", 0.1, []]}))) == 1


def test_the_page_shows_ratios_to_us():
    seconds = {
        "peer: all: dlp": [2.0, 1.0, 1.0],
        "peer: all: other": [7.0] * 3,
        "peer: mixed: dlp": [0.1, 0.2, 0.3],
        "peer: mixed: other": [20.0, 20.0, 20.0],
        "peer: short: dlp": [0.1] * 3,
        "peer: short: other": [5.0] * 3,
        "floor: cat": [0.01] * 3,
    }
    seconds |= {"stage: a": [1.0] * 3, "scan: 1 workers": [10.0] * 3, "scan: 2 workers": [5.0] * 3}
    seconds |= {"scan, kept: 1 workers": [12.5] * 3, "scan, kept: 2 workers": [10.0] * 3}
    seconds |= {"rescan": [0.1] * 3, "first verdict": [1.5] * 3}
    sizes = {
        "files": 100,
        "texts": 90,
        "bytes": 10**6,
        "few": {"all": 90, "mixed": 3, "short": 2},
        "few_bytes": {"all": 10**6, "mixed": 10**5, "short": 10**4},
    }
    where = {"cores": 2, "cpu": ["cpu"], "load": 0.5}
    text = page(
        {
            "date": "d",
            "commit": "c",
            "machine": where,
            "seconds": seconds,
            "sizes": sizes,
            "left_out": ["x"],
        }
    )
    assert "| other | 0.143 | 7 × |" in text
    assert "1.00 MB/s, and 0.50 MB/s in the first round" in text
    assert "| other | 0.005 | 100 × |" in text
    assert "| other | 0.002 | 50 × |" in text
    assert "| floor: cat | 100 | 100 × its time |" in text
    assert "`--no-catalogue`: one worker 10 files/s, two workers 20 files/s (2.00 ×)" in text
    assert "with a new catalogue: one worker 8 files/s, two workers 10 files/s (1.25 ×)" in text
    assert "1000 files/s" in text
    assert "Not installed or not starting: x." in text
