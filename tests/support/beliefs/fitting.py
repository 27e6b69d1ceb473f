"""Every deal that fits a view, by brute force and from the rules alone: what draws of deals are checked against."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np
from oracle import suit_of

from buck_env.game.cards import CARDS, cards_in, mask_of
from buck_env.game.rules import Rules


class Fit(NamedTuple):
    """Where the unseen cards are: masks."""

    hands: tuple[int, ...]
    """of every seat's hand now, the viewer's included,"""
    discards: int
    """of the dealer's discards, those seen included,"""
    laid: int
    """of the hand that another seat laid down last,"""
    rest: int
    """and of the cards beside the hands that nobody took and the viewer does not see."""


def fit_of(table: Any, seat: int, seen: Any, rules: Rules) -> Fit:
    """The fit that a whole table shows to a seat which sees `seen`."""
    takers = _takers(seen, rules)
    laid = int(table.laid[takers[-1]]) if takers and takers[-1] != seat else 0
    beside = range(_taken(seen, rules), 9)
    return Fit(
        tuple(int(hand) for hand in table.hand[: rules.seats]),
        mask_of(int(card) for card in table.discards if card >= 0),
        laid,
        mask_of(int(table.rest[i]) for i in beside if seen.rest[i] == -2),
    )


def fits(seen: Any, seat: int, rules: Rules, most: int) -> list[Fit] | None:
    """Every fit of a view, shape (); None where there are more than `most`."""
    found = list(islice(_fits(seen, seat, rules), most + 1))
    return None if len(found) > most else found


def _takers(seen: Any, rules: Rules) -> list[int]:
    order = [(seen.dealer + place) % rules.seats for place in (rules.seats - 1, 0, 1)]
    return [int(seat) for seat in order if seen.exchanged >> seat & 1]


def _taken(seen: Any, rules: Rules) -> int:
    return 4 if rules.making == "dealer" else 5 if seen.exchanged else 0


def _plays(seen: Any) -> list[tuple[int, int]]:
    return [(int(play) >> 5, int(play) & 31) for play in seen.plays[: seen.played]]


def _fits(seen: Any, seat: int, rules: Rules) -> Iterator[Fit]:
    plays, dealer = _plays(seen), int(seen.dealer)
    made = [int(card) for card in seen.discards if card != -1]
    passed_up = any(seen.passed[0] >> s & 1 for s in [dealer])
    took = rules.pick_up and rules.making == "order" and seen.maker >= 0 and not passed_up
    known = {card for _, card in plays} | {card for card in made if card >= 0}
    known |= {card for hand in (*seen.hand, seen.laid[seat]) for card in cards_in(int(hand))}
    upcard = int(seen.rest[0]) if took and dealer != seat and int(seen.rest[0]) not in known else None
    known |= {int(card) for card in seen.rest if card >= 0 and card != upcard}
    unseen = [card for card in range(24) if card not in known]
    takers = _takers(seen, rules)
    sizes, shown = {}, {}
    for other in range(rules.seats):
        if other != seat:
            shown[other] = set(cards_in(int(seen.hand[other])))
            if seat in takers[:-1] and takers[takers.index(seat) + 1] == other:
                shown[other] = set(cards_in(int(seen.laid[seat]))) - {card for _, card in plays}
            held = 5 - sum(player == other for player, _ in plays)
            if other == dealer:
                held += (4 if rules.making == "dealer" else int(took)) - len(made)
            sizes[other] = held - len(shown[other])
    hidden_discards = sum(card == -2 for card in made)
    laid = 5 if takers and takers[-1] != seat else 0
    beside = sum(int(seen.rest[i]) == -2 for i in range(_taken(seen, rules), 9))
    assert sum(sizes.values()) + hidden_discards + laid + beside == len(unseen)

    def place(others: list[int], left: list[int], hands: dict[int, set[int]]) -> Iterator[Fit]:
        if others:
            for cards in combinations(left, sizes[others[0]]):
                hand = shown[others[0]] | set(cards)
                if _could_play(seen, others[0], hand, rules):
                    rest = [card for card in left if card not in cards]
                    yield from place(others[1:], rest, {**hands, others[0]: hand})
            return
        for discards in combinations(left, hidden_discards):
            if upcard is not None and not (upcard in hands[dealer] or upcard in discards):
                continue
            if upcard in discards and not rules.discard_upcard:
                continue
            rest = [card for card in left if card not in discards]
            for down in combinations(rest, laid):
                yield Fit(
                    tuple(mask_of(hands[s]) if s != seat else int(seen.hand[s]) for s in range(rules.seats)),
                    mask_of([*discards, *(card for card in made if card >= 0)]),
                    mask_of(down),
                    mask_of(card for card in rest if card not in down),
                )

    yield from place(sorted(sizes, key=lambda s: sizes[s]), unseen, {})


def _could_play(seen: Any, seat: int, hand: set[int], rules: Rules) -> bool:
    """Whether a seat that holds these cards now could have played, or reneged, as it did."""
    plays = _plays(seen)
    trump = "CDHS"[seen.trump] if 0 <= seen.trump < 4 else "NT"
    suits = [suit_of(CARDS[card], trump) for _, card in plays]
    begins = [int(start) for start in seen.starts if start >= 0]
    last = max((i for i, (player, _) in enumerate(plays) if player == seat), default=-1)
    for i, (player, _) in enumerate(plays):
        led = suits[max(start for start in begins if start <= i)]
        if player == seat and suits[i] != led:
            then = hand | {card for p, card in plays[i + 1 :] if p == seat}
            reneged = bool(seen.reneged >> seat & 1) and i == last
            if reneged != any(suit_of(CARDS[card], trump) == led for card in then):
                return False
    return True


def cut(table: np.ndarray, seen: np.ndarray, seat: int, rules: Rules, generator: np.random.Generator) -> None:
    """Show one more card that the view hides: of another's hand, or one beside the hands that nobody took."""
    places = [("rest", i) for i in range(_taken(seen[0], rules), 9) if seen["rest"][0, i] == -2]
    for other in range(rules.seats):
        hidden = int(table["hand"][0, other]) & ~int(seen["hand"][0, other])
        places += [("hand", 100 * other + card) for card in cards_in(hidden) if other != seat]
    field, at = places[generator.integers(len(places))]
    if field == "rest":
        seen["rest"][0, at] = table["rest"][0, at]
    else:
        seen["hand"][0, at // 100] |= np.uint32(1 << at % 100)
