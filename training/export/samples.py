"""`samples.jsonl`: positions that show whether a port of a bot to another language, or a bundle by anyone, is right."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from agents.bots.bot import BotError
from agents.bots.policy import PolicyAgent, encoded, pick_actions
from buck_env import PROFILES, RecordError, Rules, RulesError, action_text, load_rules
from buck_env.base.errors import shortened
from buck_env.game.cards import SUITS
from buck_env.game.options import PHASES, IllegalPlay
from buck_env.observation.labels import PLAIN
from buck_env.observation.views import Views, original_actions
from buck_env.records import HandRecord, deal_record, table_from_view, view_of
from training.measuring.reachable import reachable

__all__ = ["TOLERANCE", "Sample", "check_samples", "make_samples"]

TOLERANCE = {"probabilities": 1e-5, "value": 1e-4}
"""By how much a port may differ."""
_CLEAR = 1e-4
"""Probabilities closer than this decide nothing that a sample shows: another processor may round them the other way."""
_ASTRAY = 0.3

_Number = Annotated[float, Field(allow_inf_nan=False)]


@with_config(ConfigDict(extra="forbid", strict=True))
class Sample(TypedDict):
    """One position, a line of the file."""

    view: dict[str, Any]
    """What the seat to act knows, as a hand record's view: from here on a port must find everything below."""
    hands_played: Annotated[int, Field(ge=0, lt=2**31)]
    """Hands of the match scored before this one."""
    suits: str
    """The names that the suits C D H S of the view have in the arrays below."""
    observation: list[Annotated[int, Field(ge=-128, le=127)]]
    action_mask: list[Annotated[int, Field(ge=0, le=1)]]
    probabilities: list[_Number]
    """One for every action, 0 where it is illegal."""
    value: _Number
    greedy: str
    """The likeliest action, as the steps of a view name it, suits as they are."""
    uniform: Annotated[float, Field(ge=0, lt=1)]
    """A random number for `sampled`."""
    sampled: str
    """The first action at which the running sum of the probabilities exceeds `uniform`."""


_SAMPLE = TypeAdapter(Sample)


# --- Writing ----------------------------------------------------------------------------------------------------------


def make_samples(rules: Rules, agent: PolicyAgent, count: int, seed: int = 0) -> bytes:
    """The file: so many choices of an agent, its phases alike as far as they occur, none of them near a tie."""
    views, logs = reachable(rules, agent, tables=max(64, 2 * count), astray=_ASTRAY, seed=seed)
    rows = _clear_choices(views, agent, count)
    if not len(rows):
        raise BotError("samples: no choice of the bot is clear enough for one: it rates all actions alike, or as NaN")
    seen = [view_of(deal_record(logs[row], rules), int(views.seats[row])) for row in rows]
    if rules.illegal_play is IllegalPlay.RENEGE:
        settled = [_settles(view, int(logs[row]["hands_played"])) for row, view in zip(rows, seen, strict=True)]
        rows, seen = rows[settled], [view for view, keep in zip(seen, settled, strict=True) if keep]
    samples = _samples(seen, views.take(rows), agent)
    return "".join(json.dumps(sample, separators=(",", ":")) + "\n" for sample in samples).encode()


