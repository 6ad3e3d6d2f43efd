"""Words of a text fall into the same classes and sentences with a kernel and without one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.linking import vocabulary
from dlp.detect.linking.vocabulary import WORD, Words
from dlp.detect.linking.weight import load_evidence
from dlp.detect.linking.wording import Wording, counted
from dlp.detect.sentences import sentence_starts

CLASSES = {
    "illness": "fractur* flu self-harm* ab* purée", "kin": "son can't ab w/", "many": "flu all-*",
}  # fmt: skip
compiled = pytest.mark.skipif(vocabulary.TALLY is None, reason="nothing is compiled")
PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "Fractured", "FLU", "self-harmed", "self-", "ab", "abc", "purée", "PURÉE", "can’t",
                "can't", "w/", "w/o", "all-", "all-in", "all-.x", "x_flu", "flu_", "ΟΔΟΣ", "İflu",
                "flu.", "2flu", "²", "٣", "_", "&", "\U0001f600", "\ud800", "z" * 5000, ".", " ",
                ". A", "\n\n",
            ]
        ),
        st.text(max_size=4),
    ),
    max_size=40,
)  # fmt: skip


def unaided():
    words = Words(CLASSES)
    words._lists = None
    return words


@compiled
@given(PIECES, st.sampled_from(["", " ", "\n"]))
def test_the_kernel_reads_what_python_reads(pieces, between):
    text = between.join(pieces)
    starts = sentence_starts(text)
    aided, plain = Words(CLASSES).read(text, starts), unaided().read(text, starts)
    assert (aided.words, aided.said, aided.sentences) == (plain.words, plain.said, plain.sentences)
    assert list(aided.often)[: len(CLASSES)] == list(plain.often)
    assert not any(list(aided.often)[len(CLASSES) :])


@compiled
@given(PIECES, st.sampled_from(["", " ", "\n"]), st.integers(0, 7), st.integers(0, 4))
def test_the_kernel_stops_at_the_same_words(pieces, between, classes, most):
    text = between.join(pieces)
    few = Words(CLASSES).some(text, classes, most)
    assert few == unaided().some(text, classes, most)
    said = unaided().read(text, sentence_starts(text)).said
    assert len(few) == min(most, sum(bool(marks & classes) for marks in said.values()))


@given(PIECES)
def test_every_word_is_read_once_in_its_sentence(pieces):
    text = " ".join(pieces)
    told = unaided().read(text, sentence_starts(text))
    assert told.words == len(WORD.findall(text))
    assert all((told.often[at] > 0) is any(m >> at & 1 for m in told.sentences) for at in range(3))


def test_rules_of_the_product_are_read_alike():
    words = load_evidence()._words
    if words._lists is None:
        pytest.skip("nothing is compiled")
    whole, stems = words._lists
    for word in [word for word in words._whole if words.of(word)]:
        marks = whole.marks_of(word)
        assert not marks or marks == words.marks(words.of(word))
    assert all(stems.marks_of(stem) for pairs in words._stems.values() for stem, _ in pairs)


@compiled
@given(PIECES, st.sampled_from(["", " ", "'", "’"]))
def test_the_kernel_counts_known_words_as_python_does(pieces, between):
    texts = [between.join(pieces), "FLU flu’s can't"]
    weights = dict.fromkeys(
        ["flu", "can't", "can", "purée", "οδος", "οδοσ", "flu's", "i̇flu", "a", "fractured"], 1.0
    )
    known = {word: n for word, n in counted(texts).items() if word in weights}
    wording = Wording(weights)
    assert wording.known(texts) == known
    assert wording.pull_of(texts) == wording.pull(known)


def test_a_word_is_what_the_pattern_says():
    assert re.findall(WORD, "He can't, w/o x-ray. A&E 2nd") == [
        "He", "can't", "w/o", "x-ray", "A&E", "nd",
    ]  # fmt: skip
