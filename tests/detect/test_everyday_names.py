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
