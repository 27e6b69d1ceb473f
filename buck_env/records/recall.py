"""What a seat remembers of a hand in progress: its view in record notation, made from the table as it sees it.

The inverse of `seat_view.table_from_view`. Nothing but the seen table goes in, so that nothing hidden can come out: the
hand is dealt again with cards of no matter where the seat sees none, and played again until it looks the same.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from buck_env.base.errors import RecordError
from buck_env.game import engine
from buck_env.game.actions import BID, DROP, EXCHANGE, KEEP, NAME, ORDER, PASS, STAY, action_text
from buck_env.game.cards import CARDS, cards_in, mask_of
from buck_env.game.facts import previous_taker
from buck_env.game.hidden import hide
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.game.table import CARD, HIDDEN, IN_CALL, IN_ORDER, LONGEST_HAND, NONE, SEAT_SHIFT, TABLE
from buck_env.records.deals import deal_table
from buck_env.records.schema import HandRecord, Step
from buck_env.records.texts import legal_texts, phase_text

__all__ = ["view_from_table"]

_Facts = namedtuple("_Facts", TABLE.names or ())  # type: ignore[misc]  # whose fields are quicker to read than a record's


def view_from_table(seen: np.ndarray, seat: int, rules: Rules) -> HandRecord:
    """The view of a seat, as a record, of a hand in progress at a table as that seat sees it, shape (1,).

    Cards of a hand stand in the order of the pack. RecordError where no hand leads to the table.
    """
    facts = _facts(seen)
    hands, rest = _dealt(facts, seen[0], seat, rules)
    scores = (facts.scores - facts.deltas)[: rules.seats].tolist()
    table = deal_table(rules, _filled(hands, rest), facts.dealer, scores, facts.hands_played)
    return {
        "rules": rules.as_record(),
        "dealer": facts.dealer,
        "scores": scores,
        "hands": [[CARDS[card] for card in hand] if hand else None for hand in hands],
        "rest": [None if card == HIDDEN else CARDS[card] for card in rest],
        "steps": _steps(table, seen, seat, rules),
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


def _steps(table: np.ndarray, seen: np.ndarray, seat: int, rules: Rules) -> list[Step]:
    """The steps that lead from a fresh deal, shape (1,), to what the seat sees."""
    packed, viewer = rules.packed()[0], np.array([seat])
    later, aim = _facts(seen), seen.tobytes()
    steps: list[Step] = []
    while hide(table, viewer, rules).tobytes() != aim:
        now = _facts(table)
        if now.phase == Phase.OVER or len(steps) == LONGEST_HAND:
            raise RecordError(f"view: no hand leads to what seat {seat} sees at this table")
        action, phase = _taken(now, later), phase_text(table)
        text = "discard:?" if action == HIDDEN else action_text(action, phase)
        step: Step = {"seat": now.seat, "phase": phase, "action": text}
        if now.seat == seat:
            step["legal"] = legal_texts(table, rules)
        steps.append(step)
        if now.phase == Phase.PLAY:
            engine.apply_seen_play(table[0], packed, action, _reneges(now, later))
        else:
            engine.apply(table[0], packed, action)
    return steps


def _taken(now: Any, later: Any) -> int:
    """What the seat to act does now, as the table shows it later."""
    seat = now.seat
    if now.phase == Phase.EXCHANGE:
        return EXCHANGE if later.exchanged >> seat & 1 else KEEP
    if now.phase == Phase.ORDER:
        return PASS if later.passed[IN_ORDER] >> seat & 1 else ORDER
    if now.phase == Phase.CALL:
        return PASS if later.passed[IN_CALL] >> seat & 1 else NAME + int(later.trump)
    if now.phase == Phase.BID:  # before its turn returns somebody bids higher, or the auction is over
        higher = [tricks for tricks in range(now.contract + 1, 9) if later.bidders[tricks - 1] != NONE]
        return BID + higher[0] - 1 if higher and later.bidders[higher[0] - 1] == seat else PASS
    if now.phase == Phase.DISCARD:
        return int(later.discards[(now.discards != NONE).sum()])
    if now.phase == Phase.NAME:
        return NAME + int(later.trump)
    if now.phase == Phase.STAY:
        return STAY if later.stayed >> seat & 1 else DROP
    return int(later.plays[now.played]) & CARD


def _reneges(now: Any, later: Any) -> bool:
    """Whether the card about to be played is a renege: it is the last of a seat that reneged."""
    players = later.plays[now.played + 1 : later.played] >> SEAT_SHIFT
    return bool(later.reneged >> now.seat & 1) and now.seat not in players
