"""How fast and how right the privacy measure is.

In: optionally a folder of FHIR bundles.  Out: a table for bench/results/measure.md.

    python -m bench.measure [FHIR_FOLDER]
"""

from __future__ import annotations

import io
import json
import random
import resource
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.places import load_places
from dlp.knowledge.sensitivity import Sensitivity, load_sensitivity
from dlp.measure.linkage import Identity, link, link_people
from dlp.measure.privacy import load_measure
from dlp.model import Fact, FileRef, Kind, Subject

FRAMES = (
    "Hi, I'm {first} {last} from {city}. I was diagnosed with {disease} last year and take {drug}.",
    "My name is {first} {last}. Does anybody else with {disease} feel tired on {drug}? {first}",
    "{first} {last}, {city}: after my {disease} the doctor stopped {drug}. Mail me.",
)
FIRST, LAST = (
    ["Agnes", "Burt", "Chidi", "Dolores", "Farid", "Greta"],
    ["Abernathy", "Gupta", "Zeller", "Smith"],
)
CITIES, DRUGS = (
    ["Ottawa", "Tulsa", "Boston", "Halifax"],
    ["metformin", "lithium", "warfarin", "zidovudine"],
)
DISEASES = ["asthma", "diabetes", "depression", "HIV infection", "breast cancer", "psoriasis"]


def seconds(work, rounds=5):
    times = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return statistics.median(times)


def propagation():
    table = load_sensitivity()
    return seconds(lambda: Sensitivity(table.judgements.values(), load_mesh()))


def scoring(findings=50):
    measure, mesh, r = load_measure(), load_mesh(), random.Random(2)
    pool = [
        i for i in range(len(mesh)) if mesh.categories(i)[:1] and mesh.categories(i)[0][0] in "CD"
    ]
    rounds = [
        [
            Subject("x", first=r.choice(FIRST), last=r.choice(LAST), places=(r.choice(CITIES),), birth_date=f"19{r.randint(10, 99)}-03-07",
                    facts=tuple(Fact(r.choice([Kind.DISEASE, Kind.DRUG]), mesh.ids[i]) for i in r.sample(pool, findings)))
            for _ in range(200)
        ]
        for _ in range(5)
    ]  # fmt: skip
    # nobody is scored twice: what is remembered of one person would make the next too cheap
    return seconds(lambda: [measure.score(s) for s in rounds.pop()]) / 200


def messages(count=250):
    analysis, r = Analysis(Settings()), random.Random(3)
    analysis.warm()
    texts = [
        r.choice(FRAMES).format(first=r.choice(FIRST), last=r.choice(LAST), city=r.choice(CITIES),
                                disease=r.choice(DISEASES), drug=r.choice(DRUGS)).encode()
        for _ in range(count)
    ]  # fmt: skip
    return seconds(
        lambda: [analysis(FileRef("b", b"m.txt"), io.BytesIO(t)) for t in texts], rounds=1
    )


def invented(size, seed=1):
    r = random.Random(seed)
    identities, truth = [], []
    for number in range(size):
        known = {"name": f"n{r.randrange(size * 4)}", "birth": f"b{r.randrange(30000)}", "phone": f"p{number}",
                 "id": f"i{number}", "address": f"a{number // 2}"}  # fmt: skip
        for copy in range(r.choice([1, 1, 2, 3, 4])):
            prints = {
                k: frozenset((v,)) for k, v in known.items() if k == "name" or r.random() < 0.6
            }
            identities.append(Identity(f"{number}.{copy}", prints, 18.0))
            truth.append(number)
    return identities, truth


def precision_and_recall(groups, truth):
    right = wrong = 0
    for group in groups:
        for position, a in enumerate(group):
            for b in group[position + 1 :]:
                right += truth[a] == truth[b]
                wrong += truth[a] != truth[b]
    counts = {number: truth.count(number) for number in set(truth)} if len(truth) < 5000 else {}
    pairs = sum(n * (n - 1) // 2 for n in counts.values())
    return right / max(1, right + wrong), (right / pairs if pairs else float("nan")), right, wrong


def fhir_pieces(folder, pieces=4):
    """Each patient over several files: the Patient resource with a share of the rest in each."""
    analysis, people, truth = Analysis(Settings()), [], []
    for number, path in enumerate(sorted(Path(folder).glob("*.json"))):
        bundle = json.loads(path.read_bytes())
        entries = bundle.get("entry", [])
        patient = [e for e in entries if e.get("resource", {}).get("resourceType") == "Patient"]
        rest = [e for e in entries if e not in patient]
        for piece in range(pieces):
            part = {
                "resourceType": "Bundle",
                "type": "collection",
                "entry": [*patient, *rest[piece::pieces]],
            }
            record = analysis(FileRef("b", b"p.json"), io.BytesIO(json.dumps(part).encode()))
            for person in record["persons"]:
                people.append({**person, "prints": person["fingerprints"], "path": b""})
                truth.append(number)
    return people, truth


def expected_unique_share(populations, decades, cells_a_year):
    """The share of people who are alone in their area, sex and stretch of the year.

    People fall into cells (area × sex × day, month or year of birth) at random; somebody is unique
    when nobody else falls into their cell. This is how the model is checked against the literature.
    """
    people = populations[populations > 0]
    alone = 0.0
    for share in decades:
        chance = share / 10 / cells_a_year / 2  # of one other person falling into the cell
        alone += share * float(np.sum(people * np.exp(-chance * (people - 1))))
    return alone / float(people.sum())


def main():
    print("| what | asked | measured |\n|---|---|---|")
    print(
        f"| propagation over all of MeSH, bundled table | < 200 ms | {propagation() * 1000:.0f} ms CPU |"
    )
    print(f"| score of a person with 50 findings | < 2 ms | {scoring() * 1000:.2f} ms CPU |")
    print(f"| 250 messages from text to score | < 10 s | {messages():.1f} s CPU |")
    for kind, cells, asked in (("zip", 365.25, 63), ("county", 365.25, 15), ("zip", 12, 4)):
        share = expected_unique_share(
            load_places().area_populations(kind), load_names().everyone, cells
        )
        stretch = "birth date" if cells > 12 else "birth month and year"
        print(f"| unique by sex, {kind}, {stretch} | within 6 points of {asked} % | {share:.1%} |")
    for size in (10_000, 100_000, 1_000_000):
        identities, truth = invented(size)
        started = time.process_time()
        precision, _, right, wrong = precision_and_recall(link(identities), truth)
        spent, peak = (
            time.process_time() - started,
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        )
        print(
            f"| linkage of {size:,} invented people ({len(identities):,} descriptions) | 100,000: < 60 s, < 1 GB | "
            f"{spent:.1f} s CPU, process peak {peak:.2f} GB, precision {precision:.4f} ({right:,} right, {wrong:,} wrong pairs) |"
        )
    if len(sys.argv) > 1:
        people, truth = fhir_pieces(sys.argv[1])
        precision, recall, right, wrong = precision_and_recall(link_people(people), truth)
        print(
            f"| FHIR patients split over 4 files each ({len(set(truth))} patients) | precision ≥ 0.99 | "
            f"precision {precision:.4f}, recall {recall:.3f} ({right} right, {wrong} wrong pairs) |"
        )


if __name__ == "__main__":
    main()
