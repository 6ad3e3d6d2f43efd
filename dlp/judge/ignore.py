"""`.dlpignore`: folders and names that are looked at but never acted on.

In: its lines, in the manner of .gitignore.  Out: whether a path is covered; the last match wins.

Only a file at the top of a share that root or the service owns is read: whoever can leak must not
be able to say "do not look here".
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    expression: re.Pattern[bytes]
    keeps: bool  # written with "!": not ignored after all


class Ignore:
    def __init__(self, lines: bytes = b"") -> None:
        self._patterns = tuple(filter(None, map(parse, lines.splitlines())))

    def __contains__(self, path: bytes) -> bool:
        covered = False
        for pattern in self._patterns:
            if covered == pattern.keeps and pattern.expression.match(path):
                covered = not pattern.keeps
        return covered


def parse(line: bytes) -> Pattern | None:
    line = line.rstrip()
    if not line or line.startswith(b"#"):
        return None
    keeps = line.startswith(b"!")
    if keeps or line.startswith(b"\\"):
        line = line[1:]
    folder_only = line.endswith(b"/")
    line = line.rstrip(b"/")
    anchored = b"/" in line
    body = b"".join(map(translate, re.findall(rb"\*\*/|/\*\*|\*\*|\*|\?|[^*?/]+|/", line)))
    start = b"" if anchored else b"(?:.*/)?"
    end = b"/.*" if folder_only else b"(?:/.*)?"
    if anchored:
        body = body.removeprefix(b"/")
    return Pattern(re.compile(start + body + end + rb"\Z", re.DOTALL), keeps)


def translate(token: bytes) -> bytes:
    wild = {b"**/": b"(?:.*/)?", b"/**": b"/.*", b"**": b".*", b"*": b"[^/]*", b"?": b"[^/]"}
    return wild.get(token) or re.escape(token)
