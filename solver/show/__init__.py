"""Texts, a viewer, pages and plots: shows what it is given, decides nothing."""
