"""A scheduler and workers on loopback, to be killed."""

import os
import socket
import subprocess
import sys
import time


class Cluster:
    def __init__(self, folder, workers=2):
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._count = workers
        self.workers, self.scheduler = [], None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()

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
