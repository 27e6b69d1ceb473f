"""What a best response to an agent has come to, and the file that keeps it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from buck_env import BuckError
from buck_env.base.files import write_json
from training.base.provenance import versions
from training.measuring.estimates import Estimate

__all__ = ["RESULT_FILE", "Exploit", "Response", "SearchGain", "read_exploit", "write_exploit"]

RESULT_FILE: Final = "exploit.json"
"""The file in the folder of a best response."""


@dataclass(frozen=True)
class Response:
    """A network that learned against copies of an agent with one of several seeds."""

    folder: str
    """The folder of the bot."""
    seed: int
    gain: Estimate
    """The points a hand that it gains among them, on the deals that choose the best response."""


@dataclass(frozen=True)
class SearchGain:
    """What a search on top of the best response gains."""

    number: int
    """The deals that the search looks at for a decision."""
    deals: int
    """The duplicate deals that measured it."""
    lead: Estimate
    """The points a hand that it scores above the network in the same seats of the same deals."""
    gain: Estimate
    """The points a hand that it gains: the network's gain, from many other deals, and the lead on top.

    The network is the control variate: most of its decisions are the search's too, so that much of the luck with the
    cards is in neither interval.
    """


@dataclass(frozen=True)
class Exploit:
    """What a best response to an agent has come to."""

    agent: str
    """The agent that was to be exploited."""
    rules: str
    response: str
    """The folder of the best response, a bot."""
    minutes: float
    """How long each response learned."""
    seed: int
    """The first seed."""
    deals: int
    gain: Estimate
    """The points a hand that the best response gains among copies of the agent, on deals that did not choose it."""
    decisions: int
    """How many decisions the best response learned from in that time: more on a quicker core."""
    sha256: str | dict[str, Any] | None = None
    """The checksum of the agent's weights."""
    responses: tuple[Response, ...] = ()
    """Every response where there were several seeds, in their order."""
    search: SearchGain | None = None
    """What a search on top of the best response gains."""


def write_exploit(folder: Path, found: Exploit) -> None:
    """Write what a best response has come to into a folder."""
    write_json(folder / RESULT_FILE, {**asdict(found), "versions": versions()})


def read_exploit(path: Path) -> Exploit:
    """Read what `write_exploit` wrote; BuckError says what is wrong with the file."""
    try:
        return TypeAdapter(Exploit).validate_json(path.read_bytes())
    except OSError as error:
        raise BuckError(f"{path}: cannot be read: {error.strerror}; `buck exploit` writes such a file") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BuckError(
            f"{path}: {where + ': ' if where else ''}{first['msg']}; give an {RESULT_FILE} that `buck exploit` wrote"
        ) from None
