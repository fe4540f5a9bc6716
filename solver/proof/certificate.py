"""The file of a certificate: a proof that a deal is won or lost under some rules.

::

    rr-solve certificate 1
    {"schema": 1, "kind": "loss", ...}          one line of JSON, see ``Header``
    <zlib stream: a reason for each state>      or, for a win, the moves, one a line

Nothing in a file is believed: sizes read from it bound what is read, and never what is allocated.
The header ends with the SHA-256 of all else after the first line. That proves nothing: it tells a
damaged file from a whole one, also where the damage would leave a proof a proof.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, BinaryIO

from ..base.version import __version__
from ..game.deal import Deal, deal_from_seed, parse_seed, parse_table
from ..game.errors import Error
from ..game.moves import Move, parse_move
from ..game.position import Position, check, start
from ..game.rules import Dealing, Kings, Rules
from ..game.verdict import Verdict
from .claim import Form, InvalidError, Method, Reduction, Tally

SCHEMA = 1
MAGIC = b"rr-solve certificate 1\n"
MOST_HEADER = 1 << 14  # bytes
MOST_MOVES = 1 << 20  # bytes
MOST = 1 << 63  # of anything that is counted
PIECE = 1 << 16  # bytes read, and bytes unpacked, at a time
LEVEL = 9  # of compression

COMMON = ("schema", "kind", "program", "seed", "deal", "rules")
LOSS = (*COMMON, "form", "reductions", "states", "refuted", "sha256")
WIN = (*COMMON, "moves", "sha256")


@dataclass(frozen=True, slots=True)
class Header:
    """What a certificate says of itself.

    ``program`` is the version of the program that wrote it, a note only; ``deal`` may be a table
    some moves later. A loss has a ``method`` and a ``tally`` of its states; a win has neither, but
    the number of its moves.
    """

    program: str
    deal: Deal
    rules: Rules
    method: Method | None = None
    tally: Tally = field(default_factory=Tally)
    moves: int = 0

    @property
    def verdict(self) -> Verdict:
        """The verdict that the certificate claims."""
        return Verdict.UNWINNABLE if self.method else Verdict.WINNABLE

    def position(self) -> Position:
        """Gets the position that the proof starts from."""
        return start(self.deal, self.rules)


def file_name(seed: str, rules: Rules) -> str:
    """Gets the name of a certificate in a folder of them."""
    return f"{seed}-{rules.name.replace(' ', '_')}.cert"


def loss_file(deal: Deal, rules: Rules, method: Method, tally: Tally, stream: bytes) -> bytes:
    """Gets the file of a loss, given the packed reasons."""
    header = _common("loss", deal, rules) | {
        "form": str(method.form),
        "reductions": sorted(method.reductions),
        "states": tally.states,
        "refuted": tally.refuted,
    }
    return _file(header, stream)


def win_file(deal: Deal, rules: Rules, moves: Sequence[Move]) -> bytes:
    """Gets the file of a win."""
    header = _common("win", deal, rules) | {"moves": len(moves)}
    return _file(header, "".join(f"{move}\n" for move in moves).encode())


def _file(header: dict[str, Any], body: bytes) -> bytes:
    digest = hashlib.sha256(_line(header) + body).hexdigest()
    return MAGIC + _line(header | {"sha256": digest}) + body


def _common(kind: str, deal: Deal, rules: Rules) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": kind,
        "program": __version__,
        "seed": deal.seed,
        "deal": _text(deal),
        "rules": rules.switches(),
    }


def _line(header: dict[str, Any]) -> bytes:
    return json.dumps(header).encode() + b"\n"


def _text(deal: Deal) -> str:
    return str(replace(deal, seed=None))


class Body:
    """What follows the header of a certificate, and whether it is what was written."""

    def __init__(self, file: BinaryIO, values: dict[str, Any]) -> None:
        self._file = file
        others = {name: value for name, value in values.items() if name != "sha256"}
        self._digest = hashlib.sha256(_line(others))
        self._promised = values["sha256"]

    def read(self, size: int) -> bytes:
        """Gets the next bytes, fewer only at the end."""
        content = self._file.read(size)
        self._digest.update(content)
        return content

    def finish(self) -> None:
        """Makes sure that all has been read, and nothing has changed.

        :raises InvalidError: if not.
        """
        if self._file.read(1):
            raise InvalidError("the file goes on after its end")
        if self._digest.hexdigest() != self._promised:
            raise InvalidError("the file is damaged: its SHA-256 is not the one in the header")


def read_certificate(file: BinaryIO) -> tuple[Header, Body]:
    """Reads the header of a certificate, and gets what follows it to be read.

    :raises InvalidError: if that is not the header of a certificate, or contradicts itself.
    """
    if file.read(len(MAGIC)) != MAGIC:
        raise InvalidError("this is not a certificate of version 1")
    line = file.readline(MOST_HEADER)
    try:
        values = _values(line)
        return _header(values), Body(file, values)
    except (ValueError, RecursionError) as error:
        raise InvalidError(f"the header is wrong: {str(error)[:200]}") from None


def _values(line: bytes) -> dict[str, Any]:
    if not line.endswith(b"\n"):
        raise Error("no line of JSON")
    try:
        values = json.loads(line)
    except ValueError:
        raise Error("no line of JSON") from None
    if not isinstance(values, dict) or values.get("kind") not in ("loss", "win"):
        raise Error("neither a loss nor a win")
    names = LOSS if values["kind"] == "loss" else WIN
    if tuple(values) != names:
        raise Error(f"the fields are not {', '.join(names)}")
    if line != _line(values):
        raise Error("not written as this program writes it")
    return values


def _header(values: dict[str, Any]) -> Header:
    if _whole(values, "schema") != SCHEMA:
        raise Error("an unknown schema")
    if not re.fullmatch(r"[0-9A-Za-z.+-]{1,40}", _string(values, "program")):
        raise Error("no version of a program")
    rules = _rules(values["rules"])
    deal = _deal(values, rules)
    if values["kind"] == "win":
        return Header(values["program"], deal, rules, moves=_whole(values, "moves"))
    method = Method(Form(_string(values, "form")), _reductions(values["reductions"]))
    if method.form is Form.RELAXED:
        raise Error("the relaxed game is no form of a whole proof")
    method.fit(rules)
    tally = Tally(_whole(values, "states"), _whole(values, "refuted"))
    return Header(values["program"], deal, rules, method, tally)


def _rules(switches: Any) -> Rules:
    names = tuple(switch.name for switch in fields(Rules))
    if not isinstance(switches, dict) or tuple(switches) != names:
        raise Error(f"the rules are not {', '.join(names)}")
    for name in ("transfers", "auto_deal"):
        if not isinstance(switches[name], bool):
            raise Error(f"{name} is neither true nor false")
    kings, dealing = Kings(_string(switches, "kings")), Dealing(_string(switches, "deal"))
    reserve = _whole(switches, "reserve")
    return Rules(kings, dealing, switches["transfers"], switches["auto_deal"], reserve)


def _deal(values: dict[str, Any], rules: Rules) -> Deal:
    deal = parse_table(_string(values, "deal"))
    if values["deal"] != _text(deal):
        raise Error("the deal is not written as this program writes it")
    check(start(deal, rules))
    if values["seed"] is None:
        return deal
    seed = _string(values, "seed")
    numbered = deal_from_seed(seed, rules.reserve)
    if parse_seed(seed) != seed or numbered != replace(deal, seed=seed):
        raise Error(f"the deal is not number {seed}")
    return numbered


def _reductions(names: Any) -> frozenset[Reduction]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Error("the reductions are no list of names")
    if names != sorted(set(names)):
        raise Error("the reductions are not in order")
    return frozenset(Reduction(name) for name in names)


def _whole(values: dict[str, Any], name: str) -> int:
    value = values[name]
    if type(value) is not int or not 0 <= value < MOST:
        raise Error(f"{name} is no whole number")
    return value


def _string(values: dict[str, Any], name: str) -> str:
    value = values[name]
    if not isinstance(value, str):
        raise Error(f"{name} is no text")
    return value


def read_moves(body: Body, number: int) -> list[Move]:
    """Reads the moves of a win.

    :raises InvalidError: if they are not so many, or one can't be read.
    """
    content = body.read(MOST_MOVES + 1)
    if len(content) > MOST_MOVES:
        raise InvalidError("the list of moves is too long")
    body.finish()
    lines = content.split(b"\n")
    if lines.pop() or len(lines) != number:
        raise InvalidError(f"there are not {number:,} lines of moves after the header")
    return [_move(number, line) for number, line in enumerate(lines, 1)]


def _move(number: int, line: bytes) -> Move:
    text = line.decode("ascii", "replace")
    try:
        move = parse_move(text)
    except ValueError as error:
        raise InvalidError(f"move {number}: {str(error)[:200]}") from None
    if str(move) != text:
        raise InvalidError(f"move {number}: {text[:40]!r} is not written as this program writes it")
    return move


class Reasons:
    """The reasons of a loss, unpacked in small pieces; ``most`` is how many the header promises."""

    def __init__(self, body: Body, most: int) -> None:
        self._body = body
        self._left = most
        self._zlib = zlib.decompressobj()
        self._ready = bytearray()

    def read(self, number: int) -> bytes:
        """Gets the next reasons, fewer only where they end.

        :raises InvalidError: if the stream is damaged, or goes on after the number promised.
        """
        while len(self._ready) < number and self._unpack():
            pass
        taken = bytes(self._ready[:number])
        del self._ready[:number]
        self._left -= len(taken)
        if self._left < 0:
            raise InvalidError("there are more states than the header says")
        return taken

    def finish(self) -> None:
        """Makes sure that nothing is left.

        :raises InvalidError: if there is.
        """
        if self._ready or self._unpack():
            raise InvalidError("the reasons go on after the last state")
        if self._zlib.unused_data:
            raise InvalidError("the file goes on after its end")
        self._body.finish()

    def _unpack(self) -> bool:
        """Unpacks a piece with at least one byte, unless the stream is at its end."""
        while not self._zlib.eof:
            packed = self._zlib.unconsumed_tail or self._body.read(PIECE)
            if not packed:
                raise InvalidError("the file is cut short")
            try:
                piece = self._zlib.decompress(packed, PIECE)
            except zlib.error:
                raise InvalidError("the stream of reasons is damaged") from None
            if piece:
                self._ready += piece
                return True
        return False


class Packer:
    """Packs reasons as they come; nobody needs them unpacked."""

    def __init__(self) -> None:
        self._zlib = zlib.compressobj(LEVEL)
        self._packed = bytearray()

    def write(self, reasons: bytes) -> None:
        """Takes more reasons."""
        self._packed += self._zlib.compress(reasons)

    def stream(self) -> bytes:
        """Ends the stream and gets it."""
        return bytes(self._packed) + self._zlib.flush()
