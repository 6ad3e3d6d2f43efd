"""Which of two texts is the more private? Pairs with a known answer, through the real command.

In: a seed.  Out: how many pairs come out right, by axis and by style of writing.

    python -m bench.orderings [SEED] [DRAWS] [--sum] [--containers]

A frame is a style of writing and an axis on which the two texts of a pair differ. Names, places and
conditions are drawn afresh for every pair from bench/ordering_lists.toml; which of two is rarer,
smaller or graver is told by the knowledge the product ships. "=" axes require equal scores.
--sum prints no text that came out wrong, so that a seed stays unseen. --containers writes each pair
as files of a format drawn for it (Word, PDF, mail, HTML ...) instead of plain text.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.ordering_styles import STYLES, Told
from dlp.knowledge.name_frequencies import load_bearers
from dlp.knowledge.names import DECADES, load_names
from dlp.knowledge.places import load_places
from tests.support.planted import LINES

PLAIN = "note.txt"
# Documents of lines; a table or an object has a format of its own.
FORMATS = [
    "page.html", "note.rtf", "letter.docx", "talk.pptx", "letter.odt", "talk.odp", "letter.pdf",
]  # fmt: skip
OWN_FORMAT = re.compile(r"table|object|form, tabs")
EQUAL = 1e-3  # relative difference that counts as none
SURE = 1 - 1e-9  # somebody who is found so surely cannot be found more surely
LISTS = tomllib.loads(Path(__file__).with_name("ordering_lists.toml").read_text())
FIRST, LAST, PLACE, CONDITION, OTHER = (
    LISTS[name] for name in ("first", "last", "place", "condition", "other")
)


@dataclass(frozen=True)
class Pair:
    frame: tuple[str, str]
    less: str
    more: str
    equal: bool


class Draw:
    """Names, places and conditions, drawn afresh."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self._names, self._places, self._bearers = load_names(), load_places(), load_bearers()

    def told(self, condition: str = "") -> Told:
        r = self.r
        she = r.random() < 0.5
        first = r.choice(FIRST["f" if she else "m"])
        last = r.choice(LAST[r.choice(["common", "rare"])])
        return Told(first, last, (condition or self.one("mild"),), she=she)

    def one(self, kind: str) -> str:
        return str(self.r.choice(CONDITION[kind]))

    def place(self) -> str:
        return str(self.r.choice(PLACE["us"] if self.r.random() < 0.75 else PLACE["world"]))

    def population(self, place: str) -> int:
        """Of a city in a state or country, 0 if no such city is listed."""
        city, _, region = place.partition(", ")
        wide = [one for one in self._places.find(region) if one.kind in {"state", "country"}]
        inside = [
            one.population for one in self._places.find(city)
            if any(one != w and self._places.lies_in(one, w) for w in wide)
        ]  # fmt: skip
        return max(inside, default=0)

    def two_places(self) -> tuple[str, str]:
        """The larger first; at least twice as many people."""
        places = PLACE["us"]  # names are common in one country and rare in another
        while True:
            one, other = self.r.sample(places, 2)
            if self.population(one) > 2 * self.population(other) > 0:
                return one, other

    def two_zips(self) -> tuple[str, str]:
        while True:
            one, other = self.zip(), self.zip()
            if self._people(one) > 2 * self._people(other):
                return one, other

    def zip(self) -> str:
        while True:
            code = f"{self.r.randrange(1001, 99951):05}"
            if self._people(code) > 50:
                return code

    def _people(self, code: str) -> int:
        area = self._places.zip(code)
        return area.population if area else 0

    def two_names(self, which: str, she: bool) -> tuple[str, str]:
        """The commoner first: in the US by half, and rarer in no other country."""
        names = FIRST["f" if she else "m"] if which == "first" else LAST["common"] + LAST["rare"]
        while True:
            one, other = self.r.sample(names, 2)
            common, rare = (self._bearers.shares(which, name) for name in (one, other))
            if common["US"].middle > 1.5 * rare["US"].middle and all(
                common[country].middle >= rare[country].middle for country in common
            ):
                return one, other

    def young_name(self, she: bool) -> str:
        """A first name whose bearers are fewer among the very old than in any later decade."""
        first, last = DECADES.index(1930), DECADES.index(2000)
        while True:
            name = str(self.r.choice(FIRST["f" if she else "m"]))
            known = self._names.first(name)
            if known and max(known.decades[: first + 1]) < min(known.decades[first + 3 : last]):
                return name

    def date(self) -> tuple[str, str, str]:
        year, month = self.r.randint(1935, 2005), self.r.choice(OTHER["months"])
        return str(year), f"{month} {year}", f"{self.r.randint(1, 28)} {month} {year}"

    def phone(self) -> str:
        return f"({self.r.randint(210, 780)}) 555-{self.r.randint(100, 199):04}"

    def street(self) -> str:
        return f"{self.r.randint(3, 900)} {self.r.choice(OTHER['streets'])}"

    def number(self) -> str:
        return str(self.r.randint(1000000, 9999999))

    def email(self) -> str:
        return f"k{self.r.randint(100, 999)}@{self.r.choice(OTHER['mail'])}"


