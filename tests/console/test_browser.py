"""A compliance officer's walk in a real browser; every page free of barriers, in light and in dark."""

import re
import shutil
import tempfile
import time
from datetime import UTC, datetime, timedelta

import pytest

selenium = pytest.importorskip("selenium")
axe_core = pytest.importorskip("axe_core_python")

from pathlib import Path  # noqa: E402

from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import (  # noqa: E402
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

from dlp.console.endpoint import Endpoint  # noqa: E402
from dlp.store import queries  # noqa: E402
from tests.console import site  # noqa: E402
from tests.support.console_server import BackgroundServer  # noqa: E402

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium with chromedriver here"
)
AXE = (Path(axe_core.__file__).parent / "axe.min.js").read_text()
PAGES = ("/", "/folders", "/files", "/people", "/review", "/review/suppressions", "/review/rules", "/quarantine",
         "/quarantine?all=1", "/sensitivity", "/sensitivity?term=asthma&value=0.9", "/coverage",
         "/exposure", "/breach", "/find", "/policy", "/policy?critical=quarantine", "/ledger", "/users", "/nowhere")  # fmt: skip


@pytest.fixture(scope="module")
def chrome():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    with tempfile.TemporaryDirectory() as profile:
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--disable-component-update", "--disable-sync", "--no-first-run", "--window-size=1360,1000", f"--user-data-dir={profile}"):  # fmt: skip
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        yield driver
        driver.quit()


@pytest.fixture
def served(services):
    with BackgroundServer(services, Endpoint(port=0), refresh_summaries=False) as server:
        yield server.address


class Walk:
    def __init__(self, chrome, address):
        self.chrome = chrome
        self.address = address
        chrome.delete_all_cookies()

    def go(self, path):
        self.chrome.get(self.address + path)

    def find(self, css):
        return self.chrome.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.chrome.find_elements(By.CSS_SELECTOR, css)

    def sign_in(self, name):
        self.chrome.get(self.address + "/sign-in")
        self.find("#name").send_keys(name)
        self.find("#password").send_keys(site.PASSWORD + Keys.ENTER)
        self.wait(lambda: self.text("h1") == "Overview")

    def text(self, css):
        return self.find(css).text

    def wait(self, question, seconds=20):
        """Ask until the answer is yes; a page that turns while it is asked has not answered yet."""
        end = time.monotonic() + seconds
        while not self.answers(question):
            assert time.monotonic() < end, self.chrome.page_source[-3000:]
            time.sleep(0.05)

    def answers(self, question):
        try:
            return question()
        except (NoSuchElementException, StaleElementReferenceException):
            return False

    def turns(self, page):
        """Wait until the page is gone and the next one is whole."""
        self.wait(lambda: gone(page))
        self.wait(lambda: self.chrome.execute_script("return document.readyState") == "complete")

    def fill(self, form, **fields):
        for name, value in fields.items():
            box = form.find_element(By.NAME, name)
            if box.get_attribute("type") == "date":
                self.chrome.execute_script("arguments[0].value = arguments[1]", box, value)
            else:
                box.clear()
                box.send_keys(value)

    def send(self, form, **fields):
        """Fill in a form and wait until the next page is there."""
        self.fill(form, **fields)
        page = self.find("html")
        button = form.find_element(By.CSS_SELECTOR, "button")
        self.chrome.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        self.turns(page)

    def barriers(self):
        self.chrome.execute_script(AXE)
        found = self.chrome.execute_async_script(
            "const done = arguments[0]; axe.run().then(r => done(r.violations))"
        )
        return [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found]


def gone(element):
    try:
        element.tag_name  # noqa: B018
    except selenium.common.exceptions.WebDriverException:
        return True
    return False


@pytest.fixture
def walk(chrome, served):
    return Walk(chrome, served)


