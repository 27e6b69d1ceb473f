"""The yardstick: a bot on fixed, versioned deals against fixed agents, as lines to cite and as JSON."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from agents import Agent, load_agent, tally_of
from agents.pretrained import pretrained_for
from agents.programs.faults import faults_text
from agents.programs.settings import CommandSettings
from agents.search.look_ahead import LookAhead
from buck_env import BuckError, Rules, load_rules
from buck_env.base.files import write_json
from buck_env.observation.agent import is_repeatable
from training.base.provenance import checksum_of, versions
from training.measuring.compare import compare
from training.measuring.duplicate import deal_seeds

__all__ = ["DEALS", "STANDARD", "evaluate"]

STANDARD: Final = "standard-v1"
"""The name of the deals. With other deals, measures or orders of seats it would be standard-v2."""
_SEED: Final = 1_000_000_007
DEALS: Final = 20_000


def evaluate(
    name: str,
    rules_name: str,
    *,
    against: Sequence[str] = (),
    deals: int = DEALS,
    programs: CommandSettings | None = None,
    response: Mapping[str, Any] | None = None,
    out: Path | None = None,
) -> dict[str, Any]:
    """Measure an agent against others, by default `random`, `rules-v1` and the pretrained bot of its rules.

    It prints a line for each opponent, returns the figures, and writes them to `out` if given. The figures are `gain`,
    `edge` and `points` of the agent among the other, and `gain_of_other` and `edge_of_other`, those of the other among
    the agent, each with its 95% interval, one cluster a deal; `unrepeatable` names the agents that decide by a clock.
    What a best `response` to the agent has come to, where it is known, stands beside them as `best_response`.
    `programs` are the limits on agents that are programs. BuckError where an agent cannot be loaded, or is a program
    that decided nothing.
    """
    rules = load_rules(rules_name)
    agent = load_agent(name, rules, programs)
    references = list(against) or _references(rules, name)
    others = {reference: load_agent(reference, rules, programs) for reference in references}
    unrepeatable = [label for label, who in [(name, agent), *others.items()] if not is_repeatable(who)]
    began = time.monotonic()
    results = {}
    bar = tqdm(total=2 * len(others), unit="comparison", disable=None, leave=False)
    for reference, other in others.items():
        names = name, reference if reference != name else f"{name} opposite"
        bar.set_description(f"{name} among {reference}")
        among = compare(rules, agent, other, deals=deals, seed=_SEED, names=names)
        _own_play(name, agent)
        bar.update()
        bar.set_description(f"{reference} among {name}")
        back = compare(rules, other, agent, deals=deals, seed=_SEED, names=names[::-1])
        _own_play(reference, other)
        bar.update()
        results[reference] = {
            "gain": asdict(among.gain),
            "edge": asdict(among.edge),
            "points": asdict(among.points),
            "gain_of_other": asdict(back.gain),
            "edge_of_other": asdict(back.edge),
        }
        tqdm.write(
            f"{STANDARD} {rules.name}, {deals:,} deals: {name} v {reference}: "
            f"gain {among.gain}, edge {among.edge}; {reference} among it: gain {back.gain}, edge {back.edge}"
            f"{_mark([label for label in names if label in unrepeatable])}"
        )
    bar.close()
    program_counts = {label: counts for label, who in [*others.items(), (name, agent)] if (counts := tally_of(who))}
    for label, counts in program_counts.items():
        print(f"{label}: {faults_text(counts)}")
    searches = {label: who.counts for label, who in [*others.items(), (name, agent)] if isinstance(who, LookAhead)}
    for label, counts in searches.items():
        if counts["poor"]:
            print(
                f"{label}: in {counts['poor']:,} of the {counts['searched']:,} decisions searched, the deals are worth "
                "less than a quarter of their number as independent ones; take more deals"
            )
    report = {
        "deals": {"name": STANDARD, "count": deals, "first_seed": int(deal_seeds(_SEED, 1)[0])},
        "agent": name,
        "sha256": checksum_of(agent),
        "unrepeatable": unrepeatable,
        "rules": rules.as_record(),
        "versions": versions(),
        "against": results,
        "best_response": response,
        "programs": program_counts,
        "searches": searches,
        "seconds": round(time.monotonic() - began, 1),
    }
    if out:
        write_json(out, report)
    return report


def _mark(unrepeatable: Sequence[str]) -> str:
    """What a line to cite adds about agents that decide by a clock."""
    return f"; not repeatable: {', '.join(unrepeatable)}" if unrepeatable else ""


def _own_play(name: str, agent: Agent) -> None:
    """Refuse figures of random play alone: those of a program that decided nothing, for example as it cannot start."""
    counts = tally_of(agent)
    if counts["decisions"] and counts["decisions"] == counts["replaced"]:
        raise BuckError(f"{name}: {faults_text(counts)}; mend it, as there is nothing to cite until then")


def _references(rules: Rules, name: str) -> list[str]:
    references = ("random", "rules-v1", pretrained_for(rules))
    return [reference for reference in references if reference is not None and reference != name]
