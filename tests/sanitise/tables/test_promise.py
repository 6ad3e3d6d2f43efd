"""Every table comes out k-anonymous, row for row in order, or not at all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.errors import SanitiseError
from dlp.sanitise.tables.anonymise import anonymise, assess
from dlp.sanitise.tables.grouping import METHODS
from dlp.sanitise.tables.request import Request
from dlp.sanitise.tables.table import Table, from_rows
from dlp.sanitise.tables.taxonomies import Paths
from tests.support.table_risk import assess_rows

CODES = ["250.01", "250.02", "250.4", "428.0", "428.1", "V85.4", "715.9", "592.0", "", "odd"]
CELLS = st.tuples(
    st.sampled_from(CODES),
    st.one_of(st.none(), st.integers(0, 90), st.just("n/a"), st.just("about 40")),
    st.sampled_from(["f", "m", None]),
)
ROLES = {"dx": "quasi:icd9", "age": "quasi:number", "sex": "quasi:category"}
TABLES = st.lists(CELLS, min_size=3, max_size=60)


def table_of(rows):
    return from_rows(["dx", "age", "sex"], rows)


def classes(result):
    columns = [result.table.column(name) for name in result.quasi]
    counted = {}
    for row in zip(*columns, strict=True):
        counted[row] = counted.get(row, 0) + 1
    return counted


@pytest.mark.parametrize("method", METHODS)
@given(rows=TABLES, k=st.integers(2, 7), classic=st.booleans(), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_any_table_comes_out_k_anonymous(method, rows, k, classic, seed):
    request = Request(k=min(k, len(rows)), method=method, classic=classic, roles=ROLES, seed=seed)
    table = table_of(rows)
    result = anonymise(table, request)
    assert result.table.rows == len(rows)
    assert min(classes(result).values()) >= request.k
    assert result.after.risk.k == min(classes(result).values())
    assert result.after.risk.at_risk == 0
    assert 0 <= result.loss.mean <= 1
    assert result.loss.sse <= len(rows)


@given(rows=TABLES, k=st.integers(2, 5))
@settings(max_examples=40, deadline=None)
def test_small_blocks_keep_the_promise(rows, k):
    if k > len(rows):
        return
    result = anonymise(table_of(rows), Request(k=k, roles=ROLES, block=6))
    assert min(classes(result).values()) >= k


@given(rows=TABLES, k=st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_identical_rows_stay_identical(rows, k):
    for method in METHODS:
        table = table_of(rows)
        result = anonymise(table, Request(k=min(k, len(rows)), method=method, roles=ROLES, seed=1))
        seen = {}
        masked = zip(*(result.table.column(name) for name in result.quasi), strict=True)
        for row, after in zip(rows, masked, strict=True):
            assert seen.setdefault(row, after) == after


def patients(rows, seed):
    """People with ICD-9 diagnoses of a realistic skew: few are common, most are rare."""
    chance = np.random.default_rng(seed)
    codes = [f"{c}.{d}" for c in range(250, 430, 6) for d in range(4)]
    rank = 1 / np.arange(1, len(codes) + 1)
    picked = chance.choice(len(codes), (rows, 2), p=rank / rank.sum())
    return [(codes[a], codes[b]) for a, b in picked]


@pytest.mark.parametrize("method", ["microaggregation", "recoding", "resampling"])
def test_meaning_loses_less_than_equality(method):
    semantic, classic = [], []
    for seed in range(6):
        table = from_rows(["dx1", "dx2"], patients(300, seed))
        roles = {"dx1": "quasi:icd9", "dx2": "quasi:icd9"}
        for plain, found in ((False, semantic), (True, classic)):
            request = Request(k=5, method=method, roles=roles, classic=plain, seed=seed)
            found.append(anonymise(table, request).loss.sse)
    # On average; random samples leave resampling the least to gain.
    assert np.mean(semantic) <= np.mean(classic)


def test_microaggregation_beats_the_others_and_suppression():
    table = from_rows(["dx1", "dx2"], patients(500, 3))
    roles = {"dx1": "quasi:icd9", "dx2": "quasi:icd9"}
    lost = {m: anonymise(table, Request(k=15, method=m, roles=roles)).loss.sse for m in METHODS}
    assert lost["microaggregation"] == min(lost.values())
    assert lost["microaggregation"] <= 0.25 * lost["suppression"]


SENSITIVE = [(f"25{n % 3}.{n % 4}", 20 + n, ["flu", "hiv", "gout"][n % 3]) for n in range(60)]


@pytest.mark.parametrize("method", ["microaggregation", "recoding", "resampling"])
@given(diversity=st.integers(2, 3), closeness=st.sampled_from([None, 0.5, 0.2]))
@settings(max_examples=15, deadline=None)
def test_l_and_t_hold_when_asked_for(method, diversity, closeness):
    table = from_rows(["dx", "age", "result"], SENSITIVE)
    request = Request(
        k=3, method=method, sensitive=("result",), diversity=diversity, closeness=closeness, seed=2,
        roles={"dx": "quasi:icd9", "age": "quasi:number"},
    )  # fmt: skip
    result = anonymise(table, request)
    groups = {}
    columns = zip(*(result.table.column(n) for n in ("dx", "age", "result")), strict=True)
    for dx, age, value in columns:
        groups.setdefault((dx, age), []).append(value)
    assert min(len(set(values)) for values in groups.values()) >= diversity
    assert min(map(len, groups.values())) >= 3
    if closeness is not None:
        for values in groups.values():
            far = (
                sum(abs(values.count(v) / len(values) - 1 / 3) for v in ("flu", "hiv", "gout")) / 2
            )
            assert far <= closeness + 1e-6


def test_the_l_diversity_paper_shape():
    """Nine patients in three groups of three: the textbook figures of t for numbers and words."""
    rows = [
        ("A", "3", "gastric ulcer"), ("A", "4", "gastritis"), ("A", "5", "stomach cancer"),
        ("B", "6", "gastritis"), ("B", "11", "flu"), ("B", "8", "bronchitis"),
        ("C", "7", "bronchitis"), ("C", "9", "pneumonia"), ("C", "10", "stomach cancer"),
    ]  # fmt: skip
    table = from_rows(["group", "salary", "disease"], rows)
    result = assess(table, Request(roles={"group": "quasi:category"}, sensitive=("disease",)))
    assert result.before.diversity == {"salary": 3, "disease": 3}
    assert result.before.closeness["salary"] == pytest.approx(0.375)
    assert result.before.closeness["disease"] == pytest.approx(4 / 9)


def test_a_conditions_that_cannot_be_met_is_refused():
    table = from_rows(["age", "result"], [(n, "same") for n in range(20)])
    with pytest.raises(SanitiseError, match="no grouping"):
        anonymise(table, Request(k=2, roles={"age": "quasi"}, sensitive=("result",), diversity=2))


def test_roles_are_found_with_reasons():
    people = ["Ada", "Ben", "Cleo", "Dan"]
    rows = [
        (f"{n:08d}", people[n % 4], f"{n % 12 + 1:02d}/04/1960", "02139", "male" if n % 2 else "female",
         "Asthma" if n % 3 else "Diabetes", f"{n % 70}.5", "she came in again today and was seen", "x")
        for n in range(80)
    ]  # fmt: skip
    headers = ["MRN", "FirstName", "admitted", "zip", "sex", "Diagnosis", "bmi", "notes", "site"]
    table = from_rows(headers, rows)
    found = assess(table, Request()).roles
    assert {name: role.role for name, role in found.items()} == {
        "MRN": "direct", "FirstName": "direct", "admitted": "quasi", "zip": "other", "sex": "quasi",
        "Diagnosis": "quasi", "bmi": "quasi", "notes": "other", "site": "other",
    }  # fmt: skip
    kinds = {name: found[name].kind for name in ("admitted", "Diagnosis", "bmi")}
    assert kinds == {"admitted": "date", "Diagnosis": "terms", "bmi": "number"}
    assert all(role.reason for role in found.values())


def test_direct_identifiers_go_and_text_never_passes_through():
    rows = [
        (f"P{n}", f"Person {n}", n % 30, f"Seen again by nurse number {n} this week")
        for n in range(60)
    ]
    table = from_rows(["patient id", "name", "age", "notes"], rows)
    result = anonymise(table, Request(k=3))
    assert result.table.headers == ("patient id", "age", "notes")
    assert result.table.column("patient id")[:2] == ["R0000001", "R0000002"]
    assert set(result.table.column("notes")) == {"*"}
    clean = anonymise(
        table, Request(k=3, sanitise_text=lambda text: text.replace("nurse", "staff"))
    )
    assert clean.table.column("notes")[7] == "Seen again by staff number 7 this week"
    unsafe = anonymise(table, Request(k=3, sanitise_text=lambda _: None))
    assert set(unsafe.table.column("notes")) == {"*"}
    assert any("60 cells silenced" in note for note in unsafe.notes)


def test_a_row_s_own_identifiers_leave_its_text():
    rows = [
        (f"Zebulon{n}", n % 3, f"Today ZEBULON{n} came back and was seen by the team")
        for n in range(30)
    ]
    table = from_rows(["first name", "age", "notes"], rows)
    masked = anonymise(table, Request(k=3, sanitise_text=lambda text: text)).table.column("notes")
    assert masked[4] == "Today [removed] came back and was seen by the team"


def test_numbers_and_dates_keep_their_form():
    rows = [(str(n), f"{n / 10:.1f}", f"2020-01-{n % 28 + 1:02d}", n) for n in range(40)]
    table = from_rows(["age", "score", "seen", "typed"], rows)
    roles = dict.fromkeys(table.headers, "quasi")
    masked = anonymise(table, Request(k=4, roles=roles)).table
    assert all(cell.isdigit() for cell in masked.column("age"))
    assert all(len(cell.partition(".")[2]) == 1 for cell in masked.column("score"))
    assert all(cell.startswith("2020-01-") for cell in masked.column("seen"))
    assert all(isinstance(cell, int) for cell in masked.column("typed"))


def test_a_hierarchy_of_your_own_is_used():
    above = {
        "red": ["warm", "*"],
        "orange": ["warm", "*"],
        "blue": ["cold", "*"],
        "teal": ["cold", "*"],
    }
    rows = [(colour,) for colour in above]
    request = Request(k=2, quasi=("colour",), hierarchies={"colour": Paths("colour", above)})
    masked = anonymise(from_rows(["colour"], rows), request).table.column("colour")
    assert masked[0] == masked[1] != masked[2] == masked[3]


BAD = {
    "k is 5, but": (["a", "b"], [("1", "2")], Request(k=5)),
    "2 or more": (["a"], [("1",), ("2",)], Request(k=1)),
    "more than once": (["a", "a"], [("1", "2")], Request(k=2)),
    "no header": (["a", ""], [("1", "2")], Request(k=2)),
    "no rows": (["a"], [], Request(k=2)),
    "row 3 has 1 cells": (["a", "b"], [("1", "2"), ("1",)], Request(k=2)),
    "no column is called 'agee'": (["age"], [("1",)] * 9, Request(k=2, quasi=("agee",))),
    "is no role": (["age"], [("1",), ("2",)], Request(k=2, roles={"age": "secret"})),
    "need a sensitive": (["age"], [("1",), ("2",)], Request(k=2, diversity=2)),
    "no quasi-identifiers": (["age"], [("1",), ("1",)], Request(k=2)),
    "no method": (["age"], [("1",), ("2",)], Request(k=2, method="magic")),
    "above the 0.1 allowed": (["a", "b"], [("x", "p"), ("y", "q")], Request(k=2, max_loss=0.1)),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_refused_with_a_clear_message(message):
    headers, rows, request = BAD[message]
    with pytest.raises(SanitiseError, match=message) as caught:
        anonymise(from_rows(headers, rows), request)
    assert str(caught.value).startswith("DLP-600")


def test_ten_thousand_columns_ask_for_a_choice():
    wide = Table(
        tuple(f"c{n}" for n in range(10_000)), tuple(("1", "2", "3") for _ in range(10_000))
    )
    with pytest.raises(SanitiseError, match="more than 64 columns look like"):
        anonymise(wide, Request(k=2))
    chosen = anonymise(wide, Request(k=3, quasi=("c1", "c9999")))
    assert chosen.after.risk.k == 3


def test_no_cell_reaches_a_repr():
    table = from_rows(["name", "age"], [("Zebulon Quux", "40")] * 2)
    assert "Quux" not in repr(table)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=40))
def test_rows_are_assessed_as_counted(rows):
    counts = [rows.count(row) for row in set(rows)]
    risk = assess_rows(list(zip(*rows, strict=True)), k=3)
    assert risk.k == min(counts)
    assert risk.unique == counts.count(1)
    assert risk.prosecutor == pytest.approx(len(counts))
    assert risk.journalist == pytest.approx(risk.prosecutor)
    assert risk.at_risk == sum(count for count in counts if count < 3)


@pytest.mark.parametrize("fraction", [0.001, 0.05, 0.3, 0.7, 0.95])
def test_the_journalist_risk_is_the_mean_over_populations(fraction):
    chance = np.random.default_rng(5)
    for size in (1, 2, 5):
        rows = size * 10
        columns = [[n // size for n in range(rows)]]
        risk = assess_rows(columns, population=round(rows / fraction))
        unseen = chance.negative_binomial(size, rows / round(rows / fraction), 400_000)
        expected = rows * float((1 / (size + unseen)).mean())
        assert risk.journalist == pytest.approx(expected, rel=0.03)


def test_a_suppressed_cell_is_told_from_a_missing_one():
    rows = [("250.01", None, "f"), ("250.01", None, "m"), ("", None, None), ("", None, None)]
    result = anonymise(table_of(rows), Request(k=2, method="suppression", roles=ROLES))
    assert result.after.risk.k == 2
