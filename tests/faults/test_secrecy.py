"""Planted values and names are nowhere but in the share and, encrypted, in the vault."""

import logging

import pytest

from dlp.errors import DlpError
from dlp.respond.quarantine import Terms
from tests.support.guarded_share import Guard

MARK = "Zqxmarker"


def plant(base, number, caplog):
    caplog.set_level(logging.DEBUG)
    said = []
    with Guard(base, terms=Terms()) as guard:
        for index in range(number):
            name = f"{MARK}name{index}.txt"
            (guard.root / name).write_text(f"{MARK}value{index} " * 20)
            ref = guard.ref(name)
            outcome = guard.quarantine.apply(ref)
            again = guard.quarantine.apply(ref)  # gone: an error with a path, if we let it
            said += [repr(outcome), repr(again)]
            if index % 5 == 0:
                (guard.base / "vault" / f"{outcome.undo_token}.blob").write_bytes(b"damaged")
                said.append(repr(guard.restore.apply(outcome.undo_token)))
                try:
                    guard.vault.verify(outcome.undo_token)
                except DlpError as error:
                    said.append(str(error))
        said += [repr(row) for row in (*guard.journal.items(), *guard.ledger.records())]
    raw = b"".join(
        p.read_bytes()
        for folder in (".", "vault", "hold")
        for p in (base / folder).glob("*")
        if p.is_file()
    )
    return "".join(said) + caplog.text, raw


@pytest.mark.parametrize(
    "number", [40, pytest.param(10_000, marks=[pytest.mark.long, pytest.mark.timeout(3000)])]
)
def test_planted_values(tmp_path, caplog, number):
    said, raw = plant(tmp_path, number, caplog)
    assert MARK not in said, "a name or value was said"
    assert f"{MARK}value".encode() not in raw, "a value is at rest"
    notes = b"".join(p.read_bytes() for p in (tmp_path / "share").iterdir())
    assert MARK.encode() not in notes
