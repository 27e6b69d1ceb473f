"""The picture of a table: where everything on it stands.

Lengths are in pixels of the finished picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from buck_env.drawing.beside import Group, beside
from buck_env.drawing.canvas import (
    BACK,
    BAD,
    BLACK,
    FAINT,
    GOLD,
    GOOD,
    INK,
    PAPER,
    PLATE,
    PLATE_OUT,
    SCALE,
    Canvas,
    Colour,
    Size,
    text_width,
)
from buck_env.drawing.cards import LARGE, MIDDLE, SMALL, TINY, draw_card
from buck_env.drawing.felt import empty_table
from buck_env.drawing.history import history
from buck_env.drawing.shown import Shown
from buck_env.drawing.words import TRUMP_WORDS, change, making, part, prompt, title
from buck_env.game.cards import NO_TRUMP
from buck_env.game.rules import Rules
from buck_env.game.table import HIDDEN, NONE

__all__ = ["HEIGHT", "WIDTH", "table_picture"]

WIDTH, HEIGHT = 960, 640

PILLS: dict[str, Colour] = {
    "winner": GOLD, "maker": (214, 160, 40), "bid": (214, 160, 40), "stayed": (70, 160, 100),
    "dropped": (110, 118, 116), "reneged": (190, 54, 54), "passed": (92, 112, 122),
    "exchanged": (78, 120, 190), "kept": (92, 112, 122),
}  # fmt: skip

FADED, PAST = 0.6, 0.35
"""How much of the felt is in the cards of a seat that is out, and of a trick that is over."""
PLATE_SIZE = (204, 50)


class Place(NamedTuple):
    """Where a seat's things are: plate and hand by their centre and top, the dealer's by a side and top, its card."""

    plate: tuple[float, float]
    hand: tuple[float, float]
    size: Size
    spread: float  # the widest a hand may be
    beside: tuple[float, float]
    align: int  # what lies beside begins (0) or ends (1) there
    card: tuple[float, float]  # the centre of its card in the trick


_BOTTOM = Place((480, 574), (480, 470), LARGE, 400, (932, 488), 1, (480, 384))
_TOP = Place((480, 58), (480, 116), SMALL, 216, (932, 84), 1, (480, 256))
_LEFT = Place((130, 214), (130, 272), SMALL, 204, (28, 374), 0, (396, 320))
_RIGHT = Place((830, 214), (830, 272), SMALL, 204, (932, 374), 1, (564, 320))
_HIGH_LEFT, _HIGH_RIGHT = (place._replace(card=(place.card[0] + dx, 288)) for place, dx in ((_LEFT, 24), (_RIGHT, -24)))
PLACES = {
    4: (_BOTTOM, _LEFT, _TOP, _RIGHT),
    3: (_BOTTOM, _HIGH_LEFT, _HIGH_RIGHT),
}
"""By the number of seats, clockwise from the bottom."""


def table_picture(table: np.ndarray, rules: Rules, viewer: int | None = None) -> np.ndarray:
    """One table, shape (1,), as a picture, (HEIGHT, WIDTH, 3) uint8.

    All hands are open with seat 0 at the bottom, or it is the view of a seat, from its own place.
    """
    shown = Shown(table, rules, viewer)
    canvas = Canvas(empty_table(WIDTH, HEIGHT).copy())
    seats = shown.rules.seats
    places = [PLACES[seats][(seat - (shown.viewer or 0)) % seats] for seat in range(seats)]
    _draw_title(canvas, shown)
    _draw_trump(canvas, shown)
    _draw_history(canvas, shown)
    for seat, place in enumerate(places):
        _draw_hand(canvas, shown, seat, place)
        _draw_plate(canvas, shown, seat, place)
    _draw_beside(canvas, beside(shown), places[shown.dealer])
    _draw_trick(canvas, shown, places)
    asked = prompt(shown)
    canvas.pill((480, 448), asked[0].upper() + asked[1:], GOLD, size=17, anchor="mm")
    return np.array(canvas.image.reduce(SCALE))


# --- The table --------------------------------------------------------------------------------------------------------


def _draw_title(canvas: Canvas, shown: Shown) -> None:
    eyes = "all hands open" if shown.viewer is None else f"seen by seat {shown.viewer}"
    canvas.text((20, 17), title(shown), 15, INK, "lm", limit=740)
    canvas.text((WIDTH - 20, 17), eyes, 15, FAINT, "rm")


def _draw_trump(canvas: Canvas, shown: Shown) -> None:
    """The trump marker: a white disc with the suit, and who made it."""
    canvas.panel((28, 58, 236, 124), PLATE)
    canvas.disc((62, 91), 25, PAPER)
    if shown.trump == NONE:
        canvas.text((62, 91), "?", 28, (150, 150, 150), "mm", bold=True)
    elif shown.trump == NO_TRUMP:
        canvas.text((62, 91), "NT", 22, BLACK, "mm", bold=True)
    else:
        canvas.pip(shown.trump, (62, 91), 33)
    name = "trump" if shown.trump == NONE else TRUMP_WORDS[shown.trump]
    canvas.text((96, 80), name, 17, INK, "lm", bold=True, limit=132)
    canvas.text((96, 103), making(shown), 13, FAINT, "lm", limit=134)


def _draw_history(canvas: Canvas, shown: Shown) -> None:
    """What was decided before the play, at the lower left."""
    lines: list[tuple[str, str]] = []
    for word, said in history(shown):
        row = ""
        for item in said:
            longer = f"{row}, {item}" if row else item
            if row and text_width(longer, 12) > 172:
                lines.append((word, row))
                word, longer = "", item
            row = longer
        lines.append((word, row))
    if not lines:
        return
    bottom, step = 620, 16
    top = bottom - 14 - step * len(lines)
    canvas.panel((28, top, 278, bottom), PLATE)
    for number, (word, row) in enumerate(lines):
        y = top + 7 + step * (number + 0.5)
        canvas.text((38, y), word, 12, FAINT, "lm")
        canvas.text((98, y), row, 12, INK, "lm")


def _draw_beside(canvas: Canvas, groups: Sequence[Group], place: Place) -> None:
    """The cards beside the dealer; where many were taken up, what is left of them."""
    groups = [group for group in groups if not group.gone or len(group.cards) == 1]
    step, gap = 15.0, 14.0
    captions = [group.name.split() for group in groups]
    widths = [
        max(TINY[0] + step * (len(group.cards) - 1), *(text_width(line, 12) for line in _two_lines(words)))
        for group, words in zip(groups, captions, strict=True)
    ]
    x, y = place.beside
    x -= place.align * (sum(widths) + gap * (len(groups) - 1))
    for group, words, width in zip(groups, captions, widths, strict=True):
        for row, line in enumerate(_two_lines(words)):
            canvas.text((x, y + 7 + 14 * row), line, 12, INK, "lm")
        for number, card in enumerate(group.cards):
            draw_card(canvas, card, (x + step * number, y + 32), TINY, FADED if group.gone else 0)
        x += width + gap


def _two_lines(words: list[str]) -> tuple[str, str]:
    """A caption over cards, its last line next to them."""
    return ("", words[0]) if len(words) == 1 else (words[0], " ".join(words[1:]))


# --- Seats ------------------------------------------------------------------------------------------------------------


def _draw_hand(canvas: Canvas, shown: Shown, seat: int, place: Place) -> None:
    cards = _by_suit(shown.hands[seat])
    width = place.size[0]
    step = min(width + 4.0, (place.spread - width) / max(len(cards) - 1, 1))
    x = place.hand[0] - (width + step * (len(cards) - 1)) / 2
    for number, card in enumerate(cards):
        draw_card(canvas, card, (x + step * number, place.hand[1]), place.size, FADED if shown.out(seat) else 0)


def _draw_plate(canvas: Canvas, shown: Shown, seat: int, place: Place) -> None:
    """Whose seat it is, the dealer's button, its part in the hand; its score, what the hand changed, tricks taken."""
    (width, height), out, taken = PLATE_SIZE, shown.out(seat), shown.tricks_taken[seat]
    x, y = place.plate[0] - width / 2, place.plate[1]
    rim = GOLD if seat == shown.seat or seat in shown.winners else None
    ink = FAINT if out else INK
    canvas.panel((x, y, x + width, y + height), PLATE_OUT if out else PLATE, rim)
    canvas.text((x + 12, y + 15), f"Seat {seat}", 16, GOLD if rim else ink, "lm", bold=True)
    if seat == shown.dealer:
        canvas.disc((x + 84, y + 15), 10, PAPER)
        canvas.text((x + 84, y + 15), "D", 13, BLACK, "mm", bold=True)
    word = "winner" if seat in shown.winners else part(shown, seat)
    if word:
        canvas.pill((x + width - 8, y + 15), word, PILLS[word.split()[0]])
    score = f"{shown.scores[seat]} points"
    canvas.text((x + 12, y + 36), score, 14, ink, "lm", limit=74)
    if shown.scored:
        gain = shown.deltas[seat] * shown.rules.toward
        colour = FAINT if gain == 0 else GOOD if gain > 0 else BAD
        at = (x + 17 + min(text_width(score, 14), 74), y + 36)
        canvas.text(at, change(shown, seat), 14, colour, "lm", bold=True, limit=25)
    canvas.text((x + width - 10, y + 36), f"{taken} trick{'' if taken == 1 else 's'}", 12, ink, "rm")
    for number in range(taken):
        left = x + width - 60 - 5 * (taken - number)
        canvas.block((left, y + 29, left + 9, y + 42), BACK, PAPER)


def _by_suit(cards: list[int]) -> list[int]:
    """A hand as one holds it: by suit, the colours in turn, high cards first, unknown cards last."""
    return sorted(cards, key=lambda card: (card == HIDDEN, (0, 1, 3, 2)[card // 6], -card))


def _draw_trick(canvas: Canvas, shown: Shown, places: list[Place]) -> None:
    """The trick in progress, or the last one until a card is led; the card that is ahead has a golden rim."""
    if shown.tricks:
        trick = shown.tricks[-1]
        for play in trick.plays:
            x, y = places[play.seat].card
            corner = (x - MIDDLE[0] / 2, y - MIDDLE[1] / 2)
            ahead = play.seat == trick.ahead
            draw_card(
                canvas, play.card, corner, MIDDLE, FADED if play.reneged else PAST if trick.over and not ahead else 0
            )
            if ahead:
                canvas.rim((*corner, corner[0] + MIDDLE[0], corner[1] + MIDDLE[1]), GOLD)
