"""Find, score and safely remove personal health information on file shares.

In: directories.  Out: verdicts, reversible actions, certificates.
"""

__version__ = "0.2.0"
