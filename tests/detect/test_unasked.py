"""A text that speaks of nobody is linked as any other, and its genre heard only when asked for."""

import pickle

import pytest

from dlp.detect.linking import subjects, unasked
from dlp.detect.linking.subjects import Linking, LinkSubjects
from dlp.detect.naming.mention import Mention
from dlp.model import Case, Document, FieldMap, FileRef, Finding, Kind, Part

KEY = bytes(32)
NOTE = "Dear all,\n\nthe patient was admitted with asthma.\n\nBest wishes\n"
TABLE = "MRN,born,diagnosis\n4482137,1961-03-07,asthma\n4482981,1970-01-02,gout\n"
TERM = Finding(Kind.DISEASE, "term", 0, 43, 49, 0.9, context=frozenset())
BIRTH = Finding(Kind.DATE, "birth-date", 0, 0, 4, 0.9, context=frozenset())
PHONE = Finding(Kind.PHONE, "phone", 0, 5, 8, 0.9, context=frozenset())


def case_of(text, findings=(), fields=None, mentions=()):
    document = Document("text/plain", (Part("body", text, fields=fields),))
    facts = {"mentions": mentions}
    return Case(FileRef("share", b"a.txt"), document=document, findings=findings, facts=facts)


@pytest.mark.parametrize("text", ["", NOTE, NOTE * 200, "a horse, a vet, the owner\n", "\ud800"])
@pytest.mark.parametrize("findings", [(), (TERM,), (TERM, PHONE), (BIRTH,)])
def test_nobody_is_linked_as_by_the_whole_way(text, findings):
    case = case_of(text, findings)
    short, whole = (
        unasked.without_people(case, case.document),
        Linking(case, case.document, KEY).run(),
    )
    assert short is not None
    assert short.findings == whole.findings
    assert dict(short.facts) == dict(whole.facts)
    assert list(short.facts["genre"]) == list(whole.facts["genre"])


@pytest.mark.parametrize(
    "case",
    [
        case_of(NOTE, (BIRTH, PHONE)),
        case_of(TABLE),
        case_of(NOTE, fields=FieldMap()),
        case_of(NOTE, mentions=(Mention(Kind.PERSON, 0, 0, 3, 0.2, "name"),)),
    ],
)
def test_whoever_may_be_somebody_is_looked_at(case):
    assert unasked.without_people(case, case.document) is None
    linked = LinkSubjects(KEY)(case)
    assert linked.facts["subjects"] == Linking(case, case.document, KEY).run().facts["subjects"]


def test_a_genre_is_heard_once_and_only_when_asked_for(monkeypatch):
    heard = []
    genre_of = unasked.genre_of
    monkeypatch.setattr(unasked, "genre_of", lambda text: heard.append(1) or genre_of(text))
    monkeypatch.setattr(subjects, "genre_of", lambda text: heard.append(2) or genre_of(text))
    genre = LinkSubjects(KEY)(case_of(NOTE)).facts["genre"]
    assert not heard
    assert genre["clinical"] == genre.get("clinical") > 0
    assert heard == [1]


@pytest.mark.parametrize(
    "look",
    [
        dict, list, len, repr, lambda one: one["a"], lambda one: one.get("b", 7), lambda one: "a" in one,
        lambda one: {**one}, lambda one: one | {"c": 3}, lambda one: {"c": 3} | one,
        lambda one: list(one.items()), lambda one: list(one.keys()), lambda one: list(one.values()),
        lambda one: one.copy(), lambda one: pickle.loads(pickle.dumps(one)), lambda one: one == {"a": 1},
    ],
)  # fmt: skip
def test_unasked_counts_look_like_any_others(look):
    assert look(unasked.Unasked(lambda: {"a": 1})) == look({"a": 1})
