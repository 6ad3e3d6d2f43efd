"""Take confidential topics out of a text: single terms first, then groups, until nothing is left.

In: drafts of the parts of one document.  Out: the same drafts changed; what still stands, in bits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlp.knowledge.cooccurrence import TOKEN
from dlp.knowledge.marks import REMOVED, marked
from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.topic_words import KIND_WORDS
from dlp.model import Context
from dlp.sanitise.codes import CodeFinder
from dlp.sanitise.disclosure import CONTEXT_TERMS, Disclosure, Risk
from dlp.sanitise.generalise import Choice, Generaliser, bits_of
from dlp.sanitise.plan import Against, Edit, Plan
from dlp.sanitise.protected_topics import Topic
from dlp.sanitise.remaining_disclosure import PARAGRAPH, SENTENCE, Remaining, contexts
from dlp.sanitise.replacement_grammar import fit, is_verb
from dlp.sanitise.term_finder import Term, TermFinder
from dlp.sanitise.text_edits import Draft, Stretches
from dlp.sanitise.word_disclosure import PlainWords
from dlp.text.context import load_contexts

MEASURED = frozenset({"test", "procedure", "provider"})  # a negative one is still one
RESULT = re.compile(
    r"\W{1,3}(?:(?:was|is|were|are|came back) )?(?:neg(?:ative)?|non-?reactive|not detected)\b",
    re.IGNORECASE,
)
BETWEEN = re.compile(r" ?[/,;&+-] ?(?:and |or )?| (?:and|or) ")
REMEMBERED = 2_000  # texts
ROUNDS = 16  # each goes up the tree; no tree is deeper, and the last one removes
COMPANY = frozenset({"together", "words"})  # reasons that lie in what stands beside a term
Pages = Sequence[Sequence[Term]]


class Confidential:
    """Decides once for a term and keeps to it, in every file; in one document for its company.

    A decision about a group or words ends there: the next file gives no reason for it.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.disclosure = Disclosure(plan.topics, plan.alpha)
        self.finder = TermFinder(plan.topics)
        self._codes = CodeFinder(self.disclosure, self.finder.find)
        self._generaliser = Generaliser(self.disclosure, self.finder)
        # by the languages of a document: what is generalised in English is removed in others
        self._chosen_in: dict[tuple[str, ...], dict[str, tuple[Choice, Risk]]] = {}
        self._chosen = self._chosen_in.setdefault((), {})
        self._mesh = load_mesh()
        self._contexts = load_contexts()
        said = (phrase.instead for topic in plan.topics for phrase in topic.phrases)
        self.plain = PlainWords(
            plan.topics,
            plan.alpha,
            self.disclosure.information,
            said,
            everywhere=plan.against is Against.WORDS,
        )
        self._left_out: dict[str, Risk] = {}
        self._found: dict[str, list[Term]] = {}  # each round reads again what did not change

    def begin(self, languages: tuple[str, ...] = ()) -> None:
        """A new document: forget what others of its kind had to give up for their company."""
        self._left_out.clear()
        if languages != self.finder.languages:
            self.finder.languages = languages
            self._found.clear()
        kept = self._chosen_in.get(languages, {}).items()
        self._chosen = {key: pair for key, pair in kept if pair[1].why not in COMPANY}
        self._chosen_in[languages] = self._chosen

    @property
    def _removes(self) -> bool:
        """Whether terms are removed rather than generalised: there are only English words."""
        return self._plan.removes or bool(self.finder.languages)

    def sanitise(self, drafts: Sequence[Draft]) -> None:
        if not self._plan.topics:
            return
        for number in range(ROUNDS):
            last = number == ROUNDS - 1
            self._generalise(drafts, remove=last)
            if not self._leave_out(drafts, remove=last):
                break

    def _generalise(self, drafts: Sequence[Draft], *, remove: bool) -> None:
        """Terms alone and in groups, until all that are left may stay."""
        for number in range(ROUNDS):
            pages = [self.terms(draft.text) for draft in drafts]
            last = remove or number == ROUNDS - 1
            self._judge_terms(pages, remove=last)
            if self._apply(drafts, pages):
                continue
            texts = [draft.text for draft in drafts]
            if not self._judge_groups(texts, pages, remove=last) or not self._apply(drafts, pages):
                break

    def _leave_out(self, drafts: Sequence[Draft], *, remove: bool) -> bool:
        """Words that tell too much; what is left out once is left out everywhere.

        Whether anything was: a term or phrase may read otherwise without its neighbour.
        """
        pages = [self.terms(draft.text) for draft in drafts]
        for draft, page in zip(drafts, pages, strict=True):
            self._left_out |= self.plain.risky(draft.text, page)
        changed = self._judge_wordings(pages, remove=remove) and self._apply(drafts, pages)
        for draft in drafts:
            ours = [(start, end) for start, end, edit in draft.written() if edit.kind == "term"]
            edits: dict[tuple[int, int], Edit] = {}
            for p in self.plain.places(draft.text, self.terms(draft.text)):
                if p.word in self._left_out and not p.inside:
                    # Half a replacement says nothing: "neurological […]".
                    held = (one for one in ours if one[0] <= p.start and p.end <= one[1])
                    place = next(held, (p.start, p.end))
                    why = f"words {self._left_out[p.word].topic}"
                    edits[place] = Edit(*place, REMOVED, why, "word")
            draft.change(edits.values())
            changed = changed or bool(edits)
        return changed

    def _judge_wordings(self, pages: Pages, *, remove: bool) -> bool:
        """Terms that hold a word left out; whether anything was decided."""
        if self._plan.against is not Against.WORDS:
            return False
        decided = False
        for term in (term for page in pages for term in page):
            held = self._held(term.text)
            if held and term.key not in self._chosen:
                self._chosen[term.key] = (self._unworded(term, remove=remove), held[0])
                decided = True
        return decided

    def _unworded(self, term: Term, *, remove: bool) -> Choice:
        if remove or self._removes:
            return Choice(REMOVED, noun=False)
        return next(c for c in self._generaliser.choices(term) if not self._held(c.words))

    def _held(self, text: str) -> list[Risk]:
        words = TOKEN.findall(text.lower())
        return [self._left_out[word] for word in words if word in self._left_out]

    def terms(self, text: str) -> list[Term]:
        if text not in self._found:
            if len(self._found) > REMEMBERED:
                self._found.clear()
            terms = self.finder.find(text)
            found = [term for term in terms if not marked(text, term.start, term.end)]
            self._found[text] = _with_codes(found, self._codes.find(text, found))
        return self._found[text]

    def bits(self, term: Term) -> float:
        return bits_of(term, self.disclosure)

    def _judge_terms(self, pages: Pages, *, remove: bool) -> None:
        for page in pages:
            for term in page:
                if term.key not in self._chosen and (risk := self.disclosure.of_term(term)):
                    self._chosen[term.key] = (self._choice(term, remove=remove), risk)

    def _choice(self, term: Term, *, remove: bool) -> Choice:
        if remove or self._removes:
            return Choice(REMOVED, noun=False)
        return next(self._generaliser.choices(term))

    def _apply(self, drafts: Sequence[Draft], pages: Pages) -> bool:
        changed = False
        for draft, page in zip(drafts, pages, strict=True):
            chosen = [term for term in page if term.key in self._chosen]
            meant = self._contexts.of(draft.text, [(term.start, term.end) for term in chosen])
            edits = [
                self._edit(draft.text, term, denied=Context.NEGATED in contexts)
                for term, contexts in zip(chosen, meant, strict=True)
            ]
            edits = _once(draft.text, edits)
            moving = [e for e in edits if draft.text[e.start : e.end] != e.text]
            draft.change(moving)
            changed = changed or bool(moving)
        return changed

    def _edit(self, text: str, term: Term, *, denied: bool) -> Edit:
        choice, risk = self._chosen[term.key]
        if denied and not term.instead and term.kind not in MEASURED:
            choice = _denied(text, term)
        elif choice.noun and not term.instead and is_verb(text, term.start, term.end):
            choice = Choice(REMOVED, noun=False)
        start, words = fit(text, term.start, term.end, choice.words, noun=choice.noun)
        end = term.end
        if stutters(words, text[end : end + len(words) + 2]):  # "psychiatric facility"
            words, end = words[: -len(words.rsplit(maxsplit=1)[-1])], end + 1
        return Edit(
            start=start,
            end=end,
            text=words,
            reason=f"{risk.why} {risk.topic}",
            kind="term",
            before=self.bits(term),
            after=min(choice.bits, self.bits(term)),
            concept="" if choice.concept is None else self._mesh.ids[choice.concept],
        )

    # -- groups

    def _judge_groups(self, texts: Sequence[str], pages: Pages, *, remove: bool) -> bool:
        """Break up groups, sentences before paragraphs; whether anything was decided."""
        often = Counter(term.key for page in pages for term in page)
        for pattern in (SENTENCE, PARAGRAPH):
            decided = False
            for text, page in zip(texts, pages, strict=True):
                for context in contexts(text, page, pattern):
                    decided |= self._break_up(context, often, remove=remove)
            if decided:
                return True
        return self._judge_beside(pages, remove=remove)

    def _judge_beside(self, pages: Pages, *, remove: bool) -> bool:
        """Terms anywhere in the document that tell too much beside what a topic became."""
        members = {t.concepts[0]: t for page in pages for t in page if _grouped(t)}
        decided = False
        for topic, left in self.left(pages):
            for concept, ratio in self.disclosure.beside(topic, left, members):
                term = members[concept]
                if not self.disclosure.risky(ratio) or term.key in self._chosen:
                    continue
                group = tuple(sorted((left, concept)))
                choice = self._way_out(topic.name, group, concept, term, remove=remove)
                self._chosen[term.key] = (
                    choice or Choice(REMOVED, noun=False),
                    Risk(topic.name, "together", ratio),
                )
                decided = True
        return decided

    def left(self, pages: Pages) -> Iterator[tuple[Topic, int]]:
        """The generalisations that stand for what named a topic."""
        present = {c for page in pages for term in page for c in term.concepts}
        for topic in self.disclosure.topics:
            chosen = {
                choice.concept
                for choice, risk in self._chosen.values()
                if risk.topic == topic.name and risk.why == "names" and choice.concept is not None
            }
            if topic.counted:
                yield from ((topic, concept) for concept in sorted(chosen & present))

    def _break_up(self, context: Sequence[Term], often: Counter[str], *, remove: bool) -> bool:
        members = {term.concepts[0]: term for term in context if term.concepts}
        if len(members) > CONTEXT_TERMS:
            return False
        risky = [
            (topic, group, ratio)
            for topic, group, ratio in self.disclosure.groups(list(members))
            if self.disclosure.risky(ratio)
        ]
        decided = False
        for topic, group, ratio in sorted(risky, key=lambda r: (len(r[1]), -r[2], r[1])):
            if any(members[c].key in self._chosen for c in group):
                continue  # broken up already
            options = [
                (option, members[c])
                for c in group
                if (option := self._way_out(topic.name, group, c, members[c], remove=remove))
            ]
            choice, term = min(options, key=lambda o: self._loss(o[0], o[1], often))
            self._chosen[term.key] = (choice, Risk(topic.name, "together", ratio))
            decided = True
        return decided

    def _way_out(
        self, name: str, group: tuple[int, ...], member: int, term: Term, *, remove: bool
    ) -> Choice | None:
        """The most specific generalisation of one member that makes the group safe."""
        topic = next(t for t in self.disclosure.topics if t.name == name)
        if remove or self._removes:
            return Choice(REMOVED, noun=False)
        others = tuple(c for c in group if c != member)
        for choice in self._generaliser.choices(term):
            if choice.concept is None or choice.concept in others:
                return choice
            ratio = self.disclosure.ratio(topic, *sorted((*others, choice.concept)))
            if ratio is None or not self.disclosure.risky(ratio):
                return choice
        return None

    def _loss(self, choice: Choice, term: Term, often: Counter[str]) -> tuple[float, str]:
        return (self.bits(term) - choice.bits) * often[term.key], term.key

    # -- what is left

    def remaining(self, texts: Sequence[str]) -> Remaining:
        left = Remaining()
        disclosure = self.disclosure
        for text in texts:
            page = self.terms(text)
            for name, ratio in self.plain.most(text, page).items():
                left.note(left.words, name, ratio)
            for term in page:
                if risk := disclosure.of_term(term):
                    left.note(left.terms, risk.topic, risk.ratio)
                for topic in () if term.allergy else disclosure.topics:
                    ratios = [disclosure.ratio(topic, c) for c in term.concepts if topic.counted]
                    left.note(left.terms, topic.name, max((r or 0.0 for r in ratios), default=0.0))
            for pattern in (SENTENCE, PARAGRAPH):
                for context in contexts(text, page, pattern):
                    members = {term.concepts[0] for term in context if term.concepts}
                    if len(members) > CONTEXT_TERMS:
                        left.unchecked += 1
                        continue
                    for topic, _, ratio in disclosure.groups(sorted(members)):
                        left.note(left.groups, topic.name, ratio)
        self._note_beside(left, [self.terms(text) for text in texts])
        return left

    def _note_beside(self, left: Remaining, pages: Pages) -> None:
        members = [t.concepts[0] for page in pages for t in page if _grouped(t)]
        for topic, concept in self.left(pages):
            became, ident = left.beside.setdefault(topic.name, {}), self._mesh.ids[concept]
            became.setdefault(ident, 0.0)
            for _, ratio in self.disclosure.beside(topic, concept, members):
                left.note(left.groups, topic.name, ratio)
                left.note(became, ident, ratio)


