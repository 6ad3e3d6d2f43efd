"""The errors that stop a command, each with a stable code.

In: what went wrong, where, what to do.  Out: one readable line.

    DlpError
    ├── ConfigError     DLP-100  settings
    ├── KnowledgeError  DLP-200  rules and compiled knowledge
    │   └── RuleError   DLP-210  a rule that does not prove itself
    ├── StoreError      DLP-300  database, journal, ledger
    │   └── LedgerError DLP-310  the ledger is behind what was witnessed of it
    ├── RespondError    DLP-400  quarantine, sanitise, restore
    ├── IsolationError  DLP-500  workers and their sandbox
    │   └── ClusterError DLP-510  machines that work together
    ├── SanitiseError   DLP-600  a table or document that cannot be made safe as asked
    └── NotifyError     DLP-700  telling people
        └── UndeliveredError  DLP-710  one attempt to tell somebody failed

Trouble with *their* file is a Gap and never one of these; a bug is none of these either.
"""

from __future__ import annotations


class DlpError(Exception):
    """What happened, where, and what to do about it."""

    code = "DLP-000"
    exit_code = 10

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        self.what = what
        self.where = where
        self.fix = fix
        super().__init__(what)

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        fix = f"\n  → {self.fix}" if self.fix else ""
        return f"{self.code} {where}{self.what}{fix}"


class ConfigError(DlpError):
    code = "DLP-100"
    exit_code = 11


class KnowledgeError(DlpError):
    code = "DLP-200"
    exit_code = 12


class RuleError(KnowledgeError):
    code = "DLP-210"


class StoreError(DlpError):
    code = "DLP-300"
    exit_code = 13


class LedgerError(StoreError):
    code = "DLP-310"


class RespondError(DlpError):
    code = "DLP-400"
    exit_code = 14


class IsolationError(DlpError):
    code = "DLP-500"
    exit_code = 15


class ClusterError(IsolationError):
    code = "DLP-510"


class SanitiseError(DlpError):
    code = "DLP-600"
    exit_code = 16


class NotifyError(DlpError):
    code = "DLP-700"
    exit_code = 17


class UndeliveredError(NotifyError):
    """One attempt failed; `down`: the channel itself does not answer, so others would fail too."""

    code = "DLP-710"

    def __init__(self, what: str, *, down: bool = False, where: str = "", fix: str = "") -> None:
        super().__init__(what, where=where, fix=fix)
        self.down = down
