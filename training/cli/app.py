"""The command line, `buck`. Each command imports what it needs when it runs, so that help and `rules` stay quick."""

from __future__ import annotations

import argparse
import atexit
import json
import os
import signal
import sys
import textwrap
import threading
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from buck_env import PROFILES, BuckError, __version__, load_rules
from buck_env.game.house import explain_fields
from training.cli.terminal import line, say, told_of_file

if TYPE_CHECKING:
    from buck_env.records import HandRecord
    from training.learning.train_config import RunConfig
    from training.tournament.event import TournamentConfig

__all__ = ["main", "run"]

_ABOUT = """Buck Euchre for reinforcement learning.

  buck rules dirty-clubs              the rules of a profile or a YAML file, every field
  buck verify hands.jsonl             replay hand records through the engine
  buck replay hands.jsonl             draw hand records card by card, as a page
  buck play --rules ohio              play against agents in the terminal
  buck train demo seed=3              self-play PPO from a configuration, with overrides
  buck ppo ohio seed=3                MaskablePPO of stable-baselines3 in one seat
  buck tournament demo deals=5000     round robin on duplicate deals
  buck export runs/ohio --out bundle  a bot as ONNX, for programs in any language
  buck check bundle                   verify such a bundle, made by anyone
  buck evaluate ppo:runs/mine         a bot on fixed deals against fixed agents
  buck scores ppo:runs/mine           what the score does to its drop policy
  buck bot ppo:runs/mine              a bot as a child process of a program in any language
  buck bench                          speed, as a table and as JSON

An agent is named random, rules-v1, pretrained:PROFILE (a bot that comes along), ppo:FOLDER (a bot that `buck train`
wrote; FOLDER@sampled draws its actions), onnx:FOLDER (a bundle), phases:stay=A,else=B (one agent a phase),
FILE.yaml:NAME (a short name of yours), cmd:COMMAND (a program in any language), or module:Class, your own. Rules are
a profile or a YAML file: `base: ohio` and what differs."""

_EXTRAS = {
    "torch": "train",
    "jinja2": "train",
    "tensorboard": "train",
    "matplotlib": "train",
    "scipy": "train",
    "pyarrow": "train",
    "choix": "train",
    "threadpoolctl": "train",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "stable_baselines3": "sb3",
    "sb3_contrib": "sb3",
}
"""The extra that brings a package."""