def _once(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """Of neighbours in a list that became the same words, one: "A / B / C" is "a medicine"."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda one: one.start):
        last = kept[-1] if kept else None
        if last and _is_repeated(text, last, edit):
            bits = {"before": last.before + edit.before, "after": last.after + edit.after}
            kept[-1] = replace(last, end=edit.end, **bits)  # type: ignore[arg-type]
        else:
            kept.append(edit)
    return kept


def _is_repeated(text: str, last: Edit, edit: Edit) -> bool:
    same = last.text.lower() == edit.text.lower()
    kind = last.text.rpartition(" ")[2].lower()  # "the body part, body part fluid" has two
    whole = kind in KIND_WORDS.values() or last.text == REMOVED
    return same and whole and BETWEEN.fullmatch(text, last.end, edit.start) is not None


def _denied(text: str, term: Term) -> Choice:
    """Who never had a disease may have had another of its class: no wider word stays true."""
    tested = text[max(0, term.start - 4) : term.start].lower() == "for "
    if term.kind == "disease" and RESULT.match(text, term.end) and not tested:
        return Choice(KIND_WORDS["test"])
    return Choice(REMOVED, noun=False)


def stutters(words: str, behind: str) -> bool:
    """Whether the last word of a replacement is the next word of the text."""
    last = words.rsplit(maxsplit=1)[-1] if words.split() else ""
    said = re.match(rf" {re.escape(last)}(?!\w)", behind, re.IGNORECASE)
    return last.isalpha() and said is not None


def _with_codes(terms: list[Term], codes: list[Term]) -> list[Term]:
    """Both in order; a term that shares a letter with a code gives way."""
    if not codes:
        return terms
    taken = Stretches((code.start, code.end) for code in codes)
    rest = [term for term in terms if not taken.meet(term.start, term.end)]
    return sorted((*rest, *codes), key=lambda term: term.start)


def _grouped(term: Term) -> bool:
    return bool(term.concepts) and not term.allergy
