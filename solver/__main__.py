"""``python -m solver`` is ``rr-solve``."""

from .cli import main

main()