C = TypeVar("C", bound="RunConfig | TournamentConfig")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when all is well, 1 after an error of the input, 130 after ctrl-C."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a request to end is a ctrl-C
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    parser = _parser()
    options, more = parser.parse_known_args(arguments)
    if any(text.startswith("-") or "=" not in text for text in more) or (more and not hasattr(options, "overrides")):
        parser.error(line(f"unrecognized arguments: {' '.join(more)}"))
    if more:
        options.overrides += more  # argparse leaves overrides that follow an option
    try:
        options.run(options)
        sys.stdout.flush()
        return 0
    except BuckError as error:
        told = str(error)
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get(error.name or "")
        if extra is None:
            raise
        told = f"this command needs {error.name}: pip install 'buck-euchre-rl[{extra}]'"
    except BrokenPipeError:  # who read has gone: nor is there anyone for what a flush at the end would write
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        told = told_of_file(error, options)
    except MemoryError as error:
        told = f"not enough memory: {error}; ask for less at once"
    except KeyboardInterrupt:
        print("\nbuck: stopped", file=sys.stderr)
        return 130
    print(f"buck: {line(told)}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="buck", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"buck {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    rules = commands.add_parser(
        "rules", help="show rules", description="Every field of some rules, and what differs from its profile."
    )
    rules.add_argument(
        "rules", nargs="?", help=f"a profile ({', '.join(PROFILES)}) or a YAML file; none: list the profiles"
    )
    rules.set_defaults(run=_rules)

    verify = commands.add_parser(
        "verify",
        help="replay hand records",
        description="Replay hand records, one JSON object a line, through the engine: every phase, seat, legal set and "
        "result, and matches as sequences. Prints the first difference in words and exits 1.",
    )
    verify.add_argument("files", nargs="+", type=Path, metavar="FILE")
    verify.set_defaults(run=_verify)

    replay = commands.add_parser(
        "replay",
        help="draw hand records card by card",
        description="Write a page for a browser in which hands can be stepped through, from hand records of any game "
        "that `buck verify` confirms, or of one deal of a tournament, played again in all its line-ups, as in: "
        "buck replay runs/tournament --deal 17 --out hands.html",
    )
    replay.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="hand records, or with --deal a tournament's folder"
    )
    replay.add_argument("--deal", type=int, default=None, help="the deal of a tournament; the first is 0")
    replay.add_argument(
        "--run-code", action="store_true", help="with --deal: run the programs and classes that the event names"
    )
    replay.add_argument("--out", type=_file, required=True, metavar="FILE", help="the page, as in hands.html")
    replay.add_argument("--hands", type=int, default=100, help="hands to draw (default: 100)")
    replay.add_argument("--skip", type=int, default=0, help="hands to leave out before them (default: 0)")
    replay.set_defaults(run=_replay)

    play = commands.add_parser("play", help="play against agents", description="Play in the terminal against agents.")
    play.add_argument("--rules", default="ohio", help="a profile or a YAML file (default: ohio)")
    play.add_argument(
        "--against", default="rules-v1", metavar="AGENT", help="who plays the other seats (default: rules-v1)"
    )
    play.add_argument("--seat", type=int, default=0, help="your seat (default: 0)")
    play.add_argument("--seed", type=int, default=None, help="deal the same cards again")
    play.add_argument("--hands", type=int, default=None, help="stop after so many hands; default: play a match")
    play.add_argument(
        "--record", type=_file, default=None, metavar="FILE", help="write the hands played as hand records"
    )
    play.set_defaults(run=_play)

    train = commands.add_parser(
        "train",
        help="self-play PPO",
        description="Train a bot by self-play from a configuration: a YAML file, or the name of a shipped one. "
        "Overrides are key=value, as in: buck train ohio seed=3 decisions=20000000 out=runs/mine. "
        "Ctrl-C saves the bot as it is.",
    )
    train.set_defaults(run=_train)

    ppo = commands.add_parser(
        "ppo",
        help="MaskablePPO in one seat",
        description="Train a bot in one seat against agents with MaskablePPO of stable-baselines3, from a "
        "configuration as for `buck train`. Overrides are key=value, as in: "
        "buck ppo ohio opponents=[random] vec=dummy envs=8 out=runs/mine. "
        "Ctrl-C saves the bot as it is once the rollout has been learned from.",
    )
    ppo.set_defaults(run=_ppo)

    tournament = commands.add_parser(
        "tournament",
        help="round robin on duplicate deals",
        description="Play a round robin from a configuration: each agent alone among each other and in mixed "
        "line-ups, in every seat of the same deals. Prints a table and writes report.html, results.csv, results.json, "
        "payoff.png, and the hands as they are played, as Parquet. Overrides are key=value, as in: "
        "buck tournament ohio agents=[rules-v1,random,ppo:runs/mine] deals=5000 processes=2. "
        "Ctrl-C reports on what was played; --resume goes on.",
    )
    tournament.add_argument("--until", metavar="X", help="stop once edges and gains are known to ± X (until=X)")
    tournament.add_argument(
        "--ray",
        nargs="?",
        const="auto",
        metavar="ADDRESS",
        help="play on a Ray cluster (ray=ADDRESS; default: ray=auto)",
    )
    tournament.set_defaults(run=_tournament)

    for configured in (train, ppo, tournament):
        configured.add_argument("config", help="a YAML file, or a shipped configuration")
        configured.add_argument("overrides", nargs="*", metavar="key=value")
        kept = configured.add_mutually_exclusive_group()
        kept.add_argument("--resume", action="store_true", help="go on with the run or event in its folder")
        kept.add_argument("--anew", action="store_true", help="replace the run or unfinished event in its folder")

    export = commands.add_parser(
        "export",
        help="a bot as ONNX, for programs in any language",
        description="Write a bundle: model.onnx, bot.json with all that a host must know, samples.jsonl by which a "
        "port proves itself, and SHA256SUMS. Its strength is measured on duplicate deals and written into bot.json.",
    )
    export.add_argument("bot", metavar="BOT", help="a folder that `buck train` wrote, ppo:FOLDER or pretrained:NAME")
    export.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="the folder of the bundle")
    export.add_argument("--int8", action="store_true", help="weights as 8 bits: a quarter of the size")
    export.add_argument("--level", choices=("easy", "medium", "hard"), help="weaker play (default: the bot itself)")
    export.add_argument("--deals", type=int, default=2000, help="deals to measure it on (default: 2000; 0: none)")
    export.add_argument("--samples", type=int, default=64, help="positions in samples.jsonl (default: 64)")
    export.add_argument("--license", default="MIT", metavar="SPDX", help="the licence of the bot (default: MIT)")
    export.set_defaults(run=_export)

    check = commands.add_parser(
        "check",
        help="verify a bundle",
        description="Verify a bundle made by anyone: checksums, versions, layout, that the model is plain arithmetic "
        "in one file, and that engine and model agree with every sample. Prints the first fault and exits 1.",
    )
    check.add_argument("folder", type=Path, metavar="FOLDER")
    check.set_defaults(run=_check)

    evaluate = commands.add_parser(
        "evaluate",
        help="measure a bot on fixed deals",
        description="Measure an agent on the fixed deals standard-v1 against random, rules-v1 and the pretrained bot "
        "of its rules: a line for each with 95% intervals, and JSON.",
    )
    evaluate.add_argument("agent", metavar="BOT", help="an agent, as in ppo:runs/mine")
    evaluate.add_argument("--rules", default="ohio", help="a profile or a YAML file (default: ohio)")
    evaluate.add_argument(
        "--against", nargs="+", default=[], metavar="AGENT", help="other opponents than the standard ones"
    )
    evaluate.add_argument("--deals", type=int, default=20_000, help="only so many of the deals (default: 20,000, all)")
    evaluate.add_argument(
        "--json", type=_file, default=Path("runs/evaluation.json"), metavar="FILE", help="default: runs/evaluation.json"
    )
    evaluate.add_argument("--card", type=_file, default=None, metavar="FILE", help="write the bot's card, as Markdown")
    evaluate.set_defaults(run=_evaluate)

    scores = commands.add_parser(
        "scores",
        help="what the score does to a bot's drop policy",
        description="How often a bot stays, and by how much that moves when only the scores are changed, with 95% "
        "intervals, and JSON.",
    )
    scores.add_argument("agent", metavar="BOT", help="an agent, as in ppo:runs/mine")
    scores.add_argument("--rules", default="ohio", help="a profile or a YAML file (default: ohio)")
    scores.add_argument("--decisions", type=int, default=5000, help="stay decisions, a deal each (default: 5000)")
    scores.add_argument(
        "--json", type=_file, default=Path("runs/scores.json"), metavar="FILE", help="default: runs/scores.json"
    )
    scores.set_defaults(run=_scores)

    bot = commands.add_parser(
        "bot",
        help="a bot as a child process",
        description="Read positions as JSON lines on standard input and answer each with the bot's action on standard "
        "output. The lines are those that an agent cmd:COMMAND is sent; agents/README.md tells them.",
    )
    bot.add_argument("agent", metavar="BOT", help="an agent, as in ppo:runs/mine")
    bot.add_argument("--rules", default=None, help="a profile or a YAML file (default: what the first line says)")
    bot.set_defaults(run=_bot)

    bench = commands.add_parser(
        "bench", help="measure speed", description="Decisions a second, as a table and as JSON."
    )
    bench.add_argument("--seconds", type=float, default=1.0, help="about how long each figure is measured (default: 1)")
    bench.add_argument(
        "--json", type=_file, default=Path("runs/bench.json"), metavar="FILE", help="default: runs/bench.json"
    )
    bench.add_argument(
        "what",
        nargs="?",
        choices=["speed", "learn", "tournament"],
        default="speed",
        help="environments (default), learning, or tournaments",
    )
    bench.add_argument(
        "--minutes",
        type=float,
        default=20.0,
        help="learn: what MaskablePPO gets, twice (default: 20; 0: none)",
    )
    bench.set_defaults(run=_bench)
    return parser


