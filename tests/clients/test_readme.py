"""The table of clients names the versions that are installed for them."""

from __future__ import annotations

import re

from places import ROOT

CLIENTS = ROOT / "tests" / "clients"


def test_the_table_names_every_pinned_version_and_every_pinned_client_has_an_example() -> None:
    table = (CLIENTS / "README.md").read_text()
    for needs in (CLIENTS / "needs").glob("*.txt"):
        assert (CLIENTS / f"test_{needs.stem}.py").is_file()
        [version] = re.findall(r"^\S+==(\S+)$", needs.read_text(), re.MULTILINE)
        assert f" {version} |" in table
