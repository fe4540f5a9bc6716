"""Certificates taken apart, changed and put together again: what the fuzzer and the tests forge.

A *mutation* gets a random source and a certificate, and gets another one. Those of headers and
bodies seal what they have changed with the right SHA-256, so that it is the checkers that must find
the fault.
"""

import hashlib
import json
import random
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from solver.game.cards import PLAYABLE, card_name
from solver.game.rules import Dealing, Kings
from solver.proof.certificate import MAGIC

Header: TypeAlias = dict[str, Any]
Mutation: TypeAlias = Callable[[random.Random, bytes], bytes]

JUNK: list[Any] = [
    *[None, True, False, 0, 1, -1, 2, 16, 17, 2**31, 2**63, 2**64, 10**400, 1.5, 1e400],
    *[float("nan"), "", "loss", "win", "credit", "plain", "ends", "certain", "100016", "ms1"],
    *["\u00e9\n\x1b", "x" * 5000, "\ud800", [], {}, [[]], ["certain"], ["ends"], {"kind": "loss"}],
]
BOMB = 200_000_000  # bytes of zeros
MOST_REASON = 255
UNFIT = ValueError, KeyError, TypeError, AttributeError, IndexError, zlib.error
"""What a mutation raises if an earlier one has left nothing to change so."""


def opened(certificate: bytes) -> tuple[Header, bytes]:
    """Gets the header and the body of a certificate.

    :raises ValueError: if there is no header.
    """
    _, line, body = certificate.split(b"\n", 2)
    header = json.loads(line)
    if not isinstance(header, dict):
        raise ValueError("no header")
    return header, body


def sealed(header: Header, body: bytes) -> bytes:
    """Gets a certificate whose SHA-256 is the right one."""
    header = {name: value for name, value in header.items() if name != "sha256"}
    digest = hashlib.sha256(_line(header) + body).hexdigest()
    return MAGIC + _line(header | {"sha256": digest}) + body


def _line(header: Header) -> bytes:
    return json.dumps(header).encode() + b"\n"


def with_reasons(header: Header, reasons: bytes) -> bytes:
    """Gets the certificate of a loss with other reasons, rightly counted."""
    counts = {"states": len(reasons), "refuted": len(reasons) - reasons.count(0)}
    return sealed(header | counts, zlib.compress(reasons))


def with_moves(header: Header, moves: list[bytes]) -> bytes:
    """Gets the certificate of a win with other moves, rightly counted."""
    return sealed(header | {"moves": len(moves)}, b"".join(move + b"\n" for move in moves))


# Any bytes


def flip(rng: random.Random, content: bytes) -> bytes:
    """Changes one bit."""
    place = rng.randrange(len(content))
    return changed_bit(content, place, rng.randrange(8))


def changed_bit(content: bytes, place: int, bit: int) -> bytes:
    """Gets bytes with one bit changed."""
    changed = bytearray(content)
    changed[place] ^= 1 << bit
    return bytes(changed)


def cut(rng: random.Random, content: bytes) -> bytes:
    """Takes the end away."""
    return content[: rng.randrange(len(content))]


def slice_away(rng: random.Random, content: bytes) -> bytes:
    """Takes a few bytes away."""
    place = rng.randrange(len(content))
    return content[:place] + content[place + rng.randint(1, 20) :]


def insert(rng: random.Random, content: bytes) -> bytes:
    """Puts random bytes in."""
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.randbytes(rng.randint(1, 20)) + content[place:]


def repeat(rng: random.Random, content: bytes) -> bytes:
    """Puts a part in a second time, anywhere."""
    begin, place = rng.randrange(len(content)), rng.randrange(len(content) + 1)
    return content[:place] + content[begin : begin + rng.randint(1, 200)] + content[place:]


def noise(rng: random.Random, content: bytes) -> bytes:
    """Puts random bytes in place of all, or of all after the first line."""
    return rng.choice([b"", MAGIC]) + rng.randbytes(rng.randrange(2000))


# Headers


def junk(rng: random.Random, certificate: bytes) -> bytes:
    """Puts anything in place of a field of the header, or of a switch of the rules."""
    header, body = opened(certificate)
    values = rng.choice([header, header["rules"]])
    values[rng.choice([*values])] = rng.choice(JUNK)
    return sealed(header, body)


def other_fields(rng: random.Random, certificate: bytes) -> bytes:
    """Drops a field, adds one, or puts them in another order."""
    header, body = opened(certificate)
    names = [*header]
    choice = rng.randrange(3)
    if choice == 0:
        del header[rng.choice(names)]
    elif choice == 1:
        header[f"x{rng.randrange(9)}"] = rng.choice(JUNK)
    else:
        rng.shuffle(names)
        header = {name: header[name] for name in names}
    return sealed(header, body)


def other_rules(rng: random.Random, certificate: bytes) -> bytes:
    """Changes a switch of the rules."""
    header, body = opened(certificate)
    values: dict[str, list[Any]] = {
        "kings": [*map(str, Kings)],
        "deal": [*map(str, Dealing)],
        "transfers": [False, True],
        "auto_deal": [False, True],
        "reserve": [1, 7, 10, 15, 16, 17, 24],
    }
    name = rng.choice([*values])
    header["rules"][name] = rng.choice(values[name])
    return sealed(header, body)


