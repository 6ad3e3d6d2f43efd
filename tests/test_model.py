"""A case is copied with changes and never changed."""

import pickle

import pytest

from dlp.model import Case, FileRef

CASE = Case(FileRef("share", b"a.txt"), language="en", facts={"a": 1})


def test_a_copy_differs_in_what_was_named_only():
    copy = CASE.but(language="es", reason="r")
    assert (copy.language, copy.reason, copy.ref, copy.facts) == ("es", "r", CASE.ref, CASE.facts)
    assert CASE.language == "en"
    assert pickle.loads(pickle.dumps(copy)) == copy


def test_a_copy_is_frozen_and_takes_no_other_names():
    with pytest.raises(AttributeError):
        CASE.but(language="es").language = "en"
    with pytest.raises(ValueError, match="tongue"):
        CASE.but(tongue="es")
