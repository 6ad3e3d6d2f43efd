"""One site for the whole module; whoever changes it takes a copy."""

import re
import shutil
import warnings

import pytest

pytest.importorskip("starlette")

with warnings.catch_warnings():  # it would rather have a successor of httpx
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from dlp.console.app import application
from dlp.store import users
from tests.console import site

LOCAL = "http://127.0.0.1:8464"


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords():
    """scrypt at its real cost is tested once; a hundred sign-ins are not."""
    keep = users.COST
    users.COST, users.sealed.__globals__["COST"] = 2**10, 2**10
    users.derived.__defaults__ = (2**10, *users.derived.__defaults__[1:])
    yield
    users.COST = keep


@pytest.fixture(scope="session")
def made(tmp_path_factory, _quick_passwords):
    base = tmp_path_factory.mktemp("site") / "s"
    site.make(base)
    return base


@pytest.fixture
def base(made, tmp_path, monkeypatch):
    """The made site at its own place: the share's path is part of the catalogue."""
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path / "knowledge"))
    kept = tmp_path / "kept"
    shutil.copytree(made, kept)
    yield made
    shutil.rmtree(made)
    shutil.copytree(kept, made)


@pytest.fixture
def services(base):
    opened = site.desk_of(base)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def calm(made, tmp_path_factory):
    """Signed-in clients of a copy that nobody changes, one per role."""
    kept = tmp_path_factory.mktemp("calm") / "s"
    shutil.copytree(made, kept)
    opened = site.desk_of(kept)
    known = {}

    def signed_in(name="olga"):
        if name not in known:
            known[name] = Browser(opened, name)
        known[name].client.cookies.delete("role") if "role" in known[name].client.cookies else None
        return known[name]

    yield signed_in
    opened.close()


class Browser:
    """A signed-in client that fills in forms as a browser would."""

    def __init__(self, services, name="olga"):
        self.client = TestClient(
            application(services, ["127.0.0.1", "localhost"]),
            base_url=LOCAL,
            follow_redirects=False,
        )
        if name:
            assert self.sign_in(name).status_code == 303

    def sign_in(self, name, password=site.PASSWORD):
        return self.client.post(
            "/sign-in", data={"name": name, "password": password, "token": self.token("/sign-in")}
        )

    def token(self, page="/"):
        return re.search(r'name="token" value="([0-9a-f]+)"', self.client.get(page).text)[1]

    def get(self, path, **more):
        return self.client.get(path, **more)

    def post(self, path, **fields):
        token = fields.pop("token", None) or self.token()
        return self.client.post(path, data={"token": token, **fields})

    def file(self, text):
        """The number of the first file whose name holds a text."""
        return int(
            re.search(r'href="/files/(\d+)"', self.get("/files", params={"q": text}).text)[1]
        )


@pytest.fixture
def browser(services):
    return lambda name="olga": Browser(services, name)
