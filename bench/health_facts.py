"""Measure in how many short texts that state a health fact one is found, by class of fact.

In: a set of wordings (tuning, measuring or fresh).  Out: a table of shares by class and by register.

    python -m bench.health_facts [measuring|tuning|fresh] [--draws N] [--list CLASS]

Each wording of bench/carriers/ is put into every register with names and values drawn afresh, and
read by the whole analysis. `facts` should each yield a finding that holds; `denied` and `harmless`
should yield none. `--list` shows misses of the tuning set only.
"""

import io
import json
import random
import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import HEALTH_KINDS, FileRef

FOLDER = Path(__file__).parent / "carriers"
FIRST = ("Anna", "Marek", "Priya", "Owen", "Leila", "Tomas", "Grace", "Hugo", "Nadia", "Samuel")
LAST = ("Holm", "Petrova", "Adeyemi", "Castle", "Brandt", "Osei", "Larkin", "Moreau", "Sandoval")
MONTHS = ("January", "March", "April", "June", "August", "September", "November")
SLOT = re.compile(r"\{([^{}]+)\}")
NUMBER = re.compile(r"(\d+)-(\d+)")
DECIMAL = re.compile(r"(\d+\.\d+)-(\d+\.\d+)")
NOT_HELD = frozenset({"negated", "template", "general", "hypothetical", "figurative", "animal"})


class Carrier(NamedTuple):
    section: str
    cls: str
    register: str
    wording: str
    text: str


def drawn(wording, chance):
    """A wording with its slots filled; one person throughout."""
    she, her = chance.choice((("she", "her"), ("he", "his")))
    first, last = chance.choice(FIRST), chance.choice(LAST)
    known = {"first": first, "name": f"{first} {last}", "she": she, "her": her}

    def value(match):
        slot = match[1]
        if slot in known:
            return known[slot]
        if slot == "month":
            return chance.choice(MONTHS)
        if slot == "date":
            return f"{chance.randint(1, 28):02d}/{chance.randint(1, 12):02d}/2024"
        if NUMBER.fullmatch(slot):
            return str(chance.randint(*map(int, slot.split("-"))))
        if DECIMAL.fullmatch(slot):
            low, high = slot.split("-")
            return f"{chance.uniform(float(low), float(high)):.{len(low.split('.')[1])}f}"
        return chance.choice(slot.split("|"))

    text = SLOT.sub(value, wording)
    return first, last, text[0].upper() + text[1:]


def in_registers(first, last, said):
    """The same statement as each kind of writing holds it."""
    line = " ".join(said.split("\n"))
    return {
        "note": f"{first} {last}\nSeen today.\n\n{said}\nWill ring next week.\n",
        "chat": f"[09:14] Jo: any news?\n[09:15] {first} {last}: {line.lower()}\n[09:16] Jo: ok\n",
        "mail": f"From: jo.berg@example.org\nTo: desk@example.org\nSubject: {first} {last}\n\n"
        f"Hi,\n\nabout {first} {last}: {said}\n\nThanks\nJo\n",
        "form": f"Name: {first} {last}\nPhone: 020 7946 0123\nNotes: {said}\nSigned: JB\n",
        "list": f"Monday\n- Jo Berg: keys\n- {first} {last}: {line}\n- Max Vogel: rota\n",
        "log": json.dumps(
            {"user": f"{first.lower()}.{last.lower()}", "name": f"{first} {last}", "note": said}
        )
        + "\n",
        "calendar": f"BEGIN:VEVENT\nSUMMARY:{first} {last}\nDTSTART:20240312T091500\n"
        f"DESCRIPTION:{line}\nEND:VEVENT\n",
    }


def carriers(name, draws=1, seed=24):
    """Every wording of a set in every register, `draws` times."""
    chance = random.Random(seed)
    sections = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    for section, classes in sections.items():
        for cls, wordings in classes.items():
            for wording in wordings:
                for _ in range(draws):
                    for register, text in in_registers(*drawn(wording, chance)).items():
                        yield Carrier(section, cls, register, wording, text)


SUFFIX = {"log": "json", "calendar": "ics", "mail": "eml"}


def held(analysis, carrier):
    """The kinds of the health findings that hold in a carrier."""
    path = f"carrier.{SUFFIX.get(carrier.register, 'txt')}".encode()
    case = analysis.case(FileRef("", path), io.BytesIO(carrier.text.encode()))
    return [
        (one.kind.value, case.document.parts[one.part].text[one.start : one.end])
        for one in case.findings
        if one.kind in HEALTH_KINDS and not one.context & NOT_HELD
    ]


def measure(name, draws, listed):
    analysis = Analysis(Settings(), full=True, key=b"k" * 32)
    by_class, by_register = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    for carrier in carriers(name, draws):
        found = held(analysis, carrier)
        for tally in (
            by_class[carrier.section, carrier.cls],
            by_class[carrier.section, "ALL"],
            by_register[carrier.section, carrier.register],
        ):
            tally[0] += bool(found)
            tally[1] += 1
        wrong = bool(found) is not (carrier.section == "facts")
        if wrong and listed in {carrier.cls, "all"} and name == "tuning":
            print(
                carrier.cls,
                carrier.register,
                carrier.text.strip()[:200].replace("\n", " / "),
                found,
            )
    for (section, key), (hits, total) in [*by_class.items(), *by_register.items()]:
        print(f"{section:9}{key:18}{hits:5}/{total:<5}{hits / total:7.1%}")


def main(arguments):
    name = next((one for one in arguments if one in {"measuring", "tuning", "fresh"}), "measuring")
    draws = int(arguments[arguments.index("--draws") + 1]) if "--draws" in arguments else 1
    listed = arguments[arguments.index("--list") + 1] if "--list" in arguments else ""
    measure(name, draws, listed)


if __name__ == "__main__":
    main(sys.argv[1:])
