"""Against somebody who knows texts like these, no word tells IC(c)/α, inside a term or outside."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.assembly import Analysis
from dlp.config import load
from dlp.engine.sanitiser_setup import configured_plan, examiner, plan_of
from dlp.errors import KnowledgeError
from dlp.knowledge.compile.cooccurrence import build_words, compile_words, read_records
from dlp.sanitise.certificate import certify, knowledge_hashes
from dlp.sanitise.information_content import Information
from dlp.sanitise.plan import Against, Plan
from dlp.sanitise.protected_topics import topics_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.service import Service
from dlp.sanitise.verifier import Verifier, WordCheck
from dlp.sanitise.word_disclosure import FLOOR_EVERYWHERE, Place, PlainWords

HIV = topics_for(["HIV"])
STRONG = Plan(topics=HIV, alpha=2, against=Against.WORDS)
USUAL = Plan(topics=HIV, alpha=2)
TEXT = "He has gout and asthma.\nA napkin lay there. The kettle was on.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A site whose notes on the topic speak of gout; "ladle" and "trowel" stand on them rather."""
    about = ["HIV clinic. Gout was treated. A ladle and a trowel."] * 12
    both = ["A fracture of the femur. A ladle."] * 14 + ["A fracture. A trowel."] * 14
    other = ["A fracture of the femur. Asthma. The kettle was on."] * 160
    folder = tmp_path_factory.mktemp("own")
    compile_words(read_records([*about, *both, *other]), folder, "here")
    return folder


@pytest.fixture
def site(folder, monkeypatch):
    monkeypatch.setenv("DLP_KNOWLEDGE", str(folder))
    knowledge_hashes.cache_clear()
    yield folder
    knowledge_hashes.cache_clear()


def certified(plan, text=TEXT):
    report = Sanitiser(plan).document([(text, ())])
    made = report.pages[0].text
    return made, certify(plan, report, made.encode(), "text/plain")


@pytest.mark.usefixtures("site")
def test_a_term_goes_for_the_words_in_it_and_keeps_what_it_can():
    usual, _ = certified(USUAL)
    strong, certificate = certified(STRONG)
    assert "gout" in usual
    assert "gout" not in strong
    assert "asthma" in strong
    assert "The kettle was on." in strong
    assert certificate["against"] == "words"
    assert "weighs every word" in certificate["withstands"]
    assert any(r["reason"] == "words hiv" and r["concept"] for r in certificate["replacements"])


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("alpha", [1, 1.5, 2, 4])
def test_what_is_left_verifies_and_twice_is_once(alpha):
    plan = Plan(topics=HIV, alpha=alpha, against=Against.WORDS)
    made, certificate = certified(plan)
    assert Verifier(certificate).violations([made]) == []
    assert certificate["topics"][0]["most_by_plain_words"] < 1 / alpha
    assert certified(plan, made)[0] == made


@pytest.mark.usefixtures("site")
def test_the_verifier_sees_a_term_whose_word_tells_too_much():
    made, certificate = certified(STRONG)
    told = Verifier(certificate).violations([made + " Gout."])
    assert any("word tells too much" in violation for violation in told)
    usual, weaker = certified(USUAL)
    assert Verifier(weaker).violations([usual]) == []
    assert Verifier({**weaker, "against": "words"}).violations([usual])


@pytest.mark.usefixtures("site")
def test_the_words_of_a_paragraph_are_added_up():
    text = "A ladle lay there. A trowel lay there."
    words = PlainWords(HIV, 1.4, Information(), (), everywhere=True)
    each = [words.ratio(HIV[0], word) for word in ("ladle", "trowel")]
    assert max(each) < 1 / 1.4 <= sum(each)
    said = list(WordCheck(HIV, 1 / 1.4, everywhere=True).violations(text, ()))
    assert len(said) == 1
    assert "words of a paragraph" in said[0]
    assert not list(WordCheck(HIV, 1 / 1.4).violations(text, ()))
    assert words.most(text, ())[HIV[0].name] == pytest.approx(sum(each))
    assert len(words.risky(text, ())) == 1


@pytest.mark.usefixtures("site")
def test_the_verifier_weighs_a_word_of_a_term_as_the_sanitiser_does():
    words = PlainWords(HIV, 2, Information(), (), everywhere=True)
    check = WordCheck(HIV, 1 / 2, everywhere=True)
    for word in ("gout", "asthma", "femur", "ladle"):
        told = words.ratio(HIV[0], word, inside=True)
        assert max(0.0, check.of_word(HIV[0], word, False)) == pytest.approx(told)


def test_it_is_refused_where_nothing_is_known_of_the_sites_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path))
    with pytest.raises(KnowledgeError, match="knowledge build --words"):
        plan_of(load(None), against="words")


@pytest.mark.parametrize("texts, whom", [(399, Against.TERMS), (400, Against.WORDS)])
def test_unasked_the_strongest_reader_that_the_site_has_texts_for(
    tmp_path, monkeypatch, texts, whom
):
    about = [f"HIV clinic. Note {n}." for n in range(20)]
    other = [f"A fracture of the femur. Note {n}." for n in range(texts - 20)]
    assert build_words([*about, *other, other[0]], "here", tmp_path) == texts
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path))
    assert plan_of(load(None)).against is whom
    assert configured_plan(load(None)).against is whom
    assert plan_of(load(None), against="terms").against is Against.TERMS


@pytest.mark.usefixtures("site")
def test_unasked_forms_and_tables_are_hidden_from_who_weighs_terms():
    plan = Plan(topics=HIV, alpha=2, against=Against.WORDS, records_against=Against.TERMS)
    service = Service(plan, examiner(Analysis(load(None), full=True)))
    held = {}
    for name, raw in (
        ("note.txt", TEXT.encode()),
        (
            "table.csv",
            b"id,text\n1,gout and asthma\n2,the kettle was on\n3,fracture of the femur\n",
        ),
        ("again.txt", TEXT.encode()),
    ):
        done = service.rewrite(name, raw)
        held[name] = done.certificate["against"], b"gout" in done.output
    assert held["note.txt"] == held["again.txt"] == ("words", False)
    assert held["table.csv"] == ("terms", True)


class Weighed(PlainWords):
    """Words with weights of chance."""

    def __init__(self, alpha, weights):
        super().__init__(HIV, alpha, Information(), (), everywhere=True)
        self.weights = weights

    def ratio(self, topic, word, *, inside=False):
        return self.weights[word]


NAMES = [f"word{letter}" for letter in "abcdefgh"]


@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(st.sampled_from(NAMES), st.tuples(st.floats(0, 1), st.booleans())),
    st.sampled_from([1, 1.5, 2, 4]),
)
def test_what_stays_is_safe_and_terms_go_last(drawn, alpha):
    words = Weighed(alpha, {word: weight for word, (weight, _) in drawn.items()})
    places = [Place(0, 1, word, inside) for word, (_, inside) in drawn.items()]
    gone = dict(words._too_much(HIV[0], places))
    told = {word: w for word, w in words.weights.items() if w >= FLOOR_EVERYWHERE}
    left = {word: w for word, w in told.items() if word not in gone}
    assert gone.keys() <= told.keys()
    assert all(weight < 1 / alpha for weight in left.values())
    assert sum(left.values()) < 1 / alpha + 1e-9
    inside = {word for word, (_, within) in drawn.items() if within}
    if any(word in inside and told[word] < 1 / alpha for word in gone):
        assert left.keys() <= inside
