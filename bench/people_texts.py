"""Generate texts that show a person in many ways, by name or without one, and near misses of each.

In: a seed, and which half of the wordings.  Out: Items by way of showing the person.

Every leak has matched harmless texts: the same words about nobody, the same person without health,
an office or a clinician in place of the person, blank forms, animals. A wording belongs to one of
two halves by its hash, so that one half can be learnt from and the other only scored.

    python -m bench.people_texts [--half held] [--count 400] [--by way] [--show WAY]
"""

from __future__ import annotations

import argparse
import random
import re
from binascii import crc32
from collections import defaultdict
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from itertools import product
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from bench import people_frames as frames
from bench import plain_frames
from bench.sources import Item, Link
from dlp.knowledge.names import load_surrogate_names
from tests.support.office_builder import (
    CP,
    DC,
    W_ALL,
    content_types,
    pack,
    paragraph,
    relations,
    run,
)  # fmt: skip

SIGN = re.compile(r"\{(\w+)\}")
TRAIN, HELD, ALL = "train", "held", "all"
MONTHS = ("January", "March", "April", "June", "August", "October", "November")
WML = "application/vnd.openxmlformats-officedocument.wordprocessingml"
PROPERTIES = ("title", "subject", "keywords", "description")
MAIL = re.compile(r"(?:From|To|Subject): .*\n(?:[A-Z][\w-]+: .*\n)+\n")
IN_OFFICE = frozenset({*PROPERTIES, "comment", "header", "footer"})


def half_of(wording: str) -> str:
    return TRAIN if crc32(wording.encode()) % 2 else HELD


def choose(rng: random.Random, wordings: Sequence[str], half: str) -> str:
    """One of the wordings of this half, or of all where the half has none."""
    some = [one for one in wordings if half in {ALL, half_of(one)}]
    return rng.choice(some or list(wordings))


class Carrier(NamedTuple):
    """A short text about somebody, or one that only looks so."""

    kind: str
    label: str  # L: a leak
    owner: str  # sign of the one whose fact it is
    frame: str


