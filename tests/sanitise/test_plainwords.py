"""Plain words that tell a topic go, by α; what is left tells less than IC(c)/α."""

import pytest

from dlp.sanitise.certificate import certify
from dlp.sanitise.information import Information
from dlp.sanitise.plainwords import PlainWords
from dlp.sanitise.plan import Plan
from dlp.sanitise.text import Sanitiser
from dlp.sanitise.topics import topics_for
from dlp.sanitise.verifier import Verifier

HIV = topics_for(["HIV"])
TEXT = (
    "She fears the stigma and disclosure to her partner. People living in sub-Saharan Africa are "
    "at higher risk. He came on 4 March with Mrs Jones, who was cheerful.\n"
)


def removed(alpha, text=TEXT):
    return Sanitiser(Plan(topics=HIV, alpha=alpha)).document([(text, ())])


def test_more_goes_the_stricter_alpha_is():
    counts = [removed(alpha).utility.words_removed for alpha in (1, 1.5, 2, 4)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_everyday_words_stay_at_every_alpha():
    made = removed(4).pages[0].text
    assert "He came on 4 March with Mrs Jones, who was cheerful." in made


@pytest.mark.parametrize("alpha", [1, 1.5, 2, 4])
def test_nothing_is_left_and_twice_is_once(alpha):
    report = removed(alpha)
    made = report.pages[0].text
    assert report.remaining.words[HIV[0].name] < 1 / alpha
    assert removed(alpha, made).pages[0].text == made


def test_a_word_left_out_once_is_left_out_everywhere():
    made = removed(2, TEXT + "\nThe stigma again.\n").pages[0].text
    assert "stigma" not in made


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
