"""Random games by players without a plan: no search, no memory.

The *greedy* player puts a card on a foundation whenever one fits, each play with the same chance,
and deals only if none does. A card that fits from the reserve and from the waste alike counts once:
either way leads to the same table. The *careless* player does the same, but every so often (one
turn in ``idle``, at random) deals although something fits.
"""

from typing import NamedTuple

import numpy as np

from ..game.position import Position
from .frontier import MOST_MOVES
from .jit import Word, inlined, kernel, signed, unsigned
from .moves.real import DEAL, may_deal, moves, step
from .root import Ints, Problem, foundation_word
from .state import look

GAMMA = unsigned(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = unsigned(0xBF58476D1CE4E5B9), unsigned(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3, HIGH = unsigned(30), unsigned(27), unsigned(31), unsigned(33)
SEED = unsigned(1)
"""That of published figures."""
MOST_TURNS = 256  # of a game without transfers: fewer than 92 plays and 92 deals


class Root(NamedTuple):
    """A state to begin from: see ``root``."""

    w0: Word
    w1: Word
    dealt: int
    f: Word


class Record(NamedTuple):
    """Work space, and the last game that was played: its length and its codes (``moves.real``).

    ``codes`` int64[96], ``line`` int64[257].
    """

    codes: Ints
    line: Ints


def root_of(position: Position) -> Root:
    """Lays out where a position begins, all its waste being the first stock cards."""
    waste = (1 << len(position.waste)) - 1
    return Root(
        unsigned(waste & 0xFFFFFFFFFFFFFFFF),
        unsigned(waste >> 64),
        len(position.waste),
        unsigned(foundation_word(position.foundations)),
    )


def new_record() -> Record:
    """Makes the work space for :func:`play`."""
    return Record(np.zeros(MOST_MOVES, np.int64), np.zeros(MOST_TURNS + 1, np.int64))


@inlined
def draw(state: Word) -> int:
    """Gets 31 random bits from a state of the generator SplitMix64 (Steele, Lea, Flood 2014)."""
    word = (state ^ state >> SHIFT_1) * MIX_1
    word = (word ^ word >> SHIFT_2) * MIX_2
    return signed((word ^ word >> SHIFT_3) >> HIGH)


@kernel
def play(problem: Problem, root: Root, games: int, idle: int, seed: Word, record: Record) -> int:
    """Plays games from the root, and gets the number of those that were won.

    The problem must be without transfers. What is left in the reserve when the waste and the stock
    are empty goes up by itself, so that such a game is won.

    :param idle: how many turns there are to one in which the player deals if he may, whatever fits;
        0 for the greedy player.
    """
    codes, line = record
    state, won = seed, 0
    for _ in range(games):
        view = look(problem, root.w0, root.w1, root.dealt, root.f)
        line[0] = 0
        while view.w0 or view.w1 or view.dealt < problem.size:
            deals = may_deal(problem, view)
            number = moves(problem, view, codes)
            if deals and idle:
                state += GAMMA
                if draw(state) % idle == 0:
                    number = 0
            if number:
                state += GAMMA
                code = codes[draw(state) % number]
            elif deals:
                code = DEAL
            else:
                break
            line[0] += 1
            line[line[0]] = code
            view = step(problem, view, code)
        if not (view.w0 or view.w1) and view.dealt == problem.size:
            won += 1
    return won
