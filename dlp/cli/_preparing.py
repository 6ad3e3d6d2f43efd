"""Work out beforehand what a scan would work out from the rules at every start.

In: the rules folder.  Out: the lines of the artefact that dlp/prepared.py reads.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy.typing as npt

from dlp.detect import fold
from dlp.detect.identify.prefilter import worked_out
from dlp.detect.identify.validators import VALIDATORS
from dlp.detect.naming import tokens
from dlp.detect.naming.learned.preparing import line_for
from dlp.detect.naming.model_reader import installed
from dlp.knowledge import hashing, inference
from dlp.knowledge.arrays import packed, unicode_key
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.sensitivity import FILE as SENSITIVITY
from dlp.knowledge.sensitivity import Sensitivity, read_judgements
from dlp.prepared import line_of
from dlp.resources import artefacts_folder, rules_folder
from dlp.rulebook import check_pattern, load_identifiers
from dlp.store import made_schema
from dlp.store.migrations import STEPS, open_database
from dlp.store.schema import VERSION

# Large, and read only when the knowledge is compiled, or prepared with its names looked up.
NOT_FOR_SCANS = frozenset({"health_terms.toml", "shorthand.toml", inference.FILE})

OF_UNICODE: Mapping[str, Callable[[], npt.NDArray[Any]]] = {
    fold.FOLDINGS: fold.foldings,
    hashing.FOLDED: hashing.folded_codes,
    tokens.CLASSES: tokens.classes_below,
}


def lines() -> Iterator[bytes]:
    """In the order of file names and rules, so that an edit of one changes few lines."""
    for path in sorted(rules_folder().rglob("*.toml")):
        if path.name not in NOT_FOR_SCANS:
            yield line_of(path.read_bytes(), tomllib.loads(path.read_text(encoding="utf-8")))
    mesh, path = load_mesh(artefacts_folder()), rules_folder() / inference.FILE
    curated = inference.read_rules(path, mesh, bundled=True)
    yield line_of(inference.resolved_from(path, mesh), [*curated[:3], sorted(curated.alone)])
    judged = read_judgements(rules_folder() / SENSITIVITY, mesh, bundled=True)
    sensitivity = Sensitivity(judged, mesh)
    yield line_of(sensitivity.key(), sensitivity.worked_out())
    for what, make in OF_UNICODE.items():
        yield line_of(unicode_key(what), packed(make()))
    rules = load_identifiers(VALIDATORS.keys())
    for pattern in dict.fromkeys(rule.pattern for rule in rules):
        check_pattern(pattern, "rules prepare")
        yield line_of(pattern.encode(), worked_out(pattern))


def of_database() -> bytes:
    """The line of dlp/store/made_schema.py: what the migrations leave in an empty database."""
    with TemporaryDirectory() as folder:
        engine = open_database(Path(folder) / "new.db")
        with engine.connect() as connection:
            made = "SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
            statements = list(connection.exec_driver_sql(made).scalars())
            # SQLAlchemy makes those of a table in any order.
            made = "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql > '' ORDER BY name"
            statements += connection.exec_driver_sql(made).scalars()
        engine.dispose()
    steps = [step.__name__ for step in STEPS]
    return made_schema.lines(made_schema.MadeSchema(VERSION, steps, statements))


def of_model() -> bytes | None:
    """The line of dlp/detect/naming/learned/package.py; nothing for a model it cannot read."""
    name = installed()
    return line_for(name) if name else None
