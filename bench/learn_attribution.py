"""Learn the weights of rules/attribution.toml from labelled sources.

In: cases as detection leaves them, with labels and, where a source has them, who has what.
Out: weights by feature; `python -m bench.generalise CORPORA SHARE... --write` stores them.

A file says only that somebody's health is told, so of each person who may be the one the likeliest
links of the last round count as true (multiple-instance learning); all links of a harmless file are
false, and so are those of bystanders. Every source weighs the
same, whatever its number of files, and within it leaks weigh as much as harmless files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import vstack
from sklearn.feature_extraction import DictVectorizer

from bench.sources import Item
from dlp.attribute.chance import FILE, Features, Weights
from dlp.attribute.links import Link, Page, View
from dlp.attribute.people import Individual
from dlp.attribute.stage import Attribution
from dlp.model import Case, Finding
from dlp.resources import rules_folder

HEADING = """\
# How likely it is that a health fact belongs to a person: a logistic of the features below
# (dlp/attribute/chance.py). Learnt by bench/generalise.py --write on invented and public texts;
# nothing of them is kept but these numbers. A positive weight speaks for the link, a negative one
# against it."""
# A false link weighs as much as so many missed ones: most files of a share leak nothing. Chosen
# so that a chance of one half gives about 1 % false alarms on generated shares.
COSTS = 1.5
LEAST = 0.05  # a weight below it is left out
FARTHEST = 5.0  # of a weight
AGAINST = (
    "said_by_another", "field_of_work", "record_of_staff", "listed_in_post", "owned_by_", "writes_of_another",
    "said_negated", "said_template", "said_general", "said_figurative", "said_animal",
    "said_hypothetical", "said_family", "near_news", "near_published", "near_fiction", "near_story",
    "near_instructive", "near_animal", "near_resume", "near_selling", "near_trade", "near_directory", "sentence_general",
    "sentence_asks", "sentence_news", "sentence_of_relative", "facts_in_block", "fact_doubted", "fact_abbreviated",
    "fact_in_institution", "fact_of_department", "name_doubted", "is_clinician", "is_staff", "is_public", "is_historical", "far_historical", "far_clinician",
    "above_", "far_staff", "far_public", "pronoun_clashes", "nearer_person", "behind_another", "rivals",
    "distance", "language_foreign", "column_work", "only_in_property", "link_name_reports",
)  # fmt: skip
SPEAKING = (
    "near_clinical", "near_personal", "has_", "reading", "person_wording", "fact_wording",
    "person_clause", "fact_clause", "labelled_subject", "person_in_statement",
    "fact_in_statement", "column_health", "field_of_health", "field_of_person", "link_record", "link_name_states", "link_name_has",
    "link_name_joins_fact", "link_fact_of_name", "link_number_has", "link_group_before",
    "link_block_before", "only_person", "far_only_", "singled_out", "record_of_one", "form_full_name", "is_in_heading", "named_again",
)  # fmt: skip
# "Ann Lee has asthma." is a leak whatever the sources hold: print and stories say the same of
# public and invented people, and other features tell those. A birth date is a patient's.
OUTRIGHT = {"fact_is_stated": 1.5, "has_birth": 0.5}
# Somebody in a post, named above a finding, is as a rule not the one who has it.
BESIDE = {
    "above_clinician": -3.0, "above_staff": -2.5, "far_clinician": -1.5, "far_staff": -1.5,
    "is_clinician": -1.2, "is_staff": -1.2,
}  # fmt: skip
# The words of a whole paragraph say how it sounds, not who has what: they must not outweigh a
# plain sentence.
MOST = {"reading": 1.0, "person_wording": 0.8, "fact_wording": 1.4, "near_personal": 1.5}
# What a feature weighs where few or no sources show it, by argument: a weight is pulled to this
# value, not to 0, so that a source left out, or a kind of file that nothing was learnt from, is
# judged by what the feature means. Everything that is not listed is pulled to 0.
PRIOR = {
    "reading": 1.0,
    # how surely the mention is of one private person
    "form_full_name": 2.5, "form_title_surname": 2.0, "form_surname": 1.5, "form_nickname": 1.0,
    "form_first_name": 1.5, "form_initials": 0.5, "form_number": 0.0, "form_handle": -0.5,
    "form_kinship": -1.0, "form_role": -1.0, "form_first_person": -1.0, "form_unit": -2.0,
    "has_birth": 1.0, "has_id": 1.0, "labelled_subject": 0.7, "is_subject": 0.7,
    "is_unnamed": -2.0, "singled_out": 5.0, "far_unnamed": 0.3, "far_only_person": 0.6,
    "far_only_pointed": 1.4, "only_in_title": 0.3,
    # parts that are as a rule not the one who is ill
    "is_clinician": -2.0, "is_staff": -2.0, "is_public": -2.0, "is_historical": -3.0,
    "is_addressee": -1.0, "is_writer": -0.5, "is_contact": -1.0, "only_in_property": -1.0,
    # how the text around reads
    "near_fiction": -2.0, "near_story": -5.5, "near_published": -1.5, "near_news": -2.0, "near_instructive": -1.0,
    "near_resume": -1.5, "near_selling": -1.0, "near_trade": -2.5, "near_animal": -2.5, "near_template": -0.5,
    "near_clinical": 0.5, "near_personal": 0.5, "near_directory": -3.0,
    "said_general": -2.5, "said_template": -2.0, "said_hypothetical": -2.0, "said_family": -0.5,
    "said_by_another": -2.5, "field_of_work": -1.5, "record_of_staff": -3.0, "listed_in_post": -1.5,
    "owned_by_other_sex": -2.0, "writes_of_another": -1.0, "own_circle_stated": 1.5, "sentence_general": -1.0, "sentence_news": -1.5, "facts_in_block": -1.0,
    # how near, and by which words, the person and the fact stand
    "link_name_states": 2.5, "link_name_has": 1.5, "link_name_joins_fact": 1.2,
    "link_fact_of_name": 1.2, "link_number_has": 1.0, "link_record": 1.5, "link_group_before": 0.7,
    "link_block_before": 0.5, "link_block_before_pronoun": 1.0, "link_message_before_pronoun": 0.7,
    "link_name_reports": -1.0, "link_block_after": -0.7, "link_group_after": -0.7,
    "link_message_after": -1.0, "link_document": -0.7, "link_other_part": -1.0,
    "column_health": 3.0, "pronoun_states": 0.8, "column_of_terms": 2.0, "fact_fills_cell": 1.0, "column_work": -3.0, "distance": -1.0,
    "fact_of_department": -1.2,
}  # fmt: skip
ROUNDS = 3
TOP = 3  # links of a person that count as told
STRENGTH = 1e-4  # of the pull of weights to PRIOR; weaker ones let weights run to their bounds
NOT_TOLD = frozenset({
    "said_template", "said_general", "said_negated", "said_figurative", "said_animal",
    "said_hypothetical",
})  # fmt: skip
SPARE = frozenset({"dr", "mr", "mrs", "ms", "md", "frcp"})


