"""Writing and checking whole certificates. Nothing here knows the search."""

from typing import BinaryIO

from ..deal import Deal
from ..game import IllegalMoveError, replay, start
from ..rules import Rules
from . import plain
from .certificate import Header, Packer, Reasons, loss_file, read_moves
from .claim import InvalidError, LimitError, Method, Watch, ignore


def loss(
    deal: Deal, rules: Rules, method: Method, states: int, memory: int, watch: Watch = ignore
) -> bytes:
    """Proves that a deal is lost and gets the certificate; the proof is checked on the way.

    :param states: the most states of the proof.
    :param memory: the most bytes for states that wait.
    :raises InvalidError: if a won state is reached.
    :raises LimitError: if more states or more memory are needed.
    :raises ValueError: if the method does not go with the rules.
    """
    packer = Packer()
    left = states

    def write(reasons: bytes) -> None:
        nonlocal left
        left -= len(reasons)
        if left < 0:
            raise LimitError(f"the proof has more than {states:,} states")
        packer.write(reasons)

    tally = plain.prove(start(deal, rules), method, write, memory, watch)
    return loss_file(deal, rules, method, tally, packer.stream())


def verify(file: BinaryIO, header: Header, memory: int, watch: Watch = ignore) -> None:
    """Checks the rest of a certificate, whose header has been read.

    :raises InvalidError: naming the first fault.
    :raises LimitError: if that needs more bytes of memory than it may take.
    """
    if header.method is None:
        _verify_win(file, header)
    else:
        _verify_loss(file, header, header.method, memory, watch)


def _verify_win(file: BinaryIO, header: Header) -> None:
    try:
        position = replay(header.position(), read_moves(file, header.moves))
    except IllegalMoveError as error:
        raise InvalidError(str(error)) from None
    if not position.is_won:
        raise InvalidError("the moves do not win: there are cards left")


def _verify_loss(file: BinaryIO, header: Header, method: Method, memory: int, watch: Watch) -> None:
    reasons = Reasons(file, header.tally.states)
    tally = plain.check(header.position(), method, reasons.read, memory, watch)
    reasons.finish()
    if tally != header.tally:
        raise InvalidError(
            f"the header says {header.tally.states:,} states, {header.tally.refuted:,} refuted; "
            f"there are {tally.states:,}, {tally.refuted:,} refuted"
        )
