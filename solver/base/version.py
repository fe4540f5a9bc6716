"""The version of this program, which only the package's metadata know."""

from importlib.metadata import version

VERSION = version("royal-rendezvous-solver")
