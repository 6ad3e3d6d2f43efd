"""A value that is made or copied without its constructor is what that would have made."""

import dataclasses
import pickle
from dataclasses import FrozenInstanceError, astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.model import Case, Container, FileRef, Gap, GapCode, Subject
from dlp.slotted import leanly, maker

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
    with pytest.raises(ValueError, match="shorter"):
        maker(Subject)(("1",))


def test_a_quick_constructor_makes_what_its_own_would():
    case = Case(FileRef("share", b"a.txt"), language="en")
    assert (case.ref.path, case.ref.size_bytes, case.ref.sha256) == (b"a.txt", 0, "")
    assert (case.language, case.document, case.findings, case.facts) == ("en", None, (), {})
    assert case.facts is not Case(case.ref).facts  # each has its own
    assert type(case) is Case
    assert pickle.loads(pickle.dumps(case)) == case == replace(case)
    with pytest.raises(FrozenInstanceError):
        case.language = "es"
    with pytest.raises(TypeError):
        Case()
    with pytest.raises(TypeError):
        Case(case.ref, tongue="es")


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    """As the library makes it."""

    kind: str
    shown: int = 3
    hidden: list = dataclasses.field(default_factory=list, repr=False, compare=False)


@leanly(frozen=True, slots=True)
class Lean:
    """The same, made here."""

    kind: str
    shown: int = 3
    hidden: list = dataclasses.field(default_factory=list, repr=False, compare=False)


@leanly(slots=True, kw_only=True)
class Open:
    """One that may change."""

    kind: str
    size: int = 0


@pytest.mark.parametrize("kind", [Plain, Lean])
def test_a_lean_class_is_what_the_library_makes(kind):
    one, other = kind("a"), kind("a", hidden=[1])
    assert one == other
    assert hash(one) == hash(other) == hash(("a", 3))
    assert one != kind("a", 4)
    assert one != ("a", 3)
    assert repr(one) == f"{kind.__name__}(kind='a', shown=3)"
    assert replace(one, shown=5) == kind("a", 5)
    assert astuple(other) == ("a", 3, [1])
    assert pickle.loads(pickle.dumps(other)).hidden == [1]
    assert one.hidden is not kind("a").hidden
    assert kind.__match_args__ == ("kind", "shown", "hidden")
    assert not hasattr(one, "__dict__")
    for change in (lambda: setattr(one, "shown", 1), lambda: delattr(one, "shown")):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises(TypeError):
        kind()


def test_a_lean_class_that_is_not_frozen_may_change_and_is_no_key():
    one = Open(kind="a")
    one.size = 2
    assert one == Open(kind="a", size=2)
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(TypeError):
        Open("a")
