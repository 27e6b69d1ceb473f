"""The rule book and the code agree: every citation resolves, and clauses are cited by the code and by the tests."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from places import ROOT

CLAUSE = re.compile(r"^- \*\*§(\d+\.\d+)\*\*( \(no code\))?", re.MULTILINE)
CITATION = re.compile(r"RULES ((?:§\d+\.\d+(?:,\s+| to )?)+)")
BOOK = dict(CLAUSE.findall((ROOT / "buck_env" / "RULES.md").read_text(encoding="utf-8")))


def cited(folder: Path, names: str) -> dict[str, str]:
    """Every clause that the docstrings of a folder's functions and classes of these names cite, and where."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and re.match(names, node.name):
                for listed in CITATION.findall(ast.get_docstring(node) or ""):
                    found |= dict.fromkeys(spelled_out(listed), f"{path.relative_to(ROOT)}: {node.name}")
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


FOLDERS = pytest.mark.parametrize(("folder", "names"), [("buck_env", ""), ("tests", "test_")])


@FOLDERS
def test_every_citation_resolves(folder: str, names: str) -> None:
    assert not {clause: place for clause, place in cited(ROOT / folder, names).items() if clause not in BOOK}


@FOLDERS
def test_every_clause_is_cited_by_a_docstring_of_the_code_and_of_a_test(folder: str, names: str) -> None:
    held = {clause for clause, without_code in BOOK.items() if not without_code}
    assert not sorted(held - set(cited(ROOT / folder, names)))


def test_every_step_of_the_engine_and_every_score_cites_its_clauses() -> None:
    steps = r"(legal|apply)(_\w+)?$|permitted$|deal$|points$|made_points$|penalty$|walked_over$|winners$"
    for path in sorted((ROOT / "buck_env" / "game").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and re.match(steps, node.name):
                assert CITATION.search(ast.get_docstring(node) or ""), f"{path.name}: {node.name}"
