"""One TOML file, sections named like the folders; every error at once, with the nearest key.

In: a TOML file, or nothing.  Out: Settings, frozen and complete.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tomllib
from collections.abc import Iterator
from datetime import date
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, Self, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from dlp.errors import ConfigError
from dlp.keys import use_site

# No package of the environment has a say in our settings, and none is searched for one at start.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


class Section(BaseModel):
    """Unknown keys are mistakes, and a setting never changes after start."""

    # Deferred: what checks a section is put together when one is read, and a scan without a file of
    # settings reads none.
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    def plain(self) -> dict[str, Any]:
        """What `model_dump(mode="json")` gives, without putting together what checks a section."""
        return {name: as_plain(getattr(self, name)) for name in type(self).model_fields}


def as_plain(value: Any) -> Any:
    if isinstance(value, Section):
        return value.plain()
    if isinstance(value, dict):
        return {key: as_plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [as_plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value


Level = Literal["none", "low", "medium", "high", "critical"]
NEEDED = {"webhook": ("url",), "email": ("relay", "sender", "to"), "hook": ("command",)}


class Channel(Section):
    """One way to tell somebody; ids and links leave, never a name or a value."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")  # stands in logs and in the queue
    kind: Literal["webhook", "email", "hook"]  # signed HTTP, a mail relay, a program of yours
    shares: tuple[str, ...] = ()  # only these; empty: every share
    events: tuple[str, ...] = ()  # found, quarantined, replaced, blocked, stopped ...; empty: all
    least: Level = "none"  # for events that carry a level: nothing below this one
    seconds: float = Field(10.0, gt=0, le=300)  # one attempt takes no longer
    url: str = ""  # webhook: https, or http on this machine
    key: str = ""  # webhook: 32 random bytes, mode 0600; default: the credential NAME-key
    authority: str = ""  # webhook and email: a file with the certificates to trust
    relay: str = ""  # email: host:port
    tls: Literal["starttls", "tls", "none"] = "starttls"  # email: how the relay is spoken to
    user: str = ""  # email: signs in where it is set
    password: str = ""  # email: a file, mode 0600
    sender: str = ""  # email: the address it comes from
    to: tuple[str, ...] = ()  # email: who reads it
    gather_seconds: float = Field(60.0, ge=0)  # email: one message for what happens in this time
    command: tuple[str, ...] = ()  # hook: the program and its arguments; the event is on its stdin

    @model_validator(mode="after")
    def complete(self) -> Self:
        missing = [name for name in NEEDED[self.kind] if not getattr(self, name)]
        if missing:
            raise ValueError(f"a channel of kind {self.kind} needs {', '.join(missing)}")
        if self.kind == "webhook":
            _check_address(self.url)
        if self.kind == "hook" and not self.command[0].startswith("/"):
            raise ValueError("a hook is named by its full path")
        lines = (*self.to, self.sender, self.relay, self.url)
        if any(mark in line for line in lines for mark in "\r\n"):
            raise ValueError("an address is one line")
        return self


class Notify(Section):
    """Who is notified of findings and actions; nobody unless a channel is named."""

    apart: bool = False  # true: the service `dlp notify` sends; false: a child of `dlp watch` does
    # "https://dlp.example.org/cases/{item}"; default: the console beside the daemon, if it runs
    link: str = ""  # where a person looks it up
    most_waiting: int = Field(100_000, ge=100)  # a channel; beyond, events are counted, not kept
    channel: tuple[Channel, ...] = ()  # [[notify.channel]]: one table each

    @model_validator(mode="after")
    def names_are_unique(self) -> Self:
        names = [channel.name for channel in self.channel]
        if len(set(names)) < len(names):
            raise ValueError("two channels have the same name")
        return self


def _check_address(url: str) -> None:
    address = urlsplit(url)
    if address.scheme == "https" and address.hostname:
        return
    if address.scheme == "http" and address.hostname and is_here(address.hostname):
        return
    raise ValueError("a webhook needs https, or http to this very machine")


def is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Acquire(Section):
    """Which files are looked at."""

    exclude: tuple[str, ...] = ()  # folders, by device and inode, so links and bind mounts count
    one_filesystem: bool = False  # stay on the file system a share begins on
    poll_seconds: float = Field(60.0, gt=0)  # where the kernel sends no events, or too few watches
    sweep_seconds: float = Field(21_600.0, gt=0)  # every share is compared in full this often
    sweep_hours: tuple[str, ...] = ()  # "20:00-06:00": timed sweeps only then; empty: any time
    grace_seconds: float = Field(120.0, ge=0)  # for names that programs use only while saving
    provisional_seconds: float = Field(600.0, gt=0)  # then even an open file is looked at
    nice: int = Field(10, ge=0, le=19)  # the file server comes first
    idle_io: bool = False  # read only when nobody else does


