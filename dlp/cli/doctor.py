"""`dlp doctor`: look at the machine and the installation before they are relied on.

In: settings, or nothing.  Out: one line per check, or JSON; exit 1 when verdicts would be unsafe.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
@click.option("--config", type=click.Path(exists=True, path_type=Path), help="TOML settings.")
def command(config: Path | None, *, as_json: bool) -> None:
    """Check the kernel, the sandbox, the knowledge, the libraries and the place of the keys."""
    from dlp.config import load
    from dlp.selftest import State, checks

    found = []
    for check in checks(load(config)):
        found.append(check)
        if not as_json:
            colour = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red"}[check.state]
            mark = click.style(f"{check.state:<5}", fg=colour)
            click.echo(f"{mark} {check.name:<22} {check.detail}")
    healthy = all(check.state is not State.FAIL for check in found)
    if as_json:
        rows = [{"name": c.name, "state": c.state, "detail": c.detail} for c in found]
        click.echo(json.dumps({"healthy": healthy, "checks": rows}, indent=1))
    else:
        counts = Counter(check.state for check in found)
        click.echo(", ".join(f"{counts[state]} {state}" for state in State))
    sys.exit(0 if healthy else 1)