def _clear_choices(views: Views, agent: PolicyAgent, count: int) -> np.ndarray:
    """Rows of choices that no rounding can turn, spread evenly over each phase's."""
    observation, mask, _ = encoded(views, agent.canonical)
    probabilities = np.exp(agent.policy(observation, mask)[0])
    highest = np.sort(probabilities, axis=1)[:, -2:]
    from_a_bound = np.abs(np.cumsum(probabilities, axis=1) - views.uniforms[:, None]).min(axis=1)
    clear = (highest[:, 1] - highest[:, 0] > _CLEAR) & (from_a_bound > _CLEAR)
    by_phase = [np.flatnonzero(clear & (views.tables["phase"] == phase)) for phase in range(len(PHASES))]
    chosen: list[int] = []
    rarest_first = sorted((rows for rows in by_phase if len(rows)), key=len)
    for i, rows in enumerate(rarest_first):
        share = min(len(rows), -(-(count - len(chosen)) // (len(rarest_first) - i)))
        chosen += rows[np.linspace(0, len(rows) - 1, share).astype(int)].tolist()
    return np.array(sorted(chosen), np.int64)


def _settles(view: HandRecord, hands_played: int) -> bool:
    """Whether a view settles, for each card that did not follow, whether it was a renege."""
    try:
        table_from_view(view, hands_played=hands_played)
    except RecordError:
        return False
    return True


def _samples(seen: Sequence[Mapping[str, Any]], views: Views, agent: PolicyAgent) -> list[Sample]:
    """What engine and model find in views that are given as records and as the engine has them."""
    observation, mask, labels = encoded(views, agent.canonical)
    log_probs, values = agent.policy(observation, mask)
    if labels is None:
        labels = np.full(len(views), PLAIN)
    phases = [PHASES[phase] for phase in views.tables["phase"]]
    greedy, sampled = (
        [
            action_text(int(a), p)
            for a, p in zip(original_actions(pick_actions(log_probs, u), labels), phases, strict=True)
        ]
        for u in (None, views.uniforms)
    )
    return [
        {
            "view": dict(seen[i]),
            "hands_played": int(views.tables["hands_played"][i]),
            "suits": "".join(SUITS[labels[i] >> 3 * suit & 7] for suit in range(4)),
            "observation": observation[i].tolist(),
            "action_mask": mask[i].tolist(),
            "probabilities": [round(p, 7) for p in np.exp(log_probs[i]).tolist()],
            "value": round(float(values[i]), 6),
            "greedy": greedy[i],
            "uniform": float(views.uniforms[i]),
            "sampled": sampled[i],
        }
        for i in range(len(views))
    ]


# --- Checking ---------------------------------------------------------------------------------------------------------


def check_samples(data: bytes, where: str, rules: Rules, agent: PolicyAgent) -> int:
    """How many samples there are: engine and model agree with each of them. BotError names the first difference."""
    lines = [line for line in data.split(b"\n") if line.strip()]
    if not lines:
        raise BotError(f"{where}: holds no samples")
    samples = [_parsed(line, f"{where}:{number}") for number, line in enumerate(lines, 1)]
    tables, seats = zip(
        *(_seen(sample, f"{where}:{n}", rules, agent) for n, sample in enumerate(samples, 1)), strict=True
    )
    views = Views(rules, np.concatenate(tables), np.array(seats), np.array([sample["uniform"] for sample in samples]))
    _check_masking(views, agent, where)
    for batch in (1, 3, len(samples)):
        for start in range(0, len(samples), batch):
            rows = np.arange(start, min(start + batch, len(samples)))
            ours = _samples([samples[row]["view"] for row in rows], views.take(rows), agent)
            for row, sample in zip(rows, ours, strict=True):
                _compare(f"{where}:{row + 1}", samples[row], sample)
    return len(samples)


def _parsed(line: bytes, place: str) -> Sample:
    try:
        return _SAMPLE.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        raise BotError(f"{place}: {'.'.join(map(str, first['loc'])) or 'the line'}: {first['msg']}") from None


def _seen(sample: Sample, place: str, rules: Rules, agent: PolicyAgent) -> tuple[np.ndarray, int]:
    """The table of a sample, (1,), and the seat that sees it and is to act."""
    if not _are(rules, sample["view"].get("rules")):
        raise BotError(f"{place}: view: is not of the rules {rules.name}, as the bundle is")
    try:
        _, table, seat = table_from_view(sample["view"], place, sample["hands_played"])
    except RecordError as error:
        raise BotError(str(error)) from None
    if int(table["seat"][0]) != seat:
        raise BotError(f"{place}: view: seat {seat}, whose view it is, is not to act")
    phase = PHASES[int(table["phase"][0])]
    if phase not in agent.phases:
        raise BotError(f"{place}: view: the bundle has not learned the phase {phase}")
    return table, seat


def _are(rules: Rules, source: object) -> bool:
    """Whether the `rules` of a view are these: a profile's name, or rules in full. The name of a file is not read."""
    if isinstance(source, Mapping) or (isinstance(source, str) and source in PROFILES):
        with suppress(RulesError):
            return load_rules(source) == rules
    return False


def _check_masking(views: Views, agent: PolicyAgent, where: str) -> None:
    observation, mask, _ = encoded(views, agent.canonical)
    log_probs, _ = agent.policy(observation, mask)
    total = np.exp(log_probs).sum(axis=1)
    wrong = ((log_probs == -np.inf) != (mask == 0)).any(axis=1) | ~(np.abs(total - 1) < TOLERANCE["probabilities"])
    if wrong.any():
        raise BotError(
            f"{where}:{int(wrong.argmax()) + 1}: the model's log_probabilities are no distribution over the legal "
            "actions: finite there and summing to 1 as probabilities, -inf elsewhere"
        )


def _compare(place: str, theirs: Sample, ours: Sample) -> None:
    for key in ours:
        given: Any = theirs[key]  # type: ignore[literal-required]
        found: Any = ours[key]  # type: ignore[literal-required]
        here = shortened(str(given))
        if key not in TOLERANCE:
            if given != found:
                raise BotError(f"{place}: {key}: the sample has {here}, engine and model find {shortened(str(found))}")
        elif np.shape(given) != np.shape(found) or not np.abs(np.subtract(given, found)).max() <= TOLERANCE[key]:
            raise BotError(f"{place}: {key}: the sample has {here}, the model gives {shortened(str(found))}")
