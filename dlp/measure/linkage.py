"""Which descriptions in different files mean one person, by keyed fingerprints alone.

In: Identities: fingerprints by kind, and how rare the name is.  Out: groups of identities.

Fellegi and Sunter: what two identities share counts by its rarity in bits, what contradicts counts
against; two are one when the sum outweighs the odds of meeting by chance. Only identities that
share a rare fingerprint are ever compared, so the cost grows with the number of identities. A
wrong merge blames a person for another's illness: in doubt, and wherever a group would hold two
birth dates or two numbers of one kind, nothing is merged.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Bits that an agreement is worth; a name brings its own rarity.
AGREE = {"id": 24.0, "email": 24.0, "phone": 16.0, "birth": 14.6, "address": 12.0, "place": 4.0}
SOUND_LOSS = 4.0  # a name that only sounds alike tells less than one spelt alike
DEFAULT_NAME_BITS = 14.0
# Bits that a contradiction takes away.
DISAGREE = {"birth": 30.0, "name": 10.0, "sex": 12.0, "id": 4.0, "phone": 1.0, "address": 1.0}
CERTAINTY = 10.0  # bits above the odds of chance: one wrong merge in a thousand
BLOCK = 64  # identities that share a fingerprint; a larger block is no evidence of one person
EXCLUSIVE = ("birth", "sex")  # one person has one of these


@dataclass(frozen=True, slots=True)
class Identity:
    """One person as one file shows them."""

    key: str  # unique over all files
    prints: Mapping[str, frozenset[str]] = field(repr=False)  # kind -> fingerprints
    name_bits: float = DEFAULT_NAME_BITS


def parse_prints(fingerprints: Iterable[str]) -> dict[str, frozenset[str]]:
    """Fingerprints as findings carry them, "kind:hex", by kind."""
    by_kind: dict[str, set[str]] = defaultdict(set)
    for one in fingerprints:
        kind, colon, value = one.partition(":")
        if colon:
            by_kind[kind].add(value)
    return {kind: frozenset(values) for kind, values in by_kind.items()}


def identity_of(key: str, person: Mapping[str, Any]) -> Identity:
    """A person as a record or a row of the catalogue shows them."""
    bits = person["bits"]
    named = bits.get("first", 0.0) + bits.get("last", 0.0)
    return Identity(key, parse_prints(person["prints"]), named or DEFAULT_NAME_BITS)


def link_people(people: Iterable[Mapping[str, Any]]) -> list[list[int]]:
    return link([identity_of(str(number), person) for number, person in enumerate(people)])


def link(identities: Sequence[Identity]) -> list[list[int]]:
    """Groups of positions that mean one person; everybody is in exactly one group."""
    groups = Groups(identities)
    needed = CERTAINTY + math.log2(max(2, len(identities)))
    pairs = sorted(
        ((weight, a, b) for a, b in candidates(identities)
         if (weight := agreement(identities[a], identities[b])) >= needed),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )  # fmt: skip
    for _, a, b in pairs:
        groups.merge(a, b)
    return groups.all()


def candidates(identities: Sequence[Identity]) -> Iterator[tuple[int, int]]:
    """Pairs that share a fingerprint few others have, each once."""
    blocks: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, identity in enumerate(identities):
        births = identity.prints.get("birth", frozenset(("",)))
        for kind, values in identity.prints.items():
            if kind in {"place", "sex", "birth"}:
                continue
            for value in values:
                blocks[kind, value].append(number)
                if kind in {"name", "sound"}:
                    # a common name alone fills a block with strangers; with a birth date it is rare
                    for birth in births:
                        blocks[f"{kind}+birth", value + birth].append(number)
    seen: set[tuple[int, int]] = set()
    for members in blocks.values():
        if not 1 < len(members) <= BLOCK:
            continue
        for position, a in enumerate(members):
            for b in members[position + 1 :]:
                if a != b and (a, b) not in seen:
                    seen.add((a, b))
                    yield a, b


def agreement(one: Identity, other: Identity) -> float:
    """Bits for, minus bits against, that two descriptions mean one person."""
    total = named_alike(one, other)
    for kind, worth in AGREE.items():
        mine, theirs = one.prints.get(kind), other.prints.get(kind)
        if not mine or not theirs:
            continue
        total += worth if mine & theirs else -DISAGREE.get(kind, 0.0)
    sexes = one.prints.get("sex"), other.prints.get("sex")
    if all(sexes) and sexes[0] != sexes[1]:
        total -= DISAGREE["sex"]
    return total


def named_alike(one: Identity, other: Identity) -> float:
    mine, theirs = one.prints.get("name"), other.prints.get("name")
    if not mine or not theirs:
        return 0.0
    bits = min(one.name_bits, other.name_bits)
    if mine & theirs:
        return bits
    if one.prints.get("sound", frozenset()) & other.prints.get("sound", frozenset()):
        return max(0.0, bits - SOUND_LOSS)
    return -DISAGREE["name"]


class Groups:
    """Union and find, refusing a union that would give one person two birth dates."""

    def __init__(self, identities: Sequence[Identity]) -> None:
        self._parent = list(range(len(identities)))
        self._only: list[dict[str, frozenset[str]]] = [
            {kind: identity.prints[kind] for kind in EXCLUSIVE if identity.prints.get(kind)}
            for identity in identities
        ]

    def root(self, number: int) -> int:
        while self._parent[number] != number:
            self._parent[number] = self._parent[self._parent[number]]
            number = self._parent[number]
        return number

    def merge(self, a: int, b: int) -> bool:
        a, b = self.root(a), self.root(b)
        if a == b:
            return True
        mine, theirs = self._only[a], self._only[b]
        if any(kind in mine and not mine[kind] & theirs[kind] for kind in theirs):
            return False
        self._parent[b] = a
        for kind, values in theirs.items():
            mine[kind] = mine[kind] & values if kind in mine else values
        return True

    def all(self) -> list[list[int]]:
        members: dict[int, list[int]] = defaultdict(list)
        for number in range(len(self._parent)):
            members[self.root(number)].append(number)
        return list(members.values())
