"""What is remembered is what was worked out, and never more than there is room for."""

from dlp.measure import bounded_cache
from dlp.measure.bounded_cache import Remembered


def test_a_question_is_worked_out_once():
    asked = []
    lengths = Remembered(lambda word: asked.append(word) or len(word))
    assert [lengths["ache"], lengths["ache"], lengths["flu"]] == [4, 4, 3]
    assert asked == ["ache", "flu"]


def test_it_starts_afresh_when_it_is_full(monkeypatch):
    monkeypatch.setattr(bounded_cache, "MOST", 3)
    doubled = Remembered(lambda number: 2 * number)
    assert [doubled[number] for number in range(8)] == [2 * number for number in range(8)]
    assert len(doubled) <= 3
