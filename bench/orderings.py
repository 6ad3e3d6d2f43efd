"""Which of two texts is the more private? Pairs with a known answer, through the real command.

In: a seed.  Out: how many pairs come out right, by axis and by style of writing.

    python -m bench.orderings [SEED] [DRAWS]

A frame is a style of writing and an axis on which the two texts of a pair differ. Names, places and
conditions are drawn afresh for every pair; which of two is rarer, smaller or graver is told by the
knowledge the product ships. "=" axes ask for equal scores.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names, load_surrogate_names
from dlp.knowledge.places import load_places
from dlp.knowledge.sensitivity import load_sensitivity

EQUAL = 1e-3  # relative difference that counts as none
RARE_LAST = [
    "Abernathy", "Birdsong", "Culpepper", "Dinwiddie", "Eberhart", "Fenstermaker", "Goodspeed",
    "Hollingshead", "Ingebretsen", "Jankowiak", "Kettering", "Loughlin", "Merriweather", "Nordstrom",
    "Oglethorpe", "Pennywell", "Quackenbush", "Rothenberger", "Stallworth", "Tillinghast",
    "Umberger", "Vandermolen", "Whittington", "Yarbrough", "Zimmerly",
]  # fmt: skip
RARE_FIRST = [
    "Adelbert", "Benedetta", "Cornelius", "Delphine", "Ephraim", "Florentina", "Gwendolen",
    "Hortense", "Isidora", "Leopold", "Magdalena", "Octavia", "Philippa", "Rosamund", "Thaddeus",
]  # fmt: skip
CITIES = [
    "Salina, Kansas", "Boise, Idaho", "Tulsa, Oklahoma", "Chicago, Illinois", "Houston, Texas",
    "Bangor, Maine", "Helena, Montana", "Phoenix, Arizona", "Dallas, Texas", "Elko, Nevada",
    "Omaha, Nebraska", "Macon, Georgia", "Duluth, Minnesota", "Pueblo, Colorado", "Yuma, Arizona",
    "Seattle, Washington", "Denver, Colorado", "Laramie, Wyoming", "Minot, North Dakota",
    "Philadelphia, Pennsylvania", "San Antonio, Texas", "Baltimore, Maryland", "Nome, Alaska",
    "Moab, Utah", "Astoria, Oregon", "Bozeman, Montana", "Galveston, Texas", "Roanoke, Virginia",
]  # fmt: skip
ZIPS = ["59330", "67401", "83702", "04401", "59601", "89801", "68102", "55802", "82070", "84532"]
MILD = ["asthma", "migraine", "gout", "hay fever", "tonsillitis", "psoriasis", "hypothyroidism"]
GRAVE = [
    "schizophrenia",
    "syphilis",
    "HIV infection",
    "alcoholism",
    "bipolar disorder",
    "gonorrhea",
]
STAGED = ["melanoma", "breast cancer", "colorectal cancer", "ovarian cancer", "lymphoma"]
STEPS = [
    ("", "stage II "),
    ("stage I ", "stage III "),
    ("stage II ", "stage IV "),
    ("", "metastatic "),
]
SYNONYMS = [
    ("hypertension", "high blood pressure"), ("myocardial infarction", "heart attack"),
    ("influenza", "flu"), ("breast neoplasms", "breast cancer"),
    ("pulmonary tuberculosis", "tuberculosis of the lung"), ("diabetes mellitus", "diabetes"),
]  # fmt: skip
DRUGS = [
    ("epilepsy", "donepezil"),
    ("asthma", "lithium"),
    ("gout", "efavirenz"),
    ("migraine", "clozapine"),
]
NOISE = [
    "The weather has been dry for weeks.", "The lift on the third floor is being repaired.",
    "The meeting about the roof starts at noon.", "Parking behind the building is limited.",
    "Please return the projector to the cupboard.", "The kitchen will be painted soon.",
]  # fmt: skip
EMPLOYERS = ["Holm Bakery", "Nordal Steel", "Lindgren School", "Tarn Valley Foods"]
JOBS = ["welder", "bus driver", "librarian", "plumber", "cook"]
MONTHS = ["January", "March", "April", "June", "July", "August", "October", "November"]


@dataclass(frozen=True)
class Told:
    """What a text says; every style of writing says all of it in its own words."""

    first: str
    last: str
    conditions: tuple[str, ...]
    place: str = ""
    zip: str = ""
    born: str = ""  # "1962", "June 1962", "14 June 1962"
    age: str = ""
    phone: str = ""
    street: str = ""
    number: str = ""
    drug: str = ""
    employer: str = ""
    occupation: str = ""
    noise: tuple[str, ...] = ()
    head: str = ""  # of the institution
    swapped: bool = False
    relation: str = ""

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}".strip()


Style = Callable[[Told], list[str]]


def prose(verb: str, joint: str = " and ") -> Style:
    def write(told: Told) -> list[str]:
        said = [f"{told.name} {verb} {joint.join(told.conditions)}."]
        pronoun = told.name
        if told.place:
            said.append(f"{pronoun} lives in {told.place}.")
        if told.zip:
            said.append(f"{pronoun} has the ZIP code {told.zip}.")
        if told.born:
            on = "on " if told.born[0].isdigit() and " " in told.born else "in "
            said.append(f"{pronoun} was born {on}{told.born}.")
        if told.age:
            said.append(f"{pronoun} is {told.age} years old.")
        if told.phone:
            said.append(f"The home phone of {pronoun} is {told.phone}.")
        if told.street:
            said.append(f"{pronoun} lives at {told.street}.")
        if told.number:
            said.append(f"{pronoun} is registered under MRN {told.number}.")
        if told.drug:
            said.append(f"{pronoun} takes {told.drug}.")
        if told.employer:
            said.append(f"{pronoun} works at {told.employer}.")
        if told.occupation:
            said.append(f"{pronoun} works as a {told.occupation}.")
        return said

    return write


def form(name: str, condition: str, sign: str = ": ") -> Style:
    labels = {
        "born": "Date of birth", "age": "Age", "place": "City", "zip": "ZIP", "phone": "Home phone",
        "street": "Home address", "number": "MRN", "drug": "Medication",
        "occupation": "Occupation", "employer": "Employer",
    }  # fmt: skip

    def write(told: Told) -> list[str]:
        said = [f"{name}{sign}{told.name}"]
        said += [
            f"{label}{sign}{getattr(told, what)}"
            for what, label in labels.items() if getattr(told, what)
        ]  # fmt: skip
        return [*said, *(f"{condition}{sign}{one}" for one in told.conditions)]

    return write


def compact(opening: str, verb: str, closing: str = "") -> Style:
    """All in one sentence, as newspapers and letters have it."""

    def write(told: Told) -> list[str]:
        beside = [told.age] if told.age else []
        if told.born:
            beside.append(f"born {told.born}")
        if told.place:
            beside.append(f"of {told.place}")
        if told.zip:
            beside.append(f"ZIP {told.zip}")
        if told.street:
            beside.append(f"living at {told.street}")
        if told.phone:
            beside.append(f"mobile {told.phone}")
        if told.number:
            beside.append(f"MRN {told.number}")
        if told.employer:
            beside.append(f"who works at {told.employer}")
        if told.occupation:
            beside.append(f"who works as a {told.occupation}")
        between = f", {', '.join(beside)}," if beside else ""
        drug = f" and takes {told.drug}" if told.drug else ""
        ills = " and ".join(told.conditions)
        return [f"{opening}{told.name}{between} {verb} {ills}{drug}.{closing}"]

    return write


COMPACT = (
    ("", "has", ""), ("We heard that ", "was diagnosed with", ""),
    ("Dear colleague, thank you for seeing ", "who suffers from", ""),
    ("To: HR\nSubject: sick leave\n\nHi,\n\n", "is off work with", " Thanks"),
    ("Handover: ", "was admitted with", " Please check tomorrow."),
    ("Minutes: it was noted that ", "has", " No action."),
    ("- ", "has", ""), ("Prayer list: ", "is in hospital with", ""),
)  # fmt: skip
VERBS = (
    "has", "suffers from", "was diagnosed with", "is being treated for", "was admitted with",
    "has been living with", "was treated for", "has a diagnosis of", "presented with",
    "was found to have", "is under treatment for", "has had", "is followed for", "came in with",
)  # fmt: skip
FORMS = (
    ("Patient", "Diagnosis"), ("Patient name", "Dx"), ("Name", "Diagnosis"), ("Pt", "Diagnosis"),
    ("Client", "Condition"), ("Employee", "Reason for absence"), ("Student", "Health condition"),
    ("Insured", "Diagnosis"), ("Full name", "Medical condition"), ("Resident", "Diagnosis"),
)  # fmt: skip
STYLES: dict[str, Style] = {
    **{f"prose: {verb}": prose(verb) for verb in VERBS},
    **{f"compact: {number}": compact(*words) for number, words in enumerate(COMPACT)},
    **{f"form: {name}/{what}": form(name, what) for name, what in FORMS},
}


@dataclass(frozen=True)
class Pair:
    frame: tuple[str, str]
    less: str
    more: str
    equal: bool
    texts: tuple[Told, Told] = field(repr=False)


class Draw:
    """Names, places and conditions, drawn afresh."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self._names, self._places = load_names(), load_places()
        lists = load_surrogate_names()
        self._first = [*lists["first"]["f"], *lists["first"]["m"]]
        self._last = [*lists["last"]["en"]]

    def told(self, condition: str = "") -> Told:
        r = self.r
        last = r.choice(self._last + RARE_LAST)
        return Told(r.choice(self._first), last, (condition or r.choice(MILD),))

    def population(self, place: str) -> int:
        city, _, state = place.partition(", ")
        inside = [
            one.population for one in self._places.find(city)
            if (s := self._places.state(one.region, "US")) and s.name == state
        ]  # fmt: skip
        return max(inside, default=0)

    def two_places(self) -> tuple[str, str]:
        """The larger first; at least twice as many people."""
        while True:
            one, other = self.r.sample(CITIES, 2)
            if self.population(one) > 2 * self.population(other) > 0:
                return one, other

    def two_names(self, which: str) -> tuple[str, str]:
        """The commoner first."""
        common, rare = (self._last, RARE_LAST) if which == "last" else (self._first, RARE_FIRST)
        while True:
            one, other = self.r.choice(common), self.r.choice(rare)
            counts = [self.bearers(which, name) for name in (one, other)]
            if counts[0] > 1.5 * counts[1]:
                return one, other

    def bearers(self, which: str, name: str) -> int:
        known = self._names.first(name) if which == "first" else self._names.last(name)
        return known.count if known else 0

    def young_name(self) -> str:
        """A first name that is no commoner among the old than among all."""
        while True:
            name = self.r.choice(self._first)
            known = self._names.first(name)
            if known and all(
                own <= of_all
                for own, of_all in zip(known.decades[:4], self._names.everyone[:4], strict=True)
            ):
                return name

    def date(self) -> tuple[str, str, str]:
        year, month = self.r.randint(1935, 2005), self.r.choice(MONTHS)
        return str(year), f"{month} {year}", f"{self.r.randint(1, 28)} {month} {year}"

    def phone(self) -> str:
        return f"({self.r.randint(210, 780)}) 555-{self.r.randint(100, 199):04}"

    def street(self) -> str:
        street = self.r.choice(["Elm Street", "Oak Avenue", "Mill Road", "Cedar Lane"])
        return f"{self.r.randint(3, 900)} {street}"


