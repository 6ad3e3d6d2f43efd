"""Of identities planted in every format that is written, a copy keeps nothing: not in bytes, not in
what our own readers see, not in the names of members and files; and no second reader contradicts it.
"""

import io
import json
import re
from collections import Counter

import pytest
from click.testing import CliRunner

from dlp.cli.main import main
from dlp.cli.sanitise import MANIFEST
from dlp.decode.extract import read
from dlp.sanitise.documents.proof import leftovers
from tests.support.planted import planted

CERTIFICATE = ".certificate.json"
NAMED = {"number", "output", "sha256", "profile", "replacements"}  # all that a manifest says


def run(*arguments):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def sanitised(files, folder):
    """The copies of one batch, and how many of its files were refused."""
    source, target = folder / "in", folder / "out"
    source.mkdir(parents=True)
    for file in files:
        (source / file.name).write_bytes(file.data)
    done = run("sanitise", *(source / file.name for file in files), "-o", target)
    copies = [path for path in sorted(target.iterdir()) if not path.name.endswith(CERTIFICATE)]
    copies.remove(target / MANIFEST)
    return copies, done.output.count("refused:"), done


def seen_in(path):
    """All text of an output: its name, the names of its members and what our readers read."""
    parts = read(io.BytesIO(path.read_bytes()), path.name).document.parts
    return "\n".join((path.name, *(f"{part.locator}\n{part.text}" for part in parts)))


def left(files, outputs):
    """How many planted values stand in an output, by kind."""
    texts = [(path, seen_in(path).lower(), path.read_bytes()) for path in outputs]
    planted_values = {pair for file in files for pair in file.values}
    found = Counter()
    for path, text, data in texts:
        every = [value for _, value in planted_values]
        found.update(f"{where} of {path.suffix}" for where in leftovers(data, "", every))
        for kind, value in planted_values:
            word = rf"(?<!\w){re.escape(value.lower())}(?!\w)"
            if (value.lower() in text and re.search(word, text)) or value.encode() in data:
                found[f"{kind} in {path.suffix}"] += 1
    return found


def refused_by_verify(outputs):
    return [p.name for p in outputs if run("verify", p, f"{p}{CERTIFICATE}").exit_code]


def called_phi(outputs):
    target = outputs[0].parent.parent / "records.jsonl"
    run("scan", "--no-catalogue", "--format", "jsonl", "-o", target, *outputs)
    records = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(records) >= len(outputs)
    return [record["path"] for record in records if record["container"] == "phi"]


def test_one_file_of_every_format_keeps_nothing(tmp_path):
    files = planted(1)
    outputs, refused, done = sanitised(files, tmp_path)
    assert not refused, done.output
    assert len(outputs) == len(files)
    assert not left(files, outputs)
    rows = json.loads((outputs[0].parent / MANIFEST).read_text())["files"]
    assert {row["output"] for row in rows} == {path.name for path in outputs}
    assert {key for row in rows for key in row} == NAMED


@pytest.mark.long
def test_five_thousand_values_are_gone_and_no_reader_contradicts(tmp_path):
    count, found, wrong = 0, Counter(), []
    for seed in range(2, 14):
        files = planted(seed)
        outputs, refused, done = sanitised(files, tmp_path / str(seed))
        assert not refused, done.output
        count += sum(len(file.values) for file in files)
        found += left(files, outputs)
        wrong += called_phi(outputs)
        if seed == 2:  # each starts the program anew
            wrong += refused_by_verify(outputs)
    assert count >= 5_000
    assert not found
    assert not wrong
