"""A seat's view of a hand record, and the table, as that seat sees it, that the view stands for."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from buck_env.base.errors import RecordError
from buck_env.game import engine
from buck_env.game.cards import CARDS
from buck_env.game.facts import shown_beside
from buck_env.game.hidden import hide
from buck_env.game.house import load_rules
from buck_env.game.options import IllegalPlay
from buck_env.game.rules import Rules
from buck_env.game.table import CARD, HIDDEN
from buck_env.records.deals import record_table
from buck_env.records.hands import check_same
from buck_env.records.schema import HandRecord, Step, parse_record, rules_of
from buck_env.records.texts import action_of, legal_texts, phase_text

__all__ = ["table_from_view", "view_of"]


def view_of(record: HandRecord, seat: int, steps: int | None = None) -> HandRecord:
    """The record as `seat` knows it after so many steps (all by default), with `discard:?` and None for the rest.

    RULES §14.6.
    """
    rules = load_rules(record["rules"])
    done = record["steps"][:steps]
    if not 0 <= seat < rules.seats:
        raise RecordError(f"view: {seat!r} is no seat; allowed: 0 to {rules.seats - 1}")
    exchangers = [step["seat"] for step in done if step["action"] == "exchange"]
    seen = {seat}
    if seat in exchangers[1:]:
        seen.add(exchangers[exchangers.index(seat) - 1])  # the hand laid down by the one before
    shown = shown_beside(rules.packed()[0], seat == record["dealer"], exchangers[:1] == [seat])
    view: HandRecord = {
        "rules": record["rules"],
        "dealer": record["dealer"],
        "scores": record["scores"],
        "hands": [hand if holder in seen else None for holder, hand in enumerate(record["hands"])],
        "rest": [card if place < shown else None for place, card in enumerate(record["rest"])],
        "steps": [_step_seen(step, seat) for step in done],
    }
    if "match" in record:
        view["match"] = record["match"]
    return view


def _step_seen(step: Step, seat: int) -> Step:
    if step["seat"] == seat:
        return step
    action = "discard:?" if step["phase"] == "discard" else step["action"]
    return {"seat": step["seat"], "phase": step["phase"], "action": action}


def table_from_view(
    view: Mapping[str, Any], where: str = "view", hands_played: int = 0, reneged: Collection[int] | None = None
) -> tuple[Rules, np.ndarray, int]:
    """The rules, the table as the viewing seat sees it, shape (1,), and that seat.

    Whose view it is shows in `hands`: the one hand that is not None (where a later taker of a laid-down hand sees two,
    the seat that exchanged last). RecordError where the steps contradict the rules, or where, in a house that plays
    reneges, they do not yet show whether a card was one and `reneged`, the seats that have, does not either.
    """
    record = parse_record(json.dumps(view), where)
    rules = rules_of(record, where)
    seat = _viewer(record, where)
    table = record_table(_filled(record, rules), rules, hands_played, where)
    ends = [hide(end, np.array([seat]), rules) for end in _consistent(record, rules, table, 0, seat, where)]
    if reneged is not None:
        ends = [end for end in ends if int(end["reneged"][0]) == sum(1 << seat for seat in set(reneged))]
        if not ends:
            raise RecordError(f"{where}: reneged: {sorted(reneged)} are not the seats whose cards did not follow")
    if any(end.tobytes() != ends[0].tobytes() for end in ends):
        raise RecordError(f"{where}: the steps do not show whether a card that did not follow was a renege")
    return rules, ends[0], seat


def _viewer(record: HandRecord, where: str) -> int:
    seen = [seat for seat, hand in enumerate(record["hands"]) if hand is not None]
    takers = [step["seat"] for step in record["steps"] if step["action"] == "exchange" and step["seat"] in seen]
    if len(seen) == 1:
        return seen[0]
    if len(seen) == 2 and len(takers) >= 2:
        return takers[-1]
    raise RecordError(f"{where}: hands: a seat's view shows that seat's hand and no other, not {len(seen)}")


def _filled(record: HandRecord, rules: Rules) -> HandRecord:
    """The view with every unseen card put somewhere; `hide` takes them out again."""
    seen = {card for hand in (*record["hands"], record["rest"]) for card in hand or () if card is not None}
    unseen = iter([card for card in CARDS if card not in {c.replace("10", "T") for c in seen}])
    hands = [hand or [next(unseen, "none") for _ in range(5)] for hand in record["hands"]]
    rest = [card or next(unseen, "none") for card in record["rest"]]
    return {**record, "hands": hands, "rest": rest}  # type: ignore[typeddict-item]


def _consistent(
    record: HandRecord, rules: Rules, table: np.ndarray, start: int, viewer: int, where: str
) -> list[np.ndarray]:
    """The tables to which the steps from `start` on can lead: more than one only where a renege is not yet plain."""
    packed = rules.packed()[0]
    for number, step in list(enumerate(record["steps"]))[start:]:
        place = f"{where}: step {number}"
        t = table[0]
        check_same(place, "phase", step["phase"], phase_text(table))
        check_same(place, "seat", step["seat"], int(t.seat))
        if step["seat"] != viewer and step["phase"] == "discard":
            engine.apply(t, packed, HIDDEN)
            continue
        action = action_of(step, place)
        if step["seat"] == viewer:
            if "legal" in step:
                check_same(place, "legal", step["legal"], legal_texts(table, rules))
            if not int(engine.permitted(t, packed)) >> action & 1:
                raise RecordError(f"{place}: {step['action']} is not legal: {', '.join(legal_texts(table, rules))}")
        elif step["phase"] != "play":
            if not int(engine.legal(t, packed)) >> action & 1:
                raise RecordError(f"{place}: {step['action']} is not legal: {', '.join(legal_texts(table, rules))}")
        else:
            _check_unseen(table, action, viewer, place)
            if rules.illegal_play is IllegalPlay.RENEGE and not engine.follows(t, action):
                return _either(record, rules, table, number, viewer, where, action)
            engine.apply_seen_play(t, packed, action, False)
            continue
        engine.apply(t, packed, action)
    return [table]


def _either(
    record: HandRecord, rules: Rules, table: np.ndarray, number: int, viewer: int, where: str, action: int
) -> list[np.ndarray]:
    """A card that did not follow: the tables it can lead to as a renege, and as none."""
    ends: list[np.ndarray] = []
    fault: RecordError | None = None
    for reneges in (False, True):
        copy = table.copy()
        engine.apply_seen_play(copy[0], rules.packed()[0], action, reneges)
        try:
            ends += _consistent(record, rules, copy, number + 1, viewer, where)
        except RecordError as error:
            fault = fault or error
    if not ends and fault:
        raise fault
    return ends


def _check_unseen(table: np.ndarray, action: int, viewer: int, place: str) -> None:
    t = table[0]
    if action in t.plays[: t.played] & CARD or int(t.hand[viewer]) >> action & 1 or (t.discards == action).any():
        raise RecordError(f"{place}: {CARDS[action]} is elsewhere: the viewer holds it or it has been played")
