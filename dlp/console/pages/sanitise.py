"""Sanitise a file: the original masked beside the result first, then in place, reversibly.

In: a file's number.  Out: a preview; or the clean copy in the share and the original in the vault.
"""

from __future__ import annotations

import base64
import hashlib
import os
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.acquire.file_identity import open_file, sha256_of
from dlp.config import Share
from dlp.console.pages.file_detail import found
from dlp.console.render import html, plain
from dlp.console.request_context import RequestContext, page
from dlp.intent import Intent
from dlp.model import FileRef


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
    ref = reference(share.name, root, row["path"][len(root) + 1 :])
    case = Intent("", "replace", None, share.name, b"", 0, 0, 0, 0, "")  # type: ignore[arg-type]
    with context.services.share_of(case, context.user.name) as actions:
        actions.place.prepare()
        outcome = actions.replace.apply(ref, [clean], why)
    told = "Sanitised; the original is in quarantine." if outcome.done else ""
    context.say(told or f"Not sanitised: {outcome.detail}")
    return context.back(f"/files/{row['id']}")


def reference(share: str, root: bytes, path: bytes) -> FileRef:
    fd = open_file(root, path)
    try:
        seen = os.fstat(fd)
        return FileRef(
            share, path, seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns,
            seen.st_ctime_ns, sha256_of(fd),
        )  # fmt: skip
    finally:
        os.close(fd)


ROUTES = (
    page("/files/{id}/sanitise", preview, role="officer", changes=True),
    page("/files/{id}/sanitise/replace", replace, role="officer", changes=True),
)
