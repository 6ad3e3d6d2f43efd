"""Run every rule's own examples through the real search.

In: a Finder.  Out: one line per example that fails; none means every rule proves itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from dlp.detect.identify.finder import Finder
from dlp.rulebook import IdentifierRule


def failures(finder: Finder) -> Iterator[str]:
    for rule in finder.rules:
        yield from failures_of(finder, rule)


def failures_of(finder: Finder, rule: IdentifierRule) -> Iterator[str]:
    where = f"{rule.file}: {rule.id}"
    # A rule may speak below the reporting floor on purpose; its examples still have to hold.
    floor = min(0.3, rule.in_context * 0.5)
    for example in rule.match:
        spans = [
            (hit.start, hit.end)
            for hit in finder.find(example.text, floor)
            if hit.rule_id == rule.id
        ]
        if (example.start, example.end) not in spans:
            seen = [example.text[start:end] for start, end in spans]
            others = sorted({hit.rule_id for hit in finder.find(example.text, floor)})
            yield f"{where}: does not find {example.text!r} (found {seen}, rules {others})"
    for text in rule.reject:
        for hit in finder.find(text, floor):
            if hit.rule_id == rule.id:
                yield f"{where}: finds {text[hit.start : hit.end]!r} in {text!r}"
