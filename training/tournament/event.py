"""The playing of an event: agents against one another in every line-up and every seat of the same deals."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict
from functools import partial
from typing import Any

from agents import Agent
from buck_env.observation.agent import is_repeatable
from training.base.cluster import check_sent, on_cluster
from training.base.provenance import checksum_of, code_of, versions
from training.measuring.luck import expected_luck
from training.tournament.config import TournamentConfig
from training.tournament.hand_tally import HandTally
from training.tournament.ledger import Ledger
from training.tournament.lineups import make_lineups
from training.tournament.match_tally import MatchTally
from training.tournament.results import Results
from training.tournament.run import SHARD, Run, halves
from training.tournament.shards import Event, PlayJobs, play_shards, sit_down
from training.tournament.swings import largest_swings, played_again

__all__ = ["Results", "TournamentConfig", "play_tournament"]


def play_tournament(
    config: TournamentConfig,
    agents: Mapping[str, Agent] | None = None,
    *,
    keep: bool = False,
    resume: bool = False,
    anew: bool = False,
    shard: int = SHARD,
    progress: bool = True,
) -> Results:
    """Play an event with the agents of its config, or with those of `agents`, which go by the config's labels.

    Shards are added in their order, whoever plays them, so that the results follow from the config alone. They take
    about a second each and hold `shard` hands at most. Ctrl-C leaves a smaller event, and not half of one. With `keep`
    the shards are also written into the config's folder as they come. `resume` goes on with an event that was kept
    there, and `anew` replaces one that is unfinished.

    KeyboardInterrupt where ctrl-C comes before two deals have been played; BuckError where the folder does not allow
    it, or an agent fails.
    """
    lineups = make_lineups(len(config.agents), config.rules.seats, config.mixed, config.seed)
    names = {label: agents[label] if agents else name for label, name in config.agents.items()}
    event = Event(config.rules, names, lineups, config.seed, config.programs)
    seated = event.seated()
    checksums = {label: checksum_of(agent) for label, agent in seated.items()}
    hands = HandTally(lineups, expected_luck(config.rules), config.seed)
    matches = MatchTally(lineups, config.seed)
    with _players(config, event, seated, checksums) as play:
        start = time.monotonic()
        ledger, code_changed = None, list[str]()
        if keep or resume:
            code = {label: code_of(agent) for label, agent in seated.items()}
            ledger = Ledger(config.out, event, _facts(config, checksums), code, resume=resume, anew=anew)
            code_changed = ledger.code_changed
            for label in code_changed:
                print(f"{label}: its code has changed since hands of this event were kept", file=sys.stderr, flush=True)
        run = Run(event, play, ledger, shard, progress)
        complete = run.add_up("hands", config.deals, hands, config.until)
        if hands.deals < 2:
            raise KeyboardInterrupt
        complete = complete and run.add_up("matches", config.matches, matches)
        if complete:
            run.check_play()
        run.keep()
        seconds = time.monotonic() - start
    if ledger and complete:
        ledger.finish()
    enough = matches if matches.deals >= 2 else None
    program_counts = {label: dict(counts) for label, counts in run.program_counts.items() if counts}
    if not run.narrowing or run.narrowing[-1][0] < hands.deals:
        run.narrowing.append((hands.deals, halves(hands, "edge")))
    swings = largest_swings(hands)
    if complete:
        with suppress(KeyboardInterrupt):  # the report is then without the hands
            swings = played_again(event, seated, swings)
    unrepeatable = [label for label, agent in seated.items() if not is_repeatable(agent)]
    return Results(
        config, lineups, hands, enough, checksums, unrepeatable, code_changed, program_counts, seconds, run.hands,
        complete, run.narrowing, swings,
    )  # fmt: skip


def _players(
    config: TournamentConfig, event: Event, seated: Mapping[str, Agent], checksums: Mapping[str, Any]
) -> AbstractContextManager[PlayJobs]:
    """What plays: processes of this machine, or a Ray cluster."""
    if config.ray is None:
        return nullcontext(lambda jobs: play_shards(event, seated, jobs, config.processes))
    check_sent(event.agents)
    return on_cluster(config.ray, partial(sit_down, event), checksums)


def _facts(config: TournamentConfig, checksums: dict[str, Any]) -> dict[str, Any]:
    """What must be the same for an event to be resumed. The number of deals may differ."""
    return {
        "versions": versions(),
        "rules": config.rules.as_dict(),
        "agents": config.agents,
        "sha256": checksums,
        "seed": config.seed,
        "programs": asdict(config.programs),
    }
