"""Techniques that still hide a leak; bench/results/security.md says why."""

UNSEEN = frozenset({})
