"""Kernels read nothing beyond what they are given: hostile texts under a checker of addresses."""

import base64
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.decode.office.test_plain_parts import LINKS, SLIDE, torn
from tests.native.test_hostile_texts import hostile

ROOT = Path(__file__).parents[2]
COMPILE = """
from dlp.native import build
build.FLAGS = (
    "-O1", "-g", "-fsanitize=address", "-fno-omit-frame-pointer",
    "-fPIC", "-shared", "-fwrapv", "-fno-strict-aliasing",
)
build.build()
"""
JUDGE = """
import io, json, sys
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef
from dlp.native import kernels
assert all(kernels().values())
analysis = Analysis(Settings(detect={"model": "never"}), key=bytes(32))
texts = json.loads(sys.stdin.read())
for text in texts:
    analysis(FileRef("", b"note.txt"), io.BytesIO(text.encode("utf-8", "surrogatepass")))
print(len(texts), "judged")
"""
READ = """
import base64, io, json, sys
from dlp.decode.extract import read
from dlp.decode.office import lzfu
files = [base64.b64decode(file) for file in json.loads(sys.stdin.read())]
for file in files:
    read(io.BytesIO(file), "file")
    lzfu.unpack(b"\\xff\\xff\\0\\0" * 2 + lzfu.PACKED + bytes(4) + file, 1 << 20)
print(len(files), "read")
"""
PARTS = """
import json, sys
from dlp.decode.office import plain_parts
from dlp.native import kernels
assert kernels() == {"elements": True}
parts = json.loads(sys.stdin.read())
for part in parts:
    content = part.encode("latin-1")
    plain_parts.streams(content), plain_parts.relations(content), plain_parts.all_of(content, "")
print(len(parts), "read")
"""
# A little of every format that a kernel reads, and what tears it best.
WHOLE = (
    "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 A;}}\\uc1 Ad\\u233?a\\par{\\*\\x 1}{\\pict 0a0b}}",
    (
        "<html><title>Ad\u00e9</title><body><pre>a\n b</pre><form><input name=n value='v  w'>"
        "<a href='data:,x'>t</a><script>'said so 1234'</script><table><tr><td>x</table>"
    ),
    (
        "<?xml version='1.0'?><ClinicalDocument><author><name><given>Ada</given> \U0001d11e</name>"
        "<time value='20190101'/></author><text> two  words\n</text></ClinicalDocument>"
    ),
    '{"resourceType":"Patient","name":[{"family":"H\\u00e9","given":["A\\n",null,1.5]}],"x":"<p>y</p>"}',
    'name,born,town\n"Ada, B",1,""\r\nx,"said ""so""",z\n,,\n',
)
TEARS = (*'<>{}[\\"\0\n\r ,&\u2003', "\\'", "\\bin9 ")


def torn_files(chance, count):
    for _ in range(count):
        file = chance.choice(WHOLE) * chance.choice((1, 1, 3))
        for _ in range(chance.randrange(6)):
            place = chance.randrange(len(file) + 1)
            file = file[:place] + chance.choice(TEARS) + file[place + chance.randrange(3) :]
        yield file[: chance.randrange(len(file) + 1)].encode(
            chance.choice(("utf-8", "utf-8", "utf-16"))
        )


BEYOND = "import ctypes; ctypes.memset(ctypes.create_string_buffer(1 << 20), 0, (1 << 20) + 4096)"


def library(name):
    compiler = shutil.which("gcc")
    if compiler is None:
        return ""
    asked = [compiler, f"-print-file-name={name}"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return told if os.path.isabs(told) else ""


ASAN = library("libasan.so")


def watched(tree, code, given=""):
    """A program whose memory is watched; strings come from malloc, so that each has its fence."""
    environment = os.environ | {
        "PYTHONPATH": str(tree),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0",
        "LD_PRELOAD": f"{ASAN}:{library('libstdc++.so')}",
    }
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, cwd=tree, env=environment
    )


@pytest.mark.long
@pytest.mark.skipif(not ASAN, reason="gcc's checker of addresses is not installed")
def test_no_kernel_reads_beyond_a_hostile_text(tmp_path):
    tree = tmp_path / "tree"
    built = shutil.ignore_patterns("*.so", "built.json", "__pycache__")
    shutil.copytree(ROOT / "dlp", tree / "dlp", ignore=built)
    (tree / "rules").symlink_to(ROOT / "rules")
    subprocess.run([sys.executable, "-c", COMPILE], cwd=tree, check=True)
    seen = watched(tree, BEYOND)
    assert "AddressSanitizer" in seen.stderr, "the checker does not see what it should"
    chance = random.Random(20)
    texts = [hostile(chance) for _ in range(1500)]
    run = watched(tree, JUDGE, json.dumps(texts))
    assert run.returncode == 0, run.stderr[-4000:]
    assert run.stdout.split() == ["1500", "judged"]
    files = [base64.b64encode(file).decode() for file in torn_files(chance, 3000)]
    run = watched(tree, READ, json.dumps(files))
    assert run.returncode == 0, run.stderr[-4000:]
    assert run.stdout.split() == ["3000", "read"]


@pytest.mark.long
@pytest.mark.skipif(not ASAN, reason="gcc's checker of addresses is not installed")
def test_no_kernel_reads_beyond_a_torn_part(tmp_path):
    tree = tmp_path / "tree"
    others = [path.name for path in (ROOT / "dlp/native").glob("*.pyx") if path.stem != "elements"]
    built = shutil.ignore_patterns("*.so", "built.json", "__pycache__", *others)
    shutil.copytree(ROOT / "dlp", tree / "dlp", ignore=built)
    subprocess.run([sys.executable, "-c", COMPILE], cwd=tree, check=True)
    chance = random.Random(21)
    whole = [torn(chance, chance.choice((SLIDE, LINKS))) for _ in range(4000)]
    cut = [part[: chance.randrange(len(part))] for part in whole if part]
    given = json.dumps([part.decode("latin-1") for part in (*whole, *cut)])
    run = watched(tree, PARTS, given)
    assert run.returncode == 0, run.stderr[-4000:]
    assert run.stdout.split() == [str(len(whole) + len(cut)), "read"]
