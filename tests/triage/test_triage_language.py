"""Foreign texts are named with certainty; clinical shorthand and doubt stay English and go on."""

import random

import numpy as np
import pycld2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.triage import language
from dlp.triage.language import Languages, Look, count_of, samples, start_of
from dlp.triage.rules import read_language_rules

LANGUAGES = Languages(read_language_rules())


@pytest.mark.parametrize(
    "note",
    [
        "Pt c/o SOB, hx CHF. BP 130/80",
        "Pt c/o SOB, hx CHF. BP 130/80 HR 72",
        "HTN, DM2, CAD s/p CABG x3. NKDA. D/c home on ASA.",
        "65 yo M adm w/ CP r/o MI. Trop neg x2. ECG NSR.",
        "L knee eff, ROM dec, McMurray neg. Rx ibuprofen 400 tds prn.",
        "Lindqvist Greta 03/04/1951 4471023",
        "abc",
        "1234 5678",
    ],
)
def test_shorthand_and_scraps_are_never_certainly_foreign(note):
    answer = LANGUAGES.of_texts([note])
    assert answer.code == "en"


@pytest.mark.parametrize(
    "code,text",
    [
        ("es", "El ayuntamiento se reúne los jueves en la plaza y los vecinos que lo desean pueden entrar sin cita para hablar con el alcalde de sus problemas."),
        ("de", "Der Rat trifft sich am Donnerstag im großen Saal, und wer möchte, kann ohne Anmeldung zu der Sitzung kommen und mit dem Bürgermeister sprechen."),
        ("fr", "Le conseil se réunit le jeudi dans la grande salle et les habitants qui le souhaitent peuvent venir sans inscription pour parler avec le maire."),
        ("pl", "Rada spotyka się w każdy czwartek w dużej sali i każdy, kto chce, może przyjść bez zapisu, żeby porozmawiać z burmistrzem o swoich sprawach."),
        ("ru", "Совет собирается каждый четверг в большом зале, и все жители могут прийти без записи и поговорить с главой города о своих делах."),
        ("ja", "評議会は毎週木曜日に大広間で開かれ、住民は予約なしで市長と話すことができます。"),
        ("el", "Το συμβούλιο συνεδριάζει κάθε Πέμπτη στη μεγάλη αίθουσα και όλοι οι κάτοικοι μπορούν να έρθουν."),
    ],
)  # fmt: skip
def test_foreign_prose_is_named_with_certainty(code, text):
    answer = LANGUAGES.of_texts([text * 3])
    assert (answer.code, answer.certain) == (code, True)


def test_a_foreign_list_with_a_few_english_looking_marks_is_named():
    """Marks that are small English words settle nothing where other words have accents."""
    things = ("Botão direção", "Seção estação", "Opção região", "Versão ligação", "Página tensão",
              "Índice função", "Portão pressão", "Balcão código", "Salão médico")  # fmt: skip
    lines = (
        f"{'no' if n % 4 == 0 else 'q'}{n} {one} principal" for n, one in enumerate(2 * things)
    )
    assert LANGUAGES.of_texts(["\n".join(lines)]).code == "pt"


def test_english_behind_foreign_pages_makes_the_answer_uncertain():
    french = "Le conseil se réunit le jeudi dans la salle et les habitants peuvent venir. " * 100
    english = (
        "The letter that you sent to us was on the table when they had left for the day. " * 30
    )
    answer = LANGUAGES.of_texts([french, english])
    assert not answer.certain


@given(st.text(max_size=3000))
def test_any_text_gets_the_same_answer_twice(text):
    assert LANGUAGES.of_texts([text]) == LANGUAGES.of_texts([text])


@given(st.lists(st.text(alphabet="ab \n", max_size=9000), max_size=4))
def test_samples_come_from_the_text_and_stay_small(texts):
    whole = "\n".join(texts)
    for sample in samples(texts):
        assert all(line in whole for line in sample.split("\n"))
        assert len(sample) <= 1510


@given(st.text(), st.lists(st.tuples(st.characters(), st.characters()), max_size=4))
def test_letters_of_a_script_are_counted_one_by_one(text, borders):
    ranges = [tuple(sorted(map(ord, pair))) for pair in borders]
    points = np.array(list(map(ord, text)), dtype=np.uint32)
    wanted = sum(low <= ord(letter) <= high for letter in text for low, high in ranges)
    assert count_of(points, *ranges) == wanted


@given(st.lists(st.text(alphabet="ab \n", max_size=9000), max_size=4))
def test_the_start_is_the_first_sample_or_blank(texts):
    start = start_of(texts)
    assert not start.strip() or start == samples(texts)[0]


