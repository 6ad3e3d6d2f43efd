"""Generate texts that tell a fact of health by class, and what has the same shape and tells none.

In: a seed and a half of the frames.  Out: Items, the source of each `facts/CLASS`.

    python -m bench.fact_texts [--count 40] [--seed 3] [--show CLASS] [--strata]

The frames stand in bench/fact_frames.toml; names, drugs, codes, values and surroundings are drawn
afresh for every text, drugs, illnesses, codes and short forms from the product's own tables. A hash
splits the frames: `seen` ones are for looking at and learning from, of `held` ones only sums are told.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bench import plain_frames
from bench.learn_attribution import file_chance
from bench.plain_texts import Draw
from bench.sources import Item, Link
from dlp.attribute.chance import load_weights
from dlp.config import Settings
from dlp.detect.illness.health import FindHealth
from dlp.model import Case, Document, FileRef, Part
from dlp.resources import rules_folder

FRAMES = Path(__file__).with_name("fact_frames.toml")
HALVES = ("seen", "held")
DENYING = frozenset(
    {"negated", "template", "general", "figurative", "animal", "hypothetical", "family"}
)
IN_PLACES = 0.4  # of the sentences stand among others
SMALL, CAPITALS = 0.05, 0.04
SIMPLE = re.compile(r"[a-z]{5,16}")
INVERTED = re.compile(r"([^,]+), ([^,]+)")
FILLERS: dict[str, tuple[str, ...]] = {
    "pain": ("7/10", "8/10", "6 out of 10", "9/10", "5/10", "4 out of 10"),
    "part": ("knee", "back", "shoulder", "hip", "neck", "chest", "stomach", "ankle", "wrist", "foot"),
    "limb": ("wrist", "ankle", "arm", "leg", "collarbone", "elbow", "foot", "hand", "shoulder", "knee"),
    "side": ("left", "right", "L", "R"), "va": ("6/12", "6/60", "20/80", "6/24", "20/200", "6/9"),
    "rx": ("-2.25/-0.75x180", "+1.50 DS", "-4.00", "-1.25/-0.50 x 90", "+3.25/-1.00x15"),
    "tooth": ("UR6", "LL8", "36", "46", "UL1", "LR4", "#19", "the lower left six", "UR8", "LL5"),
    "vaccine": ("MMR", "HPV", "hepatitis B", "BCG", "tetanus", "flu", "COVID", "pneumococcal",
                "MenACWY", "shingles", "yellow fever", "rabies", "DTaP"),
    "allergen": ("penicillin", "peanuts", "latex", "eggs", "bee stings", "ibuprofen", "shellfish",
                 "wheat", "sesame", "milk", "nuts", "aspirin", "kiwi"),
    "symptom": ("headaches", "dizziness", "diarrhoea", "night sweats", "chest pain", "a rash", "nausea",
                "shortness of breath", "palpitations", "blurred vision", "a cough", "constipation",
                "vomiting", "numbness", "tremor", "weight loss", "insomnia", "fever"),
    "aid": ("a wheelchair", "a rollator", "a hoist", "a walking frame", "crutches", "a hearing aid",
            "a commode", "a stairlift", "a white cane", "a knee brace", "a hospital bed", "a nebuliser"),
    "adl": ("dress", "wash", "get out of bed", "use the toilet", "bathe", "eat", "shower", "stand up",
            "cook", "shave", "transfer to the chair", "get up the stairs"),
    "dept": ("cardiology", "neurology", "oncology", "psychiatry", "dermatology", "rheumatology",
             "the renal unit", "gynaecology", "urology", "haematology", "CAMHS", "gastroenterology",
             "palliative care", "respiratory", "endocrinology", "orthopaedics", "maternity"),
    "clinic": ("the methadone clinic", "the dialysis unit", "the memory clinic", "the diabetic clinic",
               "the HIV clinic", "the fertility clinic", "the pain clinic", "the eating disorders group",
               "the cancer support group", "the chemo day unit", "the antenatal clinic", "the GUM clinic",
               "the epilepsy clinic", "the stoma clinic", "cardiac rehab", "the bereavement group",
               "the heart failure clinic", "the gender clinic", "the anger management group",
               "the breast clinic", "the stroke group", "the warfarin clinic"),
    "kin": ("mother", "father", "sister", "brother", "grandmother"),
    "gene": ("BRCA1", "BRCA2", "factor V Leiden", "CFTR", "HLA-B27", "MLH1", "APOE e4", "HFE C282Y"),
    "scan": ("MRI", "CT scan", "ultrasound", "X-ray", "bone scan", "echo", "PET scan", "mammogram"),
    "weeks": ("8", "12", "19", "24", "31", "36"), "cpt": ("90837", "99214", "45378", "27447", "93000", "59400", "96413"),
    "sti": ("chlamydia", "gonorrhoea", "syphilis", "HIV", "herpes", "HPV", "trichomonas"),
    "dose": ("5 mg", "20 mg", "50 mg", "100 mg", "250 mg", "1 g"),
}  # fmt: skip
# Analyte, bounds of the value, units.
ANALYTES = (
    ("HbA1c", 48, 110, ("mmol/mol", "")), ("haemoglobin", 62, 104, ("g/L", "")), ("creatinine", 130, 640, ("umol/L", "")),
    ("PSA", 5, 90, ("ng/mL", "")), ("TSH", 7, 40, ("mU/L", "")), ("CRP", 30, 280, ("mg/L", "")), ("ferritin", 3, 12, ("ug/L", "")),
    ("cholesterol", 6, 9, ("mmol/L", "")), ("potassium", 6, 7, ("mmol/L",)), ("INR", 4, 8, ("",)), ("eGFR", 12, 55, ("", "ml/min")),
    ("ALT", 90, 700, ("U/L", "")), ("vitamin B12", 80, 160, ("ng/L", "")), ("platelets", 20, 90, ("", "x10^9/L")), ("CD4", 40, 390, ("", "cells")),
    ("sodium", 118, 129, ("mmol/L",)), ("glucose", 13, 28, ("mmol/L",)), ("uric acid", 500, 700, ("umol/L", "")), ("BNP", 400, 3000, ("", "ng/L")),
)  # fmt: skip
SCALES = (
    ("PHQ-9", 27), ("GAD-7", 21), ("MMSE", 30), ("MoCA", 30), ("Barthel", 20), ("GCS", 15), ("EPDS", 30), ("Waterlow", 30),
    ("AUDIT", 40), ("NIHSS", 42), ("Berg balance", 56), ("EDSS", 9), ("DLQI", 30), ("BDI", 63), ("Oxford knee score", 48),
    ("Epworth", 24), ("IPSS", 35), ("Rockwood", 9), ("HADS", 42), ("6CIT", 28), ("DAS28", 9), ("CAT score", 40), ("NRS", 10),
    ("Apgar", 10), ("Y-BOCS", 40), ("PCL-5", 80), ("ODI", 50), ("MUST", 6),
)  # fmt: skip


def half_of(frame: str) -> str:
    return HALVES[hashlib.sha256(frame.encode()).digest()[0] % 2]


@cache
def frames() -> dict[str, Any]:
    return tomllib.loads(FRAMES.read_text(encoding="utf-8"))


@cache
def known() -> dict[str, tuple[str, ...]]:
    """Drugs, illnesses, codes and short forms of the product's own tables."""
    rules = rules_folder()
    inference = tomllib.loads((rules / "inference.toml").read_text(encoding="utf-8"))
    drugs = sorted(name for name in inference["drug"] if SIMPLE.fullmatch(name))
    headings = {one for line in inference["drug"].values() for one in line}
    shorthand = tomllib.loads((rules / "shorthand.toml").read_text(encoding="utf-8"))["shorthand"]
    short = [
        one["short"] for one in shorthand
        if one["kind"] == "disease" and not one["needs_context"] and one["mesh"]
    ]  # fmt: skip
    return {"drug": tuple(drugs), "dx": (*plain_frames.CONDITIONS, *sorted(map(spoken, headings))),
            "short": tuple(short)}  # fmt: skip


