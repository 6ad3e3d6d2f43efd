"""Write the texts that are hardest for a rule: near misses, dense hits, endless labels.

In: a rule and a seed.  Out: strings of a given size, the same for the same seed.

Tests and bench/worst_case.py share them, so that a rule that is slow on purpose-made text is
refused before it meets such a file on a share.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from dlp.rulebook import IdentifierRule

SEPARATORS = ("", " ", "\n", ", ", "-", "/", ":", ".", "\u200b")
DIFFERENT = 9000  # values in a text of varied ones: more than 100 kB holds of most
FILLERS = ("0", "1", "a", "A", " ", "-", ".", "@", "(", "1 ", "A1", "1-", "é", "Main ")


def hard_texts(rule: IdentifierRule, size: int, count: int, seed: int = 0) -> Iterator[str]:
    """Give `count` texts of `size` characters, each a different way to waste time."""
    chance = random.Random(f"{rule.id}:{seed}")
    for number in range(count):
        example = chance.choice(rule.match)
        value = example.text[example.start : example.end]
        label = example.text[: example.start]
        unit = UNITS[number % len(UNITS)](label, value, chance)
        yield (unit * (size // max(1, len(unit)) + 1))[:size]


def dense(label: str, value: str, chance: random.Random) -> str:
    return label + value + chance.choice(SEPARATORS[1:])


def bare(_label: str, value: str, chance: random.Random) -> str:
    return value + chance.choice(SEPARATORS)


def nearly(label: str, value: str, chance: random.Random) -> str:
    """All but the end: the search has to give up as late as possible."""
    return label + value[: chance.randint(1, len(value))][:-1] + chance.choice(SEPARATORS)


def only_labels(label: str, value: str, chance: random.Random) -> str:
    return (label or value[:1]) + chance.choice(SEPARATORS)


def label_and_run(label: str, value: str, chance: random.Random) -> str:
    return label + chance.choice(FILLERS) * chance.randint(1, 4000) + value


def runs(_label: str, value: str, chance: random.Random) -> str:
    return chance.choice(value + "".join(FILLERS))


def shuffled(_label: str, value: str, chance: random.Random) -> str:
    return "".join(chance.choice(value) for _ in range(chance.randint(2, 400)))


def varied(label: str, value: str, chance: random.Random) -> str:
    """Thousands of values that differ: no answer about one helps with the next."""
    changing = [place for place, one in enumerate(value) if one.isdigit() and chance.random() < 0.7]
    pieces = [one.replace("%", "%%") for one in value]
    for place in changing:
        pieces[place] = "%s"
    unit = label.replace("%", "%%") + "".join(pieces) + chance.choice((" ", "\n", ", "))
    return (unit * DIFFERENT) % tuple(chance.choices("0123456789", k=DIFFERENT * len(changing)))


UNITS = (dense, bare, nearly, only_labels, label_and_run, runs, shuffled, varied)
