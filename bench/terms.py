"""Health terms against gold: mentions and concepts of BC5CDR and the NCBI disease corpus.

In: the folder of the corpora.  Out: precision, recall, concept accuracy; with --errors what failed.

    python -m bench.terms CORPORA [--part devel|train] [--errors N]

A gold mention counts as found when a hit covers the same characters (exact), or shares one
(overlap). Precision is over hits of the same family (disease or symptom; drug). Concepts are judged
on exact mentions whose gold has a MeSH id (a few have OMIM numbers or none); any shared id agrees.
"""

import argparse
import gzip
import re
from collections import Counter
from pathlib import Path

from dlp.detect.illness.health import with_statements
from dlp.knowledge.belief import believe
from dlp.knowledge.health import load_health
from dlp.knowledge.hits import Flag
from dlp.knowledge.mesh import load_mesh
from dlp.model import Kind

PARTS = {
    "bc5cdr": {
        "devel": "bc5cdr/data/cdr/CDR_DevelopmentSet.PubTator.txt.gz",
        "train": "bc5cdr/data/cdr/CDR_TrainingSet.PubTator.txt.gz",
    },
    "ncbi": {
        "devel": "ncbi_disease/original-data/devel/NCBIdevelopset_corpus.txt",
        "train": "ncbi_disease/original-data/train/NCBItrainset_corpus.txt",
    },
}
FAMILY = {
    Kind.DISEASE: "disease",
    Kind.SYMPTOM: "disease",
    Kind.DRUG: "chemical",
}


def read_pubtator(path):
    opener = gzip.open if path.suffix == ".gz" else open
    documents = {}
    with opener(path, "rt", encoding="utf-8") as source:
        for line in source:
            head = re.match(r"(\d+)\|([ta])\|(.*)", line.rstrip("\n"))
            if head:
                document = documents.setdefault(head[1], ["", []])
                document[0] += (" " if head[2] == "a" else "") + head[3]
                continue
            fields = line.rstrip("\n").split("\t")
            if len(fields) >= 6 and fields[1].isdigit():
                ids = {re.sub("^MESH:", "", i) for i in re.split(r"[|+]", fields[5])}
                kind = "chemical" if fields[4] == "Chemical" else "disease"
                documents[fields[0]][1].append((int(fields[1]), int(fields[2]), kind, ids))
    return documents


def judge(documents, lexicon, errors):
    mesh = load_mesh()
    counts = Counter()
    missed, wrong, off = Counter(), Counter(), Counter()
    for text, mentions in documents.values():
        hits = [
            hit
            for hit in with_statements(text, believe(lexicon.scan(text, abbreviations=True), text))
            if hit.kind in FAMILY
        ]
        for family in ("disease", "chemical"):
            gold = [m for m in mentions if m[2] == family]
            found = [h for h in hits if FAMILY[h.kind] == family]
            spans = {(h.start, h.end): h for h in found}
            for start, end, _, named in gold:
                counts[family, "gold"] += 1
                exact = spans.get((start, end))
                near = exact or next((h for h in found if h.start < end and start < h.end), None)
                counts[family, "exact"] += exact is not None
                counts[family, "overlap"] += near is not None
                if near is None:
                    missed[family, text[start:end]] += 1
                elif exact is None:
                    off[family, text[start:end], text[near.start : near.end]] += 1
                ids = {ident for ident in named if re.fullmatch(r"[CD]\d+", ident)}
                if exact is not None and ids:
                    counts[family, "with id"] += 1
                    counts[family, "right id"] += bool(ids & set(exact.concepts))
                    if not ids & set(exact.concepts):
                        names = [mesh.name(mesh.index(i)) for i in ids if i in mesh]
                        own = [mesh.name(mesh.index(c)) for c in exact.concepts if c in mesh]
                        wrong["id", text[start:end], str(names), str(own)] += 1
            for hit in found:
                counts[family, "hits"] += 1
                right = any(h[0] < hit.end and hit.start < h[1] for h in gold)
                counts[family, "right"] += right
                same = any(h[0] == hit.start and hit.end == h[1] for h in gold)
                counts[family, "right exact"] += same
                if not right:
                    wrong[family, text[hit.start : hit.end], str(Flag(hit.flags))] += 1
    for title, table in (("missed", missed), ("wrong", wrong), ("other span", off)):
        for item, number in table.most_common(errors):
            print(title, number, *item, sep="\t")
    return counts


def ratio(counts, family, above, below):
    return counts[family, above] / max(1, counts[family, below])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--part", default="devel")
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    lexicon = load_health()
    print("| corpus | mentions | recall exact | overlap | precision exact | overlap | concept |")
    print("|---|---|---|---|---|---|---|")
    for corpus, parts in PARTS.items():
        counts = judge(
            read_pubtator(options.corpora / parts[options.part]), lexicon, options.errors
        )
        for family in ("disease", "chemical"):
            if counts[family, "gold"]:
                print(
                    f"| {corpus} {family} | {counts[family, 'gold']} "
                    f"| {ratio(counts, family, 'exact', 'gold'):.3f} "
                    f"| {ratio(counts, family, 'overlap', 'gold'):.3f} "
                    f"| {ratio(counts, family, 'right exact', 'hits'):.3f} "
                    f"| {ratio(counts, family, 'right', 'hits'):.3f} "
                    f"| {ratio(counts, family, 'right id', 'with id'):.3f} |"
                )


if __name__ == "__main__":
    main()
