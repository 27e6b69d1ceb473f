"""Hand records in JavaScript: all of the referee's, and random hands of every profile and of random houses."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from houses import random_house
from javascript.node import needs_node, run_node
from javascript.random_hands import random_hand, random_records
from places import ROOT

from buck_env import PROFILES, Rules

pytestmark = needs_node

REPLAY = """
let same = 0;
for (const [record, handsPlayed] of given) {
  const table = buck.Table.fromRecord(record, handsPlayed);
  const played = table.record();
  if (JSON.stringify(played) !== JSON.stringify(record)) throw new Error(JSON.stringify([record, played]));
  same += 1;
}
answer(same);
"""


def replayed(folder: Path, houses: list[Rules], hands: int, seed: int) -> int:
    """The random hands of some houses that JavaScript plays alike, to the letter of their records."""
    generator = np.random.default_rng(seed)
    return run_node(folder, REPLAY, [random_hand(rules, generator) for rules in houses for _ in range(hands)])


def test_every_record_of_the_referee_is_confirmed(tmp_path: Path) -> None:
    files = sorted((ROOT / "tests" / "data" / "conformance").glob("*.jsonl"))
    script = """
    const confirmed = (file) => buck.verifyRecords(buck.parseRecords(readFileSync(file, "utf8"), file), file);
    answer(given.map(confirmed));
    """
    assert sum(run_node(tmp_path, script, [str(file) for file in files])) == 1841


@pytest.mark.parametrize("profile", PROFILES)
def test_random_hands_are_played_alike(profile: str, tmp_path: Path) -> None:
    assert replayed(tmp_path, [PROFILES[profile]], 500, seed=1) == 500


def test_random_houses_are_played_alike(tmp_path: Path) -> None:
    rng = random.Random(2)
    houses = [random_house(rng.choice(sorted(PROFILES)), rng) for _ in range(50)]
    assert replayed(tmp_path, houses, 10, seed=2) == 500


FUZZ = """
let state = 7;
const next = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0);
const below = (n) => Math.floor((next() / 2 ** 32) * n);
const junk = [null, true, -1, 3, 99, 2 ** 31, 0.5, "", "9C", "play:9C", "discard:?", "pass", [], [[]], {}, "toString"];
function spoilt(value) {
  const places = [];
  const visit = (inner) => {
    if (typeof inner !== "object" || inner === null) return;
    for (const key of Object.keys(inner)) { places.push([inner, key]); visit(inner[key]); }
  };
  const copy = structuredClone(value);
  visit(copy);
  const [inner, key] = places[below(places.length)];
  const kind = below(3);
  if (kind === 0 && Array.isArray(inner)) inner.splice(key, 1);
  else if (kind === 0) delete inner[key];
  else if (kind === 1 && Array.isArray(inner)) inner.push(structuredClone(inner[key]));
  else inner[key] = structuredClone(junk[below(junk.length)]);
  return copy;
}
const bot = buck.rulesV1();
let refused = 0;
const attempt = (act, given) => {
  try { act(given); } catch (error) {
    if (!(error instanceof buck.BuckError)) throw new Error(JSON.stringify(given), { cause: error });
    refused++;
  }
};
for (const source of given) {
  const { table } = new buck.Match(buck.parseRules(source), { seed: 3 });
  while (!table.over) {
    for (let i = 0; i < 30; i++) attempt(bot.decide, spoilt(table.position(0.3)));
    for (let i = 0; i < 10; i++) attempt(buck.Table.fromRecord, spoilt(table.record()));
    const options = table.permitted();
    table.apply(options[below(options.length)]);
  }
}
answer(refused);
"""


def test_whatever_is_wrong_with_a_position_or_a_record_is_an_error_of_the_package(tmp_path: Path) -> None:
    houses = [*PROFILES, {"base": "dirty-clubs", "illegal_play": "renege"}]
    assert run_node(tmp_path, FUZZ, houses) > 1000


@pytest.mark.soak
@pytest.mark.parametrize("profile", PROFILES)
def test_100000_random_hands_are_played_alike(profile: str, tmp_path: Path) -> None:
    for seed in range(20):
        records = random_records(PROFILES[profile], 5000, seed=10_000 * seed)
        assert run_node(tmp_path, REPLAY, [(record, 0) for record in records]) == 5000


@pytest.mark.soak
def test_2000_random_houses_are_played_alike(tmp_path: Path) -> None:
    rng = random.Random(3)
    for seed in range(20):
        houses = [random_house(rng.choice(sorted(PROFILES)), rng) for _ in range(100)]
        assert replayed(tmp_path, houses, 10, seed=200 + seed) == 1000