# What words say of a place, and what the model would: "" is doubt.
PLACES = st.one_of(
    st.sampled_from([((Look.ENGLISH, "en"), "en"), ((Look.DOUBT, ""), "")]),
    st.tuples(st.just((Look.FAINT, "fr")), st.sampled_from(["en", ""])),
    st.tuples(st.just((Look.OPEN, "fr")), st.sampled_from(["en", "", "fr", "es", "la"])),
    st.sampled_from(["fr", "es"]).flatmap(
        lambda code: st.tuples(st.just((Look.WORDS, code)), st.sampled_from(["", code]))
    ),
    st.tuples(st.just((Look.SCRIPT, "")), st.just("ru")),
)


def told_by(looks, model, doubts):
    """What is said of places that look so, and which of them the model was asked about."""
    languages, asked = Languages(read_language_rules()), []
    texts = [f"x{number}" for number in range(len(looks))]

    def ask(text):
        asked.append(int(text[1:]))
        return model[asked[-1]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "samples", lambda _: texts)
        patch.setattr(language, "ask_model", ask)
        patch.setattr(language, "DOUBTS", doubts)
        languages.look_at = lambda text, plain: looks[int(text[1:])]
        return languages.of_texts(["x"]), asked


@given(st.lists(PLACES, max_size=8))
def test_an_early_answer_is_the_one_of_all_places(places):
    looks, model = [look for look, _ in places], [code for _, code in places]
    codes = [code or (said if kind >= Look.WORDS else "") for (kind, said), code in places]
    doubt = language.ENGLISH_IN_DOUBT
    answers = [language.Answer(code, True, "words") if code else doubt for code in codes]
    answer, asked = told_by(looks, model, doubts=9)
    wanted = of_all(answers)
    assert answer.code == wanted.code
    assert answer.certain == wanted.certain or answer.code == "en"
    assert all(looks[number][0] >= Look.FAINT for number in asked)


def test_the_model_is_asked_no_more_than_it_takes():
    french, open_ = (Look.WORDS, "fr"), (Look.OPEN, "")
    assert told_by([french] * 8, ["fr"] * 8, 2)[1] == [0], "words and model agree"
    answer, asked = told_by([french] * 8, ["ca"] * 8, 2)
    assert (answer.code, asked) == ("ca", [0, 1]), "two places agree"
    answer, asked = told_by([open_] * 8, ["", "", *["la"] * 6], 2)
    assert (answer.code, asked) == ("en", [0, 1]), "it does not know the language"
    assert told_by([open_, french, french], ["", "fr", "fr"], 1)[0].code == "fr"


def of_all(answers):
    """Every place is looked at but behind English at the very start."""
    english = [one for one in answers if one.certain and one.code == "en"]
    if english and answers[0] is english[0]:
        return english[0]
    foreign = [one for one in answers if one.certain and one.code != "en"]
    if len(foreign) <= len(english) or 3 * len(foreign) < len(answers):
        return english[0] if english else language.ENGLISH_IN_DOUBT if answers else language.NO_TEXT
    codes = [one.code for one in foreign]
    best = max(sorted(set(codes)), key=codes.count)
    found = next(one for one in foreign if one.code == best)
    return language.Answer(best, False, "mixed") if english else found


def test_the_model_refuses_what_it_cannot_read_but_one_sign():
    """So a text is asked about as it is, and cleaned only where it is refused."""
    prose = (
        "Der Rat trifft sich am Donnerstag im Saal, und wer mag, kann ohne Anmeldung kommen. " * 3
    )
    signs = [chr(one) for low, high in language.UNFIT_RANGES for one in range(low, high + 1)]
    taken = []
    for sign in signs:
        text = prose[:100] + sign + prose[100:]
        assert language.ask_model(text) == language.ask_model(language.UNFIT.sub(" ", text)) == "de"
        try:
            pycld2.detect(text.encode("utf-8", "surrogatepass"))
            taken.append(sign.encode())
        except pycld2.error:
            pass
    assert taken == [language.TOLERATED]


FIRST = ("Giulia", "Marco", "Inés", "Bjørn", "Fionnuala", "Ewan", "Chiara", "Paolo", "Siobhan")
LAST = ("Rossi", "de la Cruz", "van den Berg", "MacLeod", "Bianchi", "Nygård", "Esposito", "Kerr")
CODES = ("F20.0", "B20", "E11.9", "Z21", "C50.9", "I10")


@pytest.mark.parametrize("seed", range(20))
def test_a_table_of_names_and_codes_is_in_no_language(seed):
    draw = random.Random(seed)
    rows = [f"{draw.choice(LAST)}, {draw.choice(FIRST)}\t{draw.choice(CODES)}" for _ in range(30)]
    assert LANGUAGES.of_texts(["\n".join(rows)]).code in {"und", "en"}