def _file(text: str) -> Path:
    """A file to be written."""
    path = Path(text)
    if not path.name or text.endswith(os.sep) or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} names no file but a folder")
    return path


def _rules(options: argparse.Namespace) -> None:
    if options.rules is None:
        for rules in PROFILES.values():
            print(f"{rules.base:<18}{rules.seats} seats, {rules.start} to {rules.target}, {_making(rules)}")
        return
    rules = load_rules(options.rules)
    different = rules.differences()
    print(rules.name)
    for name, (allowed, meaning) in explain_fields().items():
        mark = f"   (in {rules.base}: {_yaml(getattr(PROFILES[rules.base], name))})" if name in different else ""
        print(f"  {name}: {_yaml(getattr(rules, name))}{mark}")
        print(textwrap.fill(f"{meaning} Allowed: {allowed}.", 100, initial_indent=" " * 6, subsequent_indent=" " * 6))


def _making(rules: Any) -> str:
    return {"order": "two circuits over the upcard", "bid": "an auction", "dealer": "the dealer is stuck"}[rules.making]


def _yaml(value: Any) -> str:
    return json.dumps(value).strip('"')


def _verify(options: argparse.Namespace) -> None:
    print(f"{sum(1 for _ in _confirmed(options.files))} hands agree with the engine")


