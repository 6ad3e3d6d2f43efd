"""A moved date keeps its writing and its distance to every other date."""

from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dlp.sanitise.date_shift import shift, year_of

FORMATS = ("%Y-%m-%d", "%m/%d/%Y", "%d %B %Y", "%B %d, %Y", "%b %d, %Y", "%Y%m%d")
DATES = st.dates(date(1930, 1, 1), date(2030, 12, 31))


@given(DATES, st.integers(-364, 364), st.sampled_from(FORMATS))
def test_shift_writes_the_moved_day_the_same_way(day, days, writing):
    assume(day.month != 5 or "B" not in writing)  # May is its own short form
    assert shift(day.strftime(writing), days) == (day + timedelta(days=days)).strftime(writing)


@given(DATES, DATES, st.integers(-364, 364))
def test_intervals_stay(one, two, days):
    moved = [date.fromisoformat(shift(day.isoformat(), days)) for day in (one, two)]
    assert moved[1] - moved[0] == two - one


@pytest.mark.parametrize(
    "written, year",
    [
        ("4 March 2021", "2021"),
        ("03/12/1961", "1961"),
        ("20210304", "2021"),
        ("3/4", ""),
        ("03/12/61", ""),
    ],
)
def test_year_of(written, year):
    assert year_of(written) == year


def test_what_is_no_date_is_not_moved():
    assert shift("soon", 3) is None
    assert shift("31/31/2020", 3) is None
