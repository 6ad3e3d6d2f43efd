"""The real Prometheus and Alertmanager on loopback, with the example files that we ship."""

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

DASHBOARDS = Path("dashboards").resolve()
PROMETHEUS = shutil.which("prometheus")
ALERTMANAGER = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")


def free_ports(count):
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in taken]
    for one in taken:
        one.close()
    return ports


class Webhook:
    """Hears what Alertmanager sends, with the moment it came."""

    def __init__(self):
        self.heard = []
        heard = self.heard

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                for alert in json.loads(body)["alerts"]:
                    heard.append((time.time(), self.path, alert))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def alerts(self, name, receiver, **labels):
        return [
            (moment, alert)
            for moment, path, alert in self.heard.copy()
            if path == f"/{receiver}"
            and alert["status"] == "firing"
            and alert["labels"]["alertname"] == name
            and labels.items() <= alert["labels"].items()
        ]


class Monitoring:
    """Our prometheus.yml and alertmanager.yml; only addresses and intervals are changed."""

    def __init__(self, folder: Path, *, target: int | None, scrape="2s", evaluation="1s"):
        self._folder = folder
        self.webhook = Webhook()
        self.port, self.alert_port = free_ports(2)
        config = (DASHBOARDS / "prometheus.yml").read_text()
        config = config.replace("rules/", f"{DASHBOARDS}/rules/")
        config = config.replace("127.0.0.1:9093", f"127.0.0.1:{self.alert_port}")
        config = config.replace("127.0.0.1:9464", f"127.0.0.1:{target}")
        config = config.replace("scrape_interval: 15s", f"scrape_interval: {scrape}")
        config = config.replace("evaluation_interval: 15s", f"evaluation_interval: {evaluation}")
        (folder / "prometheus.yml").write_text(config)
        routes = (DASHBOARDS / "alertmanager.yml").read_text()
        routes = routes.replace("127.0.0.1:5001", f"127.0.0.1:{self.webhook.port}")
        (folder / "alertmanager.yml").write_text(routes)
        self._wants_prometheus = target is not None
        self._processes = []

    def __enter__(self):
        listen = "--web.listen-address=127.0.0.1:"
        self._start(
            ALERTMANAGER, f"{listen}{self.alert_port}", "--cluster.listen-address=",
            "--config.file=alertmanager.yml", "--storage.path=alerts",
        )  # fmt: skip
        self.until(lambda: self._answers(self.alert_port))
        if self._wants_prometheus:
            # It learns of its Alertmanager five seconds after its start; what fired before that
            # is sent again after this delay, and nothing else changes by it.
            self._start(
                PROMETHEUS, f"{listen}{self.port}", "--config.file=prometheus.yml",
                "--storage.tsdb.path=series", "--rules.alert.resend-delay=5s",
            )  # fmt: skip
            self.until(lambda: self._answers(self.port))
        return self

    def _start(self, *command):
        with (self._folder / "monitoring.log").open("ab") as log:
            environment = {**os.environ, "GOMAXPROCS": "1"}
            self._processes.append(
                subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log, env=environment)
            )

    def __exit__(self, *_):
        for process in self._processes:
            process.kill()
            process.wait()
        self.webhook.close()

    def until(self, true, seconds=30.0):
        deadline = time.monotonic() + seconds
        while not (found := true()):
            assert all(process.poll() is None for process in self._processes), self.log()
            assert time.monotonic() < deadline, f"not within {seconds} s\n{self.log()}"
            time.sleep(0.05)
        return found

    def log(self):
        return (self._folder / "monitoring.log").read_text()[-3000:]

    @staticmethod
    def _answers(port):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def ask(self, expr):
        """The instant vector of an expression, now; a mistake in it is an error."""
        query = urllib.parse.urlencode({"query": expr})
        address = f"http://127.0.0.1:{self.port}/api/v1/query?{query}"
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(f"{expr}\n{error.read().decode()}") from None

    def rules(self):
        address = f"http://127.0.0.1:{self.port}/api/v1/rules"
        with urllib.request.urlopen(address, timeout=10) as answer:
            groups = json.load(answer)["data"]["groups"]
        return [rule for group in groups for rule in group["rules"]]

    def post(self, *alerts):
        address = f"http://127.0.0.1:{self.alert_port}/api/v2/alerts"
        body = json.dumps([{"labels": labels} for labels in alerts]).encode()
        kind = {"Content-Type": "application/json"}
        urllib.request.urlopen(urllib.request.Request(address, body, kind), timeout=10).close()

    def alerts(self):
        address = f"http://127.0.0.1:{self.alert_port}/api/v2/alerts"
        with urllib.request.urlopen(address, timeout=10) as answer:
            return json.load(answer)


OPERATORS = re.compile(r"(?<![=!<>~])(==|!=|>=|<=|>|<)(?![=~])(?!\s*bool)")


def laid_bare(expr):
    """The same expression without its silence.

    A condition that does not hold gives nothing, and so does one that names a metric nobody emits.
    With `bool` it gives 0 or 1 wherever its two sides exist and match; `absent(x)` becomes x.
    """
    outside = re.split(r"(\{[^}]*\})", expr)
    outside[::2] = [OPERATORS.sub(r"\1 bool", part) for part in outside[::2]]
    return "".join(outside).replace("absent(", "(")
