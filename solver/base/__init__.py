"""What every room stands on: files written whole or not at all."""
