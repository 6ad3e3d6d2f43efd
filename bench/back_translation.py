"""Second pass over the health words of a language: which rows MeSH itself speaks against.

usage: python -m bench.back_translation CODE
In: rules/languages/CODE/terms.toml.  Out: a line for each word that is an entry of another descriptor
of MeSH and of none above or below its own, with both headings. Latin and Greek words are much the
same in every language, so a wrong row often shows; the rest is for a reader.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from dlp.knowledge.health import load_health
from dlp.knowledge.mesh import Mesh, load_mesh
from dlp.languages import language_table
from dlp.text.context import spelt_out
from dlp.text.folding import fold


def related(mesh: Mesh, one: str, two: str) -> bool:
    return mesh.is_a(mesh.index(one), mesh.index(two)) or mesh.is_a(mesh.index(two), mesh.index(one))


def doubtful(code: str) -> Iterator[tuple[str, str, str]]:
    """Word, its heading, the heading that English gives it."""
    mesh, health, raw = load_mesh(), load_health(), language_table(code, "terms")
    for table in raw["terms"].values():
        for concept, words in table.items():
            for word in spelt_out(words, raw.get("classes", {}), code) if concept in mesh else ():
                whole = [hit for hit in health.scan(fold(word)) if hit.end - hit.start == len(word)]
                for other in {one for hit in whole for one in hit.concepts} if whole else ():
                    if other in mesh and other != concept and not related(mesh, concept, other):
                        yield word, mesh.name(mesh.index(concept)), mesh.name(mesh.index(other))


if __name__ == "__main__":
    for row in sorted(doubtful(sys.argv[1])):
        print("\t".join(row))
