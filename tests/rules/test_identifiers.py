"""Every rule proves itself on its own examples, through the real cascade."""

import pytest

from dlp.detect.identify.identifiers import FindIdentifiers, default_finder
from dlp.detect.identify.proof import failures_of
from dlp.model import Case, Document, FileRef, Part
from dlp.pipeline import Pipeline

FINDER = default_finder()
REF = FileRef("test", b"note.txt")


@pytest.mark.parametrize("rule", FINDER.rules, ids=lambda rule: rule.id)
def test_a_rule_finds_its_matches_and_leaves_its_rejects(rule):
    assert list(failures_of(FINDER, rule)) == []


@pytest.mark.parametrize("rule", FINDER.rules, ids=lambda rule: rule.id)
def test_the_stage_reports_what_the_search_finds(rule):
    example = rule.match[0]
    cascade = Pipeline([FindIdentifiers(b"test")], given={"document"})
    case = cascade.run(Case(REF, Document("text/plain", (Part("body", example.text),))))
    assert not case.gaps
    found = (*case.findings, *case.facts["quasi"])
    assert (rule.id, example.start, example.end) in {(f.rule_id, f.start, f.end) for f in found}
