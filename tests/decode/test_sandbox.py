"""A confined process can read the descriptor it was given and do nothing else to anybody."""

import ctypes
import errno
import faulthandler
import json
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from dlp.decode import sandbox
from dlp.decode.contract import BudgetExceededError, Limits
from dlp.decode.probes import examine, selftest
from dlp.decode.sandbox import (
    Confinement,
    Measure,
    confine,
    forbid_new_privileges,
    guarded,
    syscall,
)
from dlp.engine.worker import Sandbox
from dlp.errors import KnowledgeError
from dlp.model import Gap, GapCode

LIMITS = Limits(memory_bytes=200_000_000, wall_seconds=20)
needs_landlock = pytest.mark.skipif(
    sandbox.landlock_version() < 1, reason="the kernel has no Landlock"
)


def in_child(act, prepare=lambda: confine(LIMITS)):
    """Run in a fork: what `act` returns, as JSON, or the wait status if it did not live."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            faulthandler.disable()
            prepare()
            os.write(writing, json.dumps(act()).encode())
        except BaseException as error:  # noqa: BLE001 - a child must not unwind into pytest
            os.write(writing, json.dumps(type(error).__name__).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        told = answers.read()
    _, status = os.waitpid(pid, 0)
    return json.loads(told) if told else status


def test_all_nine_forbidden_acts_are_blocked():
    probes = selftest(LIMITS)
    assert len(probes) == 9
    assert [probe for probe in probes if not probe.blocked] == []


def test_the_probes_do_see_a_missing_sandbox(monkeypatch):
    monkeypatch.setattr("dlp.decode.probes.confine", lambda limits: Confinement(()))
    result = examine(LIMITS)
    assert result.degraded
    assert not result.passed
    open_doors = {probe.name for probe in result.probes if not probe.blocked}
    assert open_doors >= {"read", "write", "list", "unlink", "signal", "allocate", "execute"}


@needs_landlock
@pytest.mark.parametrize("missing", ["landlock", "seccomp"])
def test_either_wall_alone_still_shuts_the_file_system(monkeypatch, missing):
    def unavailable():
        raise OSError("not in this kernel")

    monkeypatch.setattr(f"dlp.decode.sandbox.install_{missing}", unavailable)
    result = examine(LIMITS)
    assert result.degraded
    assert result.walls[missing] == "unavailable: OSError"
    blocked = {probe.name for probe in result.probes if probe.blocked}
    assert blocked >= {"read", "write", "list", "execute", "unlink", "allocate", "memory of others"}


@needs_landlock
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86-64")
def test_a_kernel_without_landlock_is_degraded_and_still_shut():
    """Not a stand-in: a filter of the test's own makes the kernel deny that it has Landlock."""

    def examine_without_landlock():
        forbid_new_privileges()
        code = [sandbox._instruction(0x20, 0)]
        for number in (444, 445, 446):
            code.append(sandbox._instruction(0x15, number, 0, 1))
            code.append(sandbox._instruction(0x06, sandbox.REFUSE | errno.ENOSYS))
        raw = b"".join([*code, sandbox._instruction(0x06, sandbox.ALLOW)])
        program = sandbox._Program(len(raw) // 8, raw)
        syscall(317, ctypes.c_uint(1), ctypes.c_uint(0), ctypes.byref(program))
        result = examine(LIMITS)
        return [result.degraded, result.walls["landlock"], sum(p.blocked for p in result.probes)]

    told = in_child(examine_without_landlock, prepare=lambda: None)
    assert told == [True, "unavailable: OSError", 9]


def test_without_both_walls_only_a_relaxed_worker_works():
    walls = {name: Measure(name, applied=True) for name in sandbox.WALLS}
    full = Confinement(tuple(walls.values()))
    no_filter = Confinement(tuple(m for n, m in walls.items() if n != "seccomp"))
    open_files = Confinement((walls["memory"], walls["no_new_privs"]))
    assert [s for s in Sandbox if s.accepts(full)] == list(Sandbox)
    assert [s for s in Sandbox if s.accepts(no_filter)] == [Sandbox.STANDARD, Sandbox.RELAXED]
    assert [s for s in Sandbox if s.accepts(open_files)] == [Sandbox.RELAXED]


def test_the_given_descriptor_stays_readable(tmp_path):
    path = tmp_path / "given"
    path.write_bytes(b"content" * 1000)
    fd = os.open(path, os.O_RDONLY)

    def read():
        with os.fdopen(fd, "rb") as source:
            source.seek(7)
            return [source.read(7).decode(), os.fstat(fd).st_size, source.seek(0, 2)]

    assert in_child(read) == ["content", 7000, 7000]
    os.close(fd)


def test_a_writable_descriptor_cannot_grow_a_file(tmp_path):
    fd = os.open(tmp_path / "log", os.O_RDWR | os.O_CREAT)

    def write():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        return os.write(fd, b"content")

    assert in_child(write) == "OSError"
    assert os.fstat(fd).st_size == 0
    os.close(fd)


@pytest.mark.parametrize(
    "act",
    [
        lambda: os.stat("/etc/passwd").st_size,
        lambda: os.readlink("/proc/self/exe"),
        lambda: os.chmod("/tmp", 0o777),
        lambda: os.rename("/tmp/a", "/tmp/b"),
        lambda: os.mkdir("/tmp/dlp-sandbox-test"),
        lambda: os.symlink("a", "/tmp/dlp-sandbox-link"),
        os.fork,
        lambda: subprocess.run(["/bin/true"], check=False).returncode,
        lambda: len(socket.socketpair()),
        lambda: socket.socket(socket.AF_UNIX).fileno(),
        lambda: os.memfd_create("x"),
        os.setsid,
        lambda: os.setuid(0),
        lambda: os.nice(-1),
        lambda: os.killpg(0, 0),
        lambda: os.kill(-1, 0),
        lambda: os.listxattr("/tmp"),
        lambda: select.epoll().fileno(),
        lambda: resource.prlimit(1, resource.RLIMIT_CORE),
        lambda: resource.setrlimit(resource.RLIMIT_DATA, (-1, -1)),
    ],
    ids=lambda act: act.__code__.co_names[1] if hasattr(act, "__code__") else act.__name__,
)
def test_other_ways_out_are_refused(act):
    assert in_child(act) in {"PermissionError", "FileNotFoundError", "ValueError", "OSError"}


def test_to_a_worker_the_disk_is_empty():
    """A library that looks for an optional file must see that there is none, not a failure."""
    for look in (os.stat, os.open, os.readlink, os.lstat):
        flags = [os.O_RDONLY] if look is os.open else []
        assert in_child(lambda look=look, flags=flags: look("/etc/passwd", *flags)) == (
            "FileNotFoundError"
        )
    assert in_child(lambda: os.access("/", os.R_OK)) is False


@pytest.mark.parametrize(
    "name, number",
    [("ptrace", 101), ("mount", 165), ("unshare", 272), ("bpf", 321), ("io_uring_setup", 425),
     ("userfaultfd", 323), ("process_vm_readv", 310), ("keyctl", 250), ("personality", 135),
     ("clone3", 435), ("vfork", 58), ("open_by_handle_at", 304), ("pidfd_open", 434)],
)  # fmt: skip
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86-64")
def test_raw_system_calls_are_refused(name, number):
    assert in_child(lambda: syscall(number, 0, 0, 0, 0)) in {"PermissionError", "OSError"}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="x32 exists on x86-64 only")
