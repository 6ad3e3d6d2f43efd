"""A folder of four tables is a language: no code changes, as docs/how-to/add-a-language.md says.

Esperanto is added with some dozen words to a copy of the rules, and forms, mails and chats in it are
read; without the folder they are a gap and no more.
"""

import json
import shutil
import subprocess
import sys

import pytest

from dlp.resources import rules_folder

TERMS = """
source = "written for this test"
endings = ["n", "j", "jn"]
capitals = []

[terms.disease]
D004827 = ["epilepsio", "epilepsia atako"]  # Epilepsy
D003920 = ["diabeto"]  # Diabetes Mellitus
D003866 = ["deprimo", "deprimita"]  # Depressive Disorder

[terms.drug]
D008687 = ["metformino"]  # Metformin
"""
CUES = """
[[cue]]
context = "negated"
direction = "forward"
reach = 6
words = ["ne", "sen", "neniam"]

[stops]
words = ["sed"]

[pseudo]
words = []
"""
NAMES = """
language = "eo"

[titles]
sinjoro = ["", "m"]
sinjorino = ["", "f"]

[[before]]
evidence = "label"
role = "patient"
needs = "any"
gaps = ["colon"]
words = ["nomo", "paciento"]

[words]
never = ["saluton", "mia", "diagnozo"]
"""
GLOSS = """
[labels]
"nomo" = "name"
"naskiĝdato" = "birth date"
"diagnozo" = "diagnosis"

[before_names]
"la" = ""

[phrases]
"has" = ["havas"]
"is" = ["estas"]
"takes" = ["prenas"]
"suffers from" = ["suferas pro"]
"off sick with" = ["forestas pro"]
"my daughter" = ["mia filino"]
"was diagnosed with" = ["oni trovis ĉe ŝi"]
"since" = ["ekde"]
"and" = ["kaj"]
"the" = ["la"]
"people" = ["homoj"]
"hello" = ["saluton"]
"regards" = ["amike"]
"""
SMALL = '["la", "kaj", "estas", "de", "ne", "mi", "vi", "ŝi", "li", "por", "kun", "ekde", "sed", "al", "ĝi"]'
LEAKS = {
    "mail.txt": "Saluton al ĉiuj,\n\nMarta Keller forestas pro epilepsio ekde lundo kaj ŝi ne respondas.\n\nAmike\nPeter",
    "form.txt": "Nomo: Anna Keller\nNaskiĝdato: 12.04.1957\nDiagnozo: diabeto\n",
    "chat.txt": "mia filino Laura Fischer suferas pro deprimo kaj ŝi prenas la pilolojn ekde majo",
}
HARMLESS = {
    "news.txt": "Diabeto estas ofta malsano kaj multaj homoj havas ĝin. La vivo kun ĝi estas ebla por ĉiu.",
    "order.txt": "Saluton, Marta Keller mendis paperon kaj ŝi pagos ĝin lunde. Amike\nPeter Braun",
}
SCAN = """
import io, json, sys
from pathlib import Path
import dlp.languages, dlp.triage.rules
for module in (dlp.languages, dlp.triage.rules):
    module.rules_folder = lambda: Path(sys.argv[1])
from dlp.assembly import Analysis
from dlp.config import Settings
from dlp.model import FileRef
analysis = Analysis(Settings(), key=b"k" * 32)
analysis.warm()
for name, text in json.load(sys.stdin).items():
    record = analysis(FileRef("", name.encode()), io.BytesIO(text.encode()))
    print(json.dumps([name, record["container"], [gap["where"] for gap in record["gaps"]]]))
"""


def containers(rules):
    done = subprocess.run(
        [sys.executable, "-c", SCAN, str(rules)], input=json.dumps(LEAKS | HARMLESS),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert {where for _, _, gaps in told for where in gaps} == {"language:eo"}
    return {name: container for name, container, _ in told}


@pytest.fixture
def rules(tmp_path):
    """The rules, with the small words of Esperanto."""
    folder = tmp_path / "rules"
    shutil.copytree(rules_folder(), folder)
    identify = folder / "languages" / "identify.toml"
    told = identify.read_text().replace("[stop_words]\n", f"[stop_words]\neo = {SMALL}\n")
    identify.write_text(
        told.replace(
            "[record_words]\n", '[record_words]\neo = ["nomo", "naskiĝdato", "diagnozo"]\n'
        )
    )
    return folder


def test_four_tables_are_a_language(rules):
    before = containers(rules)
    assert [name for name in LEAKS if before[name] == "phi"] == []
    added = rules / "languages" / "eo"
    added.mkdir()
    for name, text in (("terms", TERMS), ("cues", CUES), ("names", NAMES), ("gloss", GLOSS)):
        (added / f"{name}.toml").write_text(text)
    after = containers(rules)
    assert {name for name, container in after.items() if container == "phi"} == {*LEAKS}
