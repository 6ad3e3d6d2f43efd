"""What people decided about findings: confirmed, harmless until a day, accepted until a day.

In: decisions under a name, with a reason.  Out: rows, suppressions, a file's new score, ledger.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, Select, func, insert, select, update

from dlp.config import Suppress
from dlp.errors import StoreError
from dlp.store.database import writing
from dlp.store.ledger import Ledger
from dlp.store.schema import decisions, files, folders, persons, suppressions
from dlp.store.verdict_writer import ANYONE, Mark, Marks, Scope, place_of, score_of


class Reviews:
    def __init__(
        self,
        engine: Engine,
        ledger: Ledger,
        *,
        who: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._who = who
        self._clock = clock

    def confirm(self, file: int, why: str, rules: Sequence[str] = ()) -> None:
        self._decide(file, "confirmed", why, rules=rules)

    def accept(self, file: int, why: str, *, expires_at: float) -> None:
        """The risk is known and borne until a day, or until the file changes."""
        self._decide(file, "accepted", why, expires_at=expires_at)

    def reopen(self, file: int, why: str) -> None:
        self._decide(file, "reopened", why)

    def _decide(
        self, file: int, verdict: str, why: str, *, rules: Sequence[str] = (), expires_at: float = 0
    ) -> None:
        with writing(self._engine) as connection:
            self._note(connection, file, verdict, why, rules=rules, expires_at=expires_at)
            state = {"reopened": "open"}.get(verdict, verdict)
            values = {"review": state, "review_until": expires_at}
            connection.execute(update(files).where(files.c.id == file).values(values))
        self._ledger.anchor()

    def _note(
        self,
        connection: Connection,
        file: int,
        verdict: str,
        why: str,
        *,
        person: str = "",
        rules: Sequence[str] = (),
        expires_at: float = 0.0,
    ) -> int:
        row = connection.execute(select(files).where(files.c.id == file)).mappings().first()
        if row is None:
            raise StoreError("the file is no longer in the catalogue", fix="reload the list")
        values = {
            "at": self._clock(), "who": self._who, "verdict": verdict, "path": row["path"],
            "sha256": row["sha256"], "person": person, "rules": " ".join(rules), "why": why,
            "expires_at": expires_at,
        }  # fmt: skip
        key = connection.execute(insert(decisions).values(values)).inserted_primary_key
        self._ledger.append(connection, who=self._who, what=verdict, item=f"file {file}", why=why)
        assert key is not None
        return int(key[0])

    def false_positive(
        self,
        file: int,
        person: str,
        fingerprint: str,
        why: str,
        *,
        expires_at: float,
        rules: Sequence[str] = (),
        scope: Scope = Scope.FINDING,
    ) -> int:
        """Until the day this person does not count, as far as `scope` reaches; in so many files."""
        with writing(self._engine) as connection:
            known = connection.execute(
                select(persons.c.prints).where(persons.c.file == file, persons.c.person == person)
            ).scalar()
            if fingerprint not in (known or "").split():
                raise StoreError("that person does not bear that mark", fix="reload the page")
            number = self._note(
                connection, file, "false positive", why, person=person, rules=rules,
                expires_at=expires_at,
            )  # fmt: skip
            path = connection.execute(select(files.c.path).where(files.c.id == file)).scalar_one()
            mark = Mark(
                ANYONE if scope is Scope.FILE else fingerprint,
                scope.value,
                place_of(scope, path),
                expires_at,
            )
            row = {"fingerprint": mark.fingerprint, "scope": mark.scope, "place": mark.place,
                   "reason": why, "owner": self._who,
                   "made_at": self._clock(), "expires_at": expires_at,
                   "decision": number}  # fmt: skip
            connection.execute(insert(suppressions).values(row))
            touched = apply(connection, mark, self._clock())
            if scope is not Scope.FINDING:
                said = f"{scope.value}-wide, {touched} files until {day_of(expires_at)}: {why}"
                self._ledger.append(
                    connection, who=self._who, what="suppressed", item=f"file {file}", why=said
                )
        self._ledger.anchor()
        return touched

    def withdraw(self, number: int, why: str) -> None:
        """End a suppression now: what it covered counts again."""
        now = self._clock()
        with writing(self._engine) as connection:
            which = suppressions.c.id == number
            row = connection.execute(select(suppressions).where(which)).mappings().first()
            if row is None:
                raise StoreError("no such suppression", fix="reload the list")
            connection.execute(update(suppressions).where(which).values(expires_at=now))
            self._ledger.append(
                connection, who=self._who, what="suppression withdrawn", item=f"{number}", why=why
            )
            apply(connection, mark_in(row), now)
        self._ledger.anchor()

    def lapse(self) -> int:
        """What ran out: its persons count again, its files are open again."""
        now = self._clock()
        over = (persons.c.suppressed_until > 0) & (persons.c.suppressed_until <= now)
        late = (files.c.review_until > 0) & (files.c.review_until <= now)
        with self._engine.connect() as connection:  # mostly nothing: no lock for a look
            due = connection.execute(select(persons.c.file).where(over).limit(1)).first()
            due = due or connection.execute(select(files.c.id).where(late).limit(1)).first()
        if due is None:
            return 0
        with writing(self._engine) as connection:
            touched = set(connection.scalars(select(persons.c.file).where(over)))
            connection.execute(update(persons).where(over).values(suppressed_until=0.0))
            for file in touched:
                score_again(connection, file)
            opened = update(files).where(late).values(review="open", review_until=0.0)
            return len(touched) + connection.execute(opened).rowcount


def apply(connection: Connection, mark: Mark, now: float) -> int:
    """Say again until when the persons count nowhere whom a mark may cover; in how many files."""
    query = covered(mark)
    active = connection.execute(select(suppressions).where(suppressions.c.expires_at > now))
    marks = Marks(mark_in(row) for row in active.mappings())
    touched = set()
    for row in connection.execute(query).all():
        until = marks.harmless_until(row.prints.split(), bytes(row.path))
        one = update(persons).where(persons.c.id == row.id)
        connection.execute(one.values(suppressed_until=until))
        touched.add(row.file)
    for file in touched:
        score_again(connection, file)
    return len(touched)


def covered(mark: Mark) -> Select[Any]:
    """The persons to whom a mark may apply, with the paths of their files."""
    query = select(persons.c.id, persons.c.file, persons.c.prints, files.c.path)
    query = query.join(files, persons.c.file == files.c.id)
    if mark.fingerprint != ANYONE:
        # A print is a word of the column; hexadecimal digits need no escaping.
        query = query.where((" " + persons.c.prints + " ").contains(f" {mark.fingerprint} "))
    if mark.scope == Scope.FOLDER:
        top = mark.place.rstrip(b"/")
        # "0" follows "/" in the order of bytes.
        return query.where(files.c.path >= top + b"/", files.c.path < top + b"0")
    return query if mark.scope == Scope.PERSON else query.where(files.c.path == mark.place)


def reach(engine: Engine, file: int, fingerprint: str) -> dict[str, int]:
    """How many files each scope of a dismissal would hide this person in: shown beforehand."""
    with engine.connect() as connection:
        path = connection.execute(select(files.c.path).where(files.c.id == file)).scalar_one()
        found = {}
        for scope in Scope:
            mark = Mark(ANYONE if scope is Scope.FILE else fingerprint, scope, b"", 0.0)
            mark = mark._replace(place=place_of(scope, bytes(path)))
            rows = covered(mark).with_only_columns(persons.c.file).distinct().subquery()
            found[scope.value] = connection.execute(
                select(func.count()).select_from(rows)
            ).scalar_one()
        return found


def mark_in(row: RowMapping) -> Mark:
    return Mark(row["fingerprint"], row["scope"], bytes(row["place"] or b""), row["expires_at"])


def day_of(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def score_again(connection: Connection, file: int) -> None:
    people = connection.execute(select(persons).where(persons.c.file == file)).mappings().all()
    left = [person for person in people if not person["suppressed_until"]]
    values = score_of(left)
    values["risk"] = values["harm"] * files.c.readers
    if people and not left:
        values["review"] = "cleared"
    else:
        cleared = (files.c.id == file) & (files.c.review == "cleared")
        connection.execute(update(files).where(cleared).values(review="open"))
    connection.execute(update(files).where(files.c.id == file).values(values))
    folder = select(files.c.folder).where(files.c.id == file).scalar_subquery()
    connection.execute(update(folders).where(folders.c.path == folder).values(stale=1))


def active_suppressions(engine: Engine, now: float) -> tuple[Suppress, ...]:
    """As the policy reads them; one that has ended is none."""
    query = select(suppressions).where(suppressions.c.expires_at > now)
    with engine.connect() as connection:
        return tuple(
            Suppress(
                fingerprint=row["fingerprint"],
                beneath=os.fsdecode(bytes(row["place"] or b"")),
                whole_folder=row["scope"] == Scope.FOLDER,
                reason=row["reason"],
                owner=row["owner"],
                expires=datetime.fromtimestamp(row["expires_at"], UTC).date(),
            )
            for row in connection.execute(query).mappings()
        )


def list_suppressions(engine: Engine, limit: int = 200) -> list[dict[str, Any]]:
    query = select(suppressions, decisions.c.path, decisions.c.person)
    query = query.outerjoin(decisions, decisions.c.id == suppressions.c.decision)
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(suppressions.c.id.desc()).limit(limit))
        return [dict(row) for row in rows.mappings()]


def decisions_about(engine: Engine, path: bytes) -> list[dict[str, Any]]:
    query = select(decisions).where(decisions.c.path == path).order_by(decisions.c.id.desc())
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(query.limit(50)).mappings()]


def precision(engine: Engine) -> list[dict[str, Any]]:
    """How often people agreed with each rule, the least trusted first."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    query = select(decisions.c.verdict, decisions.c.rules, func.count())
    query = query.where(decisions.c.verdict.in_(["confirmed", "false positive"]))
    with engine.connect() as connection:
        for verdict, rules, count in connection.execute(query.group_by("verdict", "rules")):
            for rule in rules.split():
                (right if verdict == "confirmed" else wrong)[rule] += count
    rows = [
        {"rule": rule, "confirmed": right[rule], "false_positives": wrong[rule],
         "precision": right[rule] / (right[rule] + wrong[rule])}
        for rule in right.keys() | wrong.keys()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row["precision"], -row["false_positives"], row["rule"]))
