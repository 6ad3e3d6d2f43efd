"""A copy of a case is what its constructor would have made."""

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.model import Case, Container, FileRef, Gap, GapCode

CASE = Case(FileRef("share", b"a.txt"), language="en", facts={"a": 1})
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "language": st.sampled_from(["en", None]),
        "container": st.sampled_from(list(Container)),
        "gaps": st.just((Gap(GapCode.TIMEOUT, "body"),)),
        "facts": st.just({}),
        "settled": st.booleans(),
    },
)


@given(CHANGES)
def test_a_copy_differs_in_what_was_asked_only(changes):
    assert CASE.but(**changes) == replace(CASE, **changes)


def test_a_copy_is_as_frozen_and_takes_no_other_names():
    with pytest.raises(FrozenInstanceError):
        CASE.but(language="es").language = "en"
    with pytest.raises(KeyError):
        CASE.but(tongue="es")
