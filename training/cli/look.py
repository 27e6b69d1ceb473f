"""The commands that look at rules and hand records: rules, verify, replay."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from buck_env import BuckError
from buck_env.game.options import Making
from training.cli.options import Flag, OutputFile, Whole
from training.cli.terminal import line, say, writing

if TYPE_CHECKING:
    from buck_env.records import HandRecord

__all__ = ["replay", "show_rules", "verify"]


def show_rules(
    rules: Annotated[
        str | None,
        Parameter(
            help="A profile, a shipped house rule or a YAML file. Without it, all names are listed.", show_default=False
        ),
    ] = None,
    /,
) -> None:
    """Show the rules of a profile, a shipped house rule or a YAML file.

    It prints every field with its value, what it means, what is allowed, and where it differs from its profile.

    Example: `buck rules dirty-clubs`
    """
    from buck_env import PROFILES, load_rules
    from buck_env.base.shipped import shipped_configs
    from buck_env.base.yaml import in_yaml
    from buck_env.game.house import explain_fields

    if rules is None:
        for profile in PROFILES.values():
            players = f"{profile.seats} seats, {profile.start} to {profile.target}"
            print(f"{profile.base:<18}{players}, {_MAKING[profile.making]}")
        for name, path in shipped_configs("rules").items():
            print(f"{name:<18}{load_rules(path).name}")
        return
    shown = load_rules(rules)
    different = shown.differences()
    print(shown.name)
    for name, (allowed, meaning) in explain_fields().items():
        mark = f"   (in {shown.base}: {in_yaml(getattr(PROFILES[shown.base], name))})" if name in different else ""
        print(f"  {name}: {in_yaml(getattr(shown, name))}{mark}")
        print(textwrap.fill(f"{meaning} Allowed: {allowed}.", 100, initial_indent=" " * 6, subsequent_indent=" " * 6))


_MAKING = {
    Making.ORDER: "two circuits over the upcard",
    Making.BID: "an auction",
    Making.DEALER: "the dealer is stuck",
}


def verify(
    files: Annotated[list[Path], Parameter(help="Files of hand records, one JSON object a line.")],
    /,
) -> None:
    """Replay hand records through the engine, to confirm that they follow the rules.

    It compares every phase, seat, set of legal actions and result, and follows each match through its hands. At the
    first difference it prints what differs and exits with 1.

    Example: `buck verify hands.jsonl`
    """
    print(f"{sum(1 for _ in _confirmed(files))} hands agree with the engine")


def _confirmed(paths: Sequence[Path]) -> Iterator[tuple[str, HandRecord, int]]:
    """The records of files of hand records, as `records.confirmed` yields them; a match is within one file."""
    from buck_env.base.errors import RecordError
    from buck_env.records import confirmed, read_records

    for path in paths:
        empty = True
        for record in confirmed(read_records(path)):
            empty = False
            yield record
        if empty:
            raise RecordError(f"{path}: holds no record")


def replay(
    files: Annotated[list[Path], Parameter(help="Files of hand records, or with --deal the folder of a tournament.")],
    /,
    *,
    out: Annotated[OutputFile, Parameter(help="The page to write, as in hands.html.")],
    deal: Annotated[Whole | None, Parameter(help="The deal of a tournament to draw. The first is 0.")] = None,
    run_code: Annotated[
        Flag, Parameter(help="With --deal, run the programs and classes that the event names.")
    ] = False,
    hands: Annotated[Whole, Parameter(help="The number of hands to draw.")] = 100,
    skip: Annotated[Whole, Parameter(help="The number of hands to leave out before them.")] = 0,
) -> None:
    """Write a page on which hands can be stepped through card by card in a browser.

    The hands come from hand records of any game that `buck verify` confirms, or from one deal of a tournament, which is
    played again in all its line-ups.

    Example: `buck replay runs/tournament --deal 17 --out hands.html`
    """
    from buck_env.base.files import replace_file
    from training.tournament.pages import draw_hands, page

    if hands < 1:
        raise BuckError(f"--hands: {hands} is too few; allowed: 1 or more")
    title = ", ".join(path.name for path in files)
    if deal is not None:
        from training.tournament.ledger import EVENT_FILE
        from training.tournament.replays import replay_deal

        folder = files[0]
        if len(files) > 1 or not folder.is_dir():
            raise BuckError(f"--deal: {folder}: one tournament's folder is needed, as in buck replay runs/tournament")
        inside = [folder / EVENT_FILE, folder / "hands", folder / "matches"]
        title = f"{title}, deal {deal}"
    else:
        if any(path.is_dir() for path in files):
            raise BuckError(f"{title}: is a folder; where it is a tournament's, say which deal, as in --deal 17")
        inside = files
    if any(out.resolve().is_relative_to(path.resolve()) for path in inside):
        raise BuckError(f"--out: {out} is one of the files to be drawn; name another, as in hands.html")
    with writing({"--out ": out}):
        if deal is not None:
            every = replay_deal(folder, deal, run_code=run_code)
            drawn, count = every[max(0, skip) :][:hands], len(every)
        else:
            drawn, count = draw_hands(_confirmed(files), skip=skip, most=hands)
        if not 0 <= skip < count:
            raise BuckError(f"--skip: {skip} is not allowed; allowed: 0 to {count - 1}, for there are {count} hands")
        text = page("hands.html", title=line(title), hands=drawn, first=skip + 1, count=count)
        out.parent.mkdir(parents=True, exist_ok=True)
        replace_file(out, text.encode())
    say(f"{len(drawn)} of {count} hands: {out}")
