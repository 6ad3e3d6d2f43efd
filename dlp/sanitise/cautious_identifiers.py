"""Identifiers that a scan may pass over and a sanitised copy may not keep.

In: a text, what detection found in it.  Out: the identifiers to act on, with the cautious ones.

A scan that calls every capitalised word a hospital raises false alarms; a copy that loses one word
too many loses little. So the sanitiser also takes what the sentence says is a house ("admitted to
Fairhaven"), a month that stands for a date ("since March"), and a doctor who is a single letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from dlp.knowledge.health import load_health
from dlp.knowledge.marks import mark_places
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.names import load_names
from dlp.knowledge.people import load_people, plain
from dlp.knowledge.places import load_places
from dlp.knowledge.wordnet import load_wordnet
from dlp.knowledge.words import load_words
from dlp.model import HEALTH_KINDS, Finding, Kind, Part, PartRole
from dlp.sanitise.text_edits import Stretches
from dlp.text.answers import is_answer
from dlp.text.field_labels import meaning_of
from dlp.text.reader import read_structure

SURE = 0.9  # below it, a health term around an identifier is believed instead
CAUTIOUS = 0.5  # of these findings
RULE = "sanitise-caution"
PROPER = 0.5  # share of a word's uses that are names, from which on it is one here
ACRONYM = 3  # letters; shorter ones are wards, tests and signs
_NAME = r"[A-Z][^\W\d_]*(?:['’]s)?(?!\w)"
_RUN = rf"{_NAME}(?:(?: (?:of|the|&|and))* ?[- ]?{_NAME}){{0,5}}"
_CARE = (
    r"seen|admitted|readmitted|treated|evaluated|examined|diagnosed|reviewed|assessed|followed"
    r"|hospitali[sz]ed|operated(?: on)?|discharged|delivered|consulted|transferred|managed|enrolled"
    r"|surgery|appointment|visit|stay|admission|care|treatment|therapy|rehab|insurance|coverage"
    r"|shift|detox"
)
_BETWEEN = (
    r"(?: back| again| today| yesterday| (?:last|this) \w+"
    r"| by (?:Dr|Doctor|Prof)\.? [A-Z][\w'’.-]*(?: [A-Z][\w'’-]+)?){0,2}"
)
_HOUSE = re.compile(rf"(?<!\w)(?:{_CARE}){_BETWEEN} (?:at|to|from|in)(?: the)? (?P<v>{_RUN})")
_SITE = re.compile(
    rf"(?<!\w)(?:our|the|their|your|its|at|from|in) (?P<v>{_RUN})"
    r" (?:office|clinic|hospital|practice|branch|campus|surgery|location|facility)(?!\w)"
)
_INITIAL = re.compile(
    r"(?<!\w)(?:Dr|Doctor|Prof|Nurse|Mr|Mrs|Ms|Miss)\.? (?P<v>[A-Z]\.(?:[A-Z]\.)?)(?!\w)"
)
_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
# Safe Harbor keeps the year alone: "March 1980", "03/1980" and "4 March" are more than that.
_MONTH_YEAR = re.compile(
    rf"(?<!\w)(?P<v>{_MONTHS}\.?,?(?: of)? (?:19|20)\d\d|(?:0?[1-9]|1[0-2])[/.-](?:19|20)\d\d"
    rf"|(?:19|20)\d\d-(?:0[1-9]|1[0-2])|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTHS})(?![\w/.-]*\d)"
)
_BIRTH_YEAR = re.compile(
    r"(?<!\w)(?i:born|birth(?: ?year| ?date|day)?|date of birth|year of birth|d\.?o\.?b\.?|yob)"
    r"\W{0,4}(?i:in|on|year)?\W{0,3}(?P<v>1[89]\d\d)(?![\d/.-]*\d)"
)
# A label says what stands behind it, however the value is written.
_HOUSE_LABEL = (
    r"(?i:employer|employed (?:by|at)|company|work ?place|place of work"
    r"|works? (?:at|for)|school|university|college|care home|nursing home|residential home"
    r"|residence|facility|pharmacy|insurer|insurance company|church|parish)(?: name)?"
)
_LABELLED_HOUSE = re.compile(
    rf"(?im:^|[|;\t,.]) *{_HOUSE_LABEL} *[:=][ \t]*"
    r"(?P<v>[^\s|;,\t\n\[](?:[^|;,\t\n\[.]|\.(?!\s)){1,58}[^\s|;,\t\n\[.])"
)
_PLACE_LABEL = r"(?i:city|town|village|suburb|birth ?place|place of birth|home ?town)"
_LABELLED_PLACE = re.compile(
    rf"(?im:^|[|;\t,]) *{_PLACE_LABEL} *[:=][ \t]*(?P<v>{_RUN})(?=[ \t]*(?:[|;,.\t\n]|$))"
)
_WORKS = re.compile(
    r"(?<!\w)(?:(?i:work(?:s|ed|ing)?|driv(?:es?|ing)|drove|teach(?:es|ing)?|cooks|cleans|job|employed|employee|apprentice|contracted|volunteers?)"
    r"(?: as an? (?:[\w-]+ ){0,2}\w+| \w+)? (?i:for|at|by|with|of)|(?i:worker|driver|teacher"
    r"|teaches|manager|engineer|clerk|cleaner|officer|assistant|student|pupil|lecturer|labourer|cook"
    r"|chef|porter|cashier|secretary|receptionist|mechanic|operator) (?i:for|at))(?: the)?"
    rf" (?P<v>{_RUN})"
)
_SMALL_HOUSE = re.compile(
    r"(?<!\w)(?:works?|worked|working|employed|drives|drove|driving) (?:for|at|by)"
    r" (?P<v>[a-z][a-z'’-]{3,}(?: [a-z][a-z'’-]{2,})?)(?= ?(?:[.,;:\n]|$))"
)
_FIRM = re.compile(rf"(?<!\w)(?P<v>{_NAME}(?: (?:& )?{_NAME}){{1,3}})")
_NICKNAME = re.compile(r"(?<!\w)[\"“‘'](?P<v>[A-Z][a-z]{2,12})[\"”’'](?= (?:[A-Z][a-z]|\[name\]))")
_SHORT_NAME = re.compile(
    r"(?<!\w)(?P<v>(?:(?:[A-Z]\. ?){1,2}|[A-Z] )[A-Z][a-z][\w'’-]+)(?!\w)"
    r"|(?<!\w)(?:PC|PS|DC|DS|DI|WPC|Constable|Sgt|Sergeant|Officer|Cpl|Lt|Capt|Insp)\.? "
    r"(?P<w>[A-Z][a-z][\w'’-]+(?: \d{2,6})?)(?!\w)"
    r"|\n[ \t]*(?P<x>[A-Z][a-z]{2,14})[ \t]*\Z"  # the last line of a letter
)
_GROUPED_PHONE = re.compile(
    r"(?<![\w.,/-])(?P<v>(?:\+\d{1,3} )?\d{2,4}(?P<sign>[ .-])\d{3}(?P=sign)\d{3,4})"
    r"(?![\w/-]|[.,]\d| ?(?:mg|ml|kg|cells|copies|units?)\b)"
)
_DWELLING = re.compile(
    r"(?<!\w)(?i:live[sd]?|living|resid(?:es?|ed|ing)|moved|relocated|grew up|born|raised|stays"
    rf"|staying|travelled|comes?|came) (?i:in|to|from|near)(?: the)? (?P<v>{_RUN})"
)
_NAMED_HOUSE = re.compile(
    rf"(?<!\w)(?P<v>(?:(?:University|College|Church|Parish|Diocese|School) of (?:the )?{_RUN})"
    rf"|(?:{_NAME} ){{1,4}}(?:Care Home|Nursing Home|Retirement Home|Rest Home|Care Centre"
    r"|Care Center|Assisted Living|Hospice|Manor|Lodge|University|College|High School"
    r"|Primary School|Academy|Elementary School|Shelter|Church))(?!\w)"
)
_HANDLE_LABEL = (
    r"(?i:user ?name|user ?id|login|log-?in|screen name|nick ?name|handle|account name"
    r"|twitter|instagram|facebook|snapchat|telegram|tiktok|skype|discord|reddit)"
)
_HANDLE = re.compile(
    r"(?<![\w@.])(?P<v>@[A-Za-z_][\w.]{2,29}\w)(?![\w@])"
    rf"|\b(?:{_HANDLE_LABEL} ?(?::|=| is)|(?i:logged in|logged on|signed in|posts|posting) as)"
    r"[ \t]*(?P<w>[^\s,;|\[]{3,40}[^\s,;|\[.])"
)
_CELL_AROUND = re.compile(r"[^\n\t|;:]{2,40}")
_ASKED = frozenset({"id", "birth", "age", "sex", "phone", "email", "zip", "address"})
_WHOLE_LABEL = re.compile(rf"(?P<place>{_PLACE_LABEL})|{_HOUSE_LABEL}")
_LONGEST_ENTRY = 60  # characters
# What detection reads the label of a field as, for any person.
_FIELD_MEANS = {
    "first": Kind.PERSON, "last": Kind.PERSON, "middle": Kind.PERSON, "name": Kind.PERSON,
    "handle": Kind.ID, "id": Kind.ID, "employer": Kind.ORGANISATION, "city": Kind.PLACE,
}  # fmt: skip
# Of a column, a form field or a key ("patient.employer_name"), which holds nothing but the value.
# The last sentence of a tooltip says what to enter: "Part 5. Your spouse. Enter City or Town."
_FIELD_LABELS = (
    (Kind.PLACE, re.compile(rf"(?<!\w){_PLACE_LABEL}(?!\w)")),
    (Kind.ORGANISATION, re.compile(rf"(?<!\w){_HOUSE_LABEL}(?!\w)")),
    (Kind.ID, re.compile(rf"(?<!\w){_HANDLE_LABEL}(?!\w)")),
)
_SENTENCE = re.compile(r"[.?!:]\s+")
# A number alone is an age behind a person; behind a measurement it is none.
_VERY_OLD = re.compile(
    r"(?<!\w)(?:(?i:he|she|patient|resident|widow(?:er)?|wife|husband|(?:grand)?(?:mother|father)"
    r"|mum|mom|dad|grand(?:ma|pa)|aunt|uncle)|M(?:r|rs|s)\.? [A-Z][\w'’-]+)(?: [A-Z][\w'’-]+){0,2}"
    r" (?:is|was|turned|turns|will be)(?: now| already)? (?P<v>9\d|1[01]\d)"
    r"(?![\d%/]|[.,]\d| ?(?:%|kg|cm|mm|bpm|lbs?|mg|on\b|over\b|pounds|minutes|days|weeks|hours))"
)
# In a list of people: "Doris Field (93, widowed)".
_OLD_IN_BRACKETS = re.compile(
    r"(?:[A-Z][\w'’-]+ [A-Z][\w'’-]+|\[name\]) \((?P<v>9\d|1[01]\d)(?=[),])"
)
# A number behind the label of one, written in any way: "Acc: RX-77812", "payroll no. P/5510".
_NUMBER_LABEL = (
    r"(?i:acc(?:ession)?|acct|account|admission|badge|barcode|bleep|booking|case|chart|CHI|claim|client|custody"
    r"|dea|device|dni|docket|document|donor|emp(?:loyee)?|encounter|episode|file|gmc|group|hosp(?:ital)?|incident|ins(?:urance)?|invoice|lab"
    r"|licen[cs]e|member|mrn|nhc|nhs|nie|nif|nmc|npi|nss|order|pager|passport|payroll|permit|plan|PNC|policy|prescription|record"
    r"|ref(?:erence)?|reg(?:istration)?|report|requisition|rx|sample|serial|specimen|staff"
    r"|subscriber|tag|ticket|tracking|visit)(?i:[ _](?:no|number|num|id|code|ref))?"
)
_NUMBER_FIELD = re.compile(rf"(?:^|[\s.]){_NUMBER_LABEL}$")
_LABELLED_NUMBER = re.compile(
    rf"(?<!\w){_NUMBER_LABEL}\.?(?:[ \t]*[:#=]+[ \t]*|[ \t]+)(?!(?:Form|Schedule|Part|Line|Page) )"
    r"(?:[A-Z][A-Za-z&]+ ){0,2}#?"
    r"(?P<v>(?!(?:19|20)\d\d(?![\w/-]))(?=[\w/-]*\d{3}|[\w/-]*\d[\w/-]*\d[\w/-]*\d)"
    r"[A-Z0-9][A-Z0-9/-]{3,24}|\d{2,4}(?: \d{2,4}){2,3})"
    r"(?![\w/-]|[.,:]\d| ?(?:m?c?g|kg|m?l|mmol|units?|tabs?|kcal|steps|%)\b)"
)
# Army style, and days without a year: at the head of the lines of a log, or behind a cue.
_JOINED_DATE = re.compile(rf"(?<!\w)(?P<v>\d{{1,2}}(?i:{_MONTHS})(?:19|20)?\d\d)(?!\w)")
_DAY = r"(?:0?[1-9]|[12]\d|3[01])[/.](?:0?[1-9]|[12]\d|3[01])"
_LOG_DAY = re.compile(rf"(?m)^[ \t]*(?P<v>{_DAY})(?=[ \t:]+\S)(?![ \t]+(?i:tab|of|cup|strength))")
_CUED_DAY = re.compile(
    rf"(?<!\w)(?i:nights?|dated|seen|since|shift|handover|due|admitted|discharged|date)[ \t,:]+"
    rf"(?:on )?(?P<v>{_DAY})(?![\w/%.-])"
)
_LAST_FIRST = re.compile(
    r"(?<!\w)(?i:patient|name|client|pupil|member|employee|insured|subject|resident)(?i: name)?"
    r"[ \t]*:[ \t]*(?P<v>[A-Z][\w'’-]+, ?[A-Z][\w'’-]+)(?!\w)"
)
_ALIAS = re.compile(
    r"(?<!\w)(?i:aka|a\.k\.a\.?|also known as|alias|n[ée]e|goes by)[ \t:]+[\"“']?"
    r"(?P<v>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})(?!\w| [A-Z]| (?:disease|syndrome|sign|disorder))"
)
_SPEAKER = re.compile(
    r"(?m)(?:^|\] )(?i:agent|nurse|operator|advis[eo]r|carer|rep|clerk) (?P<v>[A-Z][\w'’-]+)(?=:)"
)
_CHAT_USER = re.compile(
    r"(?m)^(?:\[[^\]\n]{1,24}\]|<[^>\n]{1,24}>) ?(?P<v>[a-z]\w*[._]\w[\w.]*)(?=: )"
)
_WAYS = (
    r"Street|Road|Drive|Lane|Avenue|Close|Crescent|Gardens|Terrace|Loop|Brow|Boulevard|Mews|Grove"
)
_STREET = re.compile(
    rf"(?<!\w)(?P<v>(?:(?:{_NAME} ){{1,3}}(?:{_WAYS})|\d{{1,4}}[A-Za-z]? (?:{_NAME} ){{1,3}}"
    rf"(?:{_WAYS}|Bank|Hill|Way|Place|Square|Row|Walk|Park|Rise|Green|View))(?!\w)"
    rf"(?:, {_NAME}(?: {_NAME})?(?= ?(?:[,.;\n]|$)))?|{_NAME} (?:House|Court|Mansions|Heights"
    r"|Towers|Buildings)(?=, ))"
)
_TOWN_BEHIND_CODE = re.compile(rf",[ \t]*\d{{4,5}}[ \t]+(?P<v>{_RUN})")
_RUNG = re.compile(
    r"(?<!\w)(?i:ring|call|phone|tel|telephone|mobile|cell|text|contact|reach|fax)\b[^.\n;]{0,30}?"
    r"(?<![\d/.])(?P<v>\+?\(?\d(?:[ ()-]{0,2}\d){8,14}|\d{3}-\d{4})(?![\d/-]|[.,]\d)"
)
_ENTERED_NUMBER = re.compile(r"(?=(?:\D*\d){4})[A-Z]{0,3}[ -]?\d[\d -]*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ENTERED_ADDRESS = re.compile(r"\d{1,5}[A-Za-z]? [A-Z][^\W\d_]+(?: [A-Z][^\W\d_]*){0,3}\.?")
_FIRM_ENTRY = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)* & [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
# The last word may be cut off where the field was full.
_ENTERED_NAME = re.compile(
    r"(?:[A-Z]['’])?[A-Z][^\W\d_]+(?:[ '’-]{1,2}[A-Z][^\W\d_]+){0,2}(?: [A-Z]\.?)?"
)
_EXTENSION = re.compile(r"(?i)(?<!\w)(?P<v>(?:ext(?:ension|n)?\.?|x)[ :#]{0,2}\d{2,6})(?!\w)")
_SMALL_NAME = re.compile(
    r"(?<!\w)(?i:patient|pt|name|client|resident|mr|mrs|ms|miss|dr|mother|father|wife|husband"
    r"|son|daughter|brother|sister|seen by|signed|regards|dear)(?: name)?[.:,]? +"
    r"(?P<v>[a-z]{2,20}(?:[ -][a-z]{2,20}){1,2})(?!\w)"
)
_MONTH = re.compile(
    r"(?<!\w)(?i:last|this|next|past|in|since|until|till|early|late|mid|during)[ -]"
    rf"(?P<v>{_MONTHS})(?![\w'’])"
)
# Wards and specialities are no houses: "the ICU", "Postanesthesia Care Unit", "Neurooncology".
_WARD = re.compile(r"(?:[A-Z]{0,3}CU|.*(?:ology|iatry|esthesia|iatrics))")
_WARD_NAME = re.compile(r"(?i)(?:unit|ward|department|room|clinic|care|area|medicine|surgery)$")
_WORD = re.compile(r"[^\W\d_]+")
_TIED = re.compile(r" & [A-Z][^\W\d_]+(?:['’]s)?(?!\w)")
WIDE = frozenset({"state", "country"})
NAMING = frozenset({Kind.PLACE, Kind.PERSON, Kind.ORGANISATION, Kind.PROVIDER})
HOUSES = frozenset({Kind.ORGANISATION, Kind.PROVIDER, Kind.PERSON})


def chosen(text: str, findings: Iterable[Finding]) -> list[Finding]:
    """The identifiers to act on; one inside a health term gives way unless it is sure."""
    found = list(findings)
    health = Stretches((f.start, f.end) for f in found if f.kind in HEALTH_KINDS)
    kept = [
        f
        for f in found
        if f.kind not in HEALTH_KINDS and (f.confidence >= SURE or not health.hold(f.start, f.end))
    ]
    careful = list(cautious(text))
    kept = [f for f in kept if not _is_half(f, careful) and not _is_label(text, f)]
    taken = Stretches((f.start, f.end) for f in kept)
    return kept + [f for f in careful if not taken.meet(f.start, f.end)]


def _is_label(text: str, finding: Finding) -> bool:
    """Whether it is the name of a field: "NHS Number" over a column, "D.O.B." before a date."""
    if finding.kind not in NAMING:
        return False
    cell = _CELL_AROUND.search(text, _cell_start(text, finding.start))
    written = cell[0].strip(" .:#") if cell and cell.end() >= finding.end else ""
    return written == written.strip("[]") and meaning_of(written).what in _ASKED


def _cell_start(text: str, place: int) -> int:
    return max(text.rfind(sign, 0, place) for sign in "\n\t|;") + 1


def _is_half(finding: Finding, careful: Iterable[Finding]) -> bool:
    """Whether it is part of something longer: "Boston Steel", "at Corran Foods"."""
    around = [one for one in careful if one.start <= finding.start and finding.end <= one.end]
    shorter = any(finding.end - finding.start < one.end - one.start for one in around)
    if shorter and finding.kind in NAMING and any(one.kind is Kind.ADDRESS for one in around):
        return True
    if shorter and any(one.kind is Kind.ID for one in around):  # "mrn 20" of "mrn 20 44 817"
        return True
    houses = [one for one in around if one.kind is Kind.ORGANISATION]
    if finding.kind is Kind.PLACE:
        return bool(houses)
    people = shorter and any(one.kind is Kind.PERSON for one in around)
    ends = any(finding.end < one.end for one in houses)
    return finding.kind is Kind.PERSON and (people or ends)


def cautious(text: str) -> Iterator[Finding]:
    for kind, pattern in (
        (Kind.ORGANISATION, _HOUSE),
        (Kind.ORGANISATION, _SITE),
        (Kind.ORGANISATION, _WORKS),
        (Kind.PLACE, _DWELLING),
    ):
        for hit in pattern.finditer(text):
            words = _WORD.findall(hit["v"])
            several = pattern in {_WORKS, _HOUSE} and len(words) > 1
            named = any(map(_proper, words)) or (several and not _is_ward(hit["v"]))
            if named and (pattern is _SITE or not _is_wide(hit["v"])):
                yield _finding(kind, *hit.span("v"))
    yield from _labelled(text)
    yield from _firms(text)
    yield from _log_days(text)
    for kind, pattern in (
        (Kind.PERSON, _INITIAL),
        (Kind.AGE, _VERY_OLD),
        (Kind.AGE, _OLD_IN_BRACKETS),
        (Kind.DATE, _JOINED_DATE),
        (Kind.DATE, _CUED_DAY),
        (Kind.PERSON, _LAST_FIRST),
        (Kind.PERSON, _ALIAS),
        (Kind.PERSON, _SPEAKER),
        (Kind.ID, _CHAT_USER),
        (Kind.PERSON, _NICKNAME),
        (Kind.PHONE, _GROUPED_PHONE),
        (Kind.ADDRESS, _STREET),
        (Kind.PLACE, _TOWN_BEHIND_CODE),
        (Kind.PHONE, _RUNG),
        (Kind.ID, _LABELLED_NUMBER),
        (Kind.DATE, _MONTH_YEAR),
        (Kind.DATE, _BIRTH_YEAR),
        (Kind.DATE, _MONTH),
    ):
        for hit in pattern.finditer(text):
            if hit["v"].replace(".", "") not in load_people().credentials:
                yield _finding(kind, *hit.span("v"))


def _firms(text: str) -> Iterator[Finding]:
    """Firms that no list has: a word unheard of before an everyday noun ("Calloway Freight")."""
    for hit in _FIRM.finditer(text):
        first, *_, last = _WORD.findall(hit["v"])
        other = _is_ward(hit["v"]) or _is_wide(hit["v"])
        if _unheard(first) and _is_trade(last) and not other:
            yield _finding(Kind.ORGANISATION, *hit.span("v"))
    for hit in _SMALL_HOUSE.finditer(text):
        if np.isnan(load_words().proper_share(hit["v"].partition(" ")[0])):
            yield _finding(Kind.ORGANISATION, *hit.span("v"))
    for hit in _SHORT_NAME.finditer(text.rstrip()):
        group = hit.lastgroup or "v"
        if _proper(_WORD.findall(hit[group])[-1]) and not load_health().sense(hit[group]):
            yield _finding(Kind.PERSON, *hit.span(group))


def _is_medical(word: str) -> bool:
    mesh = load_mesh()
    return any(
        tree[0] in "ABCDEF" for index in mesh.find(word) for tree in mesh.tree_numbers(index)
    )


def _unheard(word: str) -> bool:
    """Whether a word is no English word: unknown, or borne as a last name alone."""
    rare = np.isnan(load_words().proper_share(word.lower()))
    return _proper(word) and bool(rare or load_names().ambiguity(word) < 1 / 3)


def _is_trade(word: str) -> bool:
    """Whether a capitalised word is an everyday noun other than of health and of people."""
    small = word.lower()
    share = load_words().proper_share(small)
    wordnet = load_wordnet()
    return (
        len(word) > ACRONYM
        and not share >= PROPER
        and bool(wordnet.synsets(small))
        and plain(word) not in load_people().titles
        and not _is_medical(small)
        and not load_names().first(small)
    )


def _is_ward(name: str) -> bool:
    """Whether a run of capitalised words is a ward or a term of health, no house."""
    last = name.rpartition(" ")[2]
    known = load_health().sense(name) or load_health().sense(last) or load_mesh().find(name)
    return bool(known or _WARD.fullmatch(last) or _WARD_NAME.search(name))


def _log_days(text: str) -> Iterator[Finding]:
    """Days without a year at the head of lines; one alone may be a share or a dose."""
    hits = list(_LOG_DAY.finditer(text))
    return (_finding(Kind.DATE, *hit.span("v")) for hit in hits if len(hits) > 1)


def _labelled(text: str) -> Iterator[Finding]:
    """Houses, user names, extensions and names in small letters, by the words before them."""
    for pattern in (_LABELLED_HOUSE, _NAMED_HOUSE):
        for hit in pattern.finditer(text):
            if not hit["v"].isdigit() and not load_health().sense(hit["v"]):
                yield _finding(Kind.ORGANISATION, *hit.span("v"))
    for hit in _LABELLED_PLACE.finditer(text):
        yield _finding(Kind.PLACE, *hit.span("v"))
    yield from _in_structure(text)
    for hit in _HANDLE.finditer(text):
        yield _finding(Kind.ID, *hit.span("v" if hit["v"] else "w"))
    for hit in _EXTENSION.finditer(text):
        yield _finding(Kind.PHONE, *hit.span("v"))
    for hit in _SMALL_NAME.finditer(text):
        if end := _end_of_names(hit["v"]):
            yield _finding(Kind.PERSON, hit.start("v"), hit.start("v") + end)


def _in_structure(text: str) -> Iterator[Finding]:
    """Houses and towns that a label names, however the form or table is drawn."""
    structure = read_structure(text)
    for one in structure.fields:
        value = text[one.start : one.end].strip()
        known = _WHOLE_LABEL.fullmatch(structure.label_of(one).strip(" :.?"))
        if not known or not value[:1].isalpha() or not ACRONYM <= len(value) <= _LONGEST_ENTRY:
            continue
        if not (is_answer(value) or load_health().sense(value) or _is_wide(value)):
            start = text.index(value, one.start)
            kind = Kind.PLACE if known["place"] else Kind.ORGANISATION
            yield _finding(kind, start, start + len(value))


def in_fields(part: Part) -> Iterator[Finding]:
    """Houses and user names that the label of a column, a form field or a key announces."""
    if part.fields is None:
        return
    kinds = {label: kind for label in part.fields.labels if (kind := _kind_of_label(label))}
    numbers = {label for label in part.fields.labels if _NUMBER_FIELD.search(label.strip(" :.?"))}
    form = part.role is PartRole.FORM_FIELD
    for label, start, end, _ in part.fields if kinds or numbers or form else ():
        value = part.text[start:end].strip()
        entered = _kind_of_entry(value) if form else None
        if entered and (label not in kinds or entered is Kind.ID or "&" in value):
            yield _finding(entered, start, end)
            continue
        if label in numbers and _LABELLED_NUMBER.fullmatch(f"ref: {value}"):
            yield _finding(Kind.ID, start, end)
        if label not in kinds or len(value) < ACRONYM or is_answer(value) or mark_places(value):
            continue
        telling = str.isdigit if kinds[label] is Kind.ID else str.isalpha
        if any(map(telling, value)) and not load_health().sense(value):
            yield _finding(kinds[label], start, end)


def _kind_of_entry(value: str) -> Kind | None:
    """What a form's field holds by its looks alone: a label may stand anywhere around it."""
    if is_answer(value):
        return None
    if _ENTERED_NUMBER.fullmatch(value) and not _YEAR.fullmatch(value):
        return Kind.ID
    if _ENTERED_ADDRESS.fullmatch(value):
        return Kind.ADDRESS
    words = [word for word in _WORD.findall(value) if len(word) >= ACRONYM]
    if "&" in value and _FIRM_ENTRY.fullmatch(value) and any(map(_proper, words)):
        return Kind.ORGANISATION
    few = 0 < len(words) <= 2 and any(map(_is_borne, words))  # "Quonset Falls"
    named = _ENTERED_NAME.fullmatch(value) and (few or (words and all(map(_is_borne, words))))
    return Kind.PERSON if named and not _is_wide(value) else None


