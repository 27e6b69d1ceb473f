"""Pages for a browser: one file each, without network or fonts, and hands drawn card by card in them.

Everything told is escaped, and a page runs no script but its own, by its hash. Without scripts the steps of a hand are
a list.
"""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from buck_env.actions import ACTIONS, BID, NAME, PASS, action_id
from buck_env.cards import RANKS
from buck_env.records import HandRecord, replay, rules_of
from buck_env.render import GLYPHS, TRUMP_WORDS, Shown
from buck_env.version import __version__

__all__ = ["DrawnHand", "draw_hand", "hands_page", "page"]

_AS_TEXT = "\ufe0e"  # after a suit sign: no emoji, so that it takes its colour
_VERBS = {
    "pass": "passes", "order": "orders", "stay": "stays", "drop": "drops", "exchange": "exchanges", "keep": "keeps",
}  # fmt: skip


# --- Hands ------------------------------------------------------------------------------------------------------------


class Frame(NamedTuple):
    """A table, and what has just been done at it: by whom, in words, and with which card."""

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


def draw_hand(
    record: HandRecord, title: str, names: Sequence[str] = (), *, where: str = "record", hands_played: int = 0
) -> DrawnHand:
    """A record step by step; RecordError tells the first step at which the engine disagrees with it."""
    rules = rules_of(record, where)
    frames = []
    for number, table in enumerate(replay(record, where, hands_played)):
        seat, said, card = _said(record, number - 1) if number else (None, "the cards are dealt", None)
        frames.append(Frame(Shown(table.copy(), rules), seat, said, card))
    return DrawnHand(title, names, frames)


def _said(record: HandRecord, number: int) -> tuple[int, str, int | None]:
    step = record["steps"][number]
    action = action_id(step["action"])
    if action < PASS:
        return step["seat"], "discards" if step["phase"] == "discard" else "plays", action
    if NAME <= action < BID:
        return step["seat"], f"names {TRUMP_WORDS[action - NAME]}", None
    if BID <= action < BID + 8:
        return step["seat"], f"bids {action - BID + 1}", None
    return step["seat"], _VERBS[ACTIONS[action]], None


def hands_page(places: Iterable[tuple[str, HandRecord]], title: str, *, skip: int = 0, most: int = 100) -> str:
    """A page of verified hand records with their places, to be stepped through: `most` of them after the first `skip`.

    Hands of a match are told as such, with the scores they began with.
    """
    hands, count = [], 0
    played: dict[tuple[str, str], int] = defaultdict(int)  # by file and match
    for where, record in places:
        if "match" in record:
            match = where.rpartition(":")[0], record["match"]["id"]
            told, before = f"match {match[1]}, hand {record['match']['hand'] + 1}", played[match]
            played[match] += not record["result"]["redeal"]
        else:
            told, before = f"hand {count + 1}", _hands_before(record, where)
        if skip <= count < skip + most:
            hands.append(draw_hand(record, told, where=where, hands_played=before))
        count += 1
    return page("hands.html", title=title, hands=hands, first=skip + 1, count=count)


def _hands_before(record: HandRecord, where: str) -> int:
    """Hands of the match before one of which that is not told: one that ends a match of so many hands was its last."""
    rules = rules_of(record, where)
    return rules.hands - 1 if rules.hands and record["result"]["winners"] else 0


# --- Pages ------------------------------------------------------------------------------------------------------------


def page(template: str, **told: Any) -> str:
    """A template of this package with what it tells."""
    return _ENVIRONMENT.get_template(template).render(**told)


def _file(name: str) -> str:
    return files("training").joinpath("templates", name).read_text(encoding="utf-8")


def _rank_text(card: int) -> str:
    rank = RANKS[card % 6]
    return "10" if rank == "T" else rank


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("training"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = _file("page.js")
    environment.globals |= {
        "script": Markup(script),
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "style": Markup(_file("page.css")),
        "rank_text": _rank_text,
        "trump_words": TRUMP_WORDS,
        "glyphs": [glyph + _AS_TEXT for glyph in GLYPHS],
        "version": __version__,
    }
    return environment


_ENVIRONMENT = _environment()
