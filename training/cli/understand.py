"""The commands that value decisions: analyse, label."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from buck_env import BuckError
from training.cli.options import Anew, OutputFile, Resume, RulesName, Whole
from training.cli.terminal import line, say, writing

__all__ = ["analyse", "label"]

_MOST_DEALS = 1_000_000


def analyse(
    position: Annotated[
        Path | None, Parameter(help="A file with a seat's view or a hand record cut short; - reads standard input.")
    ] = None,
    /,
    *,
    review: Annotated[
        Path | None, Parameter(metavar="GAME", help="Go through a file of hand records instead.", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        Parameter(
            metavar="AGENT",
            help="The agent that is taken to have decided for the others and to play on at every seat. "
            "The default is the pretrained bot of the rules, or rules-v1.",
        ),
    ] = None,
    rules: Annotated[str | None, Parameter(help="The rules the file must be of; the default is its own.")] = None,
    deals: Annotated[
        Whole | None, Parameter(help="Deals for each decision; the default is 1000, of a review 200.")
    ] = None,
    matches: Annotated[Whole, Parameter(help="Matches that are played to their end; 0 leaves the chance out.")] = 400,
    seat: Annotated[Whole | None, Parameter(help="Of a review, the only seat to look at.")] = None,
    seed: Annotated[Whole, Parameter(help="The seed of what is drawn.")] = 0,
    json: Annotated[OutputFile | None, Parameter(help="A file for all figures.")] = None,
    picture: Annotated[OutputFile | None, Parameter(help="A file for a picture of a position, .svg or .png.")] = None,
) -> None:
    """Say how good each action of a decision was.

    The deals that fit what the seat knows are drawn, weighted by how likely the model was to do what the others did,
    and played on from every legal action. It prints points and chances to win the match, with 95% intervals. With
    --review it lists what each decision of a game lost, largest first.

    Example: `buck analyse position.json --deals 2000`
    """
    if (position is None) == (review is None):
        raise BuckError("analyse: a position or --review GAME is needed, not both")
    deals = deals if deals is not None else 1000 if review is None else 200
    _check("--deals", deals, 4, _MOST_DEALS)
    _check("--seed", seed, 0, 2**63 - 1)
    with writing({"--json ": json, "--picture ": picture}):
        if review is not None:
            if picture is not None:
                raise BuckError("--picture: a picture shows one position; leave it out, or leave out --review")
            _review(review, model, rules, deals, seat, seed, json)
        elif position is not None:
            if seat is not None:
                raise BuckError("--seat: is for --review; of a position, the seat to act is analysed")
            if matches:
                _check("--matches", matches, 4, _MOST_DEALS)
            _analyse(position, model, rules, deals, matches, seed, json, picture)


def _check(option: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BuckError(f"{option}: {value} is not allowed; allowed: {least} to {most}")


def _analyse(
    position: Path,
    model: str | None,
    rules: str | None,
    deals: int,
    matches: int,
    seed: int,
    json: Path | None,
    picture: Path | None,
) -> None:
    from numpy.random import default_rng

    from buck_env import load_rules
    from buck_env.base.files import replace_file, write_json
    from training.analysis.analysis import analyse, analysis_record, analysis_table
    from training.analysis.analyst import make_analyst
    from training.analysis.position import read_position

    form = ""
    if picture is not None:
        from training.analysis.picture import analysis_picture, picture_format

        form = picture_format(picture)
    uniform = float(default_rng(seed).random())
    views = read_position(position, None if rules is None else load_rules(rules), uniform=uniform)
    found = analyse(views, make_analyst(views.rules, model, seed=seed), deals, matches)
    print("\n".join(map(line, analysis_table(found).split("\n"))))
    if json is not None:
        write_json(json, analysis_record(found))
        print(f"figures: {json}")
    if picture is not None:
        picture.parent.mkdir(parents=True, exist_ok=True)
        replace_file(picture, analysis_picture(found, form))
        print(f"picture: {picture}")


def _review(
    game: Path, model: str | None, rules: str | None, deals: int, seat: int | None, seed: int, json: Path | None
) -> None:
    from buck_env import load_rules
    from buck_env.base.files import write_json
    from buck_env.records import confirmed, read_records
    from training.analysis.analyst import make_analyst
    from training.analysis.review import read_game, review, review_record, review_text

    decisions = read_game(confirmed(read_records(game)), seat=seat, seed=seed)
    own = decisions.views.rules
    if rules is not None and load_rules(rules) != own:
        raise BuckError(f"{game}: is of the rules {own.name}, where {load_rules(rules).name} is asked for")
    found = review(decisions, make_analyst(own, model, seed=seed), deals)
    print("\n".join(map(line, review_text(found).split("\n"))))
    if json is not None:
        write_json(json, review_record(found))
        print(f"figures: {json}")


def label(
    *,
    out: Annotated[Path, Parameter(help="The folder for the labels.")],
    rules: RulesName = "ohio",
    agents: Annotated[
        list[str] | None,
        Parameter(
            metavar="AGENT",
            consume_multiple=(1, None),
            help="Who plays the hands; chance decides who sits where. The default is the model.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        Parameter(
            metavar="AGENT",
            help="The agent that plays on, as in analyse. The default is the pretrained bot of the rules, or rules-v1.",
        ),
    ] = None,
    positions: Annotated[Whole, Parameter(help="The number of positions.")] = 1000,
    phases: Annotated[
        str | None, Parameter(help="The phases to take, as in stay,bid,play. The default is all of the rules.")
    ] = None,
    deals: Annotated[Whole, Parameter(help="Deals for each position.")] = 64,
    seed: Annotated[Whole, Parameter(help="The seed of the hands.")] = 0,
    processes: Annotated[Whole, Parameter(help="The number of processes, of a core each.")] = 1,
    ray: Annotated[
        str | None, Parameter(metavar="[ADDRESS]", help="Work on a Ray cluster. Without an address: auto.")
    ] = None,
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Write the values of the actions of many positions, as Parquet.

    The positions come from hands that the agents play, one of a hand. Beside the files lies a data card, README.md. An
    interrupted run goes on with --resume, and the files are then the same.

    Example: `buck label --agents rules-v1 pretrained:ohio --phases stay --positions 5000 --out runs/labels`
    """
    from buck_env import load_rules
    from training.analysis.analyst import default_model
    from training.analysis.label_files import write_labels
    from training.analysis.labels import Labelling

    _check("--positions", positions, 1, 10**9)
    _check("--deals", deals, 2, _MOST_DEALS)
    _check("--seed", seed, 0, 2**63 - 1)
    _check("--processes", processes, 1, 1024)
    game = load_rules(rules)
    player = model or default_model(game)
    chosen = game.phases if phases is None else tuple(phases.split(","))
    labelling = Labelling(game, tuple(agents or [player]), player, chosen, positions, deals, seed)
    with writing({"--out ": out}):
        files = write_labels(labelling, out, processes=processes, ray=ray, resume=resume, anew=anew)
        say(f"{positions:,} positions in {len(files)} files: {out}")
