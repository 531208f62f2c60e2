"""Control words of RTF 1.9.1: characters, character sets and destinations."""

from __future__ import annotations

import re

CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
"""Codecs by the numbers of ``\\fcharset``."""

CHARACTERS = {
    "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " ",
    "line": "\n", "softline": "\n", "tab": "\t", "nbsp": " ",
}  # fmt: skip
HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop) ([1-9])\b")
MARKS = {b"~": "\xa0", b"_": "-"}

SKIPPED = frozenset({
    "colortbl", "info", "pict", "object", "objdata", "fldinst", "listtable", "listoverridetable",
    "revtbl", "rsidtbl", "generator", "themedata", "colorschememapping", "datastore", "latentstyles",
    "xmlnstbl", "annotation", "atnid", "atnauthor", "atntime", "atnref", "atndate", "atnparent",
    "atrfstart", "atrfend", "bkmkstart", "bkmkend", "filetbl", "pnseclvl", "template", "mmathPr",
    "userprops", "docvar", "nonshppict", "sp", "private", "tc", "xe", "nonesttables", "footnotesep",
    "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn",
})  # fmt: skip
"""Destinations that are left out."""
STORIES = frozenset({
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "footnote",
    "shptxt",
})  # fmt: skip
"""Destinations whose text is shown elsewhere."""
STARRED = frozenset({"shpinst", "nesttableprops", "shpgrp"})
"""Destinations that are read although they are marked as ignorable."""
