"""Games that are easier than the game: a loss there is a loss here."""