Axis = Callable[[Draw], tuple[Told, Told]]


def adding(what: str, make: Callable[[Draw], str]) -> Axis:
    def pair(draw: Draw) -> tuple[Told, Told]:
        told = draw.told()
        return told, replace(told, **{what: make(draw)})

    return pair


def beside(what: str, make: Callable[[Draw], str]) -> Axis:
    """The same, where a place and an age are known already."""

    def pair(draw: Draw) -> tuple[Told, Told]:
        told = replace(draw.told(), place=draw.place(), age=str(draw.r.randint(20, 80)))
        return told, replace(told, **{what: make(draw)})

    return pair


def two(what: str, make: Callable[[Draw], tuple[str, str]]) -> Axis:
    """Two values of one thing, the less telling one first."""

    def pair(draw: Draw) -> tuple[Told, Told]:
        told, (less, more) = draw.told(), make(draw)
        return replace(told, **{what: less}), replace(told, **{what: more})

    return pair


def narrower_place(d: Draw) -> tuple[str, str]:
    city = d.place()
    return city.partition(", ")[2], city


def rarer(which: str) -> Axis:
    def pair(d: Draw) -> tuple[Told, Told]:
        told = d.told()
        common, rare = d.two_names(which, told.she)
        return replace(told, **{which: common}), replace(told, **{which: rare})

    return pair


def initial(d: Draw) -> tuple[Told, Told]:
    told = d.told()
    return replace(told, first=f"{told.first[0]}."), told


def two_conditions(less: str, more: str) -> Axis:
    def pair(d: Draw) -> tuple[Told, Told]:
        told = d.told(d.one(less))
        return told, replace(told, conditions=(d.one(more),))

    return pair


def later_stage(d: Draw) -> tuple[Told, Told]:
    told, illness = d.told(), d.one("staged")
    less, more = (f"{stage}{illness}" for stage in d.r.choice(CONDITION["steps"]))
    return replace(told, conditions=(less,)), replace(told, conditions=(more,))


def one_more(d: Draw) -> tuple[Told, Told]:
    told = d.told()
    return told, replace(told, conditions=(*told.conditions, d.one("grave")))


def telling_drug(d: Draw) -> tuple[Told, Told]:
    illness, drug = d.r.choice(CONDITION["drugs"])
    told = d.told(illness)
    return told, replace(told, drug=drug)


def finer_date(first: int, second: int) -> Axis:
    def dates(d: Draw) -> tuple[str, str]:
        known = d.date()
        return known[first], known[second]

    return two("born", dates)


def great_age(d: Draw) -> tuple[Told, Told]:
    told = d.told()
    told = replace(told, first=d.young_name(told.she))
    ages = str(d.r.randint(25, 60)), str(d.r.randint(91, 103))
    return replace(told, age=ages[0]), replace(told, age=ages[1])


def noisy(d: Draw) -> tuple[Told, Told]:
    told = replace(d.told(), place=d.place())
    return told, replace(told, noise=tuple(d.r.sample(OTHER["noise"], 2)))


def swapped(d: Draw) -> tuple[Told, Told]:
    told = replace(d.told(), place=d.place(), age=str(d.r.randint(20, 80)), drug="metformin")
    return told, replace(told, swapped=True)


def synonym(d: Draw) -> tuple[Told, Told]:
    less, more = d.r.choice(CONDITION["synonyms"])
    told = d.told(less)
    return told, replace(told, conditions=(more,))


def letterhead(d: Draw) -> tuple[Told, Told]:
    told = replace(d.told(), head=f"{d.r.choice(OTHER['heads'])}\n")
    line = f"{d.r.randint(100, 900)} Main Street\nTel. {d.phone()}\n"
    return told, replace(told, head=f"{told.head}{line}")


def from_list(name: str) -> Callable[[Draw], str]:
    return lambda d: str(d.r.choice(OTHER[name]))


