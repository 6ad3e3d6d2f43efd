"""A code of a clinical terminology is a fact where the words before it announce one."""

import pytest
from stdnum import verhoeff

from dlp.detect.illness.terminologies import LOINC_RULE, SNOMED_RULE, terminology_codes


def snomed(item):
    return item + "00" + verhoeff.calc_check_digit(item + "00")


@pytest.mark.parametrize("item", ["38341", "7321", "195967", "4405"])
@pytest.mark.parametrize(
    "before", ["SNOMED: ", "SNOMED CT code ", "SCTID ", "On the problem list as ", "coded, code "]
)
def test_an_announced_snomed_code_is_found(item, before):
    text = f"{before}{snomed(item)} since May"
    assert [rule for *_, rule in terminology_codes(text)] == [SNOMED_RULE]


@pytest.mark.parametrize("text", ["code 38341001", "SNOMED 12345678", "Order 38341003 was sent"])
def test_a_number_without_check_digit_or_words_is_none(text):
    assert [*terminology_codes(text)] == []


def test_a_loinc_code_is_a_test():
    assert [rule for *_, rule in terminology_codes("LOINC 4548-4 above range")] == [LOINC_RULE]


@pytest.mark.parametrize("item", ["71120", "38341"])
@pytest.mark.parametrize(
    "before", ["She is registered under MRN ", "Diagnosis known, record number ", "Register no: "]
)
def test_a_persons_number_is_none(item, before):
    assert [*terminology_codes(f"{before}{snomed(item)}.")] == []
