"""A file as big as the limits stays under half a gigabyte of memory, whatever its format."""

import gzip
import json
import subprocess
import sys

import pytest

from dlp.model import GapCode

PEAK_MB = 512
# One block of each format, repeated to the size of the limits and beyond.
BLOCKS = {
    "line.txt": (b"", b"Ada Example; ", 300),
    "smile.txt": ("😀".encode(), "Ada é Example; ".encode(), 200),
    "table.csv": (b"name,born,mrn\n", b"Ada Example,1950-03-02,12345\n", 62),
    "list.json": (b"[", b'{"name": "Ada Example", "born": "1950-03-02"},', 62),
    "list.xml": (b"<r>", b"<p><name>Ada</name><born>1950</born></p>", 62),
    "page.html": (b"<html><body>", b"<p>Ada <b>Example</b> born <i>1950</i></p>", 66),
    "lab.hl7": (b"MSH|^~\\&|A|B\r", b"PID|1||12345^^^MR||Example^Ada||19500302|F\r", 36),
    "mail.eml": (b"Received: a\nFrom: b\nSubject: c\n\n", b"Ada Example has asthma\n", 90),
    "noise.bin": (b"\0\1\2\3", bytes(range(128, 256)), 100),
}


READ = """
import json, re, sys
from dlp.decode import format_registry
from dlp.decode.extract import read
format_registry.preload()
with open(sys.argv[1], "rb") as source:
    reading = read(source, sys.argv[1])
codes = sorted(gap.code.value for gap in reading.gaps)
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024
print(json.dumps([peak, reading.document.characters, codes]))
"""


def peak_of(path):
    """Read in a process of its own; what getrusage says of it would count the process it came from."""
    command = [sys.executable, "-c", READ, str(path)]
    told = subprocess.run(command, check=True, capture_output=True, timeout=600).stdout
    return json.loads(told)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("packed", [False, True], ids=["bare", "gzip"])
def test_memory_is_bounded(tmp_path, name, packed):
    start, block, megabytes = BLOCKS[name]
    path = tmp_path / name
    block *= 1_000_000 // len(block)
    with gzip.open(path, "wb", compresslevel=1) if packed else path.open("wb") as out:
        out.write(start)
        for _ in range(megabytes):
            out.write(block)
    peak, characters, codes = peak_of(path)
    assert peak < PEAK_MB
    assert characters or codes
    assert GapCode.INTERNAL.value not in codes
