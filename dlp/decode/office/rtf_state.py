"""Keep what an RTF group inherits, and what single words change in it.

In: control words.  Out: State and Fonts, as the reader goes along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dlp.decode.office.rtf_words import BODY, CODEPAGES, codec_of


@dataclass(slots=True)
class State:
    """What a group inherits from the one around it."""

    stream: str = BODY
    codec: str = "cp1252"
    fallback: int = 1  # how many characters stand in for one \\u
    removed: bool = False
    added: bool = False
    silent: bool = False  # RTF-only repetition inside encapsulated HTML
    binary: str = ""  # destination whose digits are a file
    around: str = BODY  # stream outside the nearest destination
    fresh: bool = True  # nothing but the opening brace so far
    optional: bool = False  # \\* came first: an unknown destination


@dataclass(slots=True)
class Fonts:
    """Which code page each font of the file writes in."""

    default: str = "cp1252"
    current: int = 0  # the font that the font table is describing
    codecs: dict[int, str] = field(default_factory=dict)

    def choose(self, state: State, number: int) -> None:
        self.current = number
        state.codec = self.codecs.get(number, self.default)


def set_codepage(fonts: Fonts, state: State, number: int | None) -> None:
    if number:
        fonts.default = state.codec = codec_of(number)


def set_charset(fonts: Fonts, _state: State, number: int | None) -> None:
    fonts.codecs[fonts.current] = CODEPAGES.get(number or 0, fonts.default)


def set_font_codepage(fonts: Fonts, _state: State, number: int | None) -> None:
    fonts.codecs[fonts.current] = codec_of(number or 0)


def set_fallback(_fonts: Fonts, state: State, number: int | None) -> None:
    state.fallback = min(max(number or 0, 0), 16)


def set_removed(_fonts: Fonts, state: State, number: int | None) -> None:
    state.removed = number != 0


def set_added(_fonts: Fonts, state: State, number: int | None) -> None:
    state.added = number != 0


def set_silent(_fonts: Fonts, state: State, number: int | None) -> None:
    state.silent = number != 0


def set_plain(_fonts: Fonts, state: State, _number: int | None) -> None:
    state.removed = state.added = False


def set_mac(fonts: Fonts, state: State, _number: int | None) -> None:
    set_codepage(fonts, state, 10000)


def set_dos(fonts: Fonts, state: State, _number: int | None) -> None:
    set_codepage(fonts, state, 437)


SETTERS: dict[str, Callable[[Fonts, State, int | None], None]] = {
    "ansicpg": set_codepage,
    "cpg": set_font_codepage,
    "deleted": set_removed,
    "fcharset": set_charset,
    "htmlrtf": set_silent,
    "mac": set_mac,
    "pc": set_dos,
    "plain": set_plain,
    "revised": set_added,
    "uc": set_fallback,
}
