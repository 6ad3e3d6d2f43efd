"""Decisions about a file: confirm, call a person a false positive, accept until a day, reopen.

In: a form with a reason.  Out: the decision in the store and the ledger, and the file's page again.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dlp.console.pages.file_detail import found
from dlp.console.request_context import Visit, page, row_number
from dlp.store.suppression import Scope

LONGEST_DAYS = 730  # whoever decides for longer than two years decides for ever
MOST_REASON = 500


def reason(visit: Visit) -> str:
    """One line that the ledger can hold; a decision without a reason is none."""
    text = " ".join(visit.form.get("why", "").split())[:MOST_REASON]
    if len(text) < 3:
        raise HTTPException(400)
    return "".join(char if char.isprintable() else "?" for char in text)


def until(visit: Visit) -> float:
    """The end of a day in the future, not too far away."""
    now = datetime.fromtimestamp(visit.desk.clock(), UTC)
    try:
        day = datetime.fromisoformat(visit.form.get("until", "")).replace(tzinfo=UTC)
    except ValueError:
        raise HTTPException(400) from None
    end = day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    if not now < end <= now + timedelta(days=LONGEST_DAYS + 1):
        raise HTTPException(400)
    return end.timestamp() - 1


def confirm(visit: Visit) -> Response:
    row = found(visit)
    rules = {f["rule"] for f in row["why"]["findings"] if f["person"]}
    visit.desk.reviews(visit.user.name).confirm(row["id"], reason(visit), sorted(rules))
    visit.say("Confirmed. The file leaves the queue; the decision is in the ledger.")
    return visit.back(f"/files/{row['id']}")


def false_positive(visit: Visit) -> Response:
    row = found(visit)
    person, mark = visit.form.get("person", ""), visit.form.get("mark", "")
    try:
        scope = Scope(visit.form.get("scope", Scope.FINDING))
    except ValueError:
        raise HTTPException(400) from None
    if scope is Scope.PERSON and not visit.user.may("officer"):
        raise HTTPException(403)
    rules = {f["rule"] for f in row["why"]["findings"] if f["person"] == person}
    touched = visit.desk.reviews(visit.user.name).false_positive(
        row["id"],
        person,
        mark,
        reason(visit),
        expires_at=until(visit),
        rules=sorted(rules),
        scope=scope,
    )
    files = "1 file" if touched == 1 else f"{touched:,} files"
    visit.say(f"Marked as a false positive in {files}, until {visit.form['until']}.")
    return visit.back(f"/files/{row['id']}")


def accept(visit: Visit) -> Response:
    row = found(visit)
    visit.desk.reviews(visit.user.name).accept(row["id"], reason(visit), expires_at=until(visit))
    visit.say(f"Accepted until {visit.form['until']}, or until the file changes.")
    return visit.back(f"/files/{row['id']}")


def reopen(visit: Visit) -> Response:
    row = found(visit)
    visit.desk.reviews(visit.user.name).reopen(row["id"], reason(visit))
    visit.say("Open again.")
    return visit.back(f"/files/{row['id']}")


def withdraw(visit: Visit) -> Response:
    number = row_number(str(visit.request.path_params["id"]))
    visit.desk.reviews(visit.user.name).withdraw(number, reason(visit))
    visit.say("Withdrawn. What it covered counts again.")
    return visit.back("/review/suppressions")


ROUTES = (
    page("/files/{id}/confirm", confirm, role="reviewer", changes=True),
    page("/files/{id}/false-positive", false_positive, role="reviewer", changes=True),
    page("/files/{id}/reopen", reopen, role="reviewer", changes=True),
    page("/files/{id}/accept", accept, role="officer", changes=True),
    page("/review/suppressions/{id}/withdraw", withdraw, role="officer", changes=True),
)
