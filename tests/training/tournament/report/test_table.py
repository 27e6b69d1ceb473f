"""The table for the terminal."""

from __future__ import annotations

from events import run

from training.tournament.report.table import results_table


def test_the_table_ranks_and_counts() -> None:
    results = run(rules="ohio", matches=2)
    lines = results_table(results).splitlines()
    assert lines[0].startswith("ohio: 30 deals, 2 match deals, seed 5, ")
    best = results.labels[results.ranking()[0].agent]
    assert lines[3].split()[:2] == ["1", best]
    assert results.matches is not None
    assert results.hands_played == 30 * len(results.lineups.seatings) + results.matches.played[0]
    assert "win share (par 0.25)" in lines[2]
    share = results.ranking()[0].measures["win_share"]
    assert share is not None
    assert lines[3].endswith(f"  {share.mean:.2f} [{share.low:.2f}, {share.high:.2f}]")  # no plus sign
