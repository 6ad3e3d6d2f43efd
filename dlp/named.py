"""Tuples with named fields at a quarter of the price that Python's take to be made.

In: a class that states fields, as of `typing.NamedTuple`.  Out: the class that this would make.

Python checks every annotation as if it were a type, which compiles it, and compiles a constructor
for each class: a twentieth of a start, for seventy classes. Here constructors with as many fields
are one piece of code under other names.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from operator import itemgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

_collections: Any = importlib.import_module("_collections")  # an inside of Python


def plain_field(number: int, _: str) -> property:
    return property(itemgetter(number))


FIELD: Callable[[int, str], Any] = getattr(_collections, "_tuplegetter", plain_field)


def _make(cls: Any, iterable: Iterable[Any]) -> Any:
    made: tuple[Any, ...] = tuple.__new__(cls, iterable)
    if len(made) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
    return made


def _replace(self: Any, /, **kwds: Any) -> Any:
    made = self._make(map(kwds.pop, self._fields, self))
    if kwds:
        raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
    return made


def _asdict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def __repr__(self: Any) -> str:  # noqa: N807 - as the classes will call it
    told = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{self.__class__.__name__}({told})"


def __getnewargs__(self: Any) -> tuple[Any, ...]:  # noqa: N807
    return tuple(self)


SHARED = {
    "__slots__": (), "_make": classmethod(_make), "_replace": _replace, "_asdict": _asdict,
    "__repr__": __repr__, "__getnewargs__": __getnewargs__,
}  # fmt: skip


@functools.cache
def constructor(count: int) -> FunctionType:
    given = "".join(f", _{number}" for number in range(count))
    source = f"lambda _cls{given}: _new(_cls, ({given[2:]}{',' * (count == 1)}))"
    return cast("FunctionType", eval(source, {"_new": tuple.__new__}))  # noqa: S307 - ours alone


def constructor_of(
    kind: str, names: tuple[str, ...], defaults: tuple[Any, ...]
) -> Callable[..., Any]:
    like = constructor(len(names))
    code = like.__code__.replace(
        co_varnames=("_cls", *names), co_name="__new__", co_qualname=f"{kind}.__new__"
    )
    return FunctionType(code, like.__globals__, "__new__", defaults)


class Maker(type):
    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, body)
        names = tuple(body.get("__annotations__", ()))
        defaults = {field: body.pop(field) for field in names if field in body}
        if tuple(defaults) != names[len(names) - len(defaults) :]:
            raise TypeError(f"{name}: fields with a default come last")
        fields = {field: FIELD(number, field) for number, field in enumerate(names)}
        stated = {"_fields": names, "_field_defaults": defaults, "__match_args__": names}
        new = constructor_of(body["__qualname__"], names, tuple(defaults.values()))
        return type(name, (tuple,), {**SHARED, **stated, **fields, "__new__": new, **body})


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - others import it from here
else:

    class NamedTuple(metaclass=Maker):
        """To be derived from; what is derived is a tuple and nothing else."""
