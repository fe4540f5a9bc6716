"""Many deals: worker processes, the store of verdicts, and what is counted in it."""