@dataclass(slots=True)
class Example:
    """All candidate links of one file."""

    item: Item
    features: list[Features] = field(default_factory=list)
    facts: list[int] = field(default_factory=list)  # the finding of each link
    people: list[int] = field(default_factory=list)
    truth: dict[int, bool | None] = field(default_factory=dict)  # by person; None: unknown
    words: list[set[str]] = field(default_factory=list)  # around each link
    clauses: list[set[str]] = field(default_factory=list)  # beside the fact and the person
    stretches: list[str] = field(
        default_factory=list
    )  # masked text around each link, for the reader
    meant: list[bool] = field(default_factory=list)  # whether the labels name this very fact


def example_of(item: Item, case: Case) -> Example:
    one = Example(item)
    if case.settled or case.document is None:
        return one
    attribution = Attribution(case)
    for links in attribution.links():
        for link in links:
            one.features.append(link.features)
            one.facts.append(link.fact)
            one.people.append(link.person.number)
            finding = case.findings[link.fact]
            text = attribution.parts[finding.part].text[finding.start : finding.end]
            one.meant.append(is_meant(item, text.lower()))
            page = attribution.pages[finding.part]
            one.words.append(page.words(page.scopes.block(finding.start)[1]))
            one.clauses.append(clauses_of(page, finding, link))
            read = "reading" in link.features
            one.stretches.append(page.around(page.scopes.block(finding.start)[1]) if read else "")
    one.truth = {person.number: truth_of(item, person) for person in attribution.people}
    return one


