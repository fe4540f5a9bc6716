"""Verdicts on disk: one SQLite file, one row for each deal under each set of rules.

Tables::

    rules    id, name, and every switch: a name always means the same switches
    run      id, names of rules, states, memory, version, signature, machine, started: what
             decided the rows
    verdict  rules, seed, verdict, reason, states, method, microseconds, moves, run
    difficulty  rules, seed, and the numbers of ``game.difficulty``: of the deals measured

The moves of a win are packed (:func:`pack_moves`) and have been replayed before they were found
here. Which of two rows of a deal stays is the rule of :func:`gives_way`.

A store that nobody writes to is one file, which can be read where nothing can be written.
"""

import platform
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from ..base.signature import verdict_signature
from ..base.version import __version__
from ..game.cards import ACE, card
from ..game.difficulty import Difficulty
from ..game.errors import Error
from ..game.foundations import Pile
from ..game.moves import DEAL, Move, Source
from ..game.rules import Dealing, Kings, Rules
from ..game.verdict import Limits, Reason, Verdict

WINNABLE, UNWINNABLE, UNKNOWN = Verdict
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS rules (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kings TEXT NOT NULL, deal TEXT NOT NULL,
    transfers INTEGER NOT NULL, auto_deal INTEGER NOT NULL, reserve INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, rules TEXT NOT NULL, states INTEGER NOT NULL, memory INTEGER NOT NULL,
    version TEXT NOT NULL, signature TEXT NOT NULL, machine TEXT NOT NULL, started TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS verdict (
    rules INTEGER NOT NULL REFERENCES rules (id), seed TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('{WINNABLE}', '{UNWINNABLE}', '{UNKNOWN}')),
    reason TEXT CHECK ((reason IS NULL) = (verdict <> '{UNKNOWN}')),
    states INTEGER NOT NULL, method TEXT NOT NULL, microseconds INTEGER NOT NULL,
    moves BLOB CHECK ((moves IS NOT NULL) = (verdict = '{WINNABLE}')),
    run INTEGER NOT NULL REFERENCES run (id),
    PRIMARY KEY (rules, seed)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS difficulty (
    rules INTEGER NOT NULL, seed TEXT NOT NULL,
    playouts INTEGER NOT NULL, greedy INTEGER NOT NULL, careless INTEGER NOT NULL,
    choices INTEGER, single INTEGER, unclear INTEGER,
    PRIMARY KEY (rules, seed), FOREIGN KEY (rules, seed) REFERENCES verdict (rules, seed)
) STRICT, WITHOUT ROWID;
"""
DIFFICULTY_COLUMNS = ("playouts", "greedy", "careless", "choices", "single", "unclear")
RUN_COLUMNS = "rules, states, memory, version, signature, machine, started"
APPLICATION_ID = 0x52527631  # "RRv1"
LAYOUT = 1
"""Of the tables. Stores of version 0 were made before there was one; some lack difficulties."""
BUSY_SECONDS = 60.0
NO_METHOD = "none"
"""The method of a deal whose worker died."""
SOURCES, PILES = tuple(Source), tuple(Pile)
VERDICTS: Mapping[str, Verdict] = {str(verdict): verdict for verdict in Verdict}
REASONS: Mapping[str, Reason] = {str(reason): reason for reason in Reason}


class StoreError(Error):
    """A store that cannot be used, or that would be made to contradict itself."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one deal: see the table ``verdict``."""

    seed: str
    verdict: Verdict
    reason: Reason | None
    states: int
    method: str
    microseconds: int
    moves: bytes | None
    difficulty: Difficulty | None = None


class Found(Protocol):
    """What is known of a deal."""

    @property
    def verdict(self) -> Verdict:
        """The verdict on it."""

    @property
    def states(self) -> int:
        """The states that it has cost."""


def contradict(a: Found, b: Found) -> bool:
    """Whether one says that a deal is winnable, and the other that it is not."""
    return a.verdict is not b.verdict and UNKNOWN not in (a.verdict, b.verdict)


def gives_way(earlier: Found, later: Found, allowed: bool = False) -> bool:
    """Whether what was found of a deal gives way to what was found later.

    What is decided never does. What is not does to what is, and to what has cost as many states or
    was allowed as much.

    :param allowed: whether the later search was allowed as much as the earlier.
    """
    if earlier.verdict is not UNKNOWN:
        return False
    return later.verdict is not UNKNOWN or later.states >= earlier.states or allowed


class Store:
    """An open store; a context manager that closes it.

    :param writable: whether to make the file if there is none, and to lock out other writers never
        for longer than a commit.
    :raises StoreError: if the file can't be opened or is no store.
    """

    def __init__(self, path: Path, writable: bool = False) -> None:
        self.path = path
        self._writable = writable
        if not writable and not path.is_file():
            raise StoreError(f"{path}: there is no such store")
        with self._reported():
            uri = path.absolute().as_uri() + ("" if writable else "?mode=ro")
            self._db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._prepare(writable)
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._writable:
            # The log of writes beside the file would have to be writable for readers too.
            with suppress(sqlite3.Error):  # another program has the store open: it will do it
                self._db.execute("PRAGMA busy_timeout = 0")
                self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()

    def rules(self) -> dict[str, Rules]:
        """Gets the rule sets that the store has, by name.

        :raises StoreError: if one has switches that there are not.
        """
        with self._reported():
            rows = self._db.execute(
                "SELECT name, kings, deal, transfers, auto_deal, reserve FROM rules ORDER BY id"
            ).fetchall()
        try:
            return {
                name: Rules(Kings(kings), Dealing(deal), bool(transfers), bool(auto_deal), reserve)
                for name, kings, deal, transfers, auto_deal, reserve in rows
            }
        except ValueError as error:
            raise StoreError(f"{self.path}: {error}") from None

    def add_rules(self, rules: Rules) -> None:
        """Makes room for a rule set.

        :raises StoreError: if the store has other rules under that name.
        """
        known = self.rules().get(rules.name)
        if known == rules:
            return
        if known is not None:
            raise StoreError(f"{self.path}: {rules.name!r} has other switches in this store")
        switches = rules.switches()
        with self._reported():
            self._db.execute(
                "INSERT INTO rules (name, kings, deal, transfers, auto_deal, reserve)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (rules.name, *switches.values()),
            )

    def begin_run(self, limits: Limits, rules: Iterable[Rules] = ()) -> int:
        """Notes with which limits, code and machine the next rows are decided, and gets its id."""
        facts = (
            ", ".join(each.name for each in rules),
            limits.states,
            limits.memory,
            __version__,
            verdict_signature(),
            f"{platform.machine()} {platform.system()} Python {platform.python_version()}",
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        with self._reported():
            cursor = self._db.execute(
                f"INSERT INTO run ({RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                facts,
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def seeds(self, rules: Rules) -> set[str]:
        """Gets the deals that have a row under rules."""
        with self._reported():
            found = self._db.execute(
                "SELECT seed FROM verdict WHERE rules = ?", (self._id_of(rules),)
            )
            return {seed for (seed,) in found}

    def untried(self, rules: Rules, limits: Limits) -> set[str]:
        """Gets the undecided deals that this program has not searched with so much before.

        The same program with the same or less would come to the same end. A deal whose worker died
        is always tried again.
        """
        with self._reported():
            found = self._db.execute(
                "SELECT seed FROM verdict JOIN run ON run.id = run WHERE verdict.rules = ?"
                " AND verdict = ? AND (method = ? OR signature <> ?"
                " OR run.states < ? OR run.memory < ?)",
                (
                    self._id_of(rules),
                    UNKNOWN,
                    NO_METHOD,
                    verdict_signature(),
                    limits.states,
                    limits.memory,
                ),
            )
            return {seed for (seed,) in found}

    def rows(self, rules: Rules, moves: bool = True) -> Iterator[Row]:
        """Gets all rows under rules, by seed: numbers in order, then ms-numbers in order.

        :param moves: whether to get the moves of wins, which are most of a store, too.
        """
        order = " ORDER BY seed LIKE 'ms%', length(seed), seed"
        yield from (row for _, row in self._rows_with_runs(rules, order, moves))

    def measured(self, rules: Rules) -> set[str]:
        """Gets the deals whose difficulty is known, for a winnable one that of its solution too."""
        if not self._has_difficulties:
            return set()
        with self._reported():
            found = self._db.execute(
                "SELECT seed FROM difficulty JOIN verdict USING (rules, seed)"
                " WHERE rules = ? AND (choices IS NOT NULL OR verdict <> ?)",
                (self._id_of(rules), WINNABLE),
            )
            return {seed for (seed,) in found}

    def runs(self) -> Iterator[tuple[object, ...]]:
        """Gets ``RUN_COLUMNS`` of each run that decided rows, and the number of these."""
        with self._reported():
            yield from self._db.execute(
                f"SELECT {RUN_COLUMNS}, COUNT(*) FROM (SELECT run FROM verdict)"
                " JOIN run ON run.id = run GROUP BY run.id ORDER BY run.id"
            )

    def add(self, rules: Rules, run: int, rows: Iterable[Row]) -> None:
        """Adds rows in one transaction, where they are news: see the module.

        :raises StoreError: if a row contradicts one that is decided, or can't be written.
        """
        with self._reported(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            rules_id = self._id_of(rules)
            if rules_id is None:
                raise StoreError(
                    f"{self.path}: {rules.name!r} is not among the rules of this store"
                )
            for row in rows:
                self._add_row(rules_id, run, row)

    def copy_from(self, other: "Store") -> None:
        """Adds all rows of another store, with the runs that decided them.

        :raises StoreError: if the stores contradict each other; what was added before the rows of
            the run in which they do stays.
        """
        runs: dict[int, int] = {}
        for rules in other.rules().values():
            self.add_rules(rules)
            by_run: dict[int, list[Row]] = {}
            for run, row in other._rows_with_runs(rules):
                by_run.setdefault(run, []).append(row)
            for run, rows in by_run.items():
                if run not in runs:
                    runs[run] = self._copy_run(other, run)
                self.add(rules, runs[run], rows)

    def _rows_with_runs(
        self, rules: Rules, order: str = "", moves: bool = True
    ) -> Iterator[tuple[int, Row]]:
        numbers, join = ", ".join(DIFFICULTY_COLUMNS), " LEFT JOIN difficulty USING (rules, seed)"
        if not self._has_difficulties:
            numbers, join = ", ".join(["NULL"] * len(DIFFICULTY_COLUMNS)), ""
        with self._reported():
            for run, *facts in self._db.execute(
                "SELECT run, seed, verdict, reason, states, method, microseconds, "
                f"{'moves' if moves else 'NULL'}, {numbers} FROM verdict{join}"
                f" WHERE rules = ?{order}",
                (self._id_of(rules),),
            ):
                try:
                    yield run, _row(*facts)
                except KeyError as error:
                    raise StoreError(f"{self.path}: {error} is no verdict, or no reason") from None

    def _copy_run(self, other: "Store", run: int) -> int:
        with other._reported():
            facts = other._db.execute(
                f"SELECT {RUN_COLUMNS} FROM run WHERE id = ?", (run,)
            ).fetchone()
        if facts is None:
            raise StoreError(f"{other.path}: run {run}, which decided deals, is missing")
        with self._reported():
            cursor = self._db.execute(
                f"INSERT INTO run ({RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", facts
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _id_of(self, rules: Rules) -> int | None:
        """Gets the number of the rule set with exactly these switches."""
        found = self._db.execute(
            "SELECT id FROM rules WHERE kings = ? AND deal = ? AND transfers = ?"
            " AND auto_deal = ? AND reserve = ?",
            tuple(rules.switches().values()),
        ).fetchone()
        return None if found is None else int(found[0])

    def _add_row(self, rules_id: int, run: int, row: Row) -> None:
        if self._is_news(rules_id, run, row):
            self._db.execute(
                "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    rules_id,
                    row.seed,
                    row.verdict,
                    row.reason,
                    row.states,
                    row.method,
                    row.microseconds,
                    row.moves,
                    run,
                ),
            )
        if row.difficulty is not None:
            self._db.execute(
                "INSERT INTO difficulty VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " choices = excluded.choices, single = excluded.single, unclear = excluded.unclear"
                " WHERE choices IS NULL",
                (rules_id, row.seed, *astuple(row.difficulty)),
            )

    def _is_news(self, rules_id: int, run: int, row: Row) -> bool:
        found = self._db.execute(
            "SELECT verdict, verdict.states, was.states <= now.states AND was.memory <= now.memory"
            " FROM verdict LEFT JOIN run AS was ON was.id = run LEFT JOIN run AS now ON now.id = ?"
            " WHERE verdict.rules = ? AND seed = ?",
            (run, rules_id, row.seed),
        ).fetchone()
        if found is None:
            return True
        verdict, spent, was_allowed_less = found
        earlier = replace(row, verdict=VERDICTS[verdict], states=spent)
        if contradict(earlier, row):
            raise StoreError(
                f"{self.path}: deal {row.seed} is {earlier.verdict} here, but {row.verdict} now"
            )
        return gives_way(earlier, row, bool(was_allowed_less) and row.method != NO_METHOD)

    def _prepare(self, writable: bool) -> None:
        """Makes the tables of a new store, and refuses a file that is something else."""
        (application_id,) = self._db.execute("PRAGMA application_id").fetchone()
        if application_id != APPLICATION_ID and not (writable and self._is_empty()):
            raise StoreError(f"{self.path}: this is not a store of verdicts")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > LAYOUT:
            raise StoreError(f"{self.path}: this store is of a later version of rr-solve")
        if not writable:
            self._has_difficulties = version == LAYOUT or bool(self._count("difficulty"))
            return
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")
        if version < LAYOUT:
            self._db.executescript(
                f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
                f" PRAGMA user_version = {LAYOUT}; COMMIT;"
            )
        self._has_difficulties = True

    def _is_empty(self) -> bool:
        return not self._count("%")

    def _count(self, name: str) -> int:
        """Gets the number of tables with names like this."""
        found = self._db.execute("SELECT count(*) FROM sqlite_schema WHERE name LIKE ?", (name,))
        (tables,) = found.fetchone()
        return int(tables)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Turns what SQLite raises into one line."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from error


def _row(seed: str, verdict: str, reason: str | None, *facts: Any) -> Row:
    states, method, microseconds, moves, *measured = facts
    difficulty = None if measured[0] is None else Difficulty(*measured)
    why = None if reason is None else REASONS[reason]
    return Row(seed, VERDICTS[verdict], why, states, method, microseconds, moves, difficulty)


def pack_moves(moves: Iterable[Move]) -> bytes:
    """Packs moves exactly: 16 bits each, compressed."""
    codes = [*map(_code_of, moves)]
    return zlib.compress(struct.pack(f"<{len(codes)}H", *codes))


def unpack_moves(packed: bytes) -> list[Move]:
    """Gets back what :func:`pack_moves` packed.

    :raises Error: if the bytes are nothing that it packs.
    """
    try:
        codes = struct.iter_unpack("<H", zlib.decompress(packed))
        return [_move_of(code) for (code,) in codes]
    except (zlib.error, struct.error, ValueError, IndexError):
        raise Error("these bytes are no packed moves") from None


@cache
def _code_of(move: Move) -> int:
    """Gets source (2 bits), pile it leaves (2 bits), pile it goes to (2 bits) and card (6 bits)."""
    if move.card is None or move.pile is None:
        return 0
    leaves = 0 if move.from_pile is None else PILES.index(move.from_pile)
    goes = PILES.index(move.pile)
    return SOURCES.index(move.source) << 10 | leaves << 8 | goes << 6 | move.card


def _move_of(code: int) -> Move:
    source = SOURCES[code >> 10]
    if source is Source.STOCK:
        if code:
            raise ValueError
        return DEAL
    pile, number = PILES[code >> 6 & 3], code & 63
    if source is Source.FOUNDATION:
        return Move(source, card(ACE, number // 16), pile, PILES[code >> 8 & 3])
    return Move(source, number, pile)
