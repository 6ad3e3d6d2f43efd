"""Our whole cascade, every stage on every text; the second argument is detect.model."""

import io
import sys

import serving

from dlp import __version__
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef

analysis = Analysis(Settings(detect={"model": sys.argv[2]}))
analysis.warm()


def analyse(text):
    return len(analysis(FileRef("bench", b"note.txt"), io.BytesIO(text.encode()))["findings"])


serving.serve(analyse, {"dlp": __version__})
