"""Calling one finding harmless hides that finding, and blinds nobody to the person elsewhere."""

import os
from datetime import date

import pytest
from sqlalchemy import select

from dlp.config import Policy
from dlp.judge.policy import decide
from dlp.measure.risk_levels import level_of
from dlp.model import Container, Gap, GapCode, Person, Verdict
from dlp.report.record import unread_record
from dlp.store.catalogue import Catalogue
from dlp.store.ledger import Ledger
from dlp.store.migrations import open_database
from dlp.store.reviews import Reviews, active_suppressions, reach
from dlp.store.schema import files, persons
from dlp.store.verdict_writer import Scope
from tests.console.test_review import in_days, mark_of

PRINT = "name:0123456789abcdef"
FAR = 4e9


def record(path, name="p1", prints=(PRINT,)):
    unread = unread_record(os.fsencode(path), Gap(GapCode.CORRUPT, ""), 1.0)
    person = {"id": name, "identifiability": 1.0, "sensitivity": 0.9, "privacy": 0.9,
              "fingerprints": list(prints), "explanation": [], "bits": {}, "burden": []}  # fmt: skip
    return {**unread, "container": "phi", "privacy": 0.9, "identifiability": 1.0,
            "sensitivity": 0.9, "persons": [person], "gaps": []}  # fmt: skip


@pytest.fixture
def engine(tmp_path):
    engine = open_database(tmp_path / "state.db")
    add(engine, "/s/a/one.txt", "/s/a/two.txt", "/s/b/three.txt")
    yield engine
    engine.dispose()


def add(engine, *paths):
    catalogue = Catalogue(engine)
    for path in paths:
        catalogue.add(record(path))
    catalogue.flush()


def dismissed(engine, tmp_path, scope, path=b"/s/a/one.txt"):
    reviews = Reviews(engine, Ledger(engine, b"k" * 32, tmp_path / "anchor"), who="console remy")
    with engine.connect() as connection:
        number = connection.execute(select(files.c.id).where(files.c.path == path)).scalar_one()
    told = {} if scope is None else {"scope": scope}
    return reviews, reviews.false_positive(number, "p1", PRINT, "a novel", expires_at=FAR, **told)


def hidden(engine):
    query = select(files.c.path).join(persons, persons.c.file == files.c.id)
    with engine.connect() as connection:
        found = connection.scalars(query.where(persons.c.suppressed_until > 0))
        return {os.path.basename(bytes(path)).decode() for path in found}


@pytest.mark.parametrize(
    "scope, covered, later",
    [
        (None, {"one.txt"}, {"one.txt"}),
        (Scope.FINDING, {"one.txt"}, {"one.txt"}),
        (Scope.FILE, {"one.txt"}, {"one.txt"}),
        (Scope.FOLDER, {"one.txt", "two.txt"}, {"one.txt", "two.txt", "new.txt"}),
        (Scope.PERSON, {"one.txt", "two.txt", "three.txt"},
         {"one.txt", "two.txt", "three.txt", "new.txt"}),
    ],
)  # fmt: skip
def test_a_dismissal_reaches_as_far_as_was_chosen_and_no_further(
    engine, tmp_path, scope, covered, later
):
    reviews, touched = dismissed(engine, tmp_path, scope)
    assert hidden(engine) == covered
    assert touched == len(covered)
    add(engine, "/s/a/new.txt", "/s/a/one.txt")  # a new file, and the old one judged again
    assert hidden(engine) == later
    reviews.withdraw(1, "it was her after all")
    assert hidden(engine) == set()


@pytest.mark.parametrize("scope", Scope)
def test_the_policy_acts_on_the_person_everywhere_else(engine, tmp_path, scope):
    dismissed(engine, tmp_path, scope)
    policy = Policy(phi="quarantine", suppress=active_suppressions(engine, 0))
    person = Person("p1", frozenset({PRINT}), identifiability=1.0, sensitivity=0.9)
    verdict = Verdict(Container.PHI, "", (person,), (), "r", 0.9)

    def action(path):
        return decide(
            policy,
            verdict,
            path=path,
            owner=1,
            today=date(2027, 1, 1),
            level_of=level_of,
            top=b"/s",
        ).action

    assert action(b"a/one.txt") == "observe"
    assert (action(b"b/new.txt") == "quarantine") is (scope is not Scope.PERSON)
    assert (action(b"a/new.txt") == "quarantine") is (scope in {Scope.FINDING, Scope.FILE})


def test_how_far_each_scope_would_reach_is_shown_beforehand(engine):
    assert reach(engine, 1, PRINT) == {"finding": 1, "file": 1, "folder": 2, "person": 3}


def test_only_an_officer_dismisses_a_person_everywhere(browser, services):
    remy = browser("remy")
    number = remy.file("letter.txt")
    mark, person = mark_of(remy.get(f"/files/{number}").text)
    form = {"person": person, "mark": mark, "why": "a novel", "until": in_days(30)}
    url = f"/files/{number}/false-positive"
    assert remy.post(url, **form, scope="person").status_code == 403
    assert remy.post(url, **form, scope="universe").status_code == 400
    assert remy.post(url, **form).status_code == 303
    assert browser("olga").post(url, **form, scope="person").status_code == 303
    assert "person-wide" in " ".join(str(r["why"]) for r in services.keeping.ledger.records())
