"""The page of a solution in a real browser: what it shows, against ``game.position``.

Without a browser these tests are skipped, unless RR_NEED_BROWSER is set: then they fail.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from solver.engine.decide import solve
from solver.game.cards import SUIT_NAMES, SUITS, Card, card, suit_of, symbol_name
from solver.game.deal import deal_from_seed
from solver.game.foundations import Pile
from solver.game.moves import DEAL, Move, Source
from solver.game.position import Position, start
from solver.game.rules import PRESETS, Rules
from solver.game.steps import steps_of
from solver.show.page import page_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
FLAGS = [
    *["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
    *["--disable-background-networking", "--disable-component-update"],
]
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
NAME = 'a <b>bold</b> & "quoted" </script> name_' + 60 * "x"
# What a reader of the page sees of the cards: empty places as "".
READ_SCREEN = """() => {
  const seen = (e) => e.classList.contains("spot") ? "" : e.innerText.replace(/[\\s\\uFE0E]/g, "");
  const all = (selector) => [...document.querySelectorAll(selector)];
  const named = all("#foundations [id]").map((e) => [e.id, seen(e)]);
  const below = all("#below li > [aria-hidden]").map(seen);
  const top = seen(document.querySelector("#waste"));
  return {
    foundations: Object.fromEntries(named),
    reserve: all("#reserve > *").map(seen),
    waste: [...below.reverse(), ...(top ? [top] : [])],
    stock: Number(document.querySelector("#stock").innerText),
    moved: all("#table .moved:not(.key)").map(seen),
    filled: all("#table .filled:not(.key)").map((e) => [e.id, seen(e)]),
  };
}"""

# Reads the first screen and, after each of so many clicks on Next, the one after it.
WALK = """([read, clicks]) => [...Array(clicks + 1).keys()].map((number) => {
  if (number) document.querySelector("#next").click();
  return eval(read)();
})"""

Open = Callable[..., "Page"]


def skip_or_fail(reason: str) -> None:
    if os.environ.get("RR_NEED_BROWSER"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def tab() -> Iterator["Page"]:
    """One tab of a browser for all tests, in which time stands still."""
    if CHROMIUM is None:
        skip_or_fail("the page is not tested: there is no chromium (Debian's package) here")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip_or_fail("the page is not tested: playwright, of the extra 'dev', is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(10_000)
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        yield page
        browser.close()


@pytest.fixture
def show(tab: "Page", tmp_path: Path) -> Iterator[Open]:
    """Opens pages; at the end there must have been no request but for them, and no complaint."""
    wanted: list[str] = []
    requests: list[str] = []
    complaints: list[str] = []
    listeners: dict[Any, Callable[[Any], None]] = {
        "request": lambda request: requests.append(request.url),
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
    }

    def opened(html: str, size: Any = DESKTOP, **media: Any) -> "Page":
        path = tmp_path / f"page-{len(wanted)}.html"
        path.write_text(html, encoding="utf-8")
        wanted.append(path.as_uri())
        tab.set_viewport_size(size)
        tab.emulate_media(**{"color_scheme": "light", "reduced_motion": "reduce"} | media)
        tab.goto(wanted[-1])
        return tab

    for event, listener in listeners.items():
        tab.on(event, listener)
    yield opened
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    assert requests == wanted
    assert complaints == []


@cache
def line_of(preset: str, reserve: int = 16) -> tuple[tuple[Position, ...], tuple[Move, ...]]:
    """Gets the positions of a solution of deal 100000, and its moves."""
    rules = replace(PRESETS[preset], reserve=reserve)
    positions = [start(deal_from_seed("100000", reserve), rules)]
    moves = solve(positions[0]).moves
    for move in moves:
        positions.append(positions[-1].play(move))
    assert positions[-1].is_won
    return tuple(positions), moves


def html_of(preset: str, reserve: int = 16, title: str = "Deal 100000") -> str:
    positions, moves = line_of(preset, reserve)
    return page_of(steps_of(positions[0], moves), title)


def face(card: Card | None) -> str:
    return "" if card is None else symbol_name(card).replace("T", "10")


def expected(positions: tuple[Position, ...], moves: tuple[Move, ...], number: int) -> Any:
    """Gets what the page must show of a position, by the rules alone."""
    after = positions[number]
    marks: dict[str, Any] = {"moved": [], "filled": []}
    if number:
        marks = expected_marks(positions[number - 1], moves[number - 1], after)
    tops = {
        f"{pile}-{SUIT_NAMES[suit]}": after.foundations[suit].top(pile)
        for pile in Pile
        for suit in SUITS
        if pile is not Pile.KING or after.rules.king_spots
    }
    return marks | {
        "foundations": {
            place: face(card(top, SUIT_NAMES.index(place[-1]))) if top else ""
            for place, top in tops.items()
        },
        "reserve": [face(held) for held in after.reserve],
        "waste": [face(held) for held in after.waste],
        "stock": len(after.stock),
    }


def expected_marks(before: Position, move: Move, after: Position) -> dict[str, Any]:
    if move == DEAL:
        return {"moved": [face(before.stock[0])], "filled": []}
    moved, filled = move.card, []
    assert moved is not None
    if move.source is Source.FOUNDATION and move.from_pile is not None:
        moved = card(before.foundations[suit_of(moved)].top(move.from_pile), suit_of(moved))
    if move.source is Source.RESERVE:
        slot = before.reserve.index(moved)
        if after.reserve[slot] is not None:
            filled.append([f"slot-{slot}", face(after.reserve[slot])])
    if before.rules.auto_deal and before.stock != after.stock:
        filled.append(["waste", face(before.stock[0])])
    return {"moved": [face(moved)], "filled": filled}


def status(page: "Page") -> str:
    return page.locator("#status").inner_text().replace("\ufe0e", "")


def number_of(page: "Page") -> int:
    """Gets the step that the page says it is at, in all the places that say it."""
    number = int(status(page).split(" / ")[0])
    assert page.locator("#slider").input_value() == str(number)
    assert page.locator("#moves [aria-current=step] .number").inner_text() == (
        str(number) if number else ""
    )
    assert page.locator("#moves [aria-current]").count() == 1
    return number


@pytest.mark.parametrize("preset", ["wikipedia", "pysol"])
def test_a_whole_solution_is_shown_as_the_rules_play_it(show: Open, preset: str) -> None:
    positions, moves = line_of(preset)
    page = show(html_of(preset))
    screens = page.evaluate(WALK, [READ_SCREEN, len(moves)])
    for number, screen in enumerate(screens):
        assert screen == expected(positions, moves, number), number
    assert len(screens) == len(positions)
    assert number_of(page) == len(moves)
    assert status(page).endswith(" - won")


def test_keys_step_and_jump(show: Open) -> None:
    positions, moves = line_of("wikipedia")
    page = show(html_of("wikipedia"))
    last, at = len(moves), 0
    for key, number in (
        *[("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)],
        *[("End", last), ("ArrowRight", last), ("ArrowLeft", last - 1), ("Home", 0)],
        *[("Control+End", 0), ("x", 0)],
    ):
        page.keyboard.press(key)
        at = number_of(page)
        assert at == number, key
        assert page.evaluate(READ_SCREEN) == expected(positions, moves, at)


def test_buttons_step_and_a_key_on_a_button_presses_it_once(show: Open) -> None:
    page = show(html_of("wikipedia"))
    following = page.get_by_role("button", name="Next", exact=True)
    previous = page.get_by_role("button", name="Prev", exact=True)
    following.click()
    following.press("Enter")
    following.press("Space")
    assert number_of(page) == 3
    previous.click()
    assert number_of(page) == 2
    assert page.get_by_role("button", name="Play", exact=True).count() == 1  # still not playing
    page.keyboard.press("Home")
    previous.press("Enter")
    assert number_of(page) == 0
    page.keyboard.press("ArrowRight")  # from the button, which does nothing at the start
    assert number_of(page) == 1


def test_the_slider_goes_anywhere(show: Open) -> None:
    positions, moves = line_of("wikipedia")
    page = show(html_of("wikipedia"))
    slider = page.get_by_role("slider", name="Step")
    slider.fill("57")
    assert number_of(page) == 57
    assert page.evaluate(READ_SCREEN) == expected(positions, moves, 57)
    for key, number in (("ArrowRight", 58), ("ArrowLeft", 57), ("End", len(moves)), ("Home", 0)):
        slider.press(key)
        assert number_of(page) == number


def test_a_click_on_a_move_goes_to_it(show: Open) -> None:
    positions, moves = line_of("wikipedia")
    page = show(html_of("wikipedia"))
    buttons = page.locator("#moves button")
    assert buttons.count() == len(moves) + 1
    for number in (100, 7, len(moves), 0):
        buttons.nth(number).click()
        assert number_of(page) == number
        assert page.evaluate(READ_SCREEN) == expected(positions, moves, number)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert number_of(page) == 1
    assert page.locator("#moves button:focus").inner_text().split()[0] == "1"
    assert page.locator("#moves button[tabindex='0']").count() == 1  # one stop for the tab key


def test_the_current_move_is_in_sight(show: Open) -> None:
    page = show(html_of("wikipedia"))
    for number in (0, 30, 168, 90):
        page.locator("#slider").fill(str(number))
        shown = page.locator("#moves [aria-current]").bounding_box()
        around = page.locator("#moves").bounding_box()
        assert shown
        assert around
        assert around["y"] <= shown["y"]
        assert shown["y"] + shown["height"] <= around["y"] + around["height"]


def test_play_steps_at_the_chosen_speed_and_stops(show: Open) -> None:
    positions, moves = line_of("wikipedia")
    page = show(html_of("wikipedia"))
    page.keyboard.press("Space")
    page.clock.run_for(3_000)
    assert number_of(page) == 3
    page.get_by_role("combobox", name="Speed").select_option("fast")
    page.clock.run_for(1_000)  # ends the wait that had begun
    at = number_of(page)
    page.clock.run_for(2_000)
    assert number_of(page) == at + 5
    page.get_by_role("button", name="Pause", exact=True).click()
    page.clock.run_for(10_000)
    assert number_of(page) == at + 5
    page.locator("#slider").fill(str(len(moves) - 2))
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(10_000)
    assert number_of(page) == len(moves)
    assert page.evaluate(READ_SCREEN) == expected(positions, moves, len(moves))
    page.get_by_role("button", name="Play", exact=True).click()  # from the start again
    page.clock.run_for(400)
    assert number_of(page) == 1
    page.keyboard.press("ArrowRight")  # a step by hand stops it
    page.clock.run_for(10_000)
    assert number_of(page) == 2


def test_the_move_is_told_to_a_screen_reader(show: Open) -> None:
    page = show(html_of("wikipedia"))
    told = page.get_by_role("status")
    assert told.inner_text() == "0 of 168: the start"
    page.keyboard.press("ArrowRight")
    assert told.inner_text() == "1 of 168: deal 7 of hearts"
    assert told.get_attribute("aria-live") == "polite"
    page.keyboard.press("ArrowRight")
    assert told.inner_text() == "2 of 168: reserve 2 of clubs to upper; 7 of hearts fills the gap"
    assert page.get_by_role("img", name="Slot 13: 7 of hearts").count() == 1
    assert page.get_by_role("img", name="Clubs, upper pile, built up by one").count() == 1
    assert page.get_by_role("img", name="Stock: 75 cards").count() == 1
    assert page.get_by_role("img", name="Waste: empty").count() == 1


def test_moves_are_named_in_words(show: Open) -> None:
    page = show(html_of("wikipedia"))
    name = "2: reserve 2 of clubs to upper; 7 of hearts fills the gap"
    page.get_by_role("button", name=name, exact=True).click()
    assert number_of(page) == 2
    nameless = page.locator("button, input, select").evaluate_all(
        "(all) => all.filter((e) => !(e.ariaLabel || e.innerText)).length"
    )
    assert nameless == 0


# What has the focus: whether a ring shows it, its name, its place, and where the footer begins.
FOCUS = """() => {
  const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
  const ring = e.matches(":focus-visible") && style.outlineStyle === "solid";
  const footer = document.querySelector("footer").getBoundingClientRect();
  const under = !e.closest("footer") && box.bottom > footer.top;
  return {ring: ring && parseInt(style.outlineWidth), id: e.id, place: [box.top, box.left], under};
}"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE, {"width": 700, "height": 500}], ids=str)
def test_the_tab_key_goes_the_way_the_eye_does(show: Open, size: Any) -> None:
    page = show(html_of("wikipedia"), size)
    page.evaluate("() => show(90)")
    seen = []
    for _ in range(6):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUS))
    assert [each["id"] for each in seen] == ["", "slider", "previous", "play", "next", "speed"]
    assert [each["ring"] for each in seen] == [3] * 6
    assert not any(each["under"] for each in seen)
    places = [each["place"] for each in seen[1:]]
    assert places == sorted(places)


