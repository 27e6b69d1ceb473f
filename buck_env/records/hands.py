"""One hand record played again through the engine, which confirms it or names the first difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from buck_env.base.errors import RecordError
from buck_env.game import engine
from buck_env.game.cards import TRUMPS
from buck_env.game.rules import Rules
from buck_env.game.table import NONE
from buck_env.records.deals import record_table
from buck_env.records.schema import HandRecord, Result, rules_of
from buck_env.records.texts import action_of, legal_texts, phase_text

__all__ = ["check_same", "replay", "result_of", "verify_hand"]


def result_of(table: np.ndarray, rules: Rules) -> Result:
    """The result of a table, shape (1,), whose hand is over (RULES §14.4)."""
    t = table[0]
    seats = range(rules.seats)
    redeal = bool(t.trump == NONE)
    return {
        "redeal": redeal,
        "maker": None if t.maker == NONE else int(t.maker),
        "trump": None if redeal else TRUMPS[t.trump],
        "stayed": [not t.dropped >> seat & 1 for seat in seats],
        "tricks": [int(t.tricks[seat]) for seat in seats],
        "deltas": [int(t.deltas[seat]) for seat in seats],
        "scores": [int(t.scores[seat]) for seat in seats],
        "winners": [seat for seat in seats if t.winners >> seat & 1],
    }


def replay(
    record: HandRecord, where: str = "record", hands_played: int = 0, *, whole: bool = True
) -> Iterator[np.ndarray]:
    """The table, shape (1,), before every step and after the last; the same array, changed in place.

    RecordError names the first step at which the engine disagrees with the record, and, unless `whole` is False, a hand
    that is not over after the last.
    """
    rules = rules_of(record, where)
    packed = rules.packed()
    table = record_table(record, rules, hands_played, where)
    for number, step in enumerate(record["steps"]):
        yield table
        place = f"{where}: step {number}"
        phase = phase_text(table)
        if phase == "over":
            raise RecordError(f"{place}: {step['action']} by seat {step['seat']}, but the hand is over")
        check_same(place, "phase", step["phase"], phase)
        check_same(place, "seat", step["seat"], int(table["seat"][0]))
        if "legal" in step:
            check_same(place, "legal", step["legal"], legal_texts(table, rules))
        action = action_of(step, place)
        if not int(engine.permitted(table[0], packed[0])) >> action & 1:
            raise RecordError(
                f"{place}: seat {step['seat']} may not {step['action']} in {phase}; "
                f"legal: {', '.join(legal_texts(table, rules))}"
            )
        engine.apply(table[0], packed[0], action)
    if whole and phase_text(table) != "over":
        raise RecordError(
            f"{where}: the steps end, but seat {table['seat'][0]} has to {phase_text(table)}; "
            f"legal: {', '.join(legal_texts(table, rules))}"
        )
    yield table


def check_same(where: str, what: str, recorded: object, engine_says: object) -> None:
    """RecordError where a value of a record is not the engine's, in value or in type."""
    if recorded != engine_says or type(recorded) is not type(engine_says):
        raise RecordError(f"{where}: {what}: the record has {recorded!r}, the engine {engine_says!r}")


def verify_hand(record: HandRecord, where: str = "record", hands_played: int | None = None) -> tuple[Result, int]:
    """The result of a record that the engine confirms, and the hands of its match before it.

    Without `hands_played`, the hand of a match that has a number of hands may be the last of them or not; its winners
    decide. RecordError names the first difference.
    """
    if "result" not in record:
        raise RecordError(f"{where}: result is missing")
    for number, step in enumerate(record["steps"]):
        if "legal" not in step:
            raise RecordError(f"{where}: step {number}: legal is missing")
    rules = rules_of(record, where)
    settled = hands_played or 0
    *_, table = replay(record, where, settled)
    result = result_of(table, rules)
    if rules.hands and hands_played is None and result["winners"] != record["result"]["winners"]:
        settled = rules.hands - 1
        *_, table = replay(record, where, settled)
        result = result_of(table, rules)
    for key, value in result.items():
        check_same(f"{where}: result", key, record["result"][key], value)  # type: ignore[literal-required]
    return result, settled