class Person:
    """What the signs of a frame stand for, drawn afresh."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._lists = load_surrogate_names()
        sex = rng.choice("fm")
        first, last = rng.choice(self._lists["first"][sex]), self._last()
        mono = "".join(rng.choices(frames.SYLLABLES, k=rng.randint(2, 3))).capitalize()
        own = rng.choice((self._last(), mono))
        part = rng.choice(frames.PARTICLES).format(own)
        dob = self._date()
        typo = misspelt(rng, last)
        he = {"f": ("she", "her", "her", "woman", "Ms"), "m": ("he", "his", "him", "man", "Mr")}[
            sex
        ]
        title = rng.choice(
            (he[4], he[4] + ("." if sex == "m" else ""), "Mrs" if sex == "f" else "Mr")
        )
        others = [self._name() for _ in range(8)]
        self.name, self.last = f"{first} {last}", last
        self.values = {
            "n": self.name, "f": first, "l": last, "t": title, "CT": title.upper(),
            "i": f"{first[0]}.{last[0]}.", "ii": f"{first[0]}{last[0]}", "i1": first[0],
            "mono": mono, "part": part, "pn": f"{first} {part}", "plf": f"{part}, {first}",
            "tn": f"{first} {typo}", "tl": typo, "sn": self.name.lower(), "sf": first.lower(),
            "cn": self.name.upper(), "cl": last.upper(), "dob": dob, "age": str(rng.randint(19, 93)),
            "sex": rng.choice((sex.upper(), "female" if sex == "f" else "male")), "S": sex.upper(),
            "he": he[0], "his": he[1], "him": he[2], "man": he[3], "He": he[0].title(),
            "pc": self._postcode(), "zip": f"{rng.randint(10001, 99501)}",
            "street": f"{rng.randint(1, 240)} {rng.choice(frames.STREETS)}",
            "ssn": f"{rng.randint(100, 665)}-{rng.randint(10, 99)}-{rng.randint(1000, 9999)}",
            "nhs": nhs_number(rng), "hcn": f"{rng.randint(1000, 9999)}-{rng.randint(100, 999)}-{rng.randint(100, 999)}",
            "mrn": rng.choice(("{}", "H{}", "{}-2")).format(rng.randint(100_000, 9_999_999)),
            "study": rng.choice(("S-{:03}", "{:03}-017", "AB{:04}", "{:04}")).format(rng.randint(2, 900)),
            "prison": f"A{rng.randint(1000, 9999)}{rng.choice('ABCDEFGHJK')}{rng.choice('ABCDEFGHJK')}",
            "seat": f"{rng.randint(1, 40)}{rng.choice('ABCDEF')}", "cabin": str(rng.randint(100, 9800)),
            "cell": f"{rng.choice('ABC')}{rng.randint(1, 4)}-{rng.randint(10, 40)}",
            "num4": str(rng.randint(1000, 9999)), "num42": str(rng.randint(1000, 9999)),
            "num43": str(rng.randint(1000, 9999)), "num6": str(rng.randint(100_000, 999_999)),
            "num8": f"{rng.choice(('', 'P', 'LV-'))}{rng.randint(10**7, 10**8 - 1)}", "k": str(rng.randint(1, 48)),
            "phone": f"({rng.randint(210, 780)}) 555-{rng.randint(100, 199):04}",
            "mail": f"{first[0].lower()}{last.lower()}{rng.randint(1, 99)}@example.org",
            "user": rng.choice((f"{first}_{last}", f"{first[0]}{last}", f"{last}{first[0]}{rng.randint(2, 99)}")).lower(),
            "clock": f"{rng.randint(7, 12):02}:{rng.randint(0, 59):02}", "date2": self._date(2020, 2025),
            "clock2": f"{rng.randint(13, 21):02}:30", "num": str(rng.randint(1000, 99_999)),
            "year": str(rng.randint(1995, 2024)), "date": self._date(2020, 2025),
            "o": others[0], "o1": others[0].split()[0], "o2": others[1], "o3": others[2],
            "w": others[3], "w1": others[3].split()[0], "doc": f"Dr {others[4].split()[1]}",
            "doc1": f"Dr {others[5]}", "doc2": f"Dr {others[6]}", "doc3": f"Dr {others[7]}",
        }  # fmt: skip
        self.values |= self._shown_otherwise(sex)
        self._of = {
            "c": plain_frames.CONDITIONS, "c2": plain_frames.CONDITIONS, "i": plain_frames.INFECTIONS,
            "d": plain_frames.DRUGS, "p": plain_frames.PROCEDURES, "s": frames.SYMPTOMS,
            "res": frames.RESULTS, "code": frames.CODES, "town": plain_frames.CITIES,
            "job": frames.JOBS, "nick": frames.NICKS, "site": frames.SITES, "kin": frames.KIN,
            "house": frames.HOUSES, "firm": frames.FIRMS, "island": frames.ISLANDS, "month": MONTHS,
            "pet": frames.PETS, "breed": frames.BREEDS, "e": plain_frames.NEUTRAL,
            "e2": plain_frames.NEUTRAL, "day": ("Monday", "Tuesday", "Thursday", "Saturday"),
            "city": plain_frames.CITIES, "firmlow": ("brookline", "halden", "merrow"),
        }  # fmt: skip

    def _shown_otherwise(self, sex: str) -> dict[str, str]:
        """Names of every continent, names that are words, made-up ones; parts of the others."""
        rng, own = self.rng, self.values
        region = frames.WORLD[rng.choice(sorted(frames.WORLD))]
        first, last = rng.choice(region[sex]), rng.choice(region["last"])
        mate = f"{rng.choice(region['fm'.replace(sex, '')])} {rng.choice(region['last'])}"
        word, family = rng.choice(frames.WORDS[sex]), rng.choice(frames.WORDS["last"])
        rare = "".join(rng.choices(frames.SYLLABLES, k=3)).capitalize()
        found = {
            "x": f"{first} {last}", "xf": first, "xl": last, "x2": mate, "w": f"{word} {family}",
            "wf": word, "wl": family, "xr": f"{rare} {own['mono']}", "CF": own["f"].upper(),
            "ol": own["o"].split()[-1], "of": own["o1"], "n2": own["o3"],
            "parent": rng.choice(("mother", "father")),
        }  # fmt: skip
        capitals, small = f"{first} {last}".upper(), f"{first} {last}".lower()
        return found | {"xc": capitals, "xlc": capitals, "xs": small, "ws": found["w"].lower()}

    def _last(self) -> str:
        return self.rng.choice(
            self._lists["last"][self.rng.choice(("en", "en", "en", "es", "fr", "de"))]
        )

    def _name(self) -> str:
        return f"{self.rng.choice(self._lists['first'][self.rng.choice('fm')])} {self._last()}"

    def _date(self, low: int = 1928, high: int = 2016) -> str:
        day, month, year = (
            self.rng.randint(1, 28),
            self.rng.randint(1, 12),
            self.rng.randint(low, high),
        )
        return self.rng.choice((
            f"{day:02}/{month:02}/{year}", f"{day}.{month}.{year}", f"{year}-{month:02}-{day:02}",
            f"{day} {MONTHS[month % 7]} {year}", f"{day:02}/{month:02}/{year % 100:02}",
        ))  # fmt: skip

    def _postcode(self) -> str:
        return self.rng.choice(
            ("BS3 4TH", "LS6 2QA", "EH9 1PL", "CF24 3AB", "NG7 5FE", "M14 6LT", "SW9 8HR")
        )

    def fill(self, frame: str) -> str:
        return SIGN.sub(lambda hit: self._value(hit[1]), frame)

    def _value(self, sign: str) -> str:
        if sign in {"C", "D", "P"}:
            return self._value(sign.lower()).upper()
        if sign not in self.values:
            drawn = self.fill(self.rng.choice(self._of[sign]))
            if sign[0] == "e":
                return drawn
            self.values[sign] = drawn
        return self.values[sign]


def misspelt(rng: random.Random, word: str) -> str:
    at = rng.randrange(1, max(2, len(word) - 1))
    swapped = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
    return rng.choice((swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]))


def nhs_number(rng: random.Random) -> str:
    while True:
        digits = [rng.randint(1, 9), *(rng.randint(0, 9) for _ in range(8))]
        check = 11 - sum(d * w for d, w in zip(digits, range(10, 1, -1), strict=True)) % 11
        if check != 10:
            text = "".join(map(str, [*digits, check % 11]))
            return f"{text[:3]} {text[3:6]} {text[6:]}"


def told_of(person: Person, way: str, half: str, *, health: bool, known: bool) -> str:
    """A text by this way; without the person where `known` is false, without health likewise."""
    rng = person.rng
    heads, subjects = frames.WAYS[way]
    if heads and rng.random() < 0.5:
        head = choose(rng, heads if known else frames.OFFICES, half)
        note = choose(rng, frames.NOTE if health else frames.PLAIN_NOTE, half)
        return person.fill(rng.choice(frames.SHOWS).replace("{head}", head).replace("{note}", note))
    subject = person.fill(choose(rng, subjects if known else frames.NOBODY, half))
    said = choose(rng, frames.TOLD if health else frames.PLAIN, half).replace("{P}", subject)
    said = person.fill(said).replace(",.", ".").replace(",:", ":")
    said = said[:1].upper() + said[1:] if way != "small" else said
    place = choose(rng, frames.PLACES, half)
    text = person.fill(place.replace("{said}", "\0")).replace("\0", said)
    return text.lower() if way == "small" else text.upper() if way == "capitals" else text


def beside(person: Person, way: str, half: str, *, health: bool, known: bool) -> tuple[str, str]:
    """The body of a file, and what stands beside it."""
    rng = person.rng
    if way == "signature":
        body = choose(rng, frames.OF_SELF if health else frames.PLAIN, half).replace("{P}", "I")
        name = choose(rng, frames.BESIDE[way], half) if known else rng.choice(("Thanks", "Bye", ""))
        return person.fill(f"Hello,\n\n{body}\n\n{name}"), ""
    body = person.fill(choose(rng, frames.UNNAMED if health else frames.PLAIN_NOTE, half))
    if rng.random() < 0.4:
        body = f"{person.fill('{e}')}\n\n{body}"
    name = person.fill(choose(rng, frames.BESIDE[way], half) if known else "Note")
    if way == "late":
        return f"{body}\n\n{name if known else person.fill('{e}')}", ""
    return body, name


def write(
    rng: random.Random, way: str, half: str, *, health: bool = True, known: bool = True
) -> Item:
    person = Person(rng)
    leak = health and known
    name, aside = f"note{rng.randrange(10**6)}.txt", ""
    if way in frames.PAPERS:
        leak, body = False, person.fill(choose(rng, frames.PAPERS[way], half))
    elif way in frames.BESIDE:
        body, aside = beside(person, way, half, health=health, known=known)
    else:
        body = told_of(person, way, half, health=health, known=known)
    body = re.sub(r"\b(his|her|your|my|the|an?|of) (?:an?|the) ", r"\1 ", body)
    data = body.encode()
    if way == "mail_subject" or (aside == "" and rng.random() < 0.08):
        name, data = name.replace(".txt", ".eml"), mail(person, body, aside)
    elif way in IN_OFFICE or rng.random() < 0.08:
        name, data = name.replace(".txt", ".docx"), docx(person, body, {way: aside})
    elif way == "file_name":
        name = f"{aside}.txt"
    links = (Link(person.last, "", has=True),) if leak and way in NAMED else ()
    return Item(f"people/{way}", name, leak, None, data, links)


NAMED = frozenset({"full_name", "title_name", "capitals", "small", *frames.BESIDE})


def mail(person: Person, body: str, subject: str) -> bytes:
    message = EmailMessage()
    message["From"] = f"{person.values['w']} <office@example.org>"
    message["To"] = f"{person.values['o']} <{person.values['o1'].lower()}@example.org>"
    message["Subject"] = subject or "today"
    message.set_content(body + "\n")
    return message.as_bytes()


def docx(person: Person, body: str, beside: dict[str, str]) -> bytes:
    """A document whose author is somebody else; comment, header, footer and properties as told."""
    parts = {"word/document.xml": f"{WML}.document.main+xml", "docProps/core.xml":
             "application/vnd.openxmlformats-package.core-properties+xml"}  # fmt: skip
    rows, members = [], {}
    for kind, root in (("header", "hdr"), ("footer", "ftr"), ("comments", "comments")):
        text = beside.get(kind.removesuffix("s"), "")
        if not text:
            continue
        inner = paragraph(run(escape(text)))
        if kind == "comments":
            inner = (
                f'<w:comment w:id="0" w:author="{escape(person.values["w"])}">{inner}</w:comment>'
            )
        members[f"word/{kind}1.xml"] = f"<w:{root} {W_ALL}>{inner}</w:{root}>"
        parts[f"word/{kind}1.xml"] = f"{WML}.{kind}+xml"
        rows.append(f"{kind} {kind} {kind}1.xml")
    told = {"title": "dc", "subject": "dc", "description": "dc", "keywords": "cp"}
    told_xml = "".join(
        f"<{told[key]}:{key}>{escape(text)}</{told[key]}:{key}>"
        for key, text in beside.items()
        if key in told and text
    )
    core = f'<cp:coreProperties xmlns:cp="{CP}" xmlns:dc="{DC}">{told_xml}<dc:creator>{person.values["w"]}</dc:creator></cp:coreProperties>'
    paragraphs = "".join(paragraph(run(escape(line))) for line in body.split("\n"))
    members |= {
        "[Content_Types].xml": content_types(**parts),
        "_rels/.rels": relations("r1 officeDocument word/document.xml").replace(
            "</Relationships>",
            '<Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/'
            'core-properties" Target="docProps/core.xml"/></Relationships>'),
        "word/document.xml": f"<w:document {W_ALL}><w:body>{paragraphs}</w:body></w:document>",
        "docProps/core.xml": core,
        "word/_rels/document.xml.rels": relations(*rows),
    }  # fmt: skip
    return pack(members)


def carriers() -> list[Carrier]:
    """Of bench/people_carriers.txt."""
    lines = (Path(__file__).parent / "people_carriers.txt").read_text(encoding="utf-8").splitlines()
    return [Carrier(*line.split("|", 3)) for line in lines if not line.startswith("#")]


def carried(seed: int, half: str = TRAIN, rounds: int = 1) -> Iterator[Item]:
    """Every carrier of this half, each time with other people."""
    rng = random.Random(f"{seed}carriers{half}")
    for _, one in product(range(rounds), carriers()):
        if half not in {ALL, half_of(one.frame)}:
            continue
        person = Person(rng)
        text = person.fill(one.frame.replace("\\n", "\n").replace("\\t", "\t"))
        text = re.sub(r"(?i)\b(his|her|your|my|the|an?|known) (?:an?|the) ", r"\1 ", text)
        owner = person.fill(one.owner).split()[-1]
        links = (Link(owner, "", has=True),) if one.owner.startswith("{") else ()
        name = f"note{rng.randrange(10**6)}.{'eml' if MAIL.match(text) else 'txt'}"
        yield Item(f"people/{one.kind}", name, one.label == "L", None, text.encode(), links)


def people_texts(seed: int, count: int, half: str = TRAIN) -> Iterator[Item]:
    """Of each way half are leaks; every other text is one of its near misses."""
    rng = random.Random(f"{seed}{half}")
    ways = [*frames.WAYS, *frames.BESIDE]
    each = max(2, round(0.85 * count / len(ways)))
    for way in ways:
        for number in range(each):
            if number % 2 == 0:
                yield write(rng, way, half)
            else:
                yield write(rng, way, half, health=number % 4 == 1, known=number % 4 == 3)
    for way in frames.PAPERS:
        for _ in range(max(2, round(0.15 * count / len(frames.PAPERS)))):
            yield write(rng, way, half)


def main() -> None:
    from bench.generalise import detected
    from bench.learn_attribution import file_chance
    from dlp.attribute.chance import load_weights

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", default=TRAIN, choices=(TRAIN, HELD, ALL))
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", action="store_true", help="one row for each way")
    parser.add_argument("--show", default="", help="texts of this way that are judged wrongly")
    told = parser.parse_args()
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    weights = load_weights()
    for item in people_texts(told.seed, told.count, told.half):
        way = item.source.partition("/")[2]
        if told.show and told.show not in {way, "all"}:
            continue
        chance = file_chance(detected(item), weights)
        found[way].append((chance, item.leak))
        if told.show and (chance >= 0.5) is not item.leak:
            text = (
                item.data.decode("utf-8", "replace")
                if item.name.endswith((".txt", ".eml"))
                else item.name
            )
            print(
                f"==== {way} {'missed' if item.leak else 'FALSE'} {chance:.3f} {item.name}\n{text}"
            )
    every = [pair for pairs in found.values() for pair in pairs]
    for way, pairs in [*(found.items() if told.by else ()), ("all", every)]:
        leaks = [chance >= 0.5 for chance, leak in pairs if leak]
        others = [chance >= 0.5 for chance, leak in pairs if not leak]
        print(
            f"{way:16} recall {sum(leaks):3}/{len(leaks):3} {share(leaks)}   false {sum(others):3}/{len(others):3} {share(others)}"
        )


def share(held: Sequence[bool]) -> str:
    return f"{100 * sum(held) / len(held):5.1f} %" if held else "       "


if __name__ == "__main__":
    main()
