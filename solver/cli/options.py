"""Options that several commands share, and what they mean."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

import click

from ..compiled.folder import SEARCH, is_compiled
from ..game.rules import MAX_RESERVE, MIN_RESERVE, PRESETS, Dealing, Kings, Rules
from ..game.verdict import DEFAULT_MEMORY, Limits
from .paths import StoreFile

FAILED, INTERRUPTED = 1, 130
"""Exit codes."""

ALL = "all"

MOST = 10**12  # of states and megabytes: more than there will be, and a number that a store takes

F = TypeVar("F", bound=Callable[..., Any])

reserve_option = click.option(
    "--reserve",
    type=click.IntRange(MIN_RESERVE, MAX_RESERVE),
    metavar="K",
    help="Slots in the reserve.  [default: 16]",
)

stores_argument = click.argument(
    "stores", metavar="STORE...", nargs=-1, required=True, type=StoreFile()
)


def gathered(
    name: str, make: Callable[..., object], *options: Callable[[F], F]
) -> Callable[[F], F]:
    """Gets what adds options to a command that are one parameter of it.

    :param name: of that parameter.
    :param make: gets its value from those of the options.
    """

    def add(command: F) -> F:
        names: list[str] = []

        @wraps(command)
        def with_one(**values: Any) -> Any:
            own = {each: values.pop(each) for each in names}
            return command(**values, **{name: make(**own)})

        adding: Any = with_one
        for option in reversed(options):
            adding = option(adding)
            names.append(adding.__click_params__[-1].name)
        return cast(F, adding)

    return add


def store_options(command: F) -> F:
    """Adds what names the rows: stores, and a rule set."""
    option = click.option("--rules", "name", metavar="NAME", help="Only this rule set.")
    return stores_argument(option(command))


def memory_option(text: str) -> Callable[[F], F]:
    """Gets what adds the option that limits memory.

    :param text: its line of help.
    """
    return click.option(
        "--memory",
        type=click.IntRange(1, MOST),
        default=DEFAULT_MEMORY >> 20,
        show_default=True,
        metavar="MB",
        help=text,
    )


def budget_options(states: int, which: str = "") -> Callable[[F], F]:
    """Gets what adds the options that limit a search; the command gets ``limits``.

    :param states: the default of ``--states``.
    :param which: what each budget is for, where there are several searches.
    """

    return gathered(
        "limits",
        lambda states, memory: Limits(states, memory=memory << 20),
        click.option(
            "--states",
            type=click.IntRange(1, MOST),
            default=states,
            show_default=True,
            metavar="N",
            help=f"The budget{which}: stop when so many states have been found.",
        ),
        memory_option("The most memory for the table of states."),
    )


def read_rules(
    preset: str,
    kings: str | None,
    deal: str | None,
    transfers: bool,
    no_transfers: bool,
    auto_deal: bool,
    no_auto_deal: bool,
) -> list[Rules]:
    """Gets the rule sets that the options name.

    :raises UsageError: if options contradict each other.
    """
    if (transfers and no_transfers) or (auto_deal and no_auto_deal):
        name = "transfers" if transfers and no_transfers else "auto-deal"
        raise click.UsageError(f"--{name} and --no-{name} contradict each other")
    switches: dict[str, Any] = {}
    if kings:
        switches["kings"] = Kings(kings)
    if deal:
        switches["deal"] = Dealing(deal)
    if transfers or no_transfers:
        switches["transfers"] = transfers
    if auto_deal or no_auto_deal:
        switches["auto_deal"] = auto_deal
    if preset != ALL:
        return [replace(PRESETS[preset], **switches)]
    if switches:
        raise click.UsageError(f"--rules {ALL} and a single switch contradict each other")
    return list(PRESETS.values())


rules_options = gathered(
    "every_rules",
    read_rules,
    click.option(
        "--rules",
        "preset",
        type=click.Choice([*PRESETS, ALL]),
        default="wikipedia",
        show_default=True,
        help="The rule set; 'all' tries each.",
    ),
    click.option(
        "--kings", type=click.Choice([str(value) for value in Kings]), help="Where kings go."
    ),
    click.option(
        "--deal",
        type=click.Choice([str(value) for value in Dealing]),
        help="When a card may be dealt.",
    ),
    click.option("--transfers", is_flag=True, help="Cards may move between foundations of a suit."),
    click.option("--no-transfers", is_flag=True, help="A card on a foundation stays there."),
    click.option(
        "--auto-deal", is_flag=True, help="A card turns by itself when the waste is empty."
    ),
    click.option("--no-auto-deal", is_flag=True, help="Nothing turns by itself."),
)
"""Adds the options that name rules; the command gets ``every_rules``, mostly one."""


def one_rule_set(every_rules: list[Rules], what: str = "this") -> Rules:
    """Gets the only rule set that the options name.

    :param what: what needs it, for an error.
    :raises UsageError: if they name several.
    """
    if len(every_rules) > 1:
        raise click.UsageError(f"{what} needs one rule set, not --rules {ALL}")
    return every_rules[0]


def cores() -> int:
    """Gets the number of processors that this process may use, or all where none can tell."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def say_if_compiling() -> None:
    """Says on stderr that the first search takes longer, if it does."""
    if not is_compiled(SEARCH):
        click.echo("Compiling the search, half a minute ...", err=True)


def say_if_compiling_checker() -> None:
    """Says the same of the fast checker."""
    if not is_compiled("proof.fast.bound._refuted"):
        click.echo("Compiling the fast checker, about ten seconds ...", err=True)
