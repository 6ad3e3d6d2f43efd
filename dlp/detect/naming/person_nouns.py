"""Nouns that stand for a person by what they are or do: porter, goalkeeper, deputy.

In: a low noun.  Out: whether its usual sense is a person, and whether one who treats the sick.
"""

from __future__ import annotations

import functools

from dlp.knowledge.wordnet import load_wordnet

AGENTS = ("er", "or", "ist", "man", "woman", "ant", "ent", "ee")
PLURALS = ("s", "men", "women", "people")
SHORTEST = 3  # letters
# Senses of people whom a form names for what they do about somebody else's case.
POSTS = (
    "professional", "expert", "administrator", "functionary", "educator", "negotiator", "adviser",
    "leader",
)  # fmt: skip
# How the names of those end who examine or treat.
HEALERS = (
    "ologist",
    "therapist",
    "iatrist",
    "sonographer",
    "radiographer",
    "dietitian",
    "optician",
)


@functools.cache
def senses_above() -> tuple[int, int, int]:
    """The senses "person", "health professional" and "animal"."""
    known = load_wordnet()
    return (
        known.synsets("person")[0],
        known.synsets("health professional")[0],
        known.synsets("animal")[0],
    )


@functools.lru_cache(maxsize=8192)
def is_person(noun: str) -> bool:
    """By its first sense, or by the second of a word that ends as words for doers end."""
    if len(noun) < SHORTEST or (noun.endswith(PLURALS) and not noun.endswith("ss")):
        return False
    known = load_wordnet()
    person, _, _ = senses_above()
    senses = known.synsets(noun)[: 2 if noun.endswith(AGENTS) else 1]
    return any(person in known.subsumers(sense) for sense in senses)


@functools.lru_cache(maxsize=1024)
def is_clinical(noun: str) -> bool:
    if noun.endswith(HEALERS):
        return True
    known = load_wordnet()
    _, healer, _ = senses_above()
    # by the first sense only: a resident is somebody who lives there before being a young doctor
    return any(healer in known.subsumers(sense) for sense in known.synsets(noun)[:1])


@functools.lru_cache(maxsize=1024)
def acts_for_others(noun: str) -> bool:
    """Whether one of its usual senses is a person in a post: expert, teacher, official, manager."""
    known = load_wordnet()
    above = posts()
    return is_person(noun) and any(
        not above.isdisjoint(known.subsumers(sense)) for sense in known.synsets(noun)[:2]
    )


@functools.cache
def posts() -> frozenset[int]:
    known = load_wordnet()
    return frozenset(known.synsets(word)[0] for word in POSTS)


@functools.lru_cache(maxsize=4096)
def is_animal(noun: str) -> bool:
    """By its first sense: dog, spaniel, mare."""
    known = load_wordnet()
    _, _, animal = senses_above()
    return any(animal in known.subsumers(sense) for sense in known.synsets(noun)[:1])
