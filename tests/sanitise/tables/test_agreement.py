"""k, l and t are the figures that pycanon, an independent program, gives for the same files."""

import csv
import json
import os
import subprocess
import venv

import numpy as np
import pytest

from dlp.sanitise.tables.anonymise import anonymise, assess
from dlp.sanitise.tables.request import Request
from dlp.sanitise.tables.table import from_rows

ASK = """
import json, sys
import pandas
from pycanon import anonymity
table = pandas.read_csv(sys.argv[1], keep_default_na=False)
quasi = ["dx", "age", "sex"]
print(json.dumps([
    [int(anonymity.k_anonymity(table, quasi)),
     int(anonymity.l_diversity(table, quasi, [column])),
     float(anonymity.t_closeness(table, quasi, [column]))]
    for column in ("outcome", "charge")
]))
"""
pytestmark = pytest.mark.timeout(900)  # a fresh environment is filled from a package index
QUASI = {"dx": "quasi:icd9", "age": "quasi:number", "sex": "quasi:category"}


@pytest.fixture(scope="module")
def pycanon(tmp_path_factory):
    """An interpreter of its own: pycanon pins versions that are not ours."""
    folder = tmp_path_factory.mktemp("pycanon")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "pycanon"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"pycanon cannot be installed here: {done.stderr.strip().splitlines()[-1:]}")
    return python


def ask(python, path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-W", "ignore", "-c", ASK, path],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return json.loads(done.stdout)


def patients(rows, seed):
    chance = np.random.default_rng(seed)
    codes = [f"{c}.{d}" for c in range(250, 260) for d in range(3)]
    return [
        (codes[int(chance.integers(30) * chance.random())], int(chance.integers(30, 50)), "fm"[int(chance.integers(2))],
         ["well", "ill", "dead"][int(chance.integers(3))], int(chance.integers(1, 9)) * 100)
        for _ in range(rows)
    ]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_figures_agree_before_and_after(pycanon, tmp_path, seed):
    table = from_rows(["dx", "age", "sex", "outcome", "charge"], patients(400, seed))
    request = Request(k=4, roles=QUASI, sensitive=("outcome", "charge"), seed=seed)
    result = anonymise(table, request)
    before = assess(table, request).before
    for state, shown in ((before, table), (result.after, result.table)):
        path = tmp_path / "table.csv"
        with path.open("w", newline="") as out:
            csv.writer(out).writerows([shown.headers, *zip(*shown.columns, strict=True)])
        for name, (k, diversity, closeness) in zip(
            ("outcome", "charge"), ask(pycanon, path), strict=True
        ):
            assert state.risk.k == k
            assert state.diversity[name] == diversity
            assert state.closeness[name] == pytest.approx(closeness, abs=1e-6)
