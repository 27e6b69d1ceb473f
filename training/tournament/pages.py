"""Pages for a browser, in which hands are drawn card by card. A page is one file that loads nothing, not even fonts.

All text is escaped, and a page runs no script but its own, which the browser checks by its hash. Without scripts the
steps of a hand are a list.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from buck_env.base.version import __version__
from buck_env.drawing import words
from buck_env.drawing.beside import beside
from buck_env.drawing.shown import Shown
from buck_env.drawing.text import GLYPHS
from buck_env.game.actions import ACTIONS, BID, NAME, PASS, action_id
from buck_env.game.cards import RANKS
from buck_env.records import HandRecord, replay, rules_of

__all__ = ["DrawnHand", "draw_hand", "draw_hands", "page"]

_CARDS = files("agents") / "js" / "table" / "css" / "cards.css"  # cards look as they do at the table in the browser
_TABLE = "http://127.0.0.1:8000/table/index.html"
_AS_TEXT = "\ufe0e"  # after a suit sign: no emoji, so that it takes its colour
_VERBS = {
    "pass": "passes", "order": "orders", "stay": "stays", "drop": "drops", "exchange": "exchanges", "keep": "keeps",
}  # fmt: skip


# --- Hands ------------------------------------------------------------------------------------------------------------


class Frame(NamedTuple):
    """A table, and what was just done there: by which seat, in words, and with which card."""

    shown: Shown
    seat: int | None
    said: str
    card: int | None


@dataclass(frozen=True)
class DrawnHand:
    """A hand from the deal to its end."""

    title: str
    names: Sequence[str]
    """Who sits in each seat; empty where that is not known."""
    frames: list[Frame]
    link: str
    """Where the deal can be played at the table in the browser, as `buck serve` shows it; empty within a match."""


def draw_hand(
    record: HandRecord, title: str, names: Sequence[str] = (), *, where: str = "record", hands_played: int = 0
) -> DrawnHand:
    """Draw a record step by step. RecordError names the first step at which the engine disagrees with it."""
    rules = rules_of(record, where)
    frames = []
    for number, table in enumerate(replay(record, where, hands_played)):
        seat, said, card = _said(record, number - 1) if number else (None, "the cards are dealt", None)
        frames.append(Frame(Shown(table.copy(), rules), seat, said, card))
    return DrawnHand(title, names, frames, "" if "match" in record else _link(record))


def _link(record: HandRecord) -> str:
    deal = {key: record[key] for key in ("rules", "dealer", "scores", "hands", "rest")}
    text = json.dumps({**deal, "steps": []}, separators=(",", ":"))
    return f"{_TABLE}#hand={base64.urlsafe_b64encode(text.encode()).decode().rstrip('=')}"


def _said(record: HandRecord, number: int) -> tuple[int, str, int | None]:
    step = record["steps"][number]
    action = action_id(step["action"])
    if action < PASS:
        return step["seat"], "discards" if step["phase"] == "discard" else "plays", action
    if NAME <= action < BID:
        return step["seat"], f"names {words.TRUMP_WORDS[action - NAME]}", None
    if BID <= action < BID + 8:
        return step["seat"], f"bids {action - BID + 1}", None
    return step["seat"], _VERBS[ACTIONS[action]], None


def draw_hands(
    records: Iterable[tuple[str, HandRecord, int]], *, skip: int = 0, most: int = 100
) -> tuple[list[DrawnHand], int]:
    """Draw at most `most` records after the first `skip`, and return the hands and the number of all records.

    `records` are those that `records.confirmed` yields. The title of a hand of a match names the match.
    """
    hands, count = [], 0
    for where, record, hands_played in records:
        if skip <= count < skip + most:
            match = record.get("match")
            title = f"match {match['id']}, hand {match['hand'] + 1}" if match else f"hand {count + 1}"
            hands.append(draw_hand(record, title, where=where, hands_played=hands_played))
        count += 1
    return hands, count


# --- Pages ------------------------------------------------------------------------------------------------------------


def page(template: str, **content: Any) -> str:
    """A template of this package, filled in with its content."""
    return _ENVIRONMENT.get_template(template).render(**content)


def _file(name: str) -> str:
    return files("training.tournament").joinpath("templates", name).read_text(encoding="utf-8")


def _rank_text(card: int) -> str:
    rank = RANKS[card % 6]
    return "10" if rank == "T" else rank


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("training.tournament"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = _file("page.js")
    environment.globals |= {
        "script": Markup(script),
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "style": Markup(_CARDS.read_text(encoding="utf-8") + _file("page.css")),
        "rank_text": _rank_text,
        "words": words,
        "beside": beside,
        "glyphs": [glyph + _AS_TEXT for glyph in GLYPHS],
        "version": __version__,
    }
    return environment


_ENVIRONMENT = _environment()
