"""The package as a whole: its public names, types and versions, what it needs, and what it weighs."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from javascript.node import PACKAGE, needs_node, run_node

from agents.bots.bot import Stamps
from agents.bots.bundle import FORMAT
from agents.programs.protocol import PROTOCOL
from buck_env import ACTIONS, LAYOUT, NUM_ACTIONS, OBSERVATION_SIZE, PIECES, PROFILES, __version__, load_rules
from buck_env.game.cards import CARDS

TABLE = PACKAGE / "table"
SOURCES = [path for path in sorted(PACKAGE.rglob("*.js")) if TABLE not in path.parents]
LIBRARY = [path for path in SOURCES if "examples" not in path.parts]
MOST = 40_000
"""Bytes of the package's modules, compressed together: a page loads them with the bot's weights."""


@needs_node
def test_every_public_name_has_a_type_and_every_type_a_name(tmp_path: Path) -> None:
    declared = re.findall(r"^export (?:const|function|class) (\w+)", (PACKAGE / "index.d.ts").read_text(), re.MULTILINE)
    assert run_node(tmp_path, "answer(Object.keys(buck).sort());", None) == sorted(set(declared))


@needs_node
def test_every_member_of_a_table_and_a_match_that_has_a_type_is_there(tmp_path: Path) -> None:
    types = (PACKAGE / "index.d.ts").read_text()
    for name, instance in (("Table", "match.table"), ("Match", "match")):
        body = types.partition(f"export class {name} {{")[2].partition("\n}\n")[0]
        declared = re.findall(r"^  (?:readonly )?(static )?(\w+)[(:]", body, re.MULTILINE)
        script = f"""
        const match = new buck.Match(buck.parseRules("ohio"), {{ seed: 1 }});
        answer(given.filter(([isStatic, member]) => !(member in (isStatic ? buck.{name} : {instance}))));
        """
        assert len(declared) > 10
        assert run_node(tmp_path, script, declared) == []


@needs_node
def test_words_numbers_and_versions_are_python_s(tmp_path: Path) -> None:
    script = f"""
    import {{ BUNDLE_FORMAT, PROTOCOL, STAMPS }} from "{PACKAGE.as_uri()}/base/versions.js";
    const {{ VERSION, CARDS, ACTIONS, NUM_ACTIONS, OBSERVATION_SIZE, PIECES, PROFILES }} = buck;
    const pieces = PIECES.map(({{ name, start, shape, low, high }}) => [name, start, shape, low, high]);
    const numbers = {{ NUM_ACTIONS, OBSERVATION_SIZE }};
    answer({{ VERSION, STAMPS, BUNDLE_FORMAT, PROTOCOL, CARDS, ACTIONS, PROFILES, pieces, ...numbers }});
    """
    found = run_node(tmp_path, script, None)
    stamps = {key: getattr(Stamps, key) for key in found["STAMPS"]}
    assert (found["VERSION"], found["STAMPS"]) == (__version__, stamps)
    assert (found["BUNDLE_FORMAT"], found["PROTOCOL"]) == (FORMAT, PROTOCOL)
    assert (found["CARDS"], found["ACTIONS"]) == (list(CARDS), list(ACTIONS))
    assert (found["NUM_ACTIONS"], found["OBSERVATION_SIZE"]) == (NUM_ACTIONS, OBSERVATION_SIZE)
    assert found["pieces"] == [[p.name, LAYOUT[p.name].start, list(p.shape), p.low, p.high] for p in PIECES]
    assert {name: load_rules(rules) for name, rules in found["PROFILES"].items()} == PROFILES
    manifest = json.loads((PACKAGE / "package.json").read_text())
    assert manifest["version"] == __version__
    assert "dependencies" not in manifest
    assert {path.relative_to(PACKAGE).parts[0] for path in SOURCES} <= set(manifest["files"])


def test_modules_import_one_another_and_what_node_has() -> None:
    for path in SOURCES:
        for name in re.findall(r'(?:^|\s)from "([^"]+)"', path.read_text(encoding="utf-8")):
            if name.startswith("."):
                assert (path.parent / name).is_file(), f"{path}: {name}"
            else:
                by_name = ("buck-euchre", "buck-euchre/node") if "examples" in path.parts else ()
                assert name in by_name or (path.name in ("node.js", "server.js") and name.startswith("node:")), path


def test_the_package_is_small() -> None:
    assert len(gzip.compress(b"".join(path.read_bytes() for path in LIBRARY), 9)) <= MOST


USE = """
import {
  Match, PROFILES, RulesError, encode, loadBundle, parseHouseRules, parseRules, random, rulesV1, verifyRecords,
  type BundleBot, type Decide, type Position,
} from "buck-euchre";
import { loadBundleFolder, runProgram } from "buck-euchre/node";

const match = new Match(parseRules({ base: "bucked", target: 15 }), { seed: 3n });
const position: Position = match.table.position(0.5);
const first: Decide = ({ legal }) => legal[0]!;
const bots: BundleBot[] = [await loadBundle({}), await loadBundleFolder("x", { level: "easy" })];
const slow = await loadBundle(() => new Uint8Array(), { onnxruntime: null! });
const action: string = (await slow.decide(position)).action;
const value: number | null = bots[0]!.decide(match.table).value;
const { observation } = encode(position, { canonical: true });
await runProgram(first);
await runProgram({ start: async (rules) => rulesV1(rules).decide });
// @ts-expect-error: there is no such profile
parseRules("spades");
const why = match.table.whyNot("play:9C");
if (why?.code === "follow-suit") console.log(why.suit, why.leftBower);
console.log(observation[0], action, value, PROFILES.ohio.target, RulesError, parseHouseRules("base: ohio"), random());
console.log(verifyRecords(match.records()));
"""


@pytest.mark.skipif(not shutil.which("tsc"), reason="types are checked by TypeScript: `npm install -g typescript`")
def test_types_fit_a_program_that_uses_them(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "buck-euchre").symlink_to(PACKAGE, target_is_directory=True)
    (tmp_path / "use.mts").write_text(USE)
    streams = "declare namespace NodeJS { type ReadableStream = {}; type WritableStream = {} }"
    (tmp_path / "streams.d.ts").write_text(streams)
    options = ["--strict", "--noUncheckedIndexedAccess", "--noEmit", "--target", "es2023", "--lib", "es2023,dom"]
    files = ["--module", "nodenext", "streams.d.ts", "use.mts"]
    run = subprocess.run(["tsc", *options, *files], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
