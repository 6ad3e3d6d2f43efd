"""What a site's own texts say about plain words, beside what MEDLINE says.

In: the site's folder of knowledge.  Out: the records of its texts by concept and by word, or None.

Articles are not written as notes are: "mane", "speculum" or "tearful" stand on thousands of notes
and in no abstract. A site that compiles its own texts (`dlp knowledge build --words DIR`) has both
asked, and the one to whom a word tells more decides.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

from dlp.knowledge.artefact import load
from dlp.knowledge.cooccurrence import Cooccurrence
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.word_cooccurrence import Cowords

NAME = "ownwords"
Own = tuple[Cooccurrence, Cowords]


@functools.cache
def load_own_words(folder: Path) -> Own | None:
    """None where the site compiled nothing for us to read; a damaged file is refused."""
    if not os.path.isfile(folder / f"{NAME}.bin"):  # which is also so where a folder keeps us out
        return None
    artefact = load(NAME, folder)
    return Cooccurrence(artefact, load_mesh()), Cowords(artefact)
