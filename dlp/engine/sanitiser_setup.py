"""Open the sanitiser that the settings ask for; the console, the daemon and the commands use it.

In: settings, a profile, topics, α.  Out: a dlp.sanitise.service.Service.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import TypedDict, Unpack

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.errors import KnowledgeError
from dlp.keys import fingerprint_key
from dlp.knowledge.cooccurrence import load_own_words
from dlp.knowledge.site_knowledge import site_folder
from dlp.model import Case, FileRef
from dlp.report.words_and_masks import mask
from dlp.sanitise.documents.contract import Bounds
from dlp.sanitise.plan import DEFAULT_ALPHA, Against, Mode, Plan, Profile
from dlp.sanitise.protected_topics import default_topics, topics_for
from dlp.sanitise.service import Examine, Service

# Texts of a site, from which on its words are weighed automatic; bench/attack.py proved it on 490.
ENOUGH = 400
PROFILES = {Mode.REDACT: Profile.REDACT, Mode.SURROGATE: Profile.PSEUDONYMISE}


class Wanted(TypedDict, total=False):
    """What somebody may choose for a sanitised copy."""

    protect: Iterable[str]
    alpha: float
    mode: str
    profile: str
    against: str
    drop_signatures: bool


def open_service(
    settings: Settings, *, analysis: Analysis | None = None, **wanted: Unpack[Wanted]
) -> Service:
    """Nothing named means: the specially protected topics, generalised, HIPAA's safe harbor."""
    examine = examiner(analysis or Analysis(settings, full=True))
    return Service(plan_of(settings, **wanted), examine, mask)


def configured_plan(settings: Settings) -> Plan:
    """Where nobody is there to choose: what the settings say."""
    wanted = settings.sanitise
    return plan_of(
        settings,
        protect=wanted.protect,
        alpha=wanted.alpha,
        mode=wanted.mode,
        profile=wanted.profile,
        against=wanted.against,
    )


def plan_of(
    settings: Settings,
    *,
    protect: Iterable[str] = (),
    alpha: float = DEFAULT_ALPHA,
    mode: str = "",
    profile: str = "",
    against: str = "",
    drop_signatures: bool = False,
) -> Plan:
    chosen, whom = Mode(mode or "generalise"), reader(against)
    if whom is Against.WORDS and load_own_words(site_folder()) is None:
        raise KnowledgeError(
            "nothing is known of the words in this site's texts, which `against words` weighs",
            where=str(site_folder()),
            fix="count them with `dlp knowledge build --words SHARE`",
        )
    topics = topics_for(protect) or default_topics()
    key = fingerprint_key(settings.keys.fingerprint)
    kind = Profile(profile or PROFILES.get(chosen, Profile.SAFE_HARBOR))
    automatic = against in {"", "auto"}
    records = Against.TERMS if automatic else None
    return Plan(
        kind,
        chosen,
        topics,
        alpha,
        key,
        against=whom,
        records_against=records,
        drop_signatures=drop_signatures,
    )


def reader(against: str) -> Against:
    """Whom to hide topics from; unless somebody chose, the strongest this site can stand up to.

    Forms and tables then keep to terms: their labels tell the format, and cannot be left out.
    """
    if against not in {"", "auto"}:
        return Against(against)
    own = load_own_words(site_folder())
    return Against.WORDS if own and own[0].records >= ENOUGH else Against.TERMS


def patient(settings: Settings) -> Settings:
    """For a command that somebody waits for: a book may be read as long as it may be rewritten."""
    longest = Bounds().cpu_seconds
    decode = {"wall_seconds": max(longest, settings.decode.wall_seconds)}
    detect = {"seconds_per_file": max(longest, settings.detect.seconds_per_file)}
    return settings.model_copy(
        update={
            "decode": settings.decode.model_copy(update=decode),
            "detect": settings.detect.model_copy(update=detect),
        }
    )


def examiner(analysis: Analysis) -> Examine:
    """Read bytes under a name, as if they were a file."""

    def examine(name: str, raw: bytes) -> Case:
        return analysis.case(FileRef("", os.fsencode(name)), io.BytesIO(raw))

    return examine
