"""The Python in the README is run, and prints what the README says."""

import doctest
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_the_python_in_the_readme_prints_what_it_says() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 0
    assert failed == 0
