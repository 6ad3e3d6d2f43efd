"""One person over all files, under a pseudonym.

In: a pseudonym.  Out: the files that mean this person, and what they say together.
"""

from __future__ import annotations

import json
import re

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.render import as_csv, html, plain
from dlp.console.request_context import Visit, page
from dlp.console.verdict_explanation import tree_of
from dlp.store import queries

NAME = re.compile(r"P-[0-9A-F-]{1,28}\Z")
CSV = ("id", "path", "privacy_of_person", "identifiability", "sensitivity", "container")


def person(visit: Visit) -> Response:
    name = str(visit.request.path_params["name"])
    row = queries.identity(visit.desk.engine, name) if NAME.match(name) else None
    if row is None:
        raise HTTPException(404)
    files = queries.files_of_identity(visit.desk.engine, name)
    if visit.query.get("format") == "csv":
        told = ({**f, "path": plain(f["path"]), "privacy_of_person": f["of_person"],
                 "identifiability": f["p"], "sensitivity": f["s"]} for f in files)  # fmt: skip
        return as_csv("person", CSV, told)
    facts: dict[tuple[str, str], float] = {}
    for one in files:
        for kind, concept, weight in json.loads(one["burden"]):
            facts[kind, concept] = max(facts.get((kind, concept), 0.0), weight)
    burden = [(kind, concept, weight) for (kind, concept), weight in facts.items()]
    together = visit.desk.weigh().of_weights(burden)
    return html(
        visit, "person.html", person=row, files=files, steps=together.steps,
        tree=tree_of(visit.desk, burden, row["sensitivity"]),
    )  # fmt: skip


ROUTES = (page("/people/{name}", person),)
