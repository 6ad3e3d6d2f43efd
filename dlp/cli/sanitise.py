"""`dlp sanitise`: give files again that disclose nobody and no confidential topic.

In: files.  Out: sanitised files of the same format, each with a certificate beside it.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dlp.sanitise.service import Outcome

CERTIFICATE = ".certificate.json"
MANIFEST = "manifest.json"
LADDER = (4.0, 3.0, 2.5, 2.0, 1.75, 1.5, 1.25, 1.0)  # what `--alpha auto` tries, strictest first


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=str),
    help="File; a folder if it is one or ends in /.",
)
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), help="A folder.")
@click.option("--force", is_flag=True, help="Replace copies that are there.")
@click.option("--dry-run", is_flag=True, help="Write nothing; say what would become of each file.")
@click.option("--protect", multiple=True, metavar="TERM", help="A confidential topic; repeatable.")
@click.option("--alpha", default="1.5", help="Strictness from 1 to 4, or auto.")
@click.option("--utility", default=0.75, help="With --alpha auto: the information to keep.")
@click.option(
    "--below",
    type=click.FloatRange(0, 1, min_open=True),
    help="Take away only what brings the privacy of every person under this, e.g. 5e-5.",
)
@click.option("--mode", type=click.Choice(["generalise", "redact", "surrogate"]))
@click.option("--profile", type=click.Choice(["safe-harbor", "pseudonymise", "redact"]))
@click.option(
    "--against",
    type=click.Choice(["auto", "terms", "words"]),
    help="Whom to hide topics from; auto: words, once `dlp knowledge build --words` counted yours.",
)
@click.option("--drop-signatures", is_flag=True, help="Copy signed PDF files, without signature.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificates.")
@click.option(
    "--review",
    "--view",
    type=click.Path(path_type=Path),
    help="One page: before (masked) and after, what went and why, what could still be guessed.",
)
@click.option("--mapping", type=click.Path(path_type=Path), help="Note originals, sealed.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(files: tuple[Path, ...], *, as_json: bool, **options: Any) -> None:
    """Sanitise FILES into copies; the originals are never touched.

    Exit code 0: all were written. 16: at least one was refused; the others are there.
    """
    from dlp.cli.mapping import Noted
    from dlp.errors import SanitiseError

    if options["below"] and (options["protect"] or options["mapping"] or options["review"]):
        raise click.UsageError("--below goes without --protect, --mapping and --review")
    place = Place.asked(files, options["output"], options["into"])
    place.check(files, force=options["force"] or options["dry_run"])
    noted = Noted.asked(options["mapping"], options["config"])
    run = _run(options, files)
    if noted and run.plan.profile != "pseudonymise":
        raise click.UsageError("--mapping needs --profile pseudonymise: nothing else is reversible")
    batch = Batch(run, place, options)
    for file in files:
        batch.take(file)
    if as_json and batch.certificates:
        printed = batch.certificates[0] if len(files) == 1 else batch.certificates
        click.echo(json.dumps(printed, indent=1))
    if not as_json:
        for line in batch.lines:
            click.echo(line)
        _print_reader(run, batch.certificates)
    if noted and not options["dry_run"]:
        noted.add(run.service.sanitiser.identity.surrogates.issued)
    if options["review"]:
        _review(run, batch, options["review"])
    batch.close(as_json=as_json)
    if batch.refused:
        sys.exit(SanitiseError.exit_code)


@dataclass(frozen=True, slots=True)
class Place:
    """Where copies go: one file, or a folder."""

    path: Path
    is_folder: bool

    @classmethod
    def asked(cls, files: tuple[Path, ...], output: str | None, into: Path | None) -> Place:
        if (output is None) == (into is None):
            raise click.UsageError("say where copies go: -o FILE, or --into FOLDER")
        if into is not None:
            return cls(into, is_folder=True)
        assert output is not None
        several = len(files) > 1 or output.endswith("/") or os.path.isdir(output)
        return cls(Path(output), is_folder=several)

    def target(self, file: Path) -> Path:
        return self.path / file.name if self.is_folder else self.path

    def check(self, files: tuple[Path, ...], *, force: bool) -> None:
        if self.is_folder and self.path.exists() and not self.path.is_dir():
            raise click.UsageError(f"{self.path} is a file; several copies need a folder")
        targets = [self.target(file) for file in files]
        for file, target in zip(files, targets, strict=True):
            if target.exists() and target.samefile(file):
                raise click.UsageError(f"{target} is the original; choose another output")
        if len(set(targets)) < len(targets):
            raise click.UsageError("two files have the same name; sanitise them one by one")
        if not self.is_folder and targets[0].exists() and not force:
            raise click.UsageError(f"{targets[0]} is there already; --force replaces it")


class Batch:
    """Files of one command, one after the other; a refusal ends none of the others."""

    def __init__(self, run: _Run, place: Place, options: dict[str, Any]) -> None:
        self._run = run
        self._place = place
        self._dry: bool = options["dry_run"]
        self._force: bool = options["force"]
        self.certificates: list[dict[str, Any]] = []
        self.sides: list[Any] = []
        self.lines: list[str] = []
        self.refused = 0
        self._manifest: list[dict[str, Any]] = []

    def take(self, file: Path) -> None:
        from dlp.errors import SanitiseError

        try:
            done = self._run.rewrite(file)
            target = self._target(file, done)
            if not self._dry:
                self._write(target, done)
        except SanitiseError as error:
            self._refuse(file, error.what)
        except OSError as error:
            self._refuse(file, (error.strerror or "cannot be read").lower())
        else:
            self.certificates.append({"file": str(target), **done.certificate})
            self.sides += done.sides
            printed = summary(target, done.certificate)
            self.lines.append(f"would write {printed}" if self._dry else printed)
            self._manifest.append({"output": target.name, **in_manifest(done.certificate)})

    def _refuse(self, file: Path, why: str) -> None:
        self.refused += 1
        self._manifest.append({"refused": why})
        click.echo(f"{file}: refused: {why}", err=True)

    def _target(self, file: Path, done: Outcome) -> Path:
        from dlp.errors import SanitiseError

        target = self._place.target(file)
        if self._place.is_folder and done.safe_name and done.safe_name != file.name:
            target = self._place.path / done.safe_name  # the copy's name tells nothing
        if self._place.is_folder and target.exists() and not (self._force or self._dry):
            raise SanitiseError("a copy is there already; --force replaces it")
        return target

    def _write(self, target: Path, done: Outcome) -> None:
        from dlp.private_files import write_whole

        assert done.output is not None  # a refusal raises
        if self._place.is_folder:
            self._place.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(target, done.output)
        text = json.dumps(done.certificate, indent=1, ensure_ascii=False)
        write_whole(target.with_name(target.name + CERTIFICATE), text.encode())

    def close(self, *, as_json: bool) -> None:
        """Of a folder: what became of each file, by its number in the command.

        Names of originals stay out: the folder goes to people who must not learn them.
        """
        from dlp.private_files import write_whole
        from dlp.report.words_and_masks import several

        if not self._place.is_folder:
            return
        written = len(self.certificates)
        word = "would be written" if self._dry else "written"
        total = several(written + self.refused, "file")
        click.echo(
            f"{total}: {written} {word}, {self.refused} refused", err=as_json or not self.refused
        )
        if not self._dry and written:
            rows = [{"number": n, **row} for n, row in enumerate(self._manifest, 1)]
            text = json.dumps({"files": rows}, indent=1, ensure_ascii=False)
            write_whole(self._place.path / MANIFEST, text.encode())


def in_manifest(certificate: dict[str, Any]) -> dict[str, Any]:
    return {
        "sha256": certificate["output"]["sha256"],
        "profile": certificate["profile"],
        "replacements": len(certificate["replacements"]),
    }


def summary(target: Path, certificate: dict[str, Any]) -> str:
    from dlp.sanitise.certificate import HOLDS

    if "threshold" in certificate:
        return (
            f"{target}: {len(certificate['replacements'])} replacements; the privacy of the worst"
            f" person is {certificate['worst_after']:.2g}, not above {certificate['threshold']:g}"
            f" (was {certificate['worst_before']:.2g})"
        )
    utility, verdict = certificate["utility"], certificate.get("verdict", HOLDS)
    first = "" if verdict == HOLDS else f"{verdict.upper()}\n"
    return (
        f"{first}{target}: {len(certificate['replacements'])} replacements, "
        f"{utility['preserved']:.0%} of the information kept, α = {certificate['alpha']:g}"
    )


def _print_reader(run: _Run, certificates: list[dict[str, Any]]) -> None:
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
        from dlp.engine.sanitiser_setup import examiner, open_service, patient

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
        self._threshold = None
        if options["below"]:
            from dlp.sanitise.under_threshold import Threshold

            self._threshold = Threshold(self.plan, examiner(options["analysis"]), options["below"])

    def rewrite(self, file: Path) -> Outcome:
        from dlp.sanitise.service import Outcome

        raw = file.read_bytes()
        if self._threshold is not None:
            return self._threshold.rewrite(file.name, raw)
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


def _review(run: _Run, batch: Batch, target: Path) -> None:
    from dlp.private_files import write_whole
    from dlp.report.words_and_masks import mask
    from dlp.sanitise.review_page import page

    write_whole(target, page(batch.sides, run.service.facts, mask, batch.certificates).encode())
