"""Words that say how far an illness has gone.

In: nothing.  Out: STAGES, from the latest on, and patterns of the words before an illness.
"""

from __future__ import annotations

import re

STAGES = (
    ("stage:4", (r"stage\s(?:IV|4)[abc]?|end[\s-]stage|terminal(?:ly)?|metastatic|metastas[ei]s|"
                r"final[\s-]stage|incurable|inoperable|class\s(?:IV|4)")),
    ("stage:3", r"stage\s(?:III|3)[abc]?|late[\s-]stage|advanced|class\s(?:III|3)"),
    ("stage:2", r"stage\s(?:II|2)[abc]?|class\s(?:II|2)|progressive|recurrent|relapsed"),
    ("stage:severe", r"severe|aggressive|acute-on-chronic|refractory|uncontrolled"),
)  # fmt: skip
ANY = "|".join(words for _, words in STAGES) + r"|stage\s(?:I|1|0)[abc]?|early(?:[\s-]stage)?|mild"
BEGINNINGS = frozenset(words[0].lower() for words in ANY.split("|"))  # and some more
AT_START = re.compile(rf"(?:{ANY})\s+", re.IGNORECASE)
AT_END = re.compile(rf"\b(?:{ANY})\s+$", re.IGNORECASE)
LONGEST = 24  # characters of such words
