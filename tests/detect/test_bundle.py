"""Small parts are read together, and give what each gives by itself."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.bundle import BORDER, FULL, SMALL, bundles
from dlp.detect.illness.health import FindHealth
from dlp.detect.naming.mentions import mention_finder
from dlp.model import Part

SENTENCES = (
    "Patient:",
    "Anneliese Brockmann",
    "Dr. Greta Lindqvist, MD",
    "Ada:",
    "45-year-old woman with type 2 diabetes.",
    "45",
    "Mercy Hospital",
    "Toronto, ON",
    "my name is",
    "She denies chest pain. No history of",
    "asthma",
    "MRN 4471902",
    "Tonnen und Kisten aus Holz",
    "Renske Oudshoorn",
    "HIV\u00adpositive",
    "12 Elm Street",
    "",
)
PART = st.lists(st.sampled_from(SENTENCES), max_size=4).map("\n".join)


@given(st.lists(st.integers(0, SMALL * 2), max_size=60))
def test_every_part_is_in_one_bundle_in_order(lengths):
    texts = [chr(97 + n % 26) * length for n, length in enumerate(lengths)]
    made = list(bundles(texts))
    assert [part for bundle in made for part in bundle.parts] == list(range(len(texts)))
    for bundle in made:
        assert len(bundle.parts) == 1 or len(bundle.text) <= FULL + len(BORDER)
        for part, start in zip(bundle.parts, bundle.starts, strict=True):
            assert bundle.text[start : start + len(texts[part])] == texts[part]
            if texts[part]:
                assert bundle.place(start) == (part, start)
                assert bundle.place(start + len(texts[part]) - 1) == (part, start)


@given(st.lists(PART, max_size=6))
def test_names_and_places_are_those_of_each_part(texts):
    """A name that one part teaches is found in all; so only first looks are compared."""
    finder = mention_finder()
    together = finder.read([Part("body", text) for text in texts])
    for number, text in enumerate(texts):
        alone = finder.read([Part("body", text)]).found[0]
        here = [m for m in together.found[number] if m.rule_id != "name-again"]
        told = {(m.start, m.end, m.kind, m.rule_id, m.confidence, m.role) for m in here}
        assert told >= {
            (m.start, m.end, m.kind, m.rule_id, m.confidence, m.role)
            for m in alone
            if m.rule_id != "name-again"
        }
        assert all(m.part == number for m in together.found[number])
        assert len(told) == len([m for m in alone if m.rule_id != "name-again"])


@given(st.lists(PART, max_size=6))
def test_health_terms_are_those_of_each_part(texts):
    stage = FindHealth()
    for number, found in enumerate(stage.find_all(texts, abroad=False)):
        assert found == stage.find(texts[number], number)


def test_a_cue_does_not_reach_over_the_end_of_a_part():
    texts = ["A long history of", "Patient: Renske Oudshoorn, 12 Elm Street", "Signed by", ""]
    finder = mention_finder()
    together = finder.read([Part("body", text) for text in texts])
    alone = finder.read([Part("body", texts[1])]).found[0]
    assert [m._replace(part=0) for m in together.found[1]] == alone
