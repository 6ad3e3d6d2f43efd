"""A real browser shows the page as promised: alone, in light and dark, on a phone."""

import shutil

import pytest

from dlp.report.html_page import page

pytestmark = pytest.mark.skipif(
    not (shutil.which("chromedriver") and shutil.which("chromium")),
    reason="chromium and chromedriver are not installed",
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    selenium = pytest.importorskip("selenium.webdriver")
    options = selenium.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    profile = tmp_path_factory.mktemp("profile")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    service = selenium.ChromeService(shutil.which("chromedriver"))
    with selenium.Chrome(options=options, service=service) as driver:
        yield driver


def shown(browser, tmp_path, overview):
    place = tmp_path / "risk.html"
    place.write_text(page(overview), encoding="utf-8")
    browser.get(place.as_uri())
    return browser.execute_script


def test_nothing_is_loaded_and_nothing_runs(browser, tmp_path, overview):
    ask = shown(browser, tmp_path, overview)
    assert ask("return performance.getEntriesByType('resource').length") == 0
    assert ask("return document.scripts.length") == 0
    assert ask("return document.querySelectorAll('svg[role=img][aria-label]').length") > 5


def test_dark_and_paper_have_colours_of_their_own(browser, tmp_path, overview):
    ask = shown(browser, tmp_path, overview)
    seen = set()
    for media, scheme in (("screen", "light"), ("screen", "dark"), ("print", "dark")):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": media, "features": features}
        )
        seen.add(ask("return getComputedStyle(document.body).backgroundColor"))
        fill = "return getComputedStyle(document.querySelector('.lv-critical')).fill"
        assert ask(fill) not in {"rgb(0, 0, 0)", "none", ""}
    assert len(seen) == 3
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_a_phone_scrolls_down_and_not_sideways(browser, tmp_path, overview):
    ask = shown(browser, tmp_path, overview)
    size = {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert ask("return document.documentElement.scrollWidth") <= 360
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
