"""Write the operators that show text anew, where the edit changed what they say.

In: a page's instructions, its letters, the edited text.  Out: instructions without the old letters.

Untouched letters keep their codes and fonts; what replaces something is set in a standard font, as
wide as what it replaces at most, and whatever follows on the line stays where it is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from pikepdf import Array, Name

from dlp.sanitise.documents.contract import refuse
from dlp.sanitise.documents.pdf_flatten import Instruction
from dlp.sanitise.documents.pdf_text import Letter, Page
from dlp.sanitise.documents.run_alignment import spread

# Widths of Helvetica from space to tilde, thousandths of the size (Adobe's Core 14 metrics).
WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
PLAIN, BOLD = "/DlpPlain", "/DlpBold"
MOVES = frozenset({"Td", "TD", "Tm", "T*", "BT"})
SAME_LINE = 1.0  # point
NEAR = 0.01  # point
NARROWEST = 35.0  # per cent; narrower than that nobody reads it


@dataclass(frozen=True, slots=True)
class TextState:
    font: Any = None
    size: float = 1.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 100.0
    ahead: float = 0.0  # page units the pen is beyond where the old text would have left it


@dataclass(frozen=True, slots=True)
class Piece:
    """A letter of an operator: where it stands, and what is to stand there."""

    letter: Letter
    new: str
    room: float  # page units until the next letter that stays


def edited_instructions(
    instructions: list[Instruction], page: Page, edited: str
) -> list[Instruction]:
    texts = spread([letter.text for letter in page.letters], edited, fixed_of(page))
    pieces = pieces_by_show(page, texts)
    out: list[Instruction] = []
    state, saved, number = TextState(), [], -1
    for operands, name in instructions:
        if name == "q":
            saved.append(state)
        elif name == "Q" and saved:
            state = saved.pop()
        state = tracked(state, operands, name)
        if name != "TJ" or not any(isinstance(i, pikepdf.String) for i in operands[0]):
            out.append((operands, name))
            continue
        number += 1
        mine = pieces.get(number)
        if mine is None:
            # pdfium counts text drawn twice in one place once: the copy says what the first said
            continue
        scale = page.scales.get(number) or 1.0
        if any(piece.new != piece.letter.text for piece in mine):
            setter = Setter(state, font_for(page, number), scale)
            out.extend(setter.reset(operands[0], mine))
            state = replace(state, ahead=setter.ahead)
        else:
            if state.ahead < -NEAR:
                out.append(([Array([shift(-state.ahead / scale, state)])], "TJ"))
                state = replace(state, ahead=0.0)
            out.append((operands, name))
    if number + 1 != page.shows:
        raise refuse("the text of a page cannot be matched to its drawing")
    return out


def font_for(page: Page, number: int) -> str:
    return BOLD if "bold" in page.fonts.get(number, "").lower() else PLAIN


def fixed_of(page: Page) -> frozenset[int]:
    return frozenset(i for i, letter in enumerate(page.letters) if letter.show < 0)


def pieces_by_show(page: Page, texts: list[str]) -> dict[int, list[Piece]]:
    pieces: dict[int, list[Piece]] = defaultdict(list)
    for i, (letter, new) in enumerate(zip(page.letters, texts, strict=True)):
        if letter.show >= 0:
            room = room_of(page, texts, i) if new != letter.text else 0.0
            pieces[letter.show].append(Piece(letter, new, room))
    return pieces


def room_of(page: Page, texts: list[str], start: int) -> float:
    """From this letter to the next one that stays on its line, or to the end of what goes."""
    first, reach = page.letters[start], page.letters[start].right
    upright = first.show in page.upright
    for i in range(start + 1, len(page.letters)):
        letter = page.letters[i]
        if letter.show < 0:
            continue
        if abs(letter.x - first.x if upright else letter.y - first.y) > SAME_LINE:
            return reach
        away = distance(first, letter)
        if texts[i]:
            return away
        reach = max(reach, away + letter.right)
    return reach


def distance(first: Letter, second: Letter) -> float:
    return float(((second.x - first.x) ** 2 + (second.y - first.y) ** 2) ** 0.5)


def tracked(state: TextState, operands: list[Any], name: str) -> TextState:
    if name == "Tf" and len(operands) == 2:
        return replace(state, font=operands[0], size=float(operands[1]) or 1.0)
    field = {"Tc": "spacing", "Tw": "word_spacing", "Tz": "stretch"}.get(name)
    if field and operands:
        return replace(state, **{field: float(operands[0])})
    return replace(state, ahead=0.0) if name in MOVES else state


def codes_of(items: Any, letters: int) -> list[bytes | float] | None:
    """The operator's codes, one per letter, and the shifts between; None if they do not match."""
    said = sum(len(bytes(i)) for i in items if isinstance(i, pikepdf.String))
    if not letters or said not in {letters, 2 * letters}:
        return None
    step = said // letters
    out: list[bytes | float] = []
    for item in items:
        if isinstance(item, pikepdf.String):
            raw = bytes(item)
            if len(raw) % step:
                return None
            out.extend(raw[i : i + step] for i in range(0, len(raw), step))
        else:
            out.append(float(item))
    return out


