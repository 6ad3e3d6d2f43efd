"""One text sanitised by itself, or with a sanitiser that knows others."""

from dlp.sanitise.sanitiser import Sanitiser


def sanitise_text(text, findings, plan, subjects=()):
    sanitiser = plan if isinstance(plan, Sanitiser) else Sanitiser(plan)
    return sanitiser.document([(text, findings)], subjects).pages[0]
