"""Put the triage stages together for a rule set.

In: the name of a rule set, a site's own titles.  Out: stages in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dlp.errors import RuleError
from dlp.triage.cheap import CheapPass, rare_health_words
from dlp.triage.language import Languages
from dlp.triage.language_blocks import ForeignBlocks
from dlp.triage.partial import Keywords, Partial
from dlp.triage.rules import (
    RULE_SETS,
    read_categories,
    read_cheap_rules,
    read_language_rules,
    read_title_rules,
)
from dlp.triage.shallow import Shallow
from dlp.triage.shortcut import Shortcut
from dlp.triage.titles import load_titles
from dlp.triage.vocabulary import Vocabulary


def triage_stages(
    rule_set: str = "default", *, site_titles: Iterable[str] = (), folder: Path | None = None
) -> tuple[Shallow, Partial]:
    """Build shallow and partial analysis.

    `default` discards nothing that the cheap pass hears, and screens titles for records.
    `sokolova2009` is the study to the letter: a title, a language or one keyword discards a file.
    """
    if rule_set not in RULE_SETS:
        known = ", ".join(RULE_SETS)
        raise RuleError(f"no rule set {rule_set}", where="triage.rules", fix=f"use one of {known}")
    careful = rule_set == "default"
    titles = read_title_rules(folder)
    shortcut = Shortcut(
        CheapPass(read_cheap_rules(folder), rare_health_words()) if careful else None
    )
    languages = read_language_rules(folder)
    shallow = Shallow(
        load_titles(titles, site_titles),
        titles,
        Languages(languages),
        ForeignBlocks(languages),
        shortcut,
        vocabulary=Vocabulary(languages),
        screen_titles=careful,
    )
    keywords = Keywords(read_categories(folder), rule_set)
    return shallow, Partial(keywords, shortcut, keys=not careful)
