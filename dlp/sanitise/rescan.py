"""Open an output with readers that did not write it, and look for what was taken out.

In: an output, the texts of the original, what was replaced in them.  Out: Hidden: places, values.

The first rescan uses the product's own readers. If one of them is blind to a corner of a format,
what lies there is neither edited nor found; the readers of `documents.proof` are other libraries
and the bytes themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from dlp.model import Finding, Kind
from dlp.sanitise.caution import SURE
from dlp.sanitise.documents.proof import leftovers, spoken
from dlp.sanitise.identity import telling
from dlp.sanitise.plan import Edit
from dlp.sanitise.text import DECIDED, Page, Report, Sanitiser

SHORTEST = 4  # characters: three letters stand by chance in the bytes of any picture
MOST_TEXT = 2_000_000  # characters that are searched again for identifiers of any kind
FIRM = frozenset({"names", "related", "implies", "phrase"})  # never left to statistics


@dataclass(slots=True)
class Hidden:
    places: list[str] = field(default_factory=list)  # closed words and numbers, never content
    values: dict[str, Kind] = field(default_factory=dict, repr=False)


class Rescan:
    def __init__(self, sanitiser: Sanitiser, find: Callable[[str], Sequence[Finding]]) -> None:
        self._sanitiser = sanitiser
        self._find = find

    def values_left(
        self, output: bytes, media_type: str, pages: Sequence[Page], report: Report
    ) -> Hidden:
        """Where another reader still sees a value, or a term that names a topic."""
        wanted = dict(self._wanted(pages, report))
        hidden = Hidden(leftovers(output, media_type, wanted))
        if hidden.places:
            hidden.values = wanted
        text = spoken(output, media_type)[:MOST_TEXT]
        for kind, value in self._found_again(text, pages):
            hidden.places.append(f"the text ({kind.value})")
            hidden.values[value] = kind
        if any(map(self._discloses, self._sanitiser.confidential.terms(text))):
            hidden.places.append("the text (a term of a protected topic)")
        return hidden

    def _wanted(self, pages: Sequence[Page], report: Report) -> Iterator[tuple[str, Kind]]:
        """Values that were taken out, other than everyday words.

        Nor one that is also a surrogate: a moved date may fall on another date of the file.
        """
        ours = self._sanitiser.identity.made
        for (text, _), page in zip(pages, report.pages, strict=True):
            for edit in page.edits:
                value = text[edit.start : edit.end].strip()
                if len(value) >= SHORTEST and _is_value(edit, value) and not ours(value):
                    yield value, Kind(edit.kind)

    def _found_again(self, text: str, pages: Sequence[Page]) -> Iterator[tuple[Kind, str]]:
        """Identifiers in the other reader's text; it runs cells together, so the original decides.

        What no page of the original holds was made up by the way this reader lays text out.
        """
        original = "\n".join(text for text, _ in pages)
        for finding in self._sanitiser.identity.left(text, self._find(text)):
            value = text[finding.start : finding.end]
            # Where cells run together any single word can look like a name.
            if not value.isalpha() and finding.confidence >= SURE and value in original:
                yield finding.kind, value

    def _discloses(self, term: object) -> bool:
        risk = self._sanitiser.confidential.disclosure.of_term(term)  # type: ignore[arg-type]
        return risk is not None and risk.why in FIRM


def _is_value(edit: Edit, value: str) -> bool:
    if edit.kind in DECIDED or value in edit.text:
        return False
    return " " in value or not value.isalpha() or telling(value)
