"""What each legal move does to a position: keeps the win, loses it, or nobody knows.

Work is shared between the moves, and by a :class:`Judge` between positions:

- A position is decided first. If it is lost, so is every move; if it is won, the first move of the
  win needs no search.
- A win is tried with another move brought to its front (:func:`brought_forward`). What is found so
  is a win because it has been replayed, not because of an argument.
- A transfer can be taken back at once: the pile that the card left takes it next. So a transfer
  keeps the win if there is one, and only then.
- Positions that differ in the order of the reserve are decided once: a card played from the waste
  or its twin from the reserve, say.

What is left is searched, each move with the whole budget.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ..engine.decide import solve
from ..game.moves import Move, Source, reserve_move, waste_move
from ..game.position import Position
from ..game.verdict import Limits, Reason, Verdict

Line: TypeAlias = tuple[Move, ...]

LOST = Verdict.UNWINNABLE
BEST_FIRST = (Verdict.WINNABLE, Verdict.UNKNOWN, LOST)


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move, the verdict on the position after it, and the states that this cost."""

    move: Move
    verdict: Verdict
    states: int = 0


@dataclass(frozen=True, slots=True)
class Hint:
    """The verdict on a position, its legal moves from the best to the worst, and the states spent.

    Among moves with the same verdict the cheapest to decide come first.
    """

    verdict: Verdict
    options: tuple[Option, ...]
    states: int

    def moves(self, verdict: Verdict) -> list[Move]:
        """Gets the moves with a verdict."""
        return [option.move for option in self.options if option.verdict is verdict]


@dataclass(slots=True)
class Judge:
    """Decides positions, each with the same budget, and remembers what it found.

    :param limits: the states and the memory are those of each search; the seconds are those of all
        together, from now on. After them no position is searched, and what is not known by then
        stays unknown.
    :param should_stop: asked about twenty times a second; from when it says so on, it is the same.
    :param on_progress: called as often, with the states so far of all searches together.
    :raises KeyboardInterrupt: from whatever searches, if the search was interrupted.
    """

    limits: Limits = Limits()
    should_stop: Callable[[], bool] = lambda: False
    on_progress: Callable[[int], None] = lambda states: None
    spent: int = field(default=0, init=False)
    _begin: float = field(default_factory=time.monotonic, init=False)
    _verdicts: dict[Position, Verdict] = field(default_factory=dict, init=False)
    _wins: dict[Position, Line] = field(default_factory=dict, init=False)

    def verdict(self, position: Position) -> Verdict:
        """Gets the verdict on a position, by a search if it is not known."""
        key = _key(position)
        if key not in self._verdicts:
            limits = self._left()
            if limits is None:
                return Verdict.UNKNOWN
            result = solve(
                position,
                limits,
                should_stop=self.should_stop,
                on_progress=lambda states: self.on_progress(self.spent + states),
            )
            if result.reason is Reason.INTERRUPTED:
                raise KeyboardInterrupt
            self.spent += result.states
            self._verdicts[key] = result.verdict
            if result.verdict is Verdict.WINNABLE:
                self._wins[key] = result.moves
        return self._verdicts[key]

    def _left(self) -> Limits | None:
        """Gets what the next search may spend, if anything."""
        if self.should_stop():
            return None
        if self.limits.seconds is None:
            return self.limits
        seconds = self._begin + self.limits.seconds - time.monotonic()
        return replace(self.limits, seconds=seconds) if seconds > 0 else None

    def knows(self, position: Position) -> bool:
        """Whether the verdict on a position needs no search."""
        return _key(position) in self._verdicts

    def win(self, position: Position) -> Line | None:
        """Gets the win of a position, if one is known."""
        return self._wins.get(_key(position))

    def learn(self, position: Position, win: Line) -> None:
        """Takes in a win, which the caller has replayed."""
        self._note(position, Verdict.WINNABLE)
        self._wins.setdefault(_key(position), win)

    def learn_lost(self, position: Position) -> None:
        """Takes in that a position is lost."""
        self._note(position, LOST)

    def _note(self, position: Position, verdict: Verdict) -> None:
        earlier = self._verdicts.setdefault(_key(position), verdict)
        if earlier not in (verdict, Verdict.UNKNOWN):
            raise RuntimeError(f"a position is {earlier}, and {verdict} now")
        self._verdicts[_key(position)] = verdict


def _key(position: Position) -> Position:
    """Gets the position with its reserve in order: the order does not matter to the game."""
    return position._replace(reserve=tuple(sorted(position.reserve, key=lambda card: card or 0)))


def hint(position: Position, judge: Judge | None = None) -> Hint:
    """Gets what each legal move does to a position.

    :param judge: has the limits, and knows what it has found before; by default a new one.
    :raises Error: if the position is not one of the game.
    """
    judge = judge or Judge()
    before = judge.spent
    found = list(options(position, judge))
    first = judge.win(position)
    best = sorted(
        found,
        key=lambda option: (
            BEST_FIRST.index(option.verdict),
            not first or option.move != first[0],
            option.states,
            str(option.move),
        ),
    )
    return Hint(judge.verdict(position), tuple(best), judge.spent - before)


def options(position: Position, judge: Judge) -> Iterator[Option]:
    """Gets the legal moves with their verdicts, those first that need no search.

    Once all have been taken, the judge knows what follows from them about the position itself.
    """
    if judge.verdict(position) is LOST:
        yield from (Option(move, LOST) for move in position.legal_moves())
        return
    transfers = [move for move in position.legal_moves() if move.source is Source.FOUNDATION]
    found = []
    for option in _deals_and_plays(position, judge):
        found.append(option.verdict)
        yield option
    if judge.verdict(position) is Verdict.UNKNOWN and not transfers and set(found) == {LOST}:
        judge.learn_lost(position)
    yield from (Option(move, judge.verdict(position)) for move in transfers)


def _deals_and_plays(position: Position, judge: Judge) -> Iterator[Option]:
    wins = list(filter(None, [judge.win(position)]))
    left = [move for move in position.legal_moves() if move.source is not Source.FOUNDATION]
    for searching in (False, True):
        for move in left.copy():
            after, before = position.play(move), judge.spent
            if not judge.knows(after):
                lines = (brought_forward(position, move, win) for win in wins)
                line = next(filter(None, lines), None)
                if line:
                    judge.learn(after, line[1:])
                elif not searching:
                    continue
            left.remove(move)
            verdict, rest = judge.verdict(after), judge.win(after)
            if rest is not None and judge.spent > before:
                wins.append((move, *rest))
                judge.learn(position, wins[-1])
            yield Option(move, verdict, judge.spent - before)


def brought_forward(position: Position, move: Move, win: Line) -> Line | None:
    """Gets a win with a move brought to its front, if the rest can still be played.

    The rest is played in its order, each card from where it now lies.

    :param win: a win of the position.
    :returns: a win that has been replayed, or ``None``: that says nothing about the move.
    """
    line, now, skipped = [move], position.play(move), False
    for step in win:
        if not skipped and (step.card, step.pile) == (move.card, move.pile):
            skipped = True
            continue
        if step.card is not None and step.pile is not None and step.from_pile is None:
            in_reserve = step.card in now.reserve
            step = (reserve_move if in_reserve else waste_move)(step.card, step.pile)
        if not now.is_legal(step):
            return None
        line.append(step)
        now = now.play(step)
    return tuple(line) if now.is_won else None
