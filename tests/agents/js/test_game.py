"""House rules and whole matches in JavaScript: what Python reads, refuses and deals."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from houses import random_house
from javascript.node import needs_node, run_node
from places import ROOT

from agents import load_agent
from buck_env import PROFILES, Rules, RulesError, load_rules
from buck_env.environments.tables import Tables
from buck_env.observation.views import Views

pytestmark = needs_node

PARSE = """
const read = (source) => (typeof source === "string" ? buck.parseHouseRules(source) : buck.parseRules(source));
const parsed = (source) => { try { return read(source); } catch (error) { return [error.name, error.message]; } };
answer(given.map(parsed));
"""


def test_house_rules_files_are_read_as_python_reads_them(tmp_path: Path) -> None:
    files = sorted((ROOT / "configs" / "rules").glob("*.yaml"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    found = run_node(tmp_path, PARSE, [*texts, "\ufeff# mine\n---\n{base: 'bucked', target: 15}  # short\n"])
    assert [load_rules(rules) for rules in found] == [*map(load_rules, files), load_rules("bucked-15")]


def test_a_house_is_written_as_a_file_and_as_records_name_it(tmp_path: Path) -> None:
    rng = random.Random(8)
    houses = [random_house(rng.choice(sorted(PROFILES)), rng) for _ in range(100)]
    script = """
    const { formatHouseRules, rulesRecord, rulesName, phasesOf } = buck;
    const words = (rules) => [formatHouseRules(rules), rulesRecord(rules), rulesName(rules), phasesOf(rules)];
    answer(given.map((source) => words(buck.parseRules(source))));
    """
    given = [{"base": house.base, **house.as_dict()} for house in houses]
    for house, (text, record, name, phases) in zip(houses, run_node(tmp_path, script, given), strict=True):
        (tmp_path / "house.yaml").write_text(text)
        assert load_rules(tmp_path / "house.yaml") == house
        assert (record, name, tuple(phases)) == (house.as_record(), house.name, house.phases)


def is_refused(source: Any) -> bool:
    try:
        load_rules(source)
    except RulesError:
        return True
    return False


def test_what_python_refuses_is_refused(tmp_path: Path) -> None:
    rng = random.Random(9)
    values = [
        None,
        True,
        False,
        0,
        1,
        3,
        4,
        5,
        -1,
        9,
        1001,
        2.5,
        "",
        "bid",
        "none",
        "dealer",
        "order",
        "random",
        [],
        {},
    ]
    fields = [key for key in PROFILES["ohio"].as_dict() if key != "base"]
    sources: list[Any] = [
        {"base": rng.choice(sorted(PROFILES)), rng.choice(fields): rng.choice(values)} for _ in range(2000)
    ]
    sources += [{}, [], None, 3, {"base": "spades"}, {"base": None}, {"base": "ohio", "seat": 4}, {"target": 3}]
    found = run_node(tmp_path, PARSE, sources)
    for source, rules in zip(sources, found, strict=True):
        assert isinstance(rules, list) == is_refused(source), source
        if isinstance(rules, list):
            assert rules[0] == "RulesError"
        else:
            assert load_rules(rules) == load_rules(source)


@pytest.mark.parametrize(
    "text", ["base ohio", "base: ohio\nbase: bucked", "- ohio", "base: ohio\n  deeper:\n    x: 1", "3"]
)
def test_a_file_that_is_no_mapping_of_scalars_is_refused_with_its_line(text: str, tmp_path: Path) -> None:
    [[name, message]] = run_node(tmp_path, PARSE, [text])
    assert name == "RulesError"
    assert message.startswith("house rules")


MATCH = """
answer(given.map(([profile, seed]) => {
  const match = new buck.Match(buck.parseRules(profile), { seed, id: "it", maxHands: 12 });
  const bot = buck.rulesV1(match.rules);
  while (!match.over) {
    if (match.table.over) match.next();
    while (!match.table.over) match.table.apply(bot.decide(match.table).action);
  }
  const again = buck.Match.fromRecords(match.records(), { seed, maxHands: 12 });
  return [match.records(), match.truncated, again.over && again.truncated === match.truncated];
}));
"""


def records_of(rules: Rules, seed: int) -> tuple[list[Any], bool]:
    """The hands of the environment's match of a seed among rules-v1, and whether it was ended without a winner."""
    tables = Tables(rules, 1, episode="match", max_hands=12)
    tables.reset(seed)
    player = load_agent("rules-v1", rules)
    records: list[Any] = []
    deal = None
    while not tables.episodes["over"][0]:
        tables.step(player.act(Views.of(rules, tables.tables, tables.logs)))
        if tables.past["pack"].any() and (hand := tables.record(0, finished=True))["hands"] != deal:
            deal = hand["hands"]
            records.append({**hand, "match": {"id": "it", "hand": len(records)}})
    return records, not records[-1]["result"]["winners"]


def test_the_match_of_a_seed_is_the_environment_s(tmp_path: Path) -> None:
    pairs = [(profile, seed) for profile in PROFILES for seed in (1, 2**40 + 5)]
    for (profile, seed), found in zip(pairs, run_node(tmp_path, MATCH, pairs), strict=True):
        records, truncated = records_of(PROFILES[profile], seed)
        assert found == [records, truncated, True]