def test_the_second_numbering_of_system_calls_is_no_way_around():
    getpid_in_x32 = 0x40000000 | 39
    assert in_child(lambda: syscall(getpid_in_x32)) == "PermissionError"


def test_threads_and_memory_and_time_still_work():
    def work():
        heard = []
        thread = threading.Thread(target=lambda: heard.append(len(bytearray(5_000_000))))
        thread.start()
        thread.join()
        time.sleep(0.001)
        return [heard, len(os.urandom(4)), time.time() > 0]

    assert in_child(work) == [[5_000_000], 4, True]


def test_a_crash_still_tells_its_signal():
    assert os.WTERMSIG(in_child(os.abort)) == signal.SIGABRT
    assert os.WTERMSIG(in_child(lambda: ctypes.string_at(0))) == signal.SIGSEGV


def test_memory_beyond_the_limit_is_refused():
    def hoard(step=8_000_000):
        kept = []
        while len(kept) * step < 2_000_000_000:
            kept.append(b"x" * step)
        return len(kept)

    assert in_child(hoard) == "MemoryError"


def test_processor_time_beyond_the_limit_ends_the_process():
    def spin():
        while True:
            pass

    status = in_child(spin, lambda: confine(Limits(wall_seconds=0.2)))
    assert os.WTERMSIG(status) == signal.SIGXCPU


def test_no_capability_is_left():
    def capabilities():
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        sets = (ctypes.c_uint32 * 6)()
        ctypes.CDLL(None).capget(header, sets)
        return list(sets)

    # Reading them is refused by the filter, so look before it comes into force.
    def prepare():
        sandbox.install_seccomp = lambda: None
        confine(LIMITS)

    assert in_child(capabilities, prepare) == [0] * 6


def test_filters_end_in_a_refusal_and_fit_the_kernel():
    for machine in ("x86_64", "aarch64"):
        raw = sandbox.seccomp_program(machine, 1234)
        code = [struct.unpack_from("=HBBI", raw, at) for at in range(0, len(raw), 8)]
        assert len(code) < 4096
        assert code[-1] == (0x06, 0, 0, 0x00050000 | 1)
        for position, (_, if_true, if_false, _) in enumerate(code[:-1]):
            assert position + 1 + max(if_true, if_false) < len(code)


def test_an_unknown_architecture_is_no_filter_and_says_so(monkeypatch):
    monkeypatch.setattr("dlp.decode.sandbox.machine", lambda: "sparc")
    with pytest.raises(OSError, match="architecture"):
        sandbox.install_seccomp()


@pytest.mark.parametrize(
    "error, gap",
    [
        (MemoryError(), Gap(GapCode.TOO_LARGE, "worker:memory")),
        (RecursionError(), Gap(GapCode.TOO_DEEP, "worker:recursion")),
        (BudgetExceededError(GapCode.TOO_LARGE, "sheet:2"), Gap(GapCode.TOO_LARGE, "sheet:2")),
        (KnowledgeError("damaged"), Gap(GapCode.INTERNAL, "worker:DLP-200")),
        (ValueError("Jane Sample"), Gap(GapCode.INTERNAL, "worker:ValueError")),
        (SystemExit("Jane Sample"), Gap(GapCode.INTERNAL, "worker:SystemExit")),
        (KeyboardInterrupt(), Gap(GapCode.INTERNAL, "worker:KeyboardInterrupt")),
    ],
)
def test_whatever_a_parser_raises_is_a_gap_without_content(error, gap):
    def fail():
        raise error

    assert guarded(fail) == (None, gap)
    assert guarded(lambda: 7) == (7, None)


def test_it_works_for_an_ordinary_user():
    if os.getuid() != 0:
        pytest.skip("this is the ordinary user's run already")
    code = (
        "import os, tempfile; from dlp.decode.probes import selftest;"
        "os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534);"
        "p = selftest(); print(sum(x.blocked for x in p), len(p))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "9 9", done.stderr
