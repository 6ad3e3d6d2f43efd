"""The compiled ways to read sentences, cues and codes give what the others give, whatever the text."""

import itertools
from re._parser import parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect import sentences
from dlp.detect.illness import codes, filled, health, spanish
from dlp.detect.illness.codes import announced_codes
from dlp.detect.illness.context import load_contexts
from dlp.detect.illness.cuetree import is_plain, is_walkable
from dlp.detect.illness.health import FindHealth
from dlp.knowledge import icd
from dlp.model import Kind
from dlp.native import kernel

needs_sentences = pytest.mark.skipif(kernel("sentences") is None, reason="no kernel")
needs_hits = pytest.mark.skipif(kernel("hits") is None, reason="no kernel")

AWKWARD = st.text(".!?\"')([] \t\n\r\f;|AB9a:-*•·1Drstno\u00a0é/&\U0001f600\ud800", max_size=60)
PIECES = (
    "no", "No", "not", "denies", "family history of", "Family  History", "her mother", "but",
    "history of", "no evidence\nof", "ruled out", ": no", "negative for", "no increase", "possible",
    "in the family", "if", "asthma", "MS", "AIDS", "diabetes", "cough", "patients with", "cold",
    "diagnosed with", "dx:", "has", "severe", "Dr. Hale", "ICD-9", "icd10", "Dx F33", "250.00",
    "diagnosis code", "diagnoſis code", "dx. J45", "E11.9", "xdx", "é", "_", "it", "a", "for an",
)  # fmt: skip
BETWEEN = (
    " ", "  ", "\n", "\n\n", "\t", ". ", ".", "; ", ":", "'", "-", "\u00a0", "\ud800", "\u017f", "",
    "\u212a", "\U0001f600", "\x1c", "\v", "|", ", ",
)  # fmt: skip
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(BETWEEN), st.text(max_size=3)), max_size=30
).map("".join)


@needs_sentences
@given(st.one_of(AWKWARD, TEXTS))
def test_sentences_begin_at_the_same_places(text):
    assert sentences.starts_of(text).listed() == sentences.read_breaks(text)


# what fills a text: signs of one byte, of two and of four, some of which end in the byte of a break
FILLS = st.sampled_from(("a", "é", " ", "—", "\u012e", "\u0a0a", "\u8409", "\U0001f600"))


@needs_sentences
@given(st.one_of(AWKWARD, TEXTS), FILLS, st.integers(0, 140))
def test_sentences_begin_alike_wherever_they_stand(text, fill, before):
    long = fill * before + text + fill * 70 + text
    assert sentences.starts_of(long).listed() == sentences.read_breaks(long)


def assert_same_contexts(language, text, places):
    contexts, starts = load_contexts(language), sentences.read_breaks(text)
    assert contexts._tree is not None
    assert contexts.of(text, places) == (contexts._read(text, starts, places) if places else [])


def places_in(text, data):
    """Some that follow each other, anywhere in a text."""
    marks = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12, unique=True)))
    return list(itertools.pairwise(marks))


@needs_sentences
@given(TEXTS, st.data())
def test_places_stand_in_the_same_contexts(text, data):
    assert_same_contexts("en", text, places_in(text, data))


SPANISH_TEXTS = st.lists(
    st.one_of(
        st.sampled_from((
            "no", "No", "sin", "tío", "TÍA", "tiía", "T\u00cdO", "ti\u0301o", "la mayoría  de", "la",
            "LA MAYORÍA\nDE", "no sólo", "no solo", "no s", "ÓLO", "sospecha de", "su padre", "pero",
            "fiebre", "tos", "í", "Í", "ó", "en caso de", "por lo que", "ñ", "mayor\u0131a de",
        )),
        st.sampled_from(BETWEEN),
        st.text(max_size=2),
    ),
    max_size=30,
).map("".join)  # fmt: skip


@needs_sentences
@given(SPANISH_TEXTS, st.data())
def test_places_stand_in_the_same_contexts_of_a_language_with_accents(text, data):
    assert_same_contexts("es", text, places_in(text, data))


def test_phrases_with_accents_at_their_ends_are_left_to_re2():
    assert is_walkable("no sólo")
    assert not is_walkable("tomó")
    assert not is_walkable("groß und")


