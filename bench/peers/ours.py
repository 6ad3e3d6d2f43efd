"""Ours on the same texts; the second argument says what of it.

`never`, `auto`: the whole cascade, with this detect.model. `identifiers`: only what pattern matchers
do as well, our 134 rules with their proofs.
"""

import gc
import io
import sys

import serving

from dlp import __version__
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.detect.identify import validators
from dlp.detect.identify.identifiers import find_identifiers
from dlp.engine.worker import OBJECTS_BETWEEN_COLLECTIONS
from dlp.model import FileRef

gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)  # as in a worker
if sys.argv[2] == "identifiers":
    validators.preload()

    def analyse(text):
        return len(find_identifiers(text))

else:
    analysis = Analysis(Settings(detect={"model": sys.argv[2]}))
    analysis.warm()

    def analyse(text):
        return len(analysis(FileRef("bench", b"note.txt"), io.BytesIO(text.encode()))["findings"])


serving.serve(analyse, {"dlp": __version__})