def clauses_of(page: Page, finding: Finding, link: Link) -> set[str]:
    """The words that `fact_clause` weighs; a record has none."""
    if link.step == "record":
        return set()
    found = View(page, finding, {}).around_fact()
    return found | page.around_person(link.mention) if link.mention else found


def is_meant(item: Item, text: str) -> bool:
    """Whether a fact that somebody has, by the labels, shares a word with this text."""
    return any(
        word in text
        for link in item.links if link.has
        for word in link.fact.lower().split() if len(word) > 3
    )  # fmt: skip


def truth_of(item: Item, person: Individual) -> bool | None:
    """Whether the labels say that this person's health is told; None: they do not say."""
    if not item.leak:
        return False
    if not item.links:
        return None
    shown = f"{person.first} {person.last} {' '.join(e.text for e in person.evidence)}".lower()
    found: set[bool] = set()
    for link in item.links:
        words = [
            word for word in link.person.lower().replace(",", " ").replace(".", " ").split()
            if len(word) > 2 and word not in SPARE
        ]  # fmt: skip
        if words and words[-1] in shown:
            found.add(link.has)
    if True in found:
        return True
    return False if found else None


def learn(
    examples: Sequence[Example],
    start: Weights,
    *,
    strength: float = STRENGTH,
    rounds: int = ROUNDS,
) -> Weights:
    """Weights of the features, from what each may be alone; `start` lends all that is not learnt."""
    vectoriser = DictVectorizer()
    vectoriser.fit([features for one in examples for features in one.features])
    names = list(vectoriser.get_feature_names_out())
    matrices = [vectoriser.transform(one.features) if one.features else None for one in examples]
    shares = source_shares(one.item for one in examples)
    bounds = [(-FARTHEST, FARTHEST), *map(allowed, names)]
    prior = np.array([PRIOR.get(name, 0.0) for name in names])
    theta = np.clip(np.concatenate([[0.0], prior]), *zip(*bounds, strict=True))
    for _ in range(rounds):
        rows, labels, masses = [], [], []
        for one, matrix in zip(examples, matrices, strict=True):
            if matrix is None:
                continue
            chosen, told, mass = chosen_links(one, matrix @ theta[1:])
            if chosen:
                rows.append(matrix[chosen])
                labels += told
                masses += [share * shares[one.item.source, one.item.leak] for share in mass]
        theta = fit(vstack(rows).tocsr(), np.array(labels, float), np.array(masses),
                    np.clip(theta, *zip(*bounds, strict=True)), prior, strength, bounds)  # fmt: skip
    features = dict(zip(names, map(float, theta[1:]), strict=True))
    return replace(start, bias=float(theta[0]), features=features)


def allowed(name: str) -> tuple[float, float]:
    """What a weight may be: some features can only speak for a link, some only against it."""
    if name in OUTRIGHT:
        return (OUTRIGHT[name], FARTHEST)
    if name.startswith(AGAINST):
        return (-FARTHEST, BESIDE.get(name, 0.0))
    return (0.0, MOST.get(name, FARTHEST)) if name.startswith(SPEAKING) else (-FARTHEST, FARTHEST)


