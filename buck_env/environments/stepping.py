"""Compiled stepping of N tables: apply an action, reward, deal, reset, and write what everybody sees."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.base.compiled import rare_kernel
from buck_env.environments.dealing import begin_episode, deal_next
from buck_env.environments.state import Autoreset
from buck_env.game import engine
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import BIT, count, left, only
from buck_env.game.options import IllegalPlay, Phase
from buck_env.game.table import NONE
from buck_env.observation.canonical import canonical_suits
from buck_env.observation.encode import encode, entries_of
from buck_env.observation.labels import PLAIN, original_action
from buck_env.observation.masks import MASK_ROW, write_mask

__all__ = ["first_illegal", "show", "step"]

_BLOCK: Final = 128
"""Tables that take their turns before they are shown: two loops that each keep their own things in registers."""

_ANYTHING: Final = (1 << NUM_ACTIONS) - 1


@kernel
def first_illegal(settings: Any, episodes: Any, turns: Any, actions: Any) -> int:
    """The first row whose action is not permitted, or -1; rows whose episode is over take any."""
    for i in range(len(actions)):
        if not episodes[i].over:
            action = actions[i]
            if action < 0 or action >= NUM_ACTIONS:
                return i
            if settings[0].canonical:
                action = original_action(action, turns[i].labels)
            if not turns[i].permitted >> action & 1:
                return i
    return -1


@kernel
def step(
    packed: Any, settings: Any, tables: Any, logs: Any, past: Any, finals: Any, episodes: Any, turns: Any,
    final_rewards: Any, observations: Any, masks: Any, actions: Any,
) -> int:  # fmt: skip
    """Take one action at every table whose episode goes on; the number of episodes that ended.

    Everything but `packed`, `settings` and `actions` is written: `past` and `finals` hold the log and the table of the
    last hand that ended, `turns` (N,) TURN the rewards and who decides next, `final_rewards` (N, 4) what each seat
    gathered in the last episode that ended, `observations` and `masks` what is seen.
    """
    rules = packed[0]
    options = settings[0]
    out, rows = entries_of(observations), masks.view(MASK_ROW)
    ended = 0
    for first in range(0, len(tables), _BLOCK):
        last = min(first + _BLOCK, len(tables))
        for i in range(first, last):
            place = _Place(tables[i], logs[i], episodes[i], turns[i])
            turn, episode = place.turn, place.episode
            _clear(turn.rewards)
            turn.ended = False
            if not episode.over:
                turn.cumulative[place.table.seat] = 0.0
                action = original_action(actions[i], turn.labels) if options.canonical else actions[i]
                if _take_turn(options, rules, place, past, finals, i, action):
                    _add(turn.cumulative, turn.rewards)
                if turn.ended:
                    ended += 1
                    for seat in range(4):
                        final_rewards[i, seat] = turn.cumulative[seat]
                    if options.autoreset == Autoreset.SAME_STEP:
                        begin_episode(place.table, place.log, episode, rules)
                    else:
                        episode.over = 1
            elif options.autoreset == Autoreset.NEXT_STEP:
                turn.terminated = turn.truncated = turn.redeal = False
                _clear(turn.cumulative)
                begin_episode(place.table, place.log, episode, rules)
        for i in range(first, last):
            turn = turns[i]
            _show(options, rules, tables[i], episodes[i], turn, out, rows, i)
            turn.reward = turn.cumulative[turn.seat]
            if turn.ended and options.autoreset == Autoreset.SAME_STEP:
                _clear(turn.cumulative)
    return ended


class _Place(NamedTuple):
    """What one table has: the hand in progress, its log, the episode, and what the last step left."""

    table: Any
    log: Any
    episode: Any
    turn: Any


@kernel
def _take_turn(options: Any, rules: Any, place: Any, past: Any, finals: Any, i: int, action: int) -> bool:
    """One decision, and, where the options say so, the forced ones after it; whether scores may have changed."""
    table, turn = place.table, place.turn
    turn.terminated = turn.truncated = turn.redeal = False
    rewarded = False
    while action >= 0:
        rewarded |= _decide(options, rules, place, action)
        if table.phase == Phase.OVER:
            past[i] = place.log
            finals[i] = table
            _end_hand(options, rules, table, place.log, place.episode, turn)
        action = _only(engine.legal(table, rules)) if options.skip_forced and not turn.ended else -1
    return rewarded


@kernel
def _decide(options: Any, rules: Any, place: Any, action: int) -> bool:
    """Log and apply one decision, and add what it scores to the rewards; whether scores may have changed."""
    table, log, turn = place.table, place.log, place.turn
    s0, s1, s2, s3 = table.scores[0], table.scores[1], table.scores[2], table.scores[3]
    log.actions[log.steps] = action
    log.steps += 1
    engine.apply(table, rules, action)
    may_score = table.phase == Phase.OVER or rules.illegal_play == IllegalPlay.RENEGE.value  # which is charged at once
    if may_score and not options.win:
        turn.rewards[0] += rules.toward * (table.scores[0] - s0)
        turn.rewards[1] += rules.toward * (table.scores[1] - s1)
        turn.rewards[2] += rules.toward * (table.scores[2] - s2)
        turn.rewards[3] += rules.toward * (table.scores[3] - s3)
    return may_score


@rare_kernel
def _end_hand(options: Any, rules: Any, table: Any, log: Any, episode: Any, turn: Any) -> None:
    """End the episode with the hand, or deal the next one (RULES §1.9)."""
    turn.redeal = table.trump == NONE
    if not options.match:
        turn.terminated = True
    elif table.winners:
        turn.terminated = True
        if options.win:
            share = 1.0 / count(table.winners)
            for seat in range(rules.seats):
                if table.winners & BIT[seat]:
                    turn.rewards[seat] += share
    elif options.max_hands and episode.hands >= options.max_hands:
        turn.truncated = True
    else:
        deal_next(table, log, episode, rules, left(table.dealer, rules, 1))
    turn.ended = turn.terminated or turn.truncated


@kernel
def _only(legal: int) -> int:
    """The one action of a legal set, or -1 where there are more."""
    if legal & (legal - 1):
        return -1
    return only(legal)


@kernel
def _clear(points: Any) -> None:
    """Zero four numbers; a loop would be compiled to a slow call."""
    points[0] = points[1] = points[2] = points[3] = 0.0


@kernel
def _add(points: Any, more: Any) -> None:
    """Add four numbers to four others."""
    points[0] += more[0]
    points[1] += more[1]
    points[2] += more[2]
    points[3] += more[3]


@kernel
def _show(options: Any, rules: Any, table: Any, episode: Any, turn: Any, out: Any, rows: Any, i: int) -> None:
    """Write row i as the seat to act sees it; once the episode is over as seat 0 does.

    Nothing is legal then, or, where the next step ignores whatever is given, everything.
    """
    seat = 0 if episode.over else table.seat
    legal = np.int64(0)
    if not episode.over:
        legal = engine.legal(table, rules)
    elif options.autoreset == Autoreset.NEXT_STEP:
        legal = _ANYTHING
    turn.seat = seat
    turn.labels = canonical_suits(table, rules, seat) if options.canonical else PLAIN
    if rules.illegal_play == IllegalPlay.RENEGE.value and not episode.over:
        turn.permitted = engine.permitted(table, rules)
    else:
        turn.permitted = legal
    write_mask(legal, turn.labels, rows, i)
    encode(table, rules, seat, turn.labels, out, i)


@kernel
def show(
    packed: Any, settings: Any, tables: Any, episodes: Any, turns: Any, observations: Any, masks: Any, chosen: Any
) -> None:  # fmt: skip
    """Write the chosen rows, a bool each, shape (N,), as `step` does."""
    out, rows = entries_of(observations), masks.view(MASK_ROW)
    for i in range(len(tables)):
        if chosen[i]:
            _show(settings[0], packed[0], tables[i], episodes[i], turns[i], out, rows, i)
