"""From a verdict to its certificate.

The proof of a loss is not copied out of the search. It is made anew by the checker's own program,
which knows the verdict and nothing else of the search, and checks each step as it writes it. So a
shortcut of the search can't leave a gap in a proof, and every certificate is a second opinion.
Where a proof grows long, it is begun again with the relaxed game; the search then advises on which
states to try that, and no more.
"""

from pathlib import Path

from ..base.files import write
from ..game.deal import Deal
from ..game.errors import Error
from ..game.position import Position
from ..game.position import start as started
from ..game.verdict import Limits, Result, Verdict
from ..proof.certificate import file_name, win_file
from ..proof.claim import (
    AreDead,
    InvalidError,
    LimitError,
    Method,
    Watch,
    ignore,
    method_for,
    unpack,
)
from ..proof.verify import loss

MANY = 500  # states, from which the fast checker is the quicker one
PATIENCE = 100_000  # states of a proof without the relaxed game


class ContradictionError(RuntimeError):
    """A loss that the checker can win: a fault of the program, never of the deal."""


def certify(
    start: Position | Deal,
    result: Result,
    limits: Limits = Limits(),
    on_progress: Watch = ignore,
) -> bytes:
    """Gets the certificate of a verdict, which :func:`solver.proof.verify.verify` checks.

    :param start: what the verdict is about; the certificate of a deal has its number.
    :param limits: those of the proof of a loss.
    :param on_progress: told the number of states of that proof, now and then.
    :raises Error: if the verdict is unknown.
    :raises LimitError: if the proof needs more than the limits.
    """
    deal = start.deal if isinstance(start, Position) else start
    content = certificate(deal, result, method_for(result.rules), limits, on_progress)
    if content is None:
        raise Error("an unknown verdict has no certificate")
    return content


def certificate(
    deal: Deal, result: Result, method: Method, limits: Limits, watch: Watch = ignore
) -> bytes | None:
    """Gets the certificate of a deal's verdict, ``None`` if it is unknown.

    :param method: how to prove a loss.
    :param limits: the most states of that proof, and the most bytes for those that wait.
    :raises LimitError: if more states or memory are needed.
    :raises ContradictionError: if search and checker do not agree.
    """
    if result.verdict is Verdict.UNKNOWN:
        return None
    if result.verdict is Verdict.WINNABLE:
        return win_file(deal, result.rules, result.moves)
    try:
        return _loss(deal, result, method, limits, watch)
    except InvalidError as error:
        raise ContradictionError(f"the loss that was found is none: {error}") from None


def _loss(deal: Deal, result: Result, method: Method, limits: Limits, watch: Watch) -> bytes:
    """Proves a loss without the relaxed game, or, where that gets long, with it."""
    rules, fast = result.rules, result.states >= MANY
    states, memory = limits.states, limits.memory
    relaxing = method.relaxed(rules)
    first = min(states, PATIENCE) if relaxing else states
    try:
        return loss(deal, rules, method, first, memory, watch, fast)
    except LimitError:
        if not relaxing:
            raise
    dead = dead_states(started(deal, rules), memory)
    return loss(deal, rules, relaxing, states, memory, watch, fast, dead)


def dead_states(position: Position, memory: int) -> AreDead:
    """Gets what tells where below a position the relaxed game is worth trying."""
    from ..engine.dead import DeadStates

    dead = DeadStates(position, memory)
    return lambda keys: dead([unpack(key) for key in keys])


def write_into(folder: Path, deal: Deal, result: Result, limits: Limits) -> None:
    """Writes the certificate of a numbered deal's verdict into a folder.

    There is none of an unknown verdict, and none where the proof needs more than is allowed.

    :raises OSError: if it can't be written.
    """
    method = method_for(result.rules)
    try:
        content = certificate(deal, result, method, limits)
    except LimitError:
        return
    if content is not None:
        assert deal.seed is not None
        folder.mkdir(parents=True, exist_ok=True)
        write({folder / file_name(deal.seed, result.rules): content})
