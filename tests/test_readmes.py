"""What the READMEs refer to exists: files, headings, pictures, and names that examples import."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from places import ROOT

PACKAGES = ("agents", "buck_env", "training")
FOLDERS = [ROOT / name for name in (*PACKAGES, "configs", "notebooks")]
PAGES = sorted(
    page
    for page in (*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in folder.rglob("*.md")))
    if "pretrained" not in page.parts
)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_import_what_exists(page: Path) -> None:
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES):
                exec(ast.unparse(node), {})
