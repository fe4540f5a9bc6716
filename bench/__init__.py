"""Benchmarks: figures on fixed lists of deals."""
