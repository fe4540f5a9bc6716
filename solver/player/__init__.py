"""For somebody at the table: hints, reviews, difficulty, and proofs of what was found."""