class Setter:
    """Sets one operator anew, with the pen kept where the letters that stay belong."""

    def __init__(self, state: TextState, font: str, scale: float) -> None:
        self._state, self._font, self._scale = state, font, scale
        self.ahead = 0.0
        self._pen = state.ahead
        self._out: list[Instruction] = []
        self._kept: list[Any] = []
        self._tied = False  # the next letter stands right behind a replacement

    def reset(self, items: Any, pieces: list[Piece]) -> list[Instruction]:
        first, last = pieces[0].letter, pieces[-1].letter
        end = distance(first, last) + last.right
        codes = codes_of(items, len(pieces))
        if codes is None:  # ligatures, or letters nobody reads: the whole operator is set anew
            self._typeset("".join(piece.new for piece in pieces), end)
        else:
            self._letters(codes, pieces)
            self._flush()
        self.ahead = self._pen - end
        return self._out

    def _letters(self, codes: list[bytes | float], pieces: list[Piece]) -> None:
        first = pieces[0].letter
        offsets = [distance(first, piece.letter) for piece in pieces]
        offsets.append(offsets[-1] + pieces[-1].letter.right)
        place, staying = 0, True
        for code in codes:
            if isinstance(code, float):
                if staying:  # shifts between letters that go, go with them
                    self._kept.append(code)
                continue
            piece = pieces[place]
            staying = piece.new == piece.letter.text
            if staying:
                if not self._tied or piece.letter.text.isspace():
                    self._tied = False
                    self._move_to(offsets[place])
                if self._kept and isinstance(self._kept[-1], bytes):
                    self._kept[-1] += code
                else:
                    self._kept.append(code)
                self._pen += offsets[place + 1] - offsets[place]
            elif piece.new:
                self._flush()
                self._typeset(piece.new, piece.room)
                self._tied = not piece.new[-1].isspace()
            place += 1

    def _move_to(self, offset: float) -> None:
        """On to a letter's own place; never back over what was written there."""
        if offset - self._pen > NEAR:
            self._kept.append(shift((offset - self._pen) / self._scale, self._state))
            self._pen = offset

    def _flush(self) -> None:
        if self._kept:
            items = [pikepdf.String(i) if isinstance(i, bytes) else i for i in self._kept]
            self._out.append(([Array(items)], "TJ"))
            self._kept = []

    def _typeset(self, text: str, room: float) -> None:
        """Show text in a standard font, squeezed where there is too little room."""
        line = " ".join(text.split())
        if not line:
            return
        if text[-1].isspace():
            line += " "
        state, raw = self._state, line.encode("cp1252", "replace")
        width = width_of(raw, abs(state.size))
        width *= self._scale * (1.06 if self._font == BOLD else 1.0)
        stretch = max(NARROWEST, min(100.0, 100 * room / width)) if width else 100.0
        self._pen += width * stretch / 100
        back: list[Instruction] = (
            [([state.font, state.size], "Tf")] if state.font is not None else []
        )
        self._out += [
            ([Name(self._font), state.size], "Tf"), ([0], "Tc"), ([0], "Tw"),
            ([round(stretch, 2)], "Tz"), ([Array([pikepdf.String(raw)])], "TJ"), *back,
            ([state.spacing], "Tc"), ([state.word_spacing], "Tw"), ([state.stretch], "Tz"),
        ]  # fmt: skip


def width_of(raw: bytes, size: float) -> float:
    """How wide Helvetica sets a line."""
    return sum(WIDTHS[c - 32] if 32 <= c < 127 else 556 for c in raw) / 1000 * size


def shift(length: float, state: TextState) -> float:
    """The number in a TJ that moves by so much."""
    return round(-length * 1000 / (state.size * state.stretch / 100), 3)
