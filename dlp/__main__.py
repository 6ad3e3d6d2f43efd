"""Run the command line as `python -m dlp`.

In: arguments.  Out: an exit code.
"""

from dlp.cli.main import main

main(prog_name="dlp")