def spoken(heading: str) -> str:
    """A MeSH heading as it is said: "Diabetes Mellitus, Type 2" is type 2 diabetes mellitus."""
    plain = INVERTED.sub(r"\2 \1", heading)
    return " ".join(
        word if word.isupper() or "'" in word else word.lower() for word in plain.split()
    )


class FactDraw(Draw):
    """One text's people, values and facts."""

    def _value(self, sign: str) -> str:
        bare = sign.rstrip("2")
        rng = self.rng
        if bare in known():
            return self.values.setdefault(sign, rng.choice(known()[bare]))
        if bare in FILLERS:
            return rng.choice(FILLERS[bare])
        if bare in {"icd", "nine"}:
            return self.values.setdefault(sign, rng.choice(CODES[bare]))
        if bare == "analyte":
            return rng.choice(ANALYTES)[0]
        if bare == "lab":
            name, low, high, units = rng.choice(ANALYTES)
            joined = rng.choice((" ", " ", ": ", " is ", " of ", " = "))
            return f"{name}{joined}{rng.randint(low, high)} {rng.choice(units)}".strip()
        if bare == "scale":
            name, top = rng.choice(SCALES)
            points = rng.randint(2, top)
            style = rng.choice(
                ("{} {}/{}", "{} {}", "{}: {}", "{} score {}", "{} = {}", "{} of {}")
            )
            return style.format(name, points, top)
        if bare == "vital":
            return drawn_vital(rng)
        return super()._value(sign)


