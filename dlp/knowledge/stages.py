"""Words that say how far an illness has gone.

In: nothing.  Out: STAGES, from the latest on, and patterns of the words before an illness.
"""

from __future__ import annotations

import re

OF = r"(?:stage|class|grade)[\s-]"
STAGES = tuple((concept, words.replace("{of}", OF)) for concept, words in (
    ("stage:4", (r"{of}(?:IV|V|[45])[abc]?|end[\s-]stage|terminal(?:ly)?|metastatic|metastas[ei]s|"
                r"final[\s-]stage|incurable|inoperable|unresectable|(?:c|p|yp)?T\d[a-c]?N\d[a-c]?M1|"
                r"(?:that\s|which\s)?(?:has\s|have\s)?spread(?:ing)?\s(?:in)?to")),
    ("stage:3", (r"{of}(?:III|3)[abc]?|late[\s-]stage|advanced|"
                r"(?:c|p|yp)?T(?:[34][a-c]?N\d|\dN[23])[a-c]?")),
    ("stage:2", (r"{of}(?:II|2)[abc]?|progressive|recurrent|relapsed|"
                r"(?:c|p|yp)?T(?:2[a-c]?N\d|\dN1)[a-c]?")),
    ("stage:severe", r"severe|aggressive|acute-on-chronic|refractory|uncontrolled"),
))  # fmt: skip
ANY = "|".join(words for _, words in STAGES) + rf"|{OF}(?:I|1|0)[abc]?|early(?:[\s-]stage)?|mild"
BEGINNINGS = frozenset(words[0].lower() for words in ANY.split("|"))  # and some more
AT_START = re.compile(rf"(?:{ANY})\s+", re.IGNORECASE)
AT_END = re.compile(rf"\b(?:{ANY})\s+$", re.IGNORECASE)
LONGEST = 24  # characters of such words
