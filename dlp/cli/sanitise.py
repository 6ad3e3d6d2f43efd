"""`dlp sanitise`: give files again that disclose nobody and no confidential topic.

In: files.  Out: sanitised files of the same format, each with a certificate beside it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dlp.sanitise.service import Outcome

CERTIFICATE = ".certificate.json"
LADDER = (4.0, 3.0, 2.5, 2.0, 1.75, 1.5, 1.25, 1.0)  # what `--alpha auto` tries, strictest first


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--output", "-o", required=True, type=click.Path(path_type=Path), help="File, or folder."
)
@click.option("--protect", multiple=True, metavar="TERM", help="A confidential topic; repeatable.")
@click.option("--alpha", default="1.5", help="Strictness from 1 to 4, or auto.")
@click.option("--utility", default=0.75, help="With --alpha auto: the information to keep.")
@click.option("--mode", type=click.Choice(["generalise", "redact", "surrogate"]))
@click.option("--profile", type=click.Choice(["safe-harbor", "pseudonymise", "redact"]))
@click.option(
    "--against",
    type=click.Choice(["auto", "terms", "words"]),
    help="Whom to hide topics from; auto: words, once `dlp knowledge build --words` counted yours.",
)
@click.option("--drop-signatures", is_flag=True, help="Copy signed PDF files, without signature.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificates.")
@click.option("--view", type=click.Path(path_type=Path), help="Side by side, as HTML.")
@click.option("--mapping", type=click.Path(path_type=Path), help="Note originals, sealed.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(files: tuple[Path, ...], output: Path, *, as_json: bool, **options: Any) -> None:
    """Sanitise FILES into OUTPUT; the originals are never touched."""
    from dlp.cli._mapping import Noted, write_atomically
    from dlp.errors import SanitiseError

    folder = len(files) > 1 or output.is_dir()
    if folder:
        output.mkdir(parents=True, exist_ok=True, mode=0o700)
    targets = [output / file.name if folder else output for file in files]
    for file, target in zip(files, targets, strict=True):
        if target.exists() and target.samefile(file):
            raise click.UsageError(f"{target} is the original; choose another output")
    if len(set(targets)) < len(targets):
        raise click.UsageError("two files have the same name; sanitise them one by one")
    certificates, sides, refused = [], [], []
    noted = Noted.asked(options["mapping"], options["config"])
    run = _run(options, files)
    if noted and run.plan.profile != "pseudonymise":
        raise click.UsageError("--mapping needs --profile pseudonymise: nothing else is reversible")
    for file, target in zip(files, targets, strict=True):
        try:
            done = run.rewrite(file)
        except SanitiseError as error:
            refused.append(error)
            click.echo(f"{file}: refused: {error.what}", err=True)
            continue
        assert done.output is not None  # a refusal raises
        if folder and done.safe_name and done.safe_name != file.name:
            target = output / done.safe_name  # noqa: PLW2901 - the copy's name tells nothing
        write_atomically(target, done.output)
        text = json.dumps(done.certificate, indent=1, ensure_ascii=False)
        write_atomically(target.with_name(target.name + CERTIFICATE), text.encode())
        certificates.append({"file": str(target), **done.certificate})
        sides += done.sides
        if not as_json:
            click.echo(summary(target, done.certificate))
    if not as_json:
        _tell_whom(run, certificates)
    if noted:
        noted.add(run.service.sanitiser.identity.surrogates.issued)
    if options["view"]:
        _view(run, sides, options["view"])
    if as_json and certificates:
        click.echo(json.dumps(certificates[0] if len(files) == 1 else certificates, indent=1))
    if refused:
        if len(files) > 1:
            told = f"{len(files)} files: {len(certificates)} written, {len(refused)} refused"
            click.echo(told, err=as_json)
        sys.exit(SanitiseError.exit_code)


def summary(target: Path, certificate: dict[str, Any]) -> str:
    from dlp.sanitise.certificate import HOLDS

    utility, verdict = certificate["utility"], certificate.get("verdict", HOLDS)
    first = "" if verdict == HOLDS else f"{verdict.upper()}\n"
    return (
        f"{first}{target}: {len(certificate['replacements'])} replacements, "
        f"{utility['preserved']:.0%} of the information kept, α = {certificate['alpha']:g}"
    )


def _tell_whom(run: _Run, certificates: list[dict[str, Any]]) -> None:
    """A promise names the reader it holds against, and the way to a stronger one."""
    from dlp.sanitise.certificate import HOLDS
    from dlp.sanitise.plan import Against

    measured = [one for one in certificates if one.get("verdict", HOLDS) == HOLDS]
    for whom in sorted({str(one.get("withstands", "")) for one in measured} - {""}):
        click.echo(f"topics withstand {whom}", err=True)
    if measured and run.plan.topics and run.plan.against is Against.TERMS:
        hint = "count the words of your own texts: dlp knowledge build --words SHARE"
        click.echo(f"to withstand that reader too, {hint}", err=True)


class _Run:
    """Files of one command: one plan, the same decisions for all."""

    def __init__(self, options: dict[str, Any], alpha: float) -> None:
        from dlp import config
        from dlp.assembly import Analysis
        from dlp.engine.sanitising import open_service, patient

        settings = patient(config.load(options["config"]))
        self.service = open_service(
            settings,
            protect=options["protect"],
            alpha=alpha,
            mode=options["mode"] or "",
            profile=options["profile"] or "",
            against=options["against"] or "",
            drop_signatures=options["drop_signatures"],
            analysis=options.setdefault("analysis", Analysis(settings, full=True)),
        )
        self.plan = self.service.plan

    def rewrite(self, file: Path) -> Outcome:
        from dlp.sanitise.service import Outcome

        raw = file.read_bytes()
        if (known := self._already(file, raw)) is not None:
            return Outcome(file.name, raw, None, known)
        return self.service.rewrite(file.name, raw)

    def _already(self, file: Path, raw: bytes) -> dict[str, Any] | None:
        """The certificate of a file that this plan and key sanitised before."""
        import hashlib

        from dlp.sanitise.certificate import seal

        try:
            known = json.loads(file.with_name(file.name + CERTIFICATE).read_text())
            sealed = known["seal"] == seal(self.plan.key, known)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        same = (
            known["output"]["sha256"] == hashlib.sha256(raw).hexdigest()
            and known["profile"] == self.plan.profile
            and known["alpha"] >= self.plan.alpha
            and known.get("against", "terms") in {self.plan.against, "words"}
            and {t.get("topic") for t in known["topics"]} >= {t.name for t in self.plan.topics}
        )
        return known if sealed and same else None


def _run(options: dict[str, Any], files: tuple[Path, ...]) -> _Run:
    if options["alpha"] != "auto":
        try:
            alpha = float(options["alpha"])
        except ValueError:
            alpha = 0.0
        if not 1 <= alpha <= 4:
            raise click.BadParameter("a number from 1 to 4, or auto", param_hint="--alpha")
        return _Run(options, alpha)
    for alpha in LADDER:
        run = _Run(options, alpha)
        kept = [run.service.sanitise(file.name, file.read_bytes()) for file in files]
        if min((done.utility for done in kept if done.output), default=1) >= options["utility"]:
            return run
    raise click.UsageError(f"no α keeps {options['utility']:.0%} of the information")


def _view(run: _Run, sides: list[Any], target: Path) -> None:
    from dlp.cli._mapping import write_atomically
    from dlp.report.wording import mask
    from dlp.sanitise.review_page import page

    write_atomically(target, page(sides, run.service.facts, mask).encode())
