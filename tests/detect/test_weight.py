"""A short text is weighed by what a reader can point at, always alike, and never beyond bounds."""

import io
import tomllib
from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.detect.linking.evidence import AILING
from dlp.detect.linking.scale import FARTHEST, Feature, Scale, squeezed
from dlp.detect.linking.vocabulary import Words
from dlp.detect.linking.weight import (
    NAME,
    PLAIN_NAME,
    ROUNDING,
    UNDECIDED,
    Weighing,
    load_evidence,
    load_scale,
    split,
    words_of,
)
from dlp.detect.linking.wording import Wording, counted
from dlp.model import FileRef
from dlp.resources import rules_folder
from dlp.triage.deep import ENOUGH, TOO_LITTLE

ANALYSIS = Analysis(Settings())
COUNTS = st.dictionaries(st.text("abc", min_size=1, max_size=4), st.integers(1, 50), max_size=9)
NUMBERS = st.floats(-1e6, 1e6)
ROWS = st.builds(Feature, st.floats(-5, 5), NUMBERS, st.floats(0.01, 1e3))
LAY = """Hi Imelda, Gus is home from the infirmary. They had to take two of his toes and he is on a
walking frame. His sugars are all over the place and the district nurse does his dressings.
Love, Wilhelmina Trask"""

ASKED = "Patient: Odo Finch, 71, asks for 5 mg of warfarin; his knee is sore. J. Quill, ward 3."


def case_of(text):
    return ANALYSIS.case(FileRef("share", b"note.txt"), io.BytesIO(text.encode()))


@given(NUMBERS, ROWS)
def test_no_single_feature_pulls_further_than_its_bounds(value, feature):
    assert abs(feature.pull(value)) <= abs(feature.weight) * FARTHEST + 1e-9


@given(st.dictionaries(st.text(max_size=3), ROWS, max_size=8), st.floats(-9, 9), st.data())
def test_a_score_is_a_chance_and_the_same_again(features, bias, data):
    found = {name: data.draw(NUMBERS) for name in features}
    words = data.draw(COUNTS)
    weights = {word: data.draw(st.floats(-9, 9)) for word in words}
    weight = Scale(bias, features, weights).weigh(found, words)
    assert 0 <= weight.score <= 1
    turned = Scale(bias, dict(reversed(features.items())), dict(reversed(weights.items())))
    assert weight == turned.weigh(found, dict(reversed(words.items())))
    assert not set(weight.speaks_for) & set(weight.speaks_against)


@given(st.floats(0.1, 5), st.floats(-3, 3), st.floats(0, 3))
def test_more_of_what_speaks_for_a_leak_never_lowers_the_score(weight, value, more):
    scale = Scale(0.0, {"named": Feature(weight, 0.0, 1.0)})
    low, high = (scale.weigh({"named": one}, {}).score for one in (value, value + more))
    assert low <= high


@given(COUNTS, st.integers(2, 9))
def test_a_text_said_twice_pulls_no_harder_than_its_heaviest_word(words, times):
    weights = {word: (-1) ** len(word) * 3.0 for word in words}
    wording = Wording(weights)
    assert abs(wording.pull(words)) <= 3.0 * len(words) ** 0.5 + 1e-9
    assert sum(share**2 for share in wording.shares(words).values()) <= 1 + 1e-9
    assert wording.pull(dict.fromkeys(words, times)) == pytest.approx(
        wording.pull(dict.fromkeys(words, 1))
    )


def test_words_are_counted_in_small_letters_with_their_apostrophes():
    assert counted(["He can’t walk. HE CAN'T", "x y2k"]) == {
        "he": 2,
        "can't": 2,
        "walk": 1,
    }


def test_no_word_that_is_weighed_names_an_illness_or_care():
    learnt = tomllib.loads((rules_folder() / "weights.toml").read_text(encoding="utf-8"))
    assert len(learnt["words"]) > 1000
    assert not [w for w in learnt["words"] if load_evidence().classes(w) & AILING]


def test_a_star_stands_for_any_letters():
    words = Words({"illness": "fractur* flu", "body": "hip"})
    assert words.of("fractured") == {"illness"}
    assert words.of("flue") == set()
    assert words.of("hip") == {"body"}


def test_every_weight_belongs_to_a_feature():
    case = case_of(LAY)
    found = load_evidence().of(case, case.facts["genre"])
    learnt = tomllib.loads((rules_folder() / "weights.toml").read_text(encoding="utf-8"))
    assert set(learnt["features"]) <= set(found)


