"""Names of months in seven languages.

In: a word.  Out: the number of the month it names, or None.
"""

from __future__ import annotations

import functools

# First letters of month names in English, Spanish, French, German, Italian, Dutch, Portuguese,
# without accents; the longest stem wins.
STEMS = {
    1: "jan ene enero janv gen gennaio",
    2: "feb fev feb fevr fevereiro febbraio",
    3: "mar marz mars maa maart mrt mrz maerz",
    4: "apr abr avr abril",
    5: "may mai mayo mei mag maggio maio",
    6: "jun juin giu giugno",
    7: "jul juil lug luglio",
    8: "aug ago agosto aout",
    9: "sep set sept settembre setembro",
    10: "oct okt ott out octubre outubro ottobre oktober",
    11: "nov noviembre novembre novembro",
    12: "dec dic des dez diciembre dezembro dezember dicembre",
}
MONTH_OF = {stem: month for month, stems in STEMS.items() for stem in stems.split()}
ACCENTS = str.maketrans("áàâäéèêëíìîïóòôöúùûüç", "aaaaeeeeiiiioooouuuuc")


@functools.lru_cache(maxsize=1024)  # the words of dates are few
def month_number(word: str) -> int | None:
    plain = word.lower().translate(ACCENTS)
    for length in range(len(plain), 2, -1):
        if plain[:length] in MONTH_OF:
            return MONTH_OF[plain[:length]]
    return None
