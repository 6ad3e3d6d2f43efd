"""A tuple with named fields is what Python would have made of it."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from dlp import named

Lean = vars(named)["NamedTuple"]


class Plainly(typing.NamedTuple):
    """What is told."""

    name: str
    size_bytes: int
    parts: list[str] | None = None

    @property
    def doubled(self) -> int:
        return self.size_bytes * 2


class Leanly(Lean):
    """What is told."""

    name: str
    size_bytes: int
    parts: list[str] | None = None

    @property
    def doubled(self) -> int:
        return self.size_bytes * 2


class One(Lean):
    only: int


class Nothing(Lean):
    pass


@pytest.mark.parametrize("kind", [Plainly, Leanly])
def test_it_is_a_tuple_with_names(kind):
    made = kind("a", size_bytes=3)
    assert made == ("a", 3, None) == kind._make(["a", 3, None])
    assert (made.name, made.size_bytes, made.parts, made.doubled) == ("a", 3, None, 6)
    assert repr(made) == f"{kind.__name__}(name='a', size_bytes=3, parts=None)"
    assert made._replace(parts=["x"])._asdict() == {"name": "a", "size_bytes": 3, "parts": ["x"]}
    assert pickle.loads(pickle.dumps(made)) == copy.copy(made) == made
    assert type(pickle.loads(pickle.dumps(made))) is kind
    assert hash(made) == hash(tuple(made))
    match made:
        case kind(name, size):  # type: ignore[misc]
            assert (name, size) == ("a", 3)
    with pytest.raises(AttributeError):
        made.name = "b"
    with pytest.raises(AttributeError):
        made.other = "b"


@pytest.mark.parametrize("given, named_", [((), {}), (("a",), {}), (("a", 1, None, 2), {}),
                                           (("a", 1), {"other": 2}), (("a", 1), {"name": 2})])  # fmt: skip
def test_it_refuses_what_python_refuses(given, named_):
    with pytest.raises(TypeError) as by_python:
        Plainly(*given, **named_)
    with pytest.raises(TypeError) as by_us:
        Leanly(*given, **named_)
    assert str(by_us.value) == str(by_python.value).replace("Plainly", "Leanly")


def test_wrong_fields_are_refused():
    with pytest.raises(TypeError, match="Expected 3 arguments"):
        Leanly._make(["a"])
    with pytest.raises(ValueError, match="unexpected field names"):
        Leanly("a", 1)._replace(other=2)
    with pytest.raises(TypeError, match="default"):
        type(Lean)("Wrong", (Lean,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1,
                                      "__qualname__": "Wrong"})  # fmt: skip


def test_it_has_what_python_gives_it():
    for name in ("_fields", "_field_defaults", "__match_args__", "__slots__"):
        assert getattr(Leanly, name) == getattr(Plainly, name)
    assert list(Leanly.__annotations__) == list(Plainly.__annotations__)
    assert set(dir(Plainly)) - set(dir(Leanly)) <= {"__orig_bases__", "__slotnames__"}
    assert (Leanly.__mro__, Leanly.__module__) == ((Leanly, tuple, object), __name__)
    assert Leanly.__doc__ == Plainly.__doc__
    assert One(5) == (5,)
    assert Nothing() == ()


def test_without_the_inside_of_python_fields_are_plain(monkeypatch):
    monkeypatch.setattr(named, "FIELD", named.plain_field)
    kind = type(Lean)("Kind", (Lean,), {"__annotations__": {"a": "int"}, "__qualname__": "Kind",
                                        "__module__": __name__})  # fmt: skip
    assert kind(4).a == 4
