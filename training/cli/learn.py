"""The commands that learn: train, ppo, exploit, sweep."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from buck_env import BuckError
from training.cli.configured import configuration
from training.cli.learners import run_of
from training.cli.options import OVERRIDES, Anew, Bot, Config, Resume, RulesName, Whole
from training.cli.panels import PanelsAfter, learner_panels, settings_panels
from training.cli.terminal import say, writing

__all__ = ["exploit", "ppo", "sweep", "train"]

_TRAIN = Group(
    "Overrides",
    help_formatter=PanelsAfter(learner_panels),
)
_PPO = Group(
    "Overrides",
    help_formatter=PanelsAfter(partial(settings_panels, "training.learning.sb3.config", "PPOConfig", "ppo")),
)
_SWEEP = Group(
    "Overrides",
    help_formatter=PanelsAfter(partial(settings_panels, "training.sweep.config", "SweepConfig", "sweep")),
)


def train(
    config: Config,
    /,
    *overrides: Annotated[str, Parameter(name="KEY=VALUE", group=_TRAIN, help=OVERRIDES)],
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Train a bot by self-play PPO, or by another learner.

    A configuration says who learns what, from which rules and for how long; `KEY=VALUE` overrides single settings.
    Ctrl-C stops the run and saves the bot as it is.

    Example: `buck train ohio seed=3 decisions=20000000 out=runs/mine`
    """
    settings, learn = run_of(config, overrides)
    with writing({"out=": Path(settings.out)}):
        learn(settings, say, resume=resume, anew=anew)


def ppo(
    config: Config,
    /,
    *overrides: Annotated[str, Parameter(name="KEY=VALUE", group=_PPO, help=OVERRIDES)],
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Train a bot in one seat with MaskablePPO of stable-baselines3.

    It plays on the same tables as `buck train` and writes the same kind of bot, so that the two can be compared.
    Ctrl-C stops the run and saves the bot as it is.

    Example: `buck ppo ohio seed=3 out=runs/mine`
    """
    from training.learning.sb3.ppo import PPOConfig
    from training.learning.sb3.ppo import train as learn

    settings, out = configuration(PPOConfig, "ppo", config, overrides)
    with writing({"out=": out}):
        learn(settings, say, resume=resume, anew=anew)


def exploit(
    agent: Bot,
    /,
    *,
    rules: RulesName = "ohio",
    minutes: Annotated[float, Parameter(help="How long each response learns.")] = 5.0,
    seeds: Annotated[Whole, Parameter(help="The number of responses; the best of them counts.")] = 1,
    seed: Annotated[Whole, Parameter(help="The seed of the run and of the deals that measure it.")] = 1,
    deals: Annotated[Whole, Parameter(help="The number of duplicate deals that measure it.")] = 20_000,
    search: Annotated[
        Whole, Parameter(help="The number of deals that the search looks at for a decision. 0 leaves it out.")
    ] = 200,
    search_deals: Annotated[Whole, Parameter(help="The number of duplicate deals that measure the search.")] = 2000,
    out: Annotated[Path, Parameter(help="The folder of the response, a bot.")] = Path("runs/exploit"),
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Train a best response to an agent, and measure what it gains.

    A network learns against three copies of the agent (two in games of three), from the agent's own weights if it is a
    network. The points that it gains among them, with a 95% interval, are what the agent can lose to somebody who knows
    how it plays. A search on top of the network, which draws deals as the agent would have acted in them, gains more.

    With several seeds each response has a folder in the one given, and the best is measured anew on deals that did not
    choose it. The search takes minutes to hours: it plays the deals four times at 20 to 70 ms a decision.

    Example: `buck exploit pretrained:ohio --rules ohio --seeds 3`
    """
    from training.learning.gradient.exploit import exploit as respond

    if not minutes > 0:
        raise BuckError(f"--minutes: {minutes} is not allowed; allowed: a number above 0")
    for option, number, least in (
        ("--deals", deals, 2),
        ("--search-deals", search_deals, 2),
        ("--seeds", seeds, 1),
        ("--search", search, 0),
    ):
        if number < least:
            raise BuckError(f"{option}: {number} is not allowed; allowed: {least} or more")
    with writing({"--out ": out}):
        result = respond(
            agent, rules, out=out, minutes=minutes, seed=seed, seeds=seeds, deals=deals, search=search,
            search_deals=search_deals, say=say, resume=resume, anew=anew,
        )  # fmt: skip
        for response in result.responses:
            say(f"seed {response.seed}: gains {response.gain.rounded(3)}, on the deals that choose the best")
        say(f"{agent}: ppo:{result.response} gains {result.gain.rounded(3)} among copies of it, {deals:,} deals")
        if result.search:
            say(
                f"a search of {search:,} deals a decision on top of it gains {result.search.gain.rounded(3)}, "
                f"{result.search.lead.rounded(3)} more than the network on the same {search_deals:,} deals"
            )


def sweep(
    config: Config,
    /,
    *overrides: Annotated[str, Parameter(name="KEY=VALUE", group=_SWEEP, help=OVERRIDES)],
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Train a grid of settings, each with several seeds, and measure all bots on the same deals.

    It prints a table and writes it as Markdown and CSV, with a picture, into the sweep's folder: the mean gain over
    the seeds, with one interval over seeds and one over deals. Ctrl-C keeps the runs that are done; --resume goes on,
    also with more seeds or choices.

    Example: `buck sweep options seeds=[1,2] processes=2`
    """
    import matplotlib  # noqa: F401 - what the picture needs is missed before the runs, not after

    from training.sweep.config import SweepConfig
    from training.sweep.sweep import sweep as carry_out

    settings, out = configuration(SweepConfig, "sweep", config, overrides)
    with writing({"out=": out}):
        print(carry_out(settings, run_of, say, resume=resume, anew=anew))
        say(f"table, figures and picture: {out}")
