"""Run the command line, as `dlp` and as `python -m dlp`.

In: arguments.  Out: an exit code.
"""

from __future__ import annotations

from dlp.cli.main import main


def run() -> None:
    main(prog_name="dlp")


if __name__ == "__main__":
    run()
