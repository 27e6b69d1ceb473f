"""A game gone through: what each decision lost against the best action, largest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from buck_env.base.errors import BuckError, RecordError
from buck_env.game.actions import action_text
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.views import Views
from buck_env.records import HandRecord, replay, rules_of
from buck_env.records.texts import action_of
from training.analysis.analyst import LOW, Analyst
from training.analysis.values import half_widths
from training.base.provenance import versions

__all__ = ["Game", "Loss", "Review", "read_game", "review", "review_record", "review_text"]


@dataclass(frozen=True)
class Game:
    """The decisions of hands, with two legal actions or more each."""

    views: Views
    """(B,) decisions, each as the seat to act knows it."""
    taken: np.ndarray
    """(B,) int64: what was done."""
    places: list[tuple[str, int]]
    """B times the record's place, ``file:line``, and the number of the step in it, from 0."""
    hands: int
    reneges: int
    """Decisions left out because a renege was played, which is not among the legal actions that have values."""


@dataclass(frozen=True)
class Loss:
    """One decision and what it lost."""

    where: str
    step: int
    seat: int
    phase: str
    taken: str
    best: str
    lost: float
    """Points of the best action less those of the one taken; below 0 where chance has it so."""
    half: float
    """Half the width of the 95% interval of that."""
    effective: float

    @property
    def certain(self) -> bool:
        """Whether the loss is larger than its interval."""
        return self.lost > self.half


@dataclass(frozen=True)
class Review:
    """All decisions of a game, the largest loss first."""

    losses: list[Loss]
    analyst: Analyst
    deals: int
    hands: int
    reneges: int


def read_game(records: Iterable[tuple[str, HandRecord, int]], *, seat: int | None = None, seed: int = 0) -> Game:
    """The decisions of confirmed records, as `records.confirmed` yields them, of one seat or all.

    RecordError where the hands are of different rules, BuckError where `seat` is none of them.
    """
    rules: Rules | None = None
    tables, taken, places, hands, reneges = [], [], [], 0, 0
    for where, record, hands_played in records:
        own = rules_of(record, where)
        if rules is not None and own != rules:
            raise RecordError(
                f"{where}: is of the rules {own.name}, the hands before it of {rules.name}; review a game"
            )
        rules, hands = own, hands + 1
        for number, (step, table) in enumerate(zip(record["steps"], replay(record, where, hands_played), strict=False)):
            if seat not in (None, step["seat"]) or len(step.get("legal", ())) < 2:
                continue
            if step["action"] not in step["legal"]:
                reneges += 1
                continue
            tables.append(table.copy())
            taken.append(action_of(step, f"{where}: step {number}"))
            places.append((where, number))
    if rules is None:
        raise RecordError("review: there is no hand in the file")
    if seat is not None and not 0 <= seat < rules.seats:
        raise BuckError(f"--seat: {seat} is no seat; allowed: 0 to {rules.seats - 1}")
    if not tables:
        raise RecordError("review: no decision of these hands had two legal actions")
    whole = np.concatenate(tables)
    uniforms = np.random.default_rng(seed).random(len(whole))
    return Game(Views.at(rules, whole, uniforms), np.array(taken), places, hands, reneges)


def review(game: Game, analyst: Analyst, deals: int) -> Review:
    """What each decision of a game lost, over so many deals a decision."""
    judged = analyst.points(game.views, deals)
    halves = half_widths(judged.behind_errors, judged.effective / 2)
    losses = []
    for row, ((where, step), action) in enumerate(zip(game.places, game.taken, strict=True)):
        phase = PHASES[game.views.tables["phase"][row]]
        losses.append(
            Loss(
                where,
                step,
                int(game.views.seats[row]),
                phase,
                action_text(int(action), phase),
                action_text(int(judged.best[row]), phase),
                float(judged.behind[row, action]),
                float(halves[row, action]),
                float(judged.effective[row]),
            )
        )
    losses.sort(key=lambda loss: -loss.lost)
    return Review(losses, analyst, deals, game.hands, game.reneges)


@dataclass(frozen=True)
class Total:
    """The losses of some decisions added up."""

    decisions: int
    lost: float
    half: float
    """Half the width of the 95% interval; the decisions' deals are independent of one another."""


def totals(losses: Iterable[Loss], by: str) -> dict[str, Total]:
    """The totals by ``phase`` or by ``seat``, in the order of the game."""
    groups: dict[Any, list[Loss]] = defaultdict(list)
    for loss in losses:
        groups[getattr(loss, by)].append(loss)
    order = sorted(groups, key=PHASES.index if by == "phase" else int)
    return {
        str(key): Total(
            len(groups[key]),
            sum(loss.lost for loss in groups[key]),
            float(np.sqrt(sum(loss.half**2 for loss in groups[key]))),
        )
        for key in order
    }


def review_text(review: Review, most: int = 20) -> str:
    """The review as lines of text: the largest losses, and the totals."""
    head = (
        f"{review.hands} hands, {len(review.losses)} decisions; {review.analyst.name} plays on at every seat, "
        f"{review.deals:,} deals a decision"
    )
    lines = [head]
    if review.reneges:
        lines.append(f"{review.reneges} reneges are left out: a renege is no legal action")
    low = sum(loss.effective < LOW for loss in review.losses)
    if low:
        lines.append(f"warning: in {low} decisions the deals are worth fewer than {LOW} independent ones (marked *)")
    lines += ["", f"{'lost':<16}{'seat':<6}{'phase':<10}{'taken':<13}{'best':<13}where"]
    for loss in review.losses[:most]:
        mark = "" if loss.certain else "  within its interval"
        weak = "*" if loss.effective < LOW else ""
        lines.append(
            f"{f'{loss.lost:.2f} ± {loss.half:.2f}{weak}':<16}{loss.seat:<6}{loss.phase:<10}{loss.taken:<13}"
            f"{loss.best:<13}{loss.where} step {loss.step}{mark}"
        )
    if len(review.losses) > most:
        lines.append(f"… and {len(review.losses) - most} more, which --json writes")
    for by in ("phase", "seat"):
        lines += ["", f"{by:<12}{'decisions':<12}lost"]
        for key, total in totals(review.losses, by).items():
            lines.append(f"{key:<12}{total.decisions:<12}{total.lost:.2f} ± {total.half:.2f}")
    return "\n".join(lines)


def review_record(review: Review) -> dict[str, Any]:
    """The review as JSON: every decision, and the totals by phase and by seat."""
    return {
        "analyst": review.analyst.as_record(),
        "rules": review.analyst.rules.as_record(),
        "versions": versions(),
        "deals": review.deals,
        "hands": review.hands,
        "reneges": review.reneges,
        "decisions": [{**asdict(loss), "certain": loss.certain} for loss in review.losses],
        "totals": {
            by: {key: asdict(total) for key, total in totals(review.losses, by).items()} for by in ("phase", "seat")
        },
    }
