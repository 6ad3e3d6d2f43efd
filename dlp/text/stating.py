"""The words in which a sentence says outright that somebody is ill.

In: small letters between somebody and a health term.  Out: STATING and BEING, patterns.
"""

from __future__ import annotations

import re

# Said outright, in the words that only a sentence about somebody's own health uses.
STATING = re.compile(
    r"\b(?:has|had|have|suffer(?:s|ed|ing)?|diagnosed|diagnosis of|lives? with|living with"
    r"|died (?:of|from)|test(?:ed|s) positive|present(?:s|ed|ing)? with|came in with"
    r"|admitted (?:with|for)|treated for|treatment for|seen (?:\w+ ){0,4}for|reviewed for|takes"
    r"|taking|is on|was on|started on|recover(?:s|ed|ing) from|battling|known to have|as having"
    r"|carries|went (?:in|to \w+) with|struggl(?:es|ed|ing) with|positive for|infected with"
    r"|lists|listed|declare[sd]|disclose[sd]|admit(?:s|ted) to|complain(?:s|ed) of|caught|catches"
    r"|(?:no longer|used to|refuse[sd]? to|forg[eo]ts? to) (?:takes?|need|be on|has|have)"
    r"|attend(?:s|ed) for|(?:invoiced|billed|booked) (?:in )?for|collect(?:s|ed)|pick(?:s|ed) up"
    r"|(?:attached|sent in|enclosed|handed in|showed (?:me|us)) (?:the|a|his|her) (?:\w+ )?"
    r"(?:scan|x-ray|mri|test|blood|biopsy|lab|medical|hospital)\w*"
    r"|no longer (?:needs|takes|on)|declined|refused"
    r"|(?:off|ill|sick|in|at) (?:\w+ ){0,2}(?:with|for))\b",
)
# "Tom of Reno, Nevada, is HIV positive": the illness is all that is said
BEING = re.compile(
    r"\W*(?:(?:of|from|in)\s[\w .,'-]{2,40}?,?\s)?(?:is|was|am|are)(?:\s(?:now|also|still))?\s"
)