FINDINGS = st.lists(st.integers(0, 40), max_size=16, unique=True).map(
    lambda marks: [
        health.Finding(Kind.DISEASE, "r", 0, start, end, 0.9)
        for start, end in itertools.pairwise(sorted(marks))
    ][::2]
)


@given(FINDINGS, FINDINGS)
def test_words_of_the_own_language_come_before_all_that_touches_them(own, others):
    kept = health.without_overlap([*own], others)
    covered = {place for one in own for place in range(one.start, one.end)}
    clear = [one for one in others if covered.isdisjoint(range(one.start, one.end))]
    assert kept == sorted(own + clear, key=lambda one: one.start)


@needs_sentences
def test_cues_are_heard_over_blanks_and_in_any_case():
    contexts = load_contexts("en")
    text = "NO  Evidence\f of asthma. Not\tasthma, " + "no " * 400 + "asthma"
    places = [(at, at + 6) for at in range(len(text)) if text.startswith("asthma", at)]
    assert contexts.of(text, places) == contexts._read(text, sentences.read_breaks(text), places)
    assert contexts.of(text, places)[0] == {"negated"}


def test_signs_that_stand_for_letters_are_no_matter_for_the_tree():
    assert is_plain("asthma é")
    assert not is_plain("a\u017fthma é")
    assert not is_plain("\u212a")


@needs_hits
@given(TEXTS)
def test_the_same_codes_are_announced(text):
    with pytest.MonkeyPatch.context() as patch:
        compiled = announced_codes(text)
        patch.setattr(codes, "KERNEL", None)
        assert announced_codes(text) == compiled


@needs_hits
@given(st.text("AUV0129BZ.-_ é\u00b2\u0661", max_size=30))
def test_the_same_places_are_written_like_codes(text):
    assert icd.code_places(text) == [match.span() for match in icd._IN_TEXT.finditer(text)]


LISTED = st.lists(
    st.sampled_from(
        ("ICD-9: ", "dx code ", "250.00", "E11.9", "V70.0", "12.50", "999.99", "claim ", ", ", "\n\n",
         "a" * 11, "b" * 14, " ", "Dx F33", "x" * 50, "\n")
    ),
    max_size=30,
).map("".join)  # fmt: skip


@given(LISTED)
def test_codes_far_from_their_words_need_not_be_looked_at(text):
    whole = announced_codes(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codes, "places_near", lambda text, _: icd.code_places(text))
        assert announced_codes(text) == whole


@needs_hits
@given(LISTED, st.lists(st.integers(0, 300)).map(sorted))
def test_the_same_codes_are_near_announcements(text, places):
    heard = [(place, False) for place in places]
    assert codes.places_near(text, heard) == [*codes.near(icd.code_places(text), heard)]


@needs_hits
@given(st.text("dDiIxXcC aAgG\u0164ä\u0444", max_size=40))
def test_no_announcement_is_overlooked(text):
    if codes.spans_of_text(codes.IN_TEXT, text):
        assert codes.announcing(text)


ANNOUNCING = st.lists(
    st.one_of(
        st.sampled_from((
            "ICD", "icd-10", "ICD 9 CM", "dx", "Dx: F33", "diag.   j45", "diagnosis codes", "diagnoſes",
            "diagnostic code", "diagnosis code", " codes", "dicd", "dx dx code", "_", "é", " ", "\t",
            "di", "cd", ":", ".", "a12", "\u0164", "\u212a", "\U0001f600",
        )),
        st.text(max_size=2),
    ),
    max_size=20,
).map("".join)  # fmt: skip


@needs_hits
@given(ANNOUNCING, FILLS, st.integers(0, 140))
def test_announcements_stand_at_the_same_places(text, fill, before):
    long = fill * before + text + fill * 70 + text
    whole = codes.spans_of_text(codes.IN_TEXT, long)
    assert codes.announcements(long, codes.announcing(long)) == whole


@given(st.text())
def test_folding_one_by_one_is_folding_at_once(text):
    table = {ord(char): spanish.plain_letter(char) for char in text if not char.isascii()}
    assert spanish.fold(text) == text.translate(table).lower()


