"""The pages name only what exists, and the reference misses nothing that does."""

import functools
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
# Decisions and the architecture call modules by the name a reader of the code would use.
INSIDE = [page for page in PAGES if "adr" in page.parts or page.name == "architecture.md"]
FOLDERS = "bench|dashboards|dlp|docs|rules|systemd|tests"
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


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_exist(page):
    wrong = [call for call in calls(page.read_text(encoding="utf-8")) if complaint(call)]
    assert not wrong, [(call, complaint(call)) for call in wrong]


@pytest.mark.parametrize("page", PAGES, ids=str)
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


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_files_and_modules_exist(page):
    assert missing_files(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", INSIDE, ids=str)
def test_names_of_the_code_exist(page):
    assert missing_names(page.read_text(encoding="utf-8")) == []


def test_every_decision_has_its_three_parts_and_its_own_number():
    pages = sorted(Path("docs/adr").glob("*.md"))
    assert len({page.name[:4] for page in pages}) == len(pages)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {page.name[:4]}: "), page
        for part in ("Context", "Decision", "Price"):
            assert f"**{part}.**" in text, (page, part)


def test_a_missing_file_or_name_would_be_noticed():
    text = "See `dlp/no_such.py`, rules/*.toml, /etc/dlp/any.key, `python -m bench.nothing SHARE`."
    assert missing_files(text) == ["bench/nothing", "dlp/no_such.py"]
    text = "`engine/local_engine.py`, `engine/gone.py`, `Sandbox.STRICT`, `Sandbox.SOFT_AS_BUTTER`, `/dev/null`"
    assert missing_names(text) == ["Sandbox.SOFT_AS_BUTTER", "engine/gone.py"]


def test_a_wrong_page_would_be_noticed():
    text = "Try `dlp scna /srv` or:\n```\n$ dlp scan /srv --fromat csv  # all\ndlp rank --by owner\n```\n"
    assert [bool(complaint(call)) for call in calls(text)] == [True, True, True]
    assert not any(complaint(call) for call in calls("`dlp scan PATH... --format csv`"))


def missing_files(text):
    """Files of ours that the text names by their whole path, and modules it says to run."""
    named = set(re.findall(rf"(?<![\w/.$~-])((?:{FOLDERS})/[\w./*-]+)", text))
    run = re.findall(rf"python -m ((?:{FOLDERS})(?:\.\w+)+)", text)
    paths = {name.rstrip("./") for name in named} | {name.replace(".", "/") for name in run}
    return sorted(path for path in paths if not found(path))


def missing_names(text):
    """Modules, folders, classes and constants between backticks that the code does not have."""
    outside = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    spans = set(re.findall(r"`([^`\n]+)`", outside))
    paths = {one for one in spans if re.fullmatch(r"[a-z_*]+(/[\w.*-]*)+|\w+\.py", one)}
    lost = {path for path in paths if not found(path.rstrip("/"), f"dlp/{path.rstrip('/')}")}
    words = {one for one in spans if re.fullmatch(r"[A-Z]\w+(\.\w+)?", one)}
    lost |= {word for word in words if not set(word.split(".")) <= words_of_the_code()}
    return sorted(lost)


def found(*paths):
    """Whether one of them is there, as a file, a folder or a module without its ending."""
    return any(any(Path().glob(path + end)) for path in paths for end in ("", ".py"))


@functools.cache
def words_of_the_code():
    sources = (path.read_text(encoding="utf-8") for path in Path("dlp").rglob("*.py"))
    return frozenset(word for source in sources for word in re.findall(r"\w+", source))


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
