"""Make and copy frozen values with slots without their constructor; work a field out when asked.

In: a frozen dataclass with slots.  Out: functions that make one of its values, or copy one.

A case is copied a dozen times for each file, and `dataclasses.replace` takes three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

Value = TypeVar("Value")


def copier(kind: type[Value]) -> Callable[[Value, Mapping[str, Any]], Value]:
    puts = {field.name: getattr(kind, field.name).__set__ for field in fields(kind)}  # type: ignore[arg-type]
    ordered, values, new = tuple(puts.values()), attrgetter(*puts), object.__new__

    def copy(value: Value, changes: Mapping[str, Any]) -> Value:
        made = new(kind)
        for put, kept in zip(ordered, values(value), strict=True):
            put(made, kept)
        if not changes.keys() <= puts.keys():
            raise TypeError(f"{kind.__name__} has no field {min(changes.keys() - puts.keys())}")
        for name in changes:
            puts[name](made, changes[name])
        return made

    return copy


def maker(kind: type[Value]) -> Callable[[Iterable[Any]], Value]:
    """Makes a value of all its fields in their order."""
    puts = tuple(getattr(kind, field.name).__set__ for field in fields(kind))  # type: ignore[arg-type]
    new = object.__new__

    def make(given: Iterable[Any]) -> Value:
        made = new(kind)
        for put, one in zip(puts, given, strict=True):
            put(made, one)
        return made

    return make


class Late:
    """A field that may be given as a function: whoever asks first has it worked out."""

    def __init__(self, slot: Any) -> None:
        self._slot = slot

    def __get__(self, value: object, kind: type | None = None) -> Any:
        if value is None:
            return self
        known = self._slot.__get__(value, kind)
        if callable(known):
            known = known()
            self._slot.__set__(value, known)
        return known

    def __set__(self, value: object, given: Any) -> None:
        self._slot.__set__(value, given)


def late(kind: type, name: str) -> None:
    """Lets a field of a class be given as a function of nothing."""
    setattr(kind, name, Late(getattr(kind, name)))
