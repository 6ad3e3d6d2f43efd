"""`dlp verify`: check a sanitised file against its certificate, afresh.

In: a file and its certificate.  Out: exit 0 when everything holds, 1 with the reasons when not.

The seal is the one thing that needs the key of the machine that sanitised; all else is counted
again from the file, the certificate and the knowledge, wherever those are.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dlp.config import Settings


@click.command()
@click.argument("output", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
@click.option("--no-seal", is_flag=True, help="This machine has another key than the maker's.")
def command(output: Path, certificate: Path, *, config: Path | None, no_seal: bool) -> None:
    """Check OUTPUT against CERTIFICATE."""
    from dlp import config as configuration
    from dlp.keys import kept_key
    from dlp.sanitise.certificate import HOLDS
    from dlp.sanitise.plan import WITHSTANDS, Against

    settings = configuration.load(config)
    key = None if no_seal else kept_key("fingerprint", settings.keys.fingerprint)
    try:
        claims = json.loads(certificate.read_text("utf-8"))
        found = list(violations(output, claims, settings, key))
    except (ValueError, KeyError, TypeError, IndexError):
        found = ["the certificate is not one of ours or is damaged"]
    for violation in found:
        click.echo(f"violation: {violation}")
    if found:
        sys.exit(1)
    standing = _standing(claims)
    click.echo(f"the certificate {standing}")
    if claims.get("topics") and standing == HOLDS:
        whom = WITHSTANDS[Against(claims.get("against", Against.TERMS))]
        click.echo(f"its topics withstand {whom}")
    if key is None:
        click.echo("not checked: who made the certificate (its seal needs the maker's key)")


def _standing(claims: dict[str, Any]) -> str:
    """The first line: what holds, and for which topics nothing could be measured."""
    from dlp.sanitise.certificate import HOLDS, verdict
    from dlp.sanitise.protected_topics import topic_for

    said = verdict([topic_for(str(entry["topic"])) for entry in claims["topics"]])
    if said == HOLDS:  # what the maker could not measure, for the language of the text
        said = str(claims.get("verdict", HOLDS))
    if "threshold" in claims:
        return f"{HOLDS}: nobody's privacy is above {claims['threshold']:g}"
    if not claims["topics"]:
        return f"{HOLDS} for identifiers; it protects no topic"
    return said if said == HOLDS else f"is {said}"


def violations(
    output: Path, certificate: dict[str, Any], settings: Settings, key: bytes | None
) -> Iterator[str]:
    from dlp.assembly import Analysis
    from dlp.engine.sanitiser_setup import examiner, patient
    from dlp.keys import LENGTH
    from dlp.model import GapCode
    from dlp.sanitise.certificate import seal
    from dlp.sanitise.plan import Plan, Profile
    from dlp.sanitise.sanitiser import Sanitiser
    from dlp.sanitise.service import pages_of
    from dlp.sanitise.under_threshold import worst
    from dlp.sanitise.verifier import Verifier

    raw = output.read_bytes()
    if hashlib.sha256(raw).hexdigest() != certificate["output"]["sha256"]:
        yield "the file is not the one that was certified"
    if key is not None and "seal" not in certificate:
        yield "the certificate carries no seal, so anybody may have written it"
    elif key is not None and certificate["seal"] != seal(key, certificate):
        yield "the seal is broken, or was made with another key (then use --no-seal)"
    key = key or secrets.token_bytes(LENGTH)  # a check leaves no key behind
    case = examiner(Analysis(patient(settings), full=True, key=key))(output.name, raw)
    if case.document is None or any(gap.code is not GapCode.LANGUAGE for gap in case.gaps):
        yield "the file cannot be read in full"
        return
    if "threshold" in certificate:
        if worst(case) > certificate["threshold"]:
            yield f"somebody's privacy is above {certificate['threshold']:g}"
        return
    sanitiser = Sanitiser(Plan(Profile(certificate["profile"]), key=key))
    pages = pages_of(case)
    yield from Verifier(certificate).violations([text for text, _ in pages])
    if sanitiser.plan.profile is not Profile.PSEUDONYMISE:  # only the key tells a surrogate
        left = [f for text, found in pages for f in sanitiser.identity.left(text, found)]
        for kind in sorted({finding.kind.value for finding in left}):
            yield f"an identifier is left: {kind}"