def test_the_officers_day(walk, services, base):
    """Funnel, worst file, why, false positive, release, restore, sensitivity, ledger."""
    walk.sign_in("olga")
    assert "124 of 128 files" in walk.text(".lead")
    assert len(walk.all("section[aria-labelledby=folders] tbody tr")) <= 10
    walk.find("nav[aria-label=Sections] a[href='/folders']").click()
    walk.wait(lambda: walk.text("h1") == "Folders by risk")
    walk.find("nav.tabs a[href='/files']").click()
    walk.wait(lambda: walk.text("h1") == "Files by risk")
    assert walk.text("tbody tr a.path") == "letter.txt"  # the worst first

    menu = walk.find("select[name=container]")  # filters apply at once
    page = walk.find("html")
    menu.send_keys("possible")
    walk.turns(page)
    assert "container=possible" in walk.chrome.current_url
    assert "3 files" in walk.text(".lead")

    walk.go("/files")
    walk.find("body").send_keys("j")  # the keyboard walks the rows
    assert walk.chrome.switch_to.active_element.text == "letter.txt"
    walk.chrome.switch_to.active_element.send_keys("j")
    assert walk.chrome.switch_to.active_element.text != "letter.txt"
    walk.chrome.switch_to.active_element.send_keys("k")
    assert walk.chrome.switch_to.active_element.text == "letter.txt"
    walk.chrome.switch_to.active_element.send_keys("/")
    assert walk.chrome.switch_to.active_element.find_element(
        By.XPATH, "./ancestor::form[contains(@class, 'filters')]"
    )
    walk.chrome.switch_to.active_element.send_keys("k")  # a letter in a field is a letter
    assert walk.chrome.switch_to.active_element.tag_name in {"input", "select"}
    walk.go("/files")
    walk.find("body").send_keys("j")
    page = walk.find("html")
    walk.chrome.switch_to.active_element.send_keys(Keys.ENTER)
    walk.turns(page)
    assert "leaves no doubt who it is" in walk.text(".lead")
    assert "p = 1 ÷ 1 = 1.00" in walk.text(".person")
    assert walk.find(".person svg[role=img]").is_displayed()
    number = int(walk.chrome.current_url.rpartition("/")[2])

    walk.find(".harmless-form summary").click()
    until = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()
    walk.send(walk.find(".harmless-form form"), why="a character in a novel", until=until)
    assert f"until {until}" in walk.text(".said")
    assert queries.one_file(services.engine, number)["privacy"] == 0
    walk.go("/files?container=phi")
    assert "letter.txt" not in [row.text for row in walk.all("tbody tr a.path")][:20]

    for name, action, left in (
        ("held.txt", "restore", "restored"),
        ("held too.txt", "release", "purged"),
    ):
        walk.go("/quarantine")
        row = next(row for row in walk.all("tbody tr") if row.text.split("\n")[0].find(name) >= 0)
        page = walk.find("html")
        row.find_element(By.CSS_SELECTOR, "a").click()
        walk.turns(page)
        walk.send(walk.find(f"form[action$='/{action}']"), why="needed for the clinic")
        assert left in walk.text(".facts")
    assert (base / "share/wards/held.txt").exists()
    assert (base / "share/mail/held too.txt").exists()

    walk.go("/files?sort=privacy")
    before = [row.text for row in walk.all("tbody tr a.path")]
    assert "list.csv" in before
    assert "note.txt" not in before
    walk.go("/sensitivity?term=asthma")
    walk.send(walk.find("aside form[method=get]"), value="0.97")
    assert "would be scored again" in walk.text("section[aria-labelledby=effect]")
    walk.send(walk.find("form[action='/sensitivity/save']"), why="a matter of work here")
    assert "files were scored again" in walk.text(".said")
    walk.go("/files")
    assert "0.97" in walk.text("tbody tr")
    assert [row.text for row in walk.all("tbody tr a.path")] != before  # the ranking moved

    walk.go("/ledger")
    walk.send(walk.find("form[action='/ledger/verify']"))
    assert "Whole: all" in walk.text(".said")
    page = walk.find("html")
    walk.find("form[action='/sign-out'] button").click()
    walk.turns(page)
    assert walk.text("h1") == "Sign in to dlp"


