"""The base of what the package raises where what it was given is wrong."""


class Error(ValueError):
    """Something that was given can't be used: a text, a move, a file; the message says what."""
