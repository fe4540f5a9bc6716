"""The moves of a state: those of the game, and those with credit."""
