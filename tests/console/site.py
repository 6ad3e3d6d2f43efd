"""A small site for the console's tests: records as workers make them, no scan needed."""

import base64
import hashlib
import os
import shutil
from pathlib import Path

from dlp.acquire.file_identity import open_file, sha256_of
from dlp.config import Ledger, Policy, Quarantine, Settings, Share, Store
from dlp.console.person_linkage import link_all
from dlp.console.services import open_services
from dlp.engine.policy_responder import ShareActions, open_keeping
from dlp.keys import fingerprint_key
from dlp.knowledge.person_tags import Described, traces_of
from dlp.model import FileRef
from dlp.store.catalogue import Catalogue
from dlp.store.summaries import refresh_folders
from dlp.store.users import Users

PASSWORD = "correct horse battery"
USERS = {"vera": "viewer", "remy": "reviewer", "olga": "officer", "adam": "admin"}
HIV, ASTHMA, DOLUTEGRAVIR = "D015658", "D001249", "C562325"
ANA = Described("Ana", "Delacourt", (19610307,), ("K4471902",))
NAMESAKE = Described("Ana", "Delacourt", (19980101,))
SCRIPT = "<script>alert(1)</script>"
ATTACK = f"\"'>{SCRIPT}<img src=x onerror=alert(2)>.txt"


def person(number, p=1.0, s=0.5, burden=(("disease", ASTHMA, 1.0),)):
    mark = hashlib.sha256(str(number).encode()).hexdigest()
    return {
        "id": mark[:32], "identifiability": p, "sensitivity": s, "privacy": p * s,
        "fingerprints": [f"name:{mark[:32]}", f"id:{mark[32:]}"],
        "explanation": ["8,000,000,000 people in the world", f"{1 / p:,.0f} of that name", "Asthma: 0.30"],
        "bits": {"first": 10.0, "last": 13.0}, "burden": [list(fact) for fact in burden],
    }  # fmt: skip


def finding(one, kind="disease", rule="health.term", concept=ASTHMA, **more):
    return {"kind": kind, "rule": rule, "part": "body", "start": 5, "end": 11, "confidence": 0.9,
            "concept": concept, "person": one["id"], "context": [], **more}  # fmt: skip


def seen(reach="everyone", readers=500, owner=0, used=1_790_000_000.0):
    return {"exposure": reach, "readers": readers, "owner": owner, "modified_at": used,
            "accessed_at": used, "rights": "a" * 16}  # fmt: skip


def record(path, people=(), container="phi", gaps=(), findings=None, size=100, exposure=None):
    worst = max(
        people,
        key=lambda p: p["privacy"],
        default={"privacy": 0.0, "identifiability": 0.0, "sensitivity": 0.0},
    )
    return {
        "path": path, "container": container, "reason": "1 health fact about an identified person" if people else "nobody is identified",
        "privacy": worst["privacy"], "identifiability": worst["identifiability"], "sensitivity": worst["sensitivity"],
        "persons": list(people), "findings": findings if findings is not None else [finding(p) for p in people],
        "gaps": [{"code": code, "where": "body"} for code in gaps], "media_type": "text/plain", "language": "en",
        "duplicate_of": None, "action": "observe", "ms": 1.0, "sha256": hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest(),
        "size_bytes": size, "trail": ["decode.extract", "detect.health", "judge.verdict"], "rules_version": "r1-s1",
        "exposure": exposure or seen(),
    }  # fmt: skip


def traced(key, *people):
    return {"traces": base64.b64encode(traces_of(key, people).tobytes()).decode()}


