"""A value that is made or copied without its constructor is what that would have made."""

import pickle
from dataclasses import FrozenInstanceError, astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.model import Case, Container, FileRef, Gap, GapCode, Subject
from dlp.slotted import maker

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
    with pytest.raises(TypeError):
        CASE.but(tongue="es")


def late_subject(asked):
    def prints():
        asked.append(True)
        return frozenset({"name:1"})

    return Subject("1", first="Ada", fingerprints=prints)


KNOWN = Subject("1", first="Ada", fingerprints=frozenset({"name:1"}))


def test_fingerprints_are_worked_out_once_and_only_when_asked_for():
    asked = []
    subject = late_subject(asked)
    assert subject.first == "Ada"
    assert not asked
    assert subject.fingerprints == subject.fingerprints == {"name:1"}
    assert len(asked) == 1


@pytest.mark.parametrize(
    "look",
    [
        lambda one: one, hash, repr, astuple, lambda one: replace(one, role="patient"),
        lambda one: pickle.loads(pickle.dumps(one)), lambda one: replace(one, fingerprints=()),
    ],
)  # fmt: skip
def test_a_late_field_looks_like_any_other(look):
    assert look(late_subject([])) == look(KNOWN)


def test_a_late_field_is_as_frozen():
    with pytest.raises(FrozenInstanceError):
        late_subject([]).fingerprints = frozenset()


def test_a_value_is_made_of_all_its_fields():
    assert maker(Subject)(astuple(KNOWN)) == KNOWN
    with pytest.raises(ValueError, match="not enough"):
        maker(Subject)(("1",))
    with pytest.raises(ValueError, match="too many"):
        maker(Subject)((*astuple(KNOWN), "more"))
