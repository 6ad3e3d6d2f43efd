"""What was taken from the shares: give it back, or give it back and destroy the copy.

In: the journal.  Out: cases with their state; restore and release under the officer's name.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.render import as_csv, html, iso, plain, shown
from dlp.console.request_context import CASE, RequestContext, page
from dlp.errors import StoreError
from dlp.intent import Intent, State
from dlp.keys import secret_key
from dlp.respond.notify_action import item_of
from dlp.store import queries

CSV = ("id", "state", "action", "share", "path", "size_bytes", "why", "taken", "expires", "hold",
       "trouble")  # fmt: skip
GONE = frozenset({State.VOID, State.PURGED, State.RESTORED})
MOST = 200


def cases(context: RequestContext) -> Response:
    everything = context.query.get("all") == "1"
    found = [one for one in context.services.keeping.journal.items()
             if everything or one.state not in GONE][::-1]  # fmt: skip
    if context.query.get("format") == "csv":
        return as_csv("quarantine", CSV, map(as_row, found))
    journal = context.services.keeping.journal
    return html(
        context, "quarantine.html", cases=[as_row(one) for one in found[:MOST]], total=len(found),
        everything=everything, stopped=journal.stopped(),
    )  # fmt: skip


def as_row(one: Intent) -> dict[str, Any]:
    return {
        "id": one.id, "state": one.state.value, "action": one.action, "share": one.share,
        "path": plain(one.path), "size_bytes": one.size_bytes, "why": one.why,
        "taken": iso(one.created_at), "expires": iso(one.expires_at), "hold": one.legal_hold,
        "trouble": one.trouble, "expires_at": one.expires_at, "created_at": one.created_at,
    }  # fmt: skip


def one_case(context: RequestContext) -> Response:
    intent = case_of(context)
    kept = intent.state in {State.DONE, State.RESTORED, State.VAULTED}
    sound = kept and context.services.keeping.vault.verify(intent.id) == intent.sha256
    history = context.services.keeping.ledger.records(intent.id)
    return html(context, "case.html", case=as_row(intent), kept=kept, sound=sound, history=history)


def case_of(context: RequestContext) -> Intent:
    item = str(context.request.path_params["item"])
    if not (item.isascii() and item.isalnum() and len(item) <= 32):
        raise HTTPException(404)
    try:
        return context.services.keeping.journal.get(item)
    except StoreError:
        raise HTTPException(404) from None


def by_item(context: RequestContext) -> Response:
    """Where the link of a notice leads: to the case of a file that was taken, or to the file."""
    item = str(context.request.path_params["item"])
    if not CASE.fullmatch(item):
        raise HTTPException(404)
    with suppress(StoreError):
        return context.back(f"/quarantine/{context.services.keeping.journal.get(item).id}")
    settings = context.services.settings
    key = secret_key("fingerprint", settings.keys.fingerprint)
    roots = [os.fsencode(share.path.rstrip("/")) + b"/" for share in settings.share]
    for number, path in queries.paths(context.services.engine):
        if any(path.startswith(r) and item_of(path[len(r) :], key) == item for r in roots):
            return context.back(f"/files/{number}")
    raise HTTPException(404)


def restore(context: RequestContext) -> Response:
    intent = case_of(context)
    done, said = give_back(context, intent, context.reason())
    context.say(said if done else f"Not restored: {said}")
    return context.back(f"/quarantine/{intent.id}")


def release(context: RequestContext) -> Response:
    """Back to its place, and the vault keeps nothing."""
    intent = case_of(context)
    why = context.reason()
    done, said = (True, "") if intent.state is State.RESTORED else give_back(context, intent, why)
    if done:
        with context.services.share_of(intent, context.user.name) as share:
            gone = share.purge.apply(intent.id, now=time.time(), released=True)
        kept = "the vault's copy is destroyed" if gone else "on legal hold, the copy is kept"
        said = f"Released: {kept}."
    context.say(said if done else f"Not released: {said}")
    return context.back(f"/quarantine/{intent.id}")


def give_back(context: RequestContext, intent: Intent, why: str) -> tuple[bool, str]:
    with context.services.share_of(intent, context.user.name) as share:
        outcome = share.restore.apply(intent.id, why)
    return outcome.done, shown(outcome.detail).capitalize() + "."


ROUTES = (
    page("/cases/{item}", by_item),
    page("/quarantine", cases),
    page("/quarantine/{item}", one_case),
    page("/quarantine/{item}/restore", restore, role="officer", changes=True),
    page("/quarantine/{item}/release", release, role="officer", changes=True),
)