def test_an_officer_finds_a_person_and_nothing_of_them_stays(walk, services):
    walk.sign_in("olga")
    walk.go("/find")
    walk.send(walk.find("form[action='/find']"), last=site.ANA.last, birth="7 March 1961")
    walk.wait(lambda: walk.all("#found"))
    assert [cell.text for cell in walk.all("tbody td a.path")] == ["letter.txt", "000.txt"]
    assert walk.barriers() == []
    assert site.ANA.last not in walk.chrome.page_source
    assert "?" not in walk.chrome.current_url
    said = [str(row["what"]) for row in services.keeping.ledger.records()]
    assert "looked for a person: 2 of 128 files" in said


def test_a_viewer_looks_and_is_refused(walk, services):
    walk.sign_in("vera")
    walk.go("/files")
    walk.find("tbody tr a.path").click()
    walk.wait(lambda: walk.all(".verdict"))
    assert not walk.all("main form")
    number = walk.chrome.current_url.rpartition("/")[2]
    token = walk.find("input[name=token]").get_attribute("value")
    walk.chrome.execute_script(
        "const f = document.createElement('form'); f.method = 'post'; f.action = arguments[0];"
        "for (const [k, v] of [['token', arguments[1]], ['why', 'because']]) {"
        "  const i = document.createElement('input'); i.name = k; i.value = v; f.append(i); }"
        "document.body.append(f); f.submit();", f"/files/{number}/confirm", token)  # fmt: skip
    walk.wait(lambda: "does not allow" in walk.chrome.page_source)
    assert queries.one_file(services.engine, int(number))["review"] == "open"


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_no_page_has_a_barrier_asks_elsewhere_or_breaks_its_own_policy(walk, services, scheme):
    services.reader = site.Answers()
    walk.chrome.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    walk.chrome.get_log("performance")
    walk.chrome.get_log("browser")
    walk.go("/sign-in")
    found = {"/sign-in": walk.barriers()}
    walk.sign_in("adam")  # who sees every form there is
    walk.go("/files")
    more = [
        re.sub(r"^https?://[^/]+", "", one.get_attribute("href"))
        for one in walk.all("tbody tr a.path")[:2]
    ]
    walk.go("/people")
    more += [re.sub(r"^https?://[^/]+", "", walk.find("tbody tr a").get_attribute("href"))]
    walk.go("/quarantine")
    more += [re.sub(r"^https?://[^/]+", "", walk.find("tbody tr a").get_attribute("href"))]
    for path in (*PAGES, *more):
        walk.go(path)
        walk.chrome.execute_script(
            "for (const d of document.querySelectorAll('details')) d.open = true"
        )
        found[path] = walk.barriers()
    for form, fields in (("reveal", {"why": "checking"}), ("sanitise", {})):
        walk.go(more[0])
        walk.chrome.execute_script(
            "for (const d of document.querySelectorAll('details')) d.open = true"
        )
        walk.send(walk.find(f"form[action$='/{form}']"), **fields)
        assert walk.text("h1") in {"Masked excerpts", "Sanitise: preview"}
        found[form] = walk.barriers()
    assert {path: told for path, told in found.items() if told} == {}
    asked = re.findall(
        r'"url":\s*"(https?://[^"]+)"',
        " ".join(
            entry["message"].replace('\\"', '"') for entry in walk.chrome.get_log("performance")
        ),
    )
    assert {url for url in asked if not url.startswith(walk.address)} == set()
    broken = [
        entry["message"]
        for entry in walk.chrome.get_log("browser")
        if "404" not in entry["message"]
    ]
    assert broken == []


def test_without_script_everything_still_works(walk, services):
    walk.chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        walk.sign_in("olga")
        walk.go("/files?container=phi&level=critical")
        walk.find("tbody tr a.path").click()
        walk.wait(lambda: walk.all(".verdict"))
        number = int(walk.chrome.current_url.rpartition("/")[2])
        walk.find("#do-confirm").find_element(By.XPATH, "./ancestor::form").find_element(
            By.NAME, "why"
        ).send_keys("seen it" + Keys.ENTER)
        walk.wait(lambda: queries.one_file(services.engine, number)["review"] == "confirmed")
    finally:
        walk.chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
