"""Every page of the console over a large catalogue: server time, the database's part, memory.

    python -m bench.console --files 100000 --out bench/results/console.md

Rows are invented and written through the real catalogue; requests go over a real socket.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

TIMES = 20
CONCEPTS = (
    "D001249",
    "D003920",
    "D015658",
    "D012559",
    "D000437",
    "D001943",
    "D010300",
    "D006973",
    "D004827",
    "D003866",
)
DRUGS = ("D008687", "D005665", "D003024", "D008094", "D009271")
HOME = Path(__file__).resolve().parent.parent


def record(number: int, draw: random.Random) -> dict:
    kind = draw.choices(("phi", "probable", "possible", "impossible"), (15, 10, 55, 20))[0]
    people = (
        [person(draw) for _ in range(draw.choice((1, 1, 1, 2, 5)))]
        if kind in {"phi", "probable"}
        else []
    )
    worst = max(
        people,
        key=lambda p: p["privacy"],
        default={"privacy": 0.0, "identifiability": 0.0, "sensitivity": 0.0},
    )
    folder = f"/srv/share/{draw.randrange(60):02}/{draw.randrange(50):02}"
    gaps = (
        [{"code": draw.choice(("encrypted", "corrupt", "too_large", "timeout")), "where": "body"}]
        if draw.random() < 0.03
        else []
    )
    findings = [
        {
            "kind": "disease",
            "rule": "health.term",
            "part": "body",
            "start": 9,
            "end": 15,
            "confidence": 0.9,
            "concept": fact[1],
            "person": p["id"],
            "context": [],
        }
        for p in people
        for fact in p["burden"]
    ]
    return {
        "path": f"{folder}/document {number:06}.docx", "container": kind, "reason": "invented", "privacy": worst["privacy"],
        "identifiability": worst["identifiability"], "sensitivity": worst["sensitivity"], "persons": people, "findings": findings,
        "gaps": gaps, "media_type": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "language": "en",
        "duplicate_of": None, "action": "observe", "ms": 3.0, "sha256": hashlib.sha256(str(number).encode()).hexdigest(),
        "size_bytes": draw.randrange(1000, 5_000_000), "trail": ["decode.extract", "detect.health", "judge.verdict"], "rules_version": "r-s",
    }  # fmt: skip


def person(draw: random.Random) -> dict:
    mark = hashlib.sha256(
        str(draw.randrange(60_000)).encode()
    ).hexdigest()  # some people are in several files
    p, s = draw.choice((1.0, 1.0, 0.5, 0.01)), round(draw.uniform(0.1, 0.95), 3)
    facts = [["disease", draw.choice(CONCEPTS), 1.0], ["drug", draw.choice(DRUGS), 1.0]]
    return {"id": mark[:32], "identifiability": p, "sensitivity": s, "privacy": p * s, "fingerprints": [f"name:{mark[:32]}", f"id:{mark[32:]}"],
            "explanation": ["8,000,000,000 people in the world", "1 of that name"], "bits": {"first": 10.0, "last": 13.0}, "burden": facts}  # fmt: skip


def fill(base: Path, files: int) -> dict:
    from dlp.console.person_linkage import link_all
    from dlp.store import catalogue
    from dlp.store.migrations import open_database
    from dlp.store.summaries import refresh_folders
    from dlp.store.users import Users

    engine = open_database(base / "catalogue.db")
    draw = random.Random(7)
    took = {}
    began = time.process_time()
    catalogue.BATCH = 5000  # a flush of the disk for 200 rows is what a scan pays, not this bench
    with_rows = catalogue.Catalogue(engine)
    for number in range(files):
        with_rows.add(record(number, draw))
    with_rows.flush()
    took["rows"] = time.process_time() - began
    began = time.process_time()
    refresh_folders(engine)
    took["folders"] = time.process_time() - began
    began = time.process_time()
    took["people"] = link_all(engine)
    took["linking"] = time.process_time() - began
    Users(engine).add("olga", "officer", "correct horse battery")
    engine.dispose()
    took["megabytes"] = (base / "catalogue.db").stat().st_size / 1e6
    return took


class Client:
    def __init__(self, port: int) -> None:
        self._port = port
        self._cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, form: dict | None = None) -> tuple[int, dict, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self._cookies.items())}
        body = urlencode(form) if form else None
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        connection.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text

    def sign_in(self) -> None:
        token = re.search(r'name="token" value="([0-9a-f]+)"', self.ask("GET", "/sign-in")[2])[1]
        status, _, _ = self.ask(
            "POST",
            "/sign-in",
            {"name": "olga", "password": "correct horse battery", "token": token},
        )
        assert status == 303, status


def pages(client: Client) -> dict[str, str]:
    first = client.ask("GET", "/files")[2]
    following = re.search(r'rel="next" href="([^"]+)"', first)[1].replace("&amp;", "&")
    for _ in range(20):
        following = re.search(r'rel="next" href="([^"]+)"', client.ask("GET", following)[2])[
            1
        ].replace("&amp;", "&")
    someone = re.search(r'href="(/people/P-[^"]+)"', client.ask("GET", "/people?sort=files")[2])[1]
    folder = re.search(r'href="(/files\?folder=\d+)"', client.ask("GET", "/folders")[2])[1]
    return {
        "Overview": "/", "Folders": "/folders", "Folders by people": "/folders?sort=people", "Files": "/files",
        "Files, page 22": following, "Files of a folder": folder, "Files by people": "/files?sort=people",
        "Files by day, possible": "/files?sort=judged&container=possible", "Files, level and review": "/files?level=high&review=open&container=phi",
        "Files, part of the name": "/files?q=099999", "Files on HIV": "/files?topic=hiv", "Files, nothing fits": "/files?q=no+such+name&container=phi",
        "A file": re.search(r'href="(/files/\d+)"', first)[1], "Review": "/review", "False positives": "/review/suppressions", "Rules": "/review/rules",
        "Quarantine": "/quarantine", "People": "/people", "A person": someone, "Sensitivity": "/sensitivity", "A condition": "/sensitivity?term=asthma",
        "A condition, misspelt": "/sensitivity?term=astmha+bronchal", "Effect of a new value": "/sensitivity?term=D001249&value=0.9",
        "Coverage": "/coverage", "Coverage, one reason": "/coverage?gap=encrypted", "Ledger": "/ledger",
    }  # fmt: skip


def measure(client: Client, path: str) -> tuple[float, float, int, float, float]:
    total, database, processor, queries = [], [], [], 0
    for _ in range(TIMES):
        status, headers, _ = client.ask("GET", path)
        assert status == 200, (path, status)
        line = headers["server-timing"]
        total.append(float(re.search(r"page;dur=([\d.]+)", line)[1]))
        database.append(float(re.search(r"db;dur=([\d.]+)", line)[1]))
        processor.append(float(re.search(r"cpu;dur=([\d.]+)", line)[1]))
        queries = int(re.search(r'desc="(\d+)"', line)[1])
    medians = (statistics.median(total), statistics.median(database), queries)
    return *medians, min(total), statistics.median(processor)


def resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1000


def serve(base: Path) -> tuple[subprocess.Popen, int]:
    config = base / "dlp.toml"
    config.write_text(f'[store]\ndatabase = "{base}/catalogue.db"\n')
    config.chmod(0o600)
    command = [sys.executable, "-m", "dlp", "console", "--config", str(config), "--port", "0"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HOME,
        env={**os.environ, "XDG_STATE_HOME": str(base), "PYTHONUNBUFFERED": "1"},
    )
    line = process.stdout.readline()
    return process, int(re.search(r":(\d+) ", line)[1])


def report(files: int, took: dict, rows: list, memory: list[float]) -> str:
    slowest = max(rows, key=lambda row: row[2])
    how = (
        f"`python -m bench.console --files {files}`: invented rows written through the real catalogue, "
        f"requests over a real socket, median of {TIMES} each; server time and the database's part of it "
        "as the header Server-Timing tells them. Shared machine with two cores."
    )
    result = (
        f"Slowest page: {slowest[0]}, {slowest[2]:.0f} ms (promised: 300). Resident memory {memory[0]:.0f} MB "
        f"after the first round of pages, {memory[1]:.0f} MB after {memory[2]:.0f} more requests."
    )
    filling = (
        f"Filling: {took['rows']:.0f} s CPU for the rows ({took['megabytes']:.0f} MB), {took['folders']:.1f} s for "
        f"the sums of folders, {took['linking']:.0f} s to link persons into {took['people']:,} people (a process "
        "of its own)."
    )
    head = (
        "| page | server ms | of it database ms | queries | fastest of 20, ms | processor ms |",
        "|---|---:|---:|---:|---:|---:|",
    )
    lines = [f"# The console over {files:,} files", "", how, "", result, "", filling, "", *head]
    lines += [
        f"| {name} | {total:.0f} | {database:.0f} | {queries} | {least:.0f} | {processor:.0f} |"
        for name, _, total, database, queries, least, processor in rows
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--out", type=Path)
    parser.add_argument(
        "--base", type=Path, help="keep the catalogue here, or use the one that is there"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        base = asked.base or Path(scratch)
        os.environ["XDG_STATE_HOME"] = str(base)
        kept = base / "filling.json"
        there = kept.exists()
        base.mkdir(parents=True, exist_ok=True, mode=0o700)
        took = json.loads(kept.read_text()) if there else fill(base, asked.files)
        kept.write_text(json.dumps(took))
        process, port = serve(base)
        try:
            client = Client(port)
            client.sign_in()
            time.sleep(8)  # knowledge loads beside the first pages
            named = pages(client)
            rows = []
            for name, path in named.items():
                rows.append((name, path, *measure(client, path)))
                print(
                    f"{rows[-1][2]:8.1f} ms  {rows[-1][3]:8.1f} db  {rows[-1][6]:8.1f} cpu  {name}",
                    flush=True,
                )
                time.sleep(1.5)  # stay below the rate limit of a session
            first, asked_more = resident(process.pid), 0
            for _ in range(10):
                for path in named.values():
                    client.ask("GET", path)
                    asked_more += 1
                time.sleep(3)
            memory = [first, resident(process.pid), asked_more]
        finally:
            process.terminate()
            process.wait(30)
        page = report(asked.files, took, rows, memory)
        print(page)
        if asked.out:
            asked.out.write_text(page)


if __name__ == "__main__":
    main()
