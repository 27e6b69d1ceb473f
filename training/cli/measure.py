"""The commands that measure agents and speed: tournament, evaluate, scores, bench."""

from __future__ import annotations

import json as as_json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from buck_env import BuckError
from training.cli.configured import configuration
from training.cli.options import OVERRIDES, Anew, Bot, Config, OutputFile, Resume, RulesName, Whole
from training.cli.panels import PanelsAfter, settings_panels
from training.cli.terminal import say, writing

__all__ = ["bench", "evaluate", "scores", "tournament", "with_ray_address"]

_TOURNAMENT = Group(
    "Overrides",
    help_formatter=PanelsAfter(
        partial(settings_panels, "training.tournament.config", "TournamentConfig", "tournaments")
    ),
)


def with_ray_address(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command line, where a bare `--ray` stands for `--ray=auto`."""
    following = [*arguments[1:], "-"]
    return [
        "--ray=auto" if text == "--ray" and (after.startswith("-") or "=" in after) else text
        for text, after in zip(arguments, following, strict=True)
    ]


def tournament(
    config: Config,
    /,
    *overrides: Annotated[str, Parameter(name="KEY=VALUE", group=_TOURNAMENT, help=OVERRIDES)],
    until: Annotated[str | None, Parameter(help="Stop once edges and gains are known to ± this (until=).")] = None,
    ray: Annotated[
        str | None, Parameter(metavar="[ADDRESS]", help="Play on a Ray cluster (ray=). Without an address: auto.")
    ] = None,
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Compare agents in a round robin on duplicate deals.

    Each deal is played in every line-up, so that luck with the cards cancels out. The event's folder gets a report for
    a browser, the results as JSON and CSV, a heat map, and the hands as they are played, as Parquet. Ctrl-C reports on
    what has been played; --resume goes on.

    Example: `buck tournament ohio agents=[rules-v1,random,ppo:runs/mine] deals=5000 processes=2`
    """
    import choix  # noqa: F401 - what the report needs is missed before the event, not after
    import jinja2  # noqa: F401
    import matplotlib  # noqa: F401

    from training.tournament.event import TournamentConfig, play_tournament
    from training.tournament.report.files import write_report
    from training.tournament.report.table import results_table

    more = [f"until={until}"] if until is not None else []
    more += [f"ray={as_json.dumps(ray)}"] if ray is not None else []  # as text, also where it is empty
    settings, out = configuration(TournamentConfig, "tournaments", config, [*overrides, *more])
    with writing({"out=": out}):
        results = play_tournament(settings, keep=True, resume=resume, anew=anew)
        report = write_report(results)
        print(results_table(results))
        print()
        say(f"report: {report}")


def evaluate(
    agent: Bot,
    /,
    *,
    rules: RulesName = "ohio",
    against: Annotated[
        list[str] | None,
        Parameter(metavar="AGENT", consume_multiple=(1, None), help="Other opponents than the standard ones."),
    ] = None,
    deals: Annotated[Whole, Parameter(help="The number of the fixed deals to use; the default is all.")] = 20_000,
    timeout: Annotated[float, Parameter(help="Seconds that a program (cmd:COMMAND) has for an answer.")] = 10.0,
    json: Annotated[OutputFile, Parameter(help="The file for the figures.")] = Path("runs/evaluation.json"),
    card: Annotated[OutputFile | None, Parameter(help="A file for the bot's card, as Markdown.")] = None,
    response: Annotated[
        Path | None, Parameter(help="The exploit.json that `buck exploit` wrote for the bot, for its card.")
    ] = None,
) -> None:
    """Measure an agent on the fixed deals standard-v1.

    Its opponents are random, rules-v1 and the pretrained bot of the rules. It prints a line for each: the gain and edge
    of the agent among the other, and of the other among the agent, with 95% intervals.

    Example: `buck evaluate ppo:runs/mine`
    """
    from agents.programs.settings import LONGEST, CommandSettings
    from buck_env.base.files import replace_file
    from training.cli.card import best_response, bot_card, trained_bot
    from training.measuring.evaluate import DEALS
    from training.measuring.evaluate import evaluate as measure

    if not 2 <= deals <= DEALS:
        raise BuckError(f"--deals: {deals} is not allowed; allowed: 2 to {DEALS}")
    if not 0 < timeout <= LONGEST:
        raise BuckError(f"--timeout: {timeout:g} is not allowed; allowed: seconds above 0, {LONGEST} at most")
    with writing({"--json ": json, "--card ": card}):
        bot = trained_bot(agent, rules) if card or response else None
        found = asdict(best_response(response, bot)) if response and bot else None
        programs = CommandSettings(timeout=timeout)
        report = measure(agent, rules, against=against or [], deals=deals, programs=programs, response=found, out=json)
        if bot and card:
            replace_file(card, bot_card(bot, report).encode())
        print(f"figures: {json}")


def scores(
    agent: Bot,
    /,
    *,
    rules: RulesName = "ohio",
    decisions: Annotated[Whole, Parameter(help="The number of decisions to stay or drop, each of a deal.")] = 5000,
    json: Annotated[OutputFile, Parameter(help="The file for the figures.")] = Path("runs/scores.json"),
) -> None:
    """Find out what the score does to a bot's drop policy.

    It counts how often the bot stays, and how much that changes when only the scores do, with 95% intervals.

    Example: `buck scores ppo:runs/mine`
    """
    from training.measuring.scores import stay_rates

    if not 2 <= decisions <= 10**6:
        raise BuckError(f"--decisions: {decisions} is not allowed; allowed: 2 to 1000000")
    with writing({"--json ": json}):
        stay_rates(agent, rules, decisions=decisions, out=json)
        print(f"figures: {json}")


def bench(
    what: Annotated[
        Literal["speed", "learn", "tournament", "search", "serve"],
        Parameter(help="Measure the environments, learning, tournaments, agents that look ahead, or buck serve."),
    ] = "speed",
    /,
    *,
    seconds: Annotated[float, Parameter(help="About how many seconds each figure is measured.")] = 1.0,
    minutes: Annotated[
        float, Parameter(help="For learn: how many minutes MaskablePPO gets, twice. 0 leaves it out.")
    ] = 20.0,
    rules: Annotated[RulesName, Parameter(help="For search and serve: a profile or a file of house rules.")] = "ohio",
    json: Annotated[OutputFile, Parameter(help="The file for the figures.")] = Path("runs/bench.json"),
) -> None:
    """Measure speed, in decisions a second; of agents that look ahead, in milliseconds a decision.

    Example: `buck bench learn --minutes 0`
    """
    with writing({"--json ": json}):
        if what == "learn":
            from training.bench.learn import bench_learn

            bench_learn(seconds, minutes, json)
        elif what == "tournament":
            from training.bench.tournament import bench_tournament

            bench_tournament(seconds, json)
        elif what == "search":
            from training.bench.search import bench_search

            bench_search(rules, seconds, json)
        elif what == "serve":
            from training.bench.serve import bench_serve

            bench_serve(rules, seconds, json)
        else:
            from training.bench.speed import bench as bench_speed

            bench_speed(seconds, json)
