"""Passing by the records nobody hears changes nothing for those that are heard."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from dlp.decode.office import excel_binary

RECORD = st.tuples(st.sampled_from((0x3C, 0x0A, 0xFC, 0x55)), st.binary(max_size=6))


@given(st.lists(RECORD), st.integers(0, 8))
def test_heard_records_come_whole_and_in_order(records, cut):
    stream = b"".join(struct.pack("<HH", kind, len(data)) + data for kind, data in records)
    stream = stream[: len(stream) - cut]
    heard = {0x0A, 0xFC}
    expected = [record for record in excel_binary.records(stream) if record.kind in heard]
    assert list(excel_binary.records(stream, heard)) == expected
