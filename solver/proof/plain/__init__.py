"""The checker that is plain Python and easy to read."""
