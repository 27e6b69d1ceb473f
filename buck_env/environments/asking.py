"""The one way to play agents at tables: ask each for the decisions that are its own, and check what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import extract_tb

import numpy as np

from buck_env.base.errors import BuckError, IllegalActionError, in_one_line
from buck_env.environments.tables import Tables
from buck_env.game.actions import ACTIONS, NUM_ACTIONS
from buck_env.observation.agent import Agent
from buck_env.observation.views import Views, pick_evenly
from buck_env.records import legal_texts, phase_text

__all__ = ["Amend", "ask", "ask_all", "random_actions", "views_at"]

Amend = Callable[[np.ndarray, Agent, Views, np.ndarray], np.ndarray]
"""Called with rows (B,), the agent that decides there, its views and its answers (B,); returns the actions to check."""


def views_at(tables: Tables, rows: np.ndarray) -> Views:
    """What the seats see that are to act at these rows (B,) of the tables."""
    return Views.of(tables.rules, tables.tables.take(rows), tables.logs.take(rows))


def random_actions(tables: Tables, rows: np.ndarray) -> np.ndarray:
    """A legal action at each of these rows (B,) of the tables, drawn evenly by its deal's own random numbers."""
    return pick_evenly(tables.masks[rows], views_at(tables, rows).uniforms)


def ask_all(
    tables: Tables,
    agents: Sequence[tuple[str, Agent]],
    deciding: np.ndarray,
    amend: Amend | None = None,
    *,
    quiet: bool = False,
) -> np.ndarray:
    """The actions (N,) int64 of named agents, as the tables take them; -1 where none of them decides.

    `deciding` (N,) holds the place among `agents` of the agent that decides at each table, or -1. BuckError and
    IllegalActionError as for `ask`. `amend` may replace answers that stand for something else than an action.
    A `quiet` error says nothing of what its seat holds: whoever reads it sits in another seat.
    """
    actions = np.full(len(deciding), -1, np.int64)
    for place, (name, agent) in enumerate(agents):
        rows = np.flatnonzero(deciding == place)
        if len(rows):
            views = views_at(tables, rows)
            answers = _answers(name, agent, views)
            if amend:
                answers = amend(rows, agent, views, answers)
            actions[rows] = tables.relabel(_checked(name, answers, views, tables.permitted[rows], quiet), rows)
    return actions


def ask(name: str, agent: Agent, views: Views, permitted: np.ndarray) -> np.ndarray:
    """An agent's actions (B,) int64; `permitted` (B,) int64 has a bit for each action that the rules take.

    BuckError where the agent fails, IllegalActionError where it returns anything but permitted actions: it names the
    agent, the seat, the phase and the legal actions.
    """
    return _checked(name, _answers(name, agent, views), views, permitted)


def _answers(name: str, agent: Agent, views: Views) -> np.ndarray:
    try:
        answers = np.asarray(agent.act(views))
    except BuckError:
        raise
    except (Exception, SystemExit) as error:
        raise BuckError(f"{name}: act failed: {_with_place(error)}") from error
    if answers.shape != (len(views),) or answers.dtype.kind not in "iu":
        raise IllegalActionError(
            f"{name}: act gave {answers.dtype} of shape {answers.shape}, "
            f"where whole numbers of shape ({len(views)},) are needed"
        )
    return answers.astype(np.int64, copy=False)


def _with_place(error: BaseException) -> str:
    """An error of an agent's own and where in its code it came from, not in the libraries that this calls."""
    frames = extract_tb(error.__traceback__)[1:]  # the first is `_answers`
    own = [f for f in frames if "site-packages" not in f.filename and Path(f.filename).is_file()] or frames
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return f"{in_one_line(error)}{place}"


def _checked(name: str, actions: np.ndarray, views: Views, permitted: np.ndarray, quiet: bool = False) -> np.ndarray:
    known = (actions >= 0) & (actions < NUM_ACTIONS)
    legal = known & (permitted >> np.where(known, actions, 0) & 1 == 1)
    if not legal.all():
        i = int(np.argmin(legal))
        action, state = int(actions[i]), views.tables[i : i + 1]
        if quiet:
            seat, phase = int(state["seat"][0]), phase_text(state)
            raise IllegalActionError(f"{name}: seat {seat} answered with an action that is not legal in {phase}")
        text = f"{ACTIONS[action]} (action {action})" if known[i] else f"action {action}"
        raise IllegalActionError(
            f"{name}: seat {int(state['seat'][0])} may not {text} in {phase_text(state)}; "
            f"legal: {', '.join(legal_texts(state, views.rules))}"
        )
    return actions
