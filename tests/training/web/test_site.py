"""The site: a folder that holds all that the page asks for, and replaces nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.pretrained import pretrained_names
from buck_env.base.errors import BuckError
from training.export.bundles import check_bundle
from training.web.site import write_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, agents=[{"name": "mine", "rules": "ohio"}])
    return folder


def test_every_pretrained_bot_leaves_as_a_bundle_with_its_levels(site: Path) -> None:
    bots = json.loads((site / "site.json").read_text())["bots"]
    assert [bot["name"] for bot in bots] == list(pretrained_names())
    for bot in bots:
        assert "agree with engine and model" in check_bundle(site / "bots" / bot["name"])
        assert bot["levels"]["easy"] > bot["levels"]["medium"] > 1
        assert bot["levels"]["hard"] is None


def test_the_page_knows_the_agents_of_its_service(site: Path) -> None:
    says = json.loads((site / "site.json").read_text())
    assert says["service"]
    assert says["agents"] == [{"name": "mine", "rules": "ohio"}]


def kept_by_the_worker(site: Path) -> list[str]:
    worker = (site / "worker.js").read_text()
    kept: list[str] = json.loads(worker.partition("const FILES = ")[2].partition(";")[0])
    return kept


def test_the_worker_keeps_nothing_beside_a_service(site: Path) -> None:
    assert kept_by_the_worker(site) == []


def test_the_worker_keeps_every_file_that_the_page_asks_for(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_site(site)
    kept = kept_by_the_worker(site)
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert there - set(kept) == {"worker.js", "package.json"} | {
        f"bots/{name}/samples.jsonl" for name in pretrained_names()
    }
    assert set(kept) - there == {"./"}


def test_the_package_is_there_without_its_tests_and_its_part_for_node(site: Path) -> None:
    assert (site / "index.js").is_file()
    assert not {"examples", "node_modules", "node.js", "tests"} & {path.name for path in site.iterdir()}


def test_a_folder_of_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BuckError, match="holds other files than an earlier site"):
        write_site(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_site_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_site(site, bots=["ohio", "bucked"])
    says = json.loads((site / "site.json").read_text())
    (site / "old" / "part").mkdir(parents=True)
    (site / "old" / "part" / "of.js").write_text("// of an earlier version")
    (site / "site.json").write_text(json.dumps(says | {"files": [*says["files"], "old/part/of.js", "../mine.txt"]}))
    (tmp_path / "mine.txt").write_text("mine")
    count = write_site(site, bots=["bucked"])
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert there == set(json.loads((site / "site.json").read_text())["files"])
    assert count == len(there)
    assert [path.name for path in (site / "bots").iterdir() if path.is_dir()] == ["bucked"]
    assert not (site / "old").exists()
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_file_beside_an_earlier_site_is_not_touched(tmp_path: Path) -> None:
    write_site(tmp_path, bots=[])
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    with pytest.raises(BuckError, match=r"holds notes/mine\.txt, which no earlier site wrote; move it"):
        write_site(tmp_path, bots=[])
    assert (tmp_path / "notes" / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 3}'])
def test_a_folder_with_another_site_json_is_not_touched(tmp_path: Path, text: str) -> None:
    (tmp_path / "site.json").write_text(text)
    with pytest.raises(BuckError, match="holds other files than an earlier site"):
        write_site(tmp_path, bots=[])
    assert (tmp_path / "site.json").read_text() == text
