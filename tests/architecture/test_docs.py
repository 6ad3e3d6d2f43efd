"""The pages name only what exists, and the reference misses nothing that does."""

import itertools
import re
import shlex
from pathlib import Path

import click
import pytest

from dlp.cli.main import main as dlp_command
from dlp.config import Settings, known_keys
from docs.reference import generate

PAGES = sorted(Path(p) for p in ["README.md", *Path("docs").rglob("*.md")])
# ADRs and the changelog may speak of what was, or was decided against.
PRESENT = [page for page in PAGES if "adr" not in page.parts]
COMMANDS = dict(generate.commands(dlp_command))
SETTINGS = set(known_keys(Settings))


@pytest.mark.parametrize("name", sorted(generate.pages()))
def test_the_reference_is_what_the_code_says(name):
    written = (generate.HERE / name).read_text(encoding="utf-8")
    assert written == generate.pages()[name], "run `make docs`"


def test_every_setting_is_explained():
    bare = re.findall(
        r"^\| `(\w+)` \| [^|]+ \| (?:\w*) \|$", generate.settings_page(), re.MULTILINE
    )
    assert not bare, "say behind the field what it is for"


@pytest.mark.parametrize("page", PRESENT, ids=str)
def test_commands_exist(page):
    wrong = [call for call in calls(page.read_text(encoding="utf-8")) if complaint(call)]
    assert not wrong, [(call, complaint(call)) for call in wrong]


@pytest.mark.parametrize("page", PRESENT, ids=str)
def test_settings_metrics_and_codes_exist(page):
    text = page.read_text(encoding="utf-8")
    sections = "|".join(Settings.model_fields)
    spans = re.findall(rf"`\[*((?:{sections})\.[a-z_.]+)\]*[ =`]", text)
    spans = [span for span in spans if not span.endswith((".md", ".toml", ".py", ".conf", ".json"))]
    assert set(spans) <= SETTINGS, set(spans) - SETTINGS
    reference = generate.metrics_page()
    for name in re.findall(r"\bdlp_[a-z_]+[a-z]\b", text):
        series = re.sub(r"_(bucket|sum|count)$", "", name)
        assert f"`{series}`" in reference or name in not_metrics(), name
    codes = {kind.code for kind in generate.error_classes()}
    assert set(re.findall(r"\bDLP-\d{3}\b", text)) <= codes


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), target


def test_a_wrong_page_would_be_noticed():
    text = "Try `dlp scna /srv` or:\n```\n$ dlp scan /srv --fromat csv  # all\ndlp rank --by owner\n```\n"
    assert [bool(complaint(call)) for call in calls(text)] == [True, True, True]
    assert not any(complaint(call) for call in calls("`dlp scan PATH... --format csv`"))


def not_metrics():
    """Recorded series and job names have their own prefix rules."""
    rules = Path("dashboards")
    found = set()
    for path in rules.rglob("*.y*ml") if rules.exists() else ():
        found |= set(re.findall(r"\bdlp_[a-z_]+[a-z]\b", path.read_text(encoding="utf-8")))
    return found


def calls(text):
    """Each `dlp …` a reader could type, from code blocks and code spans."""
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    for line in "\n".join(blocks).splitlines():
        found = re.match(r"\s*(?:\$ |# )?(?:sudo )?(?:/usr/bin/)?(dlp [a-z].*)", line)
        if found:
            yield found.group(1)
    outside = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from re.findall(r"`(dlp [a-z][^`]*)`", outside)


def complaint(call):
    """Why this call cannot be typed, or an empty string."""
    call = re.split(r"\s{2,}|\s#|\s[|>&;(]|\s→|\\$", call.replace("…", " "))[0]
    try:
        words = shlex.split(call.replace("|", " "))
    except ValueError:
        words = call.split()
    name, rest = words[0], words[1:]
    while rest and f"{name} {rest[0]}" in COMMANDS:
        name, rest = f"{name} {rest[0]}", rest[1:]
    if name == "dlp":
        return "no such command"
    command = COMMANDS[name]
    if isinstance(command, click.Group):
        return (
            "" if not rest or rest[0].startswith("-") or rest[0].isupper() else "no such subcommand"
        )
    known = {opt for item in command.params for opt in (*item.opts, *item.secondary_opts)}
    known |= {"--help", "-h"}
    for word in rest:
        flag = word.strip("[]").split("=")[0]
        if flag.startswith("-") and len(flag) > 1 and flag not in known:
            return f"no option {flag}"
    return choices_complaint(command, rest)


def choices_complaint(command, rest):
    for item in command.params:
        if isinstance(item.type, click.Choice):
            for flag, value in itertools.pairwise(rest):
                plain = value.strip("[]")
                if (
                    flag.strip("[]") in item.opts
                    and plain.islower()
                    and plain not in item.type.choices
                ):
                    return f"{flag} takes no {value}"
    return ""
