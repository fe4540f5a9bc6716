"""Games of players without a plan: how many of them are won."""

from dataclasses import replace

from ..game.position import Position
from ..kernel.playout import SEED, new_record, play, root_of
from ..kernel.root import Switch, problem_of


def games_won(position: Position, games: int, idle: int) -> int:
    """Gets how many games a player without a plan wins: see ``kernel.playout``.

    :raises ValueError: if the position is not one of the game.
    """
    rules = replace(position.rules, transfers=False)
    problem = problem_of(position._replace(rules=rules), credit=False, switches=Switch.NONE)
    return int(play(problem, root_of(position), games, idle, SEED, new_record()))
