"""`dlp mapping`: the originals behind surrogates, readable with the vault key alone.

In: a file that `dlp sanitise --mapping` wrote.  Out: surrogates and originals, on stdout alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from dlp.config import Settings, load
from dlp.errors import SanitiseError
from dlp.keys import kept_key, read_key, secret_key
from dlp.private_files import write_whole
from dlp.sanitise.surrogate_mapping import Originals, close, disclose, joined


def opened(path: Path, config: Path | None) -> Originals:
    """What a mapping holds; looking makes no key."""
    settings = load(config)
    return disclose(path.read_bytes(), _keys(settings), where=str(path))


class Noted:
    """The mapping of a run: what an earlier one noted in the same file is kept."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self._path = path
        # Made before anything is sanitised: a key that cannot be kept would lose the originals.
        self._key = secret_key("vault", settings.quarantine.key, lasting=True)
        there = path.exists()
        self._before = disclose(path.read_bytes(), _keys(settings), str(path)) if there else {}

    @classmethod
    def asked(cls, path: Path | None, config: Path | None) -> Noted | None:
        return cls(path, load(config)) if path else None

    def add(self, issued: Mapping[str, Iterable[str]]) -> None:
        write_whole(self._path, close(joined(self._before, issued), self._key))


def _keys(settings: Settings) -> Iterator[bytes]:
    key = kept_key("vault", settings.quarantine.key)
    if key is None and not settings.quarantine.old_keys:
        raise SanitiseError(
            "a mapping opens with the vault key, and there is none here",
            fix="name the key file in quarantine.key, or run as the user who wrote the mapping",
        )
    if key is not None:
        yield key
    yield from (read_key(Path(old), "vault") for old in settings.quarantine.old_keys)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("surrogates", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One object: originals by surrogate.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(file: Path, surrogates: tuple[str, ...], *, as_json: bool, config: Path | None) -> None:
    """Say who stands behind SURROGATES, or behind all in FILE; the answer names patients."""
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
