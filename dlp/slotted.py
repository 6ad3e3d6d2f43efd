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

from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from typing import Any, TypeVar, cast

Value = TypeVar("Value")


def code(kind: type, source: str, **known: Any) -> Any:
    """The function that `source` defines; it knows the class, and its open twin as `open_kind`."""
    scope: dict[str, Any] = {"kind": kind, "open_kind": open_twin(kind), **known}
    made = dict(scope)
    exec(source, made)  # noqa: S102 - names of fields only
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


def constructor(kind: type) -> Any:
    given, puts, known = ["self"], [], dict[str, Any]()
    for field in fields(kind):
        name, value = field.name, field.name
        if field.default_factory is not MISSING:
            known |= {f"make_{name}": field.default_factory, "MISSING": MISSING}
            value = f"make_{name}() if {name} is MISSING else {name}"
            given.append(f"{name}=MISSING")
        elif field.default is not MISSING:
            known[f"default_{name}"] = field.default
            given.append(f"{name}=default_{name}")
        else:
            given.append(name)
        puts.append(f"    self.{name} = {value}\n")
    source = (
        f"def __init__({', '.join(given)}):\n"
        "    set_frozen(self, '__class__', open_kind)\n"
        f"{''.join(puts)}    self.__class__ = kind\n"
    )
    return code(kind, source, set_frozen=object.__setattr__, **known)


def copier(kind: type[Value]) -> Callable[..., Value]:
    """A method of a class: the same value but for the fields that are named."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    # a field each, with a default: names that are given find their places without a dictionary
    given = ", ".join(f"{name}=KEPT" for name in names)
    puts = [f"    made.{name} = value.{name} if {name} is KEPT else {name}\n" for name in names]
    source = (
        f"def but(value, /, {given}):\n    made = open_kind()\n{''.join(puts)}"
        "    made.__class__ = kind\n"
        "    return made\n"
    )
    return cast("Callable[..., Value]", code(kind, source, KEPT=object()))


def maker(kind: type[Value]) -> Callable[[Iterable[Any]], Value]:
    """Makes a value of all its fields in their order."""
    places = ", ".join(f"made.{field.name}" for field in fields(kind))  # type: ignore[arg-type]
    source = (
        "def make(given):\n    made = open_kind()\n"
        "    try:\n"
        f"        {places}, = given\n"
        "    except ValueError as error:\n"
        "        raise ValueError(f'shorter or longer than {kind.__name__}') from error\n"
        "    made.__class__ = kind\n"
        "    return made\n"
    )
    return cast("Callable[[Iterable[Any]], Value]", code(kind, source))


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
