"""Solves lists of deals and times each of them.

``python -m bench.timing`` does so on request, for whoever measures several versions of the solver:
each runs in a process of its own, with its ``solver`` and ``bench`` first on the path. A request is
a line of JSON on stdin, ``[rules, states, seeds]``; the answer is a line with a list of what
:class:`Timed` has. Versions must agree on both, and on nothing else.
"""

import json
import signal
import sys
import time
from collections.abc import Iterable
from typing import NamedTuple

from solver.engine.decide import solve
from solver.game.deal import deal_from_seed
from solver.game.position import start
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import Limits, Reason

WARM_UP_STATES = 1000


class Timed(NamedTuple):
    """A verdict, and what it took, replay included.

    ``milliseconds`` are those that passed, ``cpu`` those that this process had a processor.
    """

    seed: str
    verdict: str
    states: int
    milliseconds: float
    cpu: float


def timed(rules: Rules, seeds: Iterable[str], states: int) -> list[Timed]:
    """Solves deals one after the other, compiled code being ready.

    :param states: the budget of a deal.
    """
    positions = [(seed, start(deal_from_seed(seed), rules)) for seed in seeds]
    for _, position in positions[:1]:
        solve(position, Limits(WARM_UP_STATES))
    found = []
    for seed, position in positions:
        clock, cpu_clock = time.perf_counter(), time.process_time()
        result = solve(position, Limits(states))
        seconds, cpu = time.perf_counter() - clock, time.process_time() - cpu_clock
        if result.reason is Reason.INTERRUPTED:
            raise KeyboardInterrupt
        found.append(Timed(seed, str(result.verdict), result.states, seconds * 1000, cpu * 1000))
    return found


def main() -> None:
    """Answers requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks ends this process
    for line in sys.stdin:
        name, states, seeds = json.loads(line)
        print(json.dumps(timed(PRESETS[name], seeds, states)), flush=True)


if __name__ == "__main__":
    main()
