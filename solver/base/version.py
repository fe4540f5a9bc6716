"""The version of this program, which only the package's metadata know."""

from importlib.metadata import version

__version__ = version("royal-rendezvous-solver")
