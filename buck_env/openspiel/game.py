"""The game and its states for OpenSpiel, and their entry in its registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from buck_env.base.errors import BuckError, SettingError
from buck_env.game.actions import ACTIONS, NUM_ACTIONS
from buck_env.game.house import load_rules
from buck_env.game.scoring import worst_points
from buck_env.game.table import LONGEST_HAND, NONE
from buck_env.openspiel.observer import BuckEuchreObserver
from buck_env.openspiel.position import TRICKS, Cut, Position
from buck_env.openspiel.resampling import resampled

__all__ = ["BuckEuchreGame", "BuckEuchreState"]

_TYPE = pyspiel.GameType(
    short_name="buck_euchre",
    long_name="Buck Euchre",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=3,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "ohio", "deals": 0, "seed": 0, "tricks": TRICKS},
)


class BuckEuchreGame(pyspiel.Game):
    """One hand of Buck Euchre, every seat at the profile's start score; a return is the points toward the target.

    Parameters: `rules`, a profile's name or a YAML file; and, for a game small enough to be solved, `deals`, `seed` and
    `tricks`, which `Cut` explains.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**_TYPE.parameter_specification, **(params or {})}
        self.rules = load_rules(chosen.pop("rules"))
        self.cut = _checked(Cut(**chosen))
        rules = self.rules
        information = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=self.cut.deals or 24,
            num_players=rules.seats,
            min_utility=float(min(0, worst_points(rules))),
            max_utility=float(max(5, rules.walkover_points, rules.drop_points)),
            max_game_length=LONGEST_HAND,
        )
        super().__init__(_TYPE, information, dict(params or {}))

    def new_initial_state(self) -> BuckEuchreState:
        """The state before the deal."""
        return BuckEuchreState(self)

    def max_chance_nodes_in_history(self) -> int:
        """How many outcomes of chance there are in a hand: the dealer and the cards, or the whole deal at once."""
        return 1 if self.cut.deals else 1 + Position(self.rules, self.cut).dealt

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BuckEuchreObserver | None:
        """What a player sees, all together: with perfect recall or without, since a view remembers the whole hand.

        None, as OpenSpiel has it, where only the public or only the private part is wanted.
        """
        if params:
            raise BuckError(f"observer: {params!r} not known; this game's observer has no parameters")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        whole = iig_obs_type is None or (iig_obs_type.public_info and iig_obs_type.private_info == single)
        return BuckEuchreObserver() if whole else None


class BuckEuchreState(pyspiel.State):
    """A hand in progress."""

    def __init__(self, game: BuckEuchreGame) -> None:
        super().__init__(game)
        self.position = Position(game.rules, game.cut)

    def current_player(self) -> int:
        """The seat to act, or the player of OpenSpiel's that stands for chance or for the end."""
        if self.position.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.position.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat == NONE else seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be dealt next, each as likely as another."""
        outcomes = self.position.outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """The points toward the target by seat, 0 before the end."""
        return self.position.points()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> BuckEuchreState:
        """A state that looks the same to a player, drawn with numbers of `sampler` in [0, 1).

        Every deal, together with what the dealer may have discarded in it, is as likely as another. OpenSpiel's IS-MCTS
        in Python takes it; that in C++ resamples no game that is written in Python.
        """
        state = self.get_game().new_initial_state()
        for action in resampled(self.position, player, np.random.default_rng(int(sampler() * 2**53))):
            state.apply_action(action)
        return state

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal()

    def _apply_action(self, action: int) -> None:
        if self.position.table is None:
            self.position.draw(action)
        else:
            self.position.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.outcome_text(action) if player == pyspiel.PlayerId.CHANCE else ACTIONS[action]

    def __str__(self) -> str:
        return self.position.text()


def _checked(cut: Cut) -> Cut:
    for name, value, allowed, fits in (
        ("deals", cut.deals, "0 or more", cut.deals >= 0),
        ("seed", cut.seed, "0 or more", cut.seed >= 0),
        ("tricks", cut.tricks, f"0 to {TRICKS}", 0 <= cut.tricks <= TRICKS),
    ):
        if not fits:
            raise SettingError(name, str(value), allowed)
    if cut.tricks < TRICKS and not cut.deals:
        raise BuckError(f"tricks: {cut.tricks} needs a number of deals, as in deals=10,tricks={cut.tricks}")
    return cut


pyspiel.register_game(_TYPE, BuckEuchreGame)
