"""The real stages, built once."""

import pytest

from dlp.pipeline import Pipeline
from dlp.triage.assemble import triage_stages
from dlp.triage.cheap import CheapPass, rare_health_words
from dlp.triage.rules import read_cheap_rules


@pytest.fixture(scope="session")
def default():
    return Pipeline(triage_stages(), given={"document"})


@pytest.fixture(scope="session")
def study():
    return Pipeline(triage_stages("sokolova2009"), given={"document"})


@pytest.fixture(scope="session")
def cheap():
    return CheapPass(read_cheap_rules(), rare_health_words())
