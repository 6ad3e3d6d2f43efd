"""Admins keep the users, on the record; nobody else does, and nobody locks themselves out."""

import pytest

from tests.console.site import PASSWORD

CHANGES = ("/users/add", "/users/vera/change", "/users/vera/remove")


@pytest.mark.parametrize("name", ["vera", "remy", "olga"])
def test_only_admins_see_or_change_users(calm, name):
    one = calm(name)
    assert one.get("/users").status_code == 403
    assert 'href="/users"' not in one.get("/").text
    for path in CHANGES:
        answer = one.post(path, name="mallory", role="admin", password=PASSWORD, disabled="1")
        assert answer.status_code == 403


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_of_users_needs_the_forms_token(calm, path):
    fields = {"name": "mallory", "role": "admin", "password": PASSWORD, "token": "0" * 64}
    assert calm("adam").client.post(path, data=fields).status_code == 403


def test_an_admin_lets_people_in_and_shuts_them_out(browser, services):
    adam = browser("adam")
    adam.post("/users/add", name="Nina", role="reviewer", password="a long new password")
    page = adam.get("/users").text
    assert "User nina added as reviewer." in page
    assert browser("").sign_in("nina", "a long new password").status_code == 303

    vera = browser("vera")
    adam.post("/users/vera/change", role="officer")
    assert vera.get("/").status_code == 303, "a new role asks for a new sign-in"
    assert services.users.get("vera").role == "officer"
    adam.post("/users/vera/change", password="another long password")
    assert browser("").sign_in("vera").status_code == 403
    assert browser("").sign_in("vera", "another long password").status_code == 303
    adam.post("/users/vera/change", disabled="1")
    assert browser("").sign_in("vera", "another long password").status_code == 403
    adam.post("/users/vera/change", disabled="0")
    assert not services.users.get("vera").disabled
    adam.post("/users/nina/remove")
    assert services.users.get("nina") is None

    records = [(one["who"], one["what"]) for one in services.keeping.ledger.records()]
    for what in (
        "user nina added as reviewer",
        "user vera: role officer",
        "user vera: new password",
        "user vera: disabled",
        "user vera: enabled",
        "user nina removed",
    ):
        assert ("console adam", what) in records


def test_nobody_takes_their_own_key_away(browser, services):
    adam = browser("adam")
    for path, fields in (
        ("/users/adam/change", {"role": "viewer"}),
        ("/users/adam/change", {"disabled": "1"}),
        ("/users/adam/remove", {}),
    ):
        adam.post(path, **fields)
        assert "nobody takes the key from themselves" in adam.get("/users").text
    kept = services.users.get("adam")
    assert (kept.role, kept.disabled) == ("admin", False)


@pytest.mark.parametrize(
    "fields, told",
    [
        ({"name": "olga"}, "there is a user olga"),
        ({"password": "short"}, "12 characters or more"),
        ({"role": "root"}, "no role root"),
        ({"name": "<b>x</b>"}, "lower-case letters"),
        ({"name": "../../etc"}, "lower-case letters"),
    ],
)
def test_a_wrong_form_is_told_and_changes_nothing(calm, fields, told):
    adam = calm("adam")
    adam.post("/users/add", **({"name": "new", "role": "viewer", "password": PASSWORD} | fields))
    page = adam.get("/users").text
    assert told in page
    assert "<b>x" not in page
    assert ">new<" not in page
