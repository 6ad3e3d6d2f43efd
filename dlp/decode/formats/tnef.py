"""Read winmail.dat attachments.

In: an open TNEF stream.  Out: headers, body, HTML or RTF, attachments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dlp.decode.contract import Budget, BudgetExceededError, Item, Limits, at_most
from dlp.decode.office import tnef
from dlp.model import Gap, GapCode, Part

MEDIA_TYPES = frozenset({"application/vnd.ms-tnef", "application/ms-tnef"})


def extract(source: BinaryIO, limits: Limits) -> Iterator[Item]:
    content = at_most(source, limits.max_inflated_bytes + 1)
    if len(content) > limits.max_inflated_bytes:
        yield Gap(GapCode.TOO_LARGE, "body")
        return
    budget = Budget(limits)
    try:
        for item in tnef.read(content, budget):
            if isinstance(item, Part):
                if not item.text.strip():
                    continue
                budget.take_text(len(item.text), item.locator)
            yield item
    except BudgetExceededError as error:
        yield error.gap
