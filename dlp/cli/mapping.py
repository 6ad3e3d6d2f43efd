"""`dlp mapping`: lead surrogates back to people, for whoever holds the vault key.

In: a file that `dlp sanitise --mapping` wrote.  Out: surrogates and originals, on stdout alone.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("surrogates", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One object: originals by surrogate.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(file: Path, surrogates: tuple[str, ...], *, as_json: bool, config: Path | None) -> None:
    """Say who stands behind SURROGATES, or behind all in FILE; the answer names patients."""
    from dlp.cli._mapping import opened

    held = opened(file, config)
    rows = {made: sorted(held[made]) for made in sorted(held) if asked_for(made, surrogates)}
    if as_json:
        click.echo(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        width = max(map(len, rows), default=0)
        for made, originals in rows.items():
            click.echo(f"{one_line(made).ljust(width)}  {' | '.join(map(one_line, originals))}")
    unknown = [wanted for wanted in surrogates if not any(asked_for(m, (wanted,)) for m in rows)]
    if unknown:
        click.echo(f"{len(unknown)} of {len(surrogates)} are not in this mapping", err=True)
        raise click.exceptions.Exit(1)


def asked_for(made: str, surrogates: tuple[str, ...]) -> bool:
    """All, or those that hold one of these as whole words, in any letter case."""
    said = one_line(made).casefold()
    words = (re.escape(one_line(wanted).casefold()) for wanted in surrogates)
    return not surrogates or any(re.search(rf"(?<!\w){word}(?!\w)", said) for word in words)


def one_line(text: str) -> str:
    """Originals come out of documents: no line ends, and nothing that steers a terminal."""
    return "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split())
    )