SPANISH = st.one_of(
    st.sampled_from((
        "diabetes", "diabetes tipo 2", "DIABÉTES mellitus", "vih", "VIH", "vihs", "covid-19", "asma",
        "ásmas", "cáncer", "canceres", "cánceres", "dm1", "DM1", "hipertensión", "es", "s", "e", " ",
        "-", "\n", "_", "ß", "İ", "ª", "\u0301", "𝐚", "\ud800", "ñ", "Ａ", "ɐ", "λ", "\x00",
    )),
    st.text(max_size=3),
)  # fmt: skip


@needs_hits
@given(st.lists(SPANISH, max_size=20).map("".join))
def test_the_same_spanish_words_are_heard(text):
    terms = spanish.load_spanish()
    assert sorted(terms._places(text)) == sorted(terms._read_places(text))


@needs_hits
@given(TEXTS)
def test_findings_are_the_same(text):
    find = FindHealth()
    with pytest.MonkeyPatch.context() as patch:
        compiled = find.find(text, 3)
        patch.setattr(health, "KERNEL", None)
        assert find.find(text, 3) == compiled
        assert all(type(one) is health.Finding for one in compiled)


LABELLED = st.lists(
    st.one_of(
        st.sampled_from((
            "Injury", "NATURE OF THE ILLNESS", "dx", "Dx", "meds", "Drug allergies", "part of body",
            "Diagnoſis", "body part", "Current medication", "reason for sick leave", "surgery",
            " (if any)", "(", ")", ":", ": ", " . . :", "=", "." * 19, " ", "\n", "crushed finger",
            "Location", "sprain", "none", "\u212a", "\ud800", "\U0001f600", "x" * 170, "word " * 40,
            " (see: below)", " (dx: a) :", " (", "  ", "ſurgery", "\t", "_", "é",
        )),
        st.text(max_size=3),
    ),
    max_size=20,
).map("".join)  # fmt: skip


def answers_by_pattern(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filled, "KERNEL", None)
        return [*filled.answers(text)]


@needs_hits
@given(LABELLED)
def test_the_same_labels_are_answered(text):
    assert [*filled.answers(text)] == answers_by_pattern(text)


@needs_hits
@given(LABELLED)
def test_labels_stand_at_the_same_places(text):
    asked = filled.labels_in(text)
    assert asked == filled.spans_of_text(filled.labels(), text)


NUMBERED = st.lists(
    st.sampled_from((*" .)*-\n\t129a", "\u2022", "\u0663", "  ", "\u00b2", "\x1c", "\U0001d7ce")),
    max_size=12,
).map("".join)  # fmt: skip


@needs_hits
@given(NUMBERED, st.integers(0, 14))
def test_the_same_labels_open_a_field(text, place):
    asked = [(place, place + 1)] if place <= len(text) else []
    opens = filled.opening(text, asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filled, "KERNEL", None)
        assert filled.opening(text, asked) == opens


def test_labels_are_spelt_as_the_pattern_has_them():
    for line in map(str.strip, filled.LABELS.strip().splitlines()):
        assert sorted(filled.spelt(filled.PIECE.findall(line))) == sorted(labels_of(line))


def labels_of(pattern):
    """Every label that the pattern allows, with what it may leave out and without."""
    if isinstance(pattern, str):
        return labels_of(parse(pattern))
    texts = [""]
    for kind, value in pattern:
        name = str(kind)
        if name == "LITERAL":
            more = [chr(value)]
        elif name == "IN":
            more = [chr(one) for _, one in value]
        elif name == "BRANCH":
            more = [label for branch in value[1] for label in labels_of(branch)]
        elif name == "SUBPATTERN":
            more = labels_of(value[-1])
        else:
            assert name == "MAX_REPEAT"
            assert value[:2] == (0, 1)
            more = ["", *labels_of(value[2])]
        texts = [text + one for text in texts for one in more]
    return texts


@needs_hits
def test_every_label_may_ask():
    known = [one for line in filled.LABELS.strip().splitlines() for one in labels_of(line.strip())]
    assert len(known) > 80
    for label in known:
        for behind in (":", " = ", "." * 20 + ":", " (if any) :"):
            text = f"{label.upper()}{behind} sprained ankle\n"
            assert [*filled.answers(text)] == answers_by_pattern(text) != [], text
