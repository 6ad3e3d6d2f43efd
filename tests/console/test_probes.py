"""What an attacker tries from another page, another name, another role or the wire is refused."""

import http.client
import json
import re
import socket
import time
from pathlib import Path

import pytest
from starlette.responses import Response

from dlp.console import app, sessions
from dlp.console.endpoint import Endpoint
from dlp.console.request_context import set_cookie
from dlp.errors import ConfigError
from dlp.store import queries, users
from dlp.store.catalogue import Catalogue
from tests.console import site
from tests.console.conftest import LOCAL
from tests.support.console_server import BackgroundServer

PAGES = ("/", "/files", "/folders", "/people", "/review", "/review/suppressions", "/review/rules", "/quarantine",
         "/sensitivity", "/coverage", "/exposure", "/breach", "/find", "/policy", "/ledger", "/users")  # fmt: skip
CHANGES = ("/files/1/confirm", "/files/1/false-positive", "/files/1/accept", "/files/1/reopen", "/files/1/reveal",
           "/files/1/sanitise", "/files/1/sanitise/replace", "/review/suppressions/1/withdraw", "/sensitivity/save",
           "/ledger/verify", "/sign-out")  # fmt: skip
OFFICERS = (
    "/files/1/accept",
    "/files/1/sanitise",
    "/files/1/sanitise/replace",
    "/review/suppressions/1/withdraw",
    "/sensitivity/save",
)


# -- whose name the request carries -------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8464",
        "localhost.evil",
        "127.0.0.1@evil.example",
        "",
        "[::1].evil",
        "0.0.0.0",
    ],
)
def test_dns_rebinding_finds_no_console(calm, host):
    answer = calm().get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "Overview" not in answer.text


def test_two_hosts_are_none(services):
    with BackgroundServer(services, Endpoint(port=0), refresh_summaries=False) as server:
        port = int(server.address.rpartition(":")[2])
        answer = wire(
            port, b"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n"
        )
        assert b" 421 " in answer.split(b"\r\n")[0] or b" 400 " in answer.split(b"\r\n")[0]
        # request smuggling: two lengths, a length and chunks
        for headers in (
            b"Content-Length: 3\r\nContent-Length: 5\r\n",
            b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        ):
            answer = wire(
                port, b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + b"\r\n0\r\n\r\n"
            )
            assert (
                b" 400 " in answer.split(b"\r\n")[0]
                or b" 403 " in answer.split(b"\r\n")[0]
                or b" 415 " in answer.split(b"\r\n")[0]
            )
        # a body without end, in chunks
        chunk = b"1000\r\n" + b"a" * 4096 + b"\r\n"
        answer = wire(
            port,
            b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
            + chunk * 40,
        )
        assert b" 413 " in answer.split(b"\r\n")[0]
        # headers without end
        answer = wire(
            port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n"
        )
        assert (
            answer == b""
            or b" 400 " in answer.split(b"\r\n")[0]
            or b" 431 " in answer.split(b"\r\n")[0]
        )
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/sign-in")
        reply = connection.getresponse()
        assert "server" not in {name.lower() for name, _ in reply.getheaders()}
        connection.close()


def wire(port, raw):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as plug:
        try:
            plug.sendall(raw)
            return plug.recv(65536)
        except ConnectionError:
            return b""


# -- forms that are not ours ---------------------------------------------------------------------


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_without_the_forms_token_is_refused(calm, path):
    assert calm("adam").client.post(path, data={"why": "because"}).status_code == 403


def test_somebody_elses_token_is_no_token(calm):
    theirs = calm("vera").token()
    assert calm("adam").post("/ledger/verify", token=theirs).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": LOCAL + ".evil.example"},
    ],
)
def test_a_form_from_another_page_is_refused_even_with_the_token(calm, headers):
    adam = calm("adam")
    answer = adam.client.post("/ledger/verify", data={"token": adam.token()}, headers=headers)
    assert answer.status_code == 403


def test_signing_somebody_in_from_another_page_is_refused(browser):
    nobody = browser("")
    sent = {"name": "vera", "password": site.PASSWORD, "token": "0" * 64}
    assert nobody.client.post("/sign-in", data=sent).status_code == 403


