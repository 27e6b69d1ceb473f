"""The commands for browsers and programs elsewhere: serve, site."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from cyclopts import Parameter

from buck_env import BuckError
from training.cli.options import Flag, Whole
from training.cli.terminal import say, writing

__all__ = ["serve", "site"]


def serve(
    *,
    bots: Annotated[
        list[str] | None,
        Parameter(
            metavar="AGENT",
            consume_multiple=(1, None),
            help="The bots that may be asked, the default first. Without it: pretrained, rules-v1 and random.",
        ),
    ] = None,
    rules: Annotated[
        list[str] | None,
        Parameter(
            metavar="RULES",
            consume_multiple=(1, None),
            help="The rules to load bots for: profiles, shipped house rules or YAML files. Without it: the profiles.",
        ),
    ] = None,
    host: Annotated[str, Parameter(help="The address to listen at. 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[Whole, Parameter(help="The port; 0 takes a free one.")] = 8000,
    rate: Annotated[float, Parameter(help="Requests a second of one address; 0 sets no limit.")] = 1000.0,
    seconds: Annotated[float, Parameter(help="Seconds within which an answer begins.")] = 10.0,
    origins: Annotated[
        list[str] | None,
        Parameter(metavar="ORIGIN", consume_multiple=(1, None), help="Sites whose pages may ask, as https://my.site."),
    ] = None,
    no_table: Annotated[
        Flag,
        Parameter(help="Leave out the table for the browser: the service starts sooner, and answers programs alone."),
    ] = False,
) -> None:
    """Answer over HTTP for bots, and show a table for the browser at which they sit.

    A program sends a seat's view to /decide and gets the action, its probabilities and its value; /analyse is the
    command analyse. The page /docs describes every request. Only the bots named here can be asked.

    Example: `buck serve --bots pretrained ppo:runs/mine --rules ohio`
    """
    if not 0 <= port <= 65535:
        raise BuckError(f"--port: {port} is not allowed; allowed: 0 to 65535")
    if not rate >= 0:
        raise BuckError(f"--rate: {rate:g} is not allowed; allowed: 0 or more")
    if not 0 < seconds <= 3600:
        raise BuckError(f"--seconds: {seconds:g} is not allowed; allowed: more than 0, at most 3600")
    from agents.pretrained import pretrained_names
    from buck_env import PROFILES, load_rules
    from training.web.bots import load_bots
    from training.web.limits import Limits
    from training.web.running import run_service
    from training.web.site import write_site

    served = [load_rules(name) for name in rules or PROFILES]
    loaded = load_bots(bots or ["pretrained", "rules-v1", "random"], served)
    limits = Limits(rate=rate, seconds=seconds)
    known = {house.name for house in served}
    if no_table:
        run_service(loaded, limits, host, port, origins=origins or ())
        return
    with TemporaryDirectory(prefix="buck-") as folder:
        table = Path(folder)
        write_site(table, bots=[name for name in pretrained_names() if name in known], agents=loaded.seated())
        run_service(loaded, limits, host, port, site=table, origins=origins or ())


def site(
    *, out: Annotated[Path, Parameter(metavar="FOLDER", help="The folder of the site: new, or an earlier site.")]
) -> None:
    """Write the table for a browser as a folder.

    Any file host can show it, and it works without a network once it has been opened. In it a person plays whole
    matches of every profile and of house rules against the pretrained bots, rules-v1, random and bundles of their own.

    Example: `buck site --out site`, then `python -m http.server --directory site`
    """
    from training.web.site import write_site

    with writing({"--out ": out}):
        count = write_site(out)
    say(f"{out}: {count} files; any file host can show them, for example: python -m http.server --directory {out}")
