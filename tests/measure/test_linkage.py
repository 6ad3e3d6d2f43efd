"""Files that speak of one person are found to do so; strangers are never merged."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.measure.linkage import Identity, agreement, link, parse_prints


def person(key, name_bits=20.0, **prints):
    return Identity(key, {kind: frozenset(str(v).split()) for kind, v in prints.items()}, name_bits)


def groups(*people):
    return sorted(sorted(people[i].key for i in group) for group in link(people))


def test_one_record_number_means_one_person():
    assert groups(person("a", id="1", name="x"), person("b", id="1", name="x")) == [["a", "b"]]


def test_a_rare_name_with_a_birth_date_means_one_person():
    assert groups(person("a", name="x", birth="1"), person("b", name="x", birth="1")) == [
        ["a", "b"]
    ]


def test_a_common_name_alone_means_nothing():
    people = [person(str(i), name_bits=9.0, name="smith") for i in range(20)]
    assert len(link(people)) == 20


def test_two_birth_dates_are_two_people_whatever_else_agrees():
    assert (
        len(
            link(
                [person("a", id="1", name="x", birth="1"), person("b", id="1", name="x", birth="2")]
            )
        )
        == 2
    )


def test_a_third_file_cannot_join_two_people_with_different_birth_dates():
    people = [
        person("a", phone="9", name="x", birth="1"), person("b", phone="9", name="x", birth="2"),
        person("c", phone="9", name="x"),
    ]  # fmt: skip
    assert max(len(group) for group in link(people)) <= 2


def test_a_name_spelt_otherwise_but_sounding_alike_still_links():
    assert groups(
        person("a", name="x", sound="s", birth="1"), person("b", name="y", sound="s", birth="1")
    ) == [["a", "b"]]


def test_agreement_is_symmetric_and_grows_with_rarity():
    a, b = person("a", name="x", phone="1"), person("b", name="x", phone="1")
    assert agreement(a, b) == agreement(b, a)
    common = person("c", name_bits=8.0, name="x", phone="1")
    assert agreement(a, common) < agreement(a, b)


def test_prints_are_read_by_kind():
    assert parse_prints(["name:1", "name:2", "id:3", "bare"]) == {"name": {"1", "2"}, "id": {"3"}}


@given(st.lists(st.fixed_dictionaries({}, optional={
    "name": st.sampled_from("pq"), "birth": st.sampled_from("12"), "id": st.sampled_from("89"), "sex": st.sampled_from("fm"),
}), max_size=12))  # fmt: skip
def test_everybody_is_in_one_group_and_no_group_contradicts_itself(people):
    identities = [person(str(i), **known) for i, known in enumerate(people)]
    found = link(identities)
    assert sorted(i for group in found for i in group) == list(range(len(people)))
    for group in found:
        for kind in ("birth", "sex"):
            assert len({people[i][kind] for i in group if kind in people[i]}) <= 1


def population(size, seed=1):
    """Invented people, each in one to four files with some of what is known of them."""
    r = random.Random(seed)
    identities, truth = [], []
    for number in range(size):
        known = {
            "name": f"n{r.randrange(size * 4)}", "birth": f"b{r.randrange(30000)}", "sex": r.choice("fm"),
            "phone": f"p{number}", "id": f"i{number}", "address": f"a{number // 2}",
        }  # fmt: skip
        for copy in range(r.choice([1, 1, 2, 3, 4])):
            kept = {k: v for k, v in known.items() if k == "name" or r.random() < 0.6}
            identities.append(person(f"{number}.{copy}", name_bits=18.0, **kept))
            truth.append(number)
    return identities, truth


def pair_counts(found, truth):
    right = wrong = 0
    for group in found:
        for position, a in enumerate(group):
            for b in group[position + 1 :]:
                right += truth[a] == truth[b]
                wrong += truth[a] != truth[b]
    return right, wrong


def test_ten_thousand_people_are_linked_precisely_and_quickly():
    identities, truth = population(10_000)
    started = time.process_time()
    right, wrong = pair_counts(link(identities), truth)
    assert right > 5_000
    assert right / (right + wrong) >= 0.99
    assert time.process_time() - started < 10


@pytest.mark.long
def test_a_hundred_thousand_people_in_a_minute():
    identities, truth = population(100_000)
    started = time.process_time()
    right, wrong = pair_counts(link(identities), truth)
    assert right / (right + wrong) >= 0.99
    assert time.process_time() - started < 60
