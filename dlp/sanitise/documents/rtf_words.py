"""Know the words of RTF that a rewritten file may keep.

In: nothing.  Out: tables for the RTF rewriter.
"""

from __future__ import annotations

# Destinations that stay, with or without a star; every other starred one goes.
KEPT = frozenset({
    "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "listoverride",
    "list", "listlevel", "leveltext", "levelnumbers", "listname", "listtext", "liststylename",
    "pn", "pntext", "pntxta", "pntxtb", "pnseclvl", "header", "headerl", "headerr", "headerf",
    "footer", "footerl", "footerr", "footerf", "footnote", "ftnsep", "ftnsepc", "ftncn",
    "aftnsep", "aftnsepc", "aftncn", "field", "fldinst", "fldrslt", "shp", "shpinst", "shpgrp",
    "shptxt", "sp", "sn", "sv", "shppict", "pict", "picprop", "object", "result", "panose",
    "falt", "cs", "ds", "ts", "tsrowd", "do", "dptxbxtext", "rtf", "defchp", "defpap", "ud",
    "blipuid",
})  # fmt: skip
# Destinations without a star that go.
DROPPED = frozenset({
    "info", "upr", "nonshppict", "shprslt", "objdata", "objclass", "objname", "objalias",
    "objsect", "xe", "tc", "tcn", "rxe", "private", "comment", "nextfile", "template",
    "filetbl", "doccomm", "annotation", "atnid", "atnauthor", "atnref", "atndate", "atntime",
    "atnicn", "atnparent", "atrfstart", "atrfend", "bkmkstart", "bkmkend", "revtbl", "rsidtbl",
    "docvar", "userprops", "formfield", "datafield", "generator", "mmathPr", "themedata",
    "colorschememapping", "latentstyles", "datastore", "xmlnstbl", "htmltag", "mhtmltag", "txe",
    "title", "subject", "author", "operator", "keywords", "category", "company", "manager",
    "linkval", "propname", "staticval", "txfieldtext", "passwordhash", "password", "hlinkbase",
    "printim", "creatim", "revtim", "buptim", "writereservation", "writereservhash",
    "protusertbl", "fchars", "lchars",
})  # fmt: skip
# Texts of their own: their words do not join those around them.
APART = frozenset({
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf",
    "footnote", "shptxt", "fldinst", "stylesheet", "fonttbl", "listname", "leveltext", "sv",
    "sn", "pntext", "listtext", "dptxbxtext", "pntxta", "pntxtb", "falt", "panose", "colortbl",
    "liststylename",
})  # fmt: skip
# Who changed what and when, and marks of earlier programs.
FORGOTTEN = frozenset({
    "deleted", "revised", "revauth", "revdttm", "revauthdel", "revdttmdel", "crauth", "crdate",
    "revprot", "revisions", "insrsid", "charrsid", "delrsid", "pararsid", "sectrsid", "styrsid",
    "tblrsid", "rsid", "rsidroot", "fromhtml", "fromtext", "htmlrtf", "mvf", "mvt", "mvauth",
    "mvdate", "trauth", "trdate", "bin", "dfrauth", "dfrdate", "srauth", "srdate", "prauth",
    "prdate", "oldcprops",
})  # fmt: skip
CHARACTERS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "bullet": "•", "emspace": " ", "enspace": " ",
}  # fmt: skip
SIGNS = {"tab": "\t", "line": "\n", "lbr": "\n", "softline": "\n"}
ENDS = frozenset({"par", "cell", "nestcell", "row", "nestrow", "sect", "page", "column"})
CHARSETS = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