class Decode(Section):
    """Bounds for one file with everything inside it."""

    max_text_chars: int = Field(64_000_000, gt=0)  # extracted text beyond this is a gap, too_large
    max_inflated_bytes: int = Field(256_000_000, gt=0)  # all that archives unpack to, together
    max_depth: int = Field(8, gt=0, le=50)  # files in files in files
    wall_seconds: float = Field(60.0, gt=0)  # then the worker is stopped: timeout
    memory_bytes: int = Field(512_000_000, ge=100_000_000)  # of one worker
    extra_encodings: tuple[str, ...] = ()  # tried where bytes look like no text: "cp037" is EBCDIC


class Triage(Section):
    """Which rule set decides what cannot hold personal information."""

    rules: Literal[
        "default", "sokolova2009", "sokolova2009-weighted", "sokolova2009-mesh"
    ] = "default"  # fmt: skip
    titles: str = ""  # a site's own list of published titles, one a line


class Detect(Section):
    """How hard the detectors look."""

    model: Literal["auto", "never", "always"] = "auto"  # asked where doubt is left
    seconds_per_file: float = Field(20.0, gt=0)  # what is not looked at by then is a gap, timeout
    rosters: str = Field("", pattern=r"^(/|$)")  # patient rosters; default: rosters/ in the state


class Judge(Section):
    """Where the line between a leak and a false alarm lies."""

    miss_costs: float = Field(1.0, gt=0)  # a missed leak costs as much as so many false alarms


class Measure(Section):
    """Whom the evidence is compared with, and where the levels lie."""

    population: str = "auto"  # a country code, "world", or the country the evidence points to
    profile: Literal["default", "geng2011"] = "default"  # how facts add up


class Exposure(Section):
    """How many people can read a file: what this machine cannot know by itself."""

    people: int = Field(0, ge=0)  # in the organisation; 0: accounts of people here, at least 100
    smb_conf: str = Field("", pattern=r"^(/|$)")  # where the shares are defined; default: usual
    sizes: dict[str, int] = {}  # people in a group, by its SID, its number or its name
    stale_days: int = Field(365, ge=1)  # neither changed nor opened for so long: stale


class Engine(Section):
    """Where the work runs."""

    jobs: int = Field(0, ge=0)  # 0: one worker per core
    files_per_worker: int = Field(200, gt=0)  # then, or after trouble, a fresh worker takes over
    second_readings: float = Field(0.01, ge=0, le=1)  # share of files read by a second worker too
    # strict: every wall of the sandbox or no file is opened; standard: one that shuts the files
    sandbox: Literal["strict", "standard", "relaxed"] = "standard"


class Telemetry(Section):
    """Where the daemon says how it is; loopback unless you know better."""

    address: str = "127.0.0.1"  # where the endpoint listens
    port: int = Field(9464, ge=0, le=65535)  # 0: none


class Console(Section):
    """Where the web console answers; `dlp console` reads it too."""

    beside: bool = False  # true: `dlp watch` serves it, in a process of its own
    address: str = "127.0.0.1"  # beyond loopback only with a certificate or behind a proxy
    port: int = Field(8464, ge=0, le=65535)  # 0: any free one
    names: tuple[str, ...] = ()  # host names people use; others are refused
    certificate: str = ""  # PEM, with its chain
    key: str = ""  # the certificate's key, mode 0600
    behind_proxy: bool = False  # a proxy on this machine adds TLS


class Keys(Section):
    """Secrets are files, never values in this file."""

    fingerprint: str = ""  # 32 random bytes, mode 0600; made on first use when empty
    # With a key and the data beside it, numbers and dates are recovered from fingerprints.
    apart: Literal["ignore", "warn", "require"] = "warn"  # keys in other folders than the data


Action = Literal["observe", "notify", "quarantine", "sanitise"]


class Suppress(Section):
    """One thing known to be harmless, who says so, why, and until when."""

    fingerprint: str = Field(pattern=r"^[a-z_]+:[0-9a-f]{8,64}$")  # keyed, as in a person's prints
    reason: str = Field(min_length=3)  # why it is harmless
    owner: str = Field(min_length=1)  # who says so
    expires: date  # looked at again from this day on
    beneath: str = ""  # counts only for this file, by its whole path; empty: everywhere
    whole_folder: bool = False  # `beneath` names a folder, and counts for all files in it


