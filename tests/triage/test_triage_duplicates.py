"""Copies share a key; a near key changes with size, title, first or last sentence and no more."""

from hypothesis import given
from hypothesis import strategies as st

from dlp.triage.partial import content_key, near_key
from tests.triage.triage_files import case_of

FIRST, LAST = "Dear Agnes. ", " Yours, Burt."


def test_the_near_key_is_size_title_and_both_ends():
    same = near_key(100, "My Letter", [FIRST + "The middle is long." + LAST])
    assert same == near_key(100, "my_letter", [FIRST + "Another middle here!" + LAST])
    assert same != near_key(101, "My Letter", [FIRST + "The middle is long." + LAST])
    assert same != near_key(100, "My Lettre", [FIRST + "The middle is long." + LAST])
    assert same != near_key(100, "My Letter", ["Dear Ursula. The middle is long." + LAST])
    assert same != near_key(100, "My Letter", [FIRST + "The middle is long. Yours, Ivo."])


def test_the_content_key_is_the_hash_of_the_file_where_known():
    case = case_of("text", sha256="ab" * 32)
    assert content_key(case.ref.sha256, case.document) == "bytes:" + "ab" * 32


@given(st.text(), st.text())
def test_without_a_hash_the_content_key_is_the_text(one, other):
    keys = [content_key("", case_of(text).document) for text in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


def test_the_keys_travel_with_the_case_of_the_study(study):
    one = study.run(case_of("A short note. Nothing else.", "a.txt"))
    assert one.facts["content_key"].startswith("text:")
    assert one.facts["near_key"].startswith("near:")
    assert "short" not in one.facts["near_key"]
