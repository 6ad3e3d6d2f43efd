"""A zip gives up its members whole, in pieces, or as a gap; never more bytes than the budget allows."""

import contextlib
import io
import random
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.decode.contract import BudgetExceededError, Limits
from dlp.decode.zip_archive import UnreadableError, open_guarded
from dlp.model import GapCode

METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
NOISE = random.Random(1).randbytes(5000)


def pack(members, method=zipfile.ZIP_DEFLATED, comment=b""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
        archive.comment = comment
    return out.getvalue()


def opened(raw, **limits):
    return open_guarded(io.BytesIO(raw), Limits(**limits))


@pytest.mark.parametrize("method", METHODS)
@given(contents=st.lists(st.binary(max_size=3000), min_size=1, max_size=4))
@settings(max_examples=20, deadline=None)
def test_every_method_gives_back_what_went_in(method, contents):
    members = [(f"m{number}", content) for number, content in enumerate(contents)]
    archive = opened(pack(members, method, b"note"))
    assert archive.intact
    assert archive.comment == b"note"
    assert [(entry.name, archive.read(entry)) for entry in archive.entries] == members


def test_reads_in_pieces_no_larger_than_asked():
    archive = opened(pack([("a", NOISE * 10)]))
    stream = archive.open("a")
    pieces = list(iter(lambda: stream.read(999), b""))
    assert max(map(len, pieces)) <= 999
    assert b"".join(pieces) == NOISE * 10


def test_two_members_of_one_name_are_both_readable():
    with pytest.warns(UserWarning, match="Duplicate name"):
        raw = pack([("same", b"first"), ("same", b"second")])
    archive = opened(raw)
    assert [archive.read(entry) for entry in archive.entries] == [b"first", b"second"]


def test_something_glued_in_front_changes_nothing():
    archive = opened(b"#!/bin/sh\n" * 7 + pack([("a", b"content")]))
    assert archive.read("a") == b"content"


@pytest.mark.parametrize("method", METHODS)
def test_a_cut_off_zip_still_gives_its_first_members(method):
    raw = pack([("first", b"kept " * 50), ("second", NOISE)], method)
    archive = opened(raw[: len(raw) // 2])
    assert not archive.intact
    assert archive.gaps[0].code is GapCode.CORRUPT
    assert archive.read("first") == b"kept " * 50
    with pytest.raises(UnreadableError) as caught:
        archive.read("second")
    assert caught.value.gap.code is GapCode.CORRUPT
    assert NOISE.startswith(caught.value.partial)


def test_a_wrong_checksum_is_damage_but_the_bytes_are_kept():
    raw = bytearray(pack([("a", b"content" * 9)], zipfile.ZIP_STORED))
    raw[raw.index(b"content")] ^= 1
    with pytest.raises(UnreadableError) as caught:
        opened(bytes(raw)).read("a")
    assert caught.value.gap.code is GapCode.CORRUPT
    assert caught.value.partial.endswith(b"content")


def test_an_encrypted_member_is_a_gap():
    raw = bytearray(pack([("a", b"content")]))
    at = raw.index(b"PK\1\2")
    raw[at + 8] |= 1
    with pytest.raises(UnreadableError) as caught:
        opened(bytes(raw)).read("a")
    assert caught.value.gap.code is GapCode.ENCRYPTED


def test_an_unknown_method_is_a_gap():
    raw = bytearray(pack([("a", b"content")]))
    at = raw.index(b"PK\1\2")
    raw[at + 10 : at + 12] = struct.pack("<H", 9)
    with pytest.raises(UnreadableError) as caught:
        opened(bytes(raw)).read("a")
    assert caught.value.gap.code is GapCode.UNSUPPORTED


def test_a_bomb_stops_at_the_ratio_however_large_it_claims_to_be():
    archive = opened(pack([("bomb", bytes(50_000_000))]))
    with pytest.raises(BudgetExceededError) as caught:
        archive.read("bomb")
    assert caught.value.gap.code is GapCode.TOO_LARGE
    assert archive.budget.inflated < 12_000_000


def test_the_budget_counts_over_all_members():
    archive = opened(pack([("a", NOISE), ("b", NOISE)]), max_inflated_bytes=7000)
    archive.read("a")
    with pytest.raises(BudgetExceededError):
        archive.read("b")


def test_members_that_share_bytes_are_refused():
    """The kernel of an overlap bomb: many directory rows that point at one member."""
    raw = pack([("kernel", NOISE)])
    at = raw.index(b"PK\1\2")
    end = raw.index(b"PK\5\6")
    row = raw[at:end]
    rows = b"".join(row.replace(b"kernel", f"copy{n:02}".encode()) for n in range(40))
    tail = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 40, 40, len(rows), at, 0)
    archive = opened(raw[:at] + rows + tail)
    refused = 0
    for entry in archive.entries:
        try:
            archive.read(entry)
        except UnreadableError:
            refused += 1
    assert len(archive.entries) == 40
    assert refused == 39


def test_more_members_than_allowed_is_said():
    archive = opened(pack([(f"m{n}", b"x") for n in range(30)]), max_entries=10)
    assert len(archive.entries) == 10
    assert archive.gaps[0].code is GapCode.TOO_LARGE


def test_names_never_show():
    archive = opened(pack([("Jane Roe.txt", b"x")]))
    assert "Jane" not in repr(archive.entries)


def test_members_missing_from_the_directory_are_read():
    both = pack([("listed", b"shown"), ("secret", b"hidden " * 20)])
    at, end = both.index(b"PK\1\2"), both.index(b"PK\5\6")
    second = both.index(b"PK\1\2", at + 4)
    tail = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, second - at, at, 0)
    archive = opened(both[:second] + tail)
    assert end > second
    assert [(entry.name, archive.read(entry)) for entry in archive.entries] == [
        ("listed", b"shown"),
        ("secret", b"hidden " * 20),
    ]


def test_a_zip_stored_inside_is_not_taken_apart():
    inner = pack([("a", NOISE), ("b", b"x")])
    archive = opened(pack([("inner.zip", inner), ("c", b"y")], zipfile.ZIP_STORED))
    assert archive.names() == ["inner.zip", "c"]


def test_what_lies_around_the_archive_is_given():
    archive = opened(b"in front" + pack([("a", b"x")], comment=b"note") + b"behind")
    assert dict(archive.around()) == {"front": b"in front", "behind": b"behind"}
    assert not list(opened(pack([("a", b"x")])).around())


PIECES = st.sampled_from([
    b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\6", b"PK\6\7", b"\0" * 4, b"\xff" * 8, b"\x08\0",
    b"\x0e\0", b"\5\0\x5d\0\0\1\0", NOISE[:40], pack([("a", b"x" * 99)]), pack([("b", NOISE[:99])]),
])  # fmt: skip


@given(st.lists(PIECES, max_size=12).map(b"".join), st.integers(0, 300))
@settings(max_examples=150, deadline=None)
def test_pieces_of_zips_in_any_order_never_surprise(raw, cut):
    archive = opened(raw[cut % (len(raw) + 1) :])
    for entry in archive.entries:
        with contextlib.suppress(UnreadableError, BudgetExceededError):
            archive.read(entry)
    assert archive.budget.inflated <= 20_000
