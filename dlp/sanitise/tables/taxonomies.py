"""The taxonomies that come with the product: MeSH, ICD, WordNet, places.

In: cells of a column.  Out: nodes, their subsumers and their labels (taxonomy.Taxonomy).
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from dlp.errors import SanitiseError
from dlp.knowledge.concept_lookup import rough_meanings
from dlp.knowledge.health import load_health
from dlp.knowledge.icd import NINE, TEN, icd, load_icd_tree
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.mesh import subsumers as mesh_subsumers
from dlp.knowledge.places import Place, load_places
from dlp.knowledge.wordnet import load_wordnet

ANY = "*"  # the root of every taxonomy, and what a cell says when nothing more may be said


class Taxonomy(Protocol):
    """Nodes are strings; the ancestors of a node are nodes with subsumers of their own."""

    name: str

    def find(self, value: str) -> str | None:
        """The node a cell stands for; None when it is not known."""
        ...

    def subsumers(self, node: str) -> frozenset[str]:
        """T(node): the node itself, everything above, and ANY."""
        ...

    def label(self, node: str) -> str:
        """What a generalised cell says."""
        ...


class Paths:
    """A hierarchy written down: each value with its generalisations, the nearest first."""

    def __init__(self, name: str, paths: Mapping[str, Sequence[str]]) -> None:
        self.name = name
        self._above: dict[str, frozenset[str]] = {ANY: frozenset({ANY})}
        self._nodes: dict[str, str] = {}
        for value, above in paths.items():
            # A generalisation differs from a value of the same wording by its own path.
            steps = [step for step in above if step != ANY]
            chain = [" < ".join([step, *steps[i + 1 :]]) for i, step in enumerate(steps)]
            nodes = [" < ".join([value, *steps]), *chain, ANY]
            self._nodes[value] = nodes[0]
            for at, node in enumerate(nodes):
                self._above.setdefault(node, frozenset(nodes[at:]))

    @classmethod
    def from_rows(cls, name: str, rows: Iterable[Sequence[str]]) -> Paths:
        """Rows as ARX writes them: value; generalisation; wider generalisation; …"""
        paths = {row[0]: [cell for cell in row[1:] if cell] for row in rows if row and row[0]}
        if not paths:
            raise SanitiseError("a hierarchy is empty", where=name, fix="one value a line")
        return cls(name, paths)

    def find(self, value: str) -> str | None:
        return self._nodes.get(value)

    def subsumers(self, node: str) -> frozenset[str]:
        return self._above[node]

    def label(self, node: str) -> str:
        return node.partition(" < ")[0]


class Unrelated:
    """Words nobody placed anywhere: alike only in being values of this column."""

    name = "categories"

    def find(self, value: str) -> str | None:
        return value

    def subsumers(self, node: str) -> frozenset[str]:
        return frozenset({node, ANY})

    def label(self, node: str) -> str:
        return node


class Known:
    """Any taxonomy made total: what it does not know hangs under ANY as a word of its own."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.name = taxonomy.name
        self._inner = taxonomy
        self.unknown: set[str] = set()

    def node(self, value: str) -> str:
        found = self._inner.find(value)
        if found is not None:
            return found
        self.unknown.add(value)
        return f"\0{value}"

    def subsumers(self, node: str) -> frozenset[str]:
        if node.startswith("\0"):
            return frozenset({node, ANY})
        return self._inner.subsumers(node)

    def label(self, node: str) -> str:
        if node == ANY:
            return ANY
        return node[1:] if node.startswith("\0") else self._inner.label(node)


# SNOMED's semantic tags: "Anemia (disorder)".
_TAG = re.compile(r"\s*\((?:disorder|finding|situation|procedure|morphologic abnormality)\)\s*$")
_VOTERS = 1000  # values of a column asked where they lie
_EXACT = frozenset({"id", "MeSH term", "lexicon"})
# The letters of MeSH's trees, which MeSH names but does not number as descriptors.
_TREES = {
    "A": "Anatomy", "B": "Organisms", "C": "Diseases", "D": "Chemicals and Drugs",
    "E": "Techniques and Equipment", "F": "Psychiatry and Psychology", "G": "Phenomena",
    "H": "Disciplines", "I": "Social Phenomena", "J": "Technology", "K": "Humanities",
    "L": "Information Science", "M": "Named Groups", "N": "Health Care", "V": "Publications",
    "Z": "Geographicals",
}  # fmt: skip


class MeshTerms:
    """Diagnoses, drugs and procedures by name. A value MeSH knows only in part hangs below it."""

    name = "MeSH"

    def __init__(self) -> None:
        self._mesh = load_mesh()
        self._own: dict[str, frozenset[str]] = {}

    def find(self, value: str) -> str | None:
        term = _TAG.sub("", value)
        found = rough_meanings(term)
        nodes = found[0].nodes if found else self._mentioned(term)
        if not nodes:
            return None
        if found and found[0].how in _EXACT and len(nodes) == 1 and _is_named(term, found[0].name):
            return f"mesh:{nodes[0]}"
        above: frozenset[str] = frozenset().union(*map(self._subsumers, nodes))
        self._own[value] = above | {value}
        return value

    def _mentioned(self, term: str) -> tuple[int, ...]:
        code = icd(term)  # a column can hold both names and codes
        hits = () if code else load_health().scan(term)
        concepts = [*(code.concepts if code else ()), *(c for hit in hits for c in hit.concepts)]
        return tuple(dict.fromkeys(self._mesh.index(c) for c in concepts if c in self._mesh))

    def subsumers(self, node: str) -> frozenset[str]:
        if node == ANY:
            return frozenset({ANY})
        if node in self._own:
            return self._own[node]
        number = int(node.removeprefix("mesh:"))
        if number >= len(self._mesh):
            return frozenset({node, ANY})
        return self._subsumers(number)

    def _subsumers(self, number: int) -> frozenset[str]:
        root = len(self._mesh) + 26
        above = mesh_subsumers(number, self._mesh)
        return frozenset(ANY if one == root else f"mesh:{one}" for one in above)

    def label(self, node: str) -> str:
        if node in self._own:
            return node
        number = int(node.removeprefix("mesh:"))
        if number < len(self._mesh):
            return self._mesh.name(number)
        return _TREES.get(chr(ord("A") + number - len(self._mesh)), ANY)