@pytest.mark.parametrize("path", CHANGES)
def test_a_link_changes_nothing(calm, path):
    """Method confusion: what a POST does, a GET does not, nor an overridden one."""
    adam = calm("adam")
    assert adam.get(path).status_code == 405
    assert adam.get(path, headers={"x-http-method-override": "POST"}).status_code == 405


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "OPTIONS", "CONNECT", "PROPFIND"])
def test_other_methods_are_refused(calm, method):
    assert calm().client.request(method, "/files").status_code == 405


def test_a_form_as_json_or_multipart_is_refused(calm):
    adam = calm("adam")
    token = adam.token()
    assert adam.client.post("/ledger/verify", json={"token": token}).status_code == 415
    assert adam.client.post("/ledger/verify", files={"token": ("a", token)}).status_code == 415


def test_a_field_given_twice_is_refused(calm):
    adam = calm("adam")
    body = f"token={adam.token()}&token=x"
    answer = adam.client.post(
        "/ledger/verify",
        content=body,
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 400


# -- roles -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [p for p in CHANGES if p not in {"/ledger/verify", "/sign-out"}])
def test_a_viewer_changes_nothing(calm, path):
    assert calm("vera").post(path, why="because", until="2030-01-01").status_code == 403


@pytest.mark.parametrize("path", OFFICERS)
def test_a_reviewer_is_no_officer(calm, path):
    assert calm("remy").post(path, why="because", until="2030-01-01").status_code == 403


def test_a_role_sent_along_is_not_believed(browser, services):
    vera = browser("vera")
    vera.client.cookies.set("role", "admin")
    answer = vera.client.post(
        "/files/1/confirm?role=admin",
        data={"token": vera.token(), "why": "because", "role": "admin"},
        headers={"x-role": "admin", "x-remote-user": "adam"},
    )
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "path", [*PAGES, "/files/1", "/quarantine/0123456789abcdef", "/people/P-000000"]
)
def test_nobody_sees_anything_without_signing_in(calm, path):
    answer = calm("").get(path)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/sign-in"


def test_a_new_role_or_password_ends_the_session(browser, services):
    vera = browser("vera")
    services.users.change("vera", role="reviewer")
    assert vera.get("/").status_code == 303


def test_a_disabled_user_is_out_at_once_and_cannot_come_back(browser, services):
    vera = browser("vera")
    services.users.change("vera", disabled=1)
    assert vera.get("/").status_code == 303
    assert browser("").sign_in("vera").status_code == 403


# -- sessions --------------------------------------------------------------------------------------


def test_a_planted_session_is_worth_nothing(browser):
    nobody = browser("")
    nobody.client.cookies.set("dlp_session", "planted", domain="127.0.0.1")
    assert nobody.sign_in("vera").status_code == 303
    values = {cookie.value for cookie in nobody.client.cookies.jar if cookie.name == "dlp_session"}
    assert any(len(value) > 40 for value in values)
    other = browser("")
    other.client.cookies.set("dlp_session", "planted")
    assert other.get("/").status_code == 303


def test_signing_in_again_ends_the_session_before(browser, services):
    vera = browser("vera")
    old = vera.client.cookies["dlp_session"]
    vera.client.get("/sign-in")
    token = re.search(r'value="([0-9a-f]{64})"', browser("").get("/sign-in").text)
    assert token
    vera.post("/sign-out")
    vera.client.cookies.set("dlp_session", old, domain="127.0.0.1")
    assert vera.get("/").status_code == 303


def test_sessions_end_by_themselves(browser, services):
    vera = browser("vera")
    now = time.time()
    services.sessions._clock = lambda: now + sessions.IDLE_SECONDS + 1
    assert vera.get("/").status_code == 303


def test_sessions_end_however_busy_they_are(browser, services):
    vera = browser("vera")
    now = time.time()
    for minutes in range(10, 8 * 60 + 20, 10):
        services.sessions._clock = lambda minutes=minutes: now + minutes * 60
        last = vera.get("/sign-in")
    assert last.status_code == 200  # the form, not the way in


def test_the_cookie_is_hidden_from_scripts_and_other_sites(browser):
    cookie = browser("").sign_in("vera").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie


def test_with_tls_the_cookie_is_bound_to_this_host(services):
    services.tls = True
    answer = Response()
    set_cookie(answer, services, "t")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-dlp_session=")
    assert "secure" in cookie.lower()