BOXES = """() => {
  const cards = [...document.querySelectorAll("#table .card, #table .spot, #below li")];
  return cards.map((e) => e.getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom]);
}"""
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"


@pytest.mark.parametrize(("preset", "reserve"), [("pysol", 16), ("wikipedia", 24)])
def test_a_phone_shows_it_all_without_scrolling_sideways(
    show: Open, preset: str, reserve: int
) -> None:
    page = show(html_of(preset, reserve, NAME), PHONE)
    for share in range(6):
        page.locator("#slider").fill(str(share * len(line_of(preset, reserve)[1]) // 5))
        assert page.evaluate(WIDTHS) == [360, 360]
        boxes = page.evaluate(BOXES)
        assert min(left for left, *_ in boxes) >= 0
        assert max(right for _, _, right, _ in boxes) <= 360
        assert not any(
            a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
            for i, a in enumerate(boxes)
            for b in boxes[:i]
        )
    for name in ("Prev", "Play", "Next"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box
        assert box["height"] >= 40  # for a thumb
        assert box["y"] + box["height"] <= PHONE["height"]


INKS = ["#waste", "#slot-0", "#slot-1", "#what", "#where", "#rules", "#play", "#stock"]
EDGES = ["#waste", "#slot-0", "#upper-C"]
CONTRASTS = """([places, property]) => places.map((place) => {
  const light = (colour) => {
    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((c) => c / 255);
    const [r, g, b] = parts.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const clear = "rgba(0, 0, 0, 0)";
  let e = document.querySelector(place);
  const ink = light(getComputedStyle(e)[property]);
  if (property !== "color") e = e.parentElement;  // what an edge stands out from
  while (getComputedStyle(e).backgroundColor === clear) e = e.parentElement;
  const ground = light(getComputedStyle(e).backgroundColor);
  return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
})"""


def test_text_stands_out_in_the_dark_and_in_the_light(show: Open) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        page = show(html_of("wikipedia"), color_scheme=scheme)
        assert min(page.evaluate(CONTRASTS, [["#previous"], "color"])) >= 4.5  # nothing before
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert min(page.evaluate(CONTRASTS, [INKS, "color"])) >= 4.5  # WCAG 2, level AA
        assert min(page.evaluate(CONTRASTS, [EDGES, "borderTopColor"])) >= 3
        marked = ["#upper-C", "#slot-12"]
        assert min(page.evaluate(CONTRASTS, [marked, "outlineColor"])) >= 3
        grounds.add(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_nothing_moves_where_that_is_not_wanted(show: Open) -> None:
    for wish, animation in (("reduce", "none"), ("no-preference", "appear")):
        page = show(html_of("wikipedia"), reduced_motion=wish)
        page.keyboard.press("ArrowRight")
        name = page.locator("#waste").evaluate("(e) => getComputedStyle(e).animationName")
        assert name == animation


def test_a_name_is_text_whatever_it_holds(show: Open) -> None:
    page = show(html_of("wikipedia", title=NAME))
    assert page.locator("h1").inner_text() == NAME
    assert page.title() == f"{NAME} - Royal Rendezvous"
    assert page.locator("b").count() == 0


def test_no_moves_show_the_start(show: Open) -> None:
    position = start(deal_from_seed("7", 1), Rules(reserve=1))
    page = show(page_of(steps_of(position, []), "Deal 7"))
    for key in ("ArrowRight", "ArrowLeft", "End", "Space", "Home"):
        page.keyboard.press(key)
    assert number_of(page) == 0
    assert page.evaluate(READ_SCREEN) == expected((position,), (), 0)


def test_a_page_is_small_and_names_nothing_outside() -> None:
    html = html_of("wikipedia")
    assert len(html.encode()) < 150_000
    assert not re.search(r"https?:|//[a-z]|\bsrc=|\bhref=|@import|url\(", html)
    assert "default-src 'none'" in html
    assert "{{" not in html
