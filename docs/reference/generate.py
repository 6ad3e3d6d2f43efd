"""The reference pages and the man page, written from the code itself.

In: the commands, settings, metrics, rules and errors as they are.  Out: docs/reference/*.md, dlp.1.

    python -m docs.reference.generate          write them
    python -m docs.reference.generate --check  say which are out of date, exit 1
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
from pydantic import BaseModel

import dlp
from dlp import config, errors
from dlp.cli.main import main as dlp_command
from dlp.model import GapCode

HERE = Path(__file__).parent
NOTE = "<!-- written by docs/reference/generate.py; change the code, then run `make docs` -->\n"

GAPS = {
    GapCode.CHANGED: "the file changed while it was read; it is read again later",
    GapCode.CORRUPT: "damaged, or not what it says it is",
    GapCode.ENCRYPTED: "needs a password that `dlp` does not have",
    GapCode.INTERNAL: "a mistake of ours; retried, then set aside, never called clean",
    GapCode.LANGUAGE: "a language whose health words are not known; identifiers and names are",
    GapCode.NEEDS_OCR: "words in a picture, and no text recognition installed (extra `ocr`)",
    GapCode.PERMISSION: "the daemon may not read it",
    GapCode.TIMEOUT: "took longer than `decode.wall_seconds` or `detect.seconds_per_file`",
    GapCode.TOO_DEEP: "more containers inside each other than `decode.max_depth`",
    GapCode.TOO_LARGE: "beyond `decode.max_text_chars`, `max_inflated_bytes` or `memory_bytes`",
    GapCode.UNSUPPORTED: "a format without a reader; words found in its bytes were still judged",
    GapCode.VANISHED: "gone before it could be read",
}


def main() -> None:
    stale = []
    for name, text in pages().items():
        path = HERE / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    print("\n".join(stale) or "up to date")
    sys.exit(1 if stale and "--check" in sys.argv else 0)


def pages() -> dict[str, str]:
    return {
        "commands.md": commands_page(),
        "settings.md": settings_page(),
        "metrics.md": metrics_page(),
        "rules.md": rules_page(),
        "errors.md": errors_page(),
        "dlp.1": man_page(),
    }


# -- commands


def commands(group: click.Command, path: tuple[str, ...] = ("dlp",)) -> Iterator[tuple[str, click.Command]]:
    """Every command with its whole name, parents first."""
    if len(path) > 1:
        yield " ".join(path), group
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            if found is not None and not found.hidden:
                yield from commands(found, (*path, name))


def commands_page() -> str:
    lines = ["# Commands", "", NOTE]
    lines += ["Exit codes of `dlp scan`: 0 all read and nothing found, 1 PHI found, 2 wrong usage,"]
    lines += ["3 something went unread, 10 and above an error of ours ([errors](errors.md)).", ""]
    for name, command in commands(dlp_command):
        lines += [f"## `{usage(name, command)}`", "", one_paragraph(command.help), ""]
        rows = [option_row(item) for item in command.params if isinstance(item, click.Option)]
        if rows:
            lines += ["| option | meaning |", "|---|---|", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


def usage(name: str, command: click.Command) -> str:
    words = [name]
    if isinstance(command, click.Group):
        return f"{name} COMMAND"
    for item in command.params:
        if isinstance(item, click.Argument):
            shown = item.human_readable_name + ("..." if item.nargs == -1 else "")
            words.append(shown if item.required else f"[{shown}]")
    return " ".join(words)


def option_row(option: click.Option) -> str:
    names, meaning = option_text(option)
    return f"| `{cell(names)}` | {cell(meaning)} |"


def option_text(option: click.Option) -> tuple[str, str]:
    names = ", ".join(option.opts)
    if not option.is_flag:
        names += " " + option.make_metavar(click.Context(click.Command("dlp")))
    meaning = option.help or ""
    default = option.default
    if default not in (None, False, (), "") and isinstance(default, str | int | float):
        meaning += f" Default: {default}."
    return names, meaning.strip()


def one_paragraph(text: str | None) -> str:
    return inspect.cleandoc(text or "").replace("\b\n", "")


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# -- settings


def settings_page() -> str:
    lines = ["# Settings", "", NOTE]
    lines += ["One TOML file; `dlp config show` prints it whole, `dlp config check FILE` names every"]
    lines += ["mistake at once. Secrets are files, never values in it.", ""]
    for name, field in config.Settings.model_fields.items():
        section = section_of(field.annotation)
        if section is None:
            continue
        many = "tuple" in str(field.annotation)
        lines += settings_section(f"[[{name}]]" if many else f"[{name}]", section, seen=set())
    return "\n".join(lines).rstrip() + "\n"


def settings_section(title: str, section: type[BaseModel], seen: set[type]) -> list[str]:
    seen.add(section)
    comments = field_comments(section)
    lines = [f"## `{title}`", "", one_paragraph(section.__doc__), ""]
    lines += ["| key | default | meaning |", "|---|---|---|"]
    below: list[str] = []
    for key, field in section.model_fields.items():
        default = "required" if field.is_required() else f"`{shown(field.get_default(call_default_factory=True))}`"
        meaning = comments.get(key) or f"{kind_of(field.annotation)}"
        lines.append(f"| `{key}` | {default} | {cell(meaning)} |")
        inner = section_of(field.annotation)
        if inner is not None and inner not in seen and inner is not config.Policy:
            below += settings_section(f"{title.strip('[]')}.{key}", inner, seen)
    return [*lines, "", *below]


def section_of(annotation: Any) -> type[BaseModel] | None:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def field_comments(section: type[BaseModel]) -> dict[str, str]:
    """The comment behind each field: the code is where a setting is explained."""
    source = textwrap.dedent(inspect.getsource(section))
    lines = source.split("\n")
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            line = lines[(node.end_lineno or node.lineno) - 1]
            rest = line[node.end_col_offset or 0 :] if node.end_lineno == node.lineno else line
            if "#" in rest:
                text = rest.split("#", 1)[1].strip()
                found[node.target.id] = "" if text.startswith(("noqa", "type:", "fmt:")) else text
    return found


def kind_of(annotation: Any) -> str:
    choices = [str(item) for item in get_args(annotation) if isinstance(item, str)]
    if choices:
        return "one of " + ", ".join(f"`{choice}`" for choice in choices)
    return getattr(annotation, "__name__", "").replace("NoneType", "")


def shown(value: Any) -> str:
    return config.as_toml(value) if value is not None else "none"


# -- metrics


def metrics_page() -> str:
    from dlp.telemetry.metrics import Metrics

    shown = Metrics(["ward"], version=dlp.__version__, rules="0", level_of=lambda *_: "none")
    registry = shown.registry
    lines = ["# Metrics", "", NOTE]
    lines += ["Served at `/metrics`, `telemetry.address`:`telemetry.port`. Labels come from closed"]
    lines += ["sets; no path, name, value or hash is ever one.", ""]
    lines += ["| metric | kind | labels | meaning |", "|---|---|---|---|"]
    for family in sorted(registry.collect(), key=lambda one: one.name):
        if not family.name.startswith("dlp_"):
            continue
        name = family.name + ("_total" if family.type == "counter" else "")
        labels = sorted({key for sample in family.samples for key in sample.labels} - {"le"})
        shown_labels = ", ".join(f"`{label}`" for label in labels)
        lines.append(f"| `{name}` | {family.type} | {shown_labels} | {cell(family.documentation)} |")
    return "\n".join(lines) + "\n"


# -- rules


def rules_page() -> str:
    from dlp.detect.identify.validators import VALIDATORS
    from dlp.rulebook import load_identifiers

    lines = ["# Identifier rules", "", NOTE]
    lines += ["What `rules/identifiers/*.toml` looks for. The two numbers are the confidence of a"]
    lines += ["match alone and beside one of its context words; `dlp rules check` proves each rule"]
    lines += ["on its own examples.", "", "| rule | kind | alone | in context | what | source |"]
    lines += ["|---|---|---|---|---|---|"]
    for rule in load_identifiers(VALIDATORS.keys()):
        numbers = f"{rule.alone:.2f} | {rule.in_context:.2f}"
        lines.append(
            f"| `{rule.id}` | {rule.kind.value} | {numbers} | {cell(rule.title)} | {cell(rule.source)} |"
        )
    return "\n".join(lines) + "\n"


# -- errors


def error_classes(parent: type[errors.DlpError] = errors.DlpError) -> Iterator[type[errors.DlpError]]:
    for child in parent.__subclasses__():
        if child.__module__ != errors.__name__:
            continue  # the same code with another exit; which are loaded depends on the day
        yield child
        yield from error_classes(child)


def errors_page() -> str:
    lines = ["# Errors and gaps", "", NOTE]
    lines += ["An error stops the command and says what happened, where, and what to do. Trouble with"]
    lines += ["somebody's file is never an error: it is a gap in that file's verdict.", ""]
    about = code_comments()
    lines += ["| code | exit code | about |", "|---|---|---|"]
    for kind in sorted(set(error_classes()), key=lambda one: one.code):
        lines.append(f"| {kind.code} | {kind.exit_code} | {about.get(kind.code, kind.__name__)} |")
    lines += ["", "| gap | meaning |", "|---|---|"]
    lines += [f"| `{code.value}` | {GAPS[code]} |" for code in GapCode]
    return "\n".join(lines) + "\n"


def code_comments() -> dict[str, str]:
    """The tree in errors.py explains each code behind its number."""
    found, last = {}, ""
    for line in (errors.__doc__ or "").splitlines():
        if "DLP-" in line:
            code, _, text = line[line.index("DLP-") :].partition("  ")
            last = code.strip()
            found[last] = text.strip()
    return {code: text for code, text in found.items() if text}


# -- the man page


def man_page() -> str:
    lines = [f'.TH DLP 1 "" "dlp {dlp.__version__}" "User commands"', ".SH NAME"]
    lines += [roff("dlp - finds, scores and safely removes personal health information on file shares")]
    lines += [".SH SYNOPSIS", ".B dlp", ".I COMMAND", "[options]", ".SH DESCRIPTION"]
    lines += [roff("dlp reads whatever lies on a share, finds out whom a file identifies and what it "
                   "says about their health, ranks the leaks, and quarantines or sanitises them "
                   "reversibly. It works offline and only observes until a policy says otherwise.")]
    lines += [".SH COMMANDS"]
    for name, command in commands(dlp_command):
        lines += [".SS " + roff(usage(name, command)), roff(" ".join(one_paragraph(command.help).split()))]
        for option in command.params:
            if isinstance(option, click.Option):
                names, meaning = option_text(option)
                lines += [".TP", f".B {roff(names)}", roff(" ".join(meaning.split()) or "See above.")]
    lines += [".SH EXIT STATUS", roff("dlp scan: 0 all read and nothing found, 1 PHI found, 2 wrong usage, "
                                      "3 something went unread, 10 and above an error of ours.")]
    lines += [".SH FILES", ".TP", ".I /etc/dlp/dlp.toml", "Settings of the service."]
    lines += [".TP", ".I /var/lib/dlp", "Catalogue, queue, journal, ledger and vault, mode 0700."]
    lines += [".SH SEE ALSO", "The folder docs of the source, or /usr/share/doc/dlp."]
    return "\n".join(lines) + "\n"


def roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("→", "to").replace("≥", ">=")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    main()
