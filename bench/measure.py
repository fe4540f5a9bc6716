"""Figures of whole deals, in this process: speed, the arms and the steps of a solve, and counts.

Each part gets its sections one by one. Deals that are beyond the budget count as undecided, with
the time and the states that they took.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from solver.engine.decide import confirmed, form_for
from solver.engine.path import moves_of
from solver.engine.search import Form, Order, Search, prepare
from solver.game.deal import deal_from_seed
from solver.game.position import start
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import DEFAULT_STATES, Verdict
from solver.kernel.loop import Stop

from .figures import Figures, Section, spread_of
from .tail import tail_of
from .timing import Timed, timed

SIGNATURE_FILE = Path(__file__).parent / "signature.json"
RULES: dict[str, Rules] = {
    **PRESETS,
    "pysol-no-transfers": replace(PRESETS["pysol"], transfers=False),
}
SPEED_DEALS, SPEED_STATES = 1000, 1_000_000
ARMS_DEALS, ARMS_STATES = 100, 20_000
STEPS_DEALS, STEPS_STATES = 300, 20_000
SIGNATURE_DEALS, SIGNATURE_STATES = 100, 20_000
DECIDED_DEALS = 300
TAIL_DEALS, TAIL_STATES = 20, 2_000_000
FIRST_DEALS, HARDEST_DEALS = "100000 on", "the start of bench/tail"

T = TypeVar("T")


def first_deals(count: int) -> list[str]:
    """Gets the numbers of deals from 100000 on."""
    return [str(100000 + number) for number in range(count)]


def about(deals: int, states: int, source: str = FIRST_DEALS) -> str:
    """Gets a description of a list of deals and their budget."""
    return f"{deals:,} deals from {source}, at most {states:,} states each"


def unknown(results: Sequence[Timed]) -> int:
    """Gets the number of undecided deals."""
    return sum(result.verdict == Verdict.UNKNOWN for result in results)


def speed() -> Iterator[Section]:
    """Measures time and states of a deal under each preset, on one core.

    Where ``cpu/wall`` is well below 1 the machine was busy with something else.
    """
    times: dict[str, Figures] = {}
    states: dict[str, Figures] = {}
    for name, rules in PRESETS.items():
        results = timed(rules, first_deals(SPEED_DEALS), SPEED_STATES)
        milliseconds = [result.milliseconds for result in results]
        counts = [result.states for result in results]
        seconds = sum(milliseconds) / 1000
        times[name] = {
            "deals/s": len(results) / seconds,
            "states/s": sum(counts) / seconds,
            **spread_of(milliseconds, "ms"),
            "cpu/wall": sum(result.cpu for result in results) / sum(milliseconds),
        }
        states[name] = {"undecided": unknown(results), **spread_of(counts, "states")}
    yield Section("speed", about(SPEED_DEALS, SPEED_STATES), times)
    yield Section("states", about(SPEED_DEALS, SPEED_STATES), states)


def arms() -> Iterator[Section]:
    """Measures each form and order of search by itself: only the search, no moves, no replay."""
    rows = {
        f"{name} {form.name} {order.name}".lower(): _arm(PRESETS[name], form, order)
        for name in ("wikipedia", "wikipedia-strict", "pysol")
        for form in Form
        if form is Form.PLAIN or PRESETS[name].has_credit_form
        for order in (Order.LAYERS, Order.DEPTH)
    }
    yield Section("arms", about(ARMS_DEALS, ARMS_STATES), rows)


def _arm(rules: Rules, form: Form, order: Order) -> Figures:
    prepare()
    found = [_searched(seed, rules, form, order) for seed in first_deals(ARMS_DEALS)]
    milliseconds = [took for _, _, took in found]
    states = sum(count for _, count, _ in found)
    return {
        "undecided": sum(stop is Stop.PAUSED for stop, _, _ in found),
        "states": states,
        "states/s": states / sum(milliseconds) * 1000,
        **spread_of(milliseconds, "ms"),
    }


def _searched(seed: str, rules: Rules, form: Form, order: Order) -> tuple[Stop, int, float]:
    search = Search(start(deal_from_seed(seed), rules), form, order)
    stop, milliseconds = clocked(lambda: search.run(ARMS_STATES))
    return stop, search.states, milliseconds


def clocked(work: Callable[[], T]) -> tuple[T, float]:
    """Does some work, and gets what it gives and the milliseconds that it took."""
    clock = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - clock) * 1000


def steps() -> Iterator[Section]:
    """Measures what a win is made of: laying out the deal, set-up, search, path, and replay."""
    prepare()
    times: dict[str, list[float]] = {}
    for seed in first_deals(STEPS_DEALS):
        for step, took in _steps_of(seed, PRESETS["wikipedia"]).items():
            times.setdefault(step, []).append(took)
    rows = {step: spread_of(values, "ms") for step, values in times.items()}
    yield Section("steps", f"the wins of {about(STEPS_DEALS, STEPS_STATES)}, wikipedia", rows)


def _steps_of(seed: str, rules: Rules) -> Figures:
    """Gets the milliseconds of each step of a win, nothing if it is none."""
    position, deal = clocked(lambda: start(deal_from_seed(seed), rules))
    form = form_for(rules)
    search, set_up = clocked(lambda: Search(position, form))
    stop, run = clocked(lambda: search.run(STEPS_STATES))
    if stop is not Stop.WON:
        return {}
    path, trace = clocked(search.path)
    _, replay = clocked(lambda: confirmed(position, moves_of(position, form, path)))
    return {"deal": deal, "set-up": set_up, "search": run, "path": trace, "replay": replay}


def signature() -> Iterator[Section]:
    """Counts the states over fixed deals under each rule set, beside the number on file."""
    on_file = json.loads(SIGNATURE_FILE.read_text()) if SIGNATURE_FILE.exists() else {}
    rows: dict[str, Figures] = {}
    for name, rules in RULES.items():
        results = timed(rules, first_deals(SIGNATURE_DEALS), SIGNATURE_STATES)
        states = sum(result.states for result in results)
        known = on_file.get(name, 0)
        rows[name] = {"states": states, "on file": known, "difference": states - known}
    yield Section("signature", about(SIGNATURE_DEALS, SIGNATURE_STATES), rows)


def save_signature(section: Section) -> None:
    """Makes a signature the one on file."""
    states = {name: figures["states"] for name, figures in section.rows.items()}
    SIGNATURE_FILE.write_text(json.dumps(states, indent=1) + "\n")


def decided() -> Iterator[Section]:
    """Counts verdicts with the default budget."""
    rows: dict[str, Figures] = {}
    for name, rules in RULES.items():
        results = timed(rules, first_deals(DECIDED_DEALS), DEFAULT_STATES)
        rows[name] = {
            **{str(v): sum(result.verdict == v for result in results) for v in Verdict},
            **spread_of([result.states for result in results], "states"),
        }
    yield Section("decided", about(DECIDED_DEALS, DEFAULT_STATES), rows)


def tail() -> Iterator[Section]:
    """Solves the hardest deals of each tail list."""
    rows: dict[str, Figures] = {}
    for name, rules in PRESETS.items():
        seeds = [entry.seed for entry in tail_of(name)[:TAIL_DEALS]]
        results = timed(rules, seeds, TAIL_STATES)
        rows[name] = {
            "deals": len(seeds),
            "undecided": unknown(results),
            "states": sum(result.states for result in results),
            "seconds": sum(result.milliseconds for result in results) / 1000,
        }
    yield Section("tail", about(TAIL_DEALS, TAIL_STATES, HARDEST_DEALS), rows)
