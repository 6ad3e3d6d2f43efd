"""A text that speaks of nobody is linked as any other."""

import pytest

from dlp.detect.linking.nobody import without_people
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
        without_people(case, case.document),
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
    assert without_people(case, case.document) is None
    linked = LinkSubjects(KEY)(case)
    assert linked.facts["subjects"] == Linking(case, case.document, KEY).run().facts["subjects"]
