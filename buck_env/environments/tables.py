"""`Tables`: N tables played at once. The AEC, vector and single-seat environments are thin shells around it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from buck_env.base.checks import checked_seed, is_whole, whole_numbers
from buck_env.base.compiled import compiling
from buck_env.base.errors import BuckError, IllegalActionError
from buck_env.drawing.text import table_text
from buck_env.environments.arrays import TableArrays
from buck_env.environments.dealing import begin
from buck_env.environments.set_up import set_up_log
from buck_env.environments.state import Autoreset, settings_of
from buck_env.environments.stepping import first_illegal, step
from buck_env.game.actions import ACTIONS, NUM_ACTIONS
from buck_env.game.house import RulesSource, load_rules
from buck_env.observation.encode import encode_ended, encode_rows
from buck_env.observation.labels import original_action, relabel_rows
from buck_env.observation.layout import OBSERVATION_SIZE
from buck_env.records.deals import deal_table
from buck_env.records.logs import deal_record
from buck_env.records.schema import HandRecord, MatchPlace
from buck_env.records.texts import legal_texts, phase_text

__all__ = ["Tables"]

_MOST = 2**24
"""Tables at once: 11 GB of them."""


class Tables(TableArrays):
    """N tables of one game: begun, stepped and seen."""

    def __init__(
        self,
        rules: RulesSource = "ohio",
        num_tables: int = 1,
        *,
        episode: Literal["hand", "match"] = "hand",
        reward: Literal["points", "win"] = "points",
        max_hands: int | None = 200,
        canonical: bool = False,
        autoreset: Literal["same_step", "next_step", "disabled"] = "disabled",
        skip_forced: bool = False,
    ) -> None:
        if not is_whole(num_tables) or not 1 <= num_tables <= _MOST:
            raise BuckError(f"num_envs: {num_tables!r} is not a whole number of 1 to {_MOST}")
        settings = settings_of(
            episode=episode,
            reward=reward,
            max_hands=max_hands,
            canonical=canonical,
            autoreset=autoreset,
            skip_forced=skip_forced,
        )
        super().__init__(load_rules(rules), settings, int(num_tables))
        self.canonical = bool(canonical)
        with compiling("environments", __file__):
            self._warm_up()
        if self.settings["autoreset"][0] == Autoreset.SAME_STEP:
            with compiling("resets within a step", __file__):
                self.final_views(0)

    def _warm_up(self) -> None:
        """Call every kernel once where it changes nothing: no table is chosen, every episode is over."""
        self.episodes["over"] = 1
        settings = self.settings.copy()
        self.settings["autoreset"] = Autoreset.DISABLED
        self._begin(np.zeros(self.num_tables, np.bool_))
        self.step_checked(np.zeros(self.num_tables, np.int64))
        self.settings[:] = settings

    # --- Episodes ---

    def reset(self, seed: int | None = None, chosen: np.ndarray | None = None) -> None:
        """Begin a new episode at all tables, or at the chosen ones, a bool each, shape (N,).

        With a seed the streams of deals start over, table i's with seed + i; without one they go on.
        """
        if chosen is None:
            chosen = np.ones(self.num_tables, np.bool_)
        if not self.begun and not chosen.all():
            raise BuckError("reset: reset_mask: no table has been dealt yet; reset all of them first")
        seed = checked_seed(seed)
        if seed is None and not self.begun:
            seed = secrets.randbits(62)
        if seed is not None:
            rows = np.flatnonzero(chosen)
            self.episodes["seed"][rows] = rows.astype(np.uint64) + np.uint64(seed)
            self.episodes["deals"][rows] = 0
        self.begun = True
        self._begin(chosen)

    def reset_seeds(self, seeds: np.ndarray) -> None:
        """Begin a new episode at every table, each on its own seed, shape (N,); equal seeds deal equal cards."""
        self.episodes["seed"] = seeds
        self.episodes["deals"] = 0
        self.begun = True
        self._begin(np.ones(self.num_tables, np.bool_))

    def _begin(self, chosen: np.ndarray) -> None:
        begin(self.packed, self.tables, self.logs, self.episodes, chosen)
        self._clear(chosen)

    def _clear(self, chosen: np.ndarray) -> None:
        self.rewards[chosen] = 0
        self.cumulative[chosen] = 0
        self.reward[chosen] = 0
        self.flags[chosen] = False
        self._show(chosen)

    def set_up(
        self,
        row: int,
        *,
        hands: Sequence[Sequence[str]] | None = None,
        rest: Sequence[str] | None = None,
        dealer: int | None = None,
        scores: Sequence[int] | None = None,
    ) -> None:
        """Deal a table's first hand again with these things, in record notation; what is left out stays as dealt.

        RecordError names what is impossible, and leaves the table as it is.
        """
        log = set_up_log(self.logs[row : row + 1], self.rules, hands, rest, dealer, scores)
        self.logs[row] = log[0]
        at = int(log["dealer"][0])
        self.tables[row] = deal_table(self.rules, log["pack"][0], at, log["scores"][0].tolist())[0]
        chosen = np.zeros(self.num_tables, np.bool_)
        chosen[row] = True
        self._clear(chosen)

    # --- Steps ---

    def step(self, actions: Any) -> int:
        """One action at every table, shape (N,); how many episodes ended. IllegalActionError changes nothing."""
        if not self.begun:
            raise BuckError("step: call reset first")
        return self.step_checked(whole_numbers(actions, self.num_tables))

    def step_checked(self, actions: np.ndarray) -> int:
        """`step` for actions that are known to be int64 of shape (N,)."""
        row = first_illegal(self.settings, self.episodes, self.turns, actions)
        if row >= 0:
            raise IllegalActionError(self._complaint(row, actions[row]))
        return step(
            self.packed, self.settings, self.tables, self.logs, self.past, self.finals, self.episodes, self.turns,
            self._final_rewards, self.observations, self.masks, actions,
        )  # fmt: skip

    def step_some(self, actions: np.ndarray, chosen: np.ndarray) -> None:
        """One action at each chosen table, a bool each, shape (N,); the others stay as they are.

        For tables that nobody resets but the caller: `autoreset` is "disabled".
        """
        waiting = ~chosen & (self.episodes["over"] == 0)
        self.episodes["over"][waiting] = 1  # a table whose episode is over takes no action
        try:
            self.step_checked(actions)
        finally:
            self.episodes["over"][waiting] = 0
            self._show(waiting)

    def forfeit(self, row: int, cost: float) -> None:
        """End a table's episode for all seats: the seat to act is charged `cost`, and the others get nothing."""
        seat = self.seats[row]
        self.rewards[row] = 0
        self.rewards[row, seat] = -cost
        self.cumulative[row, seat] = 0
        self.cumulative[row] += self.rewards[row]
        self.final_rewards[row] = self.cumulative[row]
        self.flags[row] = True, False, False, True
        self.stop(np.arange(self.num_tables) == row)

    def stop(self, chosen: np.ndarray) -> None:
        """End the episodes of the chosen tables, a bool each, shape (N,), where they are."""
        self.episodes["over"][chosen] = 1
        self._show(chosen)

    def _complaint(self, row: int, action: int) -> str:
        table = self.tables[row : row + 1]
        known = 0 <= action < NUM_ACTIONS
        if known and self.canonical:
            action = int(original_action(int(action), self.labels[row]))
        named = f"{ACTIONS[action]} (action {action})" if known else f"action {action}"
        where = f"table {row}: " if self.num_tables > 1 else ""
        return (
            f"{where}seat {self.seats[row]} may not {named} in {phase_text(table)}; "
            f"legal: {', '.join(legal_texts(table, self.rules))}\n{self.text(row, int(self.seats[row]))}"
        )

    def text(self, row: int, viewer: int | None = None) -> str:
        """The table as text, open or as one seat sees it."""
        return table_text(self.tables[row : row + 1], self.rules, viewer)

    # --- Views ---

    def observe(self, seats: np.ndarray | int, tables: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Views (B, D) of the given seats, and the suit labels (B,) they use, at all tables or at those given."""
        if not self.begun:
            raise BuckError("observe: nothing has been dealt; call reset first")
        tables = self.tables if tables is None else tables
        seats = np.broadcast_to(np.asarray(seats, np.int64), len(tables))
        observations = np.empty((len(tables), OBSERVATION_SIZE), np.int8)
        labels = np.empty(len(tables), np.int64)
        encode_rows(tables, self.packed, np.ascontiguousarray(seats), self.canonical, observations, labels)
        return observations, labels

    def final_views(self, ended: int) -> np.ndarray:
        """Views (K, S, D) of every seat of the K tables whose episode ended in the last step."""
        seats = self.rules.seats
        views = np.empty((ended * seats, OBSERVATION_SIZE), np.int8)
        encode_ended(self.flags[:, 3], self.finals, self.packed, self.canonical, views)
        return views.reshape(ended, seats, OBSERVATION_SIZE)

    def record(self, row: int, *, finished: bool = False, match: MatchPlace | None = None) -> HandRecord:
        """The hand in progress, or the last finished one, of one table as a hand record."""
        log = (self.past if finished else self.logs)[row]
        if not log["pack"].any():
            raise BuckError(f"table {row}: no hand has been {'finished' if finished else 'dealt'} yet")
        return deal_record(log, self.rules, match)

    def relabel(self, actions: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Plain actions (B,) as these tables, or some rows of them, take them: with suits going by their labels."""
        if not self.canonical:
            return actions
        out = np.empty(len(actions), np.int64)
        relabel_rows(actions, np.ascontiguousarray(self.labels[rows]), out)
        return out
