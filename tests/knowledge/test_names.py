"""Names carry Census counts, sex, age and how often they are ordinary words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.knowledge.artefact import load
from dlp.knowledge.hashing import hash_words
from dlp.knowledge.names import DECADES, FIRST, LAST, WORD, load_names
from tests.support.clock import least_cpu


@pytest.mark.parametrize(
    "name, count",
    [("JOHN", 3_125_114), ("michael", 3_476_715), ("Khaled", 6_152), ("Jacquelen", 90)],
)
def test_first_names_have_their_census_count(name, count):
    assert load_names().first(name).count == count


@pytest.mark.parametrize(
    "name, count", [("SMITH", 2_369_644), ("johnson", 1_858_234), ("Hurley", 38_388)]
)
def test_last_names_have_their_census_count(name, count):
    assert load_names().last(name).count == count


def test_the_lists_are_whole():
    meta = load("names").meta
    assert meta["first_names_census"] == 53_615  # 53,616 rows, one of them "all other names"
    assert meta["last_names_census"] == 156_619
    assert 295e6 < meta["last_total"] < meta["first_total"] < 305e6


@pytest.mark.parametrize("kind", ["first", "last"])
def test_the_lists_are_sorted(kind):
    hashes = load("names")[f"{kind}.high"]
    assert np.all(hashes[1:] >= hashes[:-1])


def test_spelling_does_not_matter():
    names = load_names()
    assert names.last("O'Brien") == names.last("OBRIEN") == names.last("o’brien")
    assert names.first("José") == names.first("jose")


def test_a_common_name_says_less_than_a_rare_one():
    names = load_names()
    assert names.first("David").share > names.first("Burt").share > names.rare_first_share
    assert names.last("Smith").share > names.last("Hurley").share > names.rare_last_share


def test_names_of_other_countries_are_names_without_a_count():
    names = load_names()
    for name in ("Oluwatobiloba", "Þorsteinn", "Grzegorz", "Siobhán"):
        assert names.first(name), name
    assert names.first("Drahomíra").share == names.rare_first_share


def test_what_is_no_name_is_none():
    assert load_names().first("thrombectomy") is None
    assert load_names().last("zzqxv") is None


def test_sex_and_age_follow_the_births():
    names = load_names()
    assert names.first("Jennifer").female_share > 0.99
    assert names.first("John").female_share < 0.01
    assert 0.4 < names.first("Riley").female_share < 0.8
    mean = {
        name: mean_decade(names.first(name)) for name in ("Mildred", "Linda", "Jennifer", "Aiden")
    }
    assert mean["Mildred"] < mean["Linda"] < mean["Jennifer"] < mean["Aiden"]
    assert mean["Linda"] == pytest.approx(1951, abs=5)


@given(st.sampled_from(["John", "Mary", "Khaled", "Grzegorz", "Jacquelen", "Aiden"]))
def test_decades_are_a_distribution(name):
    decades = load_names().first(name).decades
    assert len(decades) == len(DECADES)
    assert sum(decades) == pytest.approx(1)
    assert min(decades) >= 0


def test_ambiguity_is_ordered_as_people_would():
    names = load_names()
    sure = ["Jennifer", "David", "Nguyen", "Khaled", "Smith", "John"]
    between = ["Rose", "Brown", "Mark", "Grace", "Pat", "Frank", "Jack"]
    ordinary = ["May", "Will", "Reading", "Young", "Long", "Price", "Hope", "White"]
    sure, between, ordinary = (
        [*map(names.ambiguity, group)] for group in (sure, between, ordinary)
    )
    assert max(sure) < min(between)
    assert max(between) < min(ordinary)
    assert min(ordinary) > 0.85


@given(st.lists(st.sampled_from(["May", "John", "Smith", "the", "Zzqxv", "", "12", "Anna's"])))
def test_flags_agree_with_single_questions(tokens):
    names = load_names()
    for token, bits in zip(tokens, names.flags(tokens).tolist(), strict=True):
        assert bool(bits & FIRST) == (names.first(token) is not None)
        assert bool(bits & LAST) == (names.last(token) is not None)
        assert bool(bits & WORD) == (names.ambiguity(token) >= 1 / 3)


def test_one_name_stands_as_it_does_among_many():
    names = load_names()
    asked = ["May", "John", "Smith", "the", "Zzqxv", "Rose", "Okafor", "Xiomara", "Reading", "12"]
    first, last = names.counts(asked)
    for name, ordinary, bearers in zip(
        asked, map(names.ambiguity, asked), first + last, strict=True
    ):
        assert names.standing(name) == (pytest.approx(ordinary), bearers)


def test_flags_survive_a_full_memory(monkeypatch):
    monkeypatch.setattr("dlp.knowledge.names.REMEMBERED", 3)
    names = load_names()
    tokens = ["John", "Mary", "May", "Smith", "the", "John"]
    assert names.flags(tokens).tolist() == names.flags(tokens[::-1]).tolist()[::-1]


def test_loading_is_quick():
    assert least_cpu(load_names.__wrapped__) < 0.15


def mean_decade(first):
    return sum((d + 5) * share for d, share in zip(DECADES, first.decades, strict=True))


def test_a_word_alone_is_told_what_a_list_of_words_is_told():
    names = load_names()
    words = ["john", "will", "may", "smith", "baker", "zzyzx", "toronto", "jacquelen", "hurley"]
    words += [f"{one}{other}" for one in "abcdefgh" for other in ("en", "ia", "er", "ing", "son")]
    hashes = hash_words(words)
    bits, ordinary, mostly_first = names.bits(hashes)
    for at, key in enumerate(hashes.tolist()):
        one_bits, one_ordinary, one_first = names.bits_of_one(key)
        assert (one_bits, one_first) == (bits[at], mostly_first[at])
        assert one_ordinary == pytest.approx(ordinary[at], abs=1e-12)
