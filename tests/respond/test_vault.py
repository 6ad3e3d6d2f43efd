"""A blob gives nothing away, shows every changed byte, and outlives its key and its database."""

import os
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.engine.policy_responder import Keeping, rebuild
from dlp.errors import RespondError
from dlp.respond.vault import PIECE, Vault
from dlp.store.outbox import Outbox
from tests.support.guarded_share import KEY, Guard, digest, unsealed

NEW_KEY = b"n" * 32


def sealed(folder, item, content, key=KEY):
    vault = Vault(os.fsencode(folder), key)
    source = os.memfd_create("source")
    os.write(source, content)
    vault.seal(item, source, {"sha256": digest(content)}, digest(content))
    os.close(source)
    return vault


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 7])
def test_any_size_comes_back(tmp_path, size):
    content = random.Random(size).randbytes(size)
    vault = sealed(tmp_path / "v", "aa", content)
    assert vault.verify("aa") == digest(content)
    assert unsealed(tmp_path / "v" / "aa.blob")[1] == content
    vault.close()


def test_every_flipped_byte_and_every_cut_shows(tmp_path):
    chance = random.Random(2)
    content = chance.randbytes(PIECE + 500)
    vault = sealed(tmp_path / "v", "aa", content)
    path = tmp_path / "v" / "aa.blob"
    whole = path.read_bytes()
    places = [*range(84), *(chance.randrange(len(whole)) for _ in range(30)), len(whole) - 1]
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(RespondError):
            vault.verify("aa")
    for cut in (0, 40, 90, len(whole) - 1, len(whole) - 516):
        path.write_bytes(whole[:cut])
        with pytest.raises(RespondError):
            vault.verify("aa")
    vault.close()


def test_a_blob_under_another_items_name_does_not_open(tmp_path):
    vault = sealed(tmp_path / "v", "aa", b"content")
    os.rename(tmp_path / "v" / "aa.blob", tmp_path / "v" / "bb.blob")
    with pytest.raises(RespondError):
        vault.verify("bb")
    vault.close()


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=3000))
def test_no_run_of_the_content_is_in_the_blob(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("v")
    sealed(folder, "aa", content).close()
    raw = (folder / "aa.blob").read_bytes()
    assert all(content[i : i + 8] not in raw for i in range(0, max(0, len(content) - 8), 8))


def test_the_key_is_rotated_and_the_old_one_forgotten(tmp_path):
    names = [f"{n}.txt" for n in range(10)]
    with Guard(tmp_path) as guard:
        for name in names:
            (guard.root / name).write_bytes(name.encode() * 100)
        items = [guard.quarantine.apply(guard.ref(name)).undo_token for name in names]
    with Guard(tmp_path, key=NEW_KEY, old=(KEY,)) as guard:
        assert all(guard.vault.rewrap(item) for item in items)
        assert not any(guard.vault.rewrap(item) for item in items), "once is enough"
    with Guard(tmp_path, key=NEW_KEY) as guard:
        assert all(guard.restore.apply(item).done for item in items)
        assert all((guard.root / name).read_bytes() == name.encode() * 100 for name in names)


def test_without_the_key_nothing_opens(tmp_path):
    sealed(tmp_path / "v", "aa", b"content").close()
    vault = Vault(os.fsencode(tmp_path / "v"), NEW_KEY)
    with pytest.raises(RespondError, match="no key opens"):
        vault.verify("aa")
    vault.close()


def test_the_journal_is_rebuilt_from_the_vault_alone(tmp_path):
    with Guard(tmp_path) as guard:
        for number in range(10):
            (guard.root / f"{number}.txt").write_bytes(b"%d" % number)
            guard.quarantine.apply(guard.ref(f"{number}.txt"))
    for path in tmp_path.glob("state.db*"):
        path.unlink()
    with Guard(tmp_path) as guard:
        parts = (guard.engine, guard.ledger, guard.journal, guard.vault, Outbox(guard.engine))
        keeping = Keeping(*parts)
        assert rebuild(keeping, expires_at=1e12) == 10
        assert rebuild(keeping, expires_at=1e12) == 0
        assert all(guard.restore.apply(item).done for item in guard.vault.items())
        assert sorted(os.listdir(guard.root)) == [f"{n}.txt" for n in range(10)]
        assert replace(guard.journal.items()[0], id="x").expires_at == 1e12
