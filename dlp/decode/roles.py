"""What a part is in its document, by its locator: body, header, note, comment, property ...

In: a part.  Out: PartRole; the part that a file's name makes.

Readers name their parts by where the text stood, and the names are the same in all formats, so
the roles are one table. A name that is not listed is text that a reader of the file sees: body.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dlp.model import Part, PartRole

ROLES = {
    PartRole.HEADER_FOOTER: "header footer headers footers",
    PartRole.NOTE: "footnotes endnotes notes",
    PartRole.COMMENT: "comments annotations threaded deleted",
    PartRole.FORM_FIELD: "form forms xfa",
    PartRole.MAIL_HEADER: "routing transport recipients",
    PartRole.FILE_NAME: "names file_name attachments",
    PartRole.PROPERTY: """
        properties metadata meta title settings styles numbering fonts web theme labels editors
        people part_names links custom thumbnail xmp attributes outline scripts strings streams
        schema doctype zip xml_comments glossary layout master masters notes_master handout_master
        presentation presentation_settings view table_styles tags diagram_colours diagram_style
        diagram_layout drawing_old printer connections external query slicer workbook formulas
        xfa_template fields values phonetic unused markup revisions part other leftovers
        binary alternates defaults
    """,
}
ROLE_OF = {name: role for role, names in ROLES.items() for name in names.split()}
# Parts that only print what somebody may fill in or overwrite.
TEMPLATES = frozenset({"xfa_template", "glossary", "layout", "master", "masters", "notes_master"})
NUMBER = re.compile(r":.*")
SEPARATORS = str.maketrans(dict.fromkeys("_-+.,()[]{}~#=;&@!'", " "))
WORD = re.compile(r"[^\W\d_]{3,}")


def role_of(part: Part) -> PartRole:
    """The role its reader gave a part, or the role of its locator."""
    if part.role is not PartRole.BODY or part.locator == "body":
        return part.role
    role = role_of_locator(part.locator)
    # A mail's header lines are labelled; those of a page are text.
    if role is PartRole.MAIL_HEADER and part.fields is None and part.locator.endswith("headers"):
        return PartRole.HEADER_FOOTER
    return role


@lru_cache(maxsize=4096)
def is_template(locator: str) -> bool:
    """Whether a part holds the printed text of a form or the sample text of a layout."""
    steps = (NUMBER.sub("", step).split(".")[0] for step in locator.split("/"))
    return any(step in TEMPLATES for step in steps)


@lru_cache(maxsize=4096)
def role_of_locator(locator: str) -> PartRole:
    """The role by the last step of a locator, or by a container that holds no body text."""
    steps = locator.split("/")
    for step in steps[:-1]:
        outer = ROLE_OF.get(NUMBER.sub("", step))
        if outer is PartRole.PROPERTY or outer is PartRole.FORM_FIELD:
            return outer
    names = [NUMBER.sub("", name) for name in steps[-1].split(".")]
    if names == ["headers"]:
        return PartRole.MAIL_HEADER
    if names[0] == "sheet" and names[-1] == "notes":
        return PartRole.COMMENT
    roles = [ROLE_OF[name] for name in names if name in ROLE_OF]
    # "styles.headers" are a page's headers, "header:1.labels" the names of controls
    return roles[-1] if roles else PartRole.BODY


def name_part(name: str) -> Part | None:
    """A file's own name as a part, if it carries words.

    The signs that join words in file names become blanks; the length stays.
    """
    stem = name.rpartition(".")[0] or name
    text = stem.replace("%20", "   ").translate(SEPARATORS)
    return Part("file_name", text, role=PartRole.FILE_NAME) if WORD.search(text) else None