def other_method(rng: random.Random, certificate: bytes) -> bytes:
    """Changes how the loss is proved."""
    header, body = opened(certificate)
    header["form"] = rng.choice(["credit", "plain", "relaxed"])
    header["reductions"] = sorted(
        name for name in ("ends", "free-pop", "certain", "relaxed") if rng.random() < 0.5
    )
    return sealed(header, body)


def other_counts(rng: random.Random, certificate: bytes) -> bytes:
    """Changes a number by a little, or to a huge one."""
    header, body = opened(certificate)
    name = rng.choice([name for name in ("states", "refuted", "moves") if name in header])
    header[name] = rng.choice([header[name] - 1, header[name] + 1, 2**62, 10**18, 10**4000])
    return sealed(header, body)


def other_cards(rng: random.Random, certificate: bytes) -> bytes:
    """Lays the cards out otherwise: two change places, or a pile has another name."""
    header, body = opened(certificate)
    header["seed"] = rng.choice([None, None, header["seed"]])
    names = [card_name(card) for card in PLAYABLE]
    one, other = rng.choice(names), rng.choice([*names, "--", "AC", "Waste:", "Stock:", "King:"])
    text = header["deal"].replace(one, "??").replace(other, one, 1).replace("??", other, 1)
    header["deal"] = text.replace("??", one)
    return sealed(header, body)


def other_seed(rng: random.Random, certificate: bytes) -> bytes:
    """Changes the number of the deal and not the cards."""
    header, body = opened(certificate)
    header["seed"] = rng.choice([None, "100000", "100016", "ms1", "0", "#1", "-1", "9" * 40])
    return sealed(header, body)


# Bodies


def other_reasons(rng: random.Random, certificate: bytes) -> bytes:
    """Changes, drops, adds or swaps reasons."""
    header, body = opened(certificate)
    reasons = bytearray(zlib.decompress(body))
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        place = rng.randrange(len(reasons) + 1)
        choice = rng.randrange(6)
        if choice == 0:
            reasons.insert(place, rng.choice([0, 0, rng.randrange(60), MOST_REASON]))
        elif choice == 1:
            reasons += bytes(rng.randrange(100))
        elif place < len(reasons):
            there = reasons.pop(place)
            if choice > 2:
                new = [0, max(there - 1, 0), min(there + 1, MOST_REASON), rng.randrange(80)]
                reasons.insert(place, rng.choice(new))
    return with_reasons(header, bytes(reasons))


def all_alike(rng: random.Random, certificate: bytes) -> bytes:
    """Gives every state the same reason."""
    header, _ = opened(certificate)
    number = rng.choice([1, 10, 100, 1000, 10_000])
    return with_reasons(header, bytes([rng.choice([0, 0, 1, 2, 20, MOST_REASON])]) * number)


def other_stream(rng: random.Random, certificate: bytes) -> bytes:
    """Packs the reasons otherwise, adds to the stream, or puts a bomb in its place."""
    header, body = opened(certificate)
    choice = rng.randrange(5)
    if choice == 0:
        body = zlib.compress(zlib.decompress(body), rng.randrange(10))
    elif choice == 1:
        body += rng.randbytes(rng.randint(1, 9))
    elif choice == 2:
        body += body
    elif choice == 3:
        header["states"] = rng.choice([header["states"], 2**62])
        body = bomb()
    else:
        body = rng.choice([flip, cut, slice_away, insert, repeat])(rng, body)
    return sealed(header, body)


def bomb(reasons: bytes = b"", size: int = BOMB) -> bytes:
    """Gets a small stream that unpacks to some reasons, and very many zeros after them."""
    packer = zlib.compressobj(9)
    piece = bytes(1 << 20)
    begin = packer.compress(reasons)
    return begin + b"".join(packer.compress(piece) for _ in range(size >> 20)) + packer.flush()


def other_moves(rng: random.Random, certificate: bytes) -> bytes:
    """Changes, drops, adds or swaps moves."""
    header, body = opened(certificate)
    moves = body.split(b"\n")[:-1]
    place, other = rng.randrange(len(moves)), rng.randrange(len(moves))
    choice = rng.randrange(5)
    if choice == 0:
        del moves[place]
    elif choice == 1:
        moves.insert(place, rng.choice([moves[other], b"deal", b"", b"R:KC>king", b"\xff"]))
    elif choice == 2:
        moves[place], moves[other] = moves[other], moves[place]
    elif choice == 3:
        moves[place] = rng.choice([moves[place].lower(), moves[place] + b" ", moves[other]])
    else:
        piles = b"upper", b"lower", b"deuce", b"king"
        moves[place] = moves[place].partition(b">")[0] + b">" + rng.choice(piles)
    return with_moves(header, moves)


RAW: list[Mutation] = [flip, cut, slice_away, insert, repeat, noise]
HEADER: list[Mutation] = [
    *[junk, other_fields, other_rules, other_method, other_counts, other_cards, other_seed]
]
LOSS: list[Mutation] = [other_reasons, other_reasons, other_reasons, all_alike, other_stream]
WIN: list[Mutation] = [other_moves]


def mutated(rng: random.Random, certificate: bytes) -> bytes:
    """Gets a certificate that was changed in one to three ways, so far as it still has parts."""
    kind = opened(certificate)[0]["kind"]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        mutations = rng.choice([RAW, HEADER, LOSS if kind == "loss" else WIN])
        with suppress(*UNFIT):
            certificate = rng.choice(mutations)(rng, certificate)
    return certificate
