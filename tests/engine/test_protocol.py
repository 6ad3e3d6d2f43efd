"""Messages arrive whole and unchanged however the socket cuts them; anything else is refused."""

import os
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.engine.forkserver import as_error
from dlp.engine.protocol import (
    Inbox,
    OversizeError,
    ProtocolError,
    pack,
    pack_ref,
    receive,
    send,
    unpack,
    unpack_ref,
)
from dlp.engine.worker_handle import Member, cause_of_death
from dlp.errors import ConfigError, DlpError, IsolationError, RuleError, StoreError
from dlp.model import FileRef, Gap, GapCode

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
messages = st.dictionaries(st.text(), json_values, max_size=5)


class Drip:
    """A socket that gives a few bytes at a time."""

    def __init__(self, raw, sizes):
        self.raw, self.sizes = raw, list(sizes)

    def recv(self, most):
        size = min(most, self.sizes.pop() if self.sizes else most)
        chunk, self.raw = self.raw[:size], self.raw[size:]
        return chunk


@given(st.lists(messages, max_size=4), st.lists(st.integers(1, 40), max_size=60))
def test_any_cutting_gives_the_same_messages(sent, sizes):
    drip = Drip(b"".join(map(pack, sent)), sizes)
    inbox = Inbox(1 << 20)
    heard = []
    while inbox.read(drip):
        while (message := inbox.next()) is not None:
            heard.append(message)
    assert heard == sent
    assert inbox.is_empty


@given(
    st.binary(max_size=300).filter(lambda path: b"\0" not in path),
    st.text(max_size=20),
    st.integers(0, 2**63),
)
def test_a_ref_of_any_bytes_survives(path, share, number):
    ref = FileRef(share, path, number, number, number, number, number, "ab")
    assert unpack_ref(unpack(pack(pack_ref(ref))[4:])) == ref


@given(st.binary(max_size=200))
def test_noise_is_refused_or_waited_for_and_never_anything_else(noise):
    inbox = Inbox(1000)
    inbox.read(Drip(noise, []))
    try:
        while (message := inbox.next()) is not None:
            assert isinstance(message, dict)
    except ProtocolError:
        pass


@settings(max_examples=300)
@given(messages)
def test_an_answer_is_read_or_refused(message):
    try:
        record, gap, _ = Member.read_answer(message)
    except ProtocolError:
        return
    assert record is not None or gap is not None


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"peak": 1},
        {"record": [], "gap": None, "peak": 1},
        {"record": None, "gap": "timeout", "peak": 1},
        {"record": None, "gap": ["no such code", "x"], "peak": 1},
        {"record": {}, "gap": None, "peak": "1"},
    ],
)
def test_a_malformed_answer_is_refused(message):
    with pytest.raises(ProtocolError):
        Member.read_answer(message)


def test_a_gap_from_a_worker_is_kept_short():
    message = {"record": None, "gap": ["timeout", "x" * 5000], "peak": 1}
    _, gap, _ = Member.read_answer(message)
    assert len(gap.where) == 200


def test_a_message_over_the_limit_is_refused_before_it_arrives():
    inbox = Inbox(100)
    inbox.read(Drip((101).to_bytes(4, "big"), []))
    with pytest.raises(OversizeError):
        inbox.next()


@given(st.text(st.characters(), max_size=20))
def test_names_that_are_no_utf_8_arrive_as_they_were(name):
    assert unpack(pack({"path": name, "size": 1})[4:]) == {"path": name, "size": 1}
    assert unpack(pack({"path": f"{name}\udcff"})[4:]) == {"path": f"{name}\udcff"}


def test_what_is_no_json_is_never_sent():
    with pytest.raises(TypeError):
        pack({"record": object()})


def test_deep_nesting_is_refused():
    with pytest.raises(ProtocolError):
        unpack(b"[" * 100_000)


def test_a_descriptor_travels_with_its_message():
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    with ours, theirs:
        send(ours, {"a": "x" * 100_000}, writing)
        message, fd = receive(theirs)
        assert message == {"a": "x" * 100_000}
        os.write(fd, b"same pipe")
        assert os.read(reading, 100) == b"same pipe"
        ours.close()
        assert receive(theirs) is None
    for one in (reading, writing, fd):
        os.close(one)


@pytest.mark.parametrize(
    "status, gap",
    [
        (None, Gap(GapCode.INTERNAL, "worker:lost")),
        (7 << 8, Gap(GapCode.INTERNAL, "worker:exit 7")),
        (24, Gap(GapCode.TIMEOUT, "worker:cpu")),
        (14, Gap(GapCode.TIMEOUT, "worker:wall")),
        (9, Gap(GapCode.TOO_LARGE, "worker:memory")),
        (11 | 128, Gap(GapCode.INTERNAL, "worker:SIGSEGV")),
        (40, Gap(GapCode.INTERNAL, "worker:signal 40")),
    ],
)
def test_every_death_has_a_cause(status, gap):
    assert cause_of_death(status) == gap


@pytest.mark.parametrize("kind", [ConfigError, RuleError, StoreError, IsolationError])
def test_an_error_of_ours_crosses_as_itself(kind):
    error = as_error(kind.code, "what", "where", "fix")
    assert type(error) is kind
    assert str(error) == str(kind("what", where="where", fix="fix"))
    assert type(as_error("DLP-999", "what", "", "")) is DlpError
