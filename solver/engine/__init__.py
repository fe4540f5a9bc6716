"""From a position to a verdict."""