Axis = Callable[[Draw], tuple[Told, Told]]


def adding(**made: Callable[[Draw], str]) -> Axis:
    def pair(draw: Draw) -> tuple[Told, Told]:
        told = draw.told()
        return told, replace(told, **{what: make(draw) for what, make in made.items()})

    return pair


def a_place(d: Draw) -> str:
    return d.r.choice(CITIES)


def smaller_place(d: Draw) -> tuple[Told, Told]:
    large, small = d.two_places()
    told = d.told()
    return replace(told, place=large), replace(told, place=small)


def narrower_place(d: Draw) -> tuple[Told, Told]:
    told, city = d.told(), a_place(d)
    return replace(told, place=city.partition(", ")[2]), replace(told, place=city)


def rarer(which: str) -> Axis:
    def pair(d: Draw) -> tuple[Told, Told]:
        told, (common, rare) = d.told(), d.two_names(which)
        return replace(told, **{which: common}), replace(told, **{which: rare})

    return pair


def initial(d: Draw) -> tuple[Told, Told]:
    told = d.told()
    return replace(told, first=f"{told.first[0]}."), told


def later_stage(d: Draw) -> tuple[Told, Told]:
    illness, (early, late) = d.r.choice(STAGED), d.r.choice(STEPS)
    return d_pair(d, f"{early}{illness}", f"{late}{illness}")


