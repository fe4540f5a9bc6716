"""Writing and checking whole certificates. Nothing here knows the search."""

import io
from types import ModuleType

from ..game.deal import Deal
from ..game.position import IllegalMoveError, replay, start
from ..game.rules import Rules
from ..game.verdict import DEFAULT_MEMORY
from .certificate import Body, Header, Packer, Reasons, loss_file, read_certificate, read_moves
from .claim import AreDead, InvalidError, LimitError, Method, Tally, Watch, ignore, none
from .plain import loss as plain


def loss(
    deal: Deal,
    rules: Rules,
    method: Method,
    states: int,
    memory: int,
    watch: Watch = ignore,
    fast: bool = False,
    are_dead: AreDead = none,
) -> bytes:
    """Proves that a deal is lost and gets the certificate; the proof is checked on the way.

    :param states: the most states of the proof.
    :param memory: the most bytes for states that wait.
    :param fast: whether the fast checker is to do it; the certificate is the same.
    :param are_dead: where to try the relaxed game, if the method has it; nothing rests on that.
    :raises InvalidError: if a won state is reached.
    :raises LimitError: if more states or more memory are needed.
    :raises Error: if the method does not go with the rules.
    """
    packer = Packer()
    left = states

    def write(reasons: bytes) -> None:
        nonlocal left
        left -= len(reasons)
        if left < 0:
            raise LimitError(f"the proof has more than {states:,} states")
        packer.write(reasons)

    tally = _checker(fast).prove(start(deal, rules), method, write, memory, watch, are_dead)
    return loss_file(deal, rules, method, tally, packer.stream())


def _checker(fast: bool) -> ModuleType:
    if fast:
        from .fast import loss as checker  # the plain one is to need nothing but Python

        return checker
    return plain


def verify(
    certificate: bytes,
    memory: int = DEFAULT_MEMORY,
    on_progress: Watch = ignore,
    fast: bool = False,
) -> Header:
    """Checks a certificate, with no part of the search.

    :param memory: the most bytes for states that wait.
    :param on_progress: told the number of states so far, now and then.
    :param fast: whether the fast checker is to do it.
    :returns: the header: the deal, the rules, the verdict that is now proved, and on what it rests.
    :raises InvalidError: naming the first fault.
    :raises LimitError: if that needs more memory.
    """
    header, body = read_certificate(io.BytesIO(certificate))
    check(header, body, memory, on_progress, fast)
    return header


def check(
    header: Header, body: Body, memory: int, watch: Watch = ignore, fast: bool = False
) -> Tally:
    """Checks a certificate of which the header has been read.

    :param fast: whether the fast checker is to do it.
    :returns: the states that were checked; none if it is that of a win.
    :raises InvalidError: naming the first fault.
    :raises LimitError: if that needs more bytes of memory than it may take.
    """
    if header.method is None:
        _verify_win(header, body)
        return Tally()
    return _verify_loss(header, body, header.method, memory, watch, fast)


def _verify_win(header: Header, body: Body) -> None:
    try:
        position = replay(header.position(), read_moves(body, header.moves))
    except IllegalMoveError as error:
        raise InvalidError(str(error)) from None
    if not position.is_won:
        raise InvalidError("the moves do not win: there are cards left")


def _verify_loss(
    header: Header, body: Body, method: Method, memory: int, watch: Watch, fast: bool
) -> Tally:
    reasons = Reasons(body, header.tally.states)
    tally: Tally = _checker(fast).check(header.position(), method, reasons.read, memory, watch)
    reasons.finish()
    if tally != header.tally:
        raise InvalidError(
            f"the header says {header.tally.states:,} states, {header.tally.refuted:,} refuted; "
            f"there are {tally.states:,}, {tally.refuted:,} refuted"
        )
    return tally