def _is_named(term: str, name: str) -> bool:
    """Whether nothing of the term got lost: a rough match covers only part of its words."""
    return len(term.split()) <= len(name.split()) + 1


class IcdCodes:
    """ICD codes placed by their own tree; a generalised cell is a category or a range."""

    def __init__(self, edition: str) -> None:
        self.name = edition
        self._icd = load_icd_tree(edition)

    def find(self, value: str) -> str | None:
        return self._icd.normalise(value)

    def subsumers(self, node: str) -> frozenset[str]:
        if node == ANY:
            return frozenset({ANY})
        if "-" in node:
            path = self._icd.path(node.partition("-")[0])
            return frozenset({*path[path.index(node) : -1], ANY})
        return frozenset({*self._icd.path(node)[:-1], ANY})

    def label(self, node: str) -> str:
        return node


class Words:
    """General words by the first sense WordNet lists."""

    name = "WordNet"

    def __init__(self) -> None:
        self._net = load_wordnet()

    def find(self, value: str) -> str | None:
        senses = self._net.synsets(re.sub(r"[-_/]+", " ", value))
        return f"wn:{senses[0]}" if senses else None

    def subsumers(self, node: str) -> frozenset[str]:
        if node == ANY:
            return frozenset({ANY})
        senses = self._net.subsumers(int(node.removeprefix("wn:")))
        return frozenset({ANY, *(f"wn:{sense}" for sense in senses)})

    def label(self, node: str) -> str:
        return self._net.lemmas(int(node.removeprefix("wn:")))[0]


class PlaceNames:
    """Towns, states, countries by name; ZIP and Canadian postal codes by their first digits."""

    name = "places"

    def __init__(self, values: Sequence[str] = ()) -> None:
        self._places = load_places()
        self._above: dict[str, tuple[str, ...]] = {}
        self._state = functools.cache(self._places.state)
        # A name that many places bear means the one where the rest of the column lies.
        votes: Counter[tuple[str, str]] = Counter()
        for value in values[:_VOTERS]:
            votes.update({(place.country, place.region) for place in self._named(value)})
        self._votes = votes

    def _named(self, value: str) -> tuple[Place, ...]:
        return self._places.find(" ".join(value.replace("-", " ").split()))

    def find(self, value: str) -> str | None:
        place = self._places.zip(value) or self._state(value.strip().upper())
        if place is None:
            found = [place for place in self._named(value) if place.country]
            # The list is sorted by population, and max keeps the first of equals.
            place = max(found, key=lambda p: self._votes[p.country, p.region], default=None)
        place = place or _fsa(value)
        if place is not None:
            path = self._path(place, value.strip())
        elif digits := re.fullmatch(r"(\d{5})(?:-\d{4})?", value.strip(), re.ASCII):
            path = (*_zip_steps(digits[1]), ANY)
        else:
            return None
        for at, node in enumerate(path):
            self._above.setdefault(node, path[at:])
        return path[0]

    def _path(self, place: Place, value: str) -> tuple[str, ...]:
        country = f"country:{place.country}"
        state = [f"state:{place.country}/{place.region}"] if place.region else []
        match place.kind:
            case "country":
                return (country, ANY)
            case "state":
                return (*state, country, ANY)
            case "zip":
                return (*_zip_steps(place.name), *state, country, ANY)
            case "fsa":
                code = "".join(value.upper().split())
                whole = [f"post:{code}"] if len(code) > 3 else []
                return (*whole, f"post:{code[:3]}", *state, country, ANY)
        return (f"{place.kind}:{place.name.lower()}", *state, country, ANY)

    def subsumers(self, node: str) -> frozenset[str]:
        return frozenset({ANY}) if node == ANY else frozenset(self._above[node])

    def label(self, node: str) -> str:
        kind, _, name = node.partition(":")
        if kind == "country":
            country = self._places.country(name)
            return country.name.title() if country else name
        if kind == "state":
            owner, _, code = name.partition("/")
            state = self._state(code, owner)
            return state.name if state else code
        return name


def _zip_steps(code: str) -> tuple[str, str, str]:
    return f"zip:{code}", f"zip:{code[:4]}*", f"zip:{code[:3]}**"


def _fsa(value: str) -> Place | None:
    code = "".join(value.upper().split())
    if re.fullmatch(r"[A-Z]\d[A-Z](?:\d[A-Z]\d)?", code, re.ASCII):
        return load_places().fsa(code)
    return None


def taxonomy_for(kind: str, values: Sequence[str]) -> Taxonomy:
    """The taxonomy of a kind of column, by the name roles.py gives it."""
    match kind:
        case "terms":
            return MeshTerms()
        case "words":
            return Words()
        case "place":
            return PlaceNames(values)
    return IcdCodes(NINE if kind == "icd9" else TEN)
