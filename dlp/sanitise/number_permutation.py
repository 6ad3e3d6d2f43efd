"""Turn a number into another of the same form, one to one, by a key alone.

In: a value of digits and letters, a key.  Out: another value; two values never become the same.

A keyed hash would be simpler, but hashes of seven digits meet after some three thousand record
numbers, and then two patients are one. So the value is a number below the count of all values of
its form, a Feistel network orders those numbers by the key, and the value becomes its neighbour in
that order: a permutation that leaves nothing where it was.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Sequence

ROUNDS = 8  # the halves are short, so twice the usual four


def permuted(key: bytes, kind: str, value: str) -> str:
    """Every digit and letter may change to another of its class; signs stay where they are."""
    places = [place for place, character in enumerate(value) if radix(character) > 1]
    sizes = [radix(value[place]) for place in places]
    if not places:
        return value
    half = len(sizes) // 2
    left, right = math.prod(sizes[:half]), math.prod(sizes[half:])
    form = f"{kind}:{':'.join(map(str, sizes))}"
    order = _Order(key, form, left, right) if half else _Few(key, form, right)
    number = _number([_digit(value[place]) for place in places], sizes)
    made = order.inverse((order.forward(number) + 1) % (left * right))
    written = list(value)
    for place, digit in zip(places, _digits(made, sizes), strict=True):
        written[place] = _like(value[place], digit)
    return "".join(written)


def radix(character: str) -> int:
    """How many characters can stand in this one's place; 1 where it stays."""
    if character.isdecimal():
        return 10
    return 26 if character.isascii() and character.isalpha() else 1


class _Order:
    """All numbers below left × right, in an order that the key gives."""

    def __init__(self, key: bytes, form: str, left: int, right: int) -> None:
        self._key, self._form, self._left, self._right = key, form, left, right

    def forward(self, number: int) -> int:
        high, low = divmod(number, self._right)
        for turn in range(ROUNDS):
            if turn % 2:
                high = (high + self._mixed(turn, low)) % self._left
            else:
                low = (low + self._mixed(turn, high)) % self._right
        return high * self._right + low

    def inverse(self, number: int) -> int:
        high, low = divmod(number, self._right)
        for turn in reversed(range(ROUNDS)):
            if turn % 2:
                high = (high - self._mixed(turn, low)) % self._left
            else:
                low = (low - self._mixed(turn, high)) % self._right
        return high * self._right + low

    def _mixed(self, turn: int, half: int) -> int:
        message = f"permute:{self._form}:{turn}:{half}".encode()
        # Wider than any half, so that the remainder favours no number.
        wide = b"".join(
            hmac.new(self._key, bytes([block]) + message, hashlib.sha256).digest()
            for block in range(1 + max(self._left, self._right).bit_length() // 128)
        )
        return int.from_bytes(wide, "big")


class _Few:
    """The order of so few numbers that there are no two halves: a list, sorted by the key."""

    def __init__(self, key: bytes, form: str, size: int) -> None:
        self._numbers = sorted(
            range(size), key=lambda n: hmac.new(key, f"few:{form}:{n}".encode(), "sha256").digest()
        )

    def forward(self, number: int) -> int:
        return self._numbers.index(number)

    def inverse(self, number: int) -> int:
        return self._numbers[number]


def _number(digits: Sequence[int], sizes: Sequence[int]) -> int:
    number = 0
    for digit, size in zip(digits, sizes, strict=True):
        number = number * size + digit
    return number


def _digits(number: int, sizes: Sequence[int]) -> list[int]:
    digits = []
    for size in reversed(sizes):
        number, digit = divmod(number, size)
        digits.append(digit)
    return digits[::-1]


def _digit(character: str) -> int:
    return int(character) if character.isdecimal() else ord(character.lower()) - ord("a")


def _like(model: str, digit: int) -> str:
    if model.isdecimal():
        return str(digit)
    letter = chr(ord("a") + digit)
    return letter.upper() if model.isupper() else letter
