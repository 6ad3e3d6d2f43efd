"""What tests of formats ask of every reader."""

import io

from dlp.decode.contract import Embedded, Limits, Title
from dlp.model import Gap, Part


def items(extract, raw, **limits):
    """Everything an extractor gives for the bytes."""
    return list(extract(io.BytesIO(raw), Limits(**limits)))


def parts(extract, raw, **limits):
    """Text by locator; a locator that comes twice is a bug."""
    found = {}
    for item in items(extract, raw, **limits):
        if isinstance(item, Part):
            assert item.locator not in found, item.locator
            found[item.locator] = item.text
    return found


def gaps(extract, raw, **limits):
    return {item.code for item in items(extract, raw, **limits) if isinstance(item, Gap)}


def all_words(extract, raw):
    """All text, the text of files inside that the same reader reads, and the bytes of the rest."""
    words = []
    for item in items(extract, raw):
        if isinstance(item, Part | Title):
            words.append(item.text)
        elif isinstance(item, Embedded):
            words.append(item.name)
            if item.data.startswith((b"PK", b"\xd0\xcf")):
                words.append(all_words(extract, item.data))
            else:
                words.append(item.data.decode("latin-1"))
    return "\n".join(words)


def is_sound(extract, raw, **limits):
    """The promise to the pipeline: typed items, unique content-free locators, silent reprs."""
    for item in items(extract, raw, **limits):
        assert isinstance(item, Part | Embedded | Gap | Title)
        if isinstance(item, Part) and item.fields is not None:
            assert all(0 <= f.start <= f.end <= len(item.text) for f in item.fields)
    return True
