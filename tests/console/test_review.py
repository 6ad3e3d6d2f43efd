"""Decisions stay: in the ranking, over a second judgement, in the ledger, until their day."""

import re
import shutil
import time
from datetime import UTC, datetime, timedelta

import pytest

from dlp.config import Policy
from dlp.engine.policy_responder import Responder
from dlp.judge.policy import exposed
from dlp.keys import fingerprint_key
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.knowledge.site_knowledge import site_folder
from dlp.model import Person
from dlp.store import queries
from dlp.store.catalogue import Catalogue
from dlp.store.ledger import Ledger
from dlp.store.reviews import precision
from tests.console import site
from tests.console.test_views import rows


def in_days(number):
    return (datetime.now(UTC) + timedelta(days=number)).date().isoformat()


def mark_of(text):
    return re.search(r'option value="(name:[0-9a-f]+)"', text)[1], re.search(
        r'name="person" value="([0-9a-f]+)"', text
    )[1]


def clear_letter(olga):
    number = olga.file("letter.txt")
    mark, person = mark_of(olga.get(f"/files/{number}").text)
    answer = olga.post(
        f"/files/{number}/false-positive",
        person=person,
        mark=mark,
        why="a character in a novel",
        until=in_days(30),
    )
    assert answer.status_code == 303
    return number


def test_a_false_positive_leaves_the_ranking_and_stays_away_when_judged_again(
    browser, services, base
):
    olga = browser("remy")
    number = clear_letter(olga)
    text = olga.get(f"/files/{number}").text
    assert "Marked as a false positive in 1 file" in text
    assert f"until {in_days(30)}" in text
    assert queries.one_file(services.engine, number)["privacy"] == 0.0
    assert str(number) not in [row["id"] for row in rows(olga.get("/review?format=csv"))]
    again = Catalogue(services.engine)
    again.add(next(site.records(str(base / "share"), fingerprint_key())))
    again.flush()
    assert queries.one_file(services.engine, number)["privacy"] == 0.0
    assert {k: precision(services.engine)[0][k] for k in ("false_positives", "confirmed")} == {
        "false_positives": 1,
        "confirmed": 0,
    }


def test_when_a_false_positive_runs_out_its_person_counts_again(browser, services):
    number = clear_letter(browser())
    services.clock = lambda: time.time() + 40 * 86_400
    assert services.reviews("keeper").lapse() == 1
    assert queries.one_file(services.engine, number)["privacy"] == pytest.approx(0.9)


def test_a_withdrawn_false_positive_counts_again(browser, services):
    olga = browser()
    number = clear_letter(olga)
    assert (
        olga.post("/review/suppressions/1/withdraw", why="was a patient after all").status_code
        == 303
    )
    assert queries.one_file(services.engine, number)["privacy"] == pytest.approx(0.9)
    assert "ended" in olga.get("/review/suppressions").text


def test_the_daemon_heeds_what_the_console_suppressed(browser, services):
    clear_letter(browser())
    responder = Responder(services.settings, services.keeping)
    bearer = site.person(1)
    covered = Person(bearer["id"], frozenset(bearer["fingerprints"]), 1.0, 0.9)
    policy = responder.policy_of("clinic")
    responder.close()
    assert exposed((covered,), policy.suppress, datetime.now(UTC).date()) == ()
    assert exposed((covered,), Policy().suppress, datetime.now(UTC).date()) == (covered,)


def test_confirm_accept_and_reopen_move_a_file_through_the_queue(browser, services):
    olga = browser()
    number = olga.file("note.txt")
    for action, state, more in (
        ("confirm", "confirmed", {}), ("reopen", "open", {}), ("accept", "accepted", {"until": in_days(10)}),
    ):  # fmt: skip
        assert olga.post(f"/files/{number}/{action}", why="looked at it", **more).status_code == 303
        assert queries.one_file(services.engine, number)["review"] == state
    assert [row["id"] for row in rows(olga.get("/review?review=accepted&format=csv"))] == [
        str(number)
    ]
    services.clock = lambda: time.time() + 12 * 86_400
    services.reviews("keeper").lapse()
    assert queries.one_file(services.engine, number)["review"] == "open"


def test_a_changed_file_is_open_again(browser, services, base):
    olga = browser()
    number = olga.file("note.txt")
    olga.post(f"/files/{number}/accept", why="fine for now", until=in_days(10))
    again = Catalogue(services.engine)
    again.add({**list(site.records(str(base / "share"), fingerprint_key()))[1], "sha256": "f" * 64})
    again.flush()
    assert queries.one_file(services.engine, number)["review"] == "open"


