"""The structure of plain text: sections, blocks, labelled fields, tables, check boxes and answers.

In: the text of a part.  Out: spans into it, for the scanner, the sanitiser and tables alike.
"""
