"""The shape of every section of the settings.

In: nothing.  Out: Section, which refuses unknown keys and never changes.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Unknown keys are mistakes, and a setting never changes after start."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
