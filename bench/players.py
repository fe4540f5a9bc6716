"""Three players without a plan, compiled: one game of each deal, the same every time.

=============  =====================================================================================
``first fit``  plays the first card that fits, and deals only if none does. The order: cards of the
               reserve before the top of the waste; clubs, spades, hearts, diamonds; low ranks
               first; the upper pile before the others
``any fit``    plays a card that fits, each play with the same chance, and deals only if none does
``any move``   takes any legal move, the deal among them, each with the same chance
=============  =====================================================================================

A card that fits from the reserve and from the waste alike counts once: either way leads to the same
table. None of them moves cards between foundations. The number of the deal is the seed of the
random ones.
"""

from dataclasses import replace
from enum import StrEnum

import numpy as np

from solver.game.position import Position
from solver.kernel.frontier import MOST_MOVES
from solver.kernel.jit import Word, kernel, unsigned
from solver.kernel.moves.real import DEAL, may_deal, moves, step
from solver.kernel.playout import GAMMA, Root, draw, root_of
from solver.kernel.root import Ints, Problem, Switch, problem_of
from solver.kernel.state import look, waste_size


class Player(StrEnum):
    """How somebody without a plan plays."""

    FIRST_FIT = "first fit"
    ANY_FIT = "any fit"
    ANY_MOVE = "any move"


FIRST_FIT, ANY_FIT, ANY_MOVE = range(3)  # for the kernel, in the same order


@kernel
def _play(problem: Problem, root: Root, player: int, seed: Word, codes: Ints) -> int:
    """Plays one game, and gets the number of cards that are left in the waste and in the stock.

    The problem must be without transfers. Once both are empty the rest goes up by itself.

    :param codes: work space, int64[96].
    """
    view, state = look(problem, root.w0, root.w1, root.dealt, root.f), seed
    while view.w0 or view.w1 or view.dealt < problem.size:
        number = moves(problem, view, codes)
        if may_deal(problem, view) and (number == 0 or player == ANY_MOVE):
            codes[number] = DEAL
            number += 1
        if number == 0:
            break
        chosen = 0
        if number > 1 and player != FIRST_FIT:
            state += GAMMA
            chosen = draw(state) % number
        view = step(problem, view, codes[chosen])
    return waste_size(view) + problem.size - view.dealt


def left_over(position: Position, number: int) -> dict[Player, int]:
    """Gets how many cards each player leaves in the waste and the stock; with 0 the game is won.

    :param number: of the deal.
    :raises ValueError: if the position is not one of the game.
    """
    rules = replace(position.rules, transfers=False)
    problem = problem_of(position._replace(rules=rules), credit=False, switches=Switch.NONE)
    root, codes, seed = root_of(position), np.zeros(MOST_MOVES, np.int64), unsigned(number)
    return {
        player: int(_play(problem, root, kind, seed, codes)) for kind, player in enumerate(Player)
    }