def _confirmed(paths: Sequence[Path]) -> Iterator[tuple[str, HandRecord, int]]:
    """The records of files of hand records, as `records.confirmed` gives them; a match is within one file."""
    from buck_env.base.errors import RecordError
    from buck_env.records import confirmed, read_records

    for path in paths:
        empty = True
        for told in confirmed(read_records(path)):
            empty = False
            yield told
        if empty:
            raise RecordError(f"{path}: holds no record")


def _replay(options: argparse.Namespace) -> None:
    from buck_env.base.files import replace_file
    from training.tournament.pages import draw_hands, page

    if options.hands < 1:
        raise BuckError(f"--hands: {options.hands} is too few; allowed: 1 or more")
    title = ", ".join(path.name for path in options.files)
    if options.deal is not None:
        from training.tournament.ledger import EVENT_FILE
        from training.tournament.replays import replay_deal

        folder = options.files[0]
        if len(options.files) > 1 or not folder.is_dir():
            raise BuckError(f"--deal: {folder}: one tournament's folder is needed, as in buck replay runs/tournament")
        inside = [folder / EVENT_FILE, folder / "hands", folder / "matches"]
        title = f"{title}, deal {options.deal}"
    else:
        if any(path.is_dir() for path in options.files):
            raise BuckError(f"{title}: is a folder; where it is a tournament's, say which deal, as in --deal 17")
        inside = options.files
    out = options.out.resolve()
    if any(out.is_relative_to(path.resolve()) for path in inside):
        raise BuckError(f"--out: {options.out} is one of the files to be drawn; name another, as in hands.html")
    if options.deal is not None:
        every = replay_deal(folder, options.deal, run_code=options.run_code)
        hands, count = every[max(0, options.skip) :][: options.hands], len(every)
    else:
        hands, count = draw_hands(_confirmed(options.files), skip=options.skip, most=options.hands)
    if not 0 <= options.skip < count:
        raise BuckError(
            f"--skip: {options.skip} is not allowed; allowed: 0 to {count - 1}, for there are {count} hands"
        )
    drawn = page("hands.html", title=line(title), hands=hands, first=options.skip + 1, count=count)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    replace_file(options.out, drawn.encode())
    say(f"{len(hands)} of {count} hands: {options.out}")


def _play(options: argparse.Namespace) -> None:
    from training.cli.play import play

    play(options.rules, options.against, options.seat, options.seed, options.hands, options.record)


def _configured(kind: type[C], folder: str, options: argparse.Namespace, *more: str) -> C:
    """The configuration of a command, from a file or a folder of shipped ones, with its overrides and some more."""
    from training.base.config import find_config, load_config

    config = load_config(kind, find_config(options.config, folder), [*options.overrides, *more])
    options.out = Path(config.out)
    if not str(options.out).isprintable():
        raise BuckError(f"out: {str(options.out)!r} is not allowed; allowed: a folder whose name can be printed")
    return config