def d_pair(d: Draw, less: str, more: str) -> tuple[Told, Told]:
    told = d.told(less)
    return told, replace(told, conditions=(more,))


def graver(d: Draw) -> tuple[Told, Told]:
    return d_pair(d, d.r.choice(MILD), d.r.choice(GRAVE))


def one_more(d: Draw) -> tuple[Told, Told]:
    told = d.told(d.r.choice(MILD))
    return told, replace(told, conditions=(*told.conditions, d.r.choice(GRAVE)))


def telling_drug(d: Draw) -> tuple[Told, Told]:
    illness, drug = d.r.choice(DRUGS)
    told = d.told(illness)
    return told, replace(told, drug=drug)


def finer_date(first: int, second: int) -> Axis:
    def pair(d: Draw) -> tuple[Told, Told]:
        dates, told = d.date(), d.told()
        return replace(told, born=dates[first]), replace(told, born=dates[second])

    return pair


def great_age(d: Draw) -> tuple[Told, Told]:
    told = replace(d.told(), first=d.young_name())
    ages = str(d.r.randint(25, 60)), str(d.r.randint(91, 103))
    return replace(told, age=ages[0]), replace(told, age=ages[1])


def noisy(d: Draw) -> tuple[Told, Told]:
    told = replace(d.told(), place=a_place(d))
    return told, replace(told, noise=tuple(d.r.sample(NOISE, 2)))


