"""What a text must hold before any pattern of the cheap pass can match in it.

In: the rules of the cheap pass.  Out: hints for the kernel that looks for words anyway
(dlp/native/listening.pyx), or nothing if a pattern is not known here.

Most silent texts hold none of them, and RE2 need not read these. A hint is a word or phrase with
which a match begins, or that stands in every one, and what must be near it; endings of words;
numbers, post codes and diagnoses are known to the kernel. Each may be looser than its pattern,
never tighter: RE2 decides wherever there is one. Patterns are known by their hashes, so an edited
one is right, but slower. tests/triage/test_triage_hints.py holds hints to the patterns.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import product

from dlp.named import NamedTuple
from dlp.triage.rules import CheapRules

ENDINGS = re.compile(r"\\b\[a-z\]\{3,\}\(\?:([a-zí|]+)\)\\b")
OPENING = "diagnos"  # of words, of any length


class Hint(NamedTuple):
    said: str
    need: str = ""  # what must be near it: NEEDS in the kernel
    begins: bool = True  # a match begins where it stands
    ends: bool = False  # no letter or digit follows


class Hints(NamedTuple):
    words: tuple[Hint, ...]
    endings: tuple[str, ...]


def each(*choices: str, need: str = "", begins: bool = True, ends: bool = False) -> list[Hint]:
    """All ways to go through lists between commas, one behind the other."""
    ways = product(*(choice.split(",") for choice in choices))
    return [Hint("".join(way), need, begins, ends) for way in ways]


RECORDS = (
    "medical record,health card,health insurance,health plan,social security,national insurance,"
    "medicare,medicaid,hospital,chart,patient,unit,member,subscriber,policy,beneficiary,encounter,"
    "account,accession,insurance"
)
PATIENTS = (
    "patient,pt,client,resident,claimant,paciente,patientin,paziente,pasient,potilas,pacjent,"
    "hasta,pasien"
)
BORN = (
    "dob,date of birth,date_of birth,date of_birth,date_of_birth,birth date,birth_date,birthdate,"
    "birth day,birthday,born,born on,b.,date de naissance,geboren,geboren am,geboren op,geb.,"
    "geburtsdatum,geboortedatum,fecha de nacimiento,nacido el,nacida el,nato il,nata il,"
    "data di nascita,data de nascimento,nascido em,nascida em,nasc.,data urodzenia,ur.,"
    "tanggal lahir"
)
LABELS = (
    "nombre,apellidos,nhc,historia clinica,datos del paciente,ncol,ncolegiado,n col,n colegiado,"
    "krankenversicherungsnummer,versichertennummer,codice fiscale,burgerservicenummer,"
    "personnummer,pesel"
)
ILLNESSES = (
    "syndrome,syndromes,disease,diseases,disorder,disorders,infection,infections,deficiency,"
    "insufficiency,failure,cancer,cancers,tumor,tumors,tumour,tumours,poisoning,injury,injuries,"
    "fever,neoplasm,neoplasms,atrophy,palsy,abscess,fibrosis"
)
# By the first bytes of the hash of each pattern; none where the kernel finds it without a word.
KNOWN: dict[str, Sequence[Hint]] = {
    "74790618d6ee": (),  # 078-05-1120
    "af96058982d2": each(
        "mrn,m.r.n,ssn,nhs,ohip,ramq,phn,hicn,mbi,nhc,nss,cip,dni,nie,bsn,nir,niss,cpf",
        need="number",
    ),
    "5a7f5f7917bd": each(RECORDS, " ,_", "no,nr,num,number,id,identifier,code", ends=True),
    "fe0eaaf04069": [
        *each(BORN, need="birth"),
        *each("d.o.b,f.nac,f. nac,datum narozen", need="digit"),
        *each("n,f,do", need="accent"),  # né le, född, fødselsdato, doğum tarihi
    ],
    "3763f2ae6281": [
        *each(PATIENTS, need="name", ends=True),
        *each(PATIENTS, ", ,_", "name,nombre,naam,nome,navn,namn", need="name", ends=True),
    ],
    "cb5d09da40b5": each(
        "patient,claimant,insured,subscriber,member", " ,_", "name,first name,last name,surname"
    ),
    "25cfdda29d55": each("re", need="subject"),
    "8cf603cd601f": [
        *each(LABELS, need="mark"),
        *each("historia cl"),  # an accent may follow
        *each("historia,sociale,dselsnummer,slo", need="mark", begins=False),
    ],
    "9ab2f0c5b055": [
        *each("resourcetype,recordtarget,patientrole", begins=False),
        *each("pid", need="bar"),
    ],
    "b6bb2f543a20": each("i", need="comma"),
    "302c4296aa59": (),  # (613) 555-0142
    "b704ecb161e1": each("phone,tel,telephone,mobile,cell,fax", need="phone"),
    "e888d15161bb": (),  # 3/14/1951
    "30c4d47dc3e6": (),  # K1A 0B1, OK 74103
    "f26d669c46a5": (),  # 12 Elm Street
    "81367e77ef3b": each(
        "patient,claimant,insured,nurse,admitted,discharged,referred,doctor", need="title"
    ),
    "3bc585f41c40": (),  # 40 mg
    "231394b0d6ac": [
        *each(
            "treated,hospitalised,hospitalized,operated,medicated,tested",
            " with, for, on, as, positive",
        ),
        *each("died,dying,dies,death", " from, of"),
    ],
    "8951b0059625": each("prescribed", begins=False),
    "bd8ef5b247b8": [
        *each("type ", "1,2,i,ii"),
        *each("stage ", "1,2,3,4,i,ii,iii,iv,iiv,iiiv"),
        *each("grade ", "1,2,3,4,i,ii,iii,iv"),
    ],
    "0e7ad0965315": [
        *each(ILLNESSES, need="behind"),  # a match begins with the word before
        *each(
            "skin,bone,lung,hand,foot,head,neck,back,eye,ear,knee,hip",
            " syndrome, disease, disorder, infection, cancer, failure, injury, pain",
        ),
    ],
    "4f4ee6807019": (),  # E11.9
}


def hints_of(rules: CheapRules, acronyms: Iterable[str]) -> Hints | None:
    """All hints for the patterns that are looked for together."""
    words = [Hint(word.lower(), "capitals", ends=True) for word in acronyms]
    endings: list[str] = []
    for pattern in (*rules.direct, *rules.contact, *rules.shapes):
        if listed := ENDINGS.fullmatch(pattern):
            # a letter beyond ASCII ends what the kernel takes for a word
            endings += [re.split("[^a-z]", ending)[0] for ending in listed[1].split("|")]
            continue
        known = KNOWN.get(name_of(pattern))
        if known is None:
            return None
        words += known
    return Hints(tuple(words), tuple(dict.fromkeys(endings)))


def name_of(pattern: str) -> str:
    return hashlib.sha256(pattern.encode()).hexdigest()[:12]
