"""The commands that take a bot to programs in other languages: export, check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from training.cli.options import Flag, Whole
from training.cli.terminal import say, writing

__all__ = ["check", "export"]


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