def records(share, key):
    grave = (("disease", HIV, 1.0), ("drug", DOLUTEGRAVIR, 1.0))
    yield record(f"{share}/wards/letter.txt", [person(1, 1.0, 0.9, grave)]) | traced(key, ANA)
    yield record(f"{share}/wards/note.txt", [person(2, 0.5, 0.3)])
    yield record(f"{share}/exports/list.csv", [person(n, 1.0, 0.2) for n in range(10, 20)],
                 exposure=seen("group", 100, owner=4_000_000_000, used=1_500_000_000.0))  # fmt: skip
    yield record(
        f"{share}/mail/{ATTACK}",
        [person(3, 0.01, 0.3)],
        findings=[finding(person(3), rule=SCRIPT, concept=None, part=SCRIPT)],
    )
    yield record(f"{share}/office/minutes.txt", container="possible")
    yield record(f"{share}/office/locked.zip", container="possible", gaps=("encrypted",))
    yield record(
        f"{share}/office/bad\udcff.bin", container="possible", gaps=("corrupt", "too_large")
    )
    yield record(f"{share}/office/empty.txt", container="impossible", size=0)
    for number in range(120):
        one = record(
            f"{share}/bulk/{number:03}.txt", [person(100 + number, 1.0, 0.1 + number / 1000)]
        )
        yield one | traced(key, *{0: [ANA], 1: [NAMESAKE]}.get(number, []))


def make(base: Path):
    """Returns the settings of a site whose database, vault and share lie under `base`."""
    share = base / "share"
    for name, text in (
        ("wards/letter.txt", "Ana has HIV."),
        ("wards/held.txt", "Ben has asthma."),
        ("mail/held too.txt", "Cleo has gout."),
    ):
        (share / name).parent.mkdir(parents=True, exist_ok=True)
        (share / name).write_text(text)
    settings = Settings(
        store=Store(database=str(base / "catalogue.db")),
        share=(Share(name="clinic", path=str(share), policy=Policy(phi="quarantine")),),
        quarantine=Quarantine(vault=str(base / "vault")), ledger=Ledger(anchor=str(base / "anchor")),
    )  # fmt: skip
    keeping = open_keeping(settings)
    with_records = Catalogue(keeping.engine)
    for one in records(str(share), fingerprint_key()):
        with_records.add(one)
    with_records.flush()
    take(settings, keeping, share)
    refresh_folders(keeping.engine)
    link_all(keeping.engine)
    users = Users(keeping.engine)
    for name, role in USERS.items():
        users.add(name, role, PASSWORD)
    keeping.close()
    return settings


def take(settings, keeping, share):
    actions = ShareActions(settings.share[0], settings, keeping)
    for name in (b"wards/held.txt", b"mail/held too.txt"):
        fd = open_file(os.fsencode(share), name)
        seen = os.fstat(fd)
        ref = FileRef(
            "clinic",
            name,
            seen.st_dev,
            seen.st_ino,
            seen.st_size,
            seen.st_mtime_ns,
            seen.st_ctime_ns,
            sha256_of(fd),
        )
        os.close(fd)
        assert actions.quarantine.apply(ref, "phi/critical").done
    actions.place.close()


def copied(made: Path, to: Path):
    """A fresh copy of a made site: building one takes seconds, copying it none."""
    shutil.copytree(made, to, symlinks=True)
    return to


def desk_of(base: Path):
    settings = Settings(
        store=Store(database=str(base / "catalogue.db")),
        share=(Share(name="clinic", path=str(base / "share"), policy=Policy(phi="quarantine")),),
        quarantine=Quarantine(vault=str(base / "vault")), ledger=Ledger(anchor=str(base / "anchor")),
    )  # fmt: skip
    return open_services(settings)


class Answers:
    """The reader is a process of its own; here it answers as that process would."""

    def ask(self, what, path, *, clear=False, output=False):
        if what == "sanitise":
            return {
                "refusal": "", "facts": ["2 identifiers taken out"], "utility": 0.9,
                "sides": [{"name": "body", "pieces": [
                    ("same", "Patient: ", "", ""), ("changed", "A•• Q•••", "[name]", "a name"),
                    ("same", " has asthma.", "", ""),
                ]}],
                "sha256": "0" * 64, "output": "",
            }  # fmt: skip
        told = {"text": "Ana"} if clear else {"mask": "A••"}
        found = [
            {"kind": "person", "rule": f"r{n}", "part": "body", "start": 0, "end": 9,
             "confidence": 0.9, "concept": None, "person": "x", "context": [],
             **{name: f"{value}{n}" for name, value in told.items()}}
            for n in range(40)
        ]  # fmt: skip
        return {"findings": found, "gaps": [], "sha256": ""}

    def close(self):
        """Nothing runs."""