def test_guessing_passwords_ends_in_a_wait(browser, services):
    nobody = browser("")
    codes = [nobody.sign_in("vera", f"wrong password {n}").status_code for n in range(7)]
    assert codes == [403] * 5 + [429] * 2
    assert nobody.sign_in("vera").status_code == 429  # even the right one waits
    assert "sign-in blocked" in str(services.keeping.ledger.records())


def test_guessing_names_ends_in_a_wait_too(browser):
    nobody = browser("")
    codes = [nobody.sign_in(f"user{n}", "wrong password").status_code for n in range(32)]
    assert codes[-1] == 429


def test_a_wrong_name_looks_like_a_wrong_password(browser):
    nobody = browser("")
    texts = {
        re.sub(r'value="[0-9a-f]{64}"', "", nobody.sign_in(name, "wrong password").text)
        for name in ("vera", "no.such.user")
    }
    assert len(texts) == 1


def test_a_flood_of_requests_is_slowed(browser, monkeypatch):
    monkeypatch.setattr(sessions, "PER_MINUTE", 20)
    vera = browser("vera")
    assert 429 in {vera.get("/sign-in").status_code for _ in range(25)}


def test_passwords_are_kept_by_scrypt_at_its_real_cost(monkeypatch):
    assert int(users.sealed("a long password").split("$")[1]) <= 2**16
    cost = int(
        re.search(r"COST, BLOCK, LANES = 2\*\*(\d+), 8, 1", Path(users.__file__).read_text())[1]
    )
    assert cost >= 16
    secret = f"scrypt${2**cost}$8$1$00$" + users.derived("a long password", b"\0", 2**cost).hex()
    assert users.matches(secret, "a long password")
    assert not users.matches(secret, "a long passwore")


# -- what a page carries ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*PAGES, "/sign-in", "/nowhere", "/files/999999"])
def test_every_answer_forbids_frames_sniffing_caching_and_foreign_code(calm, path):
    headers = calm("adam").get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_no_page_needs_inline_code_or_anything_from_elsewhere(calm, path):
    answer = calm("adam").get(path)
    assert answer.status_code == 200
    text = answer.text
    assert not re.search(r"<script(?! src=\"/static/)", text)
    assert not re.search(r"\sstyle=|\son[a-z]+=|javascript:|<style", text)
    assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", text)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/app.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/files/../../etc/passwd",
        "/static/%00",
        "/quarantine/..%2f..%2fvault",
        "/people/..%2f..",
        "/static/..%252fapp.py",
    ],
)
def test_no_path_leads_out_of_the_house(calm, path):
    answer = calm().client.request("GET", path)
    assert answer.status_code in {404, 405}
    assert "import" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "where",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "%0d%0aLocation:%20https://evil.example",
    ],
)
def test_no_redirect_leads_elsewhere(browser, where):
    nobody = browser("")
    for path in (f"/?next={where}", f"/sign-in?next={where}", f"/files?return={where}"):
        location = nobody.get(path).headers.get("location", "/sign-in")
        assert location == "/sign-in"
    sent = {
        "name": "vera",
        "password": site.PASSWORD,
        "next": where,
        "token": nobody.token("/sign-in"),
    }
    assert nobody.client.post("/sign-in", data=sent).headers["location"] == "/"


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nSet-Cookie: x=y", "\u2028", "a\0b"])
def test_no_answer_repeats_a_header_that_was_sent(browser, value):
    olga = browser()
    answer = olga.get("/files", params={"q": value, "sort": value, "topic": value})
    assert "x-evil" not in answer.headers
    assert "set-cookie" not in answer.headers
    number = olga.file("note.txt")
    done = olga.post(f"/files/{number}/confirm", why=f"fine {value}")
    assert done.headers["location"] == f"/files/{number}"
    assert "x-evil" not in done.headers


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '"><svg onload=alert(1)>',
        "{{ 7 * 7 }}",
        "${7*7}",
        "'--",
        "%27 OR 1=1",
    ],
)
def test_what_is_typed_comes_back_as_text(browser, text):
    olga = browser()
    for page in (
        olga.get("/files", params={"q": text}),
        olga.get("/sensitivity", params={"term": text}),
    ):
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<svg onload" not in page.text
        assert "49" not in re.findall(r"value=\"([^\"]*)\"", page.text)
    number = olga.file("note.txt")
    olga.post(f"/files/{number}/confirm", why=f"reason {text}")
    for page in (olga.get(f"/files/{number}"), olga.get("/ledger")):
        assert "<script>alert" not in page.text
        assert "<svg onload" not in page.text


