"""No technique of the table hides a leak silently: it is found, or the file says what went unread."""

import pytest

from tests.evasion.measure import measured
from tests.evasion.table import TEXTS
from tests.evasion.unseen import UNSEEN

pytestmark = pytest.mark.timeout(900)


def silent(rows):
    return {case.technique.name for case, answer, _ in rows if answer == "silent"}


def test_every_fourth_technique_is_found_or_a_gap(tmp_path):
    rows = measured(tmp_path, TEXTS[:1], step=4)
    assert len(rows) > 100
    assert silent(rows) <= UNSEEN


@pytest.mark.long
def test_every_technique_is_found_or_a_gap(tmp_path):
    rows = measured(tmp_path)
    assert len(rows) > 1000
    assert silent(rows) == UNSEEN, "the list of what nobody sees is kept true in both directions"
    found = sum(answer == "found" for _, answer, _ in rows)
    assert found >= 0.75 * len(rows)
