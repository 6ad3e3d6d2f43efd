"""A policy that begins to enforce means what was found before, whatever crash comes in between."""

import os
from contextlib import contextmanager
from dataclasses import replace

import pytest

from dlp.acquire.judged_state import Known, key_of
from dlp.acquire.sweep import Changed, Sweep
from dlp.config import parse
from dlp.engine.daemon_resources import look_again
from dlp.model import Gap, GapCode
from dlp.report.record import unread_record
from dlp.store.catalogue import Catalogue
from dlp.store.job_queue import Backlog, Priority
from dlp.store.migrations import open_database
from tests.support.guarded_share import ref_of
from tests.support.saboteur import Crash, Saboteur

RULES = "r1"
FOUND = {
    "phi.txt": "phi",
    "d/phi.txt": "phi",
    "probable.txt": "probable",
    "possible.txt": "possible",
    "harmless.txt": "impossible",
    "locked.zip": "impossible",  # with a gap
}
POLICIES = {
    "everything": ({"phi": "quarantine", "probable": "notify", "possible": "notify"}, 4),
    "one container": ({"phi": "sanitise"}, 2),
    "one level of one container": ({"phi": {"high": "quarantine"}}, 2),
    "what was not read": ({"gaps": "notify"}, 1),
    "nothing": ({"permitted_folders": ("d",)}, 0),
}


def record_of(ref, container):
    record = unread_record(ref.path, Gap(GapCode.ENCRYPTED, ""), 0.0, size_bytes=ref.size_bytes)
    if not ref.path.endswith(b".zip"):
        record["gaps"] = []
    return {**record, "container": container}


class Ward:
    """A share whose files were judged while its policy only observed, and its stores."""

    def __init__(self, base):
        self._base, self.root = base, os.fsencode(base / "share")
        (base / "share" / "d").mkdir(parents=True)
        for name in FOUND:
            (base / "share" / name).write_text(name)
        with self.opened() as (_, backlog, database):
            catalogue = Catalogue(database)
            for name, container in FOUND.items():
                catalogue.add(record_of(self.ref(name), container))
            catalogue.flush()
            backlog.put([(self.ref(name), Priority.NEW) for name in FOUND], RULES)
        self.judge()
        self.look({})

    def judge(self):
        with self.opened() as (known, backlog, _):
            for name in FOUND:
                known.judged("ward", os.fsencode(name), key_of(self.ref(name)), RULES)
            backlog.done([job.id for job in backlog.lease(99)])

    def ref(self, name):
        ref = ref_of(self.root, os.fsencode(name))
        return replace(ref, share="ward", path=os.path.join(self.root, ref.path))

    @contextmanager
    def opened(self):
        known = Known(self._base / "known.db")
        database = open_database(self._base / "catalogue.db")
        try:
            yield known, Backlog(database), database
            known.commit()
        finally:
            known._connection.close()  # as a crash would: what is not committed never was
            database.dispose()

    def look(self, policy, saboteur=lambda thing: thing):
        share = {"name": "ward", "path": os.fsdecode(self.root), "policy": policy}
        settings = parse({"share": [share]}, where="test")
        with self.opened() as (known, backlog, database):
            stores = saboteur(known), saboteur(backlog), database
            look_again(settings, *stores, {"ward": self.root})

    def queued(self):
        """What the next sweep finds, if the queue takes it as well."""
        with self.opened() as (known, backlog, _):
            found = [one for one in Sweep("ward", self.root, known, {RULES}) if one]
            assert all(isinstance(one, Changed) for one in found)
            assert backlog.put([(one.ref, Priority.SWEEP) for one in found], RULES) == len(found)
        return {os.fsdecode(one.relative) for one in found}


def meant(policy):
    wanted = {name for name, box in FOUND.items() if policy.get(box, "observe") != "observe"}
    return wanted | ({"locked.zip"} if policy.get("gaps") == "notify" else set())


@pytest.mark.parametrize("policy, number", POLICIES.values(), ids=POLICIES)
def test_only_what_the_new_policy_asks_about_is_looked_at_again(tmp_path, policy, number):
    ward = Ward(tmp_path)
    assert ward.queued() == set()
    ward.look(policy)
    assert len(meant(policy)) == number
    assert ward.queued() == meant(policy)


def test_the_same_policy_looks_once(tmp_path):
    ward, (policy, _) = Ward(tmp_path), POLICIES["everything"]
    ward.look(policy)
    assert ward.queued()
    ward.judge()
    ward.look(policy)
    assert ward.queued() == set()


@pytest.mark.parametrize("after", [False, True])
def test_a_crash_at_every_call_costs_no_second_look(tmp_path, after):
    policy, _ = POLICIES["everything"]
    ward, number, alive = Ward(tmp_path), 0, False
    while not alive:
        number += 1
        saboteur = Saboteur(number, after=after)
        try:
            ward.look(policy, saboteur)
            alive = True
        except Crash:
            ward.look(policy)  # the start that follows
        assert ward.queued() == meant(policy), f"cut off at call {number}: {saboteur.where}"
        ward.judge()
        ward.look({})
    assert number > 6
