"""The shape of every section of the settings.

In: nothing.  Out: Section, which refuses unknown keys and never changes.
"""

from __future__ import annotations

import os
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict

# No package of the environment has a say in our settings, and none is searched for one at start.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


class Section(BaseModel):
    """Unknown keys are mistakes, and a setting never changes after start."""

    # Deferred: what checks a section is put together when one is read, and a scan without a file of
    # settings reads none.
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    def plain(self) -> dict[str, Any]:
        """What `model_dump(mode="json")` gives, without putting together what checks a section."""
        return {name: as_plain(getattr(self, name)) for name in type(self).model_fields}


def as_plain(value: Any) -> Any:
    if isinstance(value, Section):
        return value.plain()
    if isinstance(value, dict):
        return {key: as_plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [as_plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value