EVIDENCE: dict[str, tuple[str, Callable[[Draw], str]]] = {
    "a ZIP code": ("zip", Draw.zip), "an address": ("street", Draw.street),
    "a phone": ("phone", Draw.phone), "an e-mail address": ("email", Draw.email),
    "a record number": ("number", Draw.number), "a birth date": ("born", lambda d: d.date()[2]),
    "an employer": ("employer", from_list("employers")),
    "an occupation": ("occupation", from_list("jobs")),
}  # fmt: skip
AXES: dict[str, Axis] = {
    "a place more": adding("place", Draw.place),
    "an age more": adding("age", lambda d: str(d.r.randint(20, 80))),
    **{f"{name} more": adding(*known) for name, known in EVIDENCE.items()},
    **{f"{name} beside": beside(*known) for name, known in EVIDENCE.items()},
    "smaller place": two("place", Draw.two_places), "narrower place": two("place", narrower_place),
    "smaller ZIP area": two("zip", Draw.two_zips),
    "rarer last name": rarer("last"), "rarer first name": rarer("first"), "initial": initial,
    "later stage": later_stage, "graver disease": two_conditions("mild", "grave"),
    "a disease more": one_more, "a drug more": telling_drug,
    "month, not year": finer_date(0, 1), "day, not month": finer_date(1, 2), "great age": great_age,
    "= order": swapped, "= synonym": synonym, "= irrelevant text": noisy, "= letterhead": letterhead,
}  # fmt: skip


def frames() -> list[tuple[str, str]]:
    return [(style, axis) for style in STYLES for axis in AXES]


def pairs(seed: int, draws: int = 1) -> Iterator[Pair]:
    draw = Draw(seed)
    for _ in range(draws):
        for style, axis in frames():
            texts = (STYLES[style](told) for told in AXES[axis](draw))
            yield Pair((style, axis), *texts, equal=axis.startswith("="))


Score = tuple[float, float]  # privacy and identifiability of the worst person


def scores(texts: list[str], kinds: list[str]) -> list[Score]:
    """What the command says of each text; nothing is told of a text without people."""
    draw = random.Random(len(texts))
    with tempfile.TemporaryDirectory() as folder:
        for number, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
            lines = [line or " " for line in (*text.rstrip("\n").split("\n"), "")]
            content = text.encode() if kind == PLAIN else LINES[kind](lines, draw)
            Path(folder, f"{number:06}{Path(kind).suffix}").write_bytes(content)
        command = [sys.executable, "-m", "dlp", "scan", "--full", "--format", "jsonl", "--no-catalogue", "--no-progress", folder]  # fmt: skip
        told = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    found: dict[int, Score] = {}
    for line in told.splitlines():
        record = json.loads(line)
        number = int(re.findall(r"(\d{6})\.\w+", record["path"])[-1])
        people = [(one["privacy"], one["identifiability"]) for one in record["persons"]]
        found[number] = max(people, default=(0.0, 0.0))
    return [found.get(number, (0.0, 0.0)) for number in range(len(texts))]


def is_right(pair: Pair, less: Score, more: Score) -> bool:
    lower, higher = less[0], more[0]
    if pair.equal:
        return lower > 0 and abs(higher - lower) <= EQUAL * max(lower, higher)
    return higher > lower > 0 or (higher == lower > 0 and less[1] > SURE)


def check(made: list[Pair], kinds: Sequence[str] = ()) -> list[tuple[Pair, Score, Score]]:
    """`kinds`: a format for each pair; plain text without."""
    texts = [text for pair in made for text in (pair.less, pair.more)]
    found = scores(texts, [kind for kind in kinds or [PLAIN] * len(made) for _ in range(2)])
    return [(pair, found[2 * i], found[2 * i + 1]) for i, pair in enumerate(made)]


def formats(made: list[Pair], draw: random.Random) -> list[str]:
    """A format for each pair."""
    return [PLAIN if OWN_FORMAT.match(p.frame[0]) else draw.choice(FORMATS) for p in made]


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    made = list(pairs(*(numbers or [1])))
    draw = random.Random(len(made) + sum(numbers))
    checked = check(made, formats(made, draw) if "--containers" in sys.argv else [])
    wrong = [one for one in checked if not is_right(*one)]
    for at, name in ((1, "axis"), (0, "style")):
        total = Counter(pair.frame[at] for pair, *_ in checked)
        failed = Counter(pair.frame[at] for pair, *_ in wrong)
        print(f"by {name}:")
        for one, number in total.items():
            print(f"  {one:32} {number - failed[one]:5} of {number:5}")
    right = 1 - len(wrong) / len(checked)
    print(
        f"all {len(checked) - len(wrong)} of {len(checked)}  {right:.2%}  ({len(frames())} frames)"
    )
    if "--sum" not in sys.argv:
        for pair, less, more in wrong:
            print(
                "---", pair.frame, f"{less[0]:.5g} {more[0]:.5g}\n{pair.less}    against\n{pair.more}",
                file=sys.stderr,
            )  # fmt: skip


if __name__ == "__main__":
    main()
