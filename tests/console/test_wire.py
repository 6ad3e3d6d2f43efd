"""Over the wire: TLS when there is a certificate, and behind a proxy only what the proxy says."""

import datetime as dt
import http.client
import ipaddress
import re
import ssl
import urllib.parse

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from dlp.console.endpoint import Endpoint
from dlp.errors import ConfigError
from tests.console import site
from tests.support.console_server import BackgroundServer

NAME = "dlp.clinic.example"


def certificate(folder, name="cert"):
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "dlp test")])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName(NAME), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / f"{name}.pem", folder / f"{name}.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    paths[1].write_bytes(key.private_bytes(pem, form, plain))
    return paths


class Client:
    """One connection a request, headers as given: what a proxy or a stranger sends."""

    def __init__(self, address, **headers):
        where = urllib.parse.urlsplit(address)
        self.port, self.headers, self.context = where.port, headers, None

    def ask(self, method, path, body=None, **headers):
        if self.context:
            link = http.client.HTTPSConnection(
                "127.0.0.1", self.port, timeout=30, context=self.context
            )
        else:
            link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {k.replace("_", "-"): v for k, v in (self.headers | headers).items()}
        link.request(method, path, body, sent)
        answer = link.getresponse()
        text = answer.read().decode()
        link.close()
        return answer, text

    def sign_in(self, name="olga", password=site.PASSWORD, cookies=(), **headers):
        before, page = self.ask("GET", "/sign-in")
        cookie = before.getheader("set-cookie").partition(";")[0]
        token = re.search(r'name="token" value="([0-9a-f]+)"', page)[1]
        form = urllib.parse.urlencode({"name": name, "password": password, "token": token})
        kind = "application/x-www-form-urlencoded"
        kept = "; ".join([cookie, *cookies])
        return self.ask("POST", "/sign-in", form, Content_Type=kind, Cookie=kept, **headers)[0]


def test_with_a_certificate_everything_is_sealed(services, tmp_path):
    paths = certificate(tmp_path)
    endpoint = Endpoint(port=0, certificate=paths[0], key=paths[1])
    services.tls = endpoint.tls
    with BackgroundServer(services, endpoint, refresh_summaries=False) as server:
        assert server.address.startswith("https://127.0.0.1:")
        client = Client(server.address)
        client.context = ssl.create_default_context(cafile=paths[0])
        answer = client.sign_in()
        assert answer.status == 303
        cookies = answer.headers.get_all("set-cookie")
        (cookie,) = (one for one in cookies if one.startswith("__Host-dlp_session="))
        assert {"Secure", "HttpOnly"} <= set(cookie.replace(" ", "").split(";"))
        answer, text = client.ask("GET", "/", Cookie=cookie.partition(";")[0])
        assert "Overview" in text
        assert answer.getheader("strict-transport-security")
        client.context = None
        with pytest.raises((http.client.HTTPException, OSError)):
            client.ask("GET", "/sign-in")


@pytest.mark.parametrize("wrong", ["missing", "no PEM", "another key"])
def test_a_certificate_that_cannot_work_is_named_before_anything_listens(tmp_path, wrong):
    cert, key = certificate(tmp_path)
    if wrong == "missing":
        cert.unlink()
    elif wrong == "no PEM":
        cert.write_text("hello")
    else:
        _, key = certificate(tmp_path, "other")
    with pytest.raises(ConfigError, match="do not work together"):
        Endpoint(certificate=cert, key=key).check()


def test_behind_a_proxy_its_word_counts_and_nobody_elses(services):
    endpoint = Endpoint(port=0, behind_proxy=True, names=(NAME,))
    services.tls = endpoint.tls
    with BackgroundServer(services, endpoint, refresh_summaries=False) as server:
        proxy = {"Host": NAME, "X_Forwarded_Proto": "https", "X_Forwarded_For": "203.0.113.9"}
        client = Client(server.address, **proxy)
        answer = client.sign_in(Origin=f"https://{NAME}", Sec_Fetch_Site="same-origin")
        assert answer.status == 303
        assert "__Host-dlp_session=" in str(answer.headers.get_all("set-cookie"))
        assert answer.getheader("strict-transport-security")
        assert client.sign_in(Origin="https://evil.example").status == 403
        # a name the proxy was asked for and we were not told
        answer, _ = client.ask("GET", "/sign-in", Host="evil.example", X_Forwarded_Host=NAME)
        assert answer.status == 421
        # what somebody claims before the proxy adds the truth
        claims = Client(server.address, **(proxy | {"X_Forwarded_For": "192.0.2.1, 203.0.113.50"}))
        for _ in range(5):
            claims.sign_in(password="wrong wrong wrong")
        claims.headers["X_Forwarded_For"] = "192.0.2.2, 203.0.113.50"
        assert claims.sign_in(password="wrong wrong wrong").status == 429
        assert client.sign_in().status == 303, "somebody else is not shut out with them"


def test_without_a_proxy_a_forwarded_address_is_not_believed(services):
    with BackgroundServer(services, Endpoint(port=0), refresh_summaries=False) as server:
        for number in range(5):
            Client(server.address, X_Forwarded_For=f"192.0.2.{number}").sign_in(password="x" * 12)
        last = Client(server.address, X_Forwarded_For="192.0.2.99").sign_in(password="x" * 12)
        assert last.status == 429
