"""Know the words of RTF: where their text belongs and which characters they stand for.

In: nothing.  Out: tables for the RTF reader.
"""

from __future__ import annotations

import codecs

SKIP = ""
BODY = "body"

# Destination -> stream. Groups that hold no words of people go to SKIP.
DESTINATIONS = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "headers"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footers"),
    "footnote": "footnotes",
    "annotation": "comments",
    **dict.fromkeys(("atnauthor", "atnid", "revtbl", "protusertbl"), "editors"),
    "fldinst": "fields",
    **dict.fromkeys(("shptxt", "dptxbxtext"), "textboxes"),
    "shprslt": "textboxes",
    **dict.fromkeys(
        (
            "bkmkstart", "xe", "tc", "tcn", "docvar", "ffname", "ffdeftext", "ffl", "ffstattext",
            "ffhelptext", "objclass", "objname", "objalias", "objsect", "mmquery", "mmconnectstr",
            "mmheadersource", "mmdatasource", "nextfile", "filetbl", "hlloc", "hlsrc", "hlfr", "sv",
            "xmlattrvalue", "xmlname", "factoidname", "writereservhash", "listname", "tbltitle",
        ),
        "labels",
    ),
    "htmltag": "markup",
    **dict.fromkeys(
        (
            "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl",
            "generator", "pgptbl", "latentstyles", "colorschememapping", "themedata", "xmlnstbl",
            "bkmkend", "creatim", "revtim", "printim", "buptim", "pnseclvl", "panose", "falt",
            "blipuid", "picprop", "sn", "passwordhash", "atrfstart", "atrfend", "atndate", "atnref",
            "atnparent", "atntime", "atnicn", "mmathPr", "fchars", "lchars", "datafield", "pntxtb",
            "pntxta", "pn", "ebcstart", "ebcend", "wgrffmtfilter", "upr", "listpicture",
            "oldcprops", "oldpprops", "oldsprops", "oldtprops", "leveltext", "levelnumbers", "hsv",
            "nonshppict", "aftnsep", "aftnsepc", "ftnsep", "ftnsepc", "aftncn", "ftncn", "propname",
            "staticval",
        ),
        SKIP,
    ),
}  # fmt: skip
# Destinations that read on in the stream around them.
THROUGH = frozenset({
    "rtf", "field", "fldrslt", "shp", "shpinst", "shpgrp", "shppict", "sp", "object", "result",
    "listtext", "pntext", "info", "userprops", "ud", "do", "formfield", "mailmerge", "ffresult",
    "mhtmltag", "background", "xmlopen", "xmlattr",
})  # fmt: skip
PROPERTIES = frozenset({
    "title", "subject", "author", "operator", "manager", "company", "category", "keywords",
    "comment", "doccomm", "hlinkbase", "template",
})  # fmt: skip
NAMED = frozenset({"propname", "staticval", "sn"})  # names of properties, and one's value
BINARY = frozenset({"pict", "objdata", "datastore"})
# Of the many properties of a shape, those whose value is words.
SPOKEN_SHAPE = frozenset({
    "wzDescription", "wzName", "gtextUNICODE", "pihlShape", "wzTooltip", "wzLineId", "pibName",
    "wzSigSetupSuggSigner", "wzSigSetupSuggSigner2", "wzSigSetupSuggSignerEmail", "metroBlob",
})  # fmt: skip

CHARACTERS = {
    **dict.fromkeys(("par", "line", "sect", "page", "row", "nestrow", "column", "softline"), "\n"),
    **dict.fromkeys(("cell", "nestcell", "tab"), "\t"),
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022",
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
}  # fmt: skip
CODEPAGES = {
    0: "cp1252", 2: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab",
    134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437",
    255: "cp850",
}  # fmt: skip


def codec_of(codepage: int) -> str:
    """Name the codec of a Windows code page number; the western one when nobody knows it."""
    special = {65001: "utf-8", 10000: "mac-roman", 936: "gbk", 1200: "utf-16-le"}
    name = special.get(codepage, f"cp{codepage}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