def _is_borne(word: str) -> bool:
    """Whether a word is a name by the dictionary, or by the lists of names."""
    return _proper(word) or load_names().ambiguity(word) < 1 / 3


def _kind_of_label(label: str) -> Kind | None:
    last = _SENTENCE.split(label.replace("_", " ").strip(" :.?"))[-1]
    listed = next((kind for kind, known in _FIELD_LABELS if known.search(last)), None)
    return listed or _FIELD_MEANS.get(meaning_of(label).what)


def _end_of_names(words: str) -> int:
    """Where a run of names in small letters ends; 0 when fewer than two words are mostly names."""
    names, place = load_names(), 0
    for number, hit in enumerate(_WORD.finditer(words)):
        word = hit.group()
        borne = names.first(word) if number == 0 else names.last(word) or names.first(word)
        share = load_words().proper_share(word)
        if borne is None or load_health().sense(word) or not (np.isnan(share) or share >= PROPER):
            return place if number > 1 else 0
        place = hit.end()
    return place


def tied_house(text: str, finding: Finding) -> int:
    """Where a name ends with the partner behind an ampersand: "Lakeview Elm & Stone"."""
    tied = _TIED.match(text, finding.end) if finding.kind in HOUSES else None
    return tied.end() if tied else finding.end


def _finding(kind: Kind, start: int, end: int) -> Finding:
    return Finding(kind, RULE, 0, start, end, CAUTIOUS)


def _is_wide(name: str) -> bool:
    """Whether it is a state or a country, which a profile may keep."""
    known = load_places().standing(name)
    return known is not None and known[0] in WIDE


def _proper(word: str) -> bool:
    """Whether a word is a name here: no term of health, title, month, ward or everyday word."""
    people = load_people()
    if plain(word) in people.titles or word in people.credentials or len(word) < ACRONYM:
        return False
    if re.fullmatch(_MONTHS, word) or _WARD.fullmatch(word) or load_health().sense(word):
        return False
    share = load_words().proper_share(word.lower())
    return not word.isupper() if np.isnan(share) else share >= PROPER
