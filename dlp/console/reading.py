"""Read a file again, because somebody asked to see what was found in it.

In: a path.  Out: the record with masks or values, from a confined worker; nothing is kept.

The console has threads, and a worker is forked: so a process of its own forks it, started when
first needed and ended when nobody asked for a while.
"""

from __future__ import annotations

import json
import subprocess
import threading
import time
from typing import Any

from dlp.config import Settings
from dlp.errors import DlpError
from dlp.resources import ourselves

IDLE_SECONDS = 600.0


class Reader:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._used = 0.0

    def ask(self, what: str, path: str, **more: Any) -> dict[str, Any]:
        """One question at a time: reading is rare and costs memory."""
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps({"what": what, "path": path, **more}) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
                answer: dict[str, Any] = json.loads(line)
            except (OSError, ValueError):
                self._end()
                raise DlpError(
                    "the file could not be read again", fix="try once more; see `dlp doctor`"
                ) from None
            self._used = time.monotonic()
        if "error" in answer:
            raise DlpError(answer["error"])
        return answer

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            settings = self._settings.model_dump_json()
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                ourselves("dlp.console.reader"),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            assert self._process.stdin is not None
            self._process.stdin.write(settings + "\n")
        return self._process

    def rest(self) -> None:
        """Called now and then: give the memory back when nobody reads."""
        if self._process is not None and time.monotonic() - self._used > IDLE_SECONDS:
            with self._lock:
                self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def close(self) -> None:
        with self._lock:
            self._end()
