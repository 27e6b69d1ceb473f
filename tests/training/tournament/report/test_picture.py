"""Labels of agents as the pictures of a tournament draw them."""

from __future__ import annotations

import pytest

from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.report.picture import payoff_png


@pytest.mark.parametrize("labels", [("$x_$", "b^2$"), ("中文", "🂡"), ("W" * 200, "V" * 200)])
def test_labels_are_drawn_as_far_as_fonts_and_room_go(labels: tuple[str, str]) -> None:
    config = TournamentConfig(agents=dict.fromkeys(labels, "random"), deals=2)
    assert payoff_png(play_tournament(config, progress=False)).startswith(b"\x89PNG")  # and no warning, an error here
