"""The texts that are attacked: notes and pages under the topic they speak of most.

In: a folder of development corpora.  Out: texts by source and topic, none a twin of another.

The words that label a text are names of the topic, as written: "std" with small letters is a
standard drink or consultation in most notes, "eating and drinking" is no alcoholism and an "ST
depression" no illness of the mind. Two texts made from one template share their sentences; who has
one in clear knows the other whatever is taken out of it, so only the first counts.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from pathlib import Path

from bench.sanitise import PAGE, pages

PROTECTED = {
    "HIV": r"\bHIV\b|\bAIDS\b",
    "sexually transmitted diseases": (
        r"(?i:syphilis|gonorrh|chlamydia|genital herpes|trichomon|genital wart"
        r"|sexually transmitted)|\bST[DI]s?\b"
    ),
    "alcoholism": (
        r"(?i)\balcoholi[cs]|alcohol (?:abuse|misuse|dependence|use disorder|intox|withdraw|problem)"
        r"|\bheavy drink|\bbinge|\bdrinking (?:problem|heav|too)|\bETOH (?:abuse|depend|withdr|intox)"
    ),
    "depression": (
        r"(?i)(?<!ST )(?<!ST-)(?<!segment )(?<!respiratory )\bdepress(?:ion|ive)\b|\bMDD\b"
    ),
}
OTHERS = {
    "diabetes mellitus": r"(?i)\bdiabet",
    "asthma": r"(?i)\basthma",
    "epilepsy": r"(?i)epilep|seizure",
    "fractures, bone": r"(?i)\bfractur",
    "coronary disease": r"(?i)coronary|myocardial infarct|angina",
    "neoplasms": r"(?i)\bcancer|carcinoma|tumou?r",
}
TOPICS = {**PROTECTED, **OTHERS}
ENOUGH = 2  # mentions
LEAST = 8  # texts of a topic in a source, to take part
MOST = 26
RUN = 4  # words
TWIN = 0.3  # share of their runs of words that two texts of one template have in common
Texts = dict[str, list[str]]


def labelled(everything: dict[str, list[str]]) -> dict[str, Texts]:
    """Texts of each source under the topic they mention most."""
    found: dict[str, Texts] = {}
    for source, texts in everything.items():
        each: Texts = defaultdict(list)
        seen: list[set[tuple[str, ...]]] = []
        for text in texts:
            name = topic_of(text)
            if not name or len(each[name]) >= MOST:
                continue
            runs = runs_of(text)
            if not any(len(runs & other) > TWIN * min(len(runs), len(other)) for other in seen):
                seen.append(runs)
                each[name].append(text)
        kept = {name: texts for name, texts in each.items() if len(texts) >= LEAST}
        if len(kept) > 4 and PROTECTED.keys() & kept:
            found[source] = kept
    return found


def topic_of(text: str) -> str:
    counts = {name: len(re.findall(pattern, text)) for name, pattern in TOPICS.items()}
    first, second = sorted(counts.values(), reverse=True)[:2]
    return max(counts, key=lambda name: counts[name]) if first >= ENOUGH and first > second else ""


def runs_of(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def sources(corpora: Path) -> dict[str, list[str]]:
    """All texts of each source, in an order of chance."""
    folders = {"reports": "mtsamples/txt", "practice": "syngp500/notes"}
    found = {
        name: [
            path.read_text("utf-8", "replace")[:PAGE]
            for path in sorted((corpora / folder).glob("*.txt"))
        ]
        for name, folder in folders.items()
    }
    found["pages"] = list(pages(corpora))
    for name, texts in found.items():
        found[name] = list(dict.fromkeys(texts))
        random.Random(3).shuffle(found[name])
    return found
