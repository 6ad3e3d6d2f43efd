"""Plain words that tell a topic go, by α; what is left tells less than IC(c)/α."""

import pytest

from dlp.errors import KnowledgeError
from dlp.knowledge.compile.cooccurrence import build_words, compile_words, read_records
from dlp.knowledge.cooccurrence import load_own_words
from dlp.sanitise.certificate import certify, knowledge_hashes
from dlp.sanitise.information_content import Information
from dlp.sanitise.plan import Plan
from dlp.sanitise.protected_topics import topics_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.verifier import Verifier, WordCheck
from dlp.sanitise.word_disclosure import PlainWords

HIV = topics_for(["HIV"])
TEXT = (
    "She fears the stigma and disclosure to her partner. People living in sub-Saharan Africa are "
    "at higher risk. He came on Tuesday with Mrs Jones, who was cheerful.\n"
)


def removed(alpha, text=TEXT):
    return Sanitiser(Plan(topics=HIV, alpha=alpha)).document([(text, ())])


def test_more_goes_the_stricter_alpha_is():
    counts = [removed(alpha).utility.words_removed for alpha in (1, 1.5, 2, 4)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_everyday_words_stay_at_every_alpha():
    made = removed(4).pages[0].text
    assert "He came on Tuesday with Mrs Jones, who was cheerful." in made


@pytest.mark.parametrize("alpha", [1, 1.5, 2, 4])
def test_nothing_is_left_and_twice_is_once(alpha):
    report = removed(alpha)
    made = report.pages[0].text
    assert report.remaining.words[HIV[0].name] < 1 / alpha
    assert removed(alpha, made).pages[0].text == made


def test_a_word_left_out_once_is_left_out_everywhere():
    made = removed(2, TEXT + "\nThe stigma again.\n").pages[0].text
    assert "stigma" not in made


def test_what_one_file_gives_up_for_its_company_the_next_one_keeps():
    told = PlainWords(HIV, 2, Information(), ())
    weak = [
        w
        for w in ("counseling", "adherence", "clinic", "cohort", "women")
        if told.ratio(HIV[0], w) < 0.5
    ]
    sanitiser = Sanitiser(Plan(topics=HIV, alpha=2))
    first = sanitiser.document([(f"Talk of {', '.join(weak)} and more.", ())]).pages[0].text
    lost = next(word for word in weak if word not in first)
    harmless = f"The {lost} was fine."
    assert sanitiser.document([(harmless, ())]).pages[0].text == harmless


def test_the_verifier_sees_a_word_that_was_put_back():
    plan = Plan(topics=HIV, alpha=1.5)
    report = Sanitiser(plan).document([("The stigma is hard to bear.", ())])
    made = report.pages[0].text
    assert "stigma" not in made
    certificate = certify(plan, report, made.encode(), "text/plain")
    assert Verifier(certificate).violations([made]) == []
    put_back = Verifier(certificate).violations([made + " stigma"])
    assert any("plain word" in violation for violation in put_back)


def test_rare_joint_records_prove_nothing():
    words = PlainWords(HIV, 1.5, Information(), ())
    assert words.ratio(HIV[0], "knee") == 0.0
    assert words.ratio(HIV[0], "stigma") > 0.5


def test_the_verifier_adds_up_the_words_of_a_sentence():
    words = PlainWords(HIV, 2, Information(), ())
    weak = [w for w in ("africa", "adherence", "disclosure", "incidence", "cohort", "outreach")
            if 0.15 <= words.ratio(HIV[0], w) < 0.5]  # fmt: skip
    assert sum(words.ratio(HIV[0], word) for word in weak) >= 0.5
    check = WordCheck(HIV, 1 / 2)
    assert any("sentence" in v for v in check.violations(" ".join(weak), ()))
    assert not list(check.violations(". ".join(weak), ()))


def test_the_verifier_counts_as_the_sanitiser_does():
    words, check = PlainWords(HIV, 2, Information(), ()), WordCheck(HIV, 1 / 2)
    for word in ("stigma", "knee", "disclosure", "cheerful"):
        assert max(0.0, check.of_word(HIV[0], word)) == pytest.approx(words.ratio(HIV[0], word))


@pytest.fixture
def own_words(tmp_path, monkeypatch):
    """A site whose notes on the topic speak of napkins; Quillfeather is a patient of many."""
    about = ["HIV clinic. The napkin was lit for Quillfeather."] * 12
    other = ["A fracture of the femur. The kettle was on."] * 188
    compile_words(read_records([*about, *other]), tmp_path, "here")
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path))
    knowledge_hashes.cache_clear()
    yield tmp_path
    knowledge_hashes.cache_clear()


