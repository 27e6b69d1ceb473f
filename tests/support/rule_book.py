"""The rule book as the tests read it: its clauses, and its worked scores."""

from __future__ import annotations

import re
from typing import NamedTuple

from places import ROOT

from buck_env import Rules, load_rules
from buck_env.base.yaml import parse_yaml

_TEXT = (ROOT / "buck_env" / "RULES.md").read_text(encoding="utf-8")
CLAUSES = dict(re.findall(r"^- \*\*§(\d+\.\d+)\*\*( \(no code\))?", _TEXT, re.MULTILINE))
"""Clause: empty, or that no code can hold it."""
CITED = r"(?:§\d+\.\d+(?:,\s+| to )?)+"


class WorkedScore(NamedTuple):
    """A row of the worked scores."""

    rules: Rules
    maker: int | None
    needs: int
    tricks: list[str]
    """By seat: a number, ``"D"`` of a seat that dropped, ``"R"`` of one that reneged."""
    points: list[int]
    clauses: list[str]


def spelled_out(listed: str) -> list[str]:
    """The clauses of a citation: ``§5.3 to §5.5, §5.9`` names four."""
    clauses = []
    for part in filter(None, re.split(r",\s+", listed)):
        first, _, last = part.strip().replace("§", "").partition(" to ")
        section, number = first.split(".")
        until = int((last or first).split(".")[1])
        clauses += [f"{section}.{n}" for n in range(int(number), until + 1)]
    return clauses


def _worked_score(house: str, maker: str, tricks: str, points: str, clauses: str) -> WorkedScore:
    base, *different = re.findall(r"`(.*?)`", house)
    rules = load_rules(parse_yaml("\n".join([f"base: {base}", *different]), "RULES.md"))
    numbers = [int(number) for number in re.findall(r"\d+", maker)]
    seat, needs = numbers or (None, 0)
    scored = [int(text.replace("\N{MINUS SIGN}", "-")) for text in points.split()]
    return WorkedScore(rules, seat, needs, tricks.split(), scored, spelled_out(clauses))


_ROWS = _TEXT.partition("## Worked scores")[2].partition("|---|")[2].splitlines()[1:]
WORKED_SCORES = [_worked_score(*(cell.strip() for cell in row.strip("|").split("|"))) for row in _ROWS if row]
