"""The arguments and options that several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import ArgumentCollection, Group, Parameter, Token

__all__ = ["OVERRIDES", "Anew", "Bot", "Config", "Flag", "OutputFile", "Resume", "RulesName", "Whole"]


def _output_file(_: Any, tokens: Sequence[Token]) -> Path:
    text = tokens[0].value
    path = Path(text)
    if not path.name or text.endswith(os.sep) or path.is_dir():
        raise ValueError(f"{text!r} names no file but a folder")
    return path


def _whole(_: Any, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]+", text, re.ASCII):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def _exclusive(arguments: ArgumentCollection) -> None:
    given = [argument.name for argument in arguments if argument.value]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(given)} exclude each other")


_EARLIER = Group("Earlier results in the folder", validator=_exclusive)

OutputFile = Annotated[Path, Parameter(converter=_output_file)]
"""A file that the command writes."""

Whole = Annotated[int, Parameter(converter=_whole)]
"""A whole number; one with a fraction is refused, not rounded."""

Flag = Annotated[bool, Parameter(show_default=False)]
"""An option that is given or not, without a value."""

RulesName = Annotated[str, Parameter(help="The rules: a profile, a shipped house rule or a YAML file.")]

Bot = Annotated[str, Parameter(help="The agent, as in ppo:runs/mine. `buck --help` lists the kinds.")]

Config = Annotated[str, Parameter(help="A YAML file, or the name of a shipped configuration (listed below).")]

OVERRIDES = (
    "Settings that replace those of the configuration. A default below holds where the configuration does not set it."
)

Resume = Annotated[Flag, Parameter(group=_EARLIER, help="Go on with the run or event.")]

Anew = Annotated[Flag, Parameter(group=_EARLIER, help="Replace the run or the unfinished event.")]
