"""The commands that take bots and hands elsewhere: export, check, dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from buck_env import BuckError
from training.cli.options import Flag, Whole
from training.cli.terminal import say, writing

__all__ = ["check", "dataset", "export"]


def export(
    bot: Annotated[str, Parameter(help="A folder that `buck train` wrote, ppo:FOLDER or pretrained:NAME.")],
    /,
    *,
    out: Annotated[Path, Parameter(metavar="FOLDER", help="The folder of the bundle.")],
    int8: Annotated[Flag, Parameter(help="Keep weights in 8 bits: a quarter of the size.")] = False,
    level: Annotated[
        Literal["easy", "medium", "hard"] | None, Parameter(help="Weaker play. Without it, the bot plays as it is.")
    ] = None,
    deals: Annotated[Whole, Parameter(help="The number of deals on which its strength is measured. 0: none.")] = 2000,
    samples: Annotated[Whole, Parameter(help="The number of positions in samples.jsonl.")] = 64,
    license: Annotated[str, Parameter(metavar="SPDX", help="The licence of the bot.")] = "MIT",
) -> None:
    """Write a bot as an ONNX bundle, for programs in any language.

    A bundle holds model.onnx, bot.json with all that a host must know, samples.jsonl with which a port can be checked,
    and SHA256SUMS. The bot's strength is measured on duplicate deals and written into bot.json.

    Example: `buck export runs/ohio --out bundle`
    """
    from training.export.bundles import export as write_bundle

    with writing({"--out ": out}):
        write_bundle(bot, out, int8=int8, level=level, deals=deals, samples=samples, license=license)


def check(folder: Annotated[Path, Parameter(help="The folder of the bundle.")], /) -> None:
    """Verify an ONNX bundle, whoever made it.

    It checks checksums, versions and layout, that the model is plain arithmetic in one file, and that engine and model
    agree with every sample. It prints the first fault and exits with 1.

    Example: `buck check bundle`
    """
    from training.export.bundles import check_bundle

    say(check_bundle(folder))


def dataset(
    event: Annotated[Path, Parameter(help="The folder of a tournament.")],
    /,
    *,
    out: Annotated[Path, Parameter(metavar="FOLDER", help="The folder of the data set, new or empty.")],
    deals: Annotated[
        Whole, Parameter(help="The number of deals to take, from the first on, in all their seatings.")
    ] = 100,
    run_code: Annotated[Flag, Parameter(help="Run the programs and classes that the event names.")] = False,
) -> None:
    """Write hands of a tournament as a data set for offline learning, in the format of Farama's Minari.

    An episode is a hand as one seat saw it: views, legal actions, what it did, and the points. The agents of the event
    play the deals again, and a hand that comes to other points than then is left out. A card, README.md, says what the
    data set holds.

    Example: `buck dataset runs/tournament --deals 1000 --out runs/dataset`
    """
    from training.dataset.dataset import write_dataset

    if not 1 <= deals <= 10**7:
        raise BuckError(f"--deals: {deals} is not allowed; allowed: 1 to {10**7}")
    with writing({"--out ": out}):
        written = write_dataset(event, out, deals, run_code=run_code)
        say(f"{written.name}: {written.episodes.total():,} episodes, {written.steps:,} decisions: {out}")
