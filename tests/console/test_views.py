"""Every view shows what the catalogue holds: in order, in pages, as CSV, and nothing twice."""

import csv
import io
import re

from tests.console.site import SCRIPT


def rows(answer):
    return list(csv.DictReader(io.StringIO(answer.text)))


def test_the_overview_counts_what_the_catalogue_holds(calm):
    text = calm().get("/").text
    assert "124 of 128 files" in text
    assert "PHI files" in text
    assert "2</span> in quarantine" in text


def test_files_come_worst_first_in_pages_that_neither_skip_nor_repeat(calm):
    olga = calm()
    seen, address = [], "/files?container=phi"
    while address:
        text = olga.get(address).text
        seen += re.findall(r'<a class="path" href="/files/(\d+)"', text)
        later = re.search(r'rel="next" href="([^"]+)"', text)
        address = later[1].replace("&amp;", "&") if later else ""
    assert len(seen) == len(set(seen)) == 124
    exported = rows(olga.get("/files?container=phi&format=csv"))
    assert [row["id"] for row in exported] == seen
    scores = [float(row["risk"]) for row in exported]
    assert scores == sorted(scores, reverse=True)


def test_going_back_a_page_shows_the_page_before(calm):
    olga = calm()
    first = olga.get("/files").text
    second = olga.get(re.search(r'rel="next" href="([^"]+)"', first)[1].replace("&amp;", "&")).text
    again = olga.get(re.search(r'rel="prev" href="([^"]+)"', second)[1].replace("&amp;", "&")).text
    numbers = [re.findall(r'<a class="path" href="/files/(\d+)"', text) for text in (first, again)]
    assert numbers[0] == numbers[1]


def test_filters_narrow_and_sorts_sort(calm):
    olga = calm()
    assert len(rows(olga.get("/files?gap=any&format=csv"))) == 2
    assert len(rows(olga.get("/files?gap=too_large&format=csv"))) == 1
    assert {row["level"] for row in rows(olga.get("/files?level=critical&format=csv"))} == {
        "critical"
    }
    assert len(rows(olga.get("/files?q=bulk&format=csv"))) == 120
    people = [int(row["people"]) for row in rows(olga.get("/files?sort=people&format=csv"))]
    assert people == sorted(people, reverse=True)
    paths = [row["path"] for row in rows(olga.get("/files?sort=path&q=bulk&format=csv"))]
    assert paths == sorted(paths)


def test_a_topic_finds_files_by_what_they_imply(calm):
    olga = calm()
    assert [
        row["path"].rpartition("/")[2] for row in rows(olga.get("/files?topic=hiv&format=csv"))
    ] == ["letter.txt"]
    assert len(rows(olga.get("/files?topic=Asthma&format=csv"))) == 123


def test_nonsense_in_an_address_is_passed_by(calm):
    olga = calm()
    for query in (
        "sort=evil&order=x",
        "after=~",
        "after=nan~1",
        "after=zz~1&sort=path",
        "level=%00",
        "folder=99999999999999999999",
        "topic=%F0%9F%92%A9",
    ):
        assert olga.get(f"/files?{query}").status_code == 200, query


def test_folders_add_up_the_harm_to_each_person(calm):
    listed = rows(calm().get("/folders?format=csv"))
    assert listed[0]["path"].endswith("/bulk")
    assert abs(float(listed[0]["harm"]) - sum(0.1 + n / 1000 for n in range(120))) < 1e-9
    assert (listed[0]["people"], listed[0]["phi"]) == ("120", "120")


def test_people_are_pseudonyms_that_stay(calm):
    listed = rows(calm().get("/people?format=csv"))
    assert len(listed) == 133
    assert all(re.fullmatch(r"P-[0-9A-F]{6,16}", row["name"]) for row in listed)
    one = listed[0]["name"]
    assert f'href="/people/{one}"' in calm().get("/people").text


def test_a_files_page_says_why(calm):
    olga = calm()
    text = olga.get(f"/files/{olga.file('letter.txt')}").text
    assert "leaves no doubt who it is" in text
    assert "p = 1 ÷ 1 = 1.00" in text
    assert "HIV Infections" in text
    assert "8,000,000,000 people in the world" in text
    assert "<svg" in text


def test_a_hostile_name_is_shown_not_obeyed(calm):
    olga = calm()
    for text in (olga.get("/files?q=alert").text, olga.get(f"/files/{olga.file('alert')}").text):
        assert SCRIPT not in text
        assert "<img src=x" not in text
        assert "&lt;script&gt;" in text


def test_exposure_shows_counts_and_the_files_behind_them(calm):
    olga = calm()
    page = olga.get("/exposure").text
    assert "Breach worksheet" in page
    assert {row["exposure"] for row in rows(olga.get("/exposure?exposure=group&format=csv"))} == {
        "group"
    }
    for view in ("stale", "orphaned"):
        found = rows(olga.get(f"/exposure?view={view}&format=csv"))
        assert [row["path"].rpartition("/")[2] for row in found] == ["list.csv"], view


def test_an_officer_makes_a_breach_worksheet_and_it_is_recorded(browser, services):
    olga, vera = browser("olga"), browser("vera")
    assert vera.get("/breach").status_code == 403
    assert "133 people" in olga.get("/breach").text
    found = {row["field"]: row["value"] for row in rows(olga.get("/breach?format=csv"))}
    assert found["affected, each counted once"] == "133"
    said = [str(row["what"]) for row in services.keeping.ledger.records()]
    assert said.count("made a breach worksheet") == 2


def test_an_officer_finds_a_person(browser, services):
    olga, ana = browser("olga"), {"first": "ana", "last": "DELACOURT", "birth": "1961-03-07"}
    assert browser("vera").get("/find").status_code == 403
    found = rows(olga.post("/find", **ana, format="csv"))
    shown = {row["path"].rpartition("/")[2]: (row["degree"], row["erasure"]) for row in found}
    assert shown == {"letter.txt": ("certain", "delete: nobody else is in it"),
                     "000.txt": ("certain", "delete: nobody else is in it")}  # fmt: skip
    assert len(rows(olga.post("/find", first="Ana", last="Delacourt", format="csv"))) == 3
    assert len(rows(olga.post("/find", number="k-447 1902", format="csv"))) == 2
    for wrong in ({"first": "Ana"}, {"birth": "soon", "last": "Delacourt"}, {"number": "12"}):
        answer = olga.post("/find", **wrong)
        assert answer.status_code == 400
        assert "Delacourt" not in answer.text
    said = [str(row["what"]) for row in services.keeping.ledger.records()]
    assert said.count("looked for a person: 2 of 128 files") == 2
    assert not any("Delacourt" in line or "4471902" in line for line in said)


def test_an_officer_tries_a_policy_and_nothing_happens(browser):
    olga = browser("olga")
    assert browser("vera").get("/policy").status_code == 403
    tried = rows(olga.get("/policy?critical=quarantine&high=notify&format=csv"))
    files = {row["action"]: int(row["files"]) for row in tried}
    assert (files["quarantine"], files["notify"], files["sanitise"]) == (1, 122, 0)
    assert sum(files.values()) == 128
    assert "Nothing is touched" in olga.get("/policy").text
