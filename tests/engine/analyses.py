"""Analyses that behave, and some that do not: the file's own name says which."""

import ctypes
import hashlib
import os
import signal
import time

POISONS = ("segfault", "loop", "memory", "fork", "stop", "exit", "output", "sleep", "raise")


def analyse(ref, source):
    """Hash the file, after doing what its name asks for."""
    content = source.read()
    name = os.path.basename(ref.path).split(b".")[0].decode("ascii", "replace")
    act(name)
    record = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    if name == "output":
        record["filler"] = "x" * 4_000_000
    return record


def act(name):
    if name == "segfault":
        ctypes.string_at(0)
    elif name == "loop":
        while True:
            pass
    elif name == "memory":
        hoard = []
        while True:
            hoard.append(bytearray(b"x" * 16_000_000))
    elif name == "fork":
        for _ in range(100):
            os.fork()
    elif name == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif name == "exit":
        os._exit(7)
    elif name == "raise":
        raise SystemExit("Jane Sample, born 1 May 1950")
    elif name == "sleep":
        time.sleep(3600)
