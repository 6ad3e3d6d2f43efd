"""The model read by ourselves says what its library says: tokens, features, entities."""

import importlib
import random
import shutil
import subprocess
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlp.detect.naming.learned import package
from dlp.detect.naming.learned.entity_reader import LONG, shape_of
from dlp.detect.naming.learned.entity_transitions import moves_of
from dlp.detect.naming.learned.hashing import number_of, rows_of
from dlp.detect.naming.learned.library import NEEDLESS
from dlp.detect.naming.learned.places import folder_of
from dlp.detect.naming.learned.preparing import ask_library
from dlp.detect.naming.model_reader import installed

pytestmark = pytest.mark.skipif(installed() is None, reason="no English model is installed")

PEOPLE = ["Mary", "Smith", "O'Neil", "Nguyen", "José", "García-López", "McAllister", "van", "Dr.",
          "Mrs.", "Anna-Lena", "Li", "SMITH", "mary", "Obama", "Grace", "Banks"]  # fmt: skip
PLACES = ["Boston", "St.", "John's", "Leeds", "New", "York", "U.S.", "N.Y.", "France", "LA"]
PLAIN = ["the", "saw", "with", "and", "asthma", "can't", "we'll", "she's", "5pm", "10mg", "e.g.",
         "w/o", "and/or", "x-ray", "2019-03-04", "$5.00", "50%", "a.m.", "Inc.", "o'clock",
         "http://a.example/x?y=1", "mail@b.example", ":-)", "...", "I'm", "gonna", "Jan.", "'em",
         "prep", "root", "X", "PERSON", "det", "colour", "£20", "km²", "naïve", "北京", "١٢"]  # fmt: skip
SIGNS = [".", ",", ";", ":", "(", ")", '"', "'", "’", "-", "–", "/", "…", "*", "#", "\t", "\n", "  ",
         "\u00a0", "\u2003", "[", "]", "'s", "’s", "n't"]  # fmt: skip
WORDS = [*PEOPLE, *PLACES, *PLAIN]


@pytest.fixture(scope="module")
def ours():
    reader = package.open_model(folder_of(installed()), lambda: ask_library(installed()))
    assert reader
    return reader


@pytest.fixture(scope="module")
def library():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(installed()).load(exclude=NEEDLESS)


def named_by(library, sentences):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            [(entity.label_, entity.start_char, entity.end_char) for entity in document.ents]
            for document in library.pipe(sentences)
        ]


def sentence(dice, words):
    parts = []
    for _ in range(words):
        parts.append(dice.choice(dice.choice([PEOPLE, PEOPLE, PLACES, PLAIN])))
        parts.append(dice.choice(SIGNS) if dice.random() < 0.3 else " ")
    return "".join(parts)


TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*WORDS, *SIGNS, " ", " "]), max_size=25).map("".join),
    st.lists(st.sampled_from([*WORDS, *SIGNS]), max_size=15).map(" ".join),
)


@settings(max_examples=400)
@given(text=TEXTS)
def test_tokens_and_features_are_those_of_the_library(ours, library, text):
    tokens = ours._cutter.cut(text)
    document = library.tokenizer(text)
    assert [(one.text, one.start) for one in tokens] == [(one.text, one.idx) for one in document]
    features = [list(ours._words.features(one)) for one in tokens]
    assert features == document.to_array(["NORM", "PREFIX", "SUFFIX", "SHAPE"]).tolist()


def test_every_exception_is_cut_like_in_the_library(ours, library):
    for text in [*library.tokenizer.rules, *(f"({one}'s)." for one in library.tokenizer.rules)]:
        tokens = [(one.text, one.start) for one in ours._cutter.cut(text)]
        assert tokens == [(one.text, one.idx) for one in library.tokenizer(text)]


def test_entities_are_those_of_the_library(ours, library):
    dice = random.Random(20)
    sentences = [sentence(dice, dice.randint(1, 30)) for _ in range(400)]
    found = [[tuple(one) for one in named] for named in ours.read(sentences)]
    assert found == named_by(library, sentences)
    assert sum(map(len, found)) > 400, "the test must see entities"
    assert any(end - start > 12 for named in found for _, start, end in named)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "Mary", "Boston.", "x" * 300, "A" * LONG])
def test_odd_sentences(ours, library, text):
    beside = ["Mary Smith lives in Boston.", text, text, "Dr. Grace Banks"]
    assert [[tuple(one) for one in named] for named in ours.read(beside)] == named_by(
        library, beside
    )
    assert ours.read([text]) == [ours.read(beside)[1]]


def test_nothing_to_read(ours):
    assert ours.read([]) == []


def test_more_than_a_batch(ours):
    one = "Mary Smith saw Li Nguyen in Leeds."
    assert ours.read([one] * 70) == ours.read([one]) * 70


def test_half_a_sign_is_no_trouble(ours):
    assert ours.read(["Mary \ud83d Smith"])


@pytest.mark.parametrize("part", package.PARTS)
def test_another_model_is_left_to_the_library(tmp_path, part):
    folder = tmp_path / "model"
    shutil.copytree(folder_of(installed()), folder)
    assert package.open_model(folder)
    path = folder / part
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert package.open_model(folder) is None
    path.unlink()
    assert package.open_model(folder) is None


def test_the_library_stays_unread():
    program = (
        "import sys; from dlp.detect.naming.model_reader import load_model\n"
        "found = load_model().read(['Mary Smith lives in Boston.'])\n"
        "assert [one.what for one in found[0]] == ['person', 'place'], found\n"
        "assert not {'spacy', 'thinc', 'srsly'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@given(st.text(max_size=40).filter(lambda text: text.isprintable()))
def test_strings_have_the_library_s_numbers(library, text):
    strings = importlib.import_module("spacy.strings")
    if text not in strings.SYMBOLS_BY_STR:
        assert number_of(text) == strings.hash_string(text)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=9), st.integers(0, 2**31 - 1))
def test_numbers_have_the_library_s_rows(library, numbers, seed):
    ops = library.get_pipe("ner").model.ops
    array = ops.xp.array(numbers, dtype="uint64")
    assert rows_of(array, seed, 977).tolist() == (ops.hash(array, seed) % 977).tolist()


def test_moves_stand_in_the_library_s_order(library):
    moves = library.get_pipe("ner").moves
    ours = moves_of({str(kind): of for kind, of in moves.labels.items()})
    assert len(ours.labels) == moves.n_moves
    names = [moves.get_class_name(at) for at in range(moves.n_moves)]
    letters = "MBILUO"
    said = [
        f"{letters[kind]}-{label}" if letters[kind] in "BILU" else letters[kind]
        for kind, label in zip(ours.kinds.tolist(), ours.labels, strict=True)
    ]
    assert said == names


def test_a_label_that_was_added_later_stands_behind():
    moves = moves_of(
        {"1": {"OLD": 3, "NEW": -1, "RARE": 1}, "4": {"OLD": 3, "NEW": -1}, "5": {"": 1}}
    )
    listed = list(zip(moves.kinds.tolist(), moves.labels, strict=True))
    assert listed == [(1, "OLD"), (1, "RARE"), (4, "OLD"), (5, ""), (1, "NEW"), (4, "NEW")]


@pytest.mark.parametrize(
    "word, shape",
    [("Smith", "Xxxxx"), ("ABCDEF12345x", "XXXXddddx"), ("a-b", "x-x"), ("é!", "x!")],
)
def test_shapes(word, shape):
    assert shape_of(word) == shape
