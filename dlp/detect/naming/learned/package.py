"""Open an installed model's package without the library it is made for.

In: the folder of a model.  Out: a reader, or nothing where this very model was not prepared.

What the package says in the library's own formats was written down beforehand (`dlp rules
prepare`), under the hash of all files that matter: another model, another edition of it, a damaged
byte mean that nothing is known here, and the library reads it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np

from dlp.detect.naming.learned.entity_reader import LearnedReader, Words
from dlp.detect.naming.learned.entity_transitions import Walker, moves_of
from dlp.detect.naming.learned.network import Encoder, Floats, maxout
from dlp.detect.naming.learned.tokenizer import Cutter, Rules
from dlp.knowledge.artefact import mapped
from dlp.prepared import known, prepared

WEIGHTS = "ner/model"
PARTS = ("config.cfg", "tokenizer", "ner/cfg", "ner/moves", "vocab/lookups.bin", WEIGHTS)
EDITION = b"1"  # of what the artefact says about a model


Part = bytes | mmap
CODE = "detect/naming/learned"


def key_of(parts: Sequence[Part]) -> bytes:
    return b" ".join([EDITION, *(hashlib.sha256(part).hexdigest().encode() for part in parts)])


def parts_of(folder: Path) -> list[Part]:
    """The weights, six megabytes of which the numbers are copied, are mapped and not read."""
    small = ((folder / part).read_bytes() for part in PARTS if part != WEIGHTS)
    return [*small, mapped(folder / WEIGHTS)]


def open_model(folder: Path, work_out: Callable[[], Any] | None = None) -> LearnedReader | None:
    """`work_out` asks the model's library once; without it only a model known before is read."""
    try:
        parts = parts_of(folder)
    except (OSError, ValueError):  # missing, or empty
        return None
    told = prepared(key_of(parts), work_out, CODE) if work_out else known(key_of(parts), CODE)
    return reader_of(told, parts[-1]) if isinstance(told, dict) else None


def reader_of(told: dict[str, Any], weights: Part) -> LearnedReader:
    def array(name: str) -> Floats:
        offset, *shape = told["arrays"][name]
        flat = np.frombuffer(weights, "<f4", int(np.prod(shape)), offset)
        # As it comes it begins at any byte, and arithmetic would copy it every time.
        return flat.reshape(shape).astype(np.float32)

    layers = [
        maxout(*(array(f"{layer}.{what}") for what in ("W", "b", "G", "shift")))
        for layer in range(told["layers"])
    ]
    tables = [array(f"table.{at}") for at in range(len(told["seeds"]))]
    walker = Walker(
        (array("reduce.W"), array("reduce.b")),
        (array("lower.W"), array("lower.b"), array("lower.pad")),
        (array("upper.W"), array("upper.b")),
        moves_of(told["moves"]),
    )
    cutter = Cutter(Rules(**told["rules"]))
    words = Words({int(key): norm for key, norm in told["norms"].items()}, told["numbers"])
    return LearnedReader(
        cutter, words, Encoder(tables, layers[0], layers[1:]), told["seeds"], walker
    )
