"""Every diagnosis code has its place: category, block and chapter, by either edition."""

import itertools

import pytest

from dlp.knowledge.icd import NINE, TEN, load_icd_tree


@pytest.mark.parametrize(
    "edition, code, path",
    [
        (NINE, "25001", ("250.01", "250.0", "250", "249-259", "240-279", "ICD-9")),
        (NINE, "428.0", ("428.0", "428", "420-429", "390-459", "ICD-9")),
        (NINE, "V85.4", ("V85.4", "V85", "V85-V85", "V01-V91", "ICD-9")),
        (NINE, "E849.0", ("E849.0", "E849", "E846-E849", "E000-E999", "ICD-9")),
        (NINE, "285.9", ("285.9", "285", "280-289", "ICD-9")),
        (TEN, "e11.65", ("E11.65", "E11.6", "E11", "E08-E14", "E00-E90", "ICD-10")),
        (TEN, "I10", ("I10", "I10-I16", "I00-I99", "ICD-10")),
        (
            TEN,
            "S72001A",
            ("S72.001A", "S72.001", "S72.00", "S72.0", "S72", "S70-S79", "S00-T98", "ICD-10"),
        ),
        (TEN, "O9A.1", ("O9A.1", "O9A", "O94-O9A", "O00-O9A", "ICD-10")),
        (TEN, "W19", ("W19", "W00-W19", "V00-Y99", "ICD-10")),
    ],
)
def test_paths_lead_to_the_root(edition, code, path):
    icd = load_icd_tree(edition)
    assert icd.path(icd.normalise(code)) == path


@pytest.mark.parametrize(
    "edition, code",
    [
        (NINE, "E11.65"),
        (NINE, "000"),
        (NINE, "12"),
        (TEN, "250.01"),
        (TEN, ""),
        (NINE, "asthma"),
        (TEN, "12345"),
    ],
)
def test_what_is_no_code_is_refused(edition, code):
    assert load_icd_tree(edition).normalise(code) is None


@pytest.mark.parametrize("edition", [NINE, TEN])
def test_blocks_lie_within_chapters_and_do_not_overlap(edition):
    icd = load_icd_tree(edition)
    for ranges in (icd._chapters, icd._blocks):
        for (start, end), (following, _) in itertools.pairwise(ranges):
            assert start <= end < following
    for start, end in icd._blocks:
        home = [(a, b) for a, b in icd._chapters if a <= start and end <= b]
        assert len(home) == 1
