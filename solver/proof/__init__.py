"""Certificates: written proofs of verdicts, and two programs that check them without the search."""
