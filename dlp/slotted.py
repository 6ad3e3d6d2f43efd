"""Make and copy frozen values with slots without their constructor; work a field out when asked.

In: a frozen dataclass with slots.  Out: functions that make one of its values, or copy one.

A case is copied a dozen times for each file, and `dataclasses.replace` takes three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

Value = TypeVar("Value")


def copier(kind: type[Value]) -> Callable[[Value, Mapping[str, Any]], Value]:
    """A copy is filled as a value of a class with the same slots that is not frozen.

    Its code names every field, as the constructor does that `dataclasses` writes: setting a slot
    by name costs a tenth of a call for each.
    """
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    open_kind = type(f"Open{kind.__name__}", (), {"__slots__": tuple(names)})
    kept = "".join(f"    made.{name} = value.{name}\n" for name in names)
    scope: dict[str, Any] = {"open_kind": open_kind, "kind": kind}
    source = f"def copy(value, changes):\n    made = open_kind()\n{kept}"
    exec(f"{source}    return closed(made, changes)\n", scope)  # noqa: S102 - names of fields only

    def closed(made: Any, changes: Mapping[str, Any]) -> Value:
        try:
            for name in changes:
                setattr(made, name, changes[name])
        except AttributeError as error:
            raise TypeError(f"{kind.__name__} has no field {name}") from error
        made.__class__ = kind
        return cast("Value", made)

    scope["closed"] = closed
    return cast("Callable[[Value, Mapping[str, Any]], Value]", scope["copy"])


def maker(kind: type[Value]) -> Callable[[tuple[Any, ...]], Value]:
    """Makes a value of all its fields in their order, as a copy is made."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    open_kind = type(f"Open{kind.__name__}", (), {"__slots__": tuple(names)})
    filled = "".join(f"    made.{name} = {name}\n" for name in names)
    scope: dict[str, Any] = {"open_kind": open_kind, "kind": kind}
    source = (
        f"def make(given):\n    ({', '.join(names)},) = given\n    made = open_kind()\n{filled}"
    )
    exec(f"{source}    made.__class__ = kind\n    return made\n", scope)  # noqa: S102 - as above
    return cast("Callable[[tuple[Any, ...]], Value]", scope["make"])


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
