"""Techniques that still hide a leak; bench/results/security.md says why."""

UNSEEN = frozenset({
    "ascii behind utf-16.txt", "ebcdic behind ascii.txt", "high bit set.txt", "tar padding.tar",
    "html right to left.html", "pdf letter by letter.pdf", "small scan under a text.pdf",
    "postscript a letter.ps", "pcl a move a word.prn", "reversed.txt",
    "lines reversed.txt", "xlsx formula of character codes.xlsx",
})  # fmt: skip
