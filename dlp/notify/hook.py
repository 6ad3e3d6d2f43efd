"""Tell a program of the site's own: a ticket, a pager, a chat.

In: a parcel of one notice.  Out: the program ended with 0 in its time, or UndeliveredError.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess

from dlp.config import Channel
from dlp.errors import UndeliveredError
from dlp.notice import Parcel

PATH = "/usr/local/bin:/usr/bin:/bin"
OPEN_FILES, PROCESSOR_SECONDS = 256, 60
MEMORY_BYTES = 1 << 30


class Hook:
    most = 1
    gather_seconds = 0.0

    def __init__(self, channel: Channel, link: str) -> None:
        self._channel = channel
        self._link = link

    def deliver(self, parcel: Parcel) -> None:
        (notice,) = parcel.notices
        body = json.dumps(notice.as_object(self._link)).encode() + b"\n"
        known = {"DLP_ID": notice.id, "DLP_EVENT": notice.event, "DLP_SHARE": notice.share}
        environment = {"PATH": PATH, "LANG": "C.UTF-8", **known, "DLP_ATTEMPT": str(parcel.attempt)}
        try:
            program = subprocess.Popen(  # noqa: S603 - named in the settings, no shell
                self._channel.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd="/",
                start_new_session=True,
                preexec_fn=bounded,  # noqa: PLW1509 - the sender has one thread
            )
        except OSError as error:
            raise UndeliveredError(
                f"the hook does not start: {error.strerror}", down=True
            ) from None
        try:
            program.communicate(body, timeout=self._channel.seconds)
        except subprocess.TimeoutExpired:
            raise UndeliveredError("the hook took too long") from None
        finally:
            end(program)
        if program.returncode:
            raise UndeliveredError(f"the hook ended with {program.returncode}")


def end(program: subprocess.Popen[bytes]) -> None:
    """Whatever the program left running in its session ends with it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    if program.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            program.stdin.close()


def bounded() -> None:
    """Bounds for a program that we did not write."""
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CPU: PROCESSOR_SECONDS,
        resource.RLIMIT_AS: MEMORY_BYTES,
    }
    for what, most in limits.items():
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, bound))
