"""More evidence never finds somebody less, and a further fact never weighs less: on random sets."""

import random

import pytest

from dlp.knowledge.inference import load_inference
from dlp.knowledge.mesh import load_mesh
from dlp.measure.privacy import load_measure
from dlp.model import Evidence, Fact, Kind, Subject

MESH = load_mesh()
MEASURE = load_measure()
DISEASES = [
    i for i in range(len(MESH)) if any(c.startswith(("C", "F03")) for c in MESH.categories(i))
]
RULES = load_inference()
DRUGS = [
    MESH.ids[i] for i in range(len(MESH))
    if any(t.startswith(("D", "E")) for t in MESH.tree_numbers(i)) and RULES.implied(MESH.ids[i])
]  # fmt: skip
CONTEXTS = [frozenset(words) for words in (
    (), (), (), ("family",), ("negated",), ("hypothetical",), ("uncertain",), ("historical",),
    ("family", "historical"),
)]  # fmt: skip
FIRST = ["John", "Wei", "Maria", "J", "Q.", "Ethel", "Mary Ann", "Xq", "Muhammad", "Robin", ""]
LAST = ["Smith", "Wang", "Garcia", "S", "Kim", "Nguyen", "Zzyzx", "de la Cruz", "Hale-Jones", ""]
PLACES = [
    "Salina, Kansas", "Kansas", "Springfield", "Springfield, IL", "Oregon", "Illinois", "London",
    "Canada", "Korea", "China", "United States", "Portland", "Maine", "Paris, Texas", "Paris",
    "59330", "02115", "Boston", "Georgia", "New York", "Tuvalu", "Nowheresville", "K1H 8L1",
    "Ottawa", "SW1A 1AA", "Mexico", "Saline County", "Brazil", "Lagos", "Springfield, MA 01103",
]  # fmt: skip
PIECES = [
    *[Evidence(Kind.PLACE, "place-city", text) for text in PLACES],
    *[Evidence(Kind.DATE, "birth-date", text) for text in (
        "14/06/1962", "14-Jun-62", "June 14", "1962-06-14", "3 May 1915", "01012020")],
    *[Evidence(Kind.DATE, "birth-month", text) for text in ("June 1962", "06/1962")],
    *[Evidence(Kind.DATE, "birth-year", text) for text in ("1962", "1918")],
    *[Evidence(Kind.AGE, "age", text) for text in (
        "92M", "(45)", "ninety-four-year-old", "in his nineties", "8 months old", "64", "80s")],
    Evidence(Kind.DATE, "date-iso", "2024-02-01"),
    Evidence(Kind.ADDRESS, "street-address", "12 Elm Street, Boston, MA 02115"),
    Evidence(Kind.ADDRESS, "street-name", "Elm Street"),
    Evidence(Kind.ADDRESS, "postal-code-labelled", "59330"),
    Evidence(Kind.ADDRESS, "us-state-zip", "MT 59330-1234"),
    Evidence(Kind.ADDRESS, "uk-postcode", "LS1 4AP"),
    Evidence(Kind.ORGANISATION, "organisation", "Acme Bakery"),
    Evidence(Kind.PROVIDER, "provider", "Mercy Hospital"),
    Evidence(Kind.IP, "ip-v4", "192.0.2.7"),
    Evidence(Kind.PERSON, "handle", "mx_77"),
    Evidence(Kind.ID, "labelled-id", "4471"),
]  # fmt: skip


def random_fact(r):
    near = r.random() < 0.5
    sure = r.choice([1.0, 1.0, 0.9, 0.55])
    if r.random() < 0.4:
        return Fact(r.choice([Kind.DRUG, Kind.TEST]), r.choice(DRUGS), r.choice(CONTEXTS), sure)
    node = r.choice(DISEASES)
    if near and (above := MESH.ancestors(node).tolist()):
        node = r.choice(above)
    return Fact(Kind.DISEASE, MESH.ids[node], r.choice(CONTEXTS), sure)


def related_facts(r):
    """Facts about one corner of MeSH: a drug, what it implies, what is above and below that."""
    drug = r.choice(DRUGS)
    facts = [Fact(Kind.DRUG, drug, r.choice(CONTEXTS), 1.0)]
    for disease, _ in RULES.implied(drug)[:3]:
        if disease in MESH:
            node = MESH.index(disease)
            kin = [node, *MESH.ancestors(node).tolist(), *MESH.children(node).tolist()[:4]]
            facts += [Fact(Kind.DISEASE, MESH.ids[r.choice(kin)], r.choice(CONTEXTS), 1.0)]
    return facts


def violations_of_facts(rounds, seed):
    r, bad = random.Random(seed), []
    for _ in range(rounds):
        facts = [random_fact(r) for _ in range(r.randint(0, 5))]
        facts += related_facts(r) if r.random() < 0.7 else []
        r.shuffle(facts)
        more = facts.pop() if facts else random_fact(r)
        before = MEASURE.score(Subject("x", facts=tuple(facts)))
        after = MEASURE.score(Subject("x", facts=(*facts, more)))
        worse = after.sensitivity < before.sensitivity - 1e-9
        if worse or after.privacy < before.privacy * (1 - 1e-9) - 1e-15:
            bad.append((facts, more, before.sensitivity, after.sensitivity))
    return bad


def random_subject(r, evidence):
    return {
        "first": r.choice(FIRST), "last": r.choice(LAST), "sex": r.choice(["", "f", "m"]),
        "evidence": tuple(evidence), "facts": (),
    }  # fmt: skip


def violations_of_evidence(rounds, seed):
    r, bad = random.Random(seed), []
    for _ in range(rounds):
        evidence = r.sample(PIECES, r.randint(1, 6))
        known = random_subject(r, evidence)
        less = dict(known)
        what = r.choice(["evidence", "evidence", "evidence", "first", "last", "sex"])
        less[what] = tuple(evidence[:-1]) if what == "evidence" else ""
        before = MEASURE.score(Subject("x", **less)).identifiability
        after = MEASURE.score(Subject("x", **known)).identifiability
        if after < before * (1 - 1e-9):
            bad.append((less, known, before, after))
    return bad


def test_a_further_fact_never_weighs_less():
    assert violations_of_facts(3_000, seed=1) == []


def test_further_evidence_never_finds_somebody_less():
    assert violations_of_evidence(3_000, seed=2) == []


@pytest.mark.long
def test_a_hundred_thousand_sets_of_facts():
    assert violations_of_facts(100_000, seed=3) == []


@pytest.mark.long
def test_a_hundred_thousand_sets_of_evidence():
    assert violations_of_evidence(100_000, seed=4) == []


def test_the_order_of_evidence_and_facts_is_nothing():
    r = random.Random(5)
    for _ in range(300):
        evidence, facts = r.sample(PIECES, 5), [random_fact(r) for _ in range(4)]
        known = random_subject(r, evidence)
        one = MEASURE.score(Subject("x", **{**known, "facts": tuple(facts)}))
        r.shuffle(evidence)
        r.shuffle(facts)
        other = MEASURE.score(
            Subject("x", **{**known, "evidence": tuple(evidence), "facts": tuple(facts)})
        )
        assert other.privacy == pytest.approx(one.privacy, rel=1e-9)