@pytest.mark.parametrize(
    "fields",
    [
        {"why": ""},
        {"why": "ok then", "until": ""},
        {"why": "ok then", "until": "2019-01-01"},
        {"why": "ok then", "until": in_days(4000)},
        {"why": "ok then", "until": "tomorrow"},
    ],
)
def test_a_decision_needs_a_reason_and_a_day_that_makes_sense(browser, services, fields):
    olga = browser()
    number = olga.file("note.txt")
    assert olga.post(f"/files/{number}/accept", **fields).status_code == 400
    assert queries.one_file(services.engine, number)["review"] == "open"


def test_a_case_is_restored_and_another_released_under_the_officers_name(browser, services, base):
    olga = browser()
    cases = rows(olga.get("/quarantine?format=csv"))
    held = {row["path"]: row["id"] for row in cases}
    assert not (base / "share/wards/held.txt").exists()
    assert "sound, its hash fits" in olga.get(f"/quarantine/{held['wards/held.txt']}").text
    assert (
        olga.post(
            f"/quarantine/{held['wards/held.txt']}/restore", why="needed for the clinic"
        ).status_code
        == 303
    )
    assert (base / "share/wards/held.txt").read_text() == "Ben has asthma."
    assert (
        olga.post(
            f"/quarantine/{held['mail/held too.txt']}/release", why="not a patient"
        ).status_code
        == 303
    )
    assert (base / "share/mail/held too.txt").read_text() == "Cleo has gout."
    states = {row["path"]: row["state"] for row in rows(olga.get("/quarantine?all=1&format=csv"))}
    assert states == {"wards/held.txt": "restored", "mail/held too.txt": "purged"}
    assert "console olga" in olga.get("/ledger").text


def test_a_new_sensitivity_shows_its_effect_then_moves_the_ranking(browser, services, base):
    olga = browser()
    number = olga.file("note.txt")
    before = queries.one_file(services.engine, number)
    text = olga.get("/sensitivity?term=Asthma&value=0.95").text
    assert "123 files would be scored again" in text
    assert queries.one_file(services.engine, number)["privacy"] == before["privacy"]
    assert (
        olga.post(
            "/sensitivity/save", concept=site.ASTHMA, value="0.95", why="a matter of work here"
        ).status_code
        == 303
    )
    load_sensitivity.cache_clear()
    assert load_sensitivity().of(site.ASTHMA) == 0.95
    after = queries.one_file(services.engine, number)
    assert after["privacy"] == pytest.approx(0.5 * 0.95)
    assert after["history"][0]["rules_version"] == "new values"
    assert "sensitivity of Asthma set from" in olga.get("/ledger").text
    load_sensitivity.cache_clear()


def test_the_experts_of_the_site_and_what_each_said(browser):
    olga = browser()
    assert "What the experts say" not in olga.get("/sensitivity").text
    folder = site_folder() / "experts"
    folder.mkdir(parents=True)
    for name, trust, value in (("Amara", 1, 0.2), ("Bruno", 3, 0.8)):
        table = (
            f'expert = "{name}"\ntrust = {trust}\n[[concept]]\nname = "Epilepsy"\nvalue = {value}\n'
        )
        (folder / f"{name}.toml").write_text(table)
    try:
        text = olga.get("/sensitivity").text
    finally:
        shutil.rmtree(folder)
    assert "Amara 0.20, Bruno 0.80 (trust 3)" in text
    assert [text.count(f">{value}<") for value in ("0.60", "0.50")] == [1, 1]  # apart, median
    assert "<strong>0.80</strong>" in text


def test_lowering_a_value_lowers_what_contradicts_it_and_says_so(browser):
    text = browser().get(f"/sensitivity?term={site.HIV}&value=0.05").text
    assert "To stay in order" in text
    assert "1 file would be scored again" in text


def test_every_decision_is_in_a_ledger_that_is_whole(browser, services, base):
    olga = browser()
    clear_letter(olga)
    assert olga.post("/ledger/verify").status_code == 303
    assert "Whole: all" in olga.get("/ledger").text
    assert Ledger(services.engine, services.keeping.ledger._key, base / "anchor").verify() == []


def test_a_tampered_ledger_shows(browser, services):
    olga = browser()
    clear_letter(olga)
    with services.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE ledger SET why='nothing' WHERE what='false positive'")
    olga.post("/ledger/verify")
    assert "NOT WHOLE" in olga.get("/ledger").text


def test_a_reveal_is_bounded_masked_and_on_the_record(browser, services):
    services.reader = site.Answers()
    remy = browser("remy")
    number = remy.file("letter.txt")
    text = remy.post(f"/files/{number}/reveal", why="checking").text
    assert text.count("A••") == 10
    assert "Ana" not in text
    assert remy.post(f"/files/{number}/reveal", why="checking", clear="1").status_code == 403
    assert (
        "Ana1"
        in browser("olga").post(f"/files/{number}/reveal", why="asked by the board", clear="1").text
    )
    ledger = browser().get("/ledger").text
    assert "revealed masked excerpts" in ledger
    assert "revealed excerpts in the clear" in ledger
