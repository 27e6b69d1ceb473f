"""The rule book and the code agree: every citation resolves, and clauses are cited by the code and by the tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import ROOT

CLAUSE = re.compile(r"^- \*\*§(\d+\.\d+)\*\*( \(no code\))?", re.MULTILINE)
CITATION = re.compile(r"RULES ((?:§\d+\.\d+(?:,\s+| to )?)+)")
BOOK = dict(CLAUSE.findall((ROOT / "buck_env" / "RULES.md").read_text(encoding="utf-8")))


def cited(folder: Path) -> dict[str, str]:
    """Every clause that a folder's files cite, each with a file that does."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        for listed in CITATION.findall(path.read_text(encoding="utf-8")):
            for clause in spelled_out(listed):
                found[clause] = str(path.relative_to(ROOT))
    return found


def spelled_out(listed: str) -> list[str]:
    """The clauses of a citation: ``§5.3 to §5.5, §5.9`` names four."""
    clauses = []
    for part in filter(None, re.split(r",\s+", listed)):
        first, _, last = part.strip().replace("§", "").partition(" to ")
        section, number = first.split(".")
        until = int((last or first).split(".")[1])
        clauses += [f"{section}.{n}" for n in range(int(number), until + 1)]
    return clauses


@pytest.mark.parametrize("folder", ["buck_env", "tests"])
def test_every_citation_resolves(folder: str) -> None:
    assert not {clause: file for clause, file in cited(ROOT / folder).items() if clause not in BOOK}


@pytest.mark.parametrize("folder", ["buck_env", "tests"])
def test_every_clause_is_cited(folder: str) -> None:
    held = {clause for clause, without_code in BOOK.items() if not without_code}
    assert not sorted(held - set(cited(ROOT / folder)))
