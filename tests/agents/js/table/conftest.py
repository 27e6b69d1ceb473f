"""The site, where it is served, and a browser: once for all tests of the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages.browsers import chromium, serving

from training.web.site import write_site


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    return folder


@pytest.fixture(scope="package")
def address(site: Path) -> Iterator[str]:
    with serving(site) as address:
        yield address


@pytest.fixture(scope="package")
def driver() -> Iterator[Any]:
    with chromium() as driver:
        driver.set_script_timeout(60)
        yield driver
