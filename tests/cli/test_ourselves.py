"""Whatever starts us again starts us, not what somebody left in the working directory."""

import subprocess

import pytest

from dlp.resources import ourselves


@pytest.mark.parametrize("form", ["folder", "file"])
def test_a_planted_program_is_not_run(tmp_path, form):
    """A share is a place where others write; administrators run commands there."""
    trap = "open('stepped in it', 'w').close()\n"
    if form == "folder":
        (tmp_path / "dlp").mkdir()
        (tmp_path / "dlp" / "__init__.py").write_text(trap)
        (tmp_path / "dlp" / "__main__.py").write_text(trap)
    else:
        (tmp_path / "dlp.py").write_text(trap)
    (tmp_path / "click.py").write_text(trap)
    done = subprocess.run(
        [*ourselves(), "rules", "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Usage: dlp rules" in done.stdout
    assert not (tmp_path / "stepped in it").exists()
