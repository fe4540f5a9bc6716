"""``rr-solve`` and ``python -m solver``: the command line, heeding Ctrl-C while it loads too."""

import sys


def main() -> None:
    """Runs the command line and exits."""
    try:
        from .cli.main import main as run
    except KeyboardInterrupt:
        print("Interrupted", file=sys.stderr)
        sys.exit(130)  # as for an interrupted command
    run()


if __name__ == "__main__":
    main()
