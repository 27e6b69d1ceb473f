"""Compiled stepping of N tables: deal, apply, reward, reset, and write what everybody sees."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.base.compiled import rare_kernel
from buck_env.game import engine
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import BIT, count, left, only
from buck_env.game.options import IllegalPlay
from buck_env.game.shuffle import draw_dealer, philox, shuffle
from buck_env.game.table import NONE, Phase
from buck_env.observation.canonical import canonical_suits
from buck_env.observation.encode import encode
from buck_env.observation.labels import PLAIN, original_action
from buck_env.observation.masks import MASK_ROW, write_mask

__all__ = [
    "AUTORESET_DISABLED",
    "AUTORESET_NEXT_STEP",
    "AUTORESET_SAME_STEP",
    "EPISODE",
    "SETTINGS",
    "begin",
    "first_illegal",
    "play_out",
    "replay",
    "sample_rows",
    "show",
    "step",
]

AUTORESET_SAME_STEP, AUTORESET_NEXT_STEP, AUTORESET_DISABLED = range(3)

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("max_hands", "i4"),  # deals after which a match is truncated; 0 never
            ("match", "i1"),  # an episode is a match, else a hand
            ("win", "i1"),  # the reward is the share of the match won, else points toward the target
            ("autoreset", "i1"),
            ("skip_forced", "i1"),  # decisions with one legal action are taken inside the step
            ("canonical", "i1"),  # suits are relabelled
        ],
    )
)

EPISODE = np.dtype(
    (
        np.record,
        [
            ("seed", "u8"),
            ("deals", "i8"),  # deals of this seed so far: the number of the next one
            ("hands", "i4"),  # deals in this episode so far
            ("first_dealer", "i1"),
            ("over", "i1"),  # the episode has ended and waits for a reset
            ("_pad", "i1", 2),
        ],
    )
)
"""Where one table is in its stream of deals."""

_BLOCK: Final = 128
"""Tables that take their turns before they are shown: two loops that each keep their own things in registers."""


@rare_kernel
def _deal(table: Any, log: Any, episode: Any, rules: Any, dealer: int) -> None:
    shuffle(episode.seed, episode.deals, log.pack)
    log.seed = episode.seed
    log.number = episode.deals
    log.hands_played = table.hands_played
    log.steps = 0
    log.dealer = dealer
    for seat in range(4):
        log.scores[seat] = table.scores[seat]
    episode.deals += 1
    episode.hands += 1
    engine.deal(table, rules, log.pack, dealer)


@rare_kernel
def _begin(table: Any, log: Any, episode: Any, rules: Any) -> None:
    """A new episode on the same stream of deals."""
    for seat in range(4):
        table.scores[seat] = rules.start if seat < rules.seats else 0
    table.hands_played = 0
    episode.hands = 0
    episode.over = 0
    dealer = episode.first_dealer
    if dealer == NONE:
        dealer = draw_dealer(episode.seed, episode.deals, rules.seats)
    _deal(table, log, episode, rules, dealer)


@kernel
def begin(packed: Any, tables: Any, logs: Any, episodes: Any, chosen: Any) -> None:
    """Begin a new episode at the chosen tables, a bool each, shape (N,)."""
    for i in range(len(tables)):
        if chosen[i]:
            _begin(tables[i], logs[i], episodes[i], packed[0])


@kernel
def first_illegal(settings: Any, episodes: Any, permitted: Any, labels: Any, actions: Any) -> int:
    """The first row whose action is not permitted, or -1; rows whose episode is over take any."""
    for i in range(len(actions)):
        if not episodes[i].over:
            action = actions[i]
            if action < 0 or action >= NUM_ACTIONS:
                return i
            if settings[0].canonical:
                action = original_action(action, labels[i])
            if not permitted[i] >> action & 1:
                return i
    return -1


@kernel
def _apply(
    settings: Any, rules: Any, table: Any, log: Any, past: Any, finals: Any, episode: Any, action: int,
    rewards: Any, flags: Any, i: int,
) -> bool:  # fmt: skip
    """One decision, and the deal that follows a hand; whether scores may have changed.

    Rewards are added to row i, and its flags (terminated, truncated, redeal) set.
    """
    s0, s1, s2, s3 = table.scores[0], table.scores[1], table.scores[2], table.scores[3]
    log.actions[log.steps] = action
    log.steps += 1
    engine.apply(table, rules, action)
    over = table.phase == Phase.OVER
    may_charge = rules.illegal_play == IllegalPlay.RENEGE
    if (over or may_charge) and not settings.win:
        rewards[i, 0] += rules.toward * (table.scores[0] - s0)
        rewards[i, 1] += rules.toward * (table.scores[1] - s1)
        rewards[i, 2] += rules.toward * (table.scores[2] - s2)
        if rules.seats == 4:
            rewards[i, 3] += rules.toward * (table.scores[3] - s3)
    if over:
        past[i] = log
        finals[i] = table
        _end_hand(settings, rules, table, log, episode, rewards, flags, i)
    return over or may_charge


@rare_kernel
def _end_hand(
    settings: Any, rules: Any, table: Any, log: Any, episode: Any, rewards: Any, flags: Any, i: int
) -> None:  # fmt: skip
    """End the episode with the hand, or deal the next one (RULES §1.9)."""
    flags[i, 2] = table.trump == NONE
    if not settings.match:
        flags[i, 0] = True
    elif table.winners:
        flags[i, 0] = True
        if settings.win:
            share = 1.0 / count(table.winners)
            for seat in range(rules.seats):
                if table.winners & BIT[seat]:
                    rewards[i, seat] += share
    elif settings.max_hands and episode.hands >= settings.max_hands:
        flags[i, 1] = True
    else:
        _deal(table, log, episode, rules, left(table.dealer, rules, 1))
    flags[i, 3] = flags[i, 0] or flags[i, 1]


@kernel
def _only(legal: int) -> int:
    """The one action of a legal set, or -1 where there are more."""
    if legal & (legal - 1):
        return -1
    return only(legal)


@kernel
def _clear(rewards: Any, i: int) -> None:
    """Zero row i, of three seats or four; a loop would be compiled to a slow call."""
    rewards[i, 0] = rewards[i, 1] = rewards[i, 2] = 0.0
    if rewards.shape[1] == 4:
        rewards[i, 3] = 0.0


@kernel
def step(
    packed: Any, settings: Any, tables: Any, logs: Any, past: Any, episodes: Any,
    actions: Any, permitted: Any, labels: Any, observations: Any, masks: Any, seats: Any,
    rewards: Any, cumulative: Any, reward: Any, flags: Any, finals: Any, final_rewards: Any,
) -> int:  # fmt: skip
    """Take one action at every table whose episode goes on; the number of episodes that ended.

    Writes every other array: the view, the mask and the seat to act, rewards of this step by seat, what each seat has
    gathered since its last decision, flags (terminated, truncated, redeal, ended now), the last table of a hand that
    ended, and what was gathered of an episode that did.
    """
    rules = packed[0]
    options = settings[0]
    quads, eights = observations.view(np.uint32), observations.view(np.uint64)
    rows = masks.view(MASK_ROW)
    ended = 0
    for first in range(0, len(tables), _BLOCK):
        last = min(first + _BLOCK, len(tables))
        for i in range(first, last):
            _clear(rewards, i)
            flags[i, 3] = False
            if not episodes[i].over:
                cumulative[i, tables[i].seat] = 0.0
                action = original_action(actions[i], labels[i]) if options.canonical else actions[i]
                if _take_turn(options, rules, tables[i], logs[i], past, finals, episodes[i], action, rewards, flags, i):
                    for seat in range(rules.seats):
                        cumulative[i, seat] += rewards[i, seat]
                if flags[i, 3]:
                    ended += 1
                    for seat in range(rules.seats):
                        final_rewards[i, seat] = cumulative[i, seat]
                    if options.autoreset == AUTORESET_SAME_STEP:
                        _begin(tables[i], logs[i], episodes[i], rules)
                    else:
                        episodes[i].over = 1
            elif options.autoreset == AUTORESET_NEXT_STEP:
                flags[i, 0] = flags[i, 1] = flags[i, 2] = False
                _clear(cumulative, i)
                _begin(tables[i], logs[i], episodes[i], rules)
        for i in range(first, last):
            _show(
                rules, options, tables[i], episodes[i], i, permitted, labels, observations, quads, eights, rows, seats
            )
            reward[i] = cumulative[i, seats[i]]
            if flags[i, 3] and options.autoreset == AUTORESET_SAME_STEP:
                _clear(cumulative, i)
    return ended


@kernel
def _take_turn(
    options: Any, rules: Any, table: Any, log: Any, past: Any, finals: Any, episode: Any, action: int,
    rewards: Any, flags: Any, i: int,
) -> bool:  # fmt: skip
    """One decision, and where that is asked for the forced ones after it; whether it was rewarded."""
    flags[i, 0] = flags[i, 1] = flags[i, 2] = False
    rewarded = False
    while action >= 0:
        rewarded |= _apply(options, rules, table, log, past, finals, episode, action, rewards, flags, i)
        action = _only(engine.legal(table, rules)) if options.skip_forced and not flags[i, 3] else -1
    return rewarded


@kernel
def _show(
    rules: Any, options: Any, table: Any, episode: Any, i: int,
    permitted: Any, labels: Any, observations: Any, quads: Any, eights: Any, rows: Any, seats: Any,
) -> None:  # fmt: skip
    """Write row i as the seat to act sees it; once the episode is over as seat 0 does, with nothing legal."""
    seat = 0 if episode.over else table.seat
    seats[i] = seat
    labels[i] = canonical_suits(table, rules, seat) if options.canonical else PLAIN
    legal = engine.legal(table, rules)
    if rules.illegal_play == IllegalPlay.RENEGE and legal:
        permitted[i] = engine.permitted(table, rules)
    else:
        permitted[i] = legal
    write_mask(legal, labels[i], rows, i)
    encode(table, rules, seat, labels[i], observations, quads, eights, i)


@kernel
def show(
    packed: Any, settings: Any, tables: Any, episodes: Any,
    permitted: Any, labels: Any, observations: Any, masks: Any, seats: Any, chosen: Any,
) -> None:  # fmt: skip
    """Write the chosen rows as `step` does."""
    quads, eights = observations.view(np.uint32), observations.view(np.uint64)
    rows = masks.view(MASK_ROW)
    rules, options = packed[0], settings[0]
    for i in range(len(tables)):
        if chosen[i]:
            _show(
                rules, options, tables[i], episodes[i], i, permitted, labels, observations, quads, eights, rows, seats
            )


@kernel
def replay(packed: Any, logs: Any, tables: Any) -> int:
    """Play every logged hand again into tables, (N,) each; the first row whose log is impossible, or -1.

    A log without a pack is of no hand, and its table stays as it is.
    """
    rules = packed[0]
    for i in range(len(logs)):
        log, table = logs[i], tables[i]
        dealt = 0
        for card in log.pack:
            if card < 0 or card >= 24:
                return i
            dealt |= 1 << np.int64(card)
        if dealt == 1:
            continue
        if dealt != (1 << 24) - 1 or log.dealer < 0 or log.dealer >= rules.seats or log.steps < 0:
            return i
        for seat in range(4):
            table.scores[seat] = log.scores[seat]
        table.hands_played = log.hands_played
        engine.deal(table, rules, log.pack, log.dealer)
        for step in range(log.steps):
            if table.phase == Phase.OVER:
                return i
            action = log.actions[step]
            if action < 0 or not engine.permitted(table, rules) >> action & 1:
                return i
            engine.apply(table, rules, action)
    return -1


@kernel
def sample_rows(masks: Any, seed: int, call: int, actions: Any) -> None:
    """A legal action of each row of masks, shape (N, A), drawn evenly; -1 where none is."""
    for i in range(len(masks)):
        count = 0
        for action in range(NUM_ACTIONS):
            count += masks[i, action]
        actions[i] = -1
        if count:
            word = philox(np.uint64(seed), np.uint64(call), np.uint64(i))[0]
            left = np.int64((word * np.uint64(count)) >> np.uint64(32))
            for action in range(NUM_ACTIONS):
                left -= masks[i, action]
                if left < 0:
                    actions[i] = action
                    break


def play_out(packed: Any, tables: Any, seeds: Any, deals: Any, decisions: int) -> int:
    """Bare random play, hand after hand, no view written: about so many decisions at each table; how many were made."""
    return int(_play_out(packed, tables, seeds, deals, decisions, np.empty(24, np.int8)))


@kernel
def _play_out(packed: Any, tables: Any, seeds: Any, deals: Any, decisions: int, pack: Any) -> int:
    rules = packed[0]
    made = 0
    for i in range(len(tables)):
        table = tables[i]
        target = made + decisions
        while made < target:
            shuffle(seeds[i], deals[i], pack)
            engine.deal(table, rules, pack, deals[i] % rules.seats)
            deals[i] += 1
            words = philox(np.uint64(seeds[i]), np.uint64(deals[i]), np.uint64(1))
            mixed = words[0] | np.uint64(1)
            while table.phase != Phase.OVER:
                legal = engine.legal(table, rules)
                choices = count(legal)
                mixed ^= (mixed << np.uint64(13)) & np.uint64(0xFFFFFFFF)  # xorshift32
                mixed ^= mixed >> np.uint64(17)
                mixed ^= (mixed << np.uint64(5)) & np.uint64(0xFFFFFFFF)
                left = np.int64((mixed * np.uint64(choices)) >> np.uint64(32))
                while left:
                    legal &= legal - 1
                    left -= 1
                engine.apply(table, rules, count((legal & -legal) - 1))
                made += 1
    return made