def test_a_sites_own_texts_are_asked_beside_medline(own_words):
    words = PlainWords(HIV, 2, Information(), ())
    assert words.ratio(HIV[0], "napkin") > 0.5
    assert words.ratio(HIV[0], "stigma") > 0.5  # MEDLINE still says so
    assert words.ratio(HIV[0], "kettle") == 0.0
    assert WordCheck(HIV, 1 / 2).of_word(HIV[0], "napkin") > 0.5
    made = removed(2, "He brought a napkin and a kettle.").pages[0].text
    assert made == "He brought a […] and a kettle."


def test_doses_and_short_forms_of_a_sites_texts_count(tmp_path, monkeypatch):
    about = ["HIV clinic. Tab 50mg mane, hx known."] * 12
    other = ["A fracture of the femur. Tab 0.25mg nocte, 20kg lost."] * 188
    compile_words(read_records([*about, *other]), tmp_path, "here")
    own = load_own_words(tmp_path)
    assert own is not None
    assert "50mg" in own[1]
    assert "hx" in own[1]
    assert "25mg" not in own[1]  # part of a number
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path))
    made = removed(2, "He had 50mg of it and 0.50mg of that.").pages[0].text
    assert made == "He had […] of it and 0.50mg of that."
    assert WordCheck(HIV, 1 / 2).of_word(HIV[0], "50mg") > 0.5


def test_the_certificate_names_the_sites_own_texts(own_words, monkeypatch):
    plan = Plan(topics=HIV, alpha=1.5)
    report = removed(1.5)
    certificate = certify(plan, report, b"", "text/plain")
    assert "ownwords" in certificate["knowledge"]
    monkeypatch.setenv("DLP_KNOWLEDGE", str(own_words / "none"))
    knowledge_hashes.cache_clear()
    told = Verifier(certificate).violations([report.pages[0].text])
    assert any("other knowledge" in violation for violation in told)


def test_a_site_keeps_no_names_of_its_patients(own_words):
    own = load_own_words(own_words)
    assert own is not None
    assert "napkin" in own[1]
    assert "quillfeather" not in own[1]


def test_shorthand_in_small_letters_is_another_word():
    (_, named), (_, plain) = read_records(["Seen for an STD.", "Alcohol: 2 std drinks."])
    assert "D012749" in named
    assert "D012749" not in plain


def test_a_topic_of_most_texts_teaches_nothing(tmp_path, monkeypatch):
    texts = ["HIV clinic. The napkin was lit."] * 60 + ["A fracture of the femur."] * 40
    compile_words(read_records(texts), tmp_path, "here")
    monkeypatch.setenv("DLP_KNOWLEDGE", str(tmp_path))
    assert PlainWords(HIV, 2, Information(), ()).ratio(HIV[0], "napkin") == 0.0


def test_texts_without_health_are_refused(tmp_path):
    with pytest.raises(KnowledgeError, match="no text"):
        build_words(["Nothing of the kind."], "here", tmp_path / "out")


def test_words_printed_on_a_form_are_no_sum_of_signs():
    """The same words in a letter are: there somebody chose them."""
    said = "participants and recipients answered about burden and schedule"
    form = f"Name: ______\nDate: ______\nSigned: ______\n[ ] Yes [ ] No\n{said}: ______\n"
    check = PlainWords(HIV, 2.0, Information(), ())
    assert check.risky(f"The {said}.", ())
    assert not check.risky(form, ())