def swapped(d: Draw) -> tuple[Told, Told]:
    told = replace(d.told(), place=a_place(d), age=str(d.r.randint(20, 80)), drug="metformin")
    return told, replace(told, swapped=True)


def synonym(d: Draw) -> tuple[Told, Told]:
    return d_pair(d, *d.r.choice(SYNONYMS))


def letterhead(d: Draw) -> tuple[Told, Told]:
    told = replace(d.told(), head="Mercy General Hospital\n")
    line = f"{d.r.randint(100, 900)} Main Street\nTel. {d.phone()}\n"
    return told, replace(told, head=f"{told.head}{line}")


AXES: dict[str, Axis] = {
    "a place more": adding(place=a_place), "a ZIP code more": adding(zip=lambda d: d.r.choice(ZIPS)),
    "an address more": adding(street=Draw.street), "a phone more": adding(phone=Draw.phone),
    "a record number more": adding(number=lambda d: str(d.r.randint(1000000, 9999999))),
    "a birth date more": adding(born=lambda d: d.date()[2]),
    "an age more": adding(age=lambda d: str(d.r.randint(20, 80))),
    "an employer more": adding(employer=lambda d: d.r.choice(EMPLOYERS)),
    "an occupation more": adding(occupation=lambda d: d.r.choice(JOBS)),
    "smaller place": smaller_place, "narrower place": narrower_place,
    "rarer last name": rarer("last"), "rarer first name": rarer("first"), "initial": initial,
    "later stage": later_stage, "graver disease": graver, "a disease more": one_more,
    "a drug more": telling_drug, "month, not year": finer_date(0, 1),
    "day, not month": finer_date(1, 2), "great age": great_age,
    "= order": swapped, "= synonym": synonym, "= irrelevant text": noisy, "= letterhead": letterhead,
}  # fmt: skip


def frames() -> list[tuple[str, str]]:
    return [(style, axis) for style in STYLES for axis in AXES]


def written(style: str, told: Told) -> str:
    lines = STYLES[style](told)
    if told.swapped:
        lines = [lines[0], *reversed(lines[1:])]
    joint = "\n" if style.startswith("form") else " "
    noise = joint + joint.join(told.noise) if told.noise else ""
    blank = "\n" if told.head else ""
    return f"{told.head}{blank}{joint.join(lines)}{noise}\n"


def pairs(seed: int, draws: int = 1) -> Iterator[Pair]:
    draw = Draw(seed)
    for _ in range(draws):
        for style, axis in frames():
            less, more = AXES[axis](draw)
            texts = written(style, less), written(style, more)
            yield Pair((style, axis), *texts, axis.startswith("="), (less, more))


def scores(texts: list[str]) -> list[float]:
    """The privacy of the worst person of each text, by the command."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number:06}.txt").write_text(text)
        command = [sys.executable, "-m", "dlp", "scan", "--full", "--format", "jsonl", "--no-catalogue", "--no-progress", folder]  # fmt: skip
        told = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    found: dict[int, float] = {}
    for line in told.splitlines():
        record = json.loads(line)
        number = int(re.findall(r"(\d{6})\.txt", record["path"])[-1])
        found[number] = max((one["privacy"] for one in record["persons"]), default=0.0)
    return [found.get(number, -1.0) for number in range(len(texts))]


def is_right(pair: Pair, less: float, more: float) -> bool:
    if pair.equal:
        return less > 0 and abs(more - less) <= EQUAL * max(less, more)
    return more > less >= 0


def check(seed: int, draws: int = 1) -> list[tuple[Pair, float, float]]:
    made = list(pairs(seed, draws))
    found = scores([text for pair in made for text in (pair.less, pair.more)])
    return [(pair, found[2 * i], found[2 * i + 1]) for i, pair in enumerate(made)]


def main() -> None:
    load_mesh(), load_sensitivity()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    draws = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    checked = check(seed, draws)
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong = []
    for pair, less, more in checked:
        total[pair.frame[1]] += 1
        if is_right(pair, less, more):
            right[pair.frame[1]] += 1
        else:
            wrong.append((pair, less, more))
    for axis, number in total.items():
        print(f"{axis:24} {right[axis]:5} of {number:5}  {right[axis] / number:7.1%}")
    whole = sum(total.values())
    print(
        f"{'all':24} {whole - len(wrong):5} of {whole:5}  {1 - len(wrong) / whole:7.1%}  ({len(frames())} frames)"
    )
    for pair, less, more in wrong[:: max(1, len(wrong) // 40)]:
        print(
            "---",
            pair.frame,
            f"{less:.4g} {more:.4g}\n{pair.less}\n    against\n{pair.more}",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
