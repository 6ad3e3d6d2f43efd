"""The API answers what its own document says, whatever is asked: never with a server error."""

import logging

import hypothesis
import pytest

from dlp.console import sessions
from tests.console import site
from tests.console.conftest import LOCAL

schemathesis = pytest.importorskip("schemathesis")

from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.core.transport import Response  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)


@pytest.fixture
def api(browser):
    client = browser("").client
    token = client.post("/api/v1/session", json={"name": "olga", "password": site.PASSWORD}).json()[
        "token"
    ]
    return client, {"authorization": f"Bearer {token}"}


def test_pages_of_the_api_neither_skip_nor_repeat(api):
    client, key = api
    seen, after = [], ""
    while after is not None:
        asked = {"container": "phi", "limit": "7", **({"after": after} if after else {})}
        answer = client.get("/api/v1/files", params=asked, headers=key).json()
        seen += [row["id"] for row in answer["rows"]]
        after = answer["next"]
    assert len(seen) == len(set(seen)) == answer["total"] == 124


def test_a_decision_through_the_api_is_a_decision(api):
    client, key = api
    number = client.get("/api/v1/files?q=note.txt", headers=key).json()["rows"][0]["id"]
    done = client.post(
        f"/api/v1/files/{number}/decisions",
        json={"decision": "confirm", "why": "seen it"},
        headers=key,
    )
    assert done.json()["review"] == "confirmed"


def test_what_is_wrong_is_named(api):
    client, key = api
    assert "sort: one of" in client.get("/api/v1/files?sort=evil", headers=key).json()["error"]
    assert (
        "no parameter colour" in client.get("/api/v1/files?colour=red", headers=key).json()["error"]
    )
    assert (
        client.post(
            "/api/v1/files/1/decisions",
            content="{",
            headers={**key, "content-type": "application/json"},
        ).status_code
        == 400
    )


def fuzz(client, key, examples):
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    schema = schemathesis.openapi.from_dict(client.get("/api/v1/openapi.json").json())
    asked = 0
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path.endswith("/session"):
            continue  # guessing passwords ends in a wait

        @hypothesis.settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
            phases=[hypothesis.Phase.generate],
        )
        @hypothesis.given(case=operation.as_strategy())
        def probe(case):
            nonlocal asked
            asked += 1
            sent = case.as_transport_kwargs(base_url=LOCAL)
            sent.pop("cookies", None)
            request = client.build_request(
                sent.pop("method"),
                sent.pop("url"),
                **{**sent, "headers": {**dict(sent.get("headers") or {}), **key}},
            )
            response = client.send(request)
            kept = Response.from_httpx(response, verify=False)
            case.validate_response(kept, checks=checks)

        probe()
    return asked


def test_the_document_holds_under_fuzzing(api, monkeypatch):
    monkeypatch.setattr(sessions, "PER_MINUTE", 10**9)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    client, key = api
    assert fuzz(client, key, 3) >= 30


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_the_document_holds_under_long_fuzzing(api, monkeypatch):
    monkeypatch.setattr(sessions, "PER_MINUTE", 10**9)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    client, key = api
    assert fuzz(client, key, 100) >= 900
