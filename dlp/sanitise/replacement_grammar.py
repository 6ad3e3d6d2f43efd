"""Make a replacement fit its sentence: number, article, capitals.

In: a text, the place of a term, a phrase in the singular.  Out: where to begin, what to write.
"""

from __future__ import annotations

import re

from dlp.knowledge.spelling import plural, singular

_BEFORE = re.compile(r"([^\W\d_]+)([\s]+)$")
_AFTER = re.compile(r"\s*([^\W\d_]+|[^\w\s]|$)")
ARTICLES = frozenset({"a", "an"})
# Letters that are spelled out: "an RNA virus", but "a DNA virus"; "a uterine", but "an unknown".
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")
_AS_YOU = re.compile(r"^(?:uni(?!n)|use|usu|ute|uri|uro|eu|one\b|once\b)", re.IGNORECASE)
_SILENT_H = re.compile(r"^(?:hour|honest|heir)", re.IGNORECASE)
# After these a single countable thing needs an article; before the others it stands alone.
_NEEDS = frozenset({
    "about", "against", "and", "as", "by", "called", "cause", "caused", "causes", "describes",
    "develop", "develops", "diagnosed", "for", "from", "get", "gets", "getting", "got", "had",
    "has", "have", "having", "including", "is", "like", "of", "on", "or", "than", "to", "treat",
    "treating", "treats", "was", "with", "without",
})  # fmt: skip
_FOLLOWS = frozenset({
    "and", "are", "as", "at", "be", "because", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "has", "have", "how", "if", "in", "is", "may", "might", "must", "of",
    "on", "or", "should", "since", "than", "that", "the", "they", "through", "to", "was", "were",
    "when", "where", "which", "who", "will", "with", "would",
})  # fmt: skip


# A verb stands behind these: "she drinks", "they drank".
_SUBJECTS = frozenset({"he", "she", "they", "we", "i", "you", "who"})
_BE = frozenset(
    {"is", "was", "are", "were", "be", "been", "am", "keeps", "kept", "stopped", "started"}
)
_INFLECTED = re.compile(r"[a-z]+(?:s|ed)$")
_OF_NAME = re.compile(r"\[name\]\s$")
# "uses" is no plural of a Latin "us", and nobody speaks of "a therapeutics".
_OF_USE = re.compile(r"(?:^|ab|ca|cla|f|m|pa)uses$", re.IGNORECASE)
_NO_ARTICLE = re.compile(r"ics$", re.IGNORECASE)


def one_of(word: str) -> str:
    return word[:-1] if _OF_USE.search(word) else singular(word)


def is_plural(words: str) -> bool:
    last = words.rsplit(maxsplit=1)[-1].lower() if words.split() else ""
    return last.isalpha() and one_of(last) != last


def in_number(phrase: str, *, many: bool) -> str:
    """The phrase in singular or plural, by its last word; short forms stay."""
    head, _, last = phrase.rpartition(" ")
    if not last.isalpha() or last.isupper():
        return phrase
    one = one_of(last)
    changed = one if not many else plural(last) if one == last else last
    return f"{head} {changed}".strip()


def starts_with_vowel_sound(phrase: str) -> bool:
    word = phrase.split(maxsplit=1)[0] if phrase.split() else ""
    if len(word) > 1 and word.isupper():
        return word[0] in _VOWEL_LETTERS
    if _AS_YOU.match(word):
        return False
    return word[:1].lower() in "aeiou" or bool(_SILENT_H.match(word))


def article(phrase: str) -> str:
    return "an" if starts_with_vowel_sound(phrase) else "a"


def fit(text: str, start: int, end: int, phrase: str, *, noun: bool = True) -> tuple[int, str]:
    """Where the replacement begins (before an article that must change) and what it says."""
    written = text[start:end]
    many = noun and is_plural(written)
    words = in_number(phrase, many=many) if noun else phrase
    before = _BEFORE.search(text, max(0, start - 40), start)
    previous = before.group(1) if before else ""
    if previous.lower() in ARTICLES and before and not many:
        changed = _like(previous, article(words))
        if changed != previous:
            return before.start(1), f"{changed}{before.group(2)}{_cased(text, start, end, words)}"
    elif noun and not many and previous.lower() in _NEEDS and _alone(text, end):
        words = words if _NO_ARTICLE.search(words) else f"{article(words)} {words}"
        shown = _cased(text, start, end, words)
        return start, shown if shown.isupper() else words  # an article begins no sentence here
    return start, _cased(text, start, end, words)


def is_verb(text: str, start: int, end: int) -> bool:
    """Whether the word at a place is what somebody does; a noun instead would be false there."""
    written = text[start:end]
    if not written.isalpha() or not written.islower():
        return False
    before = _BEFORE.search(text, max(0, start - 40), start)
    previous = before.group(1).lower() if before else ""
    if previous in _SUBJECTS:
        return True
    if written.endswith(("ing", "ed")):
        return previous in _BE
    named = _OF_NAME.search(text, max(0, start - 8), start) is not None
    return named and _INFLECTED.fullmatch(written) is not None


def _alone(text: str, end: int) -> bool:
    """Whether nothing follows that the term could be the first part of."""
    after = _AFTER.match(text, end)
    following = after.group(1).lower() if after else ""
    if following == "-":
        return False
    return not following.isalpha() or following in _FOLLOWS or following.endswith("ed")


def _cased(text: str, start: int, end: int, words: str) -> str:
    written = text[start:end]
    line = text[text.rfind("\n", 0, start) + 1 : _line_end(text, end)]
    letters = [c for c in line if c.isalpha()]
    if len(letters) > len([c for c in written if c.isalpha()]) and all(map(str.isupper, letters)):
        return words.upper()
    at_start = not text[:start].strip() or bool(re.search(r"(?:[.!?:]|\n)\s*$", text[:start][-8:]))
    leading = re.split(r"[\s\-/]", written, maxsplit=1)[0]
    short_form = len(leading) > 1 and sum(map(str.isupper, leading)) > 1
    capital = written[:1].isupper() and (at_start or (" " in written and not short_form))
    titled = capital and all(w[:1].isupper() for w in written.split()) and " " in written
    if titled and not at_start:
        return " ".join(w[:1].upper() + w[1:] for w in words.split())
    return words[:1].upper() + words[1:] if capital else words


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found


def _like(model: str, word: str) -> str:
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
