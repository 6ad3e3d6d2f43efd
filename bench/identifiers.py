"""Measure the identifier rules: what they find, what they wrongly find, and how fast.

In: a folder of development corpora.  Out: tables on stdout.

    python bench/identifiers.py CORPORA [--misses KIND]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from dlp.detect.identify.identifiers import default_finder
from dlp.model import Kind

# Gold labels of each corpus that are the business of identifier rules (not names or places).
ASQ = {
    "DATE": "date",
    "EMAIL_ADDRESS": "email",
    "PHONE_NUMBER": "phone",
    "FAX_NUMBER": "phone",
    "URL": "url",
    "IP_ADDRESS": "ip",
    "MEDICAL_RECORD_NUMBER": "id",
    "HEALTH_PLAN_BENEFICIARY_NUMBER": "id",
    "SOCIAL_SECURITY_NUMBER": "id",
    "UNIQUE_IDENTIFIER": "id",
    "ACCOUNT_NUMBER": "id",
    "CERTIFICATE_LICENSE_NUMBER": "id",
    "DEVICE_IDENTIFIER": "id",
    "VEHICLE_IDENTIFIER": "id",
    "AGE": "age",
}
PRESIDIO = {
    "DATE_TIME": "date",
    "CREDIT_CARD": "id",
    "US_SSN": "id",
    "US_DRIVER_LICENSE": "id",
    "AGE": "age",
    "ZIP_CODE": "address",
    "STREET_ADDRESS": "address",
    "ADDRESS": "address",
    "DOMAIN_NAME": "url",
    "EMAIL_ADDRESS": "email",
    "PHONE_NUMBER": "phone",
    "IBAN_CODE": "id",
    "IP_ADDRESS": "ip",
}
MEDDOCAN = {
    "FECHAS": "date",
    "EDAD_SUJETO_ASISTENCIA": "age",
    "CORREO_ELECTRONICO": "email",
    "NUMERO_TELEFONO": "phone",
    "NUMERO_FAX": "phone",
    "ID_TITULACION_PERSONAL_SANITARIO": "id",
    "ID_ASEGURAMIENTO": "id",
    "ID_SUJETO_ASISTENCIA": "id",
    "ID_CONTACTO_ASISTENCIAL": "id",
    "CALLE": "address",
}
DEDUCE = {
    "datum": "date",
    "leeftijd": "age",
    "emailadres": "email",
    "telefoonnummer": "phone",
    "url": "url",
    "id": "id",
    "bsn": "id",
}


def read_asq(root):
    """Texts with gold spans; every occurrence of a tagged value counts as marked."""
    source = (root / "asq_phi/dev_queries.txt").read_text(encoding="utf-8")
    for block in source.split("===QUERY===")[1:]:
        text, _, tags = block.partition("===PHI_TAGS===")
        text = text.strip()
        gold, other = [], []
        lines = [json.loads(line) for line in tags.splitlines() if line.strip().startswith("{")]
        for tag in lines:
            start = text.find(tag["value"])
            if start >= 0:
                span = (start, start + len(tag["value"]), tag["identifier_type"])
                (gold if tag["identifier_type"] in ASQ else other).append(span)
        yield text, gold, other


def read_presidio(root):
    source = root / "presidio_research/data/synth_dataset_v2.json"
    for entry in json.loads(source.read_text(encoding="utf-8")):
        spans = [(s["start_position"], s["end_position"], s["entity_type"]) for s in entry["spans"]]
        gold = [span for span in spans if span[2] in PRESIDIO]
        yield entry["full_text"], gold, [span for span in spans if span[2] not in PRESIDIO]


def read_meddocan(root):
    for path in sorted((root / "meddocan/corpus/dev/brat").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        gold, other = [], []
        for line in path.with_suffix(".ann").read_text(encoding="utf-8").splitlines():
            name, what, *_ = line.split("\t")
            if name.startswith("T"):
                label, start, end = what.split()[0], what.split()[1], what.split()[-1]
                span = (int(start), int(end), label)
                (gold if label in MEDDOCAN else other).append(span)
        yield text, gold, other


def read_deduce(root):
    folder = root / "deduce_nl_cases/tests/data/regression_cases"
    for name in ("identifiers", "ages", "dates", "phone_numbers", "urls", "emails"):
        for entry in json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["examples"]:
            spans = [(a["start_char"], a["end_char"], a["tag"]) for a in entry["annotations"]]
            gold = [span for span in spans if span[2] in DEDUCE]
            yield entry["text"], gold, [span for span in spans if span[2] not in DEDUCE]


CORPORA = {
    "asq_phi": (read_asq, 0.3),
    "presidio_research": (read_presidio, 0.0),
    "meddocan": (read_meddocan, 0.0),
    "deduce": (read_deduce, 0.0),
}


def measure(name, root, show):
    reader, floor = CORPORA[name]
    finder = default_finder()
    whole, partial, total, sure = Counter(), Counter(), Counter(), Counter()
    found_characters = true_characters = empty = empty_kept = 0
    wrong = defaultdict(list)
    missed = []
    for text, gold, other in reader(root):
        hits = finder.find(text, floor)
        marked = bytearray(len(text) + 1)
        for start, end, _ in (*gold, *other):
            marked[start:end] = b"\1" * (end - start)
        covered = bytearray(len(text) + 1)
        for hit in hits:
            covered[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
            right = sum(marked[hit.start : hit.end])
            found_characters += hit.end - hit.start
            true_characters += right
            sure[hit.rule_id] += 1
            if right * 2 < hit.end - hit.start:
                around = text[max(0, hit.start - 40) : hit.end + 20].replace("\n", " ")
                wrong[hit.rule_id].append((text[hit.start : hit.end], around))
        for start, end, label in gold:
            total[label] += 1
            share = sum(covered[start:end]) / max(1, end - start)
            partial[label] += share > 0
            whole[label] += share == 1
            if share < 1:
                around = text[max(0, start - 40) : end + 20].replace("\n", " ")
                missed.append((label, share, text[start:end], around))
        if not gold and not other:
            empty += 1
            empty_kept += not hits
    report(name, (whole, partial, total), (found_characters, true_characters), (empty, empty_kept))
    if show:
        for rule, cases in sorted(wrong.items(), key=lambda item: -len(item[1])):
            print(f"  WRONG {rule} {len(cases)} of {sure[rule]}: {cases[:show]}")
        for label in total:
            cases = [case[1:] for case in missed if case[0] == label]
            if cases:
                print(f"  MISSED {label} {len(cases)}:")
                for case in cases[: show * 2]:
                    print("     ", case)


def report(name, recall, characters, empty):
    whole, partial, total = recall
    found, right = characters
    everything = sum(total.values())
    print(f"\n### {name}\n")
    print("| kind | values | found whole | touched |\n|---|---|---|---|")
    for label, count in total.most_common():
        print(f"| {label} | {count} | {whole[label] / count:.3f} | {partial[label] / count:.3f} |")
    share = sum(whole.values()) / max(1, everything)
    touched = sum(partial.values()) / max(1, everything)
    print(f"| all | {everything} | {share:.3f} | {touched:.3f} |")
    print(f"\ncharacter precision {right / max(1, found):.3f} ({found} characters)")
    if empty[0]:
        print(f"texts that hold nothing: {empty[0]}, left empty {empty[1] / empty[0]:.3f}")


def speed(root):
    """CPU time only. The first pass also builds RE2's states, as a new process does once."""
    finder = default_finder()
    print("\n### speed\n\n| texts | MB | first pass MB/s | then MB/s | hits per kB |")
    print("|---|---|---|---|---|")
    for folder in ("mtsamples", "syngp500", "mts_dialog", "meddocan", "synthea_fhir"):
        kinds = {".txt", ".csv", ".json"} if folder != "mtsamples" else {".txt"}
        paths = sorted(p for p in (root / folder).rglob("*") if p.suffix in kinds)
        texts = [p.read_text(encoding="utf-8", errors="replace") for p in paths[:3000]]
        size = sum(len(text.encode()) for text in texts) / 1e6
        if size:
            first, hits = timed(finder, texts)
            later = min(timed(finder, texts)[0] for _ in range(3))
            rates = f"{size / first:.1f} | {size / later:.1f} | {hits / size / 1e3:.2f}"
            print(f"| {folder} | {size:.1f} | {rates} |")


def timed(finder, texts):
    start = time.process_time()
    hits = sum(len(finder.find(text)) for text in texts)
    return time.process_time() - start, hits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--only", choices=[*CORPORA, "speed"])
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    assert Kind.DATE  # the rules load
    for name in CORPORA:
        if options.only in (None, name):
            measure(name, options.corpora, options.show)
    if options.only in (None, "speed"):
        speed(options.corpora)


if __name__ == "__main__":
    sys.exit(main())
