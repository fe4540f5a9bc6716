"""What the game is, in plain Python."""
