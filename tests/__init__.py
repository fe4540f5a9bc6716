"""The test suite; ``DATA`` is the folder of recorded facts it checks against."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