def drawn_vital(rng: random.Random) -> str:
    return rng.choice((
        f"BP {rng.randint(150, 210)}/{rng.randint(90, 120)}", f"HR {rng.randint(105, 160)}",
        f"temp {rng.randint(38, 40)}.{rng.randint(0, 9)}", f"sats {rng.randint(78, 91)}%",
        f"BMI {rng.randint(32, 52)}", f"RR {rng.randint(24, 38)}",
    ))  # fmt: skip


CODES = {
    "icd": ("F32.1", "E11.9", "J45.9", "C50.1", "G40.2", "K21.9", "M54.5", "I10", "F20.0", "B20", "N18.3",
            "F10.2", "O80", "H25.1", "G35", "I48.0", "F41.1", "K50.9", "L40.0", "M05.9", "E66.9", "J44.1"),
    "nine": ("250.00", "401.9", "414.01", "311", "493.90", "530.81", "272.4", "296.32", "715.16", "042",
             "278.01", "300.02", "714.0", "496", "427.31", "305.00", "599.0", "724.2"),
}  # fmt: skip


def pieces(kind: str, part: str, half: str) -> list[str]:
    return [one for one in frames()["class"][kind][part] if half in {"all", half_of(one)}]


def carried(rng: random.Random, kind: str, half: str, *, leak: bool) -> str:
    """A fragment beside a name, or a text that tells nothing although it has the words."""
    carriers = frames()["carriers"]
    if leak:
        return rng.choice(carriers["person"]).replace(
            "{fact}", rng.choice(pieces(kind, "facts", half))
        )
    facts = pieces(kind, "facts", half)
    if facts and rng.random() < 0.4:
        return rng.choice(carriers["nobody"]).replace("{fact}", rng.choice(facts))
    return rng.choice(carriers["blank"]).replace("{fact}", rng.choice(pieces(kind, "idle", half)))


def write(rng: random.Random, kind: str, half: str, *, leak: bool) -> Item:
    draw = FactDraw(rng)
    whole = pieces(kind, "told" if leak else "near", half)
    if rng.random() < 0.5:
        frame = rng.choice(whole)
        text = draw.fill(frame)
        if rng.random() < IN_PLACES and "\n" not in text:
            place = rng.choice(plain_frames.PLACES)
            text = draw.fill(place.replace("{said}", "\0")).replace("\0", text)
    else:
        text = draw.fill(carried(rng, kind, half, leak=leak))
    if rng.random() < SMALL:
        text = text.lower()
    elif rng.random() < CAPITALS:
        text = text.upper()
    person = draw.values["n"]
    links = (Link(person, "", has=True),) if leak else ()
    return Item(
        f"facts/{kind}", f"note{rng.randrange(10**6)}.txt", leak, None, text.encode(), links
    )


