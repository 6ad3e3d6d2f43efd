"""A small invented catalogue that every format of report is made from."""

import pytest

from dlp.report.incident import from_row
from dlp.report.overview import Knowledge, look_over

HOSTILE = b'/srv/a|b=c\\d\n"e]\x1b[31m<script>alert(1)</script>/\xff \xe2\x82\xac%#?.csv'


NOW = 1_790_100_000.0


def level(_risk, privacy):
    return "critical" if privacy > 0.3 else "low" if privacy else "none"


def row(path, container="phi", **more):
    known = {
        "server": "", "path": path, "container": container, "people": 1, "gaps": "",
        "reason": "2 health facts about an identified person", "privacy": 0.72,
        "identifiability": 0.9, "sensitivity": 0.8, "media_type": "text/csv", "size_bytes": 2048,
        "sha256": "ab" * 32, "rules_version": "rules-1", "review": "open", "review_until": 0.0,
        "judged_at": 1_790_000_000.5, "risk": 72.0, "exposure": "everyone", "readers": 100,
    }  # fmt: skip
    if container != "phi":
        known |= {"privacy": 0.0, "sensitivity": 0.0, "reason": "nobody is identified", "people": 0}
        known |= {"risk": 0.0}
    return known | more


@pytest.fixture
def rows():
    return [
        row(HOSTILE, people=60),
        row(b"/srv/plain/letter.docx", review="accepted", server="files-1", privacy=0.01),
        row(b"/srv/plain/staff.csv", "probable", people=3),
        row(b"relative: name.zip", "possible", gaps="encrypted timeout", sha256=""),
        row(b"/srv/plain/novel.txt", "impossible"),
        row(b"/srv/plain/minutes.txt", "possible"),
    ]


@pytest.fixture
def incidents(rows):
    return [found for one in rows if (found := from_row(one, level)) is not None]


class Together:
    def __init__(self, members):
        self.identifiability = max(m["identifiability"] for m in members)
        self.sensitivity = max(m["sensitivity"] for m in members)
        self.privacy = self.identifiability * self.sensitivity


KNOWLEDGE = Knowledge(level, lambda people: [[n] for n in range(len(people))], Together)


def person(path, name="aa", p=0.9, s=0.8):
    return {"path": path, "server": "", "person": name, "identifiability": p, "sensitivity": s,
            "readers": 100}  # fmt: skip


@pytest.fixture
def overview(rows):
    people = [person(HOSTILE, "a"), person(HOSTILE, "b", s=0.1), person(b"/srv/plain/staff.csv", "c", s=0.0)]  # fmt: skip
    stock = [("2026-09-20", {"phi": 1}), ("2026-09-21", {"phi": 2, "probable": 1})]
    return look_over(
        rows, people, KNOWLEDGE, at=NOW, stock=stock, reviews={"open": 1, "accepted": 1},
        actions={"quarantine: held": 2}, exceptions=1,
    )  # fmt: skip
