"""Measures how hard a position is: see :mod:`solver.game.difficulty` for what the numbers mean."""

from collections.abc import Sequence

from ..engine.playouts import games_won
from ..game.difficulty import Difficulty
from ..game.moves import Move, Source
from ..game.position import Position
from ..game.verdict import DEFAULT_MEMORY, Limits, Result, Verdict
from .hints import Judge, options

PLAYOUTS = 1000
IDLE = 10
"""The careless player deals one turn in so many, whatever fits."""

OTHER_STATES = 10_000
"""The budget for each move that is not the solution's; about one step in a hundred needs more."""


def difficulty_of(
    position: Position, win: Sequence[Move] | None, memory: int = DEFAULT_MEMORY
) -> Difficulty:
    """Measures how hard a position is.

    :param win: a win of it, if one is known.
    :raises ValueError: if the position is not one of the game.
    :raises IllegalMoveError: if the win can't be played.
    :raises KeyboardInterrupt: if a search was interrupted.
    """
    greedy, careless = (games_won(position, PLAYOUTS, idle) for idle in (0, IDLE))
    if win is None:
        return Difficulty(PLAYOUTS, greedy, careless)
    return Difficulty(PLAYOUTS, greedy, careless, *_choices(position, win, memory))


def difficulty_of_result(position: Position, result: Result, memory: int) -> Difficulty:
    """Measures how hard a position is, given what is known of it: see :func:`difficulty_of`."""
    win = result.moves if result.verdict is Verdict.WINNABLE else None
    return difficulty_of(position, win, memory)


def _choices(position: Position, win: Sequence[Move], memory: int) -> tuple[int, int, int]:
    """Gets the numbers ``choices``, ``single`` and ``unclear`` of a solution."""
    judge = Judge(Limits(OTHER_STATES, memory=memory))
    choices = single = unclear = 0
    for number, move in enumerate(win):
        judge.learn(position, tuple(win[number:]))
        moves = position.legal_moves()
        if sum(each.source is not Source.FOUNDATION for each in moves) > 1:
            choices += 1
            others = _other_verdicts(position, move, judge)
            if others == {Verdict.UNWINNABLE}:
                single += 1
            elif Verdict.WINNABLE not in others:
                unclear += 1
        position = position.play(move)
    return choices, single, unclear


def _other_verdicts(position: Position, move: Move, judge: Judge) -> set[Verdict]:
    """Gets what is known of the other deals and plays, looking no further than a win."""
    verdicts = set()
    for option in options(position, judge):
        if option.move != move and option.move.source is not Source.FOUNDATION:
            verdicts.add(option.verdict)
            if option.verdict is Verdict.WINNABLE:
                break
    return verdicts
