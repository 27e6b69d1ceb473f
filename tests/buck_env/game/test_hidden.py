"""What a seat may not know is taken out of a table, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from worked import FOUR, SUITS, TAKES_4, deal, house, run

from buck_env import PROFILES, Rules
from buck_env.game.cards import card_id, mask_of
from buck_env.game.hidden import hide
from buck_env.game.table import HIDDEN, NONE

pytestmark = pytest.mark.usefixtures("the_engine")


def seen(hand: object, rules: Rules, seats: list[int]) -> np.ndarray:
    table = np.array([hand.record] * len(seats))  # type: ignore[attr-defined]
    return hide(table, np.array(seats), rules)


def ids(texts: str) -> list[int]:
    return [card_id(text) for text in texts.split()]


def test_a_seat_sees_its_own_hand_and_the_upcard() -> None:
    """RULES §13.1, §13.2."""
    hand = deal(PROFILES["ohio"], FOUR, "9H", dealer=3)
    for seat, row in enumerate(seen(hand, PROFILES["ohio"], [0, 1, 2, 3])):
        assert row["hand"].tolist() == [mask_of(ids(cards)) if n == seat else 0 for n, cards in enumerate(FOUR)]
        assert row["rest"].tolist() == [card_id("9H"), HIDDEN, HIDDEN, HIDDEN, *[NONE] * 5]
        assert row["discards"].tolist() == [NONE] * 4


def test_only_the_dealer_sees_its_discards_and_the_buck() -> None:
    """RULES §13.3."""
    rules = PROFILES["stick-the-dealer"]
    hand = run(deal(rules, SUITS, "9S 9C 9H 9D", dealer=3), "3:discard:9C 3:discard:9D")
    dealer, other = seen(hand, rules, [3, 1])
    assert dealer["rest"].tolist() == [*ids("9S 9C 9H 9D"), *[NONE] * 5]
    assert dealer["discards"].tolist() == [*ids("9C 9D"), NONE, NONE]
    assert other["rest"].tolist() == [*[HIDDEN] * 4, *[NONE] * 5]
    assert other["discards"].tolist() == [HIDDEN, HIDDEN, NONE, NONE]


def test_the_first_taker_sees_the_widow_and_each_the_hand_it_laid_down() -> None:
    """RULES §13.4, §13.5."""
    rules = house("cutthroat", exchange="every")
    hand = run(deal(rules, TAKES_4, "JH JD JC 9H 9C", dealer=1), "0:exchange 1:keep 2:exchange")
    rows = seen(hand, rules, [0, 1, 2])
    assert rows[0]["rest"].tolist() == [*ids("JH JD JC 9H 9C"), *[HIDDEN] * 4]
    assert rows[1]["rest"].tolist() == rows[2]["rest"].tolist() == [HIDDEN] * 9
    laid = [mask_of(ids(TAKES_4[0])), 0, mask_of(ids(TAKES_4[2]))]
    assert rows["laid"].tolist() == [[laid[0], 0, 0, 0], [0] * 4, [0, 0, laid[2], 0]]


@pytest.mark.parametrize("profile", PROFILES)
def test_all_else_stays_and_the_table_itself_is_not_touched(profile: str) -> None:
    rules = PROFILES[profile]
    hand = deal(rules, SUITS[: rules.seats], "", dealer=0)
    before = hand.record.tobytes()
    rows = seen(hand, rules, list(range(rules.seats)))
    assert hand.record.tobytes() == before
    others = [name for name in rows.dtype.names if name not in ("hand", "laid", "rest", "discards")]
    for row in rows:
        assert [row[name].tolist() for name in others] == [hand.record[name].tolist() for name in others]
