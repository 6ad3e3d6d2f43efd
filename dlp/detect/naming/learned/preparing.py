"""Write down what a model's package says, as its library understands it.

In: an installed model.  Out: a table that package.py reads; nothing for a model of another build
(vectors of words, other features, a walk with more to look at).
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Any

from dlp.detect.naming.learned.library import NEEDLESS
from dlp.detect.naming.learned.package import parts_of
from dlp.detect.naming.learned.places import folder_of
from dlp.resources import ourselves

if TYPE_CHECKING:
    from spacy.language import Language

FEATURES = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
SHARES = 3  # of the walk: the token, the first of the open entity, the one before


def ask_library(name: str) -> dict[str, Any] | None:
    """What the model of this name says, by a process of its own: its library is large."""
    command = [*ourselves("dlp.detect.naming.learned.preparing"), name]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603 - ourselves
    found: dict[str, Any] | None = json.loads(done.stdout)
    return found


def told_of(name: str) -> dict[str, Any] | None:
    folder = folder_of(name)
    if folder is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = importlib.import_module(name)
        language = package.load(exclude=NEEDLESS)
    return told_by(language, bytes(parts_of(folder)[-1]))


def told_by(language: Language, weights: bytes) -> dict[str, Any] | None:
    tokenizer: Any = language.tokenizer
    tagger: Any = language.get_pipe("ner")
    network = network_of(tagger.model, weights)
    if network is None or tokenizer.token_match is not None or not tokenizer.faster_heuristics:
        return None
    return {
        **network,
        "moves": {str(kind): dict(of) for kind, of in tagger.moves.labels.items()},
        "rules": rules_of(tokenizer),
        "norms": norms_of(language),
        "numbers": importlib.import_module("spacy.strings").SYMBOLS_BY_STR,
    }


def network_of(model: Any, weights: bytes) -> dict[str, Any] | None:
    """Where in the file each array stands, if the layers are those we know."""
    nodes = {
        kind: [node for node in model.walk() if node.name == kind]
        for kind in ("extract_features", "hashembed", "maxout", "layernorm", "expand_window")
    }
    lower, upper = model.get_ref("lower"), model.get_ref("upper")
    reduce = model.get_ref("tok2vec").layers[-1]
    same = (
        [node.attrs["columns"] for node in nodes["extract_features"]] == [FEATURES]
        and len(nodes["maxout"]) == len(nodes["layernorm"]) == len(nodes["expand_window"]) + 1
        and {node.attrs["window_size"] for node in nodes["expand_window"]} == {1}
        and lower.get_dim("nF") == SHARES
        and not model.attrs["unseen_classes"]
    )
    if not same:
        return None
    arrays = {
        **{f"table.{at}": node.get_param("E") for at, node in enumerate(nodes["hashembed"])},
        **{f"reduce.{what}": reduce.get_param(what) for what in ("W", "b")},
        **{f"lower.{what}": lower.get_param(what) for what in ("W", "b", "pad")},
        **{f"upper.{what}": upper.get_param(what) for what in ("W", "b")},
    }
    for at, (sums, norm) in enumerate(zip(nodes["maxout"], nodes["layernorm"], strict=True)):
        arrays |= {f"{at}.{what}": sums.get_param(what) for what in ("W", "b")}
        arrays |= {f"{at}.G": norm.get_param("G"), f"{at}.shift": norm.get_param("b")}
    places = {name: weights.find(array.tobytes()) for name, array in arrays.items()}
    if min(places.values()) < 0:
        return None
    return {
        "arrays": {name: [places[name], *array.shape] for name, array in arrays.items()},
        "layers": len(nodes["maxout"]),
        "seeds": [node.attrs["seed"] for node in nodes["hashembed"]],
    }


def rules_of(tokenizer: Any) -> dict[str, Any]:
    symbols = importlib.import_module("spacy.symbols")

    def pieces(rule: Any) -> list[tuple[str, str]]:
        return [(one[symbols.ORTH], one.get(symbols.NORM, "")) for one in rule]

    exceptions = {text: pieces(rule) for text, rule in tokenizer.rules.items()}
    tokenizer.rules = {}  # how it cuts them when it does not know them
    torn = [
        [token.text for token in tokenizer(text)]
        for text in exceptions
        if tokenizer.find_prefix(text)
        or tokenizer.find_infix(text)
        or tokenizer.find_suffix(text)
        or " " in text
    ]
    return {
        "prefix": tokenizer.prefix_search.__self__.pattern,
        "suffix": tokenizer.suffix_search.__self__.pattern,
        "infix": tokenizer.infix_finditer.__self__.pattern,
        "whole": tokenizer.url_match.__self__.pattern,
        "exceptions": exceptions,
        "torn": sorted(torn),
    }


def norms_of(language: Language) -> dict[int, str]:
    """Words that stand for another, by number, for the package names them by nothing else.

    What the model brings goes before what the library knows.
    """
    base = importlib.import_module("spacy.lang.norm_exceptions").BASE_NORMS
    numbers = importlib.import_module("spacy.strings").get_string_id
    brought = language.vocab.lookups.get_table("lexeme_norm", {})
    return {**{numbers(word): norm for word, norm in base.items()}, **dict(sorted(brought.items()))}


if __name__ == "__main__":
    json.dump(told_of(sys.argv[1]), sys.stdout)
