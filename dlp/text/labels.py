"""Recognise the label of a field in a line, and the words that labels are made of.

In: a line of text.  Out: spans of labels and values.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from dlp.text.misread_labels import meant

# A label: letters first, no sentence inside, a colon behind it; bold, bulleted or numbered.
BULLET = r"(?:[-*•·–▪◦‣]\s+|\(?\d{1,3}[a-z]?[.)]\s+|\(?[a-zA-Z][.)]\s+)"
LABEL_BODY = r"[^\W\d_](?:[^:\n|=\t.!]|\.(?=\S)|\.(?=\s?\()){0,88}?"
LABEL = re.compile(
    rf"[ \t>]*{BULLET}?(?:\*\*|__|#+\s)?(?P<label>{LABEL_BODY})(?:\*\*|__)?[ \t.…_]*:(?:\*\*|__)?"
    r"(?=\s|$|[^\s/:\\])"
)
# A further label on the same line stands behind two blanks, a tab, a bar or a semicolon.
NEXT_LABEL = re.compile(
    r"(?:[ \t]{2,}|\t|\|[ \t]*|;[ \t]+|,[ \t]+(?=[A-Z]))(?:\*\*)?"
    r"(?P<label>[^\W\d_][^:\n|=\t.;,!]{0,48}?)(?:\*\*)?[ \t]*:(?:\*\*)?(?=\s|$)"
)
LEADER = re.compile(
    rf"[ \t>]*{BULLET}?(?P<label>[^\W\d_][^:\n|\t]{{0,118}}?)[ \t:]*"
    r"(?P<leader>\.{3,}|…{1,}|_{3,}|(?:\. ){3,})[ \t.]*"
)
EQUALS = re.compile(
    r"(?:^|[,;\s]\s*)(?P<label>[^\W\d_][\w .\-/]{0,30}?)\s?=\s?(?P<value>[^,;=\n]*)(?=[,;]|$)"
)
QUESTION = re.compile(r"[ \t>]*(?P<label>[^\n?]{3,200}\?)(?P<value>[^\n?]*)$")
DASHED = re.compile(
    rf"[ \t>]*{BULLET}?(?P<label>[^\W\d_][^:\n|\t]{{1,60}}?)\s+[-–—]+\s+(?P<value>\S{{1,14}})\s*$"
)
DASHED_FIELD = re.compile(
    rf"[ \t>]*{BULLET}?(?P<label>[^\W\d_][^:\n|\t]{{1,40}}?)\s+[-–—]+\s+(?P<value>[^\n]*\S)\s*$"
)
CODE_LIKE = re.compile(r"https?$|[{}<>\\]|::|\bfunction\b|\breturn\b")
MAX_LABEL_WORDS = 14
LONGEST_CAPTION = 50  # characters

# This and the next two are tried on text in small letters: `re` passes by an alternative that
# begins with a fixed letter, and enters one that begins with a letter of either case.
# Labels that stand alone above their value, or beside it in a second column. They are the usual
# captions of forms (personal details, cover, visit), not a list of what was seen in any file.
CAPTION = re.compile(
    r"(?:(?:patient|client|member|employee|applicant|claimant|student|pupil|child|resident|insured"
    r"|subscriber|guest|camper|participant|contact|emergency contact|next of kin|your|full|legal"
    r"|first|last|middle|family|given|maiden|preferred|print|home|mailing|street|work|cell|mobile"
    r"|daytime|evening|e-?mail|employer|doctor|physician|provider|gp|policy|member|group|account"
    r"|claim|case|chart|file|reference|record|medical record|health ?card|insurance|social security"
    r"|nhs|date|current|chief|presenting|past|medical|family|surgical|social|primary|secondary"
    r"|admitting|discharge|visit|appointment|reason|job|parent|guardian|mother|father|spouse)"
    r"(?:'s)?[ /]+(?:of |for |in )?)*"
    r"(?:next of kin|emergency contact"
    r"|name|names|surname|forename|initials?|d\.?o\.?b\.?|birth|born(?: on)?|birth ?date"
    r"|birthday|age"
    r"|sex|gender|address|street|city|town|state|county|country|zip(?: code)?|post ?code"
    r"|postal code"
    r"|phone(?: number| no\.?)?|telephone|tel\.?|mobile|cell|fax|e-?mail|mrn|ssn|sin"
    r"|nhs(?: no\.?| number)?"
    r"|number|no\.?|id|identifier|policy|plan|insurer|employer|occupation|job title|title"
    r"|department"
    r"|doctor|physician|gp|provider|clinician|practitioner|consultant|hospital|clinic|ward|room|bed"
    r"|cabin|unit|facility|diagnos[ie]s|dx|condition|conditions|problem|problems|complaint|symptoms"
    r"|illness|injury|disability|medications?|medicines|meds|drugs|prescriptions?|allerg(?:y|ies)"
    r"|treatment|procedure|operation|surgery|history|reason|visit|absence|referral|test"
    r"|result|results"
    r"|notes?|remarks?|comments?|signature|signed|date|time|relationship|contact|spouse"
    r"|mother|father"
    r"|guardian|representative|marital status|ethnicity|religion|language|nationality|height|weight"
    r"|blood (?:type|group|pressure)|bmi|status|amount|charge|fee|grade|school|team)"
    r"(?: \([^)]{1,30}\))?",
)
# What a question or an instruction is worded as: its terms are examples, not facts.
ASKING = re.compile(
    r"\?|\b(?:have you|do you|did you|are you|were you|has (?:the|your|a|any)|does (?:the"
    r"|your)|is (?:the|your|there)"
    r"|any (?:of|history|other|known|recent|past|current)|if (?:so|yes|any|applicable|you)"
    r"|please|such as"
    r"|e\.?g\.?|including|(?:tick|check|mark|circle|select|list|describe|specify|state|explain)\b"
    r"|and/or|\bor\b)",
)
DENIAL_LABEL = re.compile(
    r"(?:pertinent )?(?:denies|denied|negatives?|negative for|no (?:history|evidence"
    r"|signs?) of|ruled out"
    r"|excluded|rules out|pertinent negatives|has never had|does not have|not present"
    r"|absent|without)",
)


class LabelSpan(NamedTuple):
    label_start: int
    label_end: int
    start: int
    end: int


def labels_in_line(text: str, start: int, end: int) -> list[LabelSpan]:
    """The labelled fields of one line, in order; [] where it has none."""
    first = LABEL.match(text, start, end)
    if first is None or not is_label(text, first.start("label"), first.end("label"), first.end()):
        return equals_in_line(text, start, end)
    spans = [(first.start("label"), first.end("label"), first.end())]
    more = NEXT_LABEL.finditer(text, first.end(), end) if ":" in text[first.end() : end] else ()
    for hit in more:
        spans.append((hit.start("label"), hit.end("label"), hit.end()))
        if is_label(text, *spans[-1]):
            continue
        spans.pop()
    found = []
    for number, (label_start, label_end, value) in enumerate(spans):
        limit = spans[number + 1][0] if number + 1 < len(spans) else end
        found.append(LabelSpan(label_start, label_end, *stripped(text, value, limit)))
    return found


def is_label(text: str, start: int, end: int, behind: int) -> bool:
    """Whether the words before a colon are a label and not a sentence, a time or an address."""
    label = text[start:end]
    if label.count(" ") >= MAX_LABEL_WORDS or CODE_LIKE.search(label):
        return False
    # "10:30" and "urn:x": without a blank behind the colon only short labels of letters count
    if behind < len(text) and not text[behind].isspace():
        return label.count(" ") <= 2 and text[behind].isalnum() and not label[-1].isdigit()
    return True


def equals_in_line(text: str, start: int, end: int) -> list[LabelSpan]:
    """`name=Tom Brown, hiv=Y`: at least two on a line, or it is a formula."""
    if text.count("=", start, end) < 2:
        return []
    hits = list(EQUALS.finditer(text[start:end]))
    if len(hits) < 2:
        return []
    return [
        LabelSpan(start + hit.start("label"), start + hit.end("label"),
                  *stripped(text, start + hit.start("value"), start + hit.end("value")))
        for hit in hits
    ]  # fmt: skip


def leader_in_line(text: str, start: int, end: int) -> LabelSpan | None:
    """`Label ....... value` and `Label ______`."""
    hit = LEADER.match(text, start, end)
    if hit is None or hit["label"].count(" ") > MAX_LABEL_WORDS + 6:
        return None
    return LabelSpan(hit.start("label"), hit.end("label"), *stripped(text, hit.end(), end))


def stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t*|;,":
        start += 1
    while end > start and text[end - 1] in " \t*|;,\r":
        end -= 1
    return start, end


def is_caption(text: str) -> bool:
    """Whether a few words are the usual caption of a field, also if they were misread."""
    return len(text) <= LONGEST_CAPTION and is_known(text)


@lru_cache(maxsize=1024)
def is_known(text: str) -> bool:
    words = text.strip(" :*").lower()
    return any(CAPTION.fullmatch(said) is not None for said in (words, meant(words)))