def test_everyday_words_are_enough_and_the_reason_says_which():
    case = case_of(LAY)
    assert case.container == "phi"
    assert "weight" in case.facts
    found = load_evidence().of(case, case.facts["genre"])
    assert load_scale().weigh(found, words_of(case)).score > 0.5


def test_a_long_text_is_not_weighed():
    case = case_of(LAY + "\n" + "The weather was fine and the harbour full of boats. " * 90)
    assert "weight" not in case.facts


def test_one_word_is_no_evidence():
    case = case_of("Dear Ms. Quill, thank you for your letter about the blood. Yours, Odo Finch")
    assert case.container != "phi"


def test_a_name_that_no_list_has_is_taken_apart():
    assert split("Y. Brightmere") == ("Y", "Brightmere")
    assert split("Brightmere, Y.") == ("Y", "Brightmere")
    assert split("BRIGHTMERE, Yorick") == ("Yorick", "Brightmere")
    assert split("pt: Yorick Brightmere") == ("Yorick", "Brightmere")


def test_what_is_told_without_a_word_of_the_lists_still_weighs_something():
    case = case_of(LAY)
    assert case.verdict.container.value == "phi"
    assert case.verdict.reason.startswith("weight")
    (person,) = case.persons
    assert person.sensitivity >= 0.1
    assert 0 < case.verdict.privacy <= person.identifiability


@pytest.mark.parametrize("text", [LAY, "Ada Hale rang.", LAY.replace("sugars", "roses"), ASKED])
def test_whether_a_bar_is_reached_is_what_the_score_says(text):
    case = case_of(text)
    evidence, scale = load_evidence(), load_scale()
    parts = (case, evidence, scale, scale.spans(evidence.shapes))
    whole = Weighing(*parts)
    for bar in (0.0, 0.01, TOO_LITTLE, 0.49, UNDECIDED, ENOUGH, 0.99, 1.0, whole.score):
        assert Weighing(*parts).reaches(bar) is (whole.score >= bar)


@given(st.dictionaries(st.text("abc", max_size=3), ROWS, max_size=8), st.floats(-9, 9), st.data())
def test_what_is_not_counted_yet_stays_within_its_span(features, bias, data):
    found = {name: data.draw(st.floats(0, 1e3)) for name in features}
    left = data.draw(st.sets(st.sampled_from(sorted(features) or [""])))
    scale = Scale(bias, features)
    told = {name: value for name, value in found.items() if name not in left}
    ends = zip((0.0, 0.0), *scale.spans(left).values(), strict=True)
    low, high = (squeezed(scale.pull(told, 0.0) + fsum(more)) for more in ends)
    assert low - ROUNDING <= scale.weigh(found, {}).score <= high + ROUNDING


def test_no_shape_is_counted_below_nothing():
    assert all(value >= 0 for value in load_evidence().shaped(case_of("Ada Hale.")).values())


@given(st.text("AaZz. ,:name\x1c\x0b\t\r\x85", max_size=40))
def test_a_name_in_plain_ascii_is_found_by_both_patterns(text):
    text = text.replace("\x85", "Patient: Ada Hale")
    assert bool(PLAIN_NAME.search(text)) is bool(NAME.search(text))


SAYINGS = st.sampled_from([
    LAY, ASKED, "Ada Hale, leukaemia", "Ada Hale\n", "Dr. Odo Finch", "Dear Ms. Quill,\n", "\n", ". ",
    "My son Gus has asthma and a sore knee. ", "no fever", "her hip", "if you have diabetes",
    "born 3 May 1961", "12 Elm Street", "call (416) 555-0199", "MRN: 448213", "patients may",
    "mother's stroke", "2 kg of flour for sale", "Σ", "é", "\U0001f600", "Name,Diagnosis\nAda Hale,flu\n",
    "FROM: ada@example.org", "Love, Wilhelmina Trask", "the knee", "x" * 300, "the flu ",
])  # fmt: skip


@given(st.lists(st.one_of(SAYINGS, st.text(max_size=5)), max_size=9))
@settings(max_examples=60, deadline=None)
def test_little_is_said_where_a_whole_reading_counts_few_words(pieces):
    case = case_of(" ".join(pieces))
    if case.document is not None and case.document.parts:
        ailing = load_evidence().read(case).ailing
        for enough in (1, 2, 3):
            assert load_evidence().says_little(case, enough) is (ailing < enough)
