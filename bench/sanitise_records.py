"""Measure de-identification of whole files: header values of records, people of a practice share.

In: a folder of development corpora, practice shares.  Out: tables on stdout, never a value.

    python -m bench.sanitise_records headers CORPORA [--most N]
    python -m bench.sanitise_records share SHARE ... [--most N] [--against words]

headers  C-CDA and FHIR documents: what the header says about people and institutions (names,
         numbers, addresses, phones, dates of birth), counted where it is left in the output
share    files labelled PHI of a share with `share/` and `labels.tsv`: the identity each holds (for
         records: the header's values), and medical terms that stand after as before (with no topic,
         and with all default topics); words of an institution's name ("Hospital") are no such terms;
         `--against words` asks what `dlp knowledge build --words` left in $DLP_KNOWLEDGE, for forms
         and tables terms, as the product does unasked

A value counts as left when it stands in the output as whole words, wherever the second readers or
the bytes show it.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from bench.sanitise import kept_terms
from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import examiner
from dlp.sanitise.documents.leftover_check import spoken
from dlp.sanitise.plan import Against, Plan
from dlp.sanitise.protected_topics import default_topics
from dlp.sanitise.service import Outcome, Service

KEY = bytes(32)
HEADER = (
    "recordTarget", "author", "dataEnterer", "informant", "custodian", "legalAuthenticator",
    "authenticator", "participant", "documentationOf", "informationRecipient",
)  # fmt: skip
PARTS = ("given", "family", "streetAddressLine", "city", "postalCode")
KEPT = re.compile(r"^(?:mailto:|tel:|https?:)")
NAME = r"[A-Z][\w'’-]+"
PLACE = r"(?P<street>\d+ [^,\n]+), (?P<city>[A-Z]\w+),?"
CODE = r"(?P<code>\d{5}|[A-Z]\d[A-Z] \d[A-Z]\d)"
# How the makers of a practice share write an invented identity around a clinical note.
LAYOUTS = (
    (
        rf"(?P<hospital>[^\n]+)\nPATIENT: (?P<last>{NAME}), (?P<first>{NAME})\s+MRN: (?P<mrn>\d+)\s+"
        rf"DOB: (?P<born>[\d/]+)\n{PLACE} [A-Z]{{2}} {CODE}"
    ),
    (
        rf"Dear Dr\. (?P<doctor>[A-Z]\. {NAME}),\s+Re: (?P<first>{NAME}) (?P<last>{NAME}), "
        rf"born (?P<born>[\d/]+), of {PLACE} [A-Z]{{2}} {CODE}"
    ),
    (
        rf"From: (?P<first>{NAME}) (?P<last>{NAME})\nPhone (?P<phone>[^\n]+)\s+Hi, it's {NAME} again "
        rf"from (?P<city>\w+)\. Here is what the doctor at (?P<hospital>.+?) wrote"
    ),
    rf"I, (?P<first>{NAME}) (?P<last>{NAME}), of {PLACE} make the following",
    (
        rf"(?P<last>{NAME}), (?P<first>{NAME})\W+(?P<born>\d\d/\d\d/\d{{4}})\W+(?P<phone>\(\d{{3}}\) "
        rf"555-\d{{4}})\W+(?P<city>[A-Z]\w+)"
    ),
)
TAILS = (
    rf"Dictated by Dr\. (?P<doctor>[A-Z]\. {NAME})\s*$",
    rf"Signed {NAME} {NAME}, (?P<born>[\d/]+)\s*$",
    r"Sincerely,\n(?P<hospital>[^\n]+)\s*$",
)


def ccda_values(raw: bytes) -> Iterator[tuple[str, str]]:
    root = etree.fromstring(raw, etree.XMLParser(resolve_entities=False, huge_tree=True))
    for part in HEADER:
        for branch in root.iterfind(f"{{*}}{part}"):
            for node in branch.iter():
                name = etree.QName(node).localname if isinstance(node.tag, str) else ""
                if name in PARTS and node.text and node.text.strip():
                    yield name, node.text.strip()
                elif name == "telecom" and node.get("value"):
                    yield name, KEPT.sub("", node.get("value"))
                elif name == "birthTime" and node.get("value"):
                    yield "birth", node.get("value")
                elif name == "id" and part == "recordTarget" and node.get("extension"):
                    yield "number", node.get("extension")


def fhir_values(raw: bytes) -> Iterator[tuple[str, str]]:
    """Of patients, practitioners and organisations, wherever in the bundle."""
    body = json.loads(raw)
    each = [entry.get("resource", {}) for entry in body.get("entry", ())] or [body]
    for resource in each:
        if resource.get("resourceType") not in {"Patient", "Practitioner", "Organization"}:
            continue
        names = resource.get("name", [])
        for name in names if isinstance(names, list) else [names]:
            if isinstance(name, str):
                yield "organisation", name
                continue
            for kind in ("given", "family"):
                values = name.get(kind, [])
                yield from ((kind, v) for v in ([values] if isinstance(values, str) else values))
        yield from (("telecom", t["value"]) for t in resource.get("telecom", ()) if "value" in t)
        for address in resource.get("address", ()):
            yield from (("streetAddressLine", line) for line in address.get("line", ()))
            yield from ((k, address[k]) for k in ("city", "postalCode") if k in address)
        if resource["resourceType"] == "Patient":
            yield from (
                ("number", i["value"]) for i in resource.get("identifier", ()) if "value" in i
            )
            if "birthDate" in resource:
                yield "birth", resource["birthDate"]


def left_in(output: bytes, media_type: str, value: str) -> bool:
    """Whole words, in what other readers see; single names as they are written."""
    text = " ".join(spoken(output, media_type).split())
    return bool(re.search(rf"(?<!\w){re.escape(' '.join(value.split()))}(?!\w)", text))


def coarse(kind: str, value: str) -> bool:
    """What safe harbor leaves: a year, the first three digits of a ZIP code."""
    return (kind == "birth" and len(value) == 4) or len(value) < 3


def some(paths: list[Path], most: int) -> list[Path]:
    """At most so many, spread evenly."""
    step = max(1, -(-len(paths) // most)) if most else 1
    return paths[::step]


def measure_headers(corpora: Path, most: int) -> None:
    service = Service(Plan(key=KEY), examiner(Analysis(load(None), full=True)))
    sources: dict[str, Any] = {
        "C-CDA": (sorted((corpora / "ccda").rglob("*.xml")), ccda_values),
        "FHIR": (sorted((corpora / "synthea_fhir").rglob("*.json")), fhir_values),
    }
    print(
        "| records | files | refused | header values | left | by kind | s a file |\n|---|---|---|---|---|---|---|"
    )
    for name, (paths, values_of) in sources.items():
        found: Counter[str] = Counter()
        left: Counter[str] = Counter()
        refused = files = 0
        started = time.process_time()
        for path in some(paths, most):
            raw = path.read_bytes()
            try:
                values = {v for v in values_of(raw) if not coarse(*v)}
            except (etree.LxmlError, ValueError):
                continue
            files += 1
            done = service.sanitise(path.name, raw)
            if done.output is None:
                refused += 1
                print(f"refused: {done.refusal.what if done.refusal else ''}", file=sys.stderr)
                continue
            for kind, value in values:
                found[kind] += 1
                if left_in(done.output, media_of(done), value):
                    left[kind] += 1
                    print(f"left: {path.name}: {kind}", file=sys.stderr)
        seconds = (time.process_time() - started) / max(1, files)
        kinds = ", ".join(f"{kind} {count}" for kind, count in left.most_common()) or "none"
        print(
            f"| {name} | {files} | {refused} | {found.total()} | {left.total()} | {kinds} | {seconds:.1f} |",
            flush=True,
        )


def media_of(done: Outcome) -> str:
    return str(done.certificate["output"]["media_type"])


def identity_of(text: str) -> dict[str, str]:
    """The invented identity, by the layout it stands in."""
    for layout in LAYOUTS:
        if hit := re.search(layout, text):
            found = {kind: value.strip() for kind, value in hit.groupdict().items()}
            for tail in TAILS:
                if end := re.search(tail, text.rstrip()):
                    found.update(end.groupdict())
            return found
    return {}


def people_in(path: Path, raw: bytes, text: str) -> set[tuple[str, str]]:
    """Who a file is about: by the header of a record, else by the layout around a note."""
    headers = {".xml": ccda_values, ".json": fhir_values}.get(path.suffix)
    try:
        said = {v for v in headers(raw) if not coarse(*v)} if headers else set()
    except (etree.LxmlError, ValueError, AttributeError):
        said = set()
    return said or set(identity_of(text).items())


def institutions(raw: bytes) -> set[str]:
    root = etree.fromstring(raw, etree.XMLParser(resolve_entities=False, huge_tree=True))
    names = (node for node in root.iter("{*}name") if node.text and not len(node))
    holders = re.compile(r"\w*Organization|playingEntity")
    return {
        " ".join(node.text.split())
        for node in names
        if holders.fullmatch(etree.QName(node.getparent()).localname)
    }


def measure_shares(shares: list[Path], most: int, against: Against) -> None:
    files = [path for share in shares for path in some(list(phi_files(share)), most)]
    analysis = Analysis(load(None), full=True)
    print(
        "| plan | files | refused | identity values | gone | left by kind | medical terms not under C | kept | s a file |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    plans = {"identifiers only": Plan(key=KEY)}
    if against is Against.WORDS:
        plans.clear()
    name = f"and the default topics, against {against}"
    plans[name] = Plan(
        topics=default_topics(), key=KEY, against=against, records_against=Against.TERMS
    )
    for name, plan in plans.items():
        share_row(name, Service(plan, examiner(analysis)), files, analysis)


def share_row(name: str, service: Service, paths: list[Path], analysis: Analysis) -> None:
    values: Counter[str] = Counter()
    left: Counter[str] = Counter()
    files = refused = kept = terms = 0
    examine = examiner(analysis)
    started = time.process_time()
    for path in paths:
        raw = path.read_bytes()
        before = text_of(examine, path.name, raw)
        files += 1
        done = service.sanitise(path.name, raw)
        if done.output is None:
            refused += 1
            print(
                f"refused: {path.suffix} {done.refusal.what if done.refusal else ''}",
                file=sys.stderr,
            )
            continue
        after = text_of(examine, path.name, done.output)
        for kind, value in people_in(path, raw, before):
            values[kind] += 1
            if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", after):
                left[kind] += 1
                print(f"left: {path}: {kind}", file=sys.stderr)
        for institution in institutions(raw) if path.suffix == ".xml" else ():
            before = before.replace(institution, " ")
        one, two = kept_terms(before, after)
        kept, terms = kept + one, terms + two
    seconds = (time.process_time() - started) / max(1, files)
    kinds = ", ".join(f"{kind} {count}" for kind, count in left.most_common()) or "none"
    gone = 1 - left.total() / max(1, values.total())
    print(
        f"| {name} | {files} | {refused} | {values.total()} | {gone:.2%} | {kinds} | {terms} | {kept / max(1, terms):.2%} | {seconds:.1f} |",
        flush=True,
    )


def text_of(examine: Any, name: str, raw: bytes) -> str:
    case = examine(name, raw)
    return "\n\n".join(part.text for part in case.document.parts) if case.document else ""


def phi_files(share: Path) -> Iterator[Path]:
    with (share / "labels.tsv").open(newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            if row["label"] == "PHI":
                yield share / "share" / row["file"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("headers", "share"))
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=0, help="files of each kind or share")
    parser.add_argument("--against", type=Against, default=Against.TERMS)
    asked = parser.parse_args()
    if asked.what == "headers":
        measure_headers(asked.folders[0], asked.most)
    else:
        measure_shares(asked.folders, asked.most, asked.against)


if __name__ == "__main__":
    main()