class Policy(Section):
    """What is done about a file, by container and level; a new install only observes."""

    phi: Action | dict[Level, Action] = "observe"  # one action, or one for each level
    probable: Action | dict[Level, Action] = "observe"  # the same for files of this container
    possible: Action | dict[Level, Action] = "observe"  # the same for files of this container
    gaps: Literal["observe", "notify"] = "observe"  # what was not read is never moved
    permitted_folders: tuple[str, ...] = ()  # beneath the share; seen, never acted on
    permitted_owners: tuple[int, ...] = ()  # numeric user ids
    ignore_file: bool = True  # a .dlpignore at the top of the share, if root or we own it
    suppress: tuple[Suppress, ...] = ()  # what is known to be harmless


class Share(Section):
    """A folder tree to guard; one [[share]] each."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")  # the only thing logs say about it
    path: str = Field(pattern=r"^/")  # the top folder, absolute
    holding: str = ""  # on the same file system; default: .dlp-hold-NAME beside or in the share
    policy: Policy | None = None  # replaces [policy] as a whole


class Store(Section):
    """Where the queue, the journal and the verdicts live."""

    database: str = ""  # a file on a local disk, or postgresql://...; default: the state folder
    # Default: systemd's, /var/lib/dlp for settings in /etc/dlp, else the user's own.
    state: str = Field("", pattern=r"^(/|$)")  # the folder where daemon and operators keep all
    server: str = ""  # whose files these are; default: the host's name; equal names share the work


class Quarantine(Section):
    """The vault and how long it keeps things."""

    vault: str = ""  # default: vault/ in the state folder; never inside a share
    key: str = ""  # 32 random bytes, mode 0600; default: the credential vault-key
    old_keys: tuple[str, ...] = ()  # still read after a rotation
    retention_days: int = Field(365, ge=1)  # then purge may destroy the copy
    note: bool = True  # leave a short notice where the file lay
    contact: str = ""  # whom the notice names
    take_links: bool = True  # also take the file's other names in the share


class Sanitise(Section):
    """How the daemon and the console make clean copies; the commands have options of their own."""

    profile: Literal["", "safe-harbor", "pseudonymise", "redact"] = ""  # "": what suits the mode
    mode: Literal["generalise", "redact", "surrogate"] = "generalise"  # what becomes of terms
    protect: tuple[str, ...] = ()  # topics to hide; empty: those specially protected by law
    alpha: float = Field(1.5, ge=1, le=4)  # strictness: the higher, the less a term may tell
    against: Literal["auto", "terms", "words"] = "auto"  # words where the site's own are counted


class Breaker(Section):
    """When the daemon stops acting by itself and calls a person."""

    actions: int = Field(200, ge=1)  # more than this many …
    minutes: float = Field(10.0, gt=0)  # … in this time stop all acting
    error_rate: float = Field(0.2, gt=0, le=1)  # and so does this share of failures …
    error_sample: int = Field(10, ge=1)  # … among at least so many actions


class Ledger(Section):
    """The record of what was done, and where its end is witnessed."""

    key: str = ""  # 32 random bytes, mode 0600; default: the credential ledger-key
    anchor: str = ""  # best on another disk or host; default: ledger.anchor in the state folder
    head: str = ""  # a file that shows a rollback of both, best apart; default: beside the anchor


class Settings(Section):  # its defaults need no check, which takes a tenth of a start
    acquire: Acquire = Acquire.model_construct()
    decode: Decode = Decode.model_construct()
    triage: Triage = Triage.model_construct()
    detect: Detect = Detect.model_construct()
    judge: Judge = Judge.model_construct()
    measure: Measure = Measure.model_construct()
    exposure: Exposure = Exposure.model_construct()
    engine: Engine = Engine.model_construct()
    keys: Keys = Keys.model_construct()
    store: Store = Store.model_construct()
    policy: Policy = Policy.model_construct()
    quarantine: Quarantine = Quarantine.model_construct()
    sanitise: Sanitise = Sanitise.model_construct()
    breaker: Breaker = Breaker.model_construct()
    ledger: Ledger = Ledger.model_construct()
    notify: Notify = Notify.model_construct()
    share: tuple[Share, ...] = ()
    telemetry: Telemetry = Telemetry.model_construct()
    console: Console = Console.model_construct()

    @property
    def judging(self) -> str:
        """The digest of what a verdict rests on: a new port makes no other verdict."""
        kept = {
            name: getattr(self, name) for name in ("decode", "triage", "detect", "judge", "measure")
        }
        return Settings.model_construct(**kept).digest

    @property
    def digest(self) -> str:
        """Stored with every verdict, so that a verdict names the settings behind it."""
        canonical = json.dumps(self.plain(), sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]

    @property
    def jobs(self) -> int:
        return self.engine.jobs or len(os.sched_getaffinity(0))


def load(path: Path | None) -> Settings:
    """Read the file, or take every default when there is none."""
    if path is None:
        use_site(None, None)
        return Settings.model_construct()
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            error.strerror or "cannot be read", where=str(path), fix="check the path and its mode"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"not valid TOML: {error}", where=str(path), fix="mend that line"
        ) from error
    settings = parse(raw, where=str(path))
    use_site(Path(settings.store.state) if settings.store.state else None, path)
    return settings


def parse(raw: dict[str, Any], *, where: str) -> Settings:
    try:
        return Settings.model_validate(raw)
    except ValidationError as error:
        lines = list({key_in(d): describe(d) for d in reversed(error.errors())}.values())[::-1]
        raise ConfigError(
            f"{len(lines)} setting(s) are wrong:\n" + "\n".join(f"  - {line}" for line in lines),
            where=where,
            fix="`dlp config show` lists every key with its default",
        ) from None


# What a pattern allows, in words.
PATTERNS = {
    r"^/": "write the whole path, from /",
    r"^(/|$)": "write the whole path, from /",
    r"^[a-z0-9][a-z0-9_-]*$": "use small letters, digits, - and _ only",
    r"^[a-z_]+:[0-9a-f]{8,64}$": "a kind, a colon and a keyed fingerprint, as `dlp explain` shows",
}


# What a kind of value looks like, by the name the checker of settings gives to the mistake.
KINDS = {
    "int": "write a whole number, without quotes",
    "float": "write a number, without quotes",
    "bool": "write true or false, without quotes",
    "string": "write text in quotes",
    "tuple": 'write a list: ["one", "two"]',
    "date": "write a day: 2027-01-31",
    "model": "write a table of settings",
}
BOUNDS = {
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "choose one of {expected}",
    "string_too_short": "must have at least {min_length} letters",
    "missing": "is missing",
}


def key_in(details: ErrorDetails) -> str:
    """The key as it stands in the file: entries of a list count from 1."""
    steps = (s + 1 if isinstance(s, int) else s for s in details["loc"])
    # For a value of several kinds the checker adds the kind it tried.
    return ".".join(str(s) for s in steps if not str(s).startswith(("literal[", "dict[")))


def describe(details: ErrorDetails) -> str:
    """One mistake in words: the key, what is wrong, the nearest valid key."""
    key, kind, context = key_in(details), details["type"], details.get("ctx", {})
    if (rule := PATTERNS.get(str(context.get("pattern")))) is not None:
        return f"{key}: {rule}"
    if (words := BOUNDS.get(kind)) is not None:
        return f"{key}: {words.format_map(context)}"
    if kind != "extra_forbidden":
        detail = details["msg"].removeprefix("Value error, ")
        return f"{key}: {KINDS.get(kind.partition('_')[0], detail)}"
    near = difflib.get_close_matches(key, list(known_keys(Settings)), n=1, cutoff=0.5)
    return f"{key}: no such setting" + (f"; did you mean {near[0]}?" if near else "")


def known_keys(section: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in section.model_fields.items():
        yield prefix + name
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from known_keys(kind, f"{prefix}{name}.")


def to_toml(settings: Settings) -> str:
    """Every setting with its value, ready to be edited."""
    lines: list[str] = []
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        sections = value if isinstance(value, tuple) else (value,)
        header = f"[[{name}]]" if isinstance(value, tuple) else f"[{name}]"
        if not sections:
            lines += ["", f"# {header}: none"]
        for section in sections:
            assert isinstance(section, Section)
            lines += ["", f"# {(type(section).__doc__ or '').strip()}", header]
            lines += [f"{key} = {as_toml(item)}" for key, item in section if item is not None]
    return "\n".join(lines[1:]) + "\n"


def as_toml(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(as_toml(item) for item in value) + "]"
    if isinstance(value, Section | dict):
        pairs = value.items() if isinstance(value, dict) else value
        inside = ", ".join(f"{key} = {as_toml(item)}" for key, item in pairs if item is not None)
        return "{ " + inside + " }"
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(value)  # booleans, numbers and strings are written alike in both
