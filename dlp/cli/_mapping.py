"""Open and extend the file that leads from surrogates back to people.

In: its path, settings with the vault key.  Out: originals by surrogate; the file, sealed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dlp.config import Settings, load
from dlp.errors import SanitiseError
from dlp.keys import kept_key, read_key, secret_key
from dlp.private_files import write_whole
from dlp.sanitise.mapping import Originals, close, disclose, joined


def opened(path: Path, config: Path | None) -> Originals:
    """What a mapping holds; whoever only looks makes no key."""
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
