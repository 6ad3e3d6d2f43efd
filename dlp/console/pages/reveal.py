"""Show what was found: on demand, ten excerpts, masked unless the role allows, on the record.

In: a file's number and a reason.  Out: excerpts read from the file now; nothing is kept.
"""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.pages.decisions import reason
from dlp.console.pages.file_detail import found
from dlp.console.render import html, plain
from dlp.console.request_context import Visit, page

MOST = 10
LONGEST = 128


def reveal(visit: Visit) -> Response:
    row = found(visit)
    clear = visit.form.get("clear") == "1"
    if clear and not visit.user.may("officer"):
        raise HTTPException(403)
    why = reason(visit)
    # The record comes first: a reader who dies half-way was shown something all the same.
    what = "revealed excerpts in the clear" if clear else "revealed masked excerpts"
    visit.desk.note(visit.user.name, what, item=f"file {row['id']}", why=why)
    record = visit.desk.reader.ask("findings", plain(row["path"]), clear=clear)
    changed = bool(row["sha256"]) and record.get("sha256") not in {"", row["sha256"]}
    excerpts = chosen(record.get("findings", []))
    for one in excerpts:
        one["what"] = visit.desk.concept_name(one["concept"]) or one["rule"]
        one["shown"] = str(one.get("text" if clear else "mask", ""))[:LONGEST]
    return html(
        visit, "reveal.html", file=row, excerpts=excerpts, clear=clear, changed=changed,
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


ROUTES = (page("/files/{id}/reveal", reveal, role="reviewer", changes=True),)
