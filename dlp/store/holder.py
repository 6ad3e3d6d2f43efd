"""Who holds a lease, said so that a dead holder on this machine is told from a living one.

In: nothing, or a holder's name.  Out: our name; whether its process is gone for certain.
"""

from __future__ import annotations

import os
import secrets
import socket


def our_name() -> str:
    """Machine, process, when that process started, and a word that no other holder has."""
    own = os.getpid()
    return f"{socket.gethostname()}:{own}:{started(own)}:{secrets.token_hex(4)}"


def is_dead(holder: str) -> bool:
    """Only a clear yes counts; what runs on another machine ends by its lease."""
    try:
        host, process, since, _ = holder.rsplit(":", 3)
        number = int(process)
    except ValueError:
        return False
    if host != socket.gethostname():
        return False
    # A process has one queue at a time, so an earlier holder in this very process is gone too.
    return number == os.getpid() or started(number) != since


def is_of_this_process(holder: str) -> bool:
    own = os.getpid()
    return holder.startswith(f"{socket.gethostname()}:{own}:{started(own)}:")


def started(process: int) -> str:
    """When a process began, in clock ticks since boot: numbers of processes are used again."""
    try:
        with open(f"/proc/{process}/stat", "rb") as stat:
            # The second field is a name in parentheses and may hold anything.
            return stat.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""
