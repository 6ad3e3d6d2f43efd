"""A console to try out: an invented share, judged for real, some of it in quarantine.

In: an empty folder.  Out: settings of a small site that lives in it.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dlp import demo_share
from dlp.acquire.file_identity import ref_beneath
from dlp.config import Policy, Settings, Share, Store
from dlp.console.person_linkage import link_all
from dlp.engine.policy_responder import Responder, open_keeping
from dlp.engine.scanning import Scan
from dlp.engine.verdict_actions import verdict_of
from dlp.store.catalogue import Catalogue
from dlp.store.summaries import refresh_folders
from dlp.store.users import ROLES, Users

DAY = 86_400.0
TAKEN = ("exports/old backup.zip", "wards/scan0007.txt", "mail/fwd.eml")
USERS = {"vera": "viewer", "remy": "reviewer", "olga": "officer", "adam": "admin"}

# first, last, birth date, city, condition, drug
PEOPLE = (
    ("Odalys", "Ferncastle", "1957-02-11", "Ottawa", "HIV infection", "dolutegravir"),
    ("Bertrand", "Okonjo-Hale", "1983-09-30", "Halifax", "schizophrenia", "clozapine"),
    ("Philippa", "Vandersloot", "1971-12-05", "Moncton", "breast cancer", "letrozole"),
    ("Casimir", "Thistlewood", "1949-06-18", "Ottawa", "Parkinson disease", "levodopa"),
    ("Ingrid", "Maccallan", "1990-04-27", "Kingston", "bipolar disorder", "lithium"),
    ("Renaud", "Bellweather", "1964-08-14", "Hamilton", "alcoholism", "naltrexone"),
    ("Soledad", "Grimshaw", "1978-01-22", "Regina", "hepatitis C", "sofosbuvir"),
    ("Theodora", "Lindqvist", "1995-10-09", "Ottawa", "asthma", "salbutamol"),
    ("Ambrose", "Featherstone", "1942-03-03", "Victoria", "dementia", "donepezil"),
    ("Leocadia", "Brandywine", "1986-07-25", "Halifax", "epilepsy", "lamotrigine"),
    ("Quentin", "Harrowgate", "1969-11-16", "Toronto", "type 2 diabetes", "metformin"),
    ("Marguerite", "Sallowfield", "1953-05-29", "London", "ovarian cancer", "carboplatin"),
)
LETTER = """Riverbend Community Hospital — {ward}

Re: {first} {last}, born {birth}, MRN {mrn}
Address: {street} Alder Street, {city}

Dear colleague,
I saw {last} in the clinic this week. The diagnosis of {condition} is confirmed and we have
started {drug}. {last} has told nobody at work so far. Next appointment in six weeks.

With kind regards
Dr. E. Hollowell
"""
WARDS = ("infectious diseases", "psychiatry", "oncology", "neurology", "medicine")
CHORES = (
    "parking",
    "canteen menu",
    "fire drill",
    "printer toner",
    "bicycle shed",
    "window cleaning",
)
CHORE = """Note on {what}

The {what} will be seen to next week. Please leave the corridor on the second floor free. Questions
go to the front services, extension 12.
"""


def build(base: Path) -> tuple[Settings, dict[str, str]]:
    """Make the site; returns its settings and the passwords of its invented users."""
    os.environ["XDG_STATE_HOME"] = str(base / "state")  # keys, vault and ledger stay in the demo
    os.environ["DLP_KNOWLEDGE"] = str(base / "knowledge")
    os.environ.pop("STATE_DIRECTORY", None)
    share = base / "share"
    ages = build_office(share)
    settings = Settings(
        store=Store(database=str(base / "state" / "dlp" / "catalogue.db")),
        share=(Share(name="demo", path=str(share), policy=Policy(phi="quarantine")),),
    )
    records = {
        os.path.relpath(record["path"], share): record
        for record in Scan(settings).records((os.fsencode(share),))
    }
    keeping = open_keeping(settings, who="daemon")
    for name, record in sorted(records.items(), key=lambda pair: -ages[pair[0]]):
        then = time.time() - ages[name] * DAY
        catalogue = Catalogue(keeping.engine, clock=lambda then=then: then)  # type: ignore[misc]
        catalogue.add(record)
        catalogue.flush()
    take(settings, keeping, records)
    refresh_folders(keeping.engine)
    link_all(keeping.engine)
    passwords = dict(sign_up(Users(keeping.engine)))
    keeping.close()
    return settings, passwords


def take(settings: Settings, keeping: Any, records: dict[str, Any]) -> None:
    """Quarantine a few files as the daemon would."""
    root = os.fsencode(settings.share[0].path)
    responder = Responder(settings, keeping)
    for name in TAKEN:
        ref = ref_beneath("demo", root, os.fsencode(name))
        responder.act(ref, verdict_of(records[name]), os.geteuid())
    responder.close()


def sign_up(users: Users) -> Iterator[tuple[str, str]]:
    for name, role in USERS.items():
        assert role in ROLES
        password = secrets.token_urlsafe(9)
        users.add(name, role, password)
        yield name, password


def build_office(folder: Path) -> dict[str, int]:
    """Write the share; says for each file how many days ago it appeared."""
    demo_share.build(folder)
    ages = {str(path.relative_to(folder)): 2 for path in folder.rglob("*") if path.is_file()}
    for name, age, content in files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        ages[name] = age
    return ages


def files() -> Iterator[tuple[str, int, bytes]]:
    for number, (first, last, birth, city, condition, drug) in enumerate(PEOPLE):
        ward = WARDS[number % len(WARDS)]
        text = LETTER.format(
            ward=ward.capitalize(), first=first, last=last, birth=birth, mrn=6614200 + 37 * number,
            street=12 + 7 * number, city=city, condition=condition, drug=drug,
        )  # fmt: skip
        name = f"clinic letters/{ward}/letter {number + 1:02}.docx"
        yield name, 45 - 3 * number, demo_share.docx(text)
    header = ("last_name", "first_name", "birth_date", "phone", "city", "diagnosis", "medication")
    rows = [
        (p[1], p[0], p[2], f"(613) 555-01{n:02}", p[3], p[4], p[5]) for n, p in enumerate(PEOPLE)
    ]
    yield "exports/recall list.csv", 12, demo_share.table((header, *rows)).encode()
    yield "exports/recall list (old).csv", 30, demo_share.table((header, *rows[:7])).encode()
    for number, what in enumerate(CHORES):
        age = 50 - 8 * number
        yield f"facilities/{what}.txt", age, CHORE.format(what=what).encode()
        yield f"facilities/archive/{what} 2019.docx", age, demo_share.docx(CHORE.format(what=what))
    yield "scans/unreadable scan.pdf", 9, b"%PDF-1.4 cut off in the middle of the"
    yield "scans/from the copier.zip", 5, demo_share.encrypted_zip()
