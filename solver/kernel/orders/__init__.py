"""In which order states are searched."""
