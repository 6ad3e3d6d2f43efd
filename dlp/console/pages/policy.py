"""The page on which an officer tries a policy on everything on record.

In: an action for each level.  Out: files, people and bytes by action; nothing is touched or saved.
"""

from __future__ import annotations

from typing import get_args

from starlette.responses import Response

from dlp.config import Action, Policy
from dlp.console.render import as_csv, html
from dlp.console.request_context import RequestContext, page
from dlp.engine.policy_trial import Outline, PolicyTrial
from dlp.model import LEVELS

ACTIONS = get_args(Action)
COLUMNS = ("action", "files", "people", "bytes")


def trial(context: RequestContext) -> Response:
    services = context.services
    asked = {level: context.query.get(level, "") for level in LEVELS[1:]}
    asked = {level: action for level, action in asked.items() if action in ACTIONS}
    settings = services.settings
    if asked:
        wanted = Policy(phi={**asked})
        shares = tuple(share.model_copy(update={"policy": wanted}) for share in settings.share)
        settings = settings.model_copy(update={"share": shares})
    outline = Outline()
    for one in PolicyTrial(settings, services.engine, now=services.clock()).on_record():
        outline.add(one)
    rows = [
        {"action": action, "files": outline.files[action], "people": len(outline.people[action]),
         "bytes": outline.size_bytes[action]} for action in ACTIONS
    ]  # fmt: skip
    if context.query.get("format") == "csv":
        return as_csv("policy", COLUMNS, rows)
    return html(
        context, "policy.html", rows=rows, asked=asked, actions=ACTIONS, breaker=settings.breaker,
        levels=tuple(reversed(LEVELS[1:])), moved=outline.moved(),
        most=max((row["files"] for row in rows), default=0),
    )  # fmt: skip


ROUTES = (page("/policy", trial, role="officer"),)
