"""Information-set Monte Carlo tree search over the engine (Cowling, Powley and Whitehouse, 2012; single observer).

Each iteration takes a deal that fits what the seat knows, goes down one tree of actions as far as it has grown, by the
upper confidence bound of each seat's own points, adds an action, and plays on at random. The action that was tried most
is taken.
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from agents.beliefs.deals import draw_deals
from agents.search.budget import Budget
from buck_env.base.compiled import compiling, kernel
from buck_env.game import engine
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import BIT, count, nth
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.game.shuffle import philox
from buck_env.game.table import LONGEST_HAND
from buck_env.observation.views import Views

__all__ = ["ISMCTS"]

EXPLORATION: Final = 0.7
"""The weight of the confidence bound, of points scaled to 0..1."""
MOST_POINTS: Final = 5
ROUND: Final = 256
"""Iterations between two looks at the clock."""

NODE = np.dtype([("tried", "i4"), ("available", "i4"), ("points", "f4"), ("children", "i4", NUM_ACTIONS)])
"""An action in its place in the tree: how often it was tried and could have been, the points it brought its seat in
all, scaled to 0..1, and the nodes of the actions after it, 0 where there is none."""


class ISMCTS:
    """Looks at so many deals for each decision, an iteration each."""

    def __init__(self, rules: Rules, budget: Budget) -> None:
        self.rules = rules
        self.budget = budget
        self.repeatable = budget.repeatable
        """Whether the same decision gets the same answer again."""

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views."""
        mask = views.action_mask
        actions = mask.argmax(axis=1)
        for row in np.flatnonzero(mask.sum(axis=1) > 1):
            actions[row] = self._decide(views.take(np.array([row])))
        return actions

    def _decide(self, view: Views) -> int:
        limit = self.budget.milliseconds
        ends = time.perf_counter() + (limit or 0) / 1000
        number = self.budget.deals or ROUND
        tree = np.zeros(number + 1, NODE)
        seed = np.uint64(view.uniforms[0] * 2.0**53)
        nodes = self._grow(view, number, tree, 1, seed, stream=0)
        stream = 0
        while limit is not None and time.perf_counter() < ends:
            stream += 1
            tree = np.concatenate([tree, np.zeros(number, NODE)])
            nodes = self._grow(view, number, tree, nodes, seed, stream)
        children = tree[0]["children"]
        return int(np.where(children > 0, tree["tried"][children], -1).argmax())

    def _grow(self, view: Views, number: int, tree: np.ndarray, nodes: int, seed: np.uint64, stream: int) -> int:
        """An iteration for each of a number of deals; the number of nodes there are then."""
        deals = draw_deals(view, number, stream=stream).tables[0]
        with compiling("ismcts", __file__):
            return int(_grow(tree, nodes, deals, self.rules.packed(), seed, stream))


@kernel
def _grow(tree: Any, nodes: Any, deals: Any, packed: Any, seed: Any, stream: Any) -> Any:
    """Grow a tree by an iteration a deal; `nodes` of it are in use. Deals are played out in place."""
    rules = packed[0]
    path = np.empty(LONGEST_HAND + 1, np.int64)
    movers = np.empty(LONGEST_HAND + 1, np.int64)
    before = np.empty(4, np.int64)
    least = -np.int64(max(rules.maker_penalty, rules.stayer_penalty, -rules.drop_points))
    for i in range(len(deals)):
        words = philox(seed, np.uint64(stream), np.uint64(i))
        state = words[0] << np.uint64(32) | words[1] | np.uint64(1)
        table = deals[i]
        for seat in range(rules.seats):
            before[seat] = table.scores[seat]
        node, depth = 0, 0
        growing = True
        while table.phase != Phase.OVER:
            legal = engine.legal(table, rules)
            state ^= state << np.uint64(13)
            state ^= state >> np.uint64(7)
            state ^= state << np.uint64(17)
            if not growing:
                engine.apply(table, rules, _drawn(legal, state))
                continue
            untried = np.int64(0)
            for action in range(NUM_ACTIONS):
                if legal & BIT[action]:
                    child = tree[node].children[action]
                    if child:
                        tree[child].available += 1
                    else:
                        untried |= BIT[action]
            action = _drawn(untried, state) if untried else _most_promising(tree, node, legal)
            if untried:
                tree[node].children[action] = nodes
                tree[nodes].available = 1
                nodes += 1
                growing = False
            node = tree[node].children[action]
            path[depth], movers[depth] = node, table.seat
            depth += 1
            engine.apply(table, rules, action)
        for d in range(depth):
            seat = movers[d]
            points = rules.toward * (table.scores[seat] - before[seat])
            tree[path[d]].tried += 1
            tree[path[d]].points += (points - least) / (MOST_POINTS - least)
    return nodes


@kernel
def _drawn(actions: Any, state: Any) -> Any:
    """One of a set of actions, by a random word."""
    return nth(actions, np.int64(((state >> np.uint64(32)) * np.uint64(count(actions))) >> np.uint64(32)))


@kernel
def _most_promising(tree: Any, node: Any, legal: Any) -> Any:
    """The legal action with the highest upper confidence bound; all have been tried."""
    best, bound = 0, -1e9
    for action in range(NUM_ACTIONS):
        if legal & BIT[action]:
            child = tree[tree[node].children[action]]
            mean = child.points / child.tried
            found = mean + EXPLORATION * np.sqrt(np.log(child.available) / child.tried)
            if found > bound:
                best, bound = action, found
    return best
