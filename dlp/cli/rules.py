"""dlp rules: prove the rules and show them.

In: the rules folder.  Out: "proven", or a list of the examples that fail.
"""

from __future__ import annotations

from pathlib import Path

import click


@click.group("rules")
def command() -> None:
    """Check and show what is looked for."""


@command.command("check")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of identifier rules other than the installed one.",
)
def check(folder: Path | None) -> None:
    """Run every example of every rule, and every curated health phrase, through the real search."""
    from dlp.detect.identify.finder import Finder
    from dlp.detect.identify.proof import failures
    from dlp.detect.identify.validators import VALIDATORS
    from dlp.detect.illness.health import FindHealth
    from dlp.detect.illness.proof import duplicates, unfound_phrases
    from dlp.errors import RuleError
    from dlp.rulebook import load_identifiers, rules_version

    finder = Finder(load_identifiers(VALIDATORS.keys(), folder))
    wrong = list(failures(finder))
    if folder is None:
        wrong += [*unfound_phrases(FindHealth()), *duplicates()]
    for line in wrong:
        click.echo(line, err=True)
    if wrong:
        fix = "correct the pattern, the validator or the example; for phrases: dlp knowledge build"
        raise RuleError(f"{len(wrong)} examples fail", where="rules check", fix=fix)
    examples = sum(len(rule.match) + len(rule.reject) for rule in finder.rules)
    version = rules_version()
    click.echo(f"{len(finder.rules)} rules proven by {examples} examples, version {version}")


@command.command("list")
def show() -> None:
    """Name every rule, its kind, its confidence alone and in context, and its source."""
    from dlp.detect.identify.validators import VALIDATORS
    from dlp.rulebook import load_identifiers

    for rule in load_identifiers(VALIDATORS.keys()):
        pair = f"{rule.alone:.2f} {rule.in_context:.2f}"
        click.echo(f"{rule.id:34} {rule.kind.value:8} {pair}  {rule.title} [{rule.source}]")
