"""Import the language model's library without pydantic, which takes a third of that.

In: an import within the `with`.  Out: the same library; what it describes by pydantic is described
by the class that its reader of configurations has for that, and would turn it into.

The library describes its configurations by pydantic, and patterns and trees that nobody here makes.
A configuration is checked by `confection`, whatever describes it.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from dlp.unasked import without

PYDANTIC, OLD = "pydantic", "pydantic.v1"
DESCRIBING = ("schemas.py", "pipeline/_edit_tree_internals/schemas.py")  # who imports it
IMPORTED = re.compile(r"^from pydantic import (\([^)]*\)|.*)", re.MULTILINE)


@contextmanager
def without_pydantic() -> Iterator[None]:
    """Not where somebody has imported it before, nor where more is asked of it than is known."""
    found = importlib.util.find_spec("spacy") if PYDANTIC not in sys.modules else None
    places = list(found.submodule_search_locations or ()) if found else []
    if not places or "spacy" in sys.modules:
        yield
        return
    with without(refused=(PYDANTIC, OLD)):
        reader: Any = importlib.import_module("confection.validation")
    lean = described_by(reader)
    if not asked_in(Path(places[0])) <= vars(lean).keys():
        yield
        return
    sys.modules[PYDANTIC] = lean
    try:
        yield
    finally:
        del sys.modules[PYDANTIC]


def asked_in(folder: Path) -> set[str]:
    """The names that the library imports."""
    names = set()
    for place in DESCRIBING:
        for some in IMPORTED.findall((folder / place).read_text(encoding="utf-8")):
            names |= set(re.findall(r"\w+", some))
    return names or {"nothing that could be read"}


def described_by(reader: Any) -> ModuleType:
    """The names of pydantic that describe a configuration, as `confection` means them."""

    class BaseModel(reader.Schema):  # type: ignore[misc]
        @classmethod
        def model_rebuild(cls, **_: Any) -> None:
            """Names in annotations are looked up when somebody asks."""

    class RootModel(BaseModel):
        def __class_getitem__(cls, _: object) -> type:
            return cls

    def field(default: Any = ..., *, alias: str | None = None, **_: Any) -> Any:
        return reader.Field(default, alias=alias)

    def unchanged(*_: Any, **__: Any) -> Callable[[Any], Any]:
        return lambda method: method

    def refused(*_: Any, **__: Any) -> Any:
        raise ImportError("pydantic was said to be needless")

    lean = ModuleType(PYDANTIC)
    vars(lean).update(
        BaseModel=BaseModel, RootModel=RootModel, ConfigDict=dict, Field=field,
        StrictBool=reader.StrictBool, StrictFloat=reader.StrictFloat, StrictInt=int,
        StrictStr=str, ValidationError=reader.ValidationError, constr=lambda **_: str,
        field_validator=unchanged, create_model=refused,
    )  # fmt: skip
    return lean