def test_a_cell_of_a_csv_never_starts_a_formula(browser, services, base):
    writer = Catalogue(services.engine)
    writer.add(site.record("=cmd|' /C calc'!A0", [site.person(900)]))
    writer.flush()
    text = browser().get("/files?q=calc&format=csv").text
    assert ",'=cmd" in text or "\"'=cmd" in text


@pytest.mark.parametrize("number", ["0", "-1", "1e3", "9" * 30, "1;drop table files", "%00", "١"])
def test_a_number_that_is_none_leads_nowhere(calm, number):
    assert calm().get(f"/files/{number}").status_code == 404


def test_a_large_body_a_long_path_and_many_fields_are_refused(calm):
    adam = calm("adam")
    token = adam.token()
    assert (
        adam.client.post(
            "/ledger/verify", data={"token": token, "x": "a" * app.MOST_BODY}
        ).status_code
        == 413
    )
    assert (
        adam.client.post(
            "/ledger/verify", data={"token": token, **{f"x{n}": "" for n in range(60)}}
        ).status_code
        == 400
    )
    assert adam.get("/files/" + "1" * 3000).status_code == 414
    assert adam.get("/files", params={"q": "a" * 5000}).status_code == 414
    lie = adam.client.post("/ledger/verify", content=b"x", headers={"content-length": "-5"})
    assert lie.status_code in {400, 413}


def test_a_false_positive_takes_only_a_mark_the_person_bears(browser, services):
    remy = browser("remy")
    number = remy.file("letter.txt")
    other = site.person(2)["fingerprints"][0]
    answer = remy.post(
        f"/files/{number}/false-positive",
        person=site.person(1)["id"],
        mark=other,
        why="clever",
        until="2027-01-01",
    )
    assert answer.status_code == 409
    assert queries.one_file(services.engine, number)["privacy"] > 0.8


def test_the_api_takes_no_cookie_and_no_foreign_token(browser):
    olga = browser("olga")
    assert olga.get("/api/v1/files").status_code == 401
    for header in (
        "Bearer",
        "Bearer x",
        "Basic b2xnYTp4",
        f"Token {olga.client.cookies['dlp_session']}",
    ):
        assert olga.get("/api/v1/files", headers={"authorization": header}).status_code == 401


def test_the_api_guards_roles_and_guesses_too(browser):
    nobody = browser("")
    for n in range(5):
        assert (
            nobody.client.post(
                "/api/v1/session", json={"name": "vera", "password": f"x{n}"}
            ).status_code
            == 401
        )
    assert (
        nobody.client.post(
            "/api/v1/session", json={"name": "vera", "password": site.PASSWORD}
        ).status_code
        == 429
    )
    token = nobody.client.post(
        "/api/v1/session", json={"name": "remy", "password": site.PASSWORD}
    ).json()["token"]
    asked = {"decision": "accept", "why": "because", "until": "2027-01-01"}
    answer = nobody.client.post(
        "/api/v1/files/1/decisions", json=asked, headers={"authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 403


def test_an_error_of_ours_tells_nothing_about_the_house(browser, services, monkeypatch):
    olga = browser()
    monkeypatch.setattr(queries, "listed", lambda *_: 1 / 0)
    olga.client._transport.raise_server_exceptions = False
    answer = olga.get("/files")
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert "ZeroDivision" not in answer.text
    assert "content-security-policy" in answer.headers


def test_beyond_this_machine_only_with_a_certificate():
    with pytest.raises(ConfigError, match="in the clear"):
        Endpoint(address="0.0.0.0").check()
    Endpoint(address="0.0.0.0", behind_proxy=True).check()
    Endpoint(address="::1").check()


def test_no_page_or_row_tells_a_value(browser):
    """The catalogue holds none; the pages must not invent a way to one."""
    olga = browser()
    token = olga.client.post(
        "/api/v1/session", json={"name": "olga", "password": site.PASSWORD}
    ).json()["token"]
    body = olga.get(
        f"/api/v1/files/{olga.file('letter.txt')}", headers={"authorization": f"Bearer {token}"}
    ).text
    assert json.loads(body)["persons"][0]["person"].startswith("P-")
    assert "Ana" not in body
