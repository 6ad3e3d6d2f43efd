"""Rosters hold tags and nothing else; only their key can ask them."""

import hashlib
import random
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from dlp.errors import KnowledgeError
from dlp.knowledge import artefact, roster, roster_files
from dlp.knowledge.person_tags import Described, Tagger, births_of, siphash
from dlp.knowledge.roster import OTHER_KEY, Rosters, build, load_rosters
from dlp.knowledge.roster_files import known_in, state_of

KEY = bytes(range(32))
ADA = Described("Ada Marie", "Quintero-Holm", (19610307,), ("K40392817",))
OLE = Described("Øle", "Müllerström", (19851224,), ("K11223344", "0555 019 283"))

# From the reference implementation: key 00..0f, message 00..07.
VECTOR = 0x93F5F5799A932462


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "rosters"


def words(length):
    raw = bytes(range(length))
    return [np.array([int.from_bytes(raw[at : at + 8], "little")], dtype=np.uint64)
            for at in range(0, length, 8)]  # fmt: skip


def reference(key, message):
    """SipHash-2-4 as the paper tells it, one word after the other."""
    mask = (1 << 64) - 1

    def turned(x, b):
        return ((x << b) | (x >> (64 - b))) & mask

    k = [int.from_bytes(key[at : at + 8], "little") for at in (0, 8)]
    v = [k[0] ^ 0x736F6D6570736575, k[1] ^ 0x646F72616E646F6D,
         k[0] ^ 0x6C7967656E657261, k[1] ^ 0x7465646279746573]  # fmt: skip

    def sip():
        v[0] = (v[0] + v[1]) & mask
        v[2] = (v[2] + v[3]) & mask
        v[1] = turned(v[1], 13) ^ v[0]
        v[3] = turned(v[3], 16) ^ v[2]
        v[0] = turned(v[0], 32)
        v[2] = (v[2] + v[1]) & mask
        v[0] = (v[0] + v[3]) & mask
        v[1] = turned(v[1], 17) ^ v[2]
        v[3] = turned(v[3], 21) ^ v[0]
        v[2] = turned(v[2], 32)

    for word in [*message, (8 * len(message)) << 56]:
        v[3] ^= word
        sip()
        sip()
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(4):
        sip()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_tags_are_siphash():
    assert int(siphash(bytes(range(16)), *words(8))[0]) == VECTOR
    rng = random.Random(5)
    for size in (1, 2, 3):
        key = rng.randbytes(16)
        columns = [np.array([rng.getrandbits(64) for _ in range(50)], dtype=np.uint64)
                   for _ in range(size)]  # fmt: skip
        expected = [reference(key, [int(c[row]) for c in columns]) for row in range(50)]
        assert siphash(key, *columns).tolist() == expected


@pytest.mark.parametrize(
    "one",
    [
        Described("ada", "QUINTERO"),
        Described("Ada", "Holm", (19610307,)),
        Described("Ada-Marie", "quinteroholm"),
        Described("", "Quintero", (19610307,)),
        Described(numbers=("k-4039 2817",)),
        Described("Ole", "Muellerstroem"),
        Described("OLE", "Mullerstrom", (19851224,), ("K11223344",)),
    ],
)
def test_any_writing_of_a_patient_is_listed(folder, one):
    build(folder, "all", [ADA, OLE], KEY)
    assert Rosters(folder, KEY).lists(one)


@pytest.mark.parametrize(
    "one",
    [
        Described("Ada", "Müllerström"),
        Described("Ada", "Quintero", (19610308,)),
        Described("", "Quintero", (19851224,)),
        Described("Ada", "Quintero", (), ("K11223344",)),
        Described(numbers=("K40392818",)),
    ],
)
def test_two_patients_are_not_mixed(folder, one):
    build(folder, "all", [ADA, OLE], KEY)
    assert not Rosters(folder, KEY).lists(one)


def test_neither_values_nor_guesses_without_the_key_are_in_the_file(folder):
    build(folder, "all", [ADA, OLE], KEY)
    raw = (folder / "all.bin").read_bytes()
    for value in ("quintero", "Quintero", "40392817", "19610307", "Müller"):
        for code in ("utf-8", "utf-16-le"):
            assert value.encode(code) not in raw
    assert (folder / "all.bin").stat().st_mode & 0o077 == 0
    arrays = artefact.load("all", folder, check=False)
    guesses = Tagger(bytes(32), roster.PURPOSE).of_people([ADA, OLE])
    assert all(
        not set(arrays[kind].tolist()) & set(tags.tolist()) for kind, tags in guesses.items()
    )
    other = Tagger(KEY, "another purpose").of_people([ADA])
    assert not set(arrays["name"].tolist()) & set(other["name"].tolist())


def test_another_key_or_a_changed_byte_is_refused(folder):
    build(folder, "all", [ADA], KEY)
    with pytest.raises(KnowledgeError, match=OTHER_KEY):
        load_rosters(str(folder), bytes(32))
    path = folder / "all.bin"
    raw = bytearray(path.read_bytes())
    raw[-1] ^= 1
    path.write_bytes(raw)
    with pytest.raises(KnowledgeError, match="damaged"):
        load_rosters(str(folder), KEY)


def test_several_rosters_an_update_an_end_and_a_removal(folder, monkeypatch):
    assert load_rosters(str(folder), KEY) is None
    states = [state_of(folder)]
    build(folder, "north", [ADA], KEY)
    states.append(state_of(folder))
    build(folder, "south", [OLE], KEY, days=30)
    states.append(state_of(folder))
    both = load_rosters(str(folder), KEY)
    assert both.lists(ADA)
    assert both.lists(OLE)
    assert both.patients == 2

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(days=31)

    with monkeypatch.context() as patched:
        patched.setattr(roster_files, "datetime", Later)
        assert [known.in_force for known in known_in(folder)] == [True, False]
        assert not Rosters(folder, KEY).lists(OLE)
        states.append(state_of(folder))
    build(folder, "north", [OLE], KEY)
    assert not load_rosters(str(folder), KEY).lists(ADA)
    assert roster_files.remove(folder, "north")
    assert not roster_files.remove(folder, "north")
    assert [known.name for known in known_in(folder)] == ["south"]
    assert states[0] == ""
    assert states[3] == states[1]
    assert len(set(states)) == 3


def test_equal_lists_make_equal_files(folder):
    people = [ADA, OLE]
    first = build(folder, "one", people, KEY)
    assert build(folder, "two", people[::-1], KEY).digest == first.digest
    assert hashlib.sha256((folder / "one.bin").read_bytes()).digest() == (
        hashlib.sha256((folder / "two.bin").read_bytes()).digest()
    )


@pytest.mark.parametrize(
    "writing, days",
    [
        ("7 March 1961", {19610307}),
        ("1961-03-07", {19610307}),
        ("19610307", {19610307}),
        ("25.12.1980", {19801225}),
        ("03/07/1961", {19610307, 19610703}),
        ("3/7/61", {19610307, 19610703, 20610307, 20610703}),
        ("31/31/1961", set()),
        ("next Tuesday", set()),
    ],
)
def test_a_date_means_every_day_it_can(writing, days):
    assert set(births_of(writing)) == days


def test_the_day_of_making_is_told(folder):
    build(folder, "all", [ADA], KEY, days=10)
    (known,) = known_in(folder)
    today = datetime.now(tz=UTC).date()
    assert (known.made, known.expires) == (f"{today}", f"{today + timedelta(days=10)}")
