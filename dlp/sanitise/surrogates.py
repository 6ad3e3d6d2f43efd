"""Surrogates: values of the same kind, sex and format that a key alone ties to the original.

In: a value and its kind, a key.  Out: always the same surrogate for the same value, in every file.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

from dlp.knowledge.names import load_names, load_surrogate_names
from dlp.knowledge.people import load_people, plain
from dlp.model import Kind
from dlp.sanitise.number_permutation import permuted

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_STATE_ZIP = re.compile(r"\b[A-Z]{2}\.?,?\s+\d{5}(?:-\d{4})?\b")
_SPANISH = re.compile(r"(?:ez|az|ñ|illo|illa|ado|eros?)$", re.IGNORECASE)
_GERMAN = re.compile(r"(?:mann|sch\w+|berg|stein|meier|huber)$|[äöüß]", re.IGNORECASE)
_FRENCH = re.compile(r"(?:eau|eaux|ault|elle|ier|oux)$|^(?:le|de la|du)\b|[èç]", re.IGNORECASE)
DAYS = 364  # the furthest a date moves, either way


class Surrogates:
    """Keyed and without memory: two runs with one key agree."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(b"surrogates:" + key).digest()
        self._lists = load_surrogate_names()
        # Originals by surrogate, for the sealed mapping; people may share a name out of the lists.
        self.issued: dict[str, set[str]] = {}
        self._sexes: dict[str, str] = {}  # of first names

    def days(self, person: str) -> int:
        """How far the dates of a person move; never zero."""
        number = self._number("days", person) % (2 * DAYS)
        return number - DAYS if number < DAYS else number - DAYS + 1

    def of(self, kind: Kind, value: str, sex: str = "") -> str:
        return self.note(self._make(kind, value, sex), value)

    def note(self, made: str, value: str) -> str:
        self.issued.setdefault(made, set()).add(value)
        return made

    def _make(self, kind: Kind, value: str, sex: str) -> str:
        match kind:
            case Kind.PERSON:
                return self._name(value, sex)
            case Kind.EMAIL:
                return f"user{self._number('email', value.lower()) % 10**12:012d}@example.org"
            case Kind.URL:
                return f"https://example.org/{self._number('url', value) % 10**12:012d}"
            case Kind.IP:
                return _network_address(self._number("ip", value), six=":" in value)
            case Kind.ADDRESS:
                return self._address(value)
            case Kind.PLACE:
                return self._place(value)
            case Kind.PROVIDER:
                return self._pick("hospital", value, self._lists["place"]["hospital"])
            case Kind.ORGANISATION:
                return self._pick("organisation", value, self._lists["place"]["organisation"])
        return self.digits(kind.value, value)

    def digits(self, kind: str, value: str) -> str:
        """Another value of the same form; other values become others."""
        return permuted(self._key, kind, value)

    def _name(self, value: str, sex: str) -> str:
        return _WORD.sub(lambda word: self._name_word(word.group(), sex), value)

    def _name_word(self, word: str, sex: str) -> str:
        people, names = load_people(), load_names()
        if plain(word) in people.titles or word in people.credentials:
            return word
        if len(word) == 1:
            return self.digits("initial", word)
        first, last = names.first(word), names.last(word)
        borne = (first.count if first else 0, last.count if last else 0)
        if first and borne[0] > borne[1]:
            female = first.female_share if first.female_share is not None else 0.5
            usual = "f" if female > 0.5 or (female == 0.5 and sex == "f") else "m"
            # What was decided where the person's sex was known holds where it is not.
            chosen = self._sexes.setdefault(word.lower(), usual)
            return _like(word, self._pick("first", word.lower(), self._lists["first"][chosen]))
        locale = _locale(word)
        return _like(word, self._pick("last", word.lower(), self._lists["last"][locale]))

    def _address(self, value: str) -> str:
        house = re.search(r"\d+", value)
        number = self.digits("house", house.group()) if house else "1"
        street = self._pick("street", value.lower(), self._lists["place"]["street"])
        tail = _STATE_ZIP.search(value)
        if tail:
            city = self._pick("city", value.lower(), self._lists["place"]["city"])
            return f"{number} {street}, {city}, {self._place(tail.group())}"
        return f"{number} {street}"

    def _place(self, value: str) -> str:
        """A code keeps its state and its form; a name becomes another name."""
        if any(c.isdigit() for c in value):
            code = re.search(r"\d[\d\s-]*$|\S*\d\S*(?:\s\S*\d\S*)?", value)
            assert code
            made = self.digits("postcode", code.group())
            return value[: code.start()] + made + value[code.end() :]
        return self._pick("city", value.lower(), self._lists["place"]["city"])

    def _pick(self, kind: str, value: str, names: Sequence[str]) -> str:
        at = self._number(kind, value) % len(names)
        if names[at].lower() == value.lower():
            at = (at + 1) % len(names)
        return names[at]

    def _number(self, kind: str, value: str) -> int:
        raw = hmac.new(self._key, f"{kind}:{value}".encode(), hashlib.sha256).digest()
        return int.from_bytes(raw[:8], "big")


def _network_address(number: int, *, six: bool) -> str:
    """Out of the ranges for documents (RFC 3849) and for tests of networks (RFC 2544)."""
    if six:
        groups = (f"{number >> shift & 0xFFFF:x}" for shift in (48, 32, 16, 0))
        return f"2001:db8:0:0:{':'.join(groups)}"
    return f"198.{18 + (number >> 16) % 2}.{(number >> 8) % 256}.{number % 256}"


def _like(model: str, word: str) -> str:
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word.lower() if model.islower() else word


def _locale(name: str) -> str:
    for locale, pattern in (("es", _SPANISH), ("de", _GERMAN), ("fr", _FRENCH)):
        if pattern.search(name):
            return locale
    return "en"
