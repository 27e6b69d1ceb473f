"""Positions of every kind whose fitting deals can be enumerated, and the test of draws against the enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from math import comb
from typing import NamedTuple

import numpy as np
from beliefs.fitting import Fit, cut, fit_of, fits
from moments import moments
from scipy.stats import chi2

from agents import load_agent
from buck_env.game.cards import SUIT
from buck_env.game.rules import Rules
from buck_env.observation.views import Views

BINS = 60


class Position(NamedTuple):
    """A decision, the deals that fit it, and of what kinds it is."""

    view: Views
    fits: list[Fit]
    kinds: frozenset[str]


def kinds_of(seen: np.ndarray, seat: int) -> frozenset[str]:
    table = seen[0]
    starts = [int(start) for start in table.starts if start >= 0]
    kinds = {"early"} if not table.played else {f"trick {table.trick}"}
    if table.dropped:
        kinds.add("dropped hand")
    if table.exchanged:
        kinds.add("widow")
    if (table.discards == -2).any():
        kinds.add("discard")
    for i, play in enumerate(table.plays[: table.played]):
        led = table.plays[max(start for start in starts if start <= i)]
        if play >> 5 != seat and SUIT[table.trump, play & 31] != SUIT[table.trump, led & 31]:
            kinds.add("void")
    return frozenset(kinds)


def _rough(seen: np.ndarray, seat: int, rules: Rules) -> float:
    """An upper bound of the deals that fit."""
    table = seen[0]
    sizes = [5 - bin(int(table.hand[s])).count("1") for s in range(rules.seats) if s != seat]
    for play in table.plays[: table.played]:
        other = int(play) >> 5
        if other != seat:
            sizes[other - (other > seat)] -= 1
    hidden = int((table.rest == -2).sum()) + int((table.discards == -2).sum())
    left, ways = sum(sizes) + hidden, 1.0
    for size in sizes:
        ways *= comb(max(left, 0), max(size, 0))
        left -= size
    return ways


@cache
def positions(rules: Rules, count: int = 60, most: int = 400, share: float = 0.9) -> list[Position]:
    """Positions of some rules, those that more deals fit with some hidden cards shown; every kind is among them."""
    generator = np.random.default_rng(11)
    parts = moments(rules, load_agent("rules-v1", rules), n=40, seed=5, share=share)
    tables = np.concatenate([part[0] for part in parts])
    views = Views.join([Views.of(rules, *part[:2]) for part in parts])
    kinds = [kinds_of(views.tables[[i]], int(seat)) for i, seat in enumerate(views.seats)]
    found: list[Position] = []
    for i in _mixed(kinds, generator):
        view = views.take(np.array([i]))
        seat = int(view.seats[0])
        while _rough(view.tables, seat, rules) > 5 * most:
            cut(tables[[i]], view.tables, seat, rules, generator)
        while (fitting := fits(view.tables[0], seat, rules, most)) is None:
            cut(tables[[i]], view.tables, seat, rules, generator)
        if len(fitting) > 1:
            found.append(Position(view, fitting, kinds[i]))
        if len(found) == count:
            break
    return found


def _mixed(kinds: list[frozenset[str]], generator: np.random.Generator) -> Iterator[int]:
    """The places of all positions, one of each kind in turn as long as there are any."""
    order = generator.permutation(len(kinds)).tolist()
    queues = [[i for i in order if kind in kinds[i]] for kind in sorted(set().union(*kinds))]
    done: set[int] = set()
    for row in zip_longest(*queues):
        for i in row:
            if i is not None and i not in done:
                done.add(i)
                yield i


def p_value(position: Position, drawn: np.ndarray, chances: np.ndarray) -> float:
    """How well drawn tables, (N,) TABLE, agree with the chance of each fit: the p of a chi-square test.

    Fits are put together by chance into bins that expect at least ten draws.
    """
    places = {fit: i for i, fit in enumerate(position.fits)}
    seat, seen, rules = int(position.view.seats[0]), position.view.tables[0], position.view.rules
    counts = np.zeros(len(places))
    for table in drawn:
        counts[places[fit_of(table, seat, seen, rules)]] += 1  # a KeyError: a deal that does not fit
    expected = chances * len(drawn)
    order = np.random.default_rng(len(places)).permutation(len(places))
    bins = np.minimum((np.cumsum(expected[order]) / max(10.0, len(drawn) / BINS)).astype(int), BINS)
    merged = np.bincount(bins, counts[order]), np.bincount(bins, expected[order])
    keep = merged[1] > 0
    got, wanted = merged[0][keep], merged[1][keep]
    if wanted[-1] < 5 and len(wanted) > 1:
        got = np.append(got[:-2], got[-2:].sum())
        wanted = np.append(wanted[:-2], wanted[-2:].sum())
    if len(wanted) == 1:
        return 1.0
    return float(chi2.sf(((got - wanted) ** 2 / wanted).sum(), len(wanted) - 1))


def holm(p_values: list[float]) -> float:
    """The smallest p by Holm's method: below 0.05 something is drawn with the wrong chance."""
    return min(1.0, min(p_values) * len(p_values))
