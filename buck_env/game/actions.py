"""The 43 actions of every profile, and their text both ways.

``ACTIONS[i]`` is the bare text of action ``i``. In hand records a card carries its phase: ``play:9C``, ``discard:9C``.
"""

from __future__ import annotations

from typing import Final

from buck_env.game.cards import CARDS, TRUMPS, card_id

__all__ = [
    "ACTIONS",
    "BID",
    "DROP",
    "EXCHANGE",
    "KEEP",
    "NAME",
    "NUM_ACTIONS",
    "ORDER",
    "PASS",
    "STAY",
    "action_id",
    "action_text",
]

PASS: Final = 24
ORDER: Final = 25
NAME: Final = 26  # + suit C D H S, or 4 for no-trump
BID: Final = 31  # + tricks bid - 1
STAY: Final = 39
DROP: Final = 40
EXCHANGE: Final = 41
KEEP: Final = 42
NUM_ACTIONS: Final = 43

ACTIONS = (
    *CARDS,
    "pass",
    "order",
    *(f"name:{trump}" for trump in TRUMPS),
    *(f"bid:{tricks}" for tricks in range(1, 9)),
    "stay",
    "drop",
    "exchange",
    "keep",
)

_IDS = {text: i for i, text in enumerate(ACTIONS)}


def action_text(action: int, phase: str | None = None) -> str:
    """The record text of an action: a card is ``discard:…`` in the phase ``discard``, ``play:…`` in any other given.

    Without a phase it is the bare text. ValueError for an id outside 0..42.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"action {action!r} is not one of 0..{NUM_ACTIONS - 1}")
    text = ACTIONS[action]
    if phase is None or action >= PASS:
        return text
    return f"discard:{text}" if phase == "discard" else f"play:{text}"


def action_id(text: str) -> int:
    """The action of a record text or a bare text; ValueError names what is accepted."""
    if isinstance(text, str):
        head, colon, tail = text.partition(":")
        if colon and head in ("play", "discard"):
            return card_id(tail)
        if text in _IDS:
            return _IDS[text]
        if text.startswith("10"):
            return card_id(text)
    raise ValueError(
        f"{text!r} is not an action: play:CARD, discard:CARD, a bare card, or one of {', '.join(ACTIONS[PASS:])}"
    )
