"""A played game, step by step: how many moves kept the win, and which move lost it.

The verdicts come first, in one walk from the deal to the end. A win of one position is carried on
to the next: a move of the win leaves the rest of it, and another move may come to its front
(``hint.brought_forward``). What is lost stays lost, so the walk ends there: every move from a lost
position leads to a lost one, else it would not be lost. A win found late says, in a walk back, that
all positions before were won. Only then are the other moves of each step looked at.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..game.moves import Move
from ..game.position import Position
from ..game.verdict import Verdict
from .hints import Judge, Option, brought_forward, hint


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a game, the verdict before and after it, and what each legal move would have done.

    Where the position was lost before, ``options`` names the moves alone.
    """

    move: Move
    before: Verdict
    after: Verdict
    options: tuple[Option, ...]

    def count(self, verdict: Verdict) -> int:
        """Gets the number of legal moves with a verdict."""
        return sum(option.verdict is verdict for option in self.options)


@dataclass(frozen=True, slots=True)
class Review:
    """The steps of a game, the verdict on its start, and the states spent."""

    start: Verdict
    steps: tuple[Step, ...]
    states: int

    @property
    def losing_steps(self) -> range:
        """The numbers, from 1, of the moves of which one lost the win; empty if none is known to.

        Several only where positions between a won and a lost one are undecided.
        """
        verdicts = [self.start, *(step.after for step in self.steps)]
        if Verdict.WINNABLE not in verdicts or Verdict.UNWINNABLE not in verdicts:
            return range(0)
        kept = len(verdicts) - verdicts[::-1].index(Verdict.WINNABLE)
        return range(kept, verdicts.index(Verdict.UNWINNABLE) + 1)


def review(
    position: Position,
    moves: Sequence[Move],
    judge: Judge | None = None,
    on_step: Callable[[int], None] = lambda number: None,
) -> Review:
    """Reviews a game from a position on.

    :param judge: has the limits, and knows what it has found before; by default a new one.
    :param on_step: called with the number of moves before each position that is looked at.
    :raises IllegalMoveError: if a move is not legal where it stands.
    :raises Error: if the position is not one of the game.
    """
    judge = judge or Judge()
    spent = judge.spent
    positions = [position]
    for move in moves:
        positions.append(positions[-1].play(move))
    _walk(positions, moves, judge, on_step)
    steps = []
    for number, move in enumerate(moves):
        on_step(number)
        before, after = positions[number : number + 2]
        found = hint(before, judge)
        steps.append(Step(move, found.verdict, judge.verdict(after), found.options))
    return Review(judge.verdict(position), tuple(steps), judge.spent - spent)


def _walk(
    positions: Sequence[Position],
    moves: Sequence[Move],
    judge: Judge,
    on_step: Callable[[int], None],
) -> None:
    """Has the judge decide every position of a game."""
    last = len(moves)
    if positions[-1].is_won:
        judge.learn(positions[-1], ())
    else:
        last = _forward(positions, moves, judge, on_step)
    for number in reversed(range(last)):
        rest = judge.win(positions[number + 1])
        if rest is not None:
            judge.learn(positions[number], (moves[number], *rest))


def _forward(
    positions: Sequence[Position],
    moves: Sequence[Move],
    judge: Judge,
    on_step: Callable[[int], None],
) -> int:
    """Decides positions from the first on, and gets the number of the last that is not lost."""
    for number, move in enumerate([*moves, None]):
        on_step(number)
        if judge.verdict(positions[number]) is Verdict.UNWINNABLE:
            for later in positions[number + 1 :]:
                judge.learn_lost(later)
            return max(number - 1, 0)
        win = judge.win(positions[number])
        if win and move:
            line = brought_forward(positions[number], move, win)
            if line:
                judge.learn(positions[number + 1], line[1:])
    return len(moves)
