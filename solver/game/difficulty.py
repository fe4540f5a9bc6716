"""How hard a deal is for a player, in numbers, and the levels that follow from them.

All numbers are counts of something that happened:

- **playouts**: so many games were played by each of two players without a plan (``kernel.playout``)
  from the same random numbers every time. The *greedy* player plays a card whenever one fits, at
  random among those that fit, and deals if none does. The *careless* player does the same, but one
  turn in ten he deals although something fits. Neither moves a card between foundations.
- **greedy**, **careless**: the games that they won.
- **choices**: the steps of the solution with two plays and deals or more to choose from; transfers
  don't count, since each can be taken back.
- **single**: the choices at which only the solution's own move keeps the win, all others being
  proved to lose it.
- **unclear**: the choices at which no other move was found to keep the win, and some are undecided.

The last three belong to the solution that was found; another one has others.

The level is from the careless player's share: a deal is *easy* if he wins one game in ten or more,
*hard* if he wins fewer than one in a hundred, *medium* in between. Only a deal with a solution has
a level.
"""

from dataclasses import dataclass

from ..base.names import Name


class Level(Name):
    """How hard a deal is that can be won."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


EASY_SHARE, HARD_SHARE = 0.1, 0.01


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The numbers that the module names; the last three are ``None`` if there is no solution."""

    playouts: int
    greedy: int
    careless: int
    choices: int | None = None
    single: int | None = None
    unclear: int | None = None

    @property
    def level(self) -> Level | None:
        """The level, if the deal has a solution."""
        if self.choices is None:
            return None
        share = self.careless / self.playouts
        if share >= EASY_SHARE:
            return Level.EASY
        return Level.HARD if share < HARD_SHARE else Level.MEDIUM
