"""A listed patient is known in any writing; ordinary words and other people's numbers are not."""

import io
import random

import pytest

from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.detect.naming.on_roster import CERTAIN, LIKELY, NAMESAKE, ROSTER
from dlp.knowledge.names import load_surrogate_names
from dlp.knowledge.person_tags import Described
from dlp.knowledge.roster import build
from dlp.model import FileRef

KEY = bytes(range(32))
DENSE = 20_000  # numbers of eight figures: too many for one of them to tell anybody
LISTED = [
    Described("Zdenka", "Hraběcová", (19610307,), ("K40392817",)),
    Described("Will", "May", (19700101,), ("55512345",)),
    Described("James", "Smith", (19550521,), ("55598765",)),
    Described("Anne-Marie", "van den Oosterhout", (19820930,), ("K77120034",)),
]
FILLERS = [Described("", "Qz" + "abcdefghij"[n % 10] * 3, (), (f"4{n:07d}",)) for n in range(DENSE)]


@pytest.fixture(scope="module")
def analysis(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rosters")
    build(folder, "all", LISTED + FILLERS, KEY)
    settings = Settings()
    detect = settings.detect.model_copy(update={"rosters": str(folder)})
    return Analysis(settings.model_copy(update={"detect": detect}), key=KEY)


def graded(analysis, text, name=b"note.txt"):
    case = analysis.case(FileRef("", name), io.BytesIO(text.encode()))
    assert {gap.code.value for gap in case.gaps} <= {"language"}  # a name can look foreign
    words = case.document.parts[0].text
    found = {}
    for mention in case.facts.get("mentions", ()):
        if ROSTER in mention.evidence:
            grade = {CERTAIN, LIKELY, NAMESAKE} & {*mention.evidence}
            found[words[mention.start : mention.end]] = grade.pop()
    for finding in case.findings:
        if finding.rule_id == "roster-number":
            found[words[finding.start : finding.end]] = CERTAIN
    return found, case


@pytest.mark.parametrize(
    "text, shown, grade",
    [
        ("pls chase the bloods of K40392817 today", "K40392817", CERTAIN),
        ("pls chase the bloods of K4039-2817 today", "K4039-2817", CERTAIN),
        ("zdenka hrabecova rang again", "zdenka hrabecova", LIKELY),
        ("HRABECOVA, Zdenka 07/03/1961", "HRABECOVA, Zdenka", CERTAIN),
        ("seen: anne-marie van den oosterhout, eczema", "anne-marie van den oosterhout", LIKELY),
        ("Annemarie Vandenoosterhout came", "Annemarie Vandenoosterhout", LIKELY),
        ("Will May (01/01/1970) has asthma", "Will May", CERTAIN),
        ("james smith has diabetes", "james smith", NAMESAKE),
        ("james smith, 21 May 1955, has diabetes", "james smith", CERTAIN),
        ("Mrs Hrabecova, dob 7.3.1961", "Hrabecova", CERTAIN),
        ("smith 55598765 transferred to ward 4", "55598765", CERTAIN),
    ],
)
def test_a_patient_is_known_however_written(analysis, text, shown, grade):
    found, _ = graded(analysis, text)
    assert found.get(shown) == grade, found


@pytest.mark.parametrize(
    "text",
    [
        "you will may be late",
        "Will may come on Monday; may will be paid",
        "invoice 55512345 of 3 June",  # one of many numbers of that shape, alone
        "Miller 55512345",  # another bearer
        "Zdenka told Petra. Hraběcová castle is closed",
        "K40392818 and K4039281",
        "oosterhout is a town",
    ],
)
def test_what_only_looks_so_is_nobody(analysis, text):
    found, _ = graded(analysis, text)
    assert not found


def test_a_hit_says_who_it_is(analysis):
    """The same note about a number nobody lists leads to nobody."""
    _, listed = graded(analysis, "K40392817 collapsed, lupus flare, call her husband")
    _, other = graded(analysis, "K40392999 collapsed, lupus flare, call her husband")
    of = [
        max((s.identity for s in case.facts["subjects"]), default=0.0) for case in (listed, other)
    ]
    assert listed.container == "phi"
    assert of[0] > of[1]


def test_the_part_a_text_gives_somebody_stays(analysis):
    _, case = graded(analysis, "Seen by Dr Zdenka Hraběcová, consultant neurologist.")
    (mention,) = [m for m in case.facts["mentions"] if ROSTER in m.evidence]
    assert mention.role == "clinician"


def test_invented_patients_in_invented_notes(tmp_path):
    """Names drawn afresh, each in a writing drawn afresh."""
    rng = random.Random(27)
    names = load_surrogate_names()
    given, family = [*names["first"]["f"], *names["first"]["m"]], [*names["last"]["de"]]
    people = [
        Described(rng.choice(given), rng.choice(family) + rng.choice(["hold", "quist", "mäe", "ung"]))
        for _ in range(60)
    ]  # fmt: skip
    build(tmp_path / "r", "all", people, KEY)
    settings = Settings()
    detect = settings.detect.model_copy(update={"rosters": str(tmp_path / "r")})
    analysis = Analysis(settings.model_copy(update={"detect": detect}), key=KEY)
    missed = []
    for one in people:
        whole = rng.choice([f"{one.first} {one.last}", f"{one.last}, {one.first}"])
        whole = rng.choice([str.lower, str.upper, str])(whole)
        if not graded(analysis, f"please ring {whole} about the results\n")[0]:
            missed.append(whole)
    assert len(missed) <= 1, missed
