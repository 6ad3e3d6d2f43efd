"""Look at a file as characters: titles, type, language.

In: Case with what was read of the file.  Out: the case with its language; settled as impossible
when it is a published work or no text, and the cheap pass over the whole agrees. A language that is
not read in full is a gap, be it that of a single paragraph.
"""

from __future__ import annotations

from collections.abc import Sequence

from dlp.languages import languages
from dlp.model import Case, Container, GapCode
from dlp.triage.language import UNKNOWN, Answer, Languages
from dlp.triage.language_blocks import ForeignBlocks
from dlp.triage.partial import head_of, squeeze
from dlp.triage.rules import TitleRules
from dlp.triage.shortcut import Shortcut, body_texts_of, goes_straight_to_deep, titles_of
from dlp.triage.titles import Titles, promises_record
from dlp.triage.vocabulary import Vocabulary

PUBLISHED = "published title"
NOT_TEXT = "not text"
NOT_ENGLISH = "not English"
READ = frozenset({"en", UNKNOWN})


class Shallow:
    name = "triage.shallow"
    requires = frozenset({"document"})
    provides = frozenset({"language", "container"})

    def __init__(
        self,
        titles: Titles,
        rules: TitleRules,
        languages: Languages,
        blocks: ForeignBlocks,
        shortcut: Shortcut,
        *,
        vocabulary: Vocabulary,
        screen_titles: bool = True,
    ) -> None:
        self._titles = titles
        self._rules = rules
        self._languages = languages
        self._blocks = blocks
        self._vocabulary = vocabulary
        self._shortcut = shortcut
        self._screen_titles = screen_titles

    def __call__(self, case: Case) -> Case:
        titles = titles_of(case)
        if self._screen_titles and any(promises_record(one, self._rules) for one in titles):
            facts = {**case.facts, "straight_to_deep": True}
            case = case.but(container=Container.POSSIBLE, facts=facts)
        elif not self._shortcut.is_checked:
            case = self._by_title(case, titles)
            return case.but(language=UNKNOWN) if case.settled else self._by_text(case)
        case = self._by_text(case)
        return case if goes_straight_to_deep(case) else self._by_title(case, titles)

    def _by_title(self, case: Case, titles: Sequence[str]) -> Case:
        if any(self._titles.know(one) and self._is_told_inside(case, one) for one in titles):
            return self._shortcut.take(case, PUBLISHED)
        return case

    def _is_told_inside(self, case: Case, title: str) -> bool:
        """A published work holds its title in the text; a file name alone proves nothing."""
        if not self._screen_titles or case.document is None:  # the study went by names alone
            return True
        head = head_of((), body_texts_of(case.document))
        return not head.strip() or squeeze(title) in head

    def _by_text(self, case: Case) -> Case:
        assert case.document is not None  # requires
        texts = body_texts_of(case.document)
        if not texts:
            # What went unread stays a gap, and a case with gaps is never called clean.
            case = case.but(language=UNKNOWN)
            return case if goes_straight_to_deep(case) else self._shortcut.take(case, NOT_TEXT)
        answer = self._languages.of_texts(texts)
        case = case.but(language=answer.code)
        if not self._shortcut.is_checked:
            return self._as_study(case, answer)
        # What is found in another language is not all there is, so a file is never called clean
        # or impossible for it.
        codes = self._blocks.of_texts(texts) if answer.code in READ else (answer.code,)
        plain = answer.code == "en" and answer.by == "words"
        if set(codes).isdisjoint(languages()):
            code = self._vocabulary.language_of(texts, "".join(codes[:1]), english=plain)
            case, codes = (case.but(language=code), (code,)) if code else (case, codes)
        for code in codes:
            case = case.with_gap(GapCode.LANGUAGE, f"language:{code}")
        return case

    def _as_study(self, case: Case, answer: Answer) -> Case:
        """The study discarded what is certainly foreign."""
        if answer.code in READ:
            return case
        if answer.certain and not goes_straight_to_deep(case):
            case = self._shortcut.take(case, NOT_ENGLISH)
        return case if case.settled else case.with_gap(GapCode.LANGUAGE, f"language:{answer.code}")
