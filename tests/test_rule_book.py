"""The rule book and the code agree: every citation resolves, and clauses are cited by the code and by the tests."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from places import ROOT
from rule_book import CITED, CLAUSES, WORKED_SCORES, spelled_out

CITATION = re.compile(rf"RULES ({CITED})")
BY_A_ROW = {clause: "RULES.md: worked scores" for row in WORKED_SCORES for clause in row.clauses}
"""What `test_worked_scores` tests."""


def cited(folder: Path, names: str) -> dict[str, str]:
    """Every clause that the docstrings of a folder's functions and classes of these names cite, and where."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and re.match(names, node.name):
                for listed in CITATION.findall(ast.get_docstring(node) or ""):
                    found |= dict.fromkeys(spelled_out(listed), f"{path.relative_to(ROOT)}: {node.name}")
    return found


@pytest.mark.parametrize(("folder", "names"), [("buck_env", ""), ("tests", "test_")])
def test_every_citation_resolves(folder: str, names: str) -> None:
    citations = cited(ROOT / folder, names) | BY_A_ROW
    assert not {clause: place for clause, place in citations.items() if clause not in CLAUSES}


def test_every_clause_is_cited_by_the_code_and_by_a_test_or_a_worked_score() -> None:
    held = {clause for clause, without_code in CLAUSES.items() if not without_code}
    assert not sorted(held - set(cited(ROOT / "buck_env", "")))
    assert not sorted(held - set(cited(ROOT / "tests", "test_")) - set(BY_A_ROW))


def test_every_step_of_the_engine_and_every_score_cites_its_clauses() -> None:
    steps = r"(legal|apply)(_\w+)?$|permitted$|deal$|points$|played_points$|walked_over$|winners$"
    for path in sorted((ROOT / "buck_env" / "game").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and re.match(steps, node.name):
                assert CITATION.search(ast.get_docstring(node) or ""), f"{path.name}: {node.name}"
