"""scrubadub with its default detectors."""

from importlib.metadata import version

import scrubadub
import serving

scrubber = scrubadub.Scrubber()
serving.serve(
    lambda text: sum(1 for _ in scrubber.iter_filth(text)), {"scrubadub": version("scrubadub")}
)
