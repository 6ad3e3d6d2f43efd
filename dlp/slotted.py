"""Make and copy frozen values with slots at the price of open ones; work a field out when asked.

In: a frozen dataclass with slots.  Out: the same with a quick constructor, or functions that make
one of its values, or copy one.

A case is copied a dozen times for each file, and `dataclasses.replace` takes three times as long;
the constructor of a frozen class takes two to three times as long as that of an open one. So a
value is filled as one of a class with the same slots that is not frozen, by code that names every
field, as the constructor does that `dataclasses` writes: setting a slot by name costs a tenth of a
call for each.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import MISSING, FrozenInstanceError, fields
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from dlp.known_code import compiled

Value = TypeVar("Value")


def leanly(
    kind: type | None = None, /, *, frozen: bool = False, slots: bool = False, kw_only: bool = False
) -> Any:
    """`dataclasses.dataclass` for values with slots, in less than half the time.

    The library writes six functions for each class and has Python compile them; here that is done
    for the constructor only. A start makes fifty such classes.
    """
    if kind is None:
        return partial(leanly, frozen=frozen, slots=slots, kw_only=kw_only)
    kind.__doc__ = kind.__doc__ or kind.__name__  # else it would be read off the constructor
    if not slots or hasattr(kind, "__post_init__"):
        return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only)(kind)
    bare = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)
    made: type = bare(kind)
    for name, function in functions(made, frozen=frozen).items():
        if name not in kind.__dict__:
            setattr(made, name, function)
    return made


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - others import it from here
else:
    dataclass = leanly


def functions(kind: type, *, frozen: bool) -> dict[str, Any]:
    """What the library would have written for a class."""
    shown = [field.name for field in fields(kind) if field.repr]
    compared = [field.name for field in fields(kind) if field.compare]
    values = attrgetter(*compared) if len(compared) > 1 else partial(few, compared)

    def __repr__(self: Any) -> str:  # noqa: N807 - as the class will call it
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({told})"

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(values(self) == values(other))

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    written = {"__repr__": __repr__, "__eq__": __eq__, "__init__": constructor(kind, frozen=frozen)}
    if not frozen:
        return written | {"__hash__": None}
    stated = [field.name for field in fields(kind)]

    def __getstate__(self: Any) -> list[Any]:  # noqa: N807
        return [getattr(self, name) for name in stated]

    def __setstate__(self: Any, state: list[Any]) -> None:  # noqa: N807
        for name, value in zip(stated, state, strict=True):
            object.__setattr__(self, name, value)

    kept = {"__getstate__": __getstate__, "__setstate__": __setstate__}
    return written | kept | {"__hash__": __hash__, "__setattr__": refuse, "__delattr__": refuse}


def few(names: Iterable[str], value: object) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in names)


def refuse(_: object, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def code(kind: type, source: str, **known: Any) -> Any:
    """The function that `source` defines; it knows the class as `_kind`, its open twin as `_open`.

    A field may bear any name that begins with a letter.
    """
    scope: dict[str, Any] = {"_kind": kind, "_open": open_twin(kind), **known}
    made = dict(scope)
    exec(compiled(source), made)  # noqa: S102 - names of fields only
    (name,) = made.keys() - scope.keys() - {"__builtins__"}
    return made[name]


def open_twin(kind: type) -> type:
    slots = tuple(field.name for field in fields(kind))
    name = f"Open{kind.__name__}"
    if any(isinstance(vars(kind)[slot], Late) for slot in slots):
        return type(name, (), {"__slots__": slots})  # its slots as they are
    # derived: a value changes over without its slots being compared by name
    usual = {one: getattr(object, one) for one in ("__init__", "__setattr__", "__delattr__")}
    return type(name, (kind,), {"__slots__": (), **usual})


def quick(*kinds: type) -> None:
    """Gives classes a constructor that does what their own does, in half the time."""
    for kind in kinds:
        kind.__init__ = constructor(kind)  # type: ignore[misc] # of the class itself, none derived


def constructor(kind: type, *, frozen: bool = True) -> Any:
    given, puts, known = ["self"], [], dict[str, Any]()
    named = [field for field in fields(kind) if field.kw_only]
    for field in (*(one for one in fields(kind) if not one.kw_only), *named):
        if named and field is named[0]:
            given.append("*")
        name, value = field.name, field.name
        if field.default_factory is not MISSING:
            known |= {f"_make_{name}": field.default_factory, "_missing": MISSING}
            value = f"_make_{name}() if {name} is _missing else {name}"
            given.append(f"{name}=_missing")
        elif field.default is not MISSING:
            known[f"_default_{name}"] = field.default
            given.append(f"{name}=_default_{name}")
        else:
            given.append(name)
        puts.append(f"    self.{name} = {value}\n")
    if not frozen:
        source = f"def __init__({', '.join(given)}):\n{''.join(puts) or '    pass'}"
        return code(kind, source, **known)
    source = (
        f"def __init__({', '.join(given)}):\n"
        "    _set(self, '__class__', _open)\n"
        f"{''.join(puts)}    self.__class__ = _kind\n"
    )
    return code(kind, source, _set=object.__setattr__, **known)


def copier(kind: type[Value]) -> Callable[..., Value]:
    """A method of a class: the same value but for the fields that are named."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    # a field each, with a default: names that are given find their places without a dictionary
    given = ", ".join(f"{name}=_kept" for name in names)
    puts = [f"    _made.{name} = _value.{name} if {name} is _kept else {name}\n" for name in names]
    source = (
        f"def but(_value, /, {given}):\n    _made = _open()\n{''.join(puts)}"
        "    _made.__class__ = _kind\n"
        "    return _made\n"
    )
    return cast("Callable[..., Value]", code(kind, source, _kept=object()))


def maker(kind: type[Value]) -> Callable[[Iterable[Any]], Value]:
    """Makes a value of all its fields in their order."""
    places = ", ".join(f"made.{field.name}" for field in fields(kind))  # type: ignore[arg-type]
    source = (
        "def make(given):\n    made = _open()\n"
        "    try:\n"
        f"        {places}, = given\n"
        "    except ValueError as error:\n"
        "        raise ValueError(f'shorter or longer than {_kind.__name__}') from error\n"
        "    made.__class__ = _kind\n"
        "    return made\n"
    )
    return cast("Callable[[Iterable[Any]], Value]", code(kind, source))


class Late:
    """A field that may be given as a function: whoever asks first has it worked out."""

    def __init__(self, slot: Any) -> None:
        self.slot = slot

    def __get__(self, value: object, kind: type | None = None) -> Any:
        if value is None:
            return self
        known = self.slot.__get__(value, kind)
        if callable(known):
            known = known()
            self.slot.__set__(value, known)
        return known

    def __set__(self, value: object, given: Any) -> None:
        self.slot.__set__(value, given)


def late(kind: type, name: str) -> None:
    """Lets a field of a class be given as a function of nothing."""
    setattr(kind, name, Late(getattr(kind, name)))
