"""Measure sanitising: what is replaced, what stays useful, what is left, how long it takes.

In: a folder of development corpora.  Out: tables on stdout.

    python -m bench.sanitise CORPORA [topics|queries|identities|articles ...] [--sources medquad]

topics      pages that speak of a protected topic: terms replaced, information kept by generalising
            and by removing, verified, sanitised twice, seconds a page (CPU)
queries     gold values of clinical questions that are left in the output
articles    bench/topic_articles.toml: what goes at each α against the terms that two readings marked
identities  invented people put around clinical notes: values left, medical terms that stay
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import math
import random
import re
import time
import tomllib
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import examiner
from dlp.errors import SanitiseError
from dlp.model import FileRef
from dlp.sanitise.certificate import certify
from dlp.sanitise.plan import Mode, Plan, Profile
from dlp.sanitise.protected_topics import default_topics, topics_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.service import Service, pages_of
from dlp.sanitise.verifier import Verifier

KEY = bytes(32)
TOPICS = {
    "HIV": ("HIV", r"\bHIV\b|\bAIDS\b"),
    "STD": (
        "sexually transmitted diseases",
        r"(?i)syphilis|gonorrh|chlamydia|\bstds?\b|genital herpes",
    ),
    "alcohol": ("alcoholism", r"(?i)\balcohol|\bdrinking"),
    "depression": ("depression", r"(?i)\bdepress(?:ion|ive|ed)\b"),
}
MENTIONS = 3  # of a topic, to count a page as one about it
PAGE = 8_000  # characters; longer pages are cut there


def pages(corpora: Path) -> Iterator[str]:
    for path in sorted((corpora / "medquad").rglob("*.xml")):
        root = ET.parse(path).getroot()
        pairs = root.iter("QAPair")
        text = "\n\n".join(f"{q.findtext('Question')}\n{q.findtext('Answer') or ''}" for q in pairs)
        yield text[:PAGE]


def notes(corpora: Path) -> list[str]:
    paths = [
        *(corpora / "mtsamples/txt").glob("*.txt"),
        *(corpora / "syngp500/notes").glob("*.txt"),
    ]
    return [path.read_text("utf-8", "replace")[:PAGE] for path in sorted(paths)]


def about(texts: list[str], pattern: str, most: int) -> tuple[int, list[str]]:
    """The pages that speak most of a topic, and how often each does at least.

    Where no page mentions it three times, those with fewer mentions stand in.
    """
    found = [(len(re.findall(pattern, text)), text) for text in texts]
    least = max(1, min(MENTIONS, max((count for count, _ in found), default=0)))
    chosen = sorted((pair for pair in found if pair[0] >= least), key=lambda p: -p[0])
    return least, [text for _, text in chosen[:most]]


def measure_topics(corpora: Path, wanted: list[str]) -> None:
    read = {"medquad": lambda: list(pages(corpora)), "notes": lambda: notes(corpora)}
    sources = {name: read[name]() for name in wanted}
    print(
        "| source | topic | α | pages | terms a page | replaced | kept, generalising | kept, removing | violations | twice = once | s a page |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for source, texts in sources.items():
        for name, (term, pattern) in TOPICS.items():
            least, chosen = about(texts, pattern, 20)
            said = name if least == MENTIONS else f"{name} (from {least} mentions)"
            for alpha in (1, 1.5, 2):
                row(source, said, term, alpha, chosen)


def row(source: str, name: str, term: str, alpha: float, texts: list[str]) -> None:
    if not texts:
        return
    plan = Plan(topics=topics_for([term]), alpha=alpha)
    removing = Sanitiser(Plan(topics=plan.topics, alpha=alpha, mode=Mode.REDACT))
    total = kept = removed = seconds = 0.0
    terms = replaced = violations = same = 0
    for text in texts:
        sanitiser = Sanitiser(plan)
        started = time.process_time()
        report = sanitiser.document([(text, ())])
        seconds += time.process_time() - started
        made, utility = report.pages[0].text, report.utility
        total, kept = total + utility.total, kept + utility.kept_bits
        removed += removing.document([(text, ())]).utility.kept_bits
        replaced += utility.generalised + utility.removed
        terms += utility.kept + utility.generalised + utility.removed
        certificate = certify(plan, report, made.encode(), "text/plain")
        violations += bool(Verifier(certificate).violations([made]))
        same += Sanitiser(plan).document([(made, ())]).pages[0].text == made
    n = len(texts)
    print(
        f"| {source} | {name} | {alpha} | {n} | {terms / n:.0f} | {replaced / terms:.1%} | {kept / total:.1%} | {removed / total:.1%} | {violations} | {same}/{n} | {seconds / n:.2f} |",
        flush=True,
    )


def measure_queries(corpora: Path, analysis: Analysis) -> None:
    blocks = (corpora / "asq_phi/dev_queries.txt").read_text().split("===QUERY===")[1:]
    kinds: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for block in blocks:
        text, _, tags = block.partition("===PHI_TAGS===")
        text = text.strip()
        case = analysis.case(FileRef("", b"query.txt"), io.BytesIO(text.encode()))
        plan = Plan(Profile.REDACT, key=KEY)
        made = Sanitiser(plan).document([(text, case.findings)], case.facts.get("subjects", ()))
        for line in tags.strip().splitlines():
            gold = json.loads(line)
            if gold["value"] in text:
                kinds[gold["identifier_type"]] += 1
                left[gold["identifier_type"]] += gold["value"] in made.pages[0].text
    print("| identifier | values | left |\n|---|---|---|")
    for kind, count in kinds.most_common():
        print(f"| {kind} | {count} | {left[kind]} |")
    print(f"| all | {kinds.total()} | {left.total()} ({left.total() / kinds.total():.2%}) |")


FIRST = [
    "Agnes",
    "Alberto",
    "Aisha",
    "Burt",
    "Carla",
    "Dolores",
    "Edith",
    "Farid",
    "Greta",
    "Imogen",
    "Jerome",
    "Keiko",
    "Marisol",
    "Nadia",
    "Orville",
    "Priya",
]
LAST = [
    "Abernathy",
    "Baptiste",
    "Castellano",
    "Eriksen",
    "Fitzgerald",
    "Gupta",
    "Ivanova",
    "Kowalczyk",
    "Lindqvist",
    "Nakamura",
    "Pettigrew",
    "Quintero",
]
TOWNS = (
    ("Ottawa", "ON", "K1H 8L1"),
    ("Springfield", "IL", "62704"),
    ("Boston", "MA", "02115"),
    ("Tulsa", "OK", "74103"),
)
LAYOUTS = (
    "Lakeview Medical Centre\nPatient: {last}, {first}   MRN: {mrn}   DOB: {born}\n{street}, {town}, {region} {code}\n\n{note}\n\nDictated by Dr. {doctor}\n",
    "Dear Dr. {doctor},\n\nRe: {first} {last}, born {born}, of {street}, {town} {region} {code}\n\n{note}\n\nSincerely,\nLakeview Medical Centre\n",
    "From: {first} {last}\nPhone {phone}\n\nIt is {first} again, from {town}.\n\n{note}\n\nYours, {first}\n",
)


def measure_identities(corpora: Path, analysis: Analysis, count: int = 80) -> None:
    chance = random.Random(7)
    sample = chance.sample(notes(corpora), count)
    for name, topics in (("identifiers only", ()), ("and the default topics", default_topics())):
        chance = random.Random(7)
        identities(chance, sample, name, Service(Plan(topics=topics, key=KEY), examiner(analysis)))


def identities(chance: random.Random, sample: list[str], name: str, service: Service) -> None:
    count = len(sample)
    values = gone = refused = kept = terms = 0
    for note in sample:
        town, region, code = chance.choice(TOWNS)
        person = {
            "first": chance.choice(FIRST),
            "last": chance.choice(LAST),
            "town": town,
            "region": region,
            "code": code,
            "born": f"{chance.randint(1, 12):02d}/{chance.randint(1, 28):02d}/{chance.randint(1945, 2012)}",
            "street": f"{chance.randint(2, 1999)} Maple Crescent",
            "mrn": str(chance.randint(10**6, 10**7 - 1)),
            "phone": f"({chance.randint(201, 989)}) 555-{chance.randint(100, 9999):04d}",
            "doctor": f"{chance.choice(FIRST)[0]}. {chance.choice(LAST)}",
        }
        text = chance.choice(LAYOUTS).format(note=note, **person)
        try:
            made = service.rewrite("note.txt", text.encode()).output.decode()
        except SanitiseError:
            refused += 1
            continue
        present = [v for k, v in person.items() if k != "region" and v in text]
        values += len(present)
        gone += sum(not re.search(rf"(?<!\w){re.escape(v)}(?!\w)", made) for v in present)
        one, two = kept_terms(text, made)
        kept, terms = kept + one, terms + two
    print("| plan | notes | refused | identity values | gone | medical terms not under C | kept |")
    print("|---|---|---|---|---|---|---|")
    rates = f"{gone / values:.2%} | {terms} | {kept / terms:.2%}"
    print(f"| {name} | {count} | {refused} | {values} | {rates} |")


def kept_terms(before: str, after: str) -> tuple[int, int]:
    """Terms of health that disclose no topic by themselves, and how many stand after as before."""
    sanitiser = Sanitiser(Plan(topics=default_topics()))
    found: Counter[str] = Counter()
    for term in sanitiser.confidential.terms(before):
        if term.kind and not sanitiser.confidential.disclosure.of_term(term):
            found[term.text.lower()] += 1
    there = Counter(t.text.lower() for t in sanitiser.confidential.terms(after))
    return sum(min(n, there[word]) for word, n in found.items()), found.total()


def measure_articles(analysis: Analysis) -> None:
    """Precision, recall and F of what goes, against each annotation; information kept.

    Identifiers (places, people, houses) go as they do in every copy.
    """
    examine = examiner(analysis)
    with (Path(__file__).parent / "topic_articles.toml").open("rb") as file:
        articles = tomllib.load(file)["article"]
    print("| topic | α | detected | P / R / F, first | P / R / F, second | kept |")
    print("|---|---|---|---|---|---|")
    for article, alpha in itertools.product(articles, (1.0, 1.5, 2.0, math.inf)):
        plan = Plan(topics=topics_for([article["topic"]]), alpha=alpha, key=KEY)
        pages = pages_of(examine("article.txt", article["text"].encode()))
        report = Sanitiser(plan).document(pages)
        gone = [(edit.start, edit.end) for edit in report.pages[0].edits]
        scores = (scored(article["text"], gone, article[name]) for name in ("first", "second"))
        cells = " | ".join(" / ".join(f"{100 * one:.0f}" for one in score) for score in scores)
        kept = f"{report.utility.preserved:.0%}"
        shown = "∞" if math.isinf(alpha) else f"{alpha:g}"
        print(f"| {article['topic']} | {shown} | {len(gone)} | {cells} | {kept} |", flush=True)


def scored(text: str, gone: list[tuple[int, int]], marked: list[str]) -> tuple[float, float, float]:
    """Precision and recall by overlap, and their harmonic mean."""
    places = [hit.span() for term in marked for hit in re.finditer(re.escape(term), text)]
    right = sum(any(a < d and c < b for c, d in places) for a, b in gone)
    found = sum(any(a < d and c < b for a, b in gone) for c, d in places)
    precision, recall = right / max(1, len(gone)), found / max(1, len(places))
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", type=Path)
    parser.add_argument("parts", nargs="*", default=["topics", "queries", "identities"])
    parser.add_argument("--sources", nargs="*", default=["medquad", "notes"])
    options = parser.parse_args()
    if "topics" in options.parts:
        measure_topics(options.corpora, options.sources)
    analysis = Analysis(load(None), full=True)
    if "articles" in options.parts:
        measure_articles(analysis)
    if "queries" in options.parts:
        measure_queries(options.corpora, analysis)
    if "identities" in options.parts:
        measure_identities(options.corpora, analysis)


if __name__ == "__main__":
    main()
