"""A person at the table, in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from agents import load_agent
from agents.pretrained import pretrained_for
from buck_env import ACTIONS, BuckError, action_id, load_rules
from buck_env.drawing.text import table_text
from buck_env.environments.asking import ask, views_at
from buck_env.environments.tables import Tables
from buck_env.game.options import Phase
from buck_env.observation.views import Views
from buck_env.records import HandRecord, write_records
from training.cli.coach import Coach

__all__ = ["play_in_terminal"]


def play_in_terminal(
    rules_name: str,
    against: str,
    seat: int,
    seed: int | None,
    hands: int | None,
    record: Path | None,
    coach_name: str | None,
) -> None:
    """Play a match, or some hands of one, in a seat against agents; ctrl-C or `quit` ends it."""
    rules = load_rules(rules_name)
    if seat not in range(rules.seats):
        raise BuckError(f"--seat: {seat} is no seat; allowed: 0 to {rules.seats - 1}")
    if hands is not None and hands < 1:
        raise BuckError(f"--hands: {hands} is too few; allowed: 1 or more")
    agent = load_agent(against, rules)
    coach = Coach(coach_name or pretrained_for(rules) or "rules-v1", rules)
    tables = Tables(rules, episode="match", max_hands=hands)
    tables.reset(seed)
    if record:
        write_records(record, [])  # a file that cannot be written is an error before the game
    hands_played = 0
    print(
        f"{rules.name}: you are seat {seat}, {against} plays the others. Answer with an action, or with:\n"
        f"hint (what {coach.name} would do), points (what each action brings), quit; the first letter is enough.\n"
    )
    try:
        while not tables.episodes["over"][0]:
            number = int(tables.episodes["hands"][0])
            views = views_at(tables, np.zeros(1, np.int64))
            if tables.seats[0] == seat:
                action = _ask(tables, seat, views, coach)
                coach.note(views, action)
            else:
                action = int(ask(against, agent, views, tables.permitted)[0])
                print(f"seat {tables.seats[0]}: {_said(tables, action)}")
            before = tables.tables["tricks"][0].copy()
            tables.step(np.array([action]))
            over = int(tables.episodes["hands"][0]) != number or bool(tables.episodes["over"][0])
            _print_trick(before, (tables.finals if over else tables.tables)["tricks"][0])
            if over:
                hand = tables.record(0, finished=True)
                _print_hand(hand, rules.toward)
                if reviewed := coach.review():
                    print(f"{reviewed}\n")
                if record:
                    write_records(record, [hand])
                    hands_played += 1
    except (EOFError, KeyboardInterrupt):
        print("\nYou left the table.")
    if record:
        print(f"{hands_played} hands added to {record}")


def _ask(tables: Tables, seat: int, views: Views, coach: Coach) -> int:
    """The person's action: asked again until it is legal."""
    legal = np.flatnonzero(tables.masks[0])
    print("\n" + table_text(tables.tables, tables.rules, seat, colour=sys.stdout.isatty()))
    while True:
        try:
            answer = input(f"your turn ({', '.join(ACTIONS[action] for action in legal)}): ").strip()
        except UnicodeDecodeError:
            answer = "that"
        except RuntimeError:  # there is no standard input
            raise EOFError from None
        if answer.lower() in ("quit", "q", "exit"):
            raise EOFError
        if answer.lower() in ("hint", "h"):
            print(coach.hint(views))
            continue
        if answer.lower() in ("points", "p"):
            print(coach.points(views))
            continue
        for text in (answer, answer.upper(), answer.lower()):
            try:
                action = action_id(text)
            except ValueError:
                continue
            if action in legal or tables.permitted[0] >> action & 1:
                return action
        print(f"{answer!r} is not possible now")


def _good(points: int) -> str:
    return " (good)" if points > 0 else " (bad)" if points < 0 else ""


def _said(tables: Tables, action: int) -> str:
    return "discards a card" if tables.tables["phase"][0] == Phase.DISCARD else ACTIONS[action]


def _print_trick(before: np.ndarray, after: np.ndarray) -> None:
    """Who took the trick, where one has just been taken."""
    takers = np.flatnonzero(after > before)
    if after.sum() == before.sum() + 1:
        print(f"seat {takers[0]} takes the trick.\n")


def _print_hand(record: HandRecord, toward: int) -> None:
    result = record["result"]
    if result["redeal"]:
        print("\nNobody makes trump: the next dealer deals.\n")
        return
    lines = [
        f"seat {seat}: {tricks} trick{'' if tricks == 1 else 's'}, {delta:+d}{_good(toward * delta)}, now {score}"
        for seat, (tricks, delta, score) in enumerate(
            zip(result["tricks"], result["deltas"], result["scores"], strict=True)
        )
    ]
    print("\nHand over.\n  " + "\n  ".join(lines))
    if result["winners"]:
        print(f"The match goes to seat {' and '.join(map(str, result['winners']))}.")
    print()
