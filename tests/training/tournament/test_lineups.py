"""Who sits where: every pair both ways, and mixed line-ups."""

from __future__ import annotations

import numpy as np
import pytest

from training.tournament.lineups import make_lineups


@pytest.mark.parametrize(("agents", "seats"), [(2, 3), (2, 4), (3, 3), (3, 4), (5, 4), (6, 3)])
def test_every_pair_plays_both_ways_in_every_seat(agents: int, seats: int) -> None:
    lineups = make_lineups(agents, seats, 1, seed=4)
    assert len(np.unique(lineups.seatings, axis=0)) == len(lineups.seatings)
    for x in range(agents):
        for y in range(agents):
            for seat in range(seats):
                row = lineups.seatings[lineups.pairs[x, y, seat]].tolist()
                assert row[seat] == x
                assert row[:seat] + row[seat + 1 :] == [y] * (seats - 1)
    assert (lineups.seatings[-agents:] == np.arange(agents)[:, None]).all()


@pytest.mark.parametrize(("agents", "seats"), [(2, 4), (3, 3), (3, 4), (5, 4), (6, 3)])
def test_in_mixed_line_ups_every_agent_sits_equally_often_in_every_seat(agents: int, seats: int) -> None:
    for rounds in (1, 2):
        lineups = make_lineups(agents, seats, rounds, seed=4)
        mixed = lineups.seatings[lineups.mixed]  # (N, rotations, S)
        for seat in range(seats):
            counts = np.bincount(mixed[..., seat].ravel(), minlength=agents)
            assert counts.tolist() == [counts[0]] * agents
        for circle in mixed:
            assert all((np.roll(circle[0], -r) == circle[r]).all() for r in range(seats))
            assert np.bincount(circle[0]).max() < seats - 1 or seats == 3
        if agents >= seats:
            assert all(len(set(circle[0])) == seats for circle in mixed[:agents])  # the most different first


@pytest.mark.parametrize(("agents", "seats", "circles"), [(2, 3, 0), (2, 4, 2), (3, 3, 2), (3, 4, 15)])
def test_all_mixed_line_ups_are_all_circles_but_pairs_and_likes(agents: int, seats: int, circles: int) -> None:
    lineups = make_lineups(agents, seats, "all", seed=0)
    assert len(lineups.mixed) == circles
    assert len(lineups.seatings) == agents**seats  # every seating there is
