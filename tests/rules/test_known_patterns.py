"""A pattern that is known is the very one Python would compile; one that is not is compiled."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp import known_patterns, prepared
from dlp.cli import _preparing
from dlp.known_patterns import COMPILER, FILE, key_of, lines, made_of, noted, stated, use
from dlp.resources import artefacts_folder

FLAGS = [
    0,
    re.IGNORECASE,
    re.MULTILINE | re.DOTALL,
    re.VERBOSE | re.ASCII,
    re.IGNORECASE | re.VERBOSE,
]
PIECES = ["a", "É", "ß", "\\d", "\\w+", "[^a-z0-9]", "(?P<one>x|yz)", "(b)?", "{2,5}", "*", "+?",
          "(?=c)", "(?<!d)", "\\b", "^", "$", ".", "[а-яё]", "(?i:k)", "\\s*+", "(?P=one)", " ", "|",
          "(?>ef)", "#"]  # fmt: skip
SHARE = 0.9  # of what a start compiles; some of it follows from the machine

START = """
import gc, json, sys
from dlp import known_patterns
from dlp.prepared import answer
asked = []
def counted(text, file):
    asked.append(answer(text, file) is not None)
    return answer(text, file)
known_patterns.answer = counted
from dlp.engine import order
from dlp.config import Settings
told = order.order_of(Settings(), full=False, told=True, values=False, masks=False)
order.Nursery = lambda awaited: awaited
awaited = order.nursery_ahead()
awaited.load()
brood = awaited.brood_of(told)
brood.warm()
for name in order.SOON:
    brood.supply(name)
print(json.dumps([sum(asked), len(asked)]))
"""


@pytest.fixture
def compiler():
    plainly = COMPILER.compile
    yield COMPILER
    COMPILER.compile = plainly


def keyed(artefact: bytes) -> dict[bytes, bytes]:
    return dict(line.split(b" ", 1) for line in artefact.splitlines())


def parts_of(pattern: re.Pattern[str]) -> tuple[object, ...]:
    return pattern.pattern, pattern.flags, pattern.groups, dict(pattern.groupindex), pattern


def test_the_shipped_file_says_what_python_says():
    """A library of another version may bring other patterns: they are compiled as ever."""
    shipped, today = map(keyed, ((artefacts_folder() / FILE).read_bytes(), _preparing.patterns()))
    known = today.keys() & shipped.keys()
    assert len(known) >= SHARE * len(today), "dlp rules prepare"
    assert {key: shipped[key] for key in known} == {key: today[key] for key in known}


def test_what_is_compiled_is_noted_once(compiler):
    with noted() as found:
        for _ in range(2):
            compiler.compile("known (?:patterns)+ are not many", 0)
    assert list(found) == [("known (?:patterns)+ are not many", 0)]


def test_most_of_what_a_start_compiles_is_known():
    said = subprocess.run([sys.executable, "-c", START], check=True, capture_output=True).stdout
    known, asked = json.loads(said)
    assert known >= SHARE * asked > 100


@given(pieces=st.lists(st.sampled_from(PIECES), min_size=1), flags=st.sampled_from(FLAGS))
def test_what_is_made_of_the_steps_is_what_python_makes(pieces, flags):
    text = "".join(pieces)
    for pattern in (text, text.encode("utf-8") if text.isascii() else text):
        try:
            plain = COMPILER.compile(pattern, int(flags))
        except re.error:
            continue
        said = json.loads(json.dumps(stated(pattern, int(flags))))
        made = made_of(pattern, said)
        assert parts_of(made) == parts_of(plain)  # patterns are equal when their steps are


def test_only_the_very_same_pattern_is_taken(tmp_path, monkeypatch, compiler):
    (tmp_path / FILE).write_bytes(b"".join(lines([("(?P<a>x)+y", 0)])))
    monkeypatch.setattr(prepared, "artefacts_folder", lambda: tmp_path)
    monkeypatch.setattr(known_patterns, "EDITION", known_patterns.EDITION)
    prepared.known_lines.cache_clear()
    compiled = []
    monkeypatch.setattr(compiler, "compile", slow := noting(compiler.compile, compiled))
    use()
    use()  # twice changes nothing
    assert compiler.compile is not slow
    assert re._compiler.compile("(?P<a>x)+y").fullmatch("xxy")["a"] == "x"
    assert not compiled
    for other in (("(?P<a>x)+y", 2), (b"(?P<a>x)+y", 0), ("(?P<a>x)+z", 0)):
        re._compiler.compile(*other)
    assert len(compiled) == 3
    monkeypatch.setattr(known_patterns, "EDITION", b"another")
    re._compiler.compile("(?P<a>x)+y")
    assert len(compiled) == 4
    prepared.known_lines.cache_clear()


def noting(compile_, compiled):
    def slow(pattern, flags=0):
        compiled.append(pattern)
        return compile_(pattern, flags)

    return slow


def test_a_key_names_edition_kind_flags_and_text():
    keys = {key_of("a", 0), key_of(b"a", 0), key_of("a", 2), key_of("b", 0), key_of("\ud800", 0)}
    assert len(keys) == 5
