"""The risk of rows that are given as columns of cells."""

from dlp.sanitise.tables.records import group_rows
from dlp.sanitise.tables.risk import assess_classes, number_cells


def assess_rows(columns, k=2, population=None):
    counts = group_rows([number_cells(column) for column in columns], len(columns[0]))[2]
    return assess_classes(counts, k, population)
