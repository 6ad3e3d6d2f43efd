"""When and where the model should read, and what to believe of its answer.

In: a case, the View of a page and the mentions found in it.  Out: more mentions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from dlp.detect.naming.claim_resolution import LOOSE
from dlp.detect.naming.forms import form_of_words
from dlp.detect.naming.known_words import MOSTLY_FIRST
from dlp.detect.naming.lexicon import EPONYM, INSTITUTION, NEVER, THING, UNIT
from dlp.detect.naming.mention import CLINICIAN, FICTIONAL, PUBLIC, Mention
from dlp.detect.naming.model_reader import Entity, Reader
from dlp.detect.naming.names import given_and_family
from dlp.detect.naming.page import PLAIN
from dlp.detect.naming.runs import Run, View, is_thing, runs
from dlp.detect.naming.tokens import ALL_CAPS, CAPITAL, MIXED, NUMBER
from dlp.detect.overlap import is_free
from dlp.knowledge.names import FIRST, LAST, WORD
from dlp.model import HEALTH_KINDS, Case, Kind
from dlp.text.sentences import sentence_starts

LONGEST = 400  # characters of one sentence
PAIR, LONE, PLACE = 0.65, 0.55, 0.6
BYSTANDERS = frozenset({CLINICIAN, PUBLIC, FICTIONAL})
Spans = list[tuple[int, int]]
HEADER = 600  # characters around a name in which identifiers are theirs
DIRECT = frozenset({Kind.ID, Kind.EMAIL, Kind.PHONE})
# Numbers that may be anybody's or anything's.
OF_ANYTHING = frozenset(["labelled-id", "number-sign", "id-then-code"])


def ask_model(
    view: View,
    found: list[Mention],
    model: Reader,
    part: int,
    *,
    places: Spans | None = None,
    budget: int | None = None,
) -> tuple[list[Mention], int]:
    """Have doubtful sentences read, and say how many characters; what stands is not touched."""
    taken = sorted((m.start, m.end) for m in found)
    chosen = sentences(view, taken, places, budget)
    if not chosen:
        return [], 0
    answers = model.read([view.text[start:end] for start, end in chosen])
    more: list[Mention] = []
    for (start, _), entities in zip(chosen, answers, strict=True):
        for entity in entities:
            mention = believe(
                view, entity._replace(start=entity.start + start, end=entity.end + start), part
            )
            if mention and is_free(mention.start, mention.end, taken):
                more.append(mention)
    return more, sum(end - start for start, end in chosen)


def sentences(
    view: View, taken: Spans, places: Spans | None = None, budget: int | None = None
) -> Spans:
    """The sentences with the most doubt first, as far as the budget goes.

    Only those with words side by side, when places are given: one word alone names nobody there.
    """
    doubts: dict[int, int] = {}
    doubtful = [
        (run, weight)
        for run in runs(view, every=places is None)
        if (weight := doubt(view, run)) > (places is not None) and is_open(view, run, taken, places)
    ]
    if not doubtful:
        return []
    bounds = [*sentence_starts(view.text), len(view.text)]
    for run, weight in doubtful:
        number = bisect_right(bounds, view.starts[run.first]) - 1
        doubts[number] = max(doubts.get(number, 0), weight)
    left = len(view.text) if budget is None else budget
    chosen = []
    for number in sorted(doubts, key=lambda number: (-doubts[number], number)):
        start, end = bounds[number], min(bounds[number + 1], bounds[number] + LONGEST)
        if end - start > left:
            break
        left -= end - start
        chosen.append((start, end))
    return sorted(chosen)


def is_open(view: View, run: Run, taken: Spans, places: Spans | None) -> bool:
    """Whether nothing is found there yet, and it stands where a name would matter."""
    start, end = view.page.original(view.starts[run.first], view.ends[run.last - 1])
    if places is not None and is_free(start, end, places):
        return False
    return is_free(start, end, taken)


def doubt(view: View, run: Run) -> int:
    """2 for words side by side, 1 for one word, 0 where there is nothing to ask."""
    if view.modes[run.first] != PLAIN or is_thing(view, run):
        return 0
    able = [at for at in range(*run) if able_to_name(view, at, said=True)]
    return min(len(able), 2)


def able_to_name(view: View, at: int, *, said: bool = False) -> bool:
    """Whether a word may be part of a name; `said`: the model has called it one."""
    if view.shapes[at] & (ALL_CAPS | NUMBER) or view.words[at] & (
        NEVER | THING | UNIT | INSTITUTION
    ):
        return False
    if not view.shapes[at] & CAPITAL:
        return False
    listed = view.names[at] & (FIRST | LAST)
    if listed and said:
        return True
    if view.shapes[at] & MIXED and not listed:
        return False
    if view.words[at] & EPONYM:
        return False
    return not view.names[at] & WORD or bool(view.names[at] & MOSTLY_FIRST)


def believe(view: View, entity: Entity, part: int) -> Mention | None:
    """Accept what the dictionaries do not speak against."""
    first = bisect_left(view.starts, entity.start)
    last = bisect_left(view.starts, entity.end)
    person = entity.what == "person"
    while first < last and not able_to_name(view, first, said=person):
        first += 1
    while first < last and not able_to_name(view, last - 1, said=person):
        last -= 1
    run = Run(first, last)
    if first >= last or is_thing(view, run):
        return None
    start, end = view.page.original(view.starts[first], view.ends[last - 1])
    if entity.what == "place":
        return Mention(Kind.PLACE, part, start, end, PLACE, "place-model", ("model",))
    confidence = PAIR if last - first > 1 else LONE
    given, family = given_and_family(view, run, titled=False)
    return Mention(
        Kind.PERSON, part, start, end, confidence, "name-model", ("model",), "", given, family,
        form=form_of_words(given, family, titled=False),
    )  # fmt: skip


def names_nobody(case: Case, found: list[list[Mention]]) -> bool:
    """Whether it speaks of health and of nobody yet: then the model may change the answer."""
    if not any(finding.kind in HEALTH_KINDS for finding in case.findings):
        return False
    return not any(
        mention.kind is Kind.PERSON
        and mention.role not in BYSTANDERS
        and mention.confidence > LOOSE
        for mentions in found
        for mention in mentions
    )


def identifying_places(case: Case) -> dict[int, Spans]:
    """Where a name would be somebody: beside a number, an address, a birth date or an age.

    Elsewhere linking makes nobody of a name without a role, whatever the model calls it.
    """
    spans: dict[int, Spans] = {}
    for finding in (*case.findings, *case.facts.get("quasi", ())):
        tells = finding.kind in {Kind.ADDRESS, Kind.AGE} or "birth" in finding.rule_id
        if tells or (finding.kind in DIRECT and finding.rule_id not in OF_ANYTHING):
            around = (finding.start - HEADER, finding.end + HEADER)
            spans.setdefault(finding.part, []).append(around)
    return {part: merged(some) for part, some in spans.items()}


def merged(spans: Spans) -> Spans:
    """Sorted and separate."""
    apart: Spans = []
    for start, end in sorted(spans):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart
