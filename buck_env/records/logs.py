"""The record of a hand that an environment has logged."""

from __future__ import annotations

import numpy as np

from buck_env.game import engine
from buck_env.game.actions import action_text
from buck_env.game.cards import CARDS
from buck_env.game.rules import Rules
from buck_env.records.deals import deal_table
from buck_env.records.hands import result_of
from buck_env.records.schema import HandRecord, MatchPlace, Step
from buck_env.records.texts import legal_texts, phase_text

__all__ = ["deal_record"]


def deal_record(log: np.void, rules: Rules, match: MatchPlace | None = None) -> HandRecord:
    """The record of one `LOG`; a hand still in progress has no result."""
    packed = rules.packed()
    table = deal_table(rules, log["pack"], int(log["dealer"]), log["scores"].tolist(), int(log["hands_played"]))
    pack = [CARDS[card] for card in log["pack"]]
    steps: list[Step] = []
    for action in log["actions"][: log["steps"]]:
        phase = phase_text(table)
        steps.append(
            {
                "seat": int(table["seat"][0]),
                "phase": phase,
                "legal": legal_texts(table, rules),
                "action": action_text(int(action), phase),
            }
        )
        engine.apply(table[0], packed[0], int(action))
    record: HandRecord = {
        "rules": rules.as_record(),
        "dealer": int(log["dealer"]),
        "scores": log["scores"][: rules.seats].tolist(),
        "hands": [pack[5 * seat : 5 * seat + 5] for seat in range(rules.seats)],
        "rest": list(pack[5 * rules.seats :]),
        "steps": steps,
    }
    if phase_text(table) == "over":
        record["result"] = result_of(table, rules)
    if match is not None:
        record["match"] = match
    return record