def _train(options: argparse.Namespace) -> None:
    from training.learning.self_play import TrainConfig, train

    train(_configured(TrainConfig, "train", options), say, resume=options.resume, anew=options.anew)


def _ppo(options: argparse.Namespace) -> None:
    from training.learning.sb3.ppo import PPOConfig, train

    train(_configured(PPOConfig, "ppo", options), say, resume=options.resume, anew=options.anew)


def _tournament(options: argparse.Namespace) -> None:
    import choix  # noqa: F401 - what the report needs is missed before the event, not after
    import jinja2  # noqa: F401
    import matplotlib  # noqa: F401

    from training.tournament.event import TournamentConfig, play_tournament
    from training.tournament.report import results_table, write_report

    more = []
    if options.until is not None:
        more.append(f"until={options.until}")
    if options.ray and "=" in options.ray:  # an override: argparse gives an option whatever follows it
        more += [options.ray, "ray=auto"]
    elif options.ray is not None:
        more.append(f"ray={json.dumps(options.ray)}")  # as text, also where it is empty
    config = _configured(TournamentConfig, "tournaments", options, *more)
    results = play_tournament(config, keep=True, resume=options.resume, anew=options.anew)
    report = write_report(results)
    print(results_table(results))
    print()
    say(f"report: {report}")


def _export(options: argparse.Namespace) -> None:
    from training.export.bundles import export

    export(
        options.bot,
        options.out,
        int8=options.int8,
        level=options.level,
        deals=options.deals,
        samples=options.samples,
        license=options.license,
    )


def _check(options: argparse.Namespace) -> None:
    from training.export.bundles import check_bundle

    say(check_bundle(options.folder))


def _evaluate(options: argparse.Namespace) -> None:
    from buck_env.base.files import replace_file
    from training.learning.card import bot_card, trained_bot
    from training.measuring.evaluate import DEALS, evaluate

    if not 2 <= options.deals <= DEALS:
        raise BuckError(f"--deals: {options.deals} is not allowed; allowed: 2 to {DEALS}")
    bot = trained_bot(options.agent, options.rules) if options.card else None
    report = evaluate(options.agent, options.rules, against=options.against, deals=options.deals, out=options.json)
    if bot:
        replace_file(options.card, bot_card(bot, report).encode())
    print(f"figures: {options.json}")


def _scores(options: argparse.Namespace) -> None:
    from training.measuring.scores import stay_rates

    if not 2 <= options.decisions <= 10**6:
        raise BuckError(f"--decisions: {options.decisions} is not allowed; allowed: 2 to 1000000")
    stay_rates(options.agent, options.rules, decisions=options.decisions, out=options.json)
    print(f"figures: {options.json}")


def _bot(options: argparse.Namespace) -> None:
    from agents import load_agent
    from agents.programs.serve import serve

    with redirect_stdout(sys.stderr):  # what an agent prints is no answer
        rules = load_rules(options.rules) if options.rules else None
        serve(options.agent, load_agent, rules, sys.stdin.buffer, sys.__stdout__.buffer)  # type: ignore[arg-type, union-attr]


def _bench(options: argparse.Namespace) -> None:
    if options.what == "learn":
        from training.bench.learn import bench_learn

        bench_learn(options.seconds, options.minutes, options.json)
    elif options.what == "tournament":
        from training.bench.tournament import bench_tournament

        bench_tournament(options.seconds, options.json)
    else:
        from training.bench.speed import bench

        bench(options.seconds, options.json)


def _tell_of_thread(failed: threading.ExceptHookArgs) -> None:
    """An OSError of the thread that writes the logs is raised again where they are written to, and told once."""
    if not issubclass(failed.exc_type, OSError):
        threading.__excepthook__(failed)


def run() -> None:
    """The program `buck`. After ctrl-C or an error it ends at once: threads may be in the midst of something."""
    threading.excepthook = _tell_of_thread
    code = main()
    if code:
        atexit._run_exitfuncs()  # programs that play are ended
        with suppress(OSError):  # a full disk has been told
            sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    run()
