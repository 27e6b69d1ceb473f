"""One table as text for a terminal."""

from __future__ import annotations

import re
from textwrap import wrap

import numpy as np

from buck_env.drawing.beside import beside
from buck_env.drawing.history import history
from buck_env.drawing.shown import PlayedCard, Shown
from buck_env.drawing.words import TRUMP_WORDS, change, making, part, prompt, title
from buck_env.game.cards import NO_TRUMP, RANKS
from buck_env.game.rules import Rules
from buck_env.game.table import HIDDEN, NONE

__all__ = ["GLYPHS", "table_text"]

GLYPHS = "♣♦♥♠"
WIDTH = 80
MARGIN = 10  # columns of the words at the left


def table_text(table: np.ndarray, rules: Rules, viewer: int | None = None, *, colour: bool = False) -> str:
    """One table, shape (1,), as text of at most 80 columns: open, or as one seat sees it, unseen cards as ``??``."""
    shown = Shown(table, rules, viewer)
    trump = [] if shown.trump == NONE else [_trump_text(shown.trump)]
    eyes = "all hands open" if viewer is None else f"seen by seat {viewer}"
    lines = [
        *wrap(f"{title(shown)} · {eyes}", WIDTH),
        *_entry("turn" if shown.seat != NONE else "over", [prompt(shown)]),
        *_entry("trump", [*trump, making(shown)]),
        *_entry("beside", [f"{group.name}: {_cards_text(group.cards)}" for group in beside(shown)]),
        *_seat_lines(shown),
    ]
    for word, done in history(shown):
        lines += _entry(word, done)
    for number, trick in enumerate(shown.tricks, 1):
        taken = [f"to {trick.ahead}"] if trick.over else []
        lines += _entry(f"trick {number}", [*map(_play_text, trick.plays), *taken])
    text = "\n".join(lines)
    return re.sub(r"\S?[♦♥]", "\x1b[31m\\g<0>\x1b[0m", text) if colour else text


def _entry(word: str, items: list[str]) -> list[str]:
    """A word at the left and its items, on as many lines as they take."""
    joined = " · ".join(item.replace(" ", "\0") for item in items)
    rows = [row.replace("\0", " ") for row in wrap(joined, WIDTH - MARGIN, break_long_words=False)]
    return [f"{word if place == 0 else '':<{MARGIN}}{row}" for place, row in enumerate(rows)]


def _seat_lines(shown: Shown) -> list[str]:
    """A line a seat: an arrow at the seat to act, the dealer's D, the score, tricks taken, its part, its hand."""
    heads = ["seat", "score", *(["change"] if shown.scored else []), "tricks", "part", "hand"]
    rows = [heads]
    for seat in range(shown.rules.seats):
        mark = ">" if seat == shown.seat else "*" if seat in shown.winners else " "
        changed = [change(shown, seat)] if shown.scored else []
        name = f"{mark} {seat}{' D' if seat == shown.dealer else ''}"
        numbers = [str(shown.scores[seat]), *changed, str(shown.tricks_taken[seat])]
        rows.append([name, *numbers, part(shown, seat) or "-", _cards_text(shown.hands[seat]) or "-"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = (0, len(heads) - 2, len(heads) - 1)
    widths[0] = max(widths[0], MARGIN - 2)
    return [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _card_text(card: int) -> str:
    return "??" if card == HIDDEN else RANKS[card % 6] + GLYPHS[card // 6]


def _cards_text(cards: list[int]) -> str:
    return " ".join(map(_card_text, cards))


def _trump_text(trump: int) -> str:
    return TRUMP_WORDS[trump] if trump == NO_TRUMP else f"{GLYPHS[trump]} {TRUMP_WORDS[trump]}"


def _play_text(play: PlayedCard) -> str:
    return f"{play.seat} {_card_text(play.card)}{' reneges' if play.reneged else ''}"
