"""Settings that every test module shares."""

import pytest
from hypothesis import settings

from solver.engine.search import prepare

# Machines differ in speed and seeds must not: what fails once fails again.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def compiled_search() -> None:
    """Compiles the search before any test: a command that has to do so says it on stderr."""
    prepare()
