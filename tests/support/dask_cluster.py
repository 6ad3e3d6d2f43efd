"""A scheduler and workers on loopback, to be killed."""

import os
import random
import socket
import subprocess
import sys
import time

LOG_CHARS = 6000


def free_port():
    """Below those that the kernel gives to clients: one of them could take it during a restart."""
    for port in random.SystemRandom().sample(range(20_000, 32_000), 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no free port")


class Cluster:
    def __init__(self, folder, workers=2):
        self.folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._count = workers
        self.workers, self.scheduler = [], None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()
        if kind is not None:
            self.tell()

    def tell(self):
        """What the processes said last, where a failed test shows it."""
        for log in sorted(self.folder.glob("*.log")):
            print(f"--- {log.name}\n{log.read_text(errors='replace')[-LOG_CHARS:]}")  # noqa: T201

    def start(self):
        self.scheduler = self._run("scheduler", "--host", "127.0.0.1", "--port", str(self.port))
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                assert time.monotonic() < deadline, "no scheduler"
                time.sleep(0.2)
        for _ in range(self._count):
            self.add_worker()

    def add_worker(self):
        place = ["--local-directory", str(self.folder), "--host", "127.0.0.1"]
        self.workers.append(
            self._run("worker", self.address, "--no-nanny", "--nthreads", "1", *place)
        )

    def restart(self):
        """As a service manager would: everything comes back under the same address."""
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()
        self.workers = []
        self.start()

    def _run(self, what, *arguments):
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{what}",
            *arguments,
            "--no-dashboard",
        ]
        environment = {**os.environ, "PYTHONPATH": os.getcwd()}
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment)
