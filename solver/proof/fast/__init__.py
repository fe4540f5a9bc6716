"""The checker that works on whole arrays of states."""
