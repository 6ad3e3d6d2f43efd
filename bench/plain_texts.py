"""Generate everyday texts that say something of somebody's health, and near misses of the same frames.

In: a seed.  Out: Items by register (sentence, self, reader, question, file), leaks and harmless.

Names, places, conditions and the frames around them are drawn afresh for every text, so that only
the way of saying it can be learnt. Leaks and harmless texts stand in the same surroundings.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from bench import plain_frames as frames
from bench.sources import Item, Link
from dlp.knowledge.names import load_surrogate_names

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = ("January", "March", "April", "June", "August", "October", "November")
REGISTERS = {
    "sentence": (frames.TOLD, frames.NOT_TOLD, frames.PLACES, 4.0),
    "self": (frames.OF_SELF, frames.NOT_OF_SELF, frames.BY_WRITER, 1.0),
    "reader": (frames.TO_READER, frames.NOT_TO_READER, frames.TO_A_READER, 0.7),
    "question": (frames.ASKED, frames.NOT_ASKED, ("{said}\n", "{said}\n", "Hi,\n\n{said}\n"), 1.0),
    "file": (frames.FILES, frames.NOT_FILES, ("{said}", "{said}", "{pad}\n\n{said}"), 2.0),
}
SMALL, CAPITALS, MISSING = 0.06, 0.04, 0.08  # of texts in small letters, capitals, without stops
SIGN = re.compile(r"\{(\w+)\}")


class Draw:
    """One text's people, things and surroundings."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        lists = load_surrogate_names()
        sex = rng.choice("fm")
        self._lists = lists
        last = [*lists["last"]["en"]]
        self.first, self.last = rng.choice(lists["first"][sex]), rng.choice(last)
        he = {"f": ("she", "her", "her", "woman", "Ms"), "m": ("he", "his", "him", "man", "Mr")}[
            sex
        ]
        names = [self._name() for _ in range(6)]
        self.writer = names[1]
        self.values = {
            "n": f"{self.first} {self.last}", "lf": f"{self.last}, {self.first}",
            "t": f"{rng.choice((he[4], he[4], 'Mrs' if sex == 'f' else 'Mr.'))} {self.last}",
            "f": self.first, "he": he[0], "his": he[1], "him": he[2], "man": he[3],
            "He": he[0].title(), "His": he[1].title(), "o": names[0], "s": names[1],
            "s1": names[1].split()[0], "r": names[2], "r1": names[2].split()[0],
            "sm": f"{names[1].split()[0].lower()}@example.org",
            "rm": f"{names[2].split()[0].lower()}@example.org",
            "doc": f"Dr {names[3].split()[1]}", "doc2": f"Dr {names[4]}",
            "born": f"{rng.randint(1, 28):02}/{rng.randint(1, 12):02}/{rng.randint(1935, 2012)}",
            "phone": f"({rng.randint(210, 780)}) 555-{rng.randint(100, 199):04}",
            "num": str(rng.randint(100_000, 9_999_999)), "age": str(rng.randint(5, 92)),
            "year": str(rng.randint(1995, 2024)), "oldyear": str(rng.randint(1790, 1960)),
            "clock": f"{rng.randint(7, 12):02}:{rng.randint(0, 59):02}",
            "clock2": f"{rng.randint(13, 21):02}:{rng.randint(0, 59):02}",
            "date": f"{rng.randint(1, 28)} {rng.choice(MONTHS)} 2024",
            "date2": f"{rng.randint(1, 28)} {rng.choice(MONTHS)} 2024",
        }  # fmt: skip
        self._lists_of = {
            "c": frames.CONDITIONS, "c2": frames.CONDITIONS, "i": frames.INFECTIONS,
            "d": frames.DRUGS, "d2": frames.DRUGS, "p": frames.PROCEDURES, "x": frames.TESTS,
            "city": frames.CITIES, "day": DAYS, "month": MONTHS, "e": frames.NEUTRAL,
            "e2": frames.NEUTRAL,
        }  # fmt: skip

    def _name(self) -> str:
        sex = self.rng.choice("fm")
        first = self.rng.choice(self._lists["first"][sex])
        return f"{first} {self.rng.choice(self._lists['last']['en'])}"

    def fill(self, frame: str) -> str:
        return SIGN.sub(lambda hit: self._value(hit[1]), frame)

    def _value(self, sign: str) -> str:
        if sign in {"pad", "pad2"}:
            return "\n\n".join(
                " ".join(self.fill(one) for one in self.rng.choices(frames.NEUTRAL, k=4))
                for _ in range(self.rng.randint(1, 4))
            )
        if sign not in self.values:
            drawn = self.fill(self.rng.choice(self._lists_of[sign]))
            if sign[0] == "e":
                return drawn
            self.values[sign] = drawn
        return self.values[sign]


def write(rng: random.Random, register: str, *, leak: bool) -> Item:
    told, not_told, places, _ = REGISTERS[register]
    draw = Draw(rng)
    said = draw.fill(rng.choice(told if leak else not_told))
    said = re.sub(r"\b(his|her|your|my|the|an?|of) (?:an?|the) ", r"\1 ", said, flags=re.IGNORECASE)
    said = said[:1].upper() + said[1:] if rng.random() > MISSING else said.rstrip(".")
    text = draw.fill(rng.choice(places).replace("{said}", "\0")).replace("\0", said)
    if rng.random() < SMALL:
        text = text.lower()
    elif rng.random() < CAPITALS:
        text = text.upper()
    person = draw.writer if register == "self" else draw.values["n"]
    fact = draw.values.get("c", "") or draw.values.get("d", "") or draw.values.get("p", "")
    links = (Link(person, fact, has=True),) if leak and fact else ()
    if links and register != "file":  # a list tells of several people
        others = {draw.values[sign] for sign in ("s", "r", "o")} - {person}
        links += tuple(Link(one, "", has=False) for one in sorted(others))
    return Item(f"plain/{register}", f"note{rng.randrange(10**6)}.txt", leak, None,
                text.encode(), links)  # fmt: skip


def plain_texts(seed: int, count: int) -> Iterator[Item]:
    """As many leaks as harmless texts."""
    rng = random.Random(seed)
    total = sum(share for *_, share in REGISTERS.values())
    for register, (*_, share) in REGISTERS.items():
        for number in range(round(count * share / total)):
            yield write(rng, register, leak=number % 2 == 0)
