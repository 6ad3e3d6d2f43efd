"""Names as people write them on forms, in chats and in lists: whole, whoever wrote them how."""

import pytest

from dlp.detect.naming.mentions import find_names


@pytest.mark.parametrize(
    "text, first, last",
    [
        ("PATIENT: Castellano, Dolores", "Dolores", "Castellano"),
        ("Name: CASTELLANO, DOLORES", "DOLORES", "CASTELLANO"),
        ("Mum is Vera Hollingdrake now", "Vera", "Hollingdrake"),
        ("tell them ella finch will be late", "ella", "finch"),
        ("we saw tom baker today about it", "tom", "baker"),
        ("Posted by Jocelyn_Adeyemi in the group", "Jocelyn", "Adeyemi"),
        ("NAME  Desmond Applegarth   AGE 69", "Desmond", "Applegarth"),
        ("Property of Clementine Ashworth KEEP OUT", "Clementine", "Ashworth"),
        ("the chalice. - Revd Cressida Holroyd, St Wilfrid's", "Cressida", "Holroyd"),
        ("Member: LINDSEY M. CARROWAY", "LINDSEY", "CARROWAY"),
        ("RE: Lionel ASHBURNER, 3 Tannery Row", "Lionel", "ASHBURNER"),
    ],
)
def test_a_name_is_found_whole(text, first, last):
    assert (first, last) in {(one.first, one.last) for one in find_names(text)}


@pytest.mark.parametrize("text", ["a rose garden in the city", "we may park on grace road"])
def test_low_words_that_are_also_names_are_nobody(text):
    assert not [one for one in find_names(text) if one.first and one.last]


def test_a_last_name_in_capitals_comes_first_in_charts():
    found = find_names("TRELAWNEY Hamish 66 retired\nMANTZARIS, Stavros DOB 22/05/1957")
    assert {(m.first, m.last) for m in found} == {("Hamish", "TRELAWNEY"), ("Stavros", "MANTZARIS")}


def test_a_heading_in_capitals_is_no_last_name():
    assert not find_names("WARD Round at nine\nKEEP OUT Danger here")
