"""Compare the inference rules with a catalogue of indications that physicians reviewed.

In: CATALOG (indications.tsv of PharmacotherapyDB) and HEADINGS (DO-slim-to-mesh.tsv).
Out: how many drugs and how many drug-disease pairs the rules know, as a table.

    python -m bench.inference CATALOG HEADINGS

A pair is known when an implied condition is the listed disease, or one lies below the other.
"""

import csv
import sys
from collections import Counter
from pathlib import Path

from dlp.knowledge.concept_lookup import UnknownTermError, meanings
from dlp.knowledge.inference import load_inference
from dlp.knowledge.mesh import load_mesh


def rows(path):
    with Path(path).open(newline="") as source:
        return list(csv.DictReader(source, delimiter="\t"))


def concepts_of(term):
    try:
        return [meaning.concept for meaning in meanings(term)]
    except UnknownTermError:
        return []


def known(implied, headings, mesh):
    ours = [mesh.index(concept) for concept in implied]
    theirs = [mesh.index(heading) for heading in headings]
    return any(mesh.is_a(a, b) or mesh.is_a(b, a) for a in ours for b in theirs)


def main(catalog, headings):
    mesh, rules = load_mesh(), load_inference()
    by_disease = {}
    for row in rows(headings):
        if row["mesh_id"] in mesh:
            by_disease.setdefault(row["doid_code"], []).append(row["mesh_id"])
    pairs, hits, sources, missed = Counter(), Counter(), Counter(), Counter()
    drugs = {}
    for row in rows(catalog):
        name = row["drug"]
        if name not in drugs:
            found = [rules.explain(concept) for concept in [*concepts_of(name), name]]
            drugs[name] = next((f for f in found if f.pairs), rules.explain(""))
            sources[drugs[name].source.split(",")[0].split(" for ")[0] or "none"] += 1
        if row["doid_id"] in by_disease:
            pairs[row["category"]] += 1
            implied = [d for d, _ in drugs[name].pairs]
            if known(implied, by_disease[row["doid_id"]], mesh):
                hits[row["category"]] += 1
            elif row["category"] == "DM":
                missed[row["disease"]] += 1
    print(f"drugs {len(drugs)}: " + ", ".join(f"{k} {v}" for k, v in sources.most_common()))
    for category, total in pairs.most_common():
        print(f"{category}: {hits[category]} of {total} pairs known ({hits[category] / total:.1%})")
    print("most missed:", ", ".join(f"{d} {n}" for d, n in missed.most_common(12)))
    print("drugs without a rule:", ", ".join(sorted(d for d, f in drugs.items() if not f.pairs)))


if __name__ == "__main__":
    main(*sys.argv[1:])
