"""The sums of matches."""

from __future__ import annotations

import numpy as np

from training.tournament.lineups import make_lineups
from training.tournament.match_tally import MatchTally


def test_matches_give_shares_lengths_and_par_on_ones_own() -> None:
    lineups = make_lineups(2, 4, 0, seed=0)
    tally = MatchTally(lineups, seed=0)
    scores = np.zeros((2, len(lineups.varied), 4), np.int16)
    scores[lineups.varied[None].repeat(2, 0) == 0] = 12  # agent 0 wins wherever it sits alone
    threes = (lineups.varied == 0).sum(axis=1) == 3
    scores[:, threes] = np.where(lineups.varied[threes] == 0, 4, 0)
    lengths = np.zeros((2, len(lineups.varied), 2), np.int32)
    lengths[..., 0] = 7
    lengths[0, 0, 1] = 1
    tally.add(0, scores, lengths)
    assert tally.share(0, [1]).mean == 1
    assert tally.share(1, [0]).mean == 0
    assert tally.share(0, [0]).mean == 0.25
    assert tally.length(0, 1)[0] == 7
    assert {tally.length(0, 1)[1], tally.length(1, 0)[1]} == {0, 1 / 8}
    assert tally.played == (2 * 8 * 7, 1)
