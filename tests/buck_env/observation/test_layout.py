"""The layout: the pieces tile the observation, and lie where kernels can write several bytes at a time."""

from __future__ import annotations

import pytest

from buck_env import LAYOUT, OBSERVATION_SIZE, PIECES, Piece
from buck_env.observation.layout import AT, check_alignment
from buck_env.observation.pieces import CARDS, SEATS, Axis


def test_the_slices_tile_the_observation() -> None:
    assert [piece.name for piece in PIECES] == list(LAYOUT)
    ends = [LAYOUT[piece.name].stop for piece in PIECES]
    assert [LAYOUT[piece.name].start for piece in PIECES] == [0, *ends[:-1]]
    assert ends[-1] == OBSERVATION_SIZE


def test_kernels_and_users_find_each_piece_at_the_same_place() -> None:
    assert AT._asdict() == {name: piece.start for name, piece in LAYOUT.items()}


@pytest.mark.parametrize(
    ("added", "at", "said"),
    [
        (Piece("odd", (Axis("number", 1),), ""), 0, "piece actor .* starts at 9"),
        (Piece("odd", (SEATS,), ""), 1, "piece hand .* starts at 156"),
        (Piece("odd", (Axis("number", 8),), ""), len(PIECES), "piece odd follows pieces of cards"),
        (Piece("odd", (Axis("seats", 3),), ""), 1, "piece odd of shape \\(3,\\) starts at 8"),
    ],
)
def test_a_piece_that_kernels_cannot_write_whole_is_refused_by_name(added: Piece, at: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        check_alignment([*PIECES[:at], added, *PIECES[at:]])


def test_a_piece_of_whole_words_may_be_added() -> None:
    check_alignment(
        [*PIECES[:1], Piece("two", (Axis("number", 2), SEATS), ""), *PIECES[1:], Piece("more", (CARDS,), "")]
    )
