"""The link of a notice leads to the case, also through the sign-in, and nowhere else."""

import pytest

from dlp.config import Settings
from dlp.engine.notification_sender import link_of
from dlp.keys import secret_key
from dlp.respond.notify_action import item_of
from tests.console import site


@pytest.fixture
def items(services):
    key = secret_key("fingerprint", services.settings.keys.fingerprint)
    taken = services.keeping.journal.items()[0].id
    return {"file": item_of(b"wards/letter.txt", key), "case": taken}


def test_an_item_leads_to_the_file_or_to_its_case(browser, items):
    olga = browser()
    number = olga.file("letter.txt")
    found = olga.client.get(f"/cases/{items['file']}", follow_redirects=False)
    assert found.headers["location"] == f"/files/{number}"
    taken = olga.client.get(f"/cases/{items['case']}", follow_redirects=False)
    assert taken.headers["location"] == f"/quarantine/{items['case']}"
    for nothing in ("0" * 16, "x", "%2e%2e"):
        assert olga.get(f"/cases/{nothing}").status_code == 404


def test_who_has_to_sign_in_first_comes_to_the_case_afterwards(browser, items):
    nobody = browser("")
    sent = nobody.client.get(f"/cases/{items['file']}", follow_redirects=False)
    door = sent.headers["location"]
    assert door == f"/sign-in?case={items['file']}"
    form = {"name": "olga", "password": site.PASSWORD, "token": nobody.token(door)}
    entered = nobody.client.post(door, data=form, follow_redirects=False)
    assert entered.headers["location"] == f"/cases/{items['file']}"


@pytest.mark.parametrize("case", ["//evil.example", "https://evil.example", "../users", "'"])
def test_the_sign_in_leads_nowhere_else(browser, case):
    nobody = browser("")
    form = {"name": "olga", "password": site.PASSWORD, "token": nobody.token("/sign-in")}
    entered = nobody.client.post(
        "/sign-in", params={"case": case}, data=form, follow_redirects=False
    )
    assert entered.headers["location"] == "/"


@pytest.mark.parametrize(
    "console, notify, link",
    [
        ({}, {}, ""),
        ({"beside": True}, {}, "http://localhost:8464/cases/{item}"),
        ({"beside": True, "names": ["dlp.example"], "behind_proxy": True}, {},
         "https://dlp.example/cases/{item}"),
        ({"beside": True}, {"link": "https://x/{item}"}, "https://x/{item}"),
    ],
)  # fmt: skip
def test_a_notice_links_to_the_console_that_runs(console, notify, link):
    assert link_of(Settings.model_validate({"console": console, "notify": notify})) == link