def fact_texts(seed: int, count: int, half: str = "seen") -> Iterator[Item]:
    """About `count` texts, as many leaks as harmless ones in each class that has both."""
    rng = random.Random(seed)
    classes = frames()["class"]
    each = max(2, count // len(classes))
    for kind, told in classes.items():
        for number in range(each):
            yield write(rng, kind, half, leak=bool(told["told"]) and number % 2 == 0)


def strata_texts(seed: int, half: str) -> Iterator[Item]:
    """Each expression of the strata beside a name; sources are `facts/KIND` and `harmless/KIND`."""
    rng = random.Random(seed)
    strata = frames()["strata"]
    for side in ("facts", "harmless"):
        for kind, expressions in strata[side].items():
            for one in expressions:
                text = FactDraw(rng).fill(rng.choice(strata["plain"]).replace("{fact}", one))
                if half in {"all", half_of(one)}:
                    yield Item(f"{side}/{kind}", "note.txt", side == "facts", None, text.encode())


def count_strata(seed: int, show: str) -> None:
    """Print by stratum how many expressions yield a stated fact, and in how many a leak."""
    from bench.generalise import detected

    weights, threshold = load_weights(), 1.0 / (1.0 + Settings().judge.miss_costs)
    sums: Counter[tuple[str, str]] = Counter()
    find = FindHealth()
    for half in HALVES:
        for item in strata_texts(seed, half):
            found = stated(find, item.data.decode())
            leak = file_chance(detected(item), weights) >= threshold
            for kind in (item.source, item.source.partition("/")[0]):
                sums[kind, half] += 1
                sums[kind, half + " found"] += bool(found)
                sums[kind, half + " leak"] += leak
            if half == "seen" and re.fullmatch(show, item.source) and bool(found) != item.leak:
                print(item.source, found, repr(item.data.decode()))
    for kind in dict.fromkeys(kind for kind, _ in sums):
        cells = [
            f"{100 * sums[kind, half + told] / sums[kind, half]:.0f} % ({sums[kind, half + told]}/{sums[kind, half]})"
            for half in HALVES for told in (" found", " leak") if sums[kind, half]
        ]  # fmt: skip
        print(f"| {kind} | {' | '.join(cells)} |")


def stated(find: FindHealth, text: str) -> list[str]:
    """The health findings of a text that hold."""
    case = Case(FileRef("", b"a.txt"), document=Document("text/plain", (Part("body", text),)))
    return [
        text[one.start : one.end]
        for one in find(case.but(language="en")).findings
        if DENYING.isdisjoint(one.context)
    ]


def main() -> None:
    from bench.generalise import detected

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2880, help="texts of each half")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--show", default="", help="list what is wrong in the seen half of a class")
    parser.add_argument("--strata", action="store_true", help="count the expressions by stratum")
    told = parser.parse_args()
    if told.strata:
        count_strata(told.seed, told.show)
        return
    weights, threshold = load_weights(), 1.0 / (1.0 + Settings().judge.miss_costs)
    right: Counter[tuple[str, str, bool]] = Counter()
    total: Counter[tuple[str, str, bool]] = Counter()
    for half in HALVES:
        for item in fact_texts(told.seed, told.count, half):
            kind = item.source.removeprefix("facts/")
            if told.show and (half == "held" or not re.fullmatch(told.show, kind)):
                continue
            chance = file_chance(detected(item), weights)
            total[kind, half, item.leak] += 1
            right[kind, half, item.leak] += (chance >= threshold) == item.leak
            if told.show and (chance >= threshold) != item.leak:
                print(
                    f"{kind} {'missed' if item.leak else 'FALSE'} {chance:.2f} {item.data.decode()!r}"
                )
    for kind in [*frames()["class"], ""]:
        print(row(kind, right, total))


def row(
    kind: str, right: Counter[tuple[str, str, bool]], total: Counter[tuple[str, str, bool]]
) -> str:
    cells = [kind or "all"]
    for half in HALVES:
        for leak in (True, False):
            keys = [key for key in total if key[1:] == (half, leak) and kind in {"", key[0]}]
            number, sum_right = sum(total[key] for key in keys), sum(right[key] for key in keys)
            share = sum_right if leak else number - sum_right
            cells.append(f"{100 * share / number:.0f} % ({share}/{number})" if number else "")
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
