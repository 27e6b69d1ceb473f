"""What a seat remembers of a hand in progress: its view in record notation, made from the table as it sees it.

The inverse of `seat_view.table_from_view`. Nothing but the seen table goes in, so that nothing hidden can come out: the
hand is dealt again with cards of no matter where the seat sees none, and played again until it looks the same.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from buck_env.base.errors import RecordError
from buck_env.game.actions import action_text
from buck_env.game.cards import CARDS, cards_in, mask_of
from buck_env.game.facts import previous_taker
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.game.table import CARD, HIDDEN, LONGEST_HAND, NONE, SEAT_SHIFT, TABLE, make_tables
from buck_env.records.retrace import retrace
from buck_env.records.schema import HandRecord, Step
from buck_env.records.texts import mask_texts

__all__ = ["view_from_table"]

_Facts = namedtuple("_Facts", TABLE.names or ())  # type: ignore[misc]  # whose fields are quicker to read than a record's


def view_from_table(seen: np.ndarray, seat: int, rules: Rules) -> HandRecord:
    """The view of a seat, as a record, of a hand in progress at a table as that seat sees it, shape (1,).

    Cards of a hand stand in the order of the pack. RecordError where no hand leads to the table.
    """
    facts = _facts(seen)
    hands, rest = _dealt(facts, seen[0], seat, rules)
    scores = (facts.scores - facts.deltas)[: rules.seats].tolist()
    return {
        "rules": rules.as_record(),
        "dealer": facts.dealer,
        "scores": scores,
        "hands": [[CARDS[card] for card in hand] if hand else None for hand in hands],
        "rest": [None if card == HIDDEN else CARDS[card] for card in rest],
        "steps": _steps(_filled(hands, rest), seen, seat, rules),
    }


def _facts(table: np.ndarray) -> Any:
    """The fields of a table, shape (1,), by name."""
    return _Facts._make(table.tolist()[0])


def _dealt(seen: Any, table: Any, seat: int, rules: Rules) -> tuple[list[list[int]], list[int]]:
    """The hands that the seat knows, as they were dealt, the others empty; the cards beside them, or HIDDEN."""
    rest = seen.rest[: 24 - 5 * rules.seats].tolist()
    played = mask_of(play & CARD for play in seen.plays[: seen.played].tolist() if play >> SEAT_SHIFT == seat)
    discarded = mask_of(card for card in seen.discards.tolist() if card >= 0)
    own = int(seen.hand[seat]) | played | discarded
    hands: list[list[int]] = [[] for _ in range(rules.seats)]
    if seen.exchanged >> seat & 1:
        before = previous_taker(table, rules.packed()[0], seat)
        if before != NONE:
            hands[before] = cards_in(own)  # laid down by the one before
        hands[seat] = cards_in(int(seen.laid[seat]))
    else:
        taken_up = mask_of(card for card in rest if card != HIDDEN)
        hands[seat] = cards_in(own & ~taken_up)
    return hands, rest


def _filled(hands: list[list[int]], rest: list[int]) -> np.ndarray:
    """A pack, (24,) int8, in which cards that the seat has not seen lie anywhere but where it sees others."""
    known = {card for hand in hands for card in hand} | set(rest)
    unseen = iter([card for card in range(24) if card not in known])
    dealt = [card for hand in hands for card in (hand or [next(unseen) for _ in range(5)])]
    return np.array(dealt + [next(unseen) if card == HIDDEN else card for card in rest], np.int8)


def _steps(pack: np.ndarray, seen: np.ndarray, seat: int, rules: Rules) -> list[Step]:
    """The steps that lead from a pack, (24,), to what the seat sees."""
    table, taken = make_tables(1), np.empty((LONGEST_HAND, 4), np.int64)
    number = retrace(table, seen, rules.packed(), pack, seat, taken)
    if number < 0 or table.tobytes() != seen.tobytes():
        raise RecordError(f"view: no hand leads to what seat {seat} sees at this table")
    steps: list[Step] = []
    for actor, phase, action, mask in taken[:number].tolist():
        step: Step = {"seat": actor, "phase": PHASES[phase], "action": _text(action, PHASES[phase])}
        if actor == seat:
            step["legal"] = mask_texts(mask, PHASES[phase])
        steps.append(step)
    return steps


def _text(action: int, phase: str) -> str:
    return "discard:?" if action == HIDDEN else action_text(action, phase)
