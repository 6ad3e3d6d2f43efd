"""A file's page: its verdict explained, possible actions, excerpts on demand, sanitising.

In: a file's number.  Out: stages, persons, arithmetic, findings without values, history; with a
reason, ten excerpts read from the file now, masked unless the role allows, recorded in the ledger.

Sanitising shows the original masked beside the result first, then puts the clean copy in the share
and the original in the vault.
"""

from __future__ import annotations

import base64
import hashlib
import os
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.acquire.file_identity import ref_beneath
from dlp.config import Share
from dlp.console.render import as_csv, day, html, plain
from dlp.console.request_context import RequestContext, page
from dlp.console.verdict_explanation import person_view, sentence
from dlp.intent import Intent
from dlp.report.ranking import known_level
from dlp.store import queries
from dlp.store.reviews import decisions_about, reach

CSV = ("kind", "rule", "what", "part", "context", "count", "confidence")
SHOWN_PEOPLE = 20
PREVIEWED = 3  # people whose files are counted for each scope: each takes a look at all people
DEFAULT_DAYS = 180  # offered as the end of an exception
STAGES = {
    "decode.extract": "read", "triage.shallow": "type and title", "triage.partial": "first words",
    "triage.cheap": "cheap pass", "detect.identifiers": "identifiers", "detect.health": "health",
    "detect.mentions": "names and places", "detect.subjects": "who is meant",
    "triage.deep": "decision", "measure.privacy": "measure", "judge.verdict": "verdict",
}  # fmt: skip

MOST = 10
LONGEST = 128


def one_file(context: RequestContext) -> Response:
    row = found(context)
    if context.query.get("format") == "csv":
        return as_csv("file", CSV, (finding_row(context, one) for one in row["why"]["findings"]))
    return html(context, "file.html", **view_of(context, row))


def found(context: RequestContext) -> dict[str, Any]:
    row = queries.one_file(context.services.engine, context.number())
    if row is None:
        raise HTTPException(404)
    return row


def view_of(context: RequestContext, row: dict[str, Any]) -> dict[str, Any]:
    services, why = context.services, row["why"]
    people = [person_view(services, p, why) for p in row["persons"][:SHOWN_PEOPLE]]
    for number, person in enumerate(people):
        person["reach"] = None
        if person["marks"] and number < PREVIEWED:
            person["reach"] = reach(services.engine, row["id"], person["marks"][0]["print"])
    counted = [person for person in people if not person["suppressed_until"]]
    nobody = [f for f in why["findings"] if not f["person"]]
    for one in why["findings"]:
        one["what"] = services.concept_name(one["concept"]) or one["rule"]
    return {
        "file": row,
        "why": why,
        "people": people,
        "nobody": nobody,
        "sentence": sentence(row, counted, services),
        "file_level": known_level(services.level(row["risk"], row["privacy"]), row["gaps"]),
        "owner": services.owner_name(row["owner"]),
        "stages": [(name, STAGES.get(name, name.rpartition(".")[2])) for name in why["trail"]],
        "decisions": decisions_about(services.engine, row["path"]),
        "quarantine": case_of(context, row),
        "default_until": day(services.clock() + DEFAULT_DAYS * 86_400),
    }


def case_of(context: RequestContext, row: dict[str, Any]) -> Any:
    """The open quarantine case of this very name, if there is one."""
    for share in context.services.settings.share:
        root = share.path.rstrip("/").encode() + b"/"
        if row["path"].startswith(root):
            inside = row["path"][len(root) :]
            for intent in context.services.keeping.journal.items(share=share.name):
                if intent.path == inside and intent.state.value == "done":
                    return intent
    return None


def finding_row(context: RequestContext, one: dict[str, Any]) -> dict[str, Any]:
    what = context.services.concept_name(one["concept"]) or one["rule"]
    return {**one, "what": what, "context": " ".join(one["context"])}


def reveal(context: RequestContext) -> Response:
    row = found(context)
    clear = context.form.get("clear") == "1"
    if clear and not context.user.may("officer"):
        raise HTTPException(403)
    why = context.reason()
    # The record comes first: a reader who dies half-way was shown something all the same.
    what = "revealed excerpts in the clear" if clear else "revealed masked excerpts"
    context.services.note(context.user.name, what, item=f"file {row['id']}", why=why)
    record = context.services.reader.ask("findings", plain(row["path"]), clear=clear)
    changed = bool(row["sha256"]) and record.get("sha256") not in {"", row["sha256"]}
    excerpts = chosen(record.get("findings", []))
    for one in excerpts:
        one["what"] = context.services.concept_name(one["concept"]) or one["rule"]
        one["shown"] = str(one.get("text" if clear else "mask", ""))[:LONGEST]
    return html(
        context, "reveal.html", file=row, excerpts=excerpts, clear=clear, changed=changed,
        found=len(record.get("findings", [])), gaps=record.get("gaps", []),
    )  # fmt: skip


def chosen(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of each kind and rule first, then more of them: ten tell what there is."""
    first: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    seen: set[tuple[str, str]] = set()
    for one in sorted(findings, key=lambda f: (not f.get("person"), -f["confidence"])):
        key = (one["kind"], one["rule"])
        (rest if key in seen else first).append(one)
        seen.add(key)
    return (first + rest)[:MOST]


def preview(context: RequestContext) -> Response:
    row = found(context)
    context.services.note(context.user.name, "previewed sanitising", item=f"file {row['id']}")
    answer = context.services.reader.ask("sanitise", plain(row["path"]))
    return html(
        context,
        "sanitise.html",
        file=row,
        answer=answer,
        in_share=share_of(context, row) is not None,
    )


def share_of(context: RequestContext, row: dict[str, Any]) -> Share | None:
    path = plain(row["path"])
    inside = (
        s for s in context.services.settings.share if path.startswith(s.path.rstrip("/") + "/")
    )
    return next(inside, None)


def replace(context: RequestContext) -> Response:
    row = found(context)
    why, share = context.reason(), share_of(context, row)
    if share is None:
        raise HTTPException(400)
    answer = context.services.reader.ask("sanitise", plain(row["path"]), output=True)
    clean = base64.b64decode(answer.get("output") or "")
    if not clean or hashlib.sha256(clean).hexdigest() != context.form.get("result", ""):
        context.say("Not sanitised: the file or the result changed since the preview. Look again.")
        return context.back(f"/files/{row['id']}")
    root = os.fsencode(share.path.rstrip("/"))
    ref = ref_beneath(share.name, root, row["path"][len(root) + 1 :])
    case = Intent("", "replace", None, share.name, b"", 0, 0, 0, 0, "")  # type: ignore[arg-type]
    with context.services.share_of(case, context.user.name) as actions:
        actions.place.prepare()
        outcome = actions.replace.apply(ref, [clean], why)
    message = "Sanitised; the original is in quarantine." if outcome.done else ""
    context.say(message or f"Not sanitised: {outcome.detail}")
    return context.back(f"/files/{row['id']}")


ROUTES = (
    page("/files/{id}", one_file),
    page("/files/{id}/reveal", reveal, role="reviewer", changes=True),
    page("/files/{id}/sanitise", preview, role="officer", changes=True),
    page("/files/{id}/sanitise/replace", replace, role="officer", changes=True),
)
