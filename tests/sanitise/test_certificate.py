"""A certificate holds for the text it was made for and for no other; faults in the sanitiser show."""

import copy
import json

import pytest

from dlp.knowledge.topic_words import load_related
from dlp.sanitise import disclosure, generalise, topic_removal
from dlp.sanitise.certificate import certify, seal
from dlp.sanitise.plan import Plan
from dlp.sanitise.protected_topics import default_topics, topic_for
from dlp.sanitise.sanitiser import Sanitiser
from dlp.sanitise.verifier import Verifier
from tests.support.sanitise_notes import HEALTH

KEY = b"k" * 32
PLAN = Plan(topics=(topic_for("HIV"), topic_for("alcoholism")), alpha=1.5, key=KEY)


def certified(plan=PLAN, text=HEALTH):
    report = Sanitiser(plan).document([(text, ())])
    made = report.pages[0].text
    certificate = certify(plan, report, made.encode(), "text/plain")
    return made, json.loads(json.dumps(certificate))


@pytest.mark.parametrize("alpha", [1, 1.5, 2, 4])
def test_what_was_sanitised_verifies(alpha):
    plan = Plan(topics=default_topics(), alpha=alpha, key=KEY)
    made, certificate = certified(plan)
    assert Verifier(certificate).violations([made]) == []
    assert certificate["seal"] == seal(KEY, certificate)


def test_no_original_value_is_in_it():
    _, certificate = certified()
    text = json.dumps({**certificate, "topics": [], "not_checked": []}).lower()
    for word in ("zidovudine", "lamivudine", "unprotected", "drunk"):
        assert word not in text


@pytest.mark.parametrize(
    "added", [" He has AIDS.", " He takes zidovudine.", " He drinks too much.", " HIV"]
)
def test_anything_added_is_seen(added):
    made, certificate = certified()
    assert Verifier(certificate).violations([made + added])


def test_tampering_breaks_the_seal_or_the_claim():
    made, certificate = certified()
    changed = copy.deepcopy(certificate)
    changed["alpha"] = 1.0
    assert seal(KEY, changed) != certificate["seal"]
    stricter = copy.deepcopy(certificate)
    stricter["alpha"] = 4.0
    assert Verifier(stricter).violations([made])
    moved = copy.deepcopy(certificate)
    moved["replacements"][0]["with"] = "something else"
    assert Verifier(moved).violations([made])
    other = copy.deepcopy(certificate)
    other["knowledge"]["mesh"] = "0" * 64
    assert Verifier(other).violations([made])


# Five deliberate defects, each in another step; the verifier shares none of that code.
def ignore_names(monkeypatch):
    monkeypatch.setattr(
        disclosure.Disclosure,
        "_about",
        lambda self, topic, concept: self._by_counts(topic, concept),
    )
    monkeypatch.setattr(disclosure.Disclosure, "of_words", lambda self, text: None)


def ignore_statistics(monkeypatch):
    monkeypatch.setattr(disclosure.Disclosure, "_by_counts", lambda self, topic, concept: None)


def ignore_groups(monkeypatch):
    monkeypatch.setattr(topic_removal.Confidential, "_judge_groups", lambda self, *a, **k: False)


def first_occurrence_only(monkeypatch):
    real = topic_removal.Confidential._apply

    def once(self, drafts, pages):
        seen = set()
        fewer = [[t for t in page if t.key not in seen and not seen.add(t.key)] for page in pages]
        changed = real(self, drafts, fewer)
        return changed and not getattr(self, "_stop", False) and not setattr(self, "_stop", True)

    monkeypatch.setattr(topic_removal.Confidential, "_apply", once)


def unsafe_generalisation(monkeypatch):
    """The first thing above is taken, and nobody looks again."""
    real = topic_removal.Confidential._judge_terms

    def once(self, pages, *, remove):
        if not self._chosen:
            real(self, pages, remove=remove)

    monkeypatch.setattr(generalise.Generaliser, "_safe", lambda self, words, concepts: True)
    monkeypatch.setattr(topic_removal.Confidential, "_judge_terms", once)


DEFECTS = (
    ignore_names,
    ignore_statistics,
    ignore_groups,
    first_occurrence_only,
    unsafe_generalisation,
)
# Terms that only counts tell, alone and together, from curated lists left empty.
TELLING = (
    "Viral hepatitis was found. Hepatitis C and hepatitis B came with tuberculosis and HIV.\n"
    "HIV and AIDS. AIDS and HIV again. Cryptococcosis and candidiasis. Lymphopenia was seen.\n"
    "Pain after a stroke. Neoplasms and pneumonia. Encephalitis and neoplasms in the aged.\n"
    "Aftercare and drug therapy were agreed."
)


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.__name__)
def test_a_defect_in_the_sanitiser_is_caught(defect, monkeypatch):
    plan = Plan(topics=default_topics(), alpha=2.5)
    text = HEALTH + TELLING
    made, certificate = certified(plan, text)
    assert Verifier(certificate).violations([made]) == []
    defect(monkeypatch)
    made, certificate = certified(plan, text)
    assert Verifier(certificate).violations([made])


def test_curated_headings_exist():
    assert all(len(topic.concepts) >= 5 for topic in load_related().topics)


SENSITIVE = (
    "She has an HIV infection, tuberculosis, candidiasis and diarrhea. She was treated with"
    " isoniazid and has hepatitis C and pneumonia."
)


@pytest.mark.parametrize("alpha", [1, 1.5])
def test_what_is_told_beside_a_generalised_term_is_certified_against_its_threshold(alpha):
    made, certificate = certified(Plan(topics=(topic_for("HIV"),), alpha=alpha, key=KEY), SENSITIVE)
    (one,) = certificate["topics"][0]["sensitive_terms"]
    assert 0 < one["most_dr"] < one["tau"]
    assert Verifier(certificate).violations([made]) == []
    for name, value in (("most_dr", one["most_dr"] / 2), ("tau", one["most_dr"] / 2)):
        changed = copy.deepcopy(certificate)
        changed["topics"][0]["sensitive_terms"][0][name] = value
        assert Verifier(changed).violations([made])


@pytest.mark.parametrize("alpha", [1, 1.5, 2, 4])
def test_no_half_of_a_replacement_is_left(alpha):
    told = "Major depressive disorder. Insomnia, headache and hypothyroidism were treated."
    made, _ = certified(Plan(topics=(topic_for("depression"),), alpha=alpha, key=KEY), told)
    assert "ical […]" not in made
