"""The certificate of a sanitised file: what was promised, what was done, what was not checked.

In: a plan, a report, the output.  Out: a mapping for JSON, without any original value; its seal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from dlp.knowledge.artefact import manifest
from dlp.knowledge.cooccurrence import FEWEST, load_own_words
from dlp.knowledge.cooccurrence import OWN_WORDS as OWN
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.site_knowledge import artefact_folder, site_folder
from dlp.rulebook import rules_version
from dlp.sanitise.disclosure import CONTEXT_TERMS, LARGEST_GROUP
from dlp.sanitise.information_content import GROUP_SUPPORT, Information
from dlp.sanitise.plan import WITHSTANDS, Against, Plan, Sanitised
from dlp.sanitise.protected_topics import Topic
from dlp.sanitise.remaining_disclosure import Remaining
from dlp.sanitise.sanitiser import Report

FORMAT = 3
HOLDS, UNMEASURED, VIOLATED = "holds", "not measurable", "violated"
RESTS_ON = ("mesh", "health", "cooccurrence", "inference", "wordnet")
ALWAYS_UNCHECKED = (
    f"groups of more than {LARGEST_GROUP} terms",
    "groups of terms in different paragraphs, other than beside what a topic became",
    f"groups seen in fewer than {GROUP_SUPPORT[0]} records",
    f"words of fewer than {FEWEST} records that neither MeSH nor a curated list knows",
    "plain words of a form together; what is printed on it says the same to everybody",
    "what a drug tells about somebody who is allergic to it, unless a curated list has it",
)
UNCHECKED = {
    Against.TERMS: (
        "plain words together with terms, and in different sentences",
        "everyday words that replacements themselves use",
    ),
    Against.WORDS: (
        "words in different paragraphs",
        "numbers, and words with digits in them other than doses",
    ),
}


def certify(
    plan: Plan,
    report: Report,
    output: bytes,
    media_type: str,
    skipped: Sequence[str] = (),
    *,
    exact: bool = True,
    language: str = "",
) -> dict[str, Any]:
    """All a second person needs to check the output; sealed when there is a key.

    `exact` says that the parts of the output read as the pages of the report do, so that places
    in the one are places in the other; a format may lay its text out anew.
    """
    utility = report.utility
    body: dict[str, Any] = {
        "verdict": verdict(plan.topics, language),
        "format": FORMAT,
        "profile": plan.profile.value,
        "mode": plan.mode.value,
        "alpha": plan.alpha,
        "against": plan.against.value,
        "withstands": WITHSTANDS[plan.against] if plan.topics else "",
        "topics": [topic_entry(topic, report.remaining) for topic in plan.topics],
        "knowledge": dict(knowledge_hashes()),
        "rules": rules_read(),
        "output": {"sha256": hashlib.sha256(output).hexdigest(), "media_type": media_type},
        "replacements": list(replacements(report.pages, exact=exact)),
        "utility": {
            "preserved": round(utility.preserved, 4),
            "terms_kept": utility.kept,
            "terms_generalised": utility.generalised,
            "terms_removed": utility.removed,
            "plain_words": utility.words,
            "plain_words_removed": utility.words_removed,
        },
        "not_checked": [*_unchecked(plan, report.remaining), *skipped],
    }
    return {**body, "seal": seal(plan.key, body)} if plan.key else body


def verdict(topics: Sequence[Topic], language: str = "") -> str:
    """The first line a reader sees; `language` is that of a text which is not English."""
    if topics and language:
        return (
            f"{UNMEASURED} in this language ({language}): identifiers were taken out, and of the"
            " topics what their lists name"
        )
    thin = [topic.name for topic in topics if status(topic) is UNMEASURED]
    if not thin:
        return HOLDS
    return (
        f"{UNMEASURED} for {', '.join(thin)}: only its name, narrower terms and what a list has"
        " were taken out"
    )


@cache
def status(topic: Topic) -> str:
    return HOLDS if Information().measurable(topic) else UNMEASURED


def topic_entry(topic: Topic, remaining: Remaining) -> dict[str, Any]:
    mesh = load_mesh()
    return {
        "topic": topic.name,  # under "name" a scan takes it for a person
        "status": status(topic),
        "concepts": sorted(mesh.ids[root] for root in topic.roots),
        "information_bits": round(Information().topic_ic(topic), 4) if topic.counted else None,
        "most_by_a_term": round(remaining.terms.get(topic.name, 0.0), 6),
        "most_by_a_group": round(remaining.groups.get(topic.name, 0.0), 6),
        "most_by_plain_words": round(remaining.words.get(topic.name, 0.0), 6),
        "became": sorted(remaining.beside.get(topic.name, ())),
        "sensitive_terms": list(_sensitive_terms(topic, remaining)),
    }


def _sensitive_terms(topic: Topic, remaining: Remaining) -> Iterator[dict[str, Any]]:
    """DR(t; c) = PMI(t; c) + IC(g) - PMI(g; c) of the most telling term beside each g; τ = IC(c).

    In bits. A document is safe by this test where the first stays below the second.
    """
    bits = Information().topic_ic(topic) if topic.counted else 0.0
    for ident, ratio in sorted(remaining.beside.get(topic.name, {}).items()):
        yield {"became": ident, "most_dr": round(ratio * bits, 4), "tau": round(bits, 4)}


def replacements(pages: Iterable[Sanitised], *, exact: bool) -> Iterator[dict[str, Any]]:
    """Each with its place in the output; places and lengths in the original tell too much."""
    for part, page in enumerate(pages):
        grown = 0
        for edit in page.edits:
            start = edit.start + grown
            grown += len(edit.text) - (edit.end - edit.start)
            yield {
                "part": part,
                "start": start if exact else None,
                "end": start + len(edit.text) if exact else None,
                "kind": edit.kind,
                "reason": edit.reason,
                "with": edit.text,
                "concept": edit.concept,
            }


@cache
def rules_read() -> str:
    """Once, like the knowledge itself: a confined process can read no file later."""
    return rules_version()


@cache
def knowledge_hashes() -> dict[str, str]:
    """Of what is bundled or stands in its place, and of the site's own words where it has some."""
    found = {name: str(manifest(artefact_folder(name))[name]["sha256"]) for name in RESTS_ON}
    if load_own_words(site_folder()):
        found[OWN] = str(manifest(site_folder())[OWN]["sha256"])
    return found


def seal(key: bytes, body: Mapping[str, Any]) -> str:
    """Who has the key can tell whether a certificate was changed."""
    bare = {name: value for name, value in body.items() if name != "seal"}
    text = json.dumps(bare, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    own = hashlib.sha256(b"certificate:" + key).digest()
    return hmac.new(own, text.encode(), hashlib.sha256).hexdigest()


def _unchecked(plan: Plan, remaining: Remaining) -> Iterator[str]:
    yield from (*ALWAYS_UNCHECKED, *UNCHECKED[plan.against])
    if remaining.unchecked:
        yield f"groups in {remaining.unchecked} contexts of more than {CONTEXT_TERMS} terms"