def fit(
    matrix: Any, labels: np.ndarray, masses: np.ndarray,
    start: np.ndarray, prior: np.ndarray, strength: float, bounds: list[tuple[float, float]],
) -> np.ndarray:  # fmt: skip
    """Least cross-entropy; weights are pulled to `prior`, the bias is free."""
    masses = masses / masses.sum()

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        own = theta[1:]
        chance = 1.0 / (1.0 + np.exp(-np.clip(matrix @ own + theta[0], -30, 30)))
        sure = np.clip(chance, 1e-9, 1 - 1e-9)
        value = -(masses * (labels * np.log(sure) + (1 - labels) * np.log(1 - sure))).sum()
        slope = masses * (chance - labels)
        off = own - prior
        slopes = matrix.T @ slope + 2 * strength * off
        return value + strength * (off @ off), np.concatenate([[slope.sum()], slopes])

    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 200}
    )
    return found.x


def chosen_links(one: Example, scores: np.ndarray) -> tuple[list[int], list[bool], list[float]]:
    """The links of a file to learn from, their labels and masses, which sum to about one."""
    by_person: dict[int, list[int]] = defaultdict(list)
    for index, person in enumerate(one.people):
        by_person[person].append(index)
    ranked = {n: sorted(some, key=lambda i: -scores[i]) for n, some in by_person.items()}
    known = {n for n in ranked if one.truth.get(n) is True}
    if one.item.leak and not known and one.item.links:
        return [], [], []  # the person of the labels was not found: nothing to learn about links
    if one.item.leak and not known:
        unknown = [n for n in ranked if one.truth.get(n) is None]
        if unknown:
            known = {max(unknown, key=lambda n: scores[ranked[n][0]])}
    chosen, labels, masses = [], [], []
    for person, every in ranked.items():
        links = every
        told = person in known
        if not told and one.truth.get(person) is None and one.item.leak:
            continue
        if told:  # what is denied, printed or said in general is not what makes a file a leak
            links = [i for i in links if one.features[i].keys().isdisjoint(NOT_TOLD)]
        top = links[:TOP]
        if told and (meant := [i for i in links if one.meant[i]]):
            top = meant[:TOP]
        for rank, index in enumerate(top):
            chosen.append(index)
            labels.append(told)
            masses.append(1.0 / (1 + rank))
    false = [i for i, told in enumerate(labels) if not told]
    total_true = sum(m for m, told in zip(masses, labels, strict=True) if told) or 1.0
    total_false = sum(masses[i] for i in false) or 1.0
    bystanders = 0.5 * COSTS if one.item.leak else COSTS
    scaled = [
        m / total_true if told else bystanders * m / max(1.0, total_false / 2)
        for m, told in zip(masses, labels, strict=True)
    ]
    return chosen, labels, scaled


def source_shares(items: Iterable[Item]) -> dict[tuple[str, bool], float]:
    """What one file weighs: sources count by the square root of their size."""
    counts = Counter((item.source, item.leak) for item in items)
    return {key: count**0.5 / count for key, count in counts.items()}


def file_chance(one: Example, weights: Weights) -> float:
    """As dlp/judge/decide.py works it out."""
    return max(map(weights.chance, one.features), default=0.0)


def write_weights(weights: Weights) -> None:
    """Replace the learnt tables of rules/attribution.toml; what people wrote below them stays."""
    path = rules_folder() / FILE
    text = path.read_text(encoding="utf-8")
    kept = text[text.index("[identity]") :]
    lines = [HEADING, "", f"bias = {weights.bias:.2f}", "", "[weights]"]
    lines += [
        f"{name} = {weight:.2f}"
        for name, weight in sorted(weights.features.items()) if abs(weight) >= LEAST
    ]  # fmt: skip
    path.write_text("\n".join([*lines, "", kept]), encoding="utf-8")
