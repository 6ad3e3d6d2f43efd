"""Statements of health by their grammar, each with values drawn afresh, and near misses."""

import random

import pytest

from dlp.detect.illness.care import PatternEnds, compiled, load_care
from dlp.detect.illness.codes import standing_codes
from dlp.detect.illness.health import FindHealth
from dlp.knowledge.inference import load_inference
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.sensitivity import load_sensitivity
from dlp.model import HEALTH_KINDS, Case, Document, FileRef, Part

CHANCE = random.Random(24)
SIGNS = (" ", "", "-", "/", "(", "é", "'", "_", "*", "7", " – ")
STATED = [
    ("BP {}/{} today", (130, 190), (80, 110)),
    ("obs: HR {}, RR {}", (60, 130), (12, 30)),
    ("her temperature was 3{}.{}", (7, 9), (1, 9)),
    ("creatinine {} umol/L", (80, 300)),
    ("Hb {} g/L", (70, 150)),
    ("PHQ-9 {}", (5, 27)),
    ("OD -{}.25 / -0.50 x {}", (1, 6), (10, 170)),
    ("UR{} extracted under local", (1, 8)),
    ("she is {} weeks pregnant, G{}P1", (8, 39), (2, 5)),
    ("MRI left knee {} March", (1, 28)),
    ("referred to rheumatology on {} May", (1, 28)),
    ("{} stitches in his chin", (2, 12)),
    ("pain {}/10 at rest", (3, 9)),
    ("needs help with washing, carers {} times", (2, 4)),
    ("second MMR given, batch {}", (100, 999)),
    ("{} months sober", (2, 11)),
    ("signed off work until {} June", (1, 28)),
    ("maintained on Zibrolane {} mg monthly", (5, 90)),
    ("Rx: Tolvexa {}mg BD", (5, 90)),
    ("signed off {}/52", (2, 12)),
    ("off work from 2021-0{}-0{}", (1, 9), (1, 9)),
    ("she weighs {} stone", (14, 25)),
    ("Ada is up to 1{} kilos", (20, 60)),
    ("trop {}", (40, 1900)),
    ("seen at {}/40", (8, 40)),
    ("DRG {}", (100, 990)),
    ("ICPC P7{}", (1, 9)),
    ("quads {}/5", (1, 4)),
    ("ROM knee 0-{}", (60, 120)),
    ("her kidneys are down to {} per cent", (8, 40)),
    ("fell off a ladder at {}.15", (8, 12)),
    ("up {} times a night to pee", (3, 6)),
    ("chair {} at the dialysis centre", (2, 12)),
    ("tablets for his nerves since 20{}", (10, 24)),
]
NEAR_MISSES = [
    "referred to the manager", "temp 21 C in the office", "the weight of the parcel is 12 kg",
    "appears at the crown court", "the bridge on Booth Lane", "the eye of the storm",
    "broke the window", "a scan of her passport", "due in Leeds on 12 May", "the Adriatic coast",
    "started on Monday, came off probation", "is expecting a delivery", "under the sales team",
    "on the waiting list for an allotment", "scored 7/10 in the quiz", "tyre pressure 2.4 bar",
    "take 5 ml daily", "protein 20 g a day", "add flour 200 g each", "signed off 8 May", "the parcel weighs 60 kg",
    "lifts up to 100 kg", "page 3/400", "the creator 12", "cannot keep costs down", "extension 401", "chair 7 at the cinema",
    "put his foot in it", "prices fell off a cliff", "pulled his leg", "is poorly drafted", "order 470",
    "admitted to the bar", "needs help with moving house", "fractured the rear axle",
]  # fmt: skip


@pytest.fixture(scope="module")
def find():
    return FindHealth()


@pytest.mark.parametrize("stated", STATED, ids=lambda one: one[0])
def test_a_statement_is_found_whatever_its_values(find, stated):
    wording, *ranges = stated
    for _ in range(5):
        text = wording.format(*(CHANCE.randint(*one) for one in ranges))
        assert [one for one in find.find(text) if not one.context], text


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_words_of_care_about_other_things_are_none(find, text):
    assert find.find(text) == []


