"""``rr-solve`` and ``python -m solver``: the command line, heeding Ctrl-C while it loads too."""

import sys
import warnings

from .compiled.folder import CodeCacheWarning


def main() -> None:
    """Runs the command line and exits."""
    try:
        from .cli.main import main as run
    except KeyboardInterrupt:
        print("Interrupted", file=sys.stderr)
        sys.exit(130)  # as for an interrupted command
    with warnings.catch_warnings():
        warnings.simplefilter("always", CodeCacheWarning)
        warnings.showwarning = _show  # type: ignore[assignment]
        run()


def _show(message: Warning | str, *where: object) -> None:
    """Shows a warning as one line: where in the sources it arose is of no use to a user."""
    print(f"Warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    main()
