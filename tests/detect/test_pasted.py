"""A table that was pasted into a text is read by its headings; ordinary lines are no table."""

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from dlp.detect.linking.field_labels import PHRASES
from dlp.detect.linking.pasted import NAMED, pasted_table

TABLE = """Hello, see below.

name;born;phone;diagnosis
"Zeller; Imogen";2016-02-11;(902) 555-0110;asthma
Chidi Mbeki;2015-12-01;(902) 555-0119;none

Regards"""


def cells(text):
    fields = pasted_table(text)
    return [(f.label, text[f.start : f.end], f.record) for f in fields] if fields else []


def test_rows_and_quoted_cells():
    found = cells(TABLE)
    assert ("name", "Zeller; Imogen", 0) in found
    assert ("diagnosis", "none", 1) in found
    assert len(found) == 8


def test_prose_is_no_table():
    assert not cells("We met the patient, his age, his name and others.\nHe was well, calm, fine")
    assert not cells("name, phone\nA, B")


@given(st.text(alphabet='name,birth;"\n\tid x1', max_size=300))
def test_any_text_gives_spans_inside_it(text):
    for field in pasted_table("name,born,phone\n" + text) or ():
        assert 0 <= field.start <= field.end <= len(text) + 16


@given(st.sampled_from(["first", "last", "name", "id"]).flatmap(
    lambda what: st.from_regex(re.compile(PHRASES[what], re.ASCII), fullmatch=True)))  # fmt: skip
def test_every_heading_for_a_person_passes_the_first_glance(label):
    assert NAMED.search(label)


def test_a_long_line_of_signs_takes_linear_time():
    started = time.process_time()
    assert pasted_table(("a," * 200_000 + "1\n") + "|" * 200_000) is None
    assert time.process_time() - started < 2