def test_every_statement_has_a_heading_of_mesh_that_weighs_something():
    mesh, inference, table = load_mesh(), load_inference(), load_sensitivity()
    for one in load_care().statements:
        assert one.kind in HEALTH_KINDS
        assert mesh.name(mesh.index(one.concept)) == one.heading
        assert table.of(one.concept) > 0 or inference.implied(one.concept), one.heading


def test_a_statement_across_a_line_break_and_far_into_a_text_is_found(find):
    text = "Nothing to report here.\n" * 400 + "Seen by\nrheumatology, BP 151/92.\n"
    found = {text[one.start : one.end] for one in find.find(text)}
    assert any("151/92" in one for one in found)
    assert any("rheumatology" in one for one in found)


DENIED = (
    "Tom: no history of {}, {} or {}.",
    "Denies {}, {}, or {}.",
    "{}  No\n{}  No\n{}  No\n",
    "Ever been treated for {}, {} or {}? No",
    "Doctor: Any {}, {} or {}?\nPatient: No, none.",
    "{} N  {} N  {} N\n",
)
ILLNESSES = ("asthma", "epilepsy", "gout", "psoriasis", "diabetes", "migraine", "cancer")


@pytest.mark.parametrize("wording", DENIED)
def test_a_no_reaches_every_item_of_its_list(find, wording):
    for _ in range(5):
        text = wording.format(*CHANCE.sample(ILLNESSES, 3))
        document = Document("text/plain", (Part("body", text),))
        case = find(Case(FileRef("", b"x"), document=document, language="en"))
        assert case.findings
        assert all("negated" in one.context for one in case.findings), text


@pytest.mark.parametrize(
    "text",
    ["He is not sleeping because of his {}.", "No benefit from tablets, {} as before.",
     "She hasn't been taking anything for her {}.", "His {} is not under control."],
)  # fmt: skip
def test_what_somebody_cannot_do_denies_no_illness(find, text):
    for illness in CHANCE.sample(ILLNESSES, 3):
        found = [one for one in find.find(text.format(illness)) if one.kind == "disease"]
        assert found
        assert not any("negated" in one.context for one in found), text


def test_codes_that_stand_as_codes_do_are_found_and_rooms_are_not():
    for text in ("Ann, 12/03/2024, {}", "[{}] stable", "line 1 {} 99213", "{}; L40.0"):
        assert standing_codes(text.format(CHANCE.choice(("E11.9", "F33.1", "J45.20")))), text
    for text in ("Room {}, desk E22.1", "see section ({})", "signed for {} today", "{} Scope\n"):
        assert not standing_codes(text.format(CHANCE.choice(("E11.9", "F33.1", "J45.20")))), text


def test_an_edge_told_by_the_ends_of_a_pattern_is_the_edge_in_general():
    """With any sign between and around the words of statements, both forms match or neither."""
    patterns = [each for one in load_care().statements for each in one.patterns]
    told = [wording.replace("{}", "4") for wording, *_ in STATED]
    texts = [
        CHANCE.choice(SIGNS) + CHANCE.choice(SIGNS).join(text.split(" ")) + CHANCE.choice(SIGNS)
        for text in told
    ]
    for pattern in patterns:
        inside = pattern.removeprefix(r"\b").removesuffix(r"\b")
        general = compiled(rf"(?:\b|^|\W){inside}(?:\b|\W|$)")
        for text in texts:
            assert bool(compiled(pattern).search(text)) == bool(general.search(text)), text


@pytest.mark.parametrize(
    "pattern, first, last",
    [
        (r"hb|ferritin", {"w"}, {"w"}),
        (r"(?:the )?ward \d{1,2}", {"w"}, {"w"}),
        (r"#?[1-9]", {" ", "w"}, {"w"}),
        (r"[-–:]\s?weight", {" "}, {"w"}),
        (r"pain(?:s|\.)?", {"w"}, {"w", " "}),
        (r"\w*", {"w", ""}, {"w", ""}),
    ],
)
def test_a_pattern_is_told_by_what_it_may_begin_and_end_with(pattern, first, last):
    assert PatternEnds(pattern).read() == (first, last)
