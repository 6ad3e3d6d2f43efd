"""A file's page: why it got its verdict, on one screen, and what can be done about it.

In: a file's number.  Out: stages, persons, arithmetic, findings without values, history.
"""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.render import as_csv, day, html
from dlp.console.request_context import Visit, page
from dlp.console.verdict_explanation import person_view, sentence
from dlp.report.ranking import known_level
from dlp.store import queries
from dlp.store.reviews import decisions_about, reach

CSV = ("kind", "rule", "what", "part", "context", "count", "confidence")
SHOWN_PEOPLE = 20
PREVIEWED = 3  # people whose files are counted for each scope: each takes a look at all people
USUAL_DAYS = 180  # offered as the end of an exception
STAGES = {
    "decode.extract": "read", "triage.shallow": "type and title", "triage.partial": "first words",
    "triage.cheap": "cheap pass", "detect.identifiers": "identifiers", "detect.health": "health",
    "detect.mentions": "names and places", "detect.subjects": "who is meant",
    "triage.deep": "decision", "measure.privacy": "measure", "judge.verdict": "verdict",
}  # fmt: skip


def one_file(visit: Visit) -> Response:
    row = found(visit)
    if visit.query.get("format") == "csv":
        return as_csv("file", CSV, (finding_row(visit, one) for one in row["why"]["findings"]))
    return html(visit, "file.html", **view_of(visit, row))


def found(visit: Visit) -> dict[str, Any]:
    row = queries.one_file(visit.desk.engine, visit.number())
    if row is None:
        raise HTTPException(404)
    return row


def view_of(visit: Visit, row: dict[str, Any]) -> dict[str, Any]:
    desk, why = visit.desk, row["why"]
    people = [person_view(desk, p, why) for p in row["persons"][:SHOWN_PEOPLE]]
    for person in people[:PREVIEWED]:
        if person["marks"]:
            person["reach"] = reach(desk.engine, row["id"], person["marks"][0]["print"])
    counted = [person for person in people if not person["suppressed_until"]]
    nobody = [f for f in why["findings"] if not f["person"]]
    for one in why["findings"]:
        one["what"] = desk.concept_name(one["concept"]) or one["rule"]
    return {
        "file": row,
        "why": why,
        "people": people,
        "nobody": nobody,
        "sentence": sentence(row, counted, desk),
        "file_level": known_level(desk.level(row["privacy"], row["people"]), row["gaps"]),
        "stages": [(name, STAGES.get(name, name.rpartition(".")[2])) for name in why["trail"]],
        "decisions": decisions_about(desk.engine, row["path"]),
        "quarantine": case_of(visit, row),
        "default_until": day(desk.clock() + USUAL_DAYS * 86_400),
    }


def case_of(visit: Visit, row: dict[str, Any]) -> Any:
    """The open quarantine case of this very name, if there is one."""
    for share in visit.desk.settings.share:
        root = share.path.rstrip("/").encode() + b"/"
        if row["path"].startswith(root):
            inside = row["path"][len(root) :]
            for intent in visit.desk.keeping.journal.items(share=share.name):
                if intent.path == inside and intent.state.value == "done":
                    return intent
    return None


def finding_row(visit: Visit, one: dict[str, Any]) -> dict[str, Any]:
    what = visit.desk.concept_name(one["concept"]) or one["rule"]
    return {**one, "what": what, "context": " ".join(one["context"])}


ROUTES = (page("/files/{id}", one_file),)
