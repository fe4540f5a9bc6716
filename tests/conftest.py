"""Settings that every test module shares."""

from hypothesis import settings

# Machines differ in speed and seeds must not: what fails once fails again.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")
