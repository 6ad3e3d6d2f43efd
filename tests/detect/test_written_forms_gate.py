"""RE2's gate lets every text through in which a written form of rules/health_patterns.toml stands."""

import random

from dlp.detect.illness.patterned import gate, load_patterns

BLANKS = (" ", "\u00a0", "\u2009", "\n", "\t")
FORMS = {
    "dose": "Zorvatin_{n}_mg twice daily",
    "sick-note": "signed off_for {n}/52",
    "department": "transferred to_cardiology",
    "body-weight": "she_weighs_7{d}_kg",
    "smoking": "smokes_{n} a_day",
    "lab-value": "Creatinine_{n}",
    "gestation": "{n}_weeks_pregnant",
}


def test_what_a_pattern_finds_passes_the_gate():
    rng = random.Random(11)
    known = load_patterns()
    found = dict.fromkeys(FORMS, 0)
    for _ in range(300):
        form = rng.choice(sorted(FORMS))
        text = FORMS[form].format(n=rng.randint(2, 19), d=rng.randint(0, 9))
        text = "".join(rng.choice(BLANKS) if sign == "_" else sign for sign in text)
        text = f"{rng.choice(('', 'é ', 'so, '))}{text}{rng.choice(('', '.', ' é', '%'))}"
        fired = gate().Match(text.encode()) or []
        for number, one in enumerate(known):
            if one.pattern.search(text):
                assert number in fired, (one.id, text)
                found[form] += one.id == form
    assert all(found.values()), found


def test_a_text_without_such_a_form_stays_outside():
    assert not gate().Match(b"The stone wall was two pounds down, and nobody smoked under it.")
