"""The shape of every section of the settings.

In: nothing.  Out: Section, which refuses unknown keys and never changes.
"""

from __future__ import annotations

import os

from pydantic import BaseModel, ConfigDict

# No package of the environment has a say in our settings, and none is searched for one at start.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


class Section(BaseModel):
    """Unknown keys are mistakes, and a setting never changes after start."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
